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
module @remainder {
  func.func public @main(%arg0: tensor<6xf32> loc("x"), %arg1: tensor<6xf32> loc("x")) -> (tensor<6xf32>) {
    %0 = stablehlo.remainder %arg0, %arg1 : tensor<6xf32>
    return %0 : tensor<6xf32>
  }
}
module @round_half_away {
  func.func public @main(%arg0: tensor<7xf32> loc("x")) -> (tensor<7xf32>) {
    %0 = stablehlo.round_nearest_afz %arg0 : tensor<7xf32>
    return %0 : tensor<7xf32>
  }
}
module @next_after {
  func.func public @main(%arg0: tensor<7xf32> loc("x"), %arg1: tensor<7xf32> loc("x")) -> (tensor<7xf32>) {
    %0 = "chlo.next_after"(%arg0, %arg1) : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xf32>
    return %0 : tensor<7xf32>
  }
}
