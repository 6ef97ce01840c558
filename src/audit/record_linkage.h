// Who can be found again by looking his own values up in a release.
#pragma once

#include "audit/paired.h"

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

// Probabilistic k-anonymity of any pair of tables: a person looks his own values up in the release
// and picks one of the records that have them. The greatest chance, over all persons, that it is
// his own:
//
//   greatest  u / (n m)   over original tuples x of n records, of which u came out as x, where m
//                         released records are x, whoever they were
//
// Example: of 4 people with x two keep it, and two others come to have it: 2 / (4 · 4) = 1/8.
//
// Paper:  probabilistic k-anonymity of swapping (Soria-Comas & Domingo-Ferrer), as SwapFit::risk;
//         0 where no record kept its tuple.
double own_among_alike(const Paired& pairs);

}  // namespace semveil
