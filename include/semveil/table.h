// Tables: read in batches, some cells replaced, everything else left as it was.
//
// CSV and TSV (plain, gzip or zstd; "-" is standard input or output) are semveil's own: masked
// cells are spliced into the line, every other byte is copied. Parquet and Arrow IPC/Feather go
// through Apache Arrow, which is loaded on first use.
//
// A pass reads a table from its first record to its last:
//
//   source.next(dictionaries)   one after the other: the wanted columns' cells as codes
//   sink.render(batch, cells)   on any thread: the batch as it will be written
//   sink.write(rendered)        one after the other, in order
//
// Memory: a few batches and the dictionaries.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "semveil/code.h"
#include "semveil/files.h"
#include "semveil/key.h"
#include "semveil/result.h"

namespace [[gnu::visibility("default")]] semveil {

// The distinct texts of a column, numbered as they came.
class Dictionary {
 public:
  Dictionary();
  ~Dictionary();
  Dictionary(const Dictionary&) = delete;
  Dictionary& operator=(const Dictionary&) = delete;
  Dictionary(Dictionary&&) noexcept;
  Dictionary& operator=(Dictionary&&) noexcept;

  std::size_t size() const;
  std::string_view text(Code code) const;  // lives as long as the dictionary
  // The line a text was first seen on; 0 where the table has no lines.
  std::uint64_t first_line(Code code) const;
  std::optional<Code> find(std::string_view text) const;
  Code add(std::string_view text, std::uint64_t line);  // the old code if it is known
  // The codes of at most kAtOnce texts, faster, each with at least 16 readable bytes from its
  // beginning on. Where bit i of the answer is set, text i may be known or not: codes[i] says
  // nothing, add() or find() do.
  static constexpr std::size_t kAtOnce = 64;
  std::uint64_t find_padded(std::span<const std::string_view> texts, std::span<Code> codes) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

struct TableOptions {
  std::optional<char> separator, quote;            // of CSV; without them the first line decides
  std::vector<std::string> missing_values = {""};  // texts that stand for nothing; nulls always do
  std::uint64_t batch_rows = 0;                    // most rows of a batch; 0: as the reader likes
  // Where input that cannot be read twice is kept, encrypted, in a file without a name.
  std::string temp_folder = ".";
};

class TableBatch {
 public:
  virtual ~TableBatch() = default;
  // The texts of a column of the table, nulls as nothing; views live as long as the batch. For
  // sinks of another format.
  virtual std::vector<std::optional<std::string_view>> texts(std::size_t column) const = 0;

