// Text in columns, for people: as wide as what stands in it, and no line wider than a page.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace semveil::cli {

inline constexpr std::size_t kPageWidth = 100;

class TextTable {
 public:
  enum class Align : bool { kLeft, kRight };
  explicit TextTable(std::vector<Align> columns) : align_(std::move(columns)) {}

  // Cells that are not given are empty.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  // Every line indented by two blanks; two blanks between columns, none at the end of a line.
  std::string text() const;

 private:
  std::vector<Align> align_;
  std::vector<std::vector<std::string>> rows_;
};

// Words in lines of at most the page's width; the first line begins with `head`, the others with as
// many blanks. A single word is never cut.
std::string wrapped(std::string_view head, std::string_view text);

std::string figure(const std::optional<double>& value);  // 0.1234; "-" where there is none
std::string percent(std::uint64_t part, std::uint64_t whole);
std::string counted(std::uint64_t number, std::string_view one, std::string_view many);  // 1 record
std::string listed(const std::vector<std::string>& names);  // a, b, c; each no wider than a name

inline constexpr std::size_t kNameWidth = 24;
std::string name_cell(std::string_view name);  // a column's name, made printable and cut

}  // namespace semveil::cli
