// Whether classes have what is demanded of them in sensitive columns (semveil/demand.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mechanisms/classes/class_table.h"
#include "statistics/diversity.h"
#include "statistics/transport.h"

namespace semveil {

// The records of a class by sensitive value, for each column with a demand.
struct SensitiveCounts {
  std::vector<std::vector<PlaceCount>> columns;  // ascending by place
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
