module @regions {
  func.func public @main(%arg0: tensor<4xf32> loc("arg0"), %arg1: tensor<4xi32> loc("arg1"), %arg2: tensor<f32> loc("arg2"), %arg3: tensor<i32> loc("arg3")) -> (tensor<f32>, tensor<i32>, tensor<3xf32>, tensor<4xf32>, tensor<4xf32>) {
    %6:2 = "stablehlo.reduce"(%arg0, %arg1, %arg2, %arg3) <{dimensions = array<i64: 0>}> ({
    ^bb0(%0: tensor<f32>, %1: tensor<i32>, %2: tensor<f32>, %3: tensor<i32>):
    %4 = stablehlo.add %0, %2 : tensor<f32>
    %5 = stablehlo.add %1, %3 : tensor<i32>
    stablehlo.return %4, %5 : tensor<f32>, tensor<i32>
    }) : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
    %10 = "stablehlo.reduce_window"(%arg0, %arg2) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 1>, base_dilations = array<i64: 1>, window_dilations = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>}> ({
    ^bb0(%7: tensor<f32>, %8: tensor<f32>):
    %9 = stablehlo.add %7, %8 : tensor<f32>
    stablehlo.return %9 : tensor<f32>
    }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
    %14 = "stablehlo.scatter"(%arg0, %arg1, %arg0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%11: tensor<f32>, %12: tensor<f32>):
    %13 = stablehlo.add %11, %12 : tensor<f32>
    stablehlo.return %13 : tensor<f32>
    }) : (tensor<4xf32>, tensor<4xi32>, tensor<4xf32>) -> tensor<4xf32>
    %18 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%15: tensor<f32>, %16: tensor<f32>):
    %17 = "stablehlo.compare"(%15, %16) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %17 : tensor<i1>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    return %6#0, %6#1, %10, %14, %18 : tensor<f32>, tensor<i32>, tensor<3xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
