// The QR decomposition.
#pragma once

#include "headrace/graph/graph.h"

namespace headrace {

struct QrResult {
  Value q;  // [..., m, k], k = min(m, n), with orthonormal columns: q^H · q = 1
  Value r;  // [..., k, n], upper triangular
};

// a [..., m, n] = q · r, f32, f64 or complex. The signs of r's diagonal are LAPACK's, so they may be
// negative. Gradients need k linearly independent columns, the first ones if there are more than rows.
QrResult Qr(Value a);

// What it is made of. `packed` [..., m, n] holds r on and above the diagonal, and below it the vectors v
// (whose element on the diagonal is 1) of the reflections 1 - tau · v · v^H, of which q is the product. No
// gradients.
struct HouseholderQrResult {
  Value packed;
  Value taus;  // [..., k]
};
HouseholderQrResult HouseholderQr(Value a);

// The product of the reflections in the columns of `packed` [..., m, k]: [..., m, k]. No gradients.
Value HouseholderProduct(Value packed, Value taus);

}  // namespace headrace
