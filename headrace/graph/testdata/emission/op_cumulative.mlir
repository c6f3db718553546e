module @add_columns {
  func.func public @main(%arg0: tensor<21x3xf32> loc("x")) -> (tensor<21x3xf32>) {
    %0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = "stablehlo.pad"(%arg0, %0) <{edge_padding_low = array<i64: 0, 0>, edge_padding_high = array<i64: 3, 0>, interior_padding = array<i64: 0, 0>}> : (tensor<21x3xf32>, tensor<f32>) -> tensor<24x3xf32>
    %2 = "stablehlo.reshape"(%1) : (tensor<24x3xf32>) -> tensor<3x8x3xf32>
    %3 = stablehlo.constant dense<0.0> : tensor<f32>
    %4 = "stablehlo.reduce_window"(%2, %3) <{window_dimensions = array<i64: 1, 8, 1>, window_strides = array<i64: 1, 1, 1>, base_dilations = array<i64: 1, 1, 1>, window_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [7, 0], [0, 0]]> : tensor<3x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %r = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<3x8x3xf32>, tensor<f32>) -> tensor<3x8x3xf32>
    %5 = "stablehlo.slice"(%4) <{start_indices = array<i64: 0, 7, 0>, limit_indices = array<i64: 3, 8, 3>, strides = array<i64: 1, 1, 1>}> : (tensor<3x8x3xf32>) -> tensor<3x1x3xf32>
    %6 = "stablehlo.reshape"(%5) : (tensor<3x1x3xf32>) -> tensor<3x3xf32>
    %7 = stablehlo.constant dense<0.0> : tensor<f32>
    %8 = "stablehlo.reduce_window"(%6, %7) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[2, 0], [0, 0]]> : tensor<2x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %r = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<3x3xf32>, tensor<f32>) -> tensor<3x3xf32>
    %9 = stablehlo.constant dense<0.0> : tensor<f32>
    %10 = "stablehlo.pad"(%8, %9) <{edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: -1, 0>, interior_padding = array<i64: 0, 0>}> : (tensor<3x3xf32>, tensor<f32>) -> tensor<3x3xf32>
    %11 = "stablehlo.reshape"(%10) : (tensor<3x3xf32>) -> tensor<3x1x3xf32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<3x1x3xf32>) -> tensor<3x8x3xf32>
    %13 = stablehlo.add %12, %4 : tensor<3x8x3xf32>
    %14 = "stablehlo.reshape"(%13) : (tensor<3x8x3xf32>) -> tensor<24x3xf32>
    %15 = "stablehlo.slice"(%14) <{start_indices = array<i64: 0, 0>, limit_indices = array<i64: 21, 3>, strides = array<i64: 1, 1>}> : (tensor<24x3xf32>) -> tensor<21x3xf32>
    return %15 : tensor<21x3xf32>
  }
}
