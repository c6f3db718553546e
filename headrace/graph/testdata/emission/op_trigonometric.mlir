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
module @atan2 {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x"), %arg1: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = stablehlo.atan2 %arg0, %arg1 : tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @tan {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = "chlo.tan"(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @asin {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = "chlo.asin"(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @acos {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = "chlo.acos"(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @atan {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = "chlo.atan"(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @sinh {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = "chlo.sinh"(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @cosh {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = "chlo.cosh"(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @asinh {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = "chlo.asinh"(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @acosh {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = "chlo.acosh"(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @atanh {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = "chlo.atanh"(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @tanh_special {
  func.func public @main(%arg0: tensor<8xf32> loc("x")) -> (tensor<8xf32>) {
    %0 = stablehlo.tanh %arg0 : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
