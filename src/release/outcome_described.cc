// The released table's means, correlations and classes.
#include <algorithm>
#include <numeric>
#include <ranges>

#include "release/outcome.h"
#include "release/outcome_aims.h"

namespace semveil {

CountedColumn Outcome::counted(std::size_t j) const {
  const ColumnTally& tally = counts_.columns[j].tally;
  const Attribute& attribute = *plan_.released(j);
  const std::size_t size = attribute.size();
  CountedColumn column;
  column.name = attribute.name;
  column.role = model_.columns[j].plan.column.role;
  column.attribute = plan_.released(j);
  column.counts = tally.released;
  column.missing = counts_.columns[j].missing;
  if (plan_.is_set(j)) {  // nothing is said of a mean, or of distances
    column.attribute = nullptr;
    column.counts.resize(size);
    return column;
  }
  if (attribute.is_numeric()) {
    column.numeric = true;
    column.numbers = attribute.numbers;
    column.dates = attribute.is_date();
    column.counts.resize(size);
    return column;
  }
  if (!attribute.is_nominal()) {
    column.counts.resize(size);
    column.concepts.resize(size);
    std::iota(column.concepts.begin(), column.concepts.end(), ConceptId{0});
    return column;
  }
  column.counts.resize(size + 1);
  column.counts[size] = 0;  // missing ones are counted as such
  column.counts[Taxonomy::root()] += of(j, Instead::kGeneralized);
  const std::vector<std::uint64_t>& kept = counts_.columns[j].kept_texts;
  column.counts.insert(column.counts.end(), kept.begin(), kept.end());
  column.concepts.resize(column.counts.size(), kMissing);
  for (ConceptId c = 0; c < size; ++c) {
    column.concepts[c] = attribute.taxonomy().is_virtual(c) ? kMissing : c;
  }
  return column;
}

// A column that is not masked, without the records that were left out.
void Outcome::count_again(CountedColumn& column) const {
  std::ranges::fill(column.counts, 0U);
  column.missing = 0;
  for (std::size_t t = 0; t < counts_.tuples.size(); ++t) {
    const Code code = counts_.tuples.tuple(t)[0];
    (code == kMissing ? column.missing : column.counts[code]) += counts_.tuples.count(t);
  }
}

// A column of shifted dates: texts that the survey did not see. `at`: its place in the survey.
void Outcome::count_shifted(std::size_t recoded, std::size_t at, CountedColumn& column) const {
  const auto place = std::ranges::find(joined_, at);
  if (place == joined_.end()) return;
  const auto i = static_cast<std::size_t>(place - joined_.begin());
  column.numbers = counts_.recoded[recoded].numbers;
  column.counts.assign(column.numbers.size(), 0);
  column.concepts.clear();
  column.missing = 0;
  for (const TupleCounter* tuples : {&counts_.tuples, &counts_.suppressed}) {
    for (std::size_t t = 0; t < tuples->size(); ++t) {
      const Code code = tuples->tuple(t)[i];
      (code == kMissing ? column.missing : column.counts[code]) += tuples->count(t);
    }
  }
}

Description Outcome::describe_released(std::vector<Finding>& findings) const {
  std::vector<CountedColumn> columns;
  std::vector<std::size_t> joined = joined_;
  if (survey_ != nullptr) {
    columns = counted_columns(*survey_);
    for (std::size_t j = 0; j < counts_.columns.size(); ++j) {
      const auto at = survey_->find(counts_.masked[j]) - survey_->columns.data();
      columns[static_cast<std::size_t>(at)] = counted(j);
    }
  } else {
    for (std::size_t j = 0; j < counts_.columns.size(); ++j) columns.push_back(counted(j));
  }
  for (std::size_t i = 0; survey_ != nullptr && i < model_.recoded.size(); ++i) {
    if (counts_.recoded[i].numbers.empty()) continue;
    const auto at = survey_->find(model_.recoded[i].name) - survey_->columns.data();
    count_shifted(i, static_cast<std::size_t>(at), columns[static_cast<std::size_t>(at)]);
  }
  if (joined.size() == 1 && needs_tuples(counts_)) count_again(columns[joined.front()]);
  const std::uint64_t outside = counts_.suppressed_records;
  const std::uint64_t records = released_records();
  std::vector<CountedColumn> classed = columns;
  for (const std::size_t j : joined) {  // a single column is counted without tuples
    if (joined.size() == 1) classed[j].missing -= outside;
  }
  const Analysis in_classes(std::move(classed), joined, counts_.tuples, records - outside, {},
                            model_.person.empty() ? nullptr : &counts_.tuple_persons);
  Description description = describe(in_classes, model_.missing, work_);
  if (outside > 0) {  // columns have all records, classes and pairs those that were not suppressed
    TupleCounter all = counts_.tuples;
    for (std::size_t i = 0; i < counts_.suppressed.size(); ++i) {
      all.add(counts_.suppressed.tuple(i), counts_.suppressed.count(i));
    }
    Description whole = describe(Analysis(std::move(columns), std::move(joined), all, records),
                                 model_.missing, work_);
    description.records = whole.records;
    if (description.persons) {
      PersonPairs persons = counts_.tuple_persons;
      for (const std::uint64_t pair : counts_.suppressed_persons.all()) persons.add(pair);
      description.persons = count_persons(persons);
    }
    description.columns = std::move(whole.columns);
  }
  leave_out_person(description);
  if (survey_ == nullptr && !model_.masks_every_quasi_identifier) {
    // Classes over some of the quasi-identifiers would look larger than they are.
    description.classes.reset();
    description.sensitive.clear();
  } else {
    find_shared_secrets(in_classes, description, findings);
    find_shared_secrets(findings);
  }
  return description;
}

// It was counted for its persons alone.
void Outcome::leave_out_person(Description& description) const {
  const bool is_dropped =
      std::ranges::find(model_.identifiers, model_.person) != model_.identifiers.end();
  if (!is_dropped) return;
  std::erase_if(description.columns,
                [&](const ColumnDescription& column) { return column.name == model_.person; });
}

}  // namespace semveil