  std::uint64_t first_row = 0;
  std::size_t rows = 0;
  std::vector<std::vector<Code>> codes;  // by place among the wanted columns, then by row
  std::uint64_t bytes = 0;               // of the file that were read for it, for progress
  std::vector<bool> dropped;             // set by whoever renders it: rows left out; empty: none
};

class TableSource {  // one pass
 public:
  virtual ~TableSource() = default;
  // The next records; null at the end. `dictionaries` belong to the wanted columns and grow.
  virtual Result<std::unique_ptr<TableBatch>> next(std::span<Dictionary> dictionaries) = 0;
};

// What a source reads: a pass that only counts need not read the columns it does not want, where
// the format lets them be skipped. Such batches have no other texts and cannot be rendered.
enum class Cells : bool { kAll, kWanted };

class RenderedBatch {
 public:
  virtual ~RenderedBatch() = default;
};

class TableSink {
 public:
  virtual ~TableSink() = default;
  // `cells`: for every replaced column in the order of Edits::replace, the codes of its new texts,
  // one per row, of sets `width` per row. Thread-safe.
  virtual Result<std::unique_ptr<RenderedBatch>> render(
      const TableBatch& batch, std::span<const std::span<const Code>> cells) const = 0;
  // More texts that the i-th replaced column may get, behind those of its edits; they outlive the
  // sink. Not while something is rendered. Only sinks of streams take them.
  virtual Status add_texts(std::size_t i, std::span<const std::string_view> texts);
  virtual Status write(std::unique_ptr<RenderedBatch> rendered) = 0;
  virtual Status flush() = 0;  // what was written reaches the reader of a pipe
  // Everything is on disk, but has no name yet.
  virtual Status finish() = 0;
  // How what was written can be read again after finish(), before it has a name. Nothing, from the
  // beginning: it goes to a pipe or a device.
  struct Written {
    std::string path;
    std::optional<char> separator, quote;  // of CSV
  };
  virtual std::optional<Written> written() const = 0;
  virtual bool in_place() const { return false; }  // PendingFile's
  // Gives it its name, after `others` got theirs: all or none (commit_together in files.h).
  virtual Status commit(std::vector<PendingFile> others = {}, Sync sync = Sync::kYes) = 0;
};

// Several texts in the place of one cell.
struct SetForm {
  enum class Kind : std::uint8_t {
    kJoined,   // one cell: the texts with a separator between them
    kList,     // one cell: a list where the format has lists, else a JSON array
    kColumns,  // a cell for each: columns NAME_1, NAME_2, …
  };
  Kind kind = Kind::kJoined;
  std::size_t width = 1;  // texts in a set
  std::string separator = "|";
};

// What a sink changes.
struct Edits {
  struct Replace {
    std::size_t column;  // of the table
    // By code; they outlive the sink. Without any, cells stay as they were or become empty, and a
    // typed column keeps its type.
    std::vector<std::string_view> texts;
    // Codes are then `width` for each row, one after the other: all of texts, or all kMissing,
    // which is one empty cell or null (kColumns: as many).
    std::optional<SetForm> set = std::nullopt;
    bool numbers = false;  // the texts say numbers, which a column of numbers can have
    bool dates = false;    // the texts say dates, and a column of dates or times keeps its type
  };
  std::vector<Replace> replace;   // ascending by column
  std::vector<std::size_t> drop;  // ascending
  bool drops_rows = false;        // some batches will have `dropped` rows
  std::string missing_text;       // what kMissing is written as; a null where there are nulls
  // The rows come out in a keyed random order that says nothing of the old one. Written rows go
  // through nameless temporary files in the options' temp_folder first; memory: one part of them.
  std::optional<Key> shuffle;
};

class MemoryOutput;

// A table that can be read again and again. Tables in memory: memory_table.h.
class Table {
 public:
  // Standard input, pipes and the like are copied to an encrypted file without a name first.
  static Result<Table> open(const std::string& path, const TableOptions& options = {});
  // Standard input as it comes, for one pass that does not wait for the end.
  static Result<Table> stream(const std::string& path, const TableOptions& options = {});
  ~Table();
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  Table(Table&&) noexcept;
  Table& operator=(Table&&) noexcept;

  const std::string& name() const;
  const std::vector<std::string>& columns() const;
  // An error that lists the columns where there is none of this name, or two.
  Result<std::size_t> column(std::string_view name) const;
  std::uint64_t bytes() const;  // of the file; 0 where nobody knows

  Result<std::unique_ptr<TableSource>> read(std::vector<std::size_t> wanted,
                                            Cells cells = Cells::kAll) const;
  // The format is told by the ending of `path`; "-" and unknown endings: this table's own.
  Result<std::unique_ptr<TableSink>> write(const std::string& path, Edits edits) const;
  // To memory; the output outlives the sink.
  Result<std::unique_ptr<TableSink>> write(MemoryOutput& output, Edits edits) const;

  class Impl;

 private:
  explicit Table(std::unique_ptr<Impl> impl);
  Status check(const Edits& edits) const;
  std::unique_ptr<Impl> impl_;
};

struct ColumnCounts {
  std::vector<std::pair<std::string, std::uint64_t>> values;  // distinct texts, sorted by bytes
  std::uint64_t records = 0;
  std::uint64_t missing = 0;  // nulls and missing values; in none of the values
};

// Called now and then with the records read so far.
using Progress = std::function<void(std::uint64_t)>;

// Counts the distinct texts of one column. Cost: one pass; memory for the distinct values.
Result<ColumnCounts> count_column(const std::string& table, std::string_view column,
                                  const Progress& progress = {}, const TableOptions& options = {});

// The rows of a CSV file after its header, which must have at least `columns` columns; visit gets
// the line a row begins on and may stop with an error.
Status for_each_row(
    const std::string& table, std::size_t columns,
    const std::function<Status(std::uint64_t, std::span<const std::string_view>)>& visit);

}  // namespace semveil
