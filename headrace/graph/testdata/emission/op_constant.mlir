module @iota_inner {
  func.func public @main() -> (tensor<2x5xi32>) {
    %0 = stablehlo.iota dim = 1 : tensor<2x5xi32>
    return %0 : tensor<2x5xi32>
  }
}
