module @barrier_of_two {
  func.func public @main(%arg0: tensor<3xf32> loc("x"), %arg1: tensor<2x2xf32> loc("x")) -> (tensor<3xf32>, tensor<2x2xf32>) {
    %0:2 = "stablehlo.optimization_barrier"(%arg0, %arg1) : (tensor<3xf32>, tensor<2x2xf32>) -> (tensor<3xf32>, tensor<2x2xf32>)
    return %0#0, %0#1 : tensor<3xf32>, tensor<2x2xf32>
  }
}
