module @eigh {
  func.func public @main(%arg0: tensor<3x3xf32> loc("arg0"), %arg1: tensor<2x2xcomplex<f64>> loc("arg1")) -> (tensor<3x3xf32>, tensor<2xf64>) {
    %0 = "stablehlo.transpose"(%arg0) <{permutation = array<i64: 1, 0>}> : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<3x3xf32>
    %2 = stablehlo.constant dense<0.5> : tensor<f32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x3xf32>
    %4 = stablehlo.multiply %3, %1 : tensor<3x3xf32>
    %5:2 = "stablehlo.custom_call"(%4) <{call_target_name = "Eigh", backend_config = "1,1,100,1e-6"}> : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>)
    %6 = "stablehlo.transpose"(%arg1) <{permutation = array<i64: 1, 0>}> : (tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
    %7 = "stablehlo.real"(%6) : (tensor<2x2xcomplex<f64>>) -> tensor<2x2xf64>
    %8 = "stablehlo.imag"(%6) : (tensor<2x2xcomplex<f64>>) -> tensor<2x2xf64>
    %9 = stablehlo.negate %8 : tensor<2x2xf64>
    %10 = "stablehlo.complex"(%7, %9) : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xcomplex<f64>>
    %11 = stablehlo.add %arg1, %10 : tensor<2x2xcomplex<f64>>
    %12 = stablehlo.constant dense<"0x000000000000E03F0000000000000000"> : tensor<complex<f64>>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> tensor<2x2xcomplex<f64>>
    %14 = stablehlo.multiply %13, %11 : tensor<2x2xcomplex<f64>>
    %15:2 = "stablehlo.custom_call"(%14) <{call_target_name = "Eigh", backend_config = "1,1,100,1e-13"}> : (tensor<2x2xcomplex<f64>>) -> (tensor<2x2xcomplex<f64>>, tensor<2xf64>)
    %16 = "stablehlo.transpose"(%15#0) <{permutation = array<i64: 1, 0>}> : (tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
    %17 = "stablehlo.real"(%16) : (tensor<2x2xcomplex<f64>>) -> tensor<2x2xf64>
    %18 = "stablehlo.imag"(%16) : (tensor<2x2xcomplex<f64>>) -> tensor<2x2xf64>
    %19 = stablehlo.negate %18 : tensor<2x2xf64>
    %20 = "stablehlo.complex"(%17, %19) : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xcomplex<f64>>
    %21 = "stablehlo.dot_general"(%14, %15#0) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}> : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
    %22 = "stablehlo.dot_general"(%20, %21) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}> : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
    %23 = "stablehlo.reshape"(%22) : (tensor<2x2xcomplex<f64>>) -> tensor<4xcomplex<f64>>
    %24 = "stablehlo.slice"(%23) <{start_indices = array<i64: 0>, limit_indices = array<i64: 4>, strides = array<i64: 3>}> : (tensor<4xcomplex<f64>>) -> tensor<2xcomplex<f64>>
    %25 = stablehlo.constant dense<"0x00000000000000000000000000000000"> : tensor<complex<f64>>
    %26 = "stablehlo.pad"(%24, %25) <{edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>}> : (tensor<2xcomplex<f64>>, tensor<complex<f64>>) -> tensor<2xcomplex<f64>>
    %27 = "stablehlo.reshape"(%26) : (tensor<2xcomplex<f64>>) -> tensor<1x2xcomplex<f64>>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
    %29 = stablehlo.iota dim = 0 : tensor<2x2xi32>
    %30 = stablehlo.iota dim = 1 : tensor<2x2xi32>
    %31 = stablehlo.constant dense<0> : tensor<i32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x2xi32>
    %33 = stablehlo.add %29, %32 : tensor<2x2xi32>
    %34 = "stablehlo.compare"(%30, %33) <{comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
    %35 = stablehlo.constant dense<"0x00000000000000000000000000000000"> : tensor<complex<f64>>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> tensor<2x2xcomplex<f64>>
    %37 = "stablehlo.select"(%34, %28, %36) : (tensor<2x2xi1>, tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
    %38 = stablehlo.subtract %22, %37 : tensor<2x2xcomplex<f64>>
    %39 = "stablehlo.real"(%38) : (tensor<2x2xcomplex<f64>>) -> tensor<2x2xf64>
    %40 = "stablehlo.imag"(%38) : (tensor<2x2xcomplex<f64>>) -> tensor<2x2xf64>
    %41 = stablehlo.negate %40 : tensor<2x2xf64>
    %42 = "stablehlo.complex"(%39, %41) : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xcomplex<f64>>
    %43 = stablehlo.multiply %38, %42 : tensor<2x2xcomplex<f64>>
    %44 = "stablehlo.real"(%43) : (tensor<2x2xcomplex<f64>>) -> tensor<2x2xf64>
    %45 = stablehlo.constant dense<0.0> : tensor<f64>
    %46 = stablehlo.reduce(%44 init: %45) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x2xf64>, tensor<f64>) -> tensor<f64>
    %47 = stablehlo.sqrt %46 : tensor<f64>
    %48 = stablehlo.constant dense<2.0> : tensor<f64>
    %49 = stablehlo.multiply %48, %47 : tensor<f64>
    %50 = "stablehlo.reshape"(%15#1) : (tensor<2xf64>) -> tensor<2x1xf64>
    %51 = "stablehlo.reshape"(%15#1) : (tensor<2xf64>) -> tensor<1x2xf64>
    %52 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x2xf64>) -> tensor<2x2xf64>
    %53 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x1xf64>) -> tensor<2x2xf64>
    %54 = stablehlo.subtract %52, %53 : tensor<2x2xf64>
    %55 = stablehlo.abs %54 : tensor<2x2xf64>
    %56 = "stablehlo.reshape"(%49) : (tensor<f64>) -> tensor<1xf64>
    %57 = "stablehlo.reshape"(%56) : (tensor<1xf64>) -> tensor<1x1xf64>
    %58 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf64>) -> tensor<2x2xf64>
    %59 = "stablehlo.compare"(%55, %58) <{comparison_direction = #stablehlo<comparison_direction GT>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xi1>
    %60 = stablehlo.constant dense<0.0> : tensor<f64>
    %61 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<2x2xf64>
    %62 = stablehlo.constant dense<1.0> : tensor<f64>
    %63 = "stablehlo.broadcast_in_dim"(%62) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<2x2xf64>
    %64 = "stablehlo.select"(%59, %54, %63) : (tensor<2x2xi1>, tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
    %65 = stablehlo.constant dense<1.0> : tensor<f64>
    %66 = "stablehlo.broadcast_in_dim"(%65) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<2x2xf64>
    %67 = stablehlo.divide %66, %64 : tensor<2x2xf64>
    %68 = "stablehlo.select"(%59, %67, %61) : (tensor<2x2xi1>, tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
    %69 = "stablehlo.convert"(%68) : (tensor<2x2xf64>) -> tensor<2x2xcomplex<f64>>
    %70 = stablehlo.multiply %38, %69 : tensor<2x2xcomplex<f64>>
    %71 = "stablehlo.dot_general"(%15#0, %70) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}> : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
    %72 = stablehlo.add %15#0, %71 : tensor<2x2xcomplex<f64>>
    return %5#0, %15#1 : tensor<3x3xf32>, tensor<2xf64>
  }
}
