// Classes of tuples for local generalisation, and what they cost.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "mechanisms/generalize/generalize_parts.h"

namespace semveil {

// What generalize_walk.cc works on: tuples by column, and what a cell loses on each level.
class LocalTable {
 public:
  explicit LocalTable(const GeneralizeTask& task);

  const GeneralizeTask& task() const { return task_; }
  std::size_t width() const { return task_.table.width(); }
  std::size_t size() const { return task_.table.size(); }
  // Whether the tuples have k records, or k persons; one tuple may be left out.
  bool has_k(std::span<const std::uint32_t> tuples,
             std::optional<std::uint32_t> without = std::nullopt) const;
  std::uint64_t count(std::uint32_t tuple) const { return task_.table.counts[tuple]; }
  Code value(std::uint32_t tuple, std::size_t j) const {
    return task_.table.tuples[tuple * width() + j];
  }
  unsigned meet(std::size_t j, Code a, Code b) const {
    if (meets_[j].empty()) return task_.hierarchies[j].meet(a, b);
    return meets_[j][a * task_.hierarchies[j].values() + b];
  }
  double loss(std::size_t j, Code value, unsigned level) const {
    return losses_[j][value * task_.hierarchies[j].levels() + level];
  }

 private:
  const GeneralizeTask& task_;
  std::vector<std::vector<std::uint16_t>> meets_;  // by column, value, value; empty: too many
  std::vector<std::vector<double>> losses_;        // by column, value, level
};

// A class carries the least common generalisation of its tuples: in each column the first's value
// on the lowest level on which all are one.
struct LocalClass {
  std::vector<std::uint32_t> tuples;
  std::uint64_t records = 0;
  std::vector<unsigned> levels;
  double loss = 0;  // of a record: the sum over columns
};

class LocalClasses {
 public:
  explicit LocalClasses(const LocalTable& table) : table_(&table), class_of_(table.size(), kNone) {}

  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  std::uint32_t class_of(std::uint32_t tuple) const { return class_of_[tuple]; }
  std::size_t size() const { return classes_.size(); }
  const LocalClass& operator[](std::uint32_t c) const { return classes_[c]; }
  bool is_alone(std::uint32_t tuple) const { return class_of_[tuple] == kNone; }
  double loss_of(std::uint32_t tuple) const { return classes_[class_of_[tuple]].loss; }

  // Tuples without a class, or that their classes can spare.
  std::uint32_t form(std::vector<std::uint32_t> tuples);
  void join(std::uint32_t tuple, std::uint32_t c);
  void merge(std::uint32_t from, std::uint32_t into);
  void leave(std::uint32_t tuple);
  // What all records would lose more if the tuple joined.
  double cost_of_joining(std::uint32_t tuple, std::uint32_t c) const;
  double lost_without(std::uint32_t tuple) const;  // by its class

 private:
  void add(std::uint32_t tuple, LocalClass& to) const;
  void tighten(LocalClass& own) const;
  double loss_at(std::uint32_t tuple, const std::vector<unsigned>& levels) const;

  const LocalTable* table_;
  std::vector<LocalClass> classes_;
  std::vector<std::uint32_t> class_of_;  // by tuple
};

// Sweeps over the classes while they gain (generalize_improve.cc). Nothing where there are too many
// tuples and classes for it.
void improve_classes(const LocalTable& table, LocalClasses& classes, unsigned sweeps);

}  // namespace semveil
