module @constants {
  func.func public @main(%arg0: tensor<f32> loc("arg0")) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f64>, tensor<i64>, tensor<ui64>, tensor<3xf32>, tensor<0x2xf32>, tensor<2x2xui8>, tensor<i1>, tensor<2x1x2xi1>, tensor<2xbf16>) {
    %0 = stablehlo.constant dense<0.1> : tensor<f32>
    %1 = stablehlo.constant dense<1.0e-30> : tensor<f32>
    %2 = stablehlo.constant dense<"0x000080FF"> : tensor<f32>
    %3 = stablehlo.constant dense<0.3333333333333333> : tensor<f64>
    %4 = stablehlo.constant dense<-9223372036854775808> : tensor<i64>
    %5 = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
    %6 = stablehlo.constant dense<"0x00000000000000800000803F"> : tensor<3xf32>
    %7 = stablehlo.constant dense<> : tensor<0x2xf32>
    %8 = stablehlo.constant dense<"0x0001FEFF"> : tensor<2x2xui8>
    %9 = stablehlo.constant dense<true> : tensor<i1>
    %10 = stablehlo.constant dense<[[[true, false]], [[false, true]]]> : tensor<2x1x2xi1>
    %11 = stablehlo.constant dense<"0xCD3D"> : tensor<bf16>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<2xbf16>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %12 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f64>, tensor<i64>, tensor<ui64>, tensor<3xf32>, tensor<0x2xf32>, tensor<2x2xui8>, tensor<i1>, tensor<2x1x2xi1>, tensor<2xbf16>
  }
}
