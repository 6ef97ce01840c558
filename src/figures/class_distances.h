// Distances of whole tuples, the mean over their columns of sd, row by row.
//
// Cost:   one distance for each pair of different values of a column, or of a tuple and a value
//         where a column has too many for a table of all.
#pragma once

#include "figures/paired.h"

namespace semveil {

class ClassDistances {
 public:
  ClassDistances(const std::vector<std::shared_ptr<const Attribute>>& attributes,
                 const Classes& classes);

  // From class c to the classes c + 1, c + 2, … The same bits as Attribute::distance, added up in
  // the order of the columns.
  void to_later(std::size_t c, std::span<double> out);

 private:
  struct Column {
    const Attribute* attribute;
    std::vector<ConceptId> values;      // that occur, ascending
    std::vector<std::uint32_t> places;  // by class
    std::vector<double> table;          // values × values; or the row of one of them:
    std::uint32_t row_of = 0xFFFFFFFF;
  };
  static void fill(const Column& column, std::span<const std::uint32_t> from,
                   std::span<double> out);
  static std::span<const double> row(Column& column, std::uint32_t place);

  std::vector<Column> columns_;
};

}  // namespace semveil
