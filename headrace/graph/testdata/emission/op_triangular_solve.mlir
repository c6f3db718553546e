module @left_lower {
  func.func public @main(%arg0: tensor<3x3xf32> loc("x"), %arg1: tensor<3x2xf32> loc("x")) -> (tensor<3x2xf32>) {
    %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
    return %0 : tensor<3x2xf32>
  }
}
