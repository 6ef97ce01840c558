// The first records of a table, as codes: a sample of bounded size, the same for any batches and
// parts.
//
// Not a random one: of a table that is sorted they show one end.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "base/byte_form.h"
#include "semveil/table.h"

namespace semveil {

class FirstRecords {
 public:
  static constexpr std::size_t kMost = 16384;
  // Of distinct texts: the record that goes beyond is the last one.
  static constexpr std::size_t kMostBytes = 16 << 20;

  // Those among the rows of `table`, the first of which is `first_row` of the whole table. Columns
  // are read together; where one has no texts (lists and the like), each of `alone` is read with
  // `always`, and those that have none are left out.
  static FirstRecords read(const Table& table, const std::vector<std::size_t>& alone,
                           const std::vector<std::size_t>& always, std::uint64_t first_row = 0);

  void merge(const FirstRecords& other);  // of other rows
  void write(ByteWriter& out) const;
  static FirstRecords read(ByteReader& in);

  struct Column {
    const Dictionary* texts = nullptr;
    std::vector<Code> codes;   // by record
    std::size_t distinct = 0;  // texts of these records
  };
  struct Sample {
    std::size_t records = 0;
    std::vector<Column> columns;  // as wanted
  };
  // In some columns of the table. Nothing where one of them has no texts.
  std::optional<Sample> in(std::span<const std::size_t> wanted) const;

 private:
  struct Texts {
    Dictionary texts;
    std::map<std::uint64_t, std::vector<Code>> pieces;  // by the row they begin with
    std::vector<Code> first() const;                    // without a gap
  };
  bool read_together(const Table& table, std::vector<std::size_t> wanted, std::uint64_t first_row);

  std::map<std::size_t, Texts> columns_;  // by column of the table
  std::vector<std::size_t> textless_;     // ascending
};

}  // namespace semveil
