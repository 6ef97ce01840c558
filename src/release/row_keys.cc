#include "release/row_keys.h"

#include <fmt/format.h>

#include "semveil/finding_guide.h"

namespace semveil {
namespace {

Status check_unique(const TableRows& rows, const std::string& table, const std::string& column) {
  std::vector<bool> seen(rows.apart_texts[0].size(), false);
  constexpr std::string_view kRemedy =
      "a key must tell every record: name another column, or the row map";
  for (std::size_t row = 0; row < rows.records; ++row) {
    const Code code = rows.apart[0][row];
    if (code == kMissing) {
      return fail(data_error(fmt::format("record {} has no key; {}", row + 1, kRemedy))
                      .at({table, 0, column}));
    }
    if (!seen[code]) {
      seen[code] = true;
      continue;
    }
    return fail(data_error(fmt::format("record {} has the same key as an earlier one, in this "
                                       "line; {}",
                                       row + 1, kRemedy))
                    .at({table, rows.apart_texts[0].first_line(code), column})
                    .quoting(std::string(rows.apart_texts[0].text(code))));
  }
  return {};
}

}  // namespace

void tell_strangers(std::uint64_t records, std::vector<std::string>& notes,
                    std::vector<Finding>& findings) {
  notes.push_back(
      fmt::format("{} records of the masked table have a key that the original has not", records));
  findings.push_back(make_finding("keys-unknown", Severity::kWarning, {},
                                  {{"records", static_cast<double>(records)}}));
}

Result<std::vector<std::uint64_t>> rows_by_key(const TableRows& original, const TableRows& masked,
                                               const KeyNames& names,
                                               std::vector<std::string>& notes,
                                               std::vector<Finding>& findings) {
  if (const Status status = check_unique(original, names.original, names.column); !status) {
    return fail(status.error());
  }
  if (const Status status = check_unique(masked, names.masked, names.column); !status) {
    return fail(status.error());
  }
  std::vector<std::uint64_t> row_of(original.apart_texts[0].size());
  for (std::uint64_t row = 0; row < original.records; ++row) row_of[original.apart[0][row]] = row;
  std::vector<std::uint64_t> rows;
  std::uint64_t strangers = 0;
  for (const Code code : masked.apart[0]) {
    const auto same = original.apart_texts[0].find(masked.apart_texts[0].text(code));
    rows.push_back(same ? row_of[*same] : kNobody);
    strangers += same ? 0 : 1;
  }
  if (strangers == masked.records && masked.records > 0) {
    return fail(data_error("no key of the masked table is in the original: name a column that was "
                           "left as it was, or the row map")
                    .at({names.masked, masked.apart_texts[0].first_line(0), names.column}));
  }
  if (strangers > 0) tell_strangers(strangers, notes, findings);
  return rows;
}

}  // namespace semveil
