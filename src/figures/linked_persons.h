// Who can be found again where people have several records.
//
// A record of one side is linked to records T of the other: the equal ones, the nearest in meaning,
// those in a swap's window. Whoever draws one of them is right if it is any record of the person:
//
//   P(r) = records of r's person in T / records in T
//
// A person's figure is the greatest over their records, the mean is over persons. The surest link
// is that of a combination g, as in semantic_linkage.h: the greatest over g of the mean of P over
// the persons of g, which is at most 1 / persons(g).
//
// Example: A has two colds, B one; released as they were. T(cold) = all three: A's P is 2/3, B's
// 1/3; mean and surest link are 1/2.
//
// Holds:   where everybody has one record, the figures of semantic_linkage.h and record_linkage.h.
#pragma once

#include "figures/class_risk.h"
#include "figures/person_rows.h"
#include "figures/window_linkage.h"

namespace semveil {

struct PairedPersons {
  const Paired& pairs;
  const PersonRows& rows;  // by pair
};

struct LinkedPersons {
  double mean = 0;              // over the persons
  double worst = 0;             // the surest link
  std::vector<double> by_pair;  // mean of P over its records
};
double persons_linked_by_equality(const PairedPersons& tables);
LinkedPersons persons_linked_by_meaning(const PairedPersons& tables, unsigned threads);
double persons_linked_by_window(const PairedPersons& tables, const WindowOptions& options);
double surest_person_from_originals(const PairedPersons& tables, unsigned threads);
std::vector<WithoutColumn> persons_without_each_column(const PairedPersons& tables,
                                                       unsigned threads);

}  // namespace semveil
