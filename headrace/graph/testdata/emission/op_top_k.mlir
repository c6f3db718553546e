module @top_k {
  func.func public @main(%arg0: tensor<2x7xf32> loc("x")) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
    %0:2 = "chlo.top_k"(%arg0) <{k = 3 : i64}> : (tensor<2x7xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
    return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x3xi32>
  }
}
