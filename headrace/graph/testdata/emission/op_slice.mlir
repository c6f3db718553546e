module @slice_strided {
  func.func public @main(%arg0: tensor<7x3x8xf32> loc("x")) -> (tensor<3x3x2xf32>) {
    %0 = "stablehlo.slice"(%arg0) <{start_indices = array<i64: 1, 0, 2>, limit_indices = array<i64: 6, 3, 7>, strides = array<i64: 2, 1, 3>}> : (tensor<7x3x8xf32>) -> tensor<3x3x2xf32>
    return %0 : tensor<3x3x2xf32>
  }
}
module @pad_around {
  func.func public @main(%arg0: tensor<2x3xf32> loc("x"), %arg1: tensor<f32> loc("x")) -> (tensor<5x6xf32>) {
    %0 = "stablehlo.pad"(%arg0, %arg1) <{edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 2, 3>, interior_padding = array<i64: 0, 0>}> : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x6xf32>
    return %0 : tensor<5x6xf32>
  }
}
module @concatenate_three {
  func.func public @main(%arg0: tensor<2x3xf32> loc("x"), %arg1: tensor<2x0xf32> loc("x"), %arg2: tensor<2x2xf32> loc("x")) -> (tensor<2x5xf32>) {
    %0 = "stablehlo.concatenate"(%arg0, %arg1, %arg2) <{dimension = 1 : i64}> : (tensor<2x3xf32>, tensor<2x0xf32>, tensor<2x2xf32>) -> tensor<2x5xf32>
    return %0 : tensor<2x5xf32>
  }
}
