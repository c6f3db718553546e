module @slice {
  func.func public @main(%arg0: tensor<4x5xf32> loc("x"), %arg1: tensor<i32> loc("x"), %arg2: tensor<i32> loc("x")) -> (tensor<2x3xf32>) {
    %0 = "stablehlo.dynamic_slice"(%arg0, %arg1, %arg2) <{slice_sizes = array<i64: 2, 3>}> : (tensor<4x5xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}
module @update {
  func.func public @main(%arg0: tensor<4x5xf32> loc("x"), %arg1: tensor<2x3xf32> loc("x"), %arg2: tensor<i32> loc("x"), %arg3: tensor<i32> loc("x")) -> (tensor<4x5xf32>) {
    %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<4x5xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x5xf32>
    return %0 : tensor<4x5xf32>
  }
}
