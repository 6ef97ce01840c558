// Whether a released table keeps what was promised of its classes: looked at again from the cells
// that were written, by sorting and counting.
//
// Shares with the methods that form classes what a demand means (semveil/demand.h, closeness.h),
// and nothing that they counted: a mistake in their bookkeeping does not get past it.
//
// Cost: O(distinct tuples · log), and a transport for each class where closeness is demanded; with
// wildcards, tuples with missing cells times all tuples.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/tuple_counter.h"
#include "release/privacy.h"
#include "semveil/frequency_table.h"
#include "semveil/plan_file.h"
#include "semveil/result.h"

namespace semveil {

struct VerifiedColumn {  // a sensitive column
  std::string name;
  std::size_t place = 0;  // in the tuples
  Demand demand;
  // By code, as in SensitiveColumn; needed for t alone. Values that codes have beyond these are
  // kMissing, that is at distance 1 from all others.
  std::shared_ptr<const Attribute> attribute;
  std::vector<ConceptId> values;
  // By code: the records, or persons, that t compares a class with. Empty: all that show a value in
  // the release.
  std::vector<std::uint64_t> whole;
};

struct VerifiedTable {
  // The released records over the quasi-identifiers and sensitive columns; kMissing: an empty cell.
  // Records that are suppressed are not among them.
  CountedTuples released;
  std::vector<std::size_t> quasi_identifiers;  // places in the tuples
  std::vector<VerifiedColumn> sensitive;
  MissingRule missing = MissingRule::kCategory;
  std::uint64_t k = 1;
  // Records that are suppressed, over the same columns; null: none. Their quasi-identifiers must be
  // empty, and sensitive cells too unless they would be a class of k that has what is demanded.
  const TupleCounter* suppressed = nullptr;
  const PersonPairs* suppressed_persons = nullptr;  // where `released` tells persons
  bool counts_persons = false;                      // counts of `released` are persons already
};

// kGuarantee with what is missed and in how many classes; values are not told. With wildcards k
// counts the records that match a record, and demands look at records with equal cells, an empty
// one being a value.
Status verify_classes(const VerifiedTable& table);

}  // namespace semveil
