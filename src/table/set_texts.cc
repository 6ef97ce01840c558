#include "table/set_texts.h"

#include <fmt/format.h>

#include <map>

#include "base/csv.h"

namespace semveil {

std::vector<std::string> released_names(const std::string& name, const Edits::Replace& replace) {
  if (!replace.set || replace.set->kind != SetForm::Kind::kColumns) return {name};
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= replace.set->width; ++i) {
    names.push_back(fmt::format("{}_{}", name, i));
  }
  return names;
}

Status check_set_names(const std::vector<std::string>& columns, const Edits& edits) {
  const auto is_columns = [](const Edits::Replace& replace) {
    return replace.set && replace.set->kind == SetForm::Kind::kColumns;
  };
  if (std::none_of(edits.replace.begin(), edits.replace.end(), is_columns)) return {};
  std::map<std::string, std::size_t> times;
  auto next = edits.replace.begin();
  for (std::size_t column = 0; column < columns.size(); ++column) {
    const bool replaced = next != edits.replace.end() && next->column == column;
    if (replaced) {
      for (const std::string& name : released_names(columns[column], *next++)) ++times[name];
    } else if (!std::binary_search(edits.drop.begin(), edits.drop.end(), column)) {
      ++times[columns[column]];
    }
  }
  for (const Edits::Replace& replace : edits.replace) {
    if (!is_columns(replace)) continue;
    for (const std::string& name : released_names(columns[replace.column], replace)) {
      if (times[name] == 1) continue;
      return fail(data_error(fmt::format("the sets of this column would be written to a column "
                                         "'{}', and there is another of that name: rename or drop "
                                         "one of the two, or write sets joined or as lists",
                                         name))
                      .at({.file = {}, .line = 0, .column = columns[replace.column]}));
    }
  }
  return {};
}

void append_json(std::string_view text, std::string& out) {
  constexpr std::string_view kShort = "\"\"\\\\\bb\ff\nn\rr\tt";  // a character, its letter
  out += '"';
  for (const char c : text) {
    if (static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\') {
      out += c;
      continue;
    }
    std::size_t at = 0;
    while (at < kShort.size() && kShort[at] != c) at += 2;
    if (at < kShort.size()) {
      out += '\\';
      out += kShort[at + 1];
    } else {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    }
  }
  out += '"';
}

bool are_sets(std::span<const Code> codes, std::size_t rows, std::size_t width, std::size_t known) {
  if (codes.size() != rows * width) return false;
  bool all_known = true;
  for (const Code code : codes) all_known &= code < known;
  if (all_known) return true;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto set = codes.subspan(row * width, width);
    const bool missing = set[0] == kMissing;
    const auto fits = [&](Code code) { return missing ? code == kMissing : code < known; };
    if (!std::all_of(set.begin(), set.end(), fits)) return false;
  }
  return true;
}

SetTexts::SetTexts(const std::vector<std::string_view>& texts, const SetForm& form,
                   std::string_view missing, CsvDialect dialect)
    : width_(form.width), missing_(csv_field(missing, dialect)) {
  begin_.reserve(texts.size() + 1);
  if (form.kind == SetForm::Kind::kColumns) {
    const std::string separator(1, dialect.separator);
    for (const std::string_view text : texts) add(csv_field(text, dialect), false, separator);
    const std::string one = missing_;
    for (std::size_t i = 1; i < width_; ++i) missing_ += separator + one;
    finish();
    return;
  }

  const bool list = form.kind == SetForm::Kind::kList;
  const auto special = [dialect](char c) {
    return c == dialect.separator || c == dialect.quote || c == '\n' || c == '\r';
  };
  const auto is_special = [&](std::string_view text) {
    return std::any_of(text.begin(), text.end(), special);
  };
  const auto inside = [dialect](std::string_view text) {
    std::string doubled;
    for (const char c : text) doubled.append(c == dialect.quote ? 2 : 1, c);
    return doubled;
  };
  const std::string_view separator = list ? std::string_view(",") : form.separator;
  const std::string behind = inside(separator);
  // A blank at either end of a field needs quotes, too: that of the separator where the text at
  // that end is empty.
  const bool blank_ends = csv_field(separator, dialect) != separator;
  for (const std::string_view text : texts) {
    if (list) {
      std::string json;
      append_json(text, json);
      add(inside(json), is_special(json), behind);
    } else {
      const bool needs_quotes = text.empty() ? blank_ends : csv_field(text, dialect) != text;
      add(inside(text), needs_quotes, behind);
    }
  }
  if (width_ > 1 && is_special(separator)) quoted_ = 1;
  if (list && is_special("[]")) quoted_ = 1;
  const std::string quote(1, dialect.quote);
  open_ = {bracket(list ? "[" : ""), bracket(quote + inside(list ? "[" : ""))};
  close_ = {bracket(list ? "]" : ""), bracket(inside(list ? "]" : "") + quote)};
  finish();
}

SetTexts::SetTexts(const std::vector<std::string_view>& texts, const SetForm& form)
    : width_(form.width) {
  begin_.reserve(texts.size() + 1);
  for (const std::string_view text : texts) add(text, false, form.separator);
  finish();
}

SetTexts::Bracket SetTexts::bracket(std::string_view text) {
  Bracket made{};
  made.size = static_cast<std::uint32_t>(text.copy(made.bytes.data(), made.bytes.size()));
  return made;
}

void SetTexts::add(std::string_view text, bool needs_quotes, std::string_view separator) {
  begin_.push_back(arena_.size() << 1 | (needs_quotes ? 1 : 0));
  arena_.append(text.data(), text.size());
  arena_.append(separator.data(), separator.size());
  separator_ = separator.size();
  room_ = std::max(room_, text.size() + separator.size());
}

void SetTexts::finish() {
  begin_.push_back(arena_.size() << 1);
  arena_.make_room(kStep);
  room_ = std::max(width_ * room_ + 2 * sizeof(Bracket::bytes), missing_.size()) + kStep;
}

}  // namespace semveil
