// Categories files of any bytes: what is read can be written with quotes and read again, every
// value is trimmed, not empty and there once; and the categories of a column made of these values
// hold each of them once.
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/csv.h"
#include "base/text.h"
#include "base/trimmed.h"
#include "fuzz/touch.h"
#include "mechanisms/sets/categories.h"

namespace {

using namespace semveil;
using fuzz::require;

bool is_alike(const std::vector<CategoryLine>& a, const std::vector<CategoryLine>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].values != b[i].values) return false;
  }
  return true;
}

std::string written(const std::vector<CategoryLine>& lines) {
  std::string out = "#\n";  // a value may begin like a byte order mark
  for (const CategoryLine& line : lines) {
    for (std::size_t i = 0; i < line.values.size(); ++i) {
      if (i > 0) out += ", ";
      // Quoted, so that a value may begin with the comment's sign.
      const bool comment = line.values[i].front() == '#';
      const std::string field = csv_field(line.values[i]);
      out += comment && field.front() != '"' ? '"' + field + '"' : field;
    }
    out += '\n';
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto lines = read_categories(fuzz::text_of(data, size), "c.csv");
  if (!lines) {
    require(lines.error().code == ErrorCode::kData && lines.error().place.file == "c.csv");
    require(!lines.error().message.empty());
    return 0;
  }
  std::map<std::string, ConceptId, std::less<>> places;
  std::uint64_t before = 0;
  require(!lines->empty());
  for (const CategoryLine& line : *lines) {
    require(line.line > before && !line.values.empty());
    before = line.line;
    for (const std::string& value : line.values) {
      require(!value.empty() && trimmed(value) == value && value.find('\0') == value.npos);
      require(find_invalid_utf8(value) == value.npos);
      require(places.try_emplace(value, 0).second);
    }
  }
  const auto again = read_categories(written(*lines), "c.csv");
  require(again.has_value() && is_alike(*lines, *again));

  std::vector<std::string> texts;
  FrequencyColumn column;
  for (auto& [text, place] : places) {
    place = static_cast<ConceptId>(texts.size());
    texts.push_back(text);
    column.values.values.push_back(place);
    column.values.counts.push_back(1);
  }
  column.attribute = std::make_shared<const Attribute>(text_attribute("c", std::move(texts)));
  const auto value_of = [&](std::string_view text) -> std::optional<ConceptId> {
    const auto found = places.find(text);
    return found == places.end() ? std::nullopt : std::optional(found->second);
  };
  const auto categories = listed_categories(*lines, "c.csv", value_of, column);
  require(categories.has_value() && categories->list.size() == lines->size());
  std::size_t members = 0;
  for (const Categories::Category& category : categories->list) members += category.values.size();
  require(members == places.size());
  return 0;
}
