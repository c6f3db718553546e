module @broadcast_new_dims {
  func.func public @main(%arg0: tensor<3xf32> loc("x")) -> (tensor<2x3x4xf32>) {
    %0 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 1>}> : (tensor<3xf32>) -> tensor<2x3x4xf32>
    return %0 : tensor<2x3x4xf32>
  }
}
module @reshape_splits {
  func.func public @main(%arg0: tensor<4x3xf32> loc("x")) -> (tensor<2x2x3xf32>) {
    %0 = "stablehlo.reshape"(%arg0) : (tensor<4x3xf32>) -> tensor<2x2x3xf32>
    return %0 : tensor<2x2x3xf32>
  }
}
module @transpose_rotates {
  func.func public @main(%arg0: tensor<2x3x4xf32> loc("x")) -> (tensor<4x2x3xf32>) {
    %0 = "stablehlo.transpose"(%arg0) <{permutation = array<i64: 2, 0, 1>}> : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
    return %0 : tensor<4x2x3xf32>
  }
}
