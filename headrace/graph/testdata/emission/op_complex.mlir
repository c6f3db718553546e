module @complex {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x"), %arg1: tensor<3x4xf32> loc("x")) -> (tensor<3x4xcomplex<f32>>) {
    %0 = "stablehlo.complex"(%arg0, %arg1) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xcomplex<f32>>
    return %0 : tensor<3x4xcomplex<f32>>
  }
}
module @real {
  func.func public @main(%arg0: tensor<3x4xcomplex<f32>> loc("x")) -> (tensor<3x4xf32>) {
    %0 = "stablehlo.real"(%arg0) : (tensor<3x4xcomplex<f32>>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @imag {
  func.func public @main(%arg0: tensor<3x4xcomplex<f32>> loc("x")) -> (tensor<3x4xf32>) {
    %0 = "stablehlo.imag"(%arg0) : (tensor<3x4xcomplex<f32>>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
