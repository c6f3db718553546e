module @step {
  sdy.mesh @mesh = <["data"=2, "fsdp"=2]>
  func.func public @main(%arg0: tensor<2x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>, tf.aliasing_output = 0 : i32} loc("weight"), %arg1: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data", "fsdp"}, {}]>} loc("batch")) -> (tensor<2x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>}, tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %0 = "stablehlo.dot_general"(%arg1, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"data", ?}, {}]> : tensor<4x3xf32>
    %2 = stablehlo.constant dense<1.0> : tensor<f32>
    %3 = "stablehlo.reshape"(%2) : (tensor<f32>) -> tensor<1x1xf32> loc("gradient")
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<4x3xf32> loc("gradient")
    %5 = stablehlo.multiply %4, %1 : tensor<4x3xf32> loc("gradient")
    %6 = stablehlo.multiply %4, %1 : tensor<4x3xf32> loc("gradient")
    %7 = stablehlo.add %5, %6 : tensor<4x3xf32> loc("gradient")
    %8 = sdy.sharding_constraint %7 <@mesh, [{"data", ?}, {}]> : tensor<4x3xf32> loc("gradient")
    %9 = "stablehlo.dot_general"(%8, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x3xf32>, tensor<4x2xf32>) -> tensor<3x2xf32> loc("gradient")
    %10 = "stablehlo.transpose"(%9) <{permutation = array<i64: 1, 0>}> : (tensor<3x2xf32>) -> tensor<2x3xf32> loc("gradient")
    %11 = stablehlo.subtract %arg0, %10 : tensor<2x3xf32>
    %12 = stablehlo.constant dense<0.0> : tensor<f32>
    %13 = stablehlo.reduce(%1 init: %12) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<f32>
    return %11, %13 : tensor<2x3xf32>, tensor<f32>
  }
}
