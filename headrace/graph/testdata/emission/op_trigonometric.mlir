module @sine {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = stablehlo.sine %arg0 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @cosine {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = stablehlo.cosine %arg0 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @atan2 {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x"), %arg1: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = stablehlo.atan2 %arg0, %arg1 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
