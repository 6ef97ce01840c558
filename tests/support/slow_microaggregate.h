// The slow twin of microaggregation: MDAV line by line over a list of tuples, every distance and
// every mean from its definition, nothing kept from step to step. O(n³). It shares no code with the
// engine but Attribute::distance.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "mechanisms/classes/class_table.h"
#include "support/generate.h"

namespace semveil::test {

using SlowGroups = std::set<std::set<std::uint32_t>>;

SlowGroups slow_mdav(const ClassTable& table, std::uint64_t k);

// The centroid's cell as it would be written: an id, digits or a text, "" for missing. Over every
// allowed concept, and over decimal digits.
std::string slow_centroid(const ClassTable& table, const std::set<std::uint32_t>& group,
                          std::size_t column);

// The mean squared error by record of replacing each tuple with its group's centroid: numbers in
// units, concepts by their distance or, if asked, 0 or 1.
struct SquaredError {
  double numbers = 0, words = 0;
  double all() const { return numbers + words; }
};
SquaredError squared_error(const ClassTable& table,
                           const std::vector<std::shared_ptr<const Attribute>>& released,
                           const std::vector<std::uint32_t>& group,
                           const std::vector<ConceptId>& centroids, bool zero_one);

// A generated table: concepts, numbers and texts in turn.
struct MicroaggregateCaseShape {
  Shape shape = Shape::kTree;
  std::size_t nominal = 1, numeric = 1, text = 0;
  std::size_t records = 30;
  std::size_t distinct = 6;        // values of a column, at most
  std::size_t missing_one_in = 0;  // 0: none
  bool leaves_only = false;
};
// Tables own what they point to.
ClassTable make_microaggregate_case(const MicroaggregateCaseShape& shape, std::uint64_t seed);
// A sensitive column over the table's records, with so many values.
SensitiveColumn make_sensitive(const ClassTable& table, std::size_t values, Demand demand,
                               std::uint64_t seed);

}  // namespace semveil::test
