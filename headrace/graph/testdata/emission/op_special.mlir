module @erf {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = "chlo.erf"(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @erf_inv {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = "chlo.erf_inv"(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
