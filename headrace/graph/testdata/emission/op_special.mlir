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
module @erfc {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = "chlo.erfc"(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @lgamma {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = "chlo.lgamma"(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @digamma {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = "chlo.digamma"(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @bessel_i0e {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = stablehlo.abs %arg0 : tensor<3x4xf32>
    %1 = stablehlo.constant dense<8.0> : tensor<f32>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %3 = stablehlo.minimum %0, %2 : tensor<3x4xf32>
    %4 = stablehlo.constant dense<0.25> : tensor<f32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %6 = stablehlo.multiply %3, %5 : tensor<3x4xf32>
    %7 = stablehlo.constant dense<1.0> : tensor<f32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %9 = stablehlo.subtract %6, %8 : tensor<3x4xf32>
    %10 = stablehlo.constant dense<-4.57967e-16> : tensor<f32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %12 = stablehlo.constant dense<0.0> : tensor<f32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %14 = stablehlo.add %9, %9 : tensor<3x4xf32>
    %15 = stablehlo.multiply %14, %11 : tensor<3x4xf32>
    %16 = stablehlo.subtract %15, %13 : tensor<3x4xf32>
    %17 = stablehlo.constant dense<2.0504431e-15> : tensor<f32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %19 = stablehlo.add %16, %18 : tensor<3x4xf32>
    %20 = stablehlo.multiply %14, %19 : tensor<3x4xf32>
    %21 = stablehlo.subtract %20, %11 : tensor<3x4xf32>
    %22 = stablehlo.constant dense<-1.1868978e-14> : tensor<f32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %24 = stablehlo.add %21, %23 : tensor<3x4xf32>
    %25 = stablehlo.multiply %14, %24 : tensor<3x4xf32>
    %26 = stablehlo.subtract %25, %19 : tensor<3x4xf32>
    %27 = stablehlo.constant dense<7.660192e-14> : tensor<f32>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %29 = stablehlo.add %26, %28 : tensor<3x4xf32>
    %30 = stablehlo.multiply %14, %29 : tensor<3x4xf32>
    %31 = stablehlo.subtract %30, %24 : tensor<3x4xf32>
    %32 = stablehlo.constant dense<-4.85393e-13> : tensor<f32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %34 = stablehlo.add %31, %33 : tensor<3x4xf32>
    %35 = stablehlo.multiply %14, %34 : tensor<3x4xf32>
    %36 = stablehlo.subtract %35, %29 : tensor<3x4xf32>
    %37 = stablehlo.constant dense<2.9547545e-12> : tensor<f32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %39 = stablehlo.add %36, %38 : tensor<3x4xf32>
    %40 = stablehlo.multiply %14, %39 : tensor<3x4xf32>
    %41 = stablehlo.subtract %40, %34 : tensor<3x4xf32>
    %42 = stablehlo.constant dense<-1.7268069e-11> : tensor<f32>
    %43 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %44 = stablehlo.add %41, %43 : tensor<3x4xf32>
    %45 = stablehlo.multiply %14, %44 : tensor<3x4xf32>
    %46 = stablehlo.subtract %45, %39 : tensor<3x4xf32>
    %47 = stablehlo.constant dense<9.6758115e-11> : tensor<f32>
    %48 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %49 = stablehlo.add %46, %48 : tensor<3x4xf32>
    %50 = stablehlo.multiply %14, %49 : tensor<3x4xf32>
    %51 = stablehlo.subtract %50, %44 : tensor<3x4xf32>
    %52 = stablehlo.constant dense<-5.189794e-10> : tensor<f32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %54 = stablehlo.add %51, %53 : tensor<3x4xf32>
    %55 = stablehlo.multiply %14, %54 : tensor<3x4xf32>
    %56 = stablehlo.subtract %55, %49 : tensor<3x4xf32>
    %57 = stablehlo.constant dense<2.659824e-09> : tensor<f32>
    %58 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %59 = stablehlo.add %56, %58 : tensor<3x4xf32>
    %60 = stablehlo.multiply %14, %59 : tensor<3x4xf32>
    %61 = stablehlo.subtract %60, %54 : tensor<3x4xf32>
    %62 = stablehlo.constant dense<-1.3000251e-08> : tensor<f32>
    %63 = "stablehlo.broadcast_in_dim"(%62) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %64 = stablehlo.add %61, %63 : tensor<3x4xf32>
    %65 = stablehlo.multiply %14, %64 : tensor<3x4xf32>
    %66 = stablehlo.subtract %65, %59 : tensor<3x4xf32>
    %67 = stablehlo.constant dense<6.046995e-08> : tensor<f32>
    %68 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %69 = stablehlo.add %66, %68 : tensor<3x4xf32>
    %70 = stablehlo.multiply %14, %69 : tensor<3x4xf32>
    %71 = stablehlo.subtract %70, %64 : tensor<3x4xf32>
    %72 = stablehlo.constant dense<-2.6707937e-07> : tensor<f32>
    %73 = "stablehlo.broadcast_in_dim"(%72) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %74 = stablehlo.add %71, %73 : tensor<3x4xf32>
    %75 = stablehlo.multiply %14, %74 : tensor<3x4xf32>
    %76 = stablehlo.subtract %75, %69 : tensor<3x4xf32>
    %77 = stablehlo.constant dense<1.1173876e-06> : tensor<f32>
    %78 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %79 = stablehlo.add %76, %78 : tensor<3x4xf32>
    %80 = stablehlo.multiply %14, %79 : tensor<3x4xf32>
    %81 = stablehlo.subtract %80, %74 : tensor<3x4xf32>
    %82 = stablehlo.constant dense<-4.416738e-06> : tensor<f32>
    %83 = "stablehlo.broadcast_in_dim"(%82) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %84 = stablehlo.add %81, %83 : tensor<3x4xf32>
    %85 = stablehlo.multiply %14, %84 : tensor<3x4xf32>
    %86 = stablehlo.subtract %85, %79 : tensor<3x4xf32>
    %87 = stablehlo.constant dense<1.6448448e-05> : tensor<f32>
    %88 = "stablehlo.broadcast_in_dim"(%87) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %89 = stablehlo.add %86, %88 : tensor<3x4xf32>
    %90 = stablehlo.multiply %14, %89 : tensor<3x4xf32>
    %91 = stablehlo.subtract %90, %84 : tensor<3x4xf32>
    %92 = stablehlo.constant dense<-5.754195e-05> : tensor<f32>
    %93 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %94 = stablehlo.add %91, %93 : tensor<3x4xf32>
    %95 = stablehlo.multiply %14, %94 : tensor<3x4xf32>
    %96 = stablehlo.subtract %95, %89 : tensor<3x4xf32>
    %97 = stablehlo.constant dense<0.00018850289> : tensor<f32>
    %98 = "stablehlo.broadcast_in_dim"(%97) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %99 = stablehlo.add %96, %98 : tensor<3x4xf32>
    %100 = stablehlo.multiply %14, %99 : tensor<3x4xf32>
    %101 = stablehlo.subtract %100, %94 : tensor<3x4xf32>
    %102 = stablehlo.constant dense<-0.0005763756> : tensor<f32>
    %103 = "stablehlo.broadcast_in_dim"(%102) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %104 = stablehlo.add %101, %103 : tensor<3x4xf32>
    %105 = stablehlo.multiply %14, %104 : tensor<3x4xf32>
    %106 = stablehlo.subtract %105, %99 : tensor<3x4xf32>
    %107 = stablehlo.constant dense<0.0016394756> : tensor<f32>
    %108 = "stablehlo.broadcast_in_dim"(%107) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %109 = stablehlo.add %106, %108 : tensor<3x4xf32>
    %110 = stablehlo.multiply %14, %109 : tensor<3x4xf32>
    %111 = stablehlo.subtract %110, %104 : tensor<3x4xf32>
    %112 = stablehlo.constant dense<-0.00432431> : tensor<f32>
    %113 = "stablehlo.broadcast_in_dim"(%112) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %114 = stablehlo.add %111, %113 : tensor<3x4xf32>
    %115 = stablehlo.multiply %14, %114 : tensor<3x4xf32>
    %116 = stablehlo.subtract %115, %109 : tensor<3x4xf32>
    %117 = stablehlo.constant dense<0.010546461> : tensor<f32>
    %118 = "stablehlo.broadcast_in_dim"(%117) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %119 = stablehlo.add %116, %118 : tensor<3x4xf32>
    %120 = stablehlo.multiply %14, %119 : tensor<3x4xf32>
    %121 = stablehlo.subtract %120, %114 : tensor<3x4xf32>
    %122 = stablehlo.constant dense<-0.023737416> : tensor<f32>
    %123 = "stablehlo.broadcast_in_dim"(%122) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %124 = stablehlo.add %121, %123 : tensor<3x4xf32>
    %125 = stablehlo.multiply %14, %124 : tensor<3x4xf32>
    %126 = stablehlo.subtract %125, %119 : tensor<3x4xf32>
    %127 = stablehlo.constant dense<0.049305283> : tensor<f32>
    %128 = "stablehlo.broadcast_in_dim"(%127) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %129 = stablehlo.add %126, %128 : tensor<3x4xf32>
    %130 = stablehlo.multiply %14, %129 : tensor<3x4xf32>
    %131 = stablehlo.subtract %130, %124 : tensor<3x4xf32>
    %132 = stablehlo.constant dense<-0.0949011> : tensor<f32>
    %133 = "stablehlo.broadcast_in_dim"(%132) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %134 = stablehlo.add %131, %133 : tensor<3x4xf32>
    %135 = stablehlo.multiply %14, %134 : tensor<3x4xf32>
    %136 = stablehlo.subtract %135, %129 : tensor<3x4xf32>
    %137 = stablehlo.constant dense<0.1716209> : tensor<f32>
    %138 = "stablehlo.broadcast_in_dim"(%137) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %139 = stablehlo.add %136, %138 : tensor<3x4xf32>
    %140 = stablehlo.multiply %14, %139 : tensor<3x4xf32>
    %141 = stablehlo.subtract %140, %134 : tensor<3x4xf32>
    %142 = stablehlo.constant dense<-0.30468267> : tensor<f32>
    %143 = "stablehlo.broadcast_in_dim"(%142) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %144 = stablehlo.add %141, %143 : tensor<3x4xf32>
    %145 = stablehlo.multiply %9, %144 : tensor<3x4xf32>
    %146 = stablehlo.subtract %145, %139 : tensor<3x4xf32>
    %147 = stablehlo.constant dense<0.33839765> : tensor<f32>
    %148 = "stablehlo.broadcast_in_dim"(%147) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %149 = stablehlo.add %146, %148 : tensor<3x4xf32>
    %150 = stablehlo.constant dense<8.0> : tensor<f32>
    %151 = "stablehlo.broadcast_in_dim"(%150) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %152 = stablehlo.maximum %0, %151 : tensor<3x4xf32>
    %153 = stablehlo.rsqrt %152 : tensor<3x4xf32>
    %154 = stablehlo.constant dense<16.0> : tensor<f32>
    %155 = "stablehlo.broadcast_in_dim"(%154) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %156 = stablehlo.divide %155, %152 : tensor<3x4xf32>
    %157 = stablehlo.constant dense<1.0> : tensor<f32>
    %158 = "stablehlo.broadcast_in_dim"(%157) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %159 = stablehlo.subtract %156, %158 : tensor<3x4xf32>
    %160 = stablehlo.constant dense<-2.8449465e-16> : tensor<f32>
    %161 = "stablehlo.broadcast_in_dim"(%160) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %162 = stablehlo.constant dense<0.0> : tensor<f32>
    %163 = "stablehlo.broadcast_in_dim"(%162) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %164 = stablehlo.add %159, %159 : tensor<3x4xf32>
    %165 = stablehlo.multiply %164, %161 : tensor<3x4xf32>
    %166 = stablehlo.subtract %165, %163 : tensor<3x4xf32>
    %167 = stablehlo.constant dense<1.8383732e-15> : tensor<f32>
    %168 = "stablehlo.broadcast_in_dim"(%167) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %169 = stablehlo.add %166, %168 : tensor<3x4xf32>
    %170 = stablehlo.multiply %164, %169 : tensor<3x4xf32>
    %171 = stablehlo.subtract %170, %161 : tensor<3x4xf32>
    %172 = stablehlo.constant dense<3.7747583e-15> : tensor<f32>
    %173 = "stablehlo.broadcast_in_dim"(%172) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %174 = stablehlo.add %171, %173 : tensor<3x4xf32>
    %175 = stablehlo.multiply %164, %174 : tensor<3x4xf32>
    %176 = stablehlo.subtract %175, %169 : tensor<3x4xf32>
    %177 = stablehlo.constant dense<-9.7144515e-15> : tensor<f32>
    %178 = "stablehlo.broadcast_in_dim"(%177) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %179 = stablehlo.add %176, %178 : tensor<3x4xf32>
    %180 = stablehlo.multiply %164, %179 : tensor<3x4xf32>
    %181 = stablehlo.subtract %180, %174 : tensor<3x4xf32>
    %182 = stablehlo.constant dense<-4.141132e-14> : tensor<f32>
    %183 = "stablehlo.broadcast_in_dim"(%182) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %184 = stablehlo.add %181, %183 : tensor<3x4xf32>
    %185 = stablehlo.multiply %164, %184 : tensor<3x4xf32>
    %186 = stablehlo.subtract %185, %179 : tensor<3x4xf32>
    %187 = stablehlo.constant dense<1.534081e-14> : tensor<f32>
    %188 = "stablehlo.broadcast_in_dim"(%187) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %189 = stablehlo.add %186, %188 : tensor<3x4xf32>
    %190 = stablehlo.multiply %164, %189 : tensor<3x4xf32>
    %191 = stablehlo.subtract %190, %184 : tensor<3x4xf32>
    %192 = stablehlo.constant dense<3.851225e-13> : tensor<f32>
    %193 = "stablehlo.broadcast_in_dim"(%192) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %194 = stablehlo.add %191, %193 : tensor<3x4xf32>
    %195 = stablehlo.multiply %164, %194 : tensor<3x4xf32>
    %196 = stablehlo.subtract %195, %189 : tensor<3x4xf32>
    %197 = stablehlo.constant dense<7.180567e-13> : tensor<f32>
    %198 = "stablehlo.broadcast_in_dim"(%197) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %199 = stablehlo.add %196, %198 : tensor<3x4xf32>
    %200 = stablehlo.multiply %164, %199 : tensor<3x4xf32>
    %201 = stablehlo.subtract %200, %194 : tensor<3x4xf32>
    %202 = stablehlo.constant dense<-1.7940649e-12> : tensor<f32>
    %203 = "stablehlo.broadcast_in_dim"(%202) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %204 = stablehlo.add %201, %203 : tensor<3x4xf32>
    %205 = stablehlo.multiply %164, %204 : tensor<3x4xf32>
    %206 = stablehlo.subtract %205, %199 : tensor<3x4xf32>
    %207 = stablehlo.constant dense<-1.3215868e-11> : tensor<f32>
    %208 = "stablehlo.broadcast_in_dim"(%207) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %209 = stablehlo.add %206, %208 : tensor<3x4xf32>
    %210 = stablehlo.multiply %164, %209 : tensor<3x4xf32>
    %211 = stablehlo.subtract %210, %204 : tensor<3x4xf32>
    %212 = stablehlo.constant dense<-3.1499303e-11> : tensor<f32>
    %213 = "stablehlo.broadcast_in_dim"(%212) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %214 = stablehlo.add %211, %213 : tensor<3x4xf32>
    %215 = stablehlo.multiply %164, %214 : tensor<3x4xf32>
    %216 = stablehlo.subtract %215, %209 : tensor<3x4xf32>
    %217 = stablehlo.constant dense<1.188912e-11> : tensor<f32>
    %218 = "stablehlo.broadcast_in_dim"(%217) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %219 = stablehlo.add %216, %218 : tensor<3x4xf32>
    %220 = stablehlo.multiply %164, %219 : tensor<3x4xf32>
    %221 = stablehlo.subtract %220, %214 : tensor<3x4xf32>
    %222 = stablehlo.constant dense<4.9406024e-10> : tensor<f32>
    %223 = "stablehlo.broadcast_in_dim"(%222) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %224 = stablehlo.add %221, %223 : tensor<3x4xf32>
    %225 = stablehlo.multiply %164, %224 : tensor<3x4xf32>
    %226 = stablehlo.subtract %225, %219 : tensor<3x4xf32>
    %227 = stablehlo.constant dense<3.396232e-09> : tensor<f32>
    %228 = "stablehlo.broadcast_in_dim"(%227) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %229 = stablehlo.add %226, %228 : tensor<3x4xf32>
    %230 = stablehlo.multiply %164, %229 : tensor<3x4xf32>
    %231 = stablehlo.subtract %230, %224 : tensor<3x4xf32>
    %232 = stablehlo.constant dense<2.266669e-08> : tensor<f32>
    %233 = "stablehlo.broadcast_in_dim"(%232) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %234 = stablehlo.add %231, %233 : tensor<3x4xf32>
    %235 = stablehlo.multiply %164, %234 : tensor<3x4xf32>
    %236 = stablehlo.subtract %235, %229 : tensor<3x4xf32>
    %237 = stablehlo.constant dense<2.0489186e-07> : tensor<f32>
    %238 = "stablehlo.broadcast_in_dim"(%237) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %239 = stablehlo.add %236, %238 : tensor<3x4xf32>
    %240 = stablehlo.multiply %164, %239 : tensor<3x4xf32>
    %241 = stablehlo.subtract %240, %234 : tensor<3x4xf32>
    %242 = stablehlo.constant dense<2.8913705e-06> : tensor<f32>
    %243 = "stablehlo.broadcast_in_dim"(%242) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %244 = stablehlo.add %241, %243 : tensor<3x4xf32>
    %245 = stablehlo.multiply %164, %244 : tensor<3x4xf32>
    %246 = stablehlo.subtract %245, %239 : tensor<3x4xf32>
    %247 = stablehlo.constant dense<6.8897585e-05> : tensor<f32>
    %248 = "stablehlo.broadcast_in_dim"(%247) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %249 = stablehlo.add %246, %248 : tensor<3x4xf32>
    %250 = stablehlo.multiply %164, %249 : tensor<3x4xf32>
    %251 = stablehlo.subtract %250, %244 : tensor<3x4xf32>
    %252 = stablehlo.constant dense<0.0033691165> : tensor<f32>
    %253 = "stablehlo.broadcast_in_dim"(%252) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %254 = stablehlo.add %251, %253 : tensor<3x4xf32>
    %255 = stablehlo.multiply %159, %254 : tensor<3x4xf32>
    %256 = stablehlo.subtract %255, %249 : tensor<3x4xf32>
    %257 = stablehlo.constant dense<0.4022452> : tensor<f32>
    %258 = "stablehlo.broadcast_in_dim"(%257) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %259 = stablehlo.add %256, %258 : tensor<3x4xf32>
    %260 = stablehlo.multiply %259, %153 : tensor<3x4xf32>
    %261 = stablehlo.constant dense<8.0> : tensor<f32>
    %262 = "stablehlo.broadcast_in_dim"(%261) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %263 = "stablehlo.compare"(%0, %262) <{comparison_direction = #stablehlo<comparison_direction LE>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %264 = "stablehlo.select"(%263, %149, %260) : (tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    return %264 : tensor<3x4xf32>
  }
}
module @bessel_i1e {
  func.func public @main(%arg0: tensor<3x4xf32> loc("x")) -> (tensor<3x4xf32>) {
    %0 = "chlo.bessel_i1e"(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
module @polygamma_f32 {
  func.func public @main(%arg0: tensor<5xf32> loc("x"), %arg1: tensor<5xf32> loc("x")) -> (tensor<5xf32>) {
    %0 = "chlo.polygamma"(%arg0, %arg1) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    return %0 : tensor<5xf32>
  }
}
module @zeta_f32 {
  func.func public @main(%arg0: tensor<5xf32> loc("x"), %arg1: tensor<5xf32> loc("x")) -> (tensor<5xf32>) {
    %0 = "chlo.zeta"(%arg0, %arg1) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    return %0 : tensor<5xf32>
  }
}
