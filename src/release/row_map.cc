#include "release/row_map.h"

#include <fmt/format.h>

#include <charconv>

#include "release/row_keys.h"
#include "table/shuffle.h"

namespace semveil {
namespace {

constexpr std::string_view kHeader = "output_row,input_row";

std::optional<std::uint64_t> row_number(std::string_view text) {
  std::uint64_t row = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), row);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return row;
}

}  // namespace

void RowMap::add(std::uint64_t first_row, std::size_t rows, const std::vector<bool>& dropped) {
  for (std::size_t row = 0; row < rows; ++row) {
    if (dropped.empty() || !dropped[row]) rows_.push_back(first_row + row);
  }
}

std::vector<std::uint64_t> RowMap::finish(const std::optional<Key>& shuffle) && {
  if (!shuffle) return std::move(rows_);
  const ShuffleOrder order(*shuffle);
  const std::vector<std::uint8_t> part_of = order.parts(0, rows_.size());
  std::vector<std::vector<std::uint64_t>> parts(kShuffleParts);  // of rows that are not left out
  for (std::size_t row = 0; row < rows_.size(); ++row) parts[part_of[row]].push_back(row);
  std::vector<std::uint64_t> out;
  out.reserve(rows_.size());
  for (const std::vector<std::uint64_t>& part : parts) {
    for (const std::uint32_t place : order.order(part)) out.push_back(rows_[part[place]]);
  }
  return out;
}

Result<PendingFile> prepare_row_map(const std::string& path,
                                    std::span<const std::uint64_t> input_rows) {
  constexpr unsigned kOwnerOnly = 0600;
  constexpr std::size_t kPiece = std::size_t{1} << 20U;
  Result<PendingFile> file = PendingFile::create(path, kOwnerOnly);
  if (!file) return file;
  std::string lines(kHeader);
  lines += '\n';
  for (std::size_t row = 0; row < input_rows.size(); ++row) {
    fmt::format_to(std::back_inserter(lines), "{},{}\n", row, input_rows[row]);
    if (lines.size() < kPiece) continue;
    if (const Status status = file->append(lines); !status) return fail(status.error());
    lines.clear();
  }
  if (const Status status = file->append(lines); !status) return fail(status.error());
  return file;
}

Result<std::vector<std::uint64_t>> read_row_map(const std::string& path,
                                                std::uint64_t original_records,
                                                std::uint64_t masked_records) {
  std::vector<std::uint64_t> rows(masked_records, kNobody);
  std::vector<bool> used(original_records, false);
  const Status read = for_each_row(
      path, 2, [&](std::uint64_t line, std::span<const std::string_view> cells) -> Status {
        const auto refuse = [&](std::string why) {
          return fail(data_error(std::move(why) + "; rows are counted from 0, and the file must be "
                                                  "the row map of this very release")
                          .at(path, line));
        };
        const std::optional<std::uint64_t> output = row_number(cells[0]);
        const std::optional<std::uint64_t> input = row_number(cells[1]);
        if (!output || !input) return refuse("a row is not a number");
        if (*output >= masked_records) {
          return refuse(fmt::format("the released table has no row {}", *output));
        }
        if (*input >= original_records) {
          return refuse(fmt::format("the original table has no row {}", *input));
        }
        if (rows[*output] != kNobody) return refuse(fmt::format("row {} comes twice", *output));
        if (used[*input]) {
          return refuse(fmt::format("row {} of the original comes twice", *input));
        }
        rows[*output] = *input;
        used[*input] = true;
        return {};
      });
  if (!read) return fail(read.error());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row] != kNobody) continue;
    return fail(data_error(fmt::format("row {} of the released table is not in the row map: it "
                                       "must be the row map of this very release",
                                       row))
                    .at(path));
  }
  return rows;
}

}  // namespace semveil
