module @vector {
  func.func public @main(%arg0: tensor<2x5x3xf32> loc("x"), %arg1: tensor<3x3x2xf32> loc("x")) -> (tensor<2x5x2xf32>) {
    %0 = "stablehlo.convolution"(%arg0, %arg1) <{window_strides = array<i64: 1>, padding = dense<[[1, 1]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x5x3xf32>, tensor<3x3x2xf32>) -> tensor<2x5x2xf32>
    return %0 : tensor<2x5x2xf32>
  }
}
