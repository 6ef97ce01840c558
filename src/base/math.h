// Elementary functions whose bits do not depend on the machine's library: only + − × ÷ on doubles
// in a fixed order.
#pragma once

namespace semveil {

// Natural logarithm of a positive, finite, normal number, within 2 units in the last place.
double ln(double x);

}  // namespace semveil
