// Who can be found again where people have several records.
//
// A record of one side is linked to records T of the other: the equal ones, the nearest in meaning,
// those in a swap's window. An attacker chooses a person: one of those whose records T are, each as
// likely as the others however many records they have.
//
//   P(r) = [some record of r's person is in T] / persons who have records in T
//
// A person's figure is the greatest over their records, the mean is over persons. The surest link
// is that of a combination g, as in semantic_linkage.h: the greatest over g of the mean of P over
// the persons of g.
//
// Example: A has two colds, B one; released as they were. T(cold) = all three, of two persons: P is
// 1/2 for both, and so are mean and surest link.
//
// Choice:  Whoever draws a record of T, and not a person, is right about A by 2/3. That is a figure
//          of who has how many rows, and no k bounds it: k persons of 96, 1, 1, 1 and 1 rows are
//          five persons, and 0.96 of the rows are one's. It is told beside k (person_rows.h,
//          greatest_share; Wang & Fung 2006 part (X, Y)-anonymity from (X, Y)-linkability for this
//          reason).
// Holds:   the surest link is at most 1/k where each released combination has k persons: from the
//          release, those of g who are right share 1 and are among persons(g); from the originals,
//          the records nearest to one are whole combinations, of k persons or more.
//          Where everybody has one record, the figures of semantic_linkage.h and record_linkage.h.
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
