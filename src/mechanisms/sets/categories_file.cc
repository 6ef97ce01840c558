// Categories from a file: reading it, and what its texts mean to a column.
//
// A line is cut where CSV would cut it, at commas outside quotes; every field is trimmed, and then
// the CSV reader says what a quoted one means or what is wrong with it. Thus blanks around quotes
// do not count, which CSV itself does not allow. A value never goes on in the next line: the quote
// that somebody forgot is found in its own line.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/csv.h"
#include "base/text.h"
#include "base/trimmed.h"
#include "mechanisms/sets/categories.h"
#include "mechanisms/sets/category_parts.h"

namespace semveil {
namespace {

constexpr CsvDialect kDialect{};

// The fields of a line as they stand there, trimmed.
std::vector<std::string_view> raw_fields(std::string_view line) {
  std::vector<std::string_view> fields;
  bool quoted = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == kDialect.quote) quoted = !quoted;
    if (line[i] != kDialect.separator || quoted) continue;
    fields.push_back(trimmed(line.substr(begin, i - begin)));
    begin = i + 1;
  }
  fields.push_back(trimmed(line.substr(begin)));
  return fields;
}

// Without the quotes, if it has any, and trimmed once more.
Result<std::string> value_of_field(std::string_view raw) {
  if (raw.find_first_of("\"\r") == raw.npos) return std::string(raw);
  const std::string record = std::string(raw) + "\r\n";
  Result<CsvReader> reader = CsvReader::over(record, {}, kDialect);
  if (!reader) return fail(std::move(reader.error()));
  const auto fields = reader->next();
  if (!fields) return fail(fields.error());
  return std::string(*fields ? trimmed((**fields)[0]) : std::string_view());
}

class LinesReader {
 public:
  explicit LinesReader(std::string name) : name_(std::move(name)) {}

  // The next line, without its line end.
  Status read(std::string_view line) {
    ++line_;
    const std::string_view content = trimmed(line);
    if (content.empty()) {
      if (blank_ == 0) blank_ = line_;
      return {};
    }
    if (content.front() == '#') return check_bytes(content);
    // A blank line counts only where a category comes behind it.
    if (blank_ != 0) return fail(empty_category(blank_));
    CategoryLine category{line_, {}};
    const std::vector<std::string_view> fields = raw_fields(line);
    for (const std::string_view field : fields) {
      if (Status valid = check_bytes(field); !valid) return valid;
      Result<std::string> value = value_of_field(field);
      if (!value) {
        return fail(std::move(value.error()).at(name_, line_).quoting(std::string(field)));
      }
      category.values.push_back(*std::move(value));
    }
    if (Status added = check(category); !added) return added;
    categories_.push_back(std::move(category));
    return {};
  }

  Result<std::vector<CategoryLine>> take() && {
    if (categories_.empty()) {
      return fail(data_error("no category in it: write one on each line, its values separated by "
                             "commas")
                      .at(name_));
    }
    return std::move(categories_);
  }

 private:
  Error error(std::string message, std::string_view value) const {
    return data_error(std::move(message)).at(name_, line_).quoting(std::string(value));
  }
  Error empty_category(std::uint64_t line) const {
    return data_error("empty category: write its values on this line, or delete the line")
        .at(name_, line);
  }

  Status check_bytes(std::string_view text) const {
    if (find_invalid_utf8(text) != text.npos) {
      return fail(error("the text is not valid UTF-8: save it as UTF-8", text));
    }
    if (text.find('\0') != text.npos) {
      return fail(error("a NUL byte in the text: save it as UTF-8 without NUL bytes", text));
    }
    return {};
  }

  Status check(const CategoryLine& category) {
    const auto is_empty = [](const std::string& value) { return value.empty(); };
    const std::vector<std::string>& values = category.values;
    if (std::all_of(values.begin(), values.end(), is_empty)) return fail(empty_category(line_));
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i].empty()) {
        return fail(error(i == 0 ? "the first value is empty: delete its comma"
                                 : "an empty value behind this one: delete its comma",
                          i == 0 ? std::string_view() : values[i - 1]));
      }
      const auto [known, fresh] = lines_.try_emplace(values[i], line_);
      if (fresh) continue;
      return fail(error(known->second == line_
                            ? fmt::format("this value stands twice in line {}: delete one", line_)
                            : fmt::format("this value stands in line {} and in line {}: keep it "
                                          "in one category",
                                          known->second, line_),
                        values[i]));
    }
    return {};
  }

  std::string name_;
  std::uint64_t line_ = 0;
  std::uint64_t blank_ = 0;                     // the first blank line; 0: none
  std::map<std::string, std::uint64_t> lines_;  // by value
  std::vector<CategoryLine> categories_;
};

// The most frequent value without a category, if there is one.
Status check_covered(const FrequencyColumn& column, const std::string& name,
                     const std::map<ConceptId, std::size_t>& listed) {
  std::size_t left = 0;
  OccurringValue worst{0, 0};
  for (const OccurringValue& value : occurring_values(column)) {
    if (listed.contains(value.value)) continue;
    ++left;
    if (value.count > worst.count) worst = value;
  }
  if (left == 0) return {};
  const Attribute& attribute = *column.attribute;
  return fail(
      data_error(fmt::format("this value of {} record{} is in no category{}: write every value of "
                             "the column on the line of its category",
                             worst.count, worst.count == 1 ? "" : "s",
                             left == 1   ? ""
                             : left == 2 ? ", nor is 1 other value"
                                         : fmt::format(", nor are {} other values", left - 1)))
          .at({name, 0, attribute.name})
          .quoting(text_of(attribute, worst.value)));
}

}  // namespace

Result<std::vector<CategoryLine>> read_categories(std::string_view text, const std::string& name) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  LinesReader reader(name);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (Status read = reader.read(line); !read) return fail(std::move(read.error()));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::move(reader).take();
}

Result<Categories> listed_categories(const std::vector<CategoryLine>& lines,
                                     const std::string& name, const ValueOf& value_of,
                                     const FrequencyColumn& column) {
  const Attribute& attribute = *column.attribute;
  const auto error = [&](std::string message, std::uint64_t line, const std::string& text) {
    return data_error(std::move(message)).at({name, line, attribute.name}).quoting(text);
  };
  Categories categories;
  std::map<ConceptId, std::size_t> listed;  // by value: the place of its line
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const CategoryLine& line = lines[i];
    for (const std::string& text : line.values) {
      const std::optional<ConceptId> value = value_of(text);
      if (!value || *value >= attribute.size()) {
        return fail(
            error("this is none of the column's values: correct it, or take it out of its "
                  "category",
                  line.line, text));
      }
      const auto [known, fresh] = listed.try_emplace(*value, i);
      if (fresh || known->second == i) continue;
      const std::uint64_t other = lines[known->second].line;
      return fail(error(fmt::format("this means a value that line {} has as well as line {}: keep "
                                    "it in one category",
                                    other, line.line),
                        line.line, text)
                      .hinting(fmt::format("it means {}", text_of(attribute, *value))));
    }
    categories.list.push_back({fmt::format("line {}", line.line), {}});
  }
  for (const auto& [value, place] : listed) categories.list[place].values.push_back(value);
  if (Status covered = check_covered(column, name, listed); !covered) {
    return fail(std::move(covered.error()));
  }
  return categories;
}

}  // namespace semveil
