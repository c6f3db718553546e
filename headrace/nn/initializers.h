// Initial values of parameters: the distributions, and for the same key the numbers, of jax.nn.initializers.
//
// Fan-in and fan-out count the last two dimensions as (in, out) and all before them as the receptive field,
// which fits Linear [in, out] and Conv [spatial…, in, out].
#pragma once

#include "headrace/nn/scope.h"

namespace headrace::nn {

Initializer Zeros();
Initializer Ones();
Initializer ConstantInit(double value);
Initializer NormalInit(double stddev);
Initializer TruncatedNormalInit(double stddev);  // cut at two standard deviations
Initializer UniformInit(double bound);           // in [-bound, bound)

// Of variance 1 / fan-in (LeCun et al., 1998), 2 / fan-in (He et al., 2015; also called after Kaiming) and
// 2 / (fan-in + fan-out) (Glorot and Bengio, 2010; also called after Xavier): a normal distribution cut at
// two standard deviations, or a uniform one.
Initializer LecunNormal();
Initializer LecunUniform();
Initializer HeNormal();
Initializer HeUniform();
Initializer GlorotNormal();
Initializer GlorotUniform();

}  // namespace headrace::nn
