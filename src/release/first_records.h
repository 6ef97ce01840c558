// The first records of a table, as codes: a sample of bounded size, the same for any batches.
//
// Not a random one: of a table that is sorted they show one end.
#pragma once

#include <vector>

#include "semveil/table.h"

namespace semveil {

struct FirstRecords {
  static constexpr std::size_t kMost = 16384;
  // Of distinct texts: the record that goes beyond is the last one.
  static constexpr std::size_t kMostBytes = 16 << 20;

  // An error, too, where a wanted column has no texts (lists and the like).
  static Result<FirstRecords> read(const Table& table, std::vector<std::size_t> wanted);

  std::size_t records = 0;
  struct Column {
    std::vector<Code> codes;   // by record
    Dictionary texts;          // some may be of later records
    std::size_t distinct = 0;  // texts of these records
  };
  std::vector<Column> columns;  // as wanted
};

}  // namespace semveil
