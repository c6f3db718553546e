module @lower {
  func.func public @main(%arg0: tensor<3x3xf32> loc("x")) -> (tensor<3x3xf32>) {
    %0 = "stablehlo.cholesky"(%arg0) <{lower = true}> : (tensor<3x3xf32>) -> tensor<3x3xf32>
    return %0 : tensor<3x3xf32>
  }
}
