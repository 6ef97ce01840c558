#include "propose/date_formats.h"

#include "base/date_text.h"

namespace semveil {
namespace {

constexpr std::string_view kIsoFormat;
constexpr std::string_view kDateFormats[] = {"%Y/%m/%d", "%Y.%m.%d", "%Y%m%d",
                                             "%d.%m.%Y", "%m.%d.%Y", "%d/%m/%Y",
                                             "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y"};

bool reads_all(std::string_view format, const ColumnFacts& column) {
  const Result<DateForm> form = DateForm::of(format);
  if (!form) return false;
  for (Code code = 0; code < column.counts.size(); ++code) {
    if (column.counts[code] == 0 || column.markers[code]) continue;
    if (!form->read(column.text(code))) return false;
  }
  return true;
}

}  // namespace

std::optional<std::string> date_format(const ColumnFacts& column) {
  if (reads_all(kIsoFormat, column)) return std::string(kIsoFormat);
  std::optional<std::string> found;
  for (const std::string_view format : kDateFormats) {
    if (!reads_all(format, column)) continue;
    if (found) return std::nullopt;
    found = format;
  }
  return found;
}

}  // namespace semveil
