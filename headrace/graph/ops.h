// All functions on Values: the vocabulary that models are written in.
#pragma once

// IWYU pragma: begin_exports
#include "headrace/graph/ops/barrier.h"
#include "headrace/graph/ops/batching.h"
#include "headrace/graph/ops/composite.h"
#include "headrace/graph/ops/constant.h"
#include "headrace/graph/ops/convolution.h"
#include "headrace/graph/ops/custom_call.h"
#include "headrace/graph/ops/dot.h"
#include "headrace/graph/ops/dynamic_slice.h"
#include "headrace/graph/ops/elementwise.h"
#include "headrace/graph/ops/gather.h"
#include "headrace/graph/ops/pooling.h"
#include "headrace/graph/ops/random.h"
#include "headrace/graph/ops/reduce.h"
#include "headrace/graph/ops/reduce_window.h"
#include "headrace/graph/ops/reverse.h"
#include "headrace/graph/ops/shape_ops.h"
#include "headrace/graph/ops/sharding.h"
#include "headrace/graph/ops/slice.h"
#include "headrace/graph/ops/take.h"
#include "headrace/graph/ops/threefry.h"
// IWYU pragma: end_exports
