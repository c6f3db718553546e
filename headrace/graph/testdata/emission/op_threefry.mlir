module @threefry {
  func.func public @main(%arg0: tensor<3x5xui32> loc("x"), %arg1: tensor<3x5xui32> loc("x"), %arg2: tensor<3x5xui32> loc("x"), %arg3: tensor<3x5xui32> loc("x")) -> (tensor<3x5xui32>, tensor<3x5xui32>) {
    %0:2 = func.call @threefry2x32_0(%arg0, %arg1, %arg2, %arg3) : (tensor<3x5xui32>, tensor<3x5xui32>, tensor<3x5xui32>, tensor<3x5xui32>) -> (tensor<3x5xui32>, tensor<3x5xui32>)
    return %0#0, %0#1 : tensor<3x5xui32>, tensor<3x5xui32>
  }
  func.func private @threefry2x32_0(%arg0: tensor<3x5xui32> loc("arg0"), %arg1: tensor<3x5xui32> loc("arg1"), %arg2: tensor<3x5xui32> loc("arg2"), %arg3: tensor<3x5xui32> loc("arg3")) -> (tensor<3x5xui32>, tensor<3x5xui32>) {
    %0 = stablehlo.xor %arg0, %arg1 : tensor<3x5xui32>
    %1 = stablehlo.constant dense<466688986> : tensor<ui32>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %3 = stablehlo.xor %0, %2 : tensor<3x5xui32>
    %4 = stablehlo.add %arg2, %arg0 : tensor<3x5xui32>
    %5 = stablehlo.add %arg3, %arg1 : tensor<3x5xui32>
    %6 = stablehlo.add %4, %5 : tensor<3x5xui32>
    %7 = stablehlo.constant dense<13> : tensor<ui32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %9 = stablehlo.shift_left %5, %8 : tensor<3x5xui32>
    %10 = stablehlo.constant dense<19> : tensor<ui32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %12 = stablehlo.shift_right_logical %5, %11 : tensor<3x5xui32>
    %13 = stablehlo.or %9, %12 : tensor<3x5xui32>
    %14 = stablehlo.xor %6, %13 : tensor<3x5xui32>
    %15 = stablehlo.add %6, %14 : tensor<3x5xui32>
    %16 = stablehlo.constant dense<15> : tensor<ui32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %18 = stablehlo.shift_left %14, %17 : tensor<3x5xui32>
    %19 = stablehlo.constant dense<17> : tensor<ui32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %21 = stablehlo.shift_right_logical %14, %20 : tensor<3x5xui32>
    %22 = stablehlo.or %18, %21 : tensor<3x5xui32>
    %23 = stablehlo.xor %15, %22 : tensor<3x5xui32>
    %24 = stablehlo.add %15, %23 : tensor<3x5xui32>
    %25 = stablehlo.constant dense<26> : tensor<ui32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %27 = stablehlo.shift_left %23, %26 : tensor<3x5xui32>
    %28 = stablehlo.constant dense<6> : tensor<ui32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %30 = stablehlo.shift_right_logical %23, %29 : tensor<3x5xui32>
    %31 = stablehlo.or %27, %30 : tensor<3x5xui32>
    %32 = stablehlo.xor %24, %31 : tensor<3x5xui32>
    %33 = stablehlo.add %24, %32 : tensor<3x5xui32>
    %34 = stablehlo.constant dense<6> : tensor<ui32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %36 = stablehlo.shift_left %32, %35 : tensor<3x5xui32>
    %37 = stablehlo.constant dense<26> : tensor<ui32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %39 = stablehlo.shift_right_logical %32, %38 : tensor<3x5xui32>
    %40 = stablehlo.or %36, %39 : tensor<3x5xui32>
    %41 = stablehlo.xor %33, %40 : tensor<3x5xui32>
    %42 = stablehlo.add %33, %arg1 : tensor<3x5xui32>
    %43 = stablehlo.add %41, %3 : tensor<3x5xui32>
    %44 = stablehlo.constant dense<1> : tensor<ui32>
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %46 = stablehlo.add %43, %45 : tensor<3x5xui32>
    %47 = stablehlo.add %42, %46 : tensor<3x5xui32>
    %48 = stablehlo.constant dense<17> : tensor<ui32>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %50 = stablehlo.shift_left %46, %49 : tensor<3x5xui32>
    %51 = stablehlo.constant dense<15> : tensor<ui32>
    %52 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %53 = stablehlo.shift_right_logical %46, %52 : tensor<3x5xui32>
    %54 = stablehlo.or %50, %53 : tensor<3x5xui32>
    %55 = stablehlo.xor %47, %54 : tensor<3x5xui32>
    %56 = stablehlo.add %47, %55 : tensor<3x5xui32>
    %57 = stablehlo.constant dense<29> : tensor<ui32>
    %58 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %59 = stablehlo.shift_left %55, %58 : tensor<3x5xui32>
    %60 = stablehlo.constant dense<3> : tensor<ui32>
    %61 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %62 = stablehlo.shift_right_logical %55, %61 : tensor<3x5xui32>
    %63 = stablehlo.or %59, %62 : tensor<3x5xui32>
    %64 = stablehlo.xor %56, %63 : tensor<3x5xui32>
    %65 = stablehlo.add %56, %64 : tensor<3x5xui32>
    %66 = stablehlo.constant dense<16> : tensor<ui32>
    %67 = "stablehlo.broadcast_in_dim"(%66) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %68 = stablehlo.shift_left %64, %67 : tensor<3x5xui32>
    %69 = stablehlo.constant dense<16> : tensor<ui32>
    %70 = "stablehlo.broadcast_in_dim"(%69) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %71 = stablehlo.shift_right_logical %64, %70 : tensor<3x5xui32>
    %72 = stablehlo.or %68, %71 : tensor<3x5xui32>
    %73 = stablehlo.xor %65, %72 : tensor<3x5xui32>
    %74 = stablehlo.add %65, %73 : tensor<3x5xui32>
    %75 = stablehlo.constant dense<24> : tensor<ui32>
    %76 = "stablehlo.broadcast_in_dim"(%75) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %77 = stablehlo.shift_left %73, %76 : tensor<3x5xui32>
    %78 = stablehlo.constant dense<8> : tensor<ui32>
    %79 = "stablehlo.broadcast_in_dim"(%78) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %80 = stablehlo.shift_right_logical %73, %79 : tensor<3x5xui32>
    %81 = stablehlo.or %77, %80 : tensor<3x5xui32>
    %82 = stablehlo.xor %74, %81 : tensor<3x5xui32>
    %83 = stablehlo.add %74, %3 : tensor<3x5xui32>
    %84 = stablehlo.add %82, %arg0 : tensor<3x5xui32>
    %85 = stablehlo.constant dense<2> : tensor<ui32>
    %86 = "stablehlo.broadcast_in_dim"(%85) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %87 = stablehlo.add %84, %86 : tensor<3x5xui32>
    %88 = stablehlo.add %83, %87 : tensor<3x5xui32>
    %89 = stablehlo.constant dense<13> : tensor<ui32>
    %90 = "stablehlo.broadcast_in_dim"(%89) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %91 = stablehlo.shift_left %87, %90 : tensor<3x5xui32>
    %92 = stablehlo.constant dense<19> : tensor<ui32>
    %93 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %94 = stablehlo.shift_right_logical %87, %93 : tensor<3x5xui32>
    %95 = stablehlo.or %91, %94 : tensor<3x5xui32>
    %96 = stablehlo.xor %88, %95 : tensor<3x5xui32>
    %97 = stablehlo.add %88, %96 : tensor<3x5xui32>
    %98 = stablehlo.constant dense<15> : tensor<ui32>
    %99 = "stablehlo.broadcast_in_dim"(%98) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %100 = stablehlo.shift_left %96, %99 : tensor<3x5xui32>
    %101 = stablehlo.constant dense<17> : tensor<ui32>
    %102 = "stablehlo.broadcast_in_dim"(%101) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %103 = stablehlo.shift_right_logical %96, %102 : tensor<3x5xui32>
    %104 = stablehlo.or %100, %103 : tensor<3x5xui32>
    %105 = stablehlo.xor %97, %104 : tensor<3x5xui32>
    %106 = stablehlo.add %97, %105 : tensor<3x5xui32>
    %107 = stablehlo.constant dense<26> : tensor<ui32>
    %108 = "stablehlo.broadcast_in_dim"(%107) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %109 = stablehlo.shift_left %105, %108 : tensor<3x5xui32>
    %110 = stablehlo.constant dense<6> : tensor<ui32>
    %111 = "stablehlo.broadcast_in_dim"(%110) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %112 = stablehlo.shift_right_logical %105, %111 : tensor<3x5xui32>
    %113 = stablehlo.or %109, %112 : tensor<3x5xui32>
    %114 = stablehlo.xor %106, %113 : tensor<3x5xui32>
    %115 = stablehlo.add %106, %114 : tensor<3x5xui32>
    %116 = stablehlo.constant dense<6> : tensor<ui32>
    %117 = "stablehlo.broadcast_in_dim"(%116) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %118 = stablehlo.shift_left %114, %117 : tensor<3x5xui32>
    %119 = stablehlo.constant dense<26> : tensor<ui32>
    %120 = "stablehlo.broadcast_in_dim"(%119) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %121 = stablehlo.shift_right_logical %114, %120 : tensor<3x5xui32>
    %122 = stablehlo.or %118, %121 : tensor<3x5xui32>
    %123 = stablehlo.xor %115, %122 : tensor<3x5xui32>
    %124 = stablehlo.add %115, %arg0 : tensor<3x5xui32>
    %125 = stablehlo.add %123, %arg1 : tensor<3x5xui32>
    %126 = stablehlo.constant dense<3> : tensor<ui32>
    %127 = "stablehlo.broadcast_in_dim"(%126) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %128 = stablehlo.add %125, %127 : tensor<3x5xui32>
    %129 = stablehlo.add %124, %128 : tensor<3x5xui32>
    %130 = stablehlo.constant dense<17> : tensor<ui32>
    %131 = "stablehlo.broadcast_in_dim"(%130) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %132 = stablehlo.shift_left %128, %131 : tensor<3x5xui32>
    %133 = stablehlo.constant dense<15> : tensor<ui32>
    %134 = "stablehlo.broadcast_in_dim"(%133) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %135 = stablehlo.shift_right_logical %128, %134 : tensor<3x5xui32>
    %136 = stablehlo.or %132, %135 : tensor<3x5xui32>
    %137 = stablehlo.xor %129, %136 : tensor<3x5xui32>
    %138 = stablehlo.add %129, %137 : tensor<3x5xui32>
    %139 = stablehlo.constant dense<29> : tensor<ui32>
    %140 = "stablehlo.broadcast_in_dim"(%139) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %141 = stablehlo.shift_left %137, %140 : tensor<3x5xui32>
    %142 = stablehlo.constant dense<3> : tensor<ui32>
    %143 = "stablehlo.broadcast_in_dim"(%142) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %144 = stablehlo.shift_right_logical %137, %143 : tensor<3x5xui32>
    %145 = stablehlo.or %141, %144 : tensor<3x5xui32>
    %146 = stablehlo.xor %138, %145 : tensor<3x5xui32>
    %147 = stablehlo.add %138, %146 : tensor<3x5xui32>
    %148 = stablehlo.constant dense<16> : tensor<ui32>
    %149 = "stablehlo.broadcast_in_dim"(%148) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %150 = stablehlo.shift_left %146, %149 : tensor<3x5xui32>
    %151 = stablehlo.constant dense<16> : tensor<ui32>
    %152 = "stablehlo.broadcast_in_dim"(%151) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %153 = stablehlo.shift_right_logical %146, %152 : tensor<3x5xui32>
    %154 = stablehlo.or %150, %153 : tensor<3x5xui32>
    %155 = stablehlo.xor %147, %154 : tensor<3x5xui32>
    %156 = stablehlo.add %147, %155 : tensor<3x5xui32>
    %157 = stablehlo.constant dense<24> : tensor<ui32>
    %158 = "stablehlo.broadcast_in_dim"(%157) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %159 = stablehlo.shift_left %155, %158 : tensor<3x5xui32>
    %160 = stablehlo.constant dense<8> : tensor<ui32>
    %161 = "stablehlo.broadcast_in_dim"(%160) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %162 = stablehlo.shift_right_logical %155, %161 : tensor<3x5xui32>
    %163 = stablehlo.or %159, %162 : tensor<3x5xui32>
    %164 = stablehlo.xor %156, %163 : tensor<3x5xui32>
    %165 = stablehlo.add %156, %arg1 : tensor<3x5xui32>
    %166 = stablehlo.add %164, %3 : tensor<3x5xui32>
    %167 = stablehlo.constant dense<4> : tensor<ui32>
    %168 = "stablehlo.broadcast_in_dim"(%167) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %169 = stablehlo.add %166, %168 : tensor<3x5xui32>
    %170 = stablehlo.add %165, %169 : tensor<3x5xui32>
    %171 = stablehlo.constant dense<13> : tensor<ui32>
    %172 = "stablehlo.broadcast_in_dim"(%171) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %173 = stablehlo.shift_left %169, %172 : tensor<3x5xui32>
    %174 = stablehlo.constant dense<19> : tensor<ui32>
    %175 = "stablehlo.broadcast_in_dim"(%174) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %176 = stablehlo.shift_right_logical %169, %175 : tensor<3x5xui32>
    %177 = stablehlo.or %173, %176 : tensor<3x5xui32>
    %178 = stablehlo.xor %170, %177 : tensor<3x5xui32>
    %179 = stablehlo.add %170, %178 : tensor<3x5xui32>
    %180 = stablehlo.constant dense<15> : tensor<ui32>
    %181 = "stablehlo.broadcast_in_dim"(%180) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %182 = stablehlo.shift_left %178, %181 : tensor<3x5xui32>
    %183 = stablehlo.constant dense<17> : tensor<ui32>
    %184 = "stablehlo.broadcast_in_dim"(%183) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %185 = stablehlo.shift_right_logical %178, %184 : tensor<3x5xui32>
    %186 = stablehlo.or %182, %185 : tensor<3x5xui32>
    %187 = stablehlo.xor %179, %186 : tensor<3x5xui32>
    %188 = stablehlo.add %179, %187 : tensor<3x5xui32>
    %189 = stablehlo.constant dense<26> : tensor<ui32>
    %190 = "stablehlo.broadcast_in_dim"(%189) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %191 = stablehlo.shift_left %187, %190 : tensor<3x5xui32>
    %192 = stablehlo.constant dense<6> : tensor<ui32>
    %193 = "stablehlo.broadcast_in_dim"(%192) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %194 = stablehlo.shift_right_logical %187, %193 : tensor<3x5xui32>
    %195 = stablehlo.or %191, %194 : tensor<3x5xui32>
    %196 = stablehlo.xor %188, %195 : tensor<3x5xui32>
    %197 = stablehlo.add %188, %196 : tensor<3x5xui32>
    %198 = stablehlo.constant dense<6> : tensor<ui32>
    %199 = "stablehlo.broadcast_in_dim"(%198) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %200 = stablehlo.shift_left %196, %199 : tensor<3x5xui32>
    %201 = stablehlo.constant dense<26> : tensor<ui32>
    %202 = "stablehlo.broadcast_in_dim"(%201) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %203 = stablehlo.shift_right_logical %196, %202 : tensor<3x5xui32>
    %204 = stablehlo.or %200, %203 : tensor<3x5xui32>
    %205 = stablehlo.xor %197, %204 : tensor<3x5xui32>
    %206 = stablehlo.add %197, %3 : tensor<3x5xui32>
    %207 = stablehlo.add %205, %arg0 : tensor<3x5xui32>
    %208 = stablehlo.constant dense<5> : tensor<ui32>
    %209 = "stablehlo.broadcast_in_dim"(%208) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<3x5xui32>
    %210 = stablehlo.add %207, %209 : tensor<3x5xui32>
    return %206, %210 : tensor<3x5xui32>, tensor<3x5xui32>
  }
}
