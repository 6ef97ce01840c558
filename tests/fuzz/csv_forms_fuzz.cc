// Forms of CSV: with the dialect that a first line shows, or with one that is given, what is read
// can be written in any dialect and read again. The first byte chooses.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/csv.h"
#include "base/text.h"
#include "fuzz/touch.h"

namespace {

using namespace semveil;
using fuzz::require;

using Records = std::vector<std::vector<std::string>>;

constexpr std::array<CsvDialect, 5> kDialects{
    {{',', '"'}, {';', '"'}, {'\t', '"'}, {'|', '\''}, {':', '\''}}};

// Nothing where the text is none, for a reason that is told.
std::optional<Records> read_all(std::string_view text, std::optional<CsvDialect> dialect,
                                CsvReader::Ragged ragged) {
  const auto told = [](const Error& error) {
    require(error.code == ErrorCode::kData && !error.message.empty() && error.place.file == "t");
    return std::nullopt;
  };
  auto reader = CsvReader::over(text, "t", dialect, ragged);
  if (!reader) return told(reader.error());
  require(!dialect || (reader->dialect().separator == dialect->separator &&
                       reader->dialect().quote == dialect->quote));
  Records out;
  std::uint64_t line = 0;
  for (;;) {
    const auto record = reader->next();
    if (!record) return told(record.error());
    if (!*record) return out;
    require(reader->line() > line);
    line = reader->line();
    out.emplace_back((*record)->begin(), (*record)->end());
    for (const std::string& field : out.back()) {
      require(field.find('\0') == field.npos && find_invalid_utf8(field) == field.npos);
    }
  }
}

std::string written(const Records& records, CsvDialect dialect) {
  std::string out;
  for (const auto& record : records) {
    for (std::size_t i = 0; i < record.size(); ++i) {
      if (i > 0) out += dialect.separator;
      out += csv_field(record[i], dialect);
    }
    out += '\n';
  }
  return out;
}

// Lines that say nothing are read over, and a mark before the first field is none of it.
bool can_be_written(const Records& records) {
  for (const auto& record : records) {
    if (record.size() == 1 && record.front().empty()) return false;
  }
  return !records.empty() && !records.front().front().starts_with(kByteOrderMark);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text = fuzz::text_of(data + 1, size - 1);
  const std::size_t choice = data[0] % (kDialects.size() + 1);
  const auto dialect = choice < kDialects.size() ? std::optional(kDialects[choice]) : std::nullopt;
  const auto records = read_all(
      text, dialect, data[0] >= 0x80 ? CsvReader::Ragged::kAllow : CsvReader::Ragged::kRefuse);
  if (!records || !can_be_written(*records)) return 0;
  for (const CsvDialect& other : kDialects) {
    const auto again = read_all(written(*records, other), other, CsvReader::Ragged::kAllow);
    require(again == records);
  }
  return 0;
}
