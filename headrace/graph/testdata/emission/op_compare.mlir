module @is_finite {
  func.func public @main(%arg0: tensor<5xf32> loc("x")) -> (tensor<5xi1>) {
    %0 = "stablehlo.is_finite"(%arg0) : (tensor<5xf32>) -> tensor<5xi1>
    return %0 : tensor<5xi1>
  }
}
module @compare_eq {
  func.func public @main(%arg0: tensor<6xf32> loc("x"), %arg1: tensor<6xf32> loc("x")) -> (tensor<6xi1>) {
    %0 = "stablehlo.compare"(%arg0, %arg1) <{comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    return %0 : tensor<6xi1>
  }
}
module @select {
  func.func public @main(%arg0: tensor<3x4xi1> loc("x"), %arg1: tensor<3x4xf32> loc("x"), %arg2: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @clamp {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x"), %arg1: tensor<3x4xf32> loc("x"), %arg2: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
