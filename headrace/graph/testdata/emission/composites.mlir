module @composites {
  func.func public @main(%arg0: tensor<2x3xf32> loc("arg0")) -> (tensor<2x3xf32>) {
    %0:2 = "stablehlo.composite"(%arg0, %arg0) <{name = "headrace.gate", composite_attributes = {alpha = 0.5 : f32}, decomposition = @gate_0, version = 1 : i32}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
    %1:2 = "stablehlo.composite"(%0#1, %0#0) <{name = "headrace.gate", composite_attributes = {}, decomposition = @gate_1, version = 1 : i32}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
    return %1#0 : tensor<2x3xf32>
  }
  func.func private @gate_0(%arg0: tensor<2x3xf32> loc("arg0"), %arg1: tensor<2x3xf32> loc("arg1")) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
    %0 = stablehlo.logistic %arg1 : tensor<2x3xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<2x3xf32>
    %2 = stablehlo.negate %arg0 : tensor<2x3xf32>
    return %1, %2 : tensor<2x3xf32>, tensor<2x3xf32>
  }
  func.func private @gate_1(%arg0: tensor<2x3xf32> loc("arg0"), %arg1: tensor<2x3xf32> loc("arg1")) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
    %0 = stablehlo.logistic %arg1 : tensor<2x3xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<2x3xf32>
    %2 = stablehlo.negate %arg0 : tensor<2x3xf32>
    return %1, %2 : tensor<2x3xf32>, tensor<2x3xf32>
  }
}
