// How far the values of a class of records lie from those of the whole column: t of t-closeness.
//
// t is the least work that moves the class's distribution to the whole column's (the earth mover's
// distance); moving a record costs the distance of the two values: the measure's where values are
// concepts, |x − y| in units of the column where they are numbers, else 1.
//
// Paper:   Li, Li & Venkatasubramanian 2007, t-closeness.
// Choice:  semantic distances are not metrics in general, so nothing is cancelled: the whole
//          transport problem is solved. A value that means nothing to the attribute lies at 1 from
//          all others.
// Cost:    O(values of the class), and log of the column's, where values are merely different or
//          lie on a line; else a transport problem of the class's values by the column's.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "semveil/frequency_table.h"
#include "statistics/transport.h"

namespace semveil {

std::vector<std::uint64_t> counts_alone(std::span<const PlaceCount> counts);

class Closeness {  // immutable, thread-safe
 public:
  // `values` and `whole` (records) by place; the attribute may be null: values are merely
  // different. kMissing: a value that means nothing to the attribute.
  Closeness(std::shared_ptr<const Attribute> attribute, std::vector<ConceptId> values,
            std::vector<std::uint64_t> whole);

  // Of the records of a class by place, none 0. 0 for a class without records.
  double t(std::span<const PlaceCount> of_class) const;
  // Whether t is at most this; often without the work of computing it.
  bool within(std::span<const PlaceCount> of_class, double most) const;
  // False: t is at most what is known, by a bound that costs little.
  bool may_exceed(std::span<const PlaceCount> of_class, double known) const;
  // The same as t() where a transport needs no more steps than these, which are counted down.
  std::optional<double> t(std::span<const PlaceCount> of_class, std::uint64_t& steps) const;

 private:
  enum class Shape : std::uint8_t { kApart, kLine, kAny };
  struct Rows;  // of a class: the costs from its values to all of the column

  void lay_out_line();
  void fill_costs();
  Rows rows(std::span<const PlaceCount> of_class) const;
  void fill_rows(std::span<const Code> from, std::span<std::int64_t> rows) const;
  std::optional<double> transported(std::span<const PlaceCount> of_class, const Rows& rows,
                                    std::uint64_t& steps) const;
  double apart(std::span<const PlaceCount> of_class) const;
  double along_line(std::span<const PlaceCount> of_class) const;
  // Bounds of the transport that are cheaper than it, as least_transport() gives costs.
  WideCost upper_bound(std::span<const PlaceCount> of_class) const;
  WideCost lower_bound(std::span<const PlaceCount> of_class, const Rows& rows) const;
  double share(WideCost cost, std::uint64_t records) const;

  Shape shape_ = Shape::kApart;
  std::shared_ptr<const Attribute> attribute_;
  std::vector<ConceptId> values_;
  std::vector<std::uint64_t> whole_;
  std::uint64_t records_ = 0;
  // kLine: by rank along the line.
  std::vector<std::size_t> rank_;    // by place
  std::vector<std::uint64_t> upto_;  // records up to a rank
  std::vector<double> position_;     // in units
  std::vector<double> area_;         // Σ over lower ranks of the gap above times the share up to it
  // kAny, while the column is small: all costs, and what it costs to move each value to the whole.
  std::vector<std::int64_t> costs_;
  std::vector<WideCost> from_one_;
};

}  // namespace semveil
