module @convert_to_bf16 {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xbf16>) {
    %0 = "stablehlo.convert"(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xbf16>
    return %0 : tensor<3x4xbf16>
  }
}
module @bitcast_to_bits {
  func.func public @main(%arg0: tensor<4xf32> loc("x")) -> (tensor<4xui32>) {
    %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<4xf32>) -> tensor<4xui32>
    return %0 : tensor<4xui32>
  }
}
module @stop_gradient {
  func.func public @main(%arg0: tensor<4xf32> loc("x")) -> (tensor<4xf32>) {
    return %arg0 : tensor<4xf32>
  }
}
module @reduce_precision {
  func.func public @main(%arg0: tensor<7xf32> loc("x")) -> (tensor<7xf32>) {
    %0 = "stablehlo.reduce_precision"(%arg0) <{exponent_bits = 8 : i32, mantissa_bits = 7 : i32}> : (tensor<7xf32>) -> tensor<7xf32>
    return %0 : tensor<7xf32>
  }
}
