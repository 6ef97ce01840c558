#include "mapping/codes.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/stop.h"

namespace semveil {
namespace {

constexpr std::size_t kLongest = 8, kCategory = 3;  // characters

struct Cut {                       // a text that may be a code
  std::string plain;               // capitals and digits
  std::optional<std::size_t> dot;  // characters before it
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Without blanks around and without dashes and marks behind; a dot at the end stays.
std::string_view without_marks(std::string_view text) {
  constexpr std::array<std::string_view, 9> kBehind{" ",      "\t", "\u00A0", "-", "\u2013",
                                                    "\u2020", "+",  "*",      "!"};
  constexpr std::array<std::string_view, 3> kBefore{" ", "\t", "\u00A0"};
  for (bool more = true; more;) {
    more = false;
    for (const std::string_view mark : kBehind) {
      if (!text.ends_with(mark)) continue;
      text.remove_suffix(mark.size());
      more = true;
    }
    for (const std::string_view blank : kBefore) {
      if (!text.starts_with(blank)) continue;
      text.remove_prefix(blank.size());
      more = true;
    }
  }
  return text;
}

std::optional<Cut> cut(std::string_view text) {
  text = without_marks(text);
  if (text.ends_with('.') && text.find('.') + 1 < text.size()) text.remove_suffix(1);  // E11.9.-
  if (text.size() > kLongest + 1) return std::nullopt;
  Cut code;
  bool has_digit = false;
  for (char c : text) {
    if (c == '.') {
      if (code.dot || code.plain.empty()) return std::nullopt;
      code.dot = code.plain.size();
      continue;
    }
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (!is_digit(c) && !(c >= 'A' && c <= 'Z')) return std::nullopt;
    has_digit |= is_digit(c);
    code.plain += c;
  }
  if (!has_digit || code.plain.size() > kLongest) return std::nullopt;
  return code;
}

std::uint64_t packed(std::string_view plain) {
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < kLongest; ++i) {
    key = key << 8 | (i < plain.size() ? static_cast<unsigned char>(plain[i]) : 0U);
  }
  return key;
}

}  // namespace

std::string plain_code(std::string_view text) {
  std::optional<Cut> code = cut(text);
  return code ? std::move(code->plain) : std::string();
}

bool has_digit_second(std::string_view plain) { return plain.size() > 1 && is_digit(plain[1]); }

bool is_written_for(std::string_view text, std::string_view code) {
  const std::string plain = plain_code(text);
  const std::string whole = plain_code(code);
  if (plain.empty() || plain.size() > whole.size() || !whole.ends_with(plain)) return false;
  const std::size_t lost = whole.size() - plain.size();
  return whole.find_first_not_of('0') >= lost;
}

CodeIndex::CodeIndex(const Names& names) {
  const auto& rows = names.arrays().row;
  entries_.reserve(rows.size());
  bool has_numbers = false, has_short_e = false;
  StopCheck check;
  for (ConceptId c = 0; c < rows.size(); ++c) {
    check();
    const std::string plain = plain_code(names.id(c));
    if (plain.empty()) continue;
    entries_.push_back({packed(plain), rows[c], c});
    has_numbers |= is_digit(plain.front());
    has_short_e |=
        plain.front() == 'E' && (plain.size() == kCategory || names.id(c).find('.') == kCategory);
  }
  long_e_codes_ = !has_short_e;
  short_e_codes_ = has_short_e || !has_numbers;
  std::sort(entries_.begin(), entries_.end());
}

std::vector<std::string> CodeIndex::readings(std::string_view text) const {
  std::optional<Cut> code = cut(text);
  if (!code) return {};
  const std::string& plain = code->plain;
  if (code->dot) {
    const bool is_e = plain.front() == 'E';
    if (*code->dot == kCategory && (!is_e || short_e_codes_)) return {plain};
    if (*code->dot == kCategory + 1 && is_e && long_e_codes_) return {plain};
    const auto before = std::string_view(plain).substr(0, *code->dot);
    const bool lost_zeros = *code->dot < kCategory && std::ranges::all_of(before, is_digit);
    if (!lost_zeros) return {};
    return {std::string(kCategory - *code->dot, '0') + plain};
  }
  std::vector<std::string> all{plain};
  constexpr std::size_t kMostDigits = 5;  // of ICD-9
  if (std::ranges::all_of(plain, is_digit)) {
    for (std::size_t size = std::max(plain.size() + 1, kCategory); size <= kMostDigits; ++size) {
      all.push_back(std::string(size - plain.size(), '0') + plain);
    }
  }
  return all;
}

std::size_t CodeIndex::category_size(std::string_view plain) const {
  return plain.starts_with('E') && long_e_codes_ ? kCategory + 1 : kCategory;
}

void CodeIndex::append(std::string_view plain, std::vector<Entry>& found) const {
  if (plain.size() > kLongest) return;
  const std::uint64_t key = packed(plain);
  const auto code_of = [](const Entry& e) { return e.code; };
  const auto same = std::ranges::equal_range(entries_, key, {}, code_of);
  found.insert(found.end(), same.begin(), same.end());
}

std::vector<ConceptId> CodeIndex::find(std::string_view text) const {
  std::vector<Entry> found;
  bool as_written = true;
  for (const std::string& plain : readings(text)) {
    append(plain, found);
    if (as_written && !found.empty()) break;
    as_written = false;
  }
  std::ranges::sort(found, {}, [](const Entry& e) { return e.row; });
  std::vector<ConceptId> concepts;
  concepts.reserve(found.size());
  for (const Entry& e : found) concepts.push_back(e.concept_id);
  return concepts;
}

std::vector<CodeIndex::Guess> CodeIndex::guesses(std::string_view text) const {
  std::vector<Guess> all;
  const auto add = [&](const std::vector<Entry>& found, std::size_t edits) {
    for (const Entry& e : found) {
      const bool known =
          std::ranges::any_of(all, [&](const Guess& g) { return g.concept_id == e.concept_id; });
      if (!known) all.push_back({e.concept_id, static_cast<unsigned>(edits)});
    }
  };
  const std::vector<std::string> plains = readings(text);
  for (const std::string_view zeros : {"0", "00"}) {
    for (const std::string& plain : plains) {
      std::vector<Entry> found;
      append(plain + std::string(zeros), found);
      add(found, zeros.size());
    }
  }
  for (const std::string& plain : plains) {
    std::vector<Entry> found;
    for (std::size_t size = plain.size(); size-- > kCategory && found.empty();) {
      append(std::string_view(plain).substr(0, size), found);
      add(found, plain.size() - size);
    }
  }
  return all;
}

}  // namespace semveil
