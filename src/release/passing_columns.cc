#include "release/passing_columns.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "release/telling.h"

namespace semveil {
namespace {

// What a text of a masked column means. Nothing: no concept, so that it is a value of its own.
std::optional<ConceptId> meaning(std::string_view text, const SurveyColumn& column) {
  const std::optional<Code> code = code_of_cell(column, text);
  if (!code || *code >= column.concepts.size() || column.concepts[*code] == kMissing) {
    return std::nullopt;
  }
  const bool stands_in = !column.stands_in.empty() && column.stands_in[*code];
  return stands_in ? std::nullopt : std::optional(column.concepts[*code]);
}

// The cells as dense codes in which two spellings of one concept are one value.
std::vector<Code> meanings(const FirstRecords::Column& sampled, const SurveyColumn& column) {
  std::vector<Code> of_text(sampled.texts->size(), kMissing);
  std::vector<Code> of_concept(column.attribute ? column.attribute->missing_value() + 1 : 0,
                               kMissing);
  std::vector<Code> out(sampled.codes.size(), kMissing);
  Code next = 0;
  for (std::size_t row = 0; row < out.size(); ++row) {
    const Code code = sampled.codes[row];
    if (code == kMissing) continue;
    if (of_text[code] == kMissing) {
      const std::optional<ConceptId> c = meaning(sampled.texts->text(code), column);
      Code& value = c ? of_concept[*c] : of_text[code];
      if (value == kMissing) value = next++;
      of_text[code] = value;
    }
    out[row] = of_text[code];
  }
  return out;
}

// Equal values of one person count once.
std::uint64_t count_of_persons(std::span<const Code> values, std::span<const Code> persons) {
  std::set<std::pair<Code, Code>> different;
  for (std::size_t row = 0; row < values.size(); ++row) {
    different.emplace(values[row], persons[row]);
  }
  return different.size();
}

class FirstLook {
 public:
  FirstLook(const SurveyColumns& columns, const std::vector<std::string>& names,
            const FirstRecords& first, Survey::Impl& survey)
      : columns_(columns), names_(names), first_(first), survey_(survey) {
    for (const std::size_t at : columns.masked) {
      masked_.push_back(&*std::ranges::find(survey.columns, at, &SurveyColumn::column));
    }
  }

  void run() {
    if (columns_.passing.empty() || look(columns_.passing)) return;
    for (const std::size_t column : columns_.passing) look({column});
  }

 private:
  bool look(const std::vector<std::size_t>& passing) {
    std::vector<std::size_t> wanted = passing;
    wanted.insert(wanted.end(), columns_.masked.begin(), columns_.masked.end());
    if (columns_.person) wanted.push_back(columns_.counted[*columns_.person].column);
    const std::optional<FirstRecords::Sample> sample = first_.in(wanted);
    if (!sample) return false;
    std::vector<std::vector<Code>> meant;
    for (std::size_t m = 0; m < masked_.size(); ++m) {
      meant.push_back(meanings(sample->columns[passing.size() + m], *masked_[m]));
    }
    const std::vector<std::span<const Code>> hidden(meant.begin(), meant.end());
    for (std::size_t p = 0; p < passing.size(); ++p) {
      const FirstRecords::Column& column = sample->columns[p];
      const std::uint64_t values =
          columns_.person ? count_of_persons(column.codes, sample->columns.back().codes)
                          : sample->records;
      note({names_[passing[p]], values, column.distinct, {}}, passing[p],
           guess(column.codes, hidden));
    }
    return true;
  }

  void note(Survey::PassedThrough column, std::size_t at, const std::vector<Guesses>& guesses) {
    const auto other = std::ranges::lower_bound(columns_.others, at);  // ascending
    if (other != columns_.others.end() && *other == at)
      survey_.others[other - columns_.others.begin()] = column;
    for (std::size_t m = 0; m < masked_.size(); ++m) {
      if (guesses[m].tell()) column.tells.push_back({masked_[m]->plan.name, guesses[m].share()});
    }
    if (!column.tells.empty()) survey_.telling.push_back(std::move(column));
  }

  const SurveyColumns& columns_;
  const std::vector<std::string>& names_;
  const FirstRecords& first_;
  Survey::Impl& survey_;
  std::vector<const SurveyColumn*> masked_;
};

}  // namespace

void look_at_passing(const SurveyColumns& columns, const std::vector<std::string>& names,
                     const FirstRecords& first, Survey::Impl& survey) {
  FirstLook(columns, names, first, survey).run();
}

}  // namespace semveil
