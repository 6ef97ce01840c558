// Who can be found again by looking for exactly the values of a released record.
#pragma once

#include "figures/paired.h"

namespace semveil {

// A released record is linked to the originals that have exactly its tuple. If its own original is
// among them, one guess in so many is right:
//
//   P(r) = 0 where r's tuple changed, else 1 / records that had it before
//
// Gives the mean over the records, a fraction. As the records of a tuple share 1, it is the number
// of tuples that some of their own records kept, by what share of them did, over all records.
//
// Paper:  thesis eq 27-28, which print it in percent.
double linked_by_equality(const Paired& pairs);

}  // namespace semveil
