module @sort_floats {
  func.func public @main(%arg0: tensor<7xf32> loc("x")) -> (tensor<7xf32>) {
    %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<7xf32>) -> tensor<7xi32>
    %1 = stablehlo.constant dense<2147483647> : tensor<i32>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<7xi32>
    %3 = stablehlo.xor %0, %2 : tensor<7xi32>
    %4 = stablehlo.constant dense<0> : tensor<i32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<7xi32>
    %6 = "stablehlo.compare"(%0, %5) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
    %7 = "stablehlo.select"(%6, %3, %0) : (tensor<7xi1>, tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
    %8 = stablehlo.constant dense<2147483647> : tensor<i32>
    %9 = "stablehlo.compare"(%arg0, %arg0) <{comparison_direction = #stablehlo<comparison_direction NE>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
    %10 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<7xi32>
    %11 = "stablehlo.select"(%9, %10, %7) : (tensor<7xi1>, tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
    %15 = "stablehlo.sort"(%11) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%12: tensor<i32>, %13: tensor<i32>):
    %14 = "stablehlo.compare"(%12, %13) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %14 : tensor<i1>
    }) : (tensor<7xi32>) -> tensor<7xi32>
    %16 = stablehlo.constant dense<2147483647> : tensor<i32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<7xi32>
    %18 = stablehlo.xor %15, %17 : tensor<7xi32>
    %19 = stablehlo.constant dense<0> : tensor<i32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<7xi32>
    %21 = "stablehlo.compare"(%15, %20) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
    %22 = "stablehlo.select"(%21, %18, %15) : (tensor<7xi1>, tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
    %23 = "stablehlo.bitcast_convert"(%22) : (tensor<7xi32>) -> tensor<7xf32>
    return %23 : tensor<7xf32>
  }
}
