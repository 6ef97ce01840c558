#include "release/recoded_counts.h"

#include <numeric>

namespace semveil {

CountRecoder::CountRecoder(SurveyPart::Impl& counts)
    : counts_(counts), code_of_(counts.columns.size()), originals_(counts.columns.size()) {}

std::vector<RecodedColumn::Text> CountRecoder::texts(std::size_t column) const {
  const CountedTexts& counted = counts_.columns[column];
  std::vector<RecodedColumn::Text> out;
  for (Code code = 0; code < counted.texts.size(); ++code) {
    out.push_back({counted.texts.text(code), counted.counts[code], counted.texts.first_line(code)});
  }
  return out;
}

Status CountRecoder::recode(std::size_t column, const Recoding& recoding, const std::string& table,
                            const std::string& name) {
  if (recoding.draws()) return {};
  CountedTexts& counted = counts_.columns[column];
  CountedTexts after;
  after.missing = counted.missing;
  std::vector<Code> to;
  for (Code code = 0; code < counted.texts.size(); ++code) {
    const std::uint64_t line = counted.texts.first_line(code);
    Result<std::optional<std::string>> text = recoding.recode(counted.texts.text(code), "");
    if (!text) return fail(std::move(text.error()).at({table, line, name}));
    if (!*text) {
      after.missing += counted.counts[code];
      to.push_back(kMissing);
      continue;
    }
    to.push_back(after.texts.add(**text, line));
    if (to.back() == after.counts.size()) after.counts.push_back(0);
    after.counts[to.back()] += counted.counts[code];
  }
  std::vector<Code>& code_of = code_of_[column];
  if (code_of.empty()) {
    originals_[column].texts = std::move(counted.texts);
    originals_[column].counts = std::move(counted.counts);
    originals_[column].missing = counted.missing;
  }
  counted.texts = std::move(after.texts);
  counted.counts = std::move(after.counts);
  counted.missing = after.missing;
  counted.first_rows.clear();
  if (code_of.empty()) {
    code_of = std::move(to);
    return {};
  }
  for (Code& code : code_of) code = code == kMissing ? kMissing : to[code];
  return {};
}

// Whose records have each combination, or text of the only column that is joined.
PersonPairs CountRecoder::persons_of(const std::vector<Code>& things) const {
  if (things.empty()) return counts_.persons;
  PersonPairs after;
  for (const std::uint64_t pair : counts_.persons.all()) {
    const std::uint32_t thing = PersonPairs::tuple_of(pair);
    after.add(thing == kMissing ? kMissing : things[thing], PersonPairs::person_of(pair));
  }
  after.settle();
  return after;
}

CountRecoder::Combinations CountRecoder::combined(const std::vector<bool>& kept) const {
  static const std::vector<Code> kAsCounted;
  std::vector<const std::vector<Code>*> code_of;  // by joined column
  for (const std::size_t j : counts_.joined) {
    code_of.push_back(kept[j] ? &kAsCounted : &code_of_[j]);
  }
  const TupleCounter& before = counts_.tuples;
  TupleCounter after(before.width());
  std::vector<Code> tuple(before.width());
  std::vector<Code> became;  // by tuple
  for (std::size_t t = 0; t < before.size(); ++t) {
    for (std::size_t i = 0; i < tuple.size(); ++i) {
      const Code code = before.tuple(t)[i];
      tuple[i] = code == kMissing || code_of[i]->empty() ? code : (*code_of[i])[code];
    }
    became.push_back(static_cast<Code>(after.add(tuple, before.count(t))));
  }
  Combinations out{std::move(after), {}};
  if (counts_.person) out.persons = persons_of(code_of.size() == 1 ? *code_of.front() : became);
  return out;
}

void CountRecoder::recode_tuples() {
  Combinations after = combined(std::vector<bool>(code_of_.size(), false));
  counts_.tuples = std::move(after.tuples);
  if (counts_.person) counts_.persons = std::move(after.persons);
}

}  // namespace semveil
