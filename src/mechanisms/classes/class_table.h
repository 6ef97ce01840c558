// A table as methods that form classes see it: distinct tuples of quasi-identifiers, how many
// records have each, and what sensitive values these have.
//
// Missing cells are values here: missing_value() of the attribute.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "semveil/frequency_table.h"

namespace semveil {

// The distances among the values of one column.
class ColumnDistances {  // immutable, thread-safe
 public:
  // A table of all while it is small, else each is computed when it is asked for.
  ColumnDistances(std::shared_ptr<const Attribute> attribute, std::vector<ConceptId> values,
                  unsigned threads);

  std::size_t size() const { return values_.size(); }
  double operator()(Code a, Code b) const {
    return table_.empty() ? attribute_->distance(values_[a], values_[b])
                          : table_[a * values_.size() + b];
  }
  // Of one value to all, where all are kept; empty: they are not.
  std::span<const double> row(Code a) const {
    if (table_.empty()) return {};
    return std::span(table_).subspan(a * values_.size(), values_.size());
  }
  // Of several to all, one after the other, computed anew. Concepts are far cheaper together.
  void rows(std::span<const Code> from, std::vector<double>& out) const;

 private:
  std::shared_ptr<const Attribute> attribute_;
  std::vector<ConceptId> values_;
  std::vector<double> table_;
};

// Rows of distances, also of a column that is too wide to keep them. One for each thread.
class ValueRows {
 public:
  explicit ValueRows(const ColumnDistances& distances) : distances_(&distances) {}

  // Rows that will be asked for, in the place of those before; ascending.
  void fetch(std::vector<Code> values);
  // Lives until the next call.
  std::span<const double> row(Code a);

 private:
  const ColumnDistances* distances_;
  std::vector<Code> fetched_;
  std::vector<double> rows_;
};

struct ClassTable {
  std::vector<std::shared_ptr<const Attribute>> attributes;
  std::vector<std::vector<ConceptId>> values;  // by column: ascending, each once
  // Row-major, distinct, ascending: places in the columns' values.
  std::vector<Code> tuples;
  std::vector<std::uint64_t> counts;  // of each tuple, none 0
  std::vector<SensitiveColumn> sensitive;
  PersonLists persons;  // by tuple; not told: every record is a person's only one

  std::size_t width() const { return attributes.size(); }
  std::size_t size() const { return counts.size(); }
  std::span<const Code> tuple(std::size_t t) const {
    return std::span(tuples).subspan(t * width(), width());
  }
  ConceptId value(std::size_t t, std::size_t j) const { return values[j][tuples[t * width() + j]]; }
  std::uint64_t records() const;
  // What k counts: persons where they are told, else records. Of a tuple, and of all.
  std::uint64_t size_of(std::size_t t) const {
    return persons.are_told() ? persons.of(t).size() : counts[t];
  }
  std::vector<std::uint64_t> sizes() const;
  std::uint64_t whole_size() const { return persons.are_told() ? persons.different() : records(); }
  std::string_view counted_as() const { return persons.are_told() ? "persons" : "records"; }
};

// Counts persons of several tuples, or their records, up to a number.
class SizeUpTo {
 public:
  SizeUpTo(const ClassTable& table, std::uint64_t most) : table_(table), most_(most) {}
  // False: there are as many already, and nothing more need be added.
  bool add(std::size_t tuple);
  bool is_reached() const { return size_ >= most_; }

 private:
  const ClassTable& table_;
  std::uint64_t most_, size_ = 0;
  std::vector<std::uint32_t> seen_;  // ascending
};

// Every cell that takes no part in `table` becomes missing_value().
ClassTable class_table(const FrequencyTable& table);

}  // namespace semveil
