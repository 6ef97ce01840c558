#include "release/passing_columns.h"

#include <algorithm>
#include <span>

#include "release/first_records.h"
#include "release/telling.h"

namespace semveil {
namespace {

// What a text of a masked column means. Nothing: no concept, so that it is a value of its own.
std::optional<ConceptId> meaning(std::string_view text, const SurveyColumn& column) {
  const std::optional<Code> code = column.texts.find(text);
  if (!code || *code >= column.concepts.size() || column.concepts[*code] == kMissing) {
    return std::nullopt;
  }
  const bool stands_in = !column.stands_in.empty() && column.stands_in[*code];
  return stands_in ? std::nullopt : std::optional(column.concepts[*code]);
}

// The cells as dense codes in which two spellings of one concept are one value.
std::vector<Code> meanings(const FirstRecords::Column& sampled, const SurveyColumn& column) {
  std::vector<Code> of_text(sampled.texts.size(), kMissing);
  std::vector<Code> of_concept(column.attribute ? column.attribute->missing_value() + 1 : 0,
                               kMissing);
  std::vector<Code> out(sampled.codes.size(), kMissing);
  Code next = 0;
  for (std::size_t row = 0; row < out.size(); ++row) {
    const Code code = sampled.codes[row];
    if (code == kMissing) continue;
    if (of_text[code] == kMissing) {
      const std::optional<ConceptId> c = meaning(sampled.texts.text(code), column);
      Code& value = c ? of_concept[*c] : of_text[code];
      if (value == kMissing) value = next++;
      of_text[code] = value;
    }
    out[row] = of_text[code];
  }
  return out;
}

class FirstLook {
 public:
  FirstLook(const Table& table, const std::optional<MaskPlan>& mask,
            const std::vector<std::size_t>& others, Survey::Impl& survey)
      : table_(table), others_(others), survey_(survey), passing_(others) {
    for (const SurveyColumn& column : survey.columns) {
      if (!mask) continue;
      if (is_masked(column.plan, *mask)) {
        masked_.push_back(&column);
      } else if (column.plan.role != Role::kIdentifier) {
        passing_.push_back(column.column);
      }
    }
    if (masked_.empty()) passing_ = others;
    std::ranges::sort(passing_);
  }

  void run() {
    if (passing_.empty() || look(passing_)) return;
    for (const std::size_t column : passing_) look({column});
  }

 private:
  bool look(const std::vector<std::size_t>& passing) {
    std::vector<std::size_t> wanted = passing;
    for (const SurveyColumn* column : masked_) wanted.push_back(column->column);
    const Result<FirstRecords> first = FirstRecords::read(table_, std::move(wanted));
    if (!first) return false;
    std::vector<std::vector<Code>> meant;
    for (std::size_t m = 0; m < masked_.size(); ++m) {
      meant.push_back(meanings(first->columns[passing.size() + m], *masked_[m]));
    }
    const std::vector<std::span<const Code>> hidden(meant.begin(), meant.end());
    for (std::size_t p = 0; p < passing.size(); ++p) {
      const FirstRecords::Column& column = first->columns[p];
      note({table_.columns()[passing[p]], first->records, column.distinct, {}}, passing[p],
           guess(column.codes, hidden));
    }
    return true;
  }

  void note(Survey::PassedThrough column, std::size_t at, const std::vector<Guesses>& guesses) {
    const auto other = std::ranges::find(others_, at);
    if (other != others_.end()) survey_.others[other - others_.begin()] = column;
    for (std::size_t m = 0; m < masked_.size(); ++m) {
      if (guesses[m].tell()) column.tells.push_back({masked_[m]->plan.name, guesses[m].share()});
    }
    if (!column.tells.empty()) survey_.telling.push_back(std::move(column));
  }

  const Table& table_;
  const std::vector<std::size_t>& others_;
  Survey::Impl& survey_;
  std::vector<std::size_t> passing_;  // of the table, ascending
  std::vector<const SurveyColumn*> masked_;
};

}  // namespace

void look_at_passing(const Table& table, const std::optional<MaskPlan>& mask,
                     const std::vector<std::size_t>& others, Survey::Impl& survey) {
  FirstLook(table, mask, others, survey).run();
}

}  // namespace semveil
