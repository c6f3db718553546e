module @constraint_without_a_mesh {
  func.func public @main(%arg0: tensor<4x2xf32> loc("x")) -> (tensor<4x2xf32>) {
    return %arg0 : tensor<4x2xf32>
  }
}
