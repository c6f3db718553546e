module @calls {
  func.func public @main(%arg0: tensor<3xf32> loc("arg0")) -> (tensor<3xf32>, tensor<f32>, tensor<i64>) {
    %0:2 = "stablehlo.custom_call"(%arg0, %arg0) <{call_target_name = "hr.norm", api_version = 4 : i32, backend_config = {eps = 1.0e-5 : f32}, has_side_effect = false}> : (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<f32>)
    %1 = "stablehlo.custom_call"() <{call_target_name = "hr.clock", api_version = 4 : i32, backend_config = {}, has_side_effect = true}> : () -> tensor<i64>
    return %0#0, %0#1, %1 : tensor<3xf32>, tensor<f32>, tensor<i64>
  }
}
