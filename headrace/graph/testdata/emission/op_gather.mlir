module @rows {
  func.func public @main(%arg0: tensor<5x3xf32> loc("x"), %arg1: tensor<2x4xi32> loc("x")) -> (tensor<2x4x3xf32>) {
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false}> : (tensor<5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>
    return %0 : tensor<2x4x3xf32>
  }
}
