module @fft {
  func.func public @main(%arg0: tensor<3x8xcomplex<f32>> loc("x")) -> (tensor<3x8xcomplex<f32>>) {
    %0 = "stablehlo.fft"(%arg0) <{fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 8>}> : (tensor<3x8xcomplex<f32>>) -> tensor<3x8xcomplex<f32>>
    return %0 : tensor<3x8xcomplex<f32>>
  }
}
