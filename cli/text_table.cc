#include "text_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "verb.h"

namespace semveil::cli {

std::string TextTable::text() const {
  std::vector<std::size_t> widths(align_.size());
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string out;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += "  ";
      if (align_[i] == Align::kRight) line += std::string(widths[i] - width(row[i]), ' ');
      line += align_[i] == Align::kRight ? row[i] : padded(row[i], widths[i]);
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

std::string wrapped(std::string_view head, std::string_view text) {
  const std::size_t indent = width(head);
  std::string out(head);
  std::size_t at = indent;
  bool fresh = true;  // nothing stands on this line yet
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (!fresh && at + 1 + width(word) > kPageWidth) {
      out += "\n" + std::string(indent, ' ');
      at = indent;
      fresh = true;
    }
    if (!fresh) out += ' ';
    out += word;
    at += width(word) + (fresh ? 0 : 1);
    fresh = false;
  }
  return out + "\n";
}

std::string figure(const std::optional<double>& value) {
  return value ? fmt::format("{:.4f}", *value) : "-";
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "-";
  return fmt::format("{:.2f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string counted(std::uint64_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", grouped(number), number == 1 ? one : many);
}

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name_cell(name);
  return out;
}

std::string name_cell(std::string_view name) { return shortened(printable(name), kNameWidth); }

}  // namespace semveil::cli
