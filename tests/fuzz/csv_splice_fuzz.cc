// CSV of any bytes: the records are those of the slow cutter, in any pieces; splicing without edits
// gives the same bytes.
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const bool damaged = text.find('\0') != std::string_view::npos ||
                       find_invalid_utf8(text) != std::string_view::npos;
  for (const std::size_t piece : {std::size_t{1}, std::size_t{64}, std::size_t{1} << 18}) {
    compare(text, piece, damaged);
  }
  // Packed bytes would be unpacked.
  if (!text.starts_with("\x1F\x8B") && !text.starts_with("\x28\xB5\x2F\xFD")) splice(text);
  return 0;
}
