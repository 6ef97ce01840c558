// CSV of any bytes: the records are those of the slow cutter, in any pieces; splicing without edits
// gives the same bytes; with sets, what is read again is what the twin made by hand.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "base/csv_records.h"
#include "base/text.h"
#include "semveil/table.h"
#include "support/slow_csv.h"
#include "support/temporary_folder.h"
#include "table/set_tables.h"

namespace {

using namespace semveil;

void check(bool holds) {
  if (!holds) std::abort();
}

// The rows before the first error.
void compare(std::string_view text, std::size_t piece, bool damaged) {
  const test::SlowCsv slow = test::cut_slowly(text);
  CsvRecords::Options options;
  options.dialect = {',', '"'};
  options.piece = piece;
  auto records = CsvRecords::over(text, "t", options);
  if (!records) return check(text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"));
  CsvChunk chunk;
  auto expected = slow.records.begin();
  for (;;) {
    const Result<bool> more = records->next(chunk);
    if (!more) {
      if (damaged) return;
      check(slow.error_line && more.error().place.line == *slow.error_line);
    } else if (!*more) {
      check(!slow.error_line && !damaged);
    }
    while ((!more || !*more) && expected != slow.records.end() && expected->blank) ++expected;
    if (!more || !*more) return check(expected == slow.records.end());
    for (std::size_t row = 0; row < chunk.rows(); ++row, ++expected) {
      while (expected != slow.records.end() && expected->blank) ++expected;
      check(expected != slow.records.end());
      check(chunk.line(row) == expected->line && chunk.fields(row) == expected->raw.size());
      for (std::size_t i = 0; i < expected->raw.size(); ++i) {
        check(chunk.raw(row, i) == expected->raw[i]);
      }
    }
  }
}

void splice(std::string_view text) {
  static const test::TemporaryFolder folder;
  const std::string from = folder.path() + "/in.csv", to = folder.path() + "/out.csv";
  std::ofstream(from, std::ios::binary)
      .write(text.data(), static_cast<std::streamsize>(text.size()));
  const auto table = Table::open(from);
  if (!table) return;
  auto sink = table->write(to, {});
  auto source = table->read({});
  check(sink && source);
  for (;;) {
    const auto batch = (*source)->next({});
    if (!batch) return;
    if (!*batch) break;
    auto rendered = (*sink)->render(**batch, {});
    check(rendered && (*sink)->write(std::move(*rendered)));
  }
  check((*sink)->finish() && (*sink)->commit());
  std::ostringstream copy;
  copy << std::ifstream(to, std::ios::binary).rdbuf();
  check(copy.str() == text);
}

// The first column becomes sets.
void splice_sets(std::string_view text) {
  static const test::TemporaryFolder folder;
  const std::string from = folder.path() + "/in.csv";
  std::ofstream(from, std::ios::binary)
      .write(text.data(), static_cast<std::streamsize>(text.size()));
  const auto table = Table::open(from);
  if (!table) return;
  auto rows = test::read_rows(*table);
  if (!rows) return;
  rows->erase(rows->begin());
  using Kind = SetForm::Kind;
  for (const Kind kind : {Kind::kJoined, Kind::kList, Kind::kColumns}) {
    const auto& texts = test::kHostileTexts;
    test::SetWriting writing;
    writing.edits.replace.push_back({0, {texts.begin(), texts.end()}, SetForm{kind, 2, "; "}});
    writing.codes.emplace_back();
    for (std::size_t i = 0; i < 2 * rows->size(); ++i) {
      writing.codes[0].push_back(i / 2 % 5 == 4 ? kMissing
                                                : static_cast<Code>(i * 7 % texts.size()));
    }
    const auto sink = test::write_sets(*table, folder.path() + "/out.csv", writing);
    if (!sink && sink.error().code == ErrorCode::kData) continue;  // the name is taken
    check(sink.has_value());
    auto expected = test::sets_by_hand(table->columns(), *rows, writing);
    for (auto& row : expected) {
      for (auto& cell : row) cell = cell.value_or("");
    }
    const auto read = test::read_written(**sink);
    check(read && *read == expected);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const bool damaged = text.find('\0') != std::string_view::npos ||
                       find_invalid_utf8(text) != std::string_view::npos;
  for (const std::size_t piece : {std::size_t{1}, std::size_t{64}, std::size_t{1} << 18}) {
    compare(text, piece, damaged);
  }
  // Packed bytes would be unpacked, and what begins like a Parquet file is one without its name.
  if (text.starts_with("\x1F\x8B") || text.starts_with("\x28\xB5\x2F\xFD")) return 0;
  splice(text);
  for (const char* magic : {"PAR1", "PARE", "ARROW1", "FEA1"}) {
    if (text.starts_with(magic)) return 0;
  }
  splice_sets(text);
  return 0;
}
