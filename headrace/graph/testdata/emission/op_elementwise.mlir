module @exp {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = stablehlo.exponential %arg0 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @expm1 {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = stablehlo.exponential_minus_one %arg0 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @log {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = stablehlo.log %arg0 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @log1p {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = stablehlo.log_plus_one %arg0 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @tanh {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = stablehlo.tanh %arg0 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @logistic {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = stablehlo.logistic %arg0 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @sqrt {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = stablehlo.sqrt %arg0 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @rsqrt {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = stablehlo.rsqrt %arg0 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @cbrt {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = stablehlo.cbrt %arg0 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @sine {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = stablehlo.sine %arg0 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @cosine {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = stablehlo.cosine %arg0 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @erf {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = "chlo.erf"(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @erf_inv {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = "chlo.erf_inv"(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @floor {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = stablehlo.floor %arg0 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @ceil {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = stablehlo.ceil %arg0 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @negate {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @abs {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = stablehlo.abs %arg0 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @sign {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = stablehlo.sign %arg0 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @round_halves {
  func.func public @main(%arg0: tensor<7xf32> loc("x")) -> (tensor<7xf32>) {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<7xf32>
    return %0 : tensor<7xf32>
  }
}
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
module @is_finite {
  func.func public @main(%arg0: tensor<5xf32> loc("x")) -> (tensor<5xi1>) {
    %0 = "stablehlo.is_finite"(%arg0) : (tensor<5xf32>) -> tensor<5xi1>
    return %0 : tensor<5xi1>
  }
}
module @add {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x"), %arg1: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @subtract {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x"), %arg1: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = stablehlo.subtract %arg0, %arg1 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @multiply {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x"), %arg1: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = stablehlo.multiply %arg0, %arg1 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @divide {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x"), %arg1: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @maximum {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x"), %arg1: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = stablehlo.maximum %arg0, %arg1 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @minimum {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x"), %arg1: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = stablehlo.minimum %arg0, %arg1 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @power {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x"), %arg1: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = stablehlo.power %arg0, %arg1 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @atan2 {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x"), %arg1: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = stablehlo.atan2 %arg0, %arg1 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @remainder {
  func.func public @main(%arg0: tensor<6xf32> loc("x"), %arg1: tensor<6xf32> loc("x")) -> (tensor<6xf32>) {
    %0 = stablehlo.remainder %arg0, %arg1 : tensor<6xf32>
    return %0 : tensor<6xf32>
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
module @compare_eq {
  func.func public @main(%arg0: tensor<6xf32> loc("x"), %arg1: tensor<6xf32> loc("x")) -> (tensor<6xi1>) {
    %0 = "stablehlo.compare"(%arg0, %arg1) <{comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    return %0 : tensor<6xi1>
  }
}
module @select {
  func.func public @main(%arg0: tensor<3x4xi1> loc("x"), %arg1: tensor<3x4xf32> loc("x"), %arg2: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
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
