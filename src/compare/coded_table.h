// A table read once and kept: of some columns every cell as the code of its text, 4 bytes each.
//
// What is kept can be read, surveyed and masked as a table; what masking would write is caught as
// codes instead. A table in memory has the same codes as its file, so that a release made from it
// has the draws of one that is written.
//
// Records that are set aside are a table of their own, and nothing of them is in the other one: no
// text, and no place in its order.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "semveil/release.h"
#include "semveil/table.h"

namespace semveil {

// What a release would have in its file.
struct ReleasedCells {
  struct Column {
    std::size_t column = 0;  // of the table
    // By released record, of sets `width` times: a place in `texts`, kMissing, or kAsItWas.
    std::vector<Code> cells;
    std::vector<std::string_view> texts;
    std::optional<std::size_t> width;  // of sets
  };
  std::vector<Column> columns;       // those that were replaced, ascending
  std::vector<std::size_t> dropped;  // columns
  std::vector<std::uint64_t> rows;   // by released record: which record it was

  const Column* find(std::size_t column) const;
};

class CodedTable {
 public:
  struct Parts;
  // `wanted`: columns of the table. Records for which `aside` holds are left to the other part;
  // where one of the columns tells persons apart, all records of a person go with the first.
  static Result<Parts> read(const Table& table, const std::vector<std::size_t>& wanted,
                            const std::function<bool(std::uint64_t row)>& aside,
                            const WorkProgress& progress,
                            std::optional<std::size_t> person = std::nullopt);

  const std::string& name() const { return name_; }
  const std::vector<std::string>& names() const { return names_; }  // of all columns
  std::uint64_t records() const { return records_; }
  bool has(std::size_t column) const { return cells_[column].has_value(); }
  const std::vector<Code>& codes(std::size_t column) const { return cells_[column]->codes; }
  const Dictionary& texts(std::size_t column) const { return *cells_[column]->texts; }

  // Cells with one of these texts become missing.
  void hide(const std::vector<std::string>& texts);
  // The released table: sets in columns of their own, NAME_1, NAME_2, …
  CodedTable released(const ReleasedCells& cells) const;

  // This as a table; it must not outlive it. What is written to the table goes to `released`.
  Table table(std::shared_ptr<ReleasedCells> released = nullptr) const;

 private:
  struct Cells {
    std::vector<Code> codes;  // by record
    std::shared_ptr<Dictionary> texts;
  };
  CodedTable(const Table& table, const std::vector<std::size_t>& wanted);
  explicit CodedTable(std::string name) : name_(std::move(name)) {}

  std::string name_;
  std::vector<std::string> names_;
  std::uint64_t records_ = 0;
  std::vector<std::optional<Cells>> cells_;  // by column of the table; nothing: not read
};

struct CodedTable::Parts {
  CodedTable kept, aside;
};

}  // namespace semveil
