module @packed {
  func.func public @main(%arg0: tensor<5x3xf32> loc("x")) -> (tensor<5x3xf32>, tensor<3xf32>) {
    %0:2 = "stablehlo.custom_call"(%arg0) <{call_target_name = "Qr"}> : (tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>)
    return %0#0, %0#1 : tensor<5x3xf32>, tensor<3xf32>
  }
}
module @product {
  func.func public @main(%arg0: tensor<5x3xf32> loc("x"), %arg1: tensor<3xf32> loc("x")) -> (tensor<5x3xf32>) {
    %0 = "stablehlo.custom_call"(%arg0, %arg1) <{call_target_name = "ProductOfElementaryHouseholderReflectors"}> : (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
    return %0 : tensor<5x3xf32>
  }
}
module @tall {
  func.func public @main(%arg0: tensor<5x3xf32> loc("x")) -> (tensor<5x3xf32>, tensor<3x3xf32>) {
    %0:2 = "stablehlo.custom_call"(%arg0) <{call_target_name = "Qr"}> : (tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>)
    %1 = "stablehlo.slice"(%0#0) <{start_indices = array<i64: 0, 0>, limit_indices = array<i64: 5, 3>, strides = array<i64: 1, 1>}> : (tensor<5x3xf32>) -> tensor<5x3xf32>
    %2 = "stablehlo.custom_call"(%1, %0#1) <{call_target_name = "ProductOfElementaryHouseholderReflectors"}> : (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
    %3 = "stablehlo.slice"(%0#0) <{start_indices = array<i64: 0, 0>, limit_indices = array<i64: 3, 3>, strides = array<i64: 1, 1>}> : (tensor<5x3xf32>) -> tensor<3x3xf32>
    %4 = stablehlo.iota dim = 0 : tensor<3x3xi32>
    %5 = stablehlo.iota dim = 1 : tensor<3x3xi32>
    %6 = stablehlo.constant dense<0> : tensor<i32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3x3xi32>
    %8 = stablehlo.add %4, %7 : tensor<3x3xi32>
    %9 = "stablehlo.compare"(%5, %8) <{comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi1>
    %10 = stablehlo.constant dense<0.0> : tensor<f32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x3xf32>
    %12 = "stablehlo.select"(%9, %3, %11) : (tensor<3x3xi1>, tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    return %2, %12 : tensor<5x3xf32>, tensor<3x3xf32>
  }
}
