// Whether classes have what is demanded of them in sensitive columns (semveil/demand.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/growing_set.h"
#include "mechanisms/classes/class_table.h"
#include "statistics/diversity.h"
#include "statistics/transport.h"

namespace semveil {

// The records of a class by sensitive value, for each column with a demand; where persons are told,
// the persons: one with two values counts with both, one with two records of a value once.
struct SensitiveCounts {
  std::vector<std::vector<PlaceCount>> columns;    // ascending by place
  std::vector<GrowingSet<std::uint64_t>> persons;  // by column: place and person; empty: not told
};

class Demands {  // immutable, thread-safe
 public:
  explicit Demands(const ClassTable& table);
  bool none() const { return columns_.empty(); }
  SensitiveCounts of(std::size_t tuple) const;
  static void merge(const SensitiveCounts& from, SensitiveCounts& into);
  bool met(const SensitiveCounts& counts) const;
  // The first demand that is missed by all records together: its column and, for people, what can
  // be met. Empty: none.
  std::string unmeetable() const;

 private:
  class Column;
  std::vector<std::shared_ptr<const Column>> columns_;
};

}  // namespace semveil
