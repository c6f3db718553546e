module @not_pred {
  func.func public @main(%arg0: tensor<6xi1> loc("x")) -> (tensor<6xi1>) {
    %0 = stablehlo.not %arg0 : tensor<6xi1>
    return %0 : tensor<6xi1>
  }
}
module @popcnt {
  func.func public @main(%arg0: tensor<5xui32> loc("x")) -> (tensor<5xui32>) {
    %0 = stablehlo.popcnt %arg0 : tensor<5xui32>
    return %0 : tensor<5xui32>
  }
}
module @count_leading_zeros {
  func.func public @main(%arg0: tensor<6xui32> loc("x")) -> (tensor<6xui32>) {
    %0 = stablehlo.count_leading_zeros %arg0 : tensor<6xui32>
    return %0 : tensor<6xui32>
  }
}
module @and_pred {
  func.func public @main(%arg0: tensor<4xi1> loc("x"), %arg1: tensor<4xi1> loc("x")) -> (tensor<4xi1>) {
    %0 = stablehlo.and %arg0, %arg1 : tensor<4xi1>
    return %0 : tensor<4xi1>
  }
}
module @or_pred {
  func.func public @main(%arg0: tensor<4xi1> loc("x"), %arg1: tensor<4xi1> loc("x")) -> (tensor<4xi1>) {
    %0 = stablehlo.or %arg0, %arg1 : tensor<4xi1>
    return %0 : tensor<4xi1>
  }
}
module @xor_pred {
  func.func public @main(%arg0: tensor<4xi1> loc("x"), %arg1: tensor<4xi1> loc("x")) -> (tensor<4xi1>) {
    %0 = stablehlo.xor %arg0, %arg1 : tensor<4xi1>
    return %0 : tensor<4xi1>
  }
}
module @shift_left {
  func.func public @main(%arg0: tensor<5xi32> loc("x"), %arg1: tensor<5xi32> loc("x")) -> (tensor<5xi32>) {
    %0 = stablehlo.shift_left %arg0, %arg1 : tensor<5xi32>
    return %0 : tensor<5xi32>
  }
}
module @shift_right_logical {
  func.func public @main(%arg0: tensor<5xi32> loc("x"), %arg1: tensor<5xi32> loc("x")) -> (tensor<5xi32>) {
    %0 = stablehlo.shift_right_logical %arg0, %arg1 : tensor<5xi32>
    return %0 : tensor<5xi32>
  }
}
module @shift_right_arithmetic {
  func.func public @main(%arg0: tensor<5xi32> loc("x"), %arg1: tensor<5xi32> loc("x")) -> (tensor<5xi32>) {
    %0 = stablehlo.shift_right_arithmetic %arg0, %arg1 : tensor<5xi32>
    return %0 : tensor<5xi32>
  }
}
