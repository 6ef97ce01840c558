#include "release/outcome_counter.h"

#include <algorithm>

#include "base/hash_joined.h"
#include "release/outcome.h"
#include "release/shifted_days.h"
#include "semveil/classes.h"

namespace semveil {
namespace {

bool is_listed(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

std::uint64_t rows_in(const std::vector<bool>& rows) {
  return static_cast<std::uint64_t>(std::ranges::count(rows, true));
}

bool is_dropped(const TableBatch& batch, std::size_t row) {
  return !batch.dropped.empty() && batch.dropped[row];
}

}  // namespace

OutcomeCounts::Place joined_place(const Model::Impl& model, const FittedSteps& plan,
                                  const std::string& column) {
  const ModelColumn* const masked = model.find(column);
  if (masked == nullptr) return {column, 0};
  const auto j = static_cast<std::size_t>(masked - model.columns.data());
  return {column, first_kept(*plan.released(j))};
}

std::vector<std::size_t> classed_columns(const FittedSteps& plan) {
  std::vector<std::size_t> columns;
  for (std::size_t j = 0; j < plan.columns(); ++j) {
    if (plan.step_of(j).looks_up()) columns.push_back(j);
  }
  return columns;
}

std::vector<OutcomeCounts::Place> classed_places(const Model::Impl& model,
                                                 const FittedSteps& plan) {
  std::vector<OutcomeCounts::Place> places;
  if (!model.looks_up()) return places;
  for (const std::size_t j : classed_columns(plan)) {
    places.push_back(joined_place(model, plan, model.columns[j].plan.name));
  }
  for (const ModelColumn& column : model.demanded) {  // as released, where a step masks it
    const std::string& name = column.plan.name;
    places.push_back(model.find(name) != nullptr
                         ? joined_place(model, plan, name)
                         : OutcomeCounts::Place{name, first_kept(*column.attribute)});
  }
  return places;
}

OutcomeCounter::OutcomeCounter(const Model::Impl& model, const FittedSteps& plan,
                               const ReadColumns& columns, const std::vector<std::string>& names,
                               What what)
    : model_(model), plan_(plan), columns_(columns), what_(std::move(what)) {
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const ClassFit* const fit = class_fit(plan.plan(i));
    suppresses_sensitive_ |= fit != nullptr && fit->suppresses_sensitive;
  }
  classed_ = classed_columns(plan);
  for (const ModelColumn& column : model.demanded) {
    const ModelColumn* const masked = model.find(column.plan.name);
    masked_of_demanded_.push_back(
        masked == nullptr ? std::nullopt
                          : std::optional(static_cast<std::size_t>(masked - model.columns.data())));
  }
  counts_.steps.resize(model.steps.size());
  counts_.recoded.resize(model.recoded.size());
  counts_.model = model.fingerprint();
  counts_.names = names;
  for (const ModelColumn& column : model.columns) counts_.masked.push_back(column.plan.name);
  counts_.columns.resize(model.columns.size());
  counts_.person = model.person;
  find_joined(names);
  counts_.classed = classed_places(model, plan);
  counts_.classes = counts_.outside = TupleCounter(counts_.classed.size());
  if (model.looks_up()) counts_.demanded.assign(model.demanded.size(), TupleCounter(1));
  if (tells_persons()) counts_.demanded_persons.resize(counts_.demanded.size());
  const auto is_shifted = [](const RecodedModelColumn& column) {
    return shifted_form(column.recodings) != nullptr;
  };
  counts_links_ =
      tells_persons() && (model.looks_up() || std::ranges::any_of(model.recoded, is_shifted));
  if (counts_links_) find_linking(names);
  for (const std::string& name : what_.secrets) {
    const auto at = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    secrets_.push_back(*columns_.place_of(at));
  }
  counts_.secrets = what_.secrets;
  counts_.secret_tuples = TupleCounter(classed_.size() + secrets_.size());
}

// What no step masks, but for the person itself, and what is masked alike in rows of a person.
void OutcomeCounter::find_linking(const std::vector<std::string>& names) {
  const auto dropped = dropped_columns(model_, {}, names);
  std::vector<std::string> linking;
  for (std::size_t at = 0; at < names.size(); ++at) {
    const bool is_dropped = dropped && std::ranges::find(*dropped, at) != dropped->end();
    if (is_dropped || is_listed(counts_.masked, names[at]) || names[at] == model_.person) continue;
    linking.push_back(names[at]);
    linking_.push_back(at);
  }
  for (std::size_t j = 0; j < counts_.masked.size(); ++j) {
    if (!plan_.step_of(j).by_person()) continue;
    linking.push_back(counts_.masked[j]);
    linking_masked_.push_back(j);
  }
  counts_.row_links = RowLinks(std::move(linking));
  for (const std::string& name : model_.quasi_identifiers) {
    const auto masked = std::ranges::find(counts_.masked, name);
    if (masked != counts_.masked.end()) {
      const auto j = static_cast<std::size_t>(masked - counts_.masked.begin());
      if (!plan_.is_set(j)) known_masked_.push_back(j);
    } else if (const auto at = std::ranges::find(names, name); at != names.end()) {
      known_others_.push_back(static_cast<std::size_t>(at - names.begin()));
    }
  }
}

void OutcomeCounter::find_joined(const std::vector<std::string>& names) {
  for (const std::string& name : what_.joined) {
    const auto masked = std::ranges::find(counts_.masked, name);
    const bool is_masked = masked != counts_.masked.end();
    const auto j = static_cast<std::size_t>(masked - counts_.masked.begin());
    if (is_masked && plan_.is_set(j)) continue;  // a column of sets is looked at alone
    Joined& joined = joined_.emplace_back();
    if (is_masked) {
      joined.masked = j;
    } else {
      const auto at = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
      joined.place = *columns_.place_of(at);
    }
    joined.is_emptied = (is_masked && plan_.step_of(j).looks_up()) ||
                        is_listed(model_.quasi_identifiers, name) ||
                        (suppresses_sensitive_ && is_listed(model_.sensitive, name));
    counts_.joined.push_back(joined_place(model_, plan_, name));
  }
  counts_.tuples = counts_.suppressed = TupleCounter(joined_.size());
  // A single column that is masked is counted without tuples, but for its persons.
  const bool by_tuples = needs_tuples(counts_) || (tells_persons() && !joined_.empty());
  what_.described = what_.described && by_tuples;
}

void OutcomeCounter::add(const ReleasedBatch& released, std::uint64_t first_row) {
  const TableBatch& batch = *released.batch;
  for (std::size_t j = 0; j < counts_.columns.size(); ++j) count_column(released, j);
  if (what_.described) count_tuples(released);
  if (model_.looks_up()) count_classes(released);
  if (!secrets_.empty()) count_secrets(released);
  if (!model_.recoded.empty()) count_recoded(batch);
  if (counts_links_) count_links(released);
  if (plan_.needs_persons()) count_persons(released, first_row);
  counts_.records += batch.rows;
  counts_.dropped_records += rows_in(batch.dropped);
  counts_.suppressed_records += rows_in(released.suppressed);
  counts_.single_origin += released.single_origin;
}

void OutcomeCounter::count_column(const ReleasedBatch& released, std::size_t j) {
  const TableBatch& batch = *released.batch;
  const Code kept = first_kept(*plan_.released(j));
  const std::size_t width = plan_.width(j);
  OutcomeCounts::Column& counts = counts_.columns[j];
  for (std::size_t row = 0; row < batch.rows; ++row) {
    if (is_dropped(batch, row)) continue;
    const Code value = released.values[j][row * width];
    if (value == kMissing) {
      ++counts.missing;
    } else if (value >= kept) {
      if (value - kept >= counts.kept_texts.size()) counts.kept_texts.resize(value - kept + 1);
      ++counts.kept_texts[value - kept];
    }
  }
  if (plan_.step_of(j).looks_up()) count_emptied_texts(released, j);
  if (what_.originals && plan_.is_set(j)) count_originals(batch, j);
  for (const Unmapped& cell : released.unmapped[j]) {
    ++counts.instead[static_cast<std::size_t>(cell.instead)];
  }
}

// Texts that mean nothing are taken as missing there: some get the value of their class.
void OutcomeCounter::count_emptied_texts(const ReleasedBatch& released, std::size_t j) {
  const TableBatch& batch = *released.batch;
  const ReadColumns::Masked& masked = columns_.masked()[j];
  const ConceptId missing = masked.model->attribute->missing_value();
  for (std::size_t row = 0; row < batch.rows; ++row) {
    const Code code = batch.codes[masked.place][row];
    if (code == kMissing || masked.concepts[code] != missing || is_dropped(batch, row)) continue;
    if (released.values[j][row] != kMissing) continue;
    ++counts_.columns[j].instead[static_cast<std::size_t>(Instead::kSuppressed)];
  }
}

void OutcomeCounter::count_originals(const TableBatch& batch, std::size_t j) {
  const ReadColumns::Masked& masked = columns_.masked()[j];
  std::vector<std::uint64_t>& originals = counts_.columns[j].originals;
  originals.resize(masked.model->attribute->size());
  for (std::size_t row = 0; row < batch.rows; ++row) {
    const Code code = batch.codes[masked.place][row];
    if (code == kMissing || is_dropped(batch, row)) continue;
    if (masked.concepts[code] != kMissing) ++originals[masked.concepts[code]];
  }
}

void OutcomeCounter::count_tuples(const ReleasedBatch& released) {
  const TableBatch& batch = *released.batch;
  std::vector<std::span<const Code>> columns;
  for (const Joined& joined : joined_) {
    columns.emplace_back(joined.masked ? released.values[*joined.masked]
                                       : batch.codes[joined.place]);
  }
  if (batch.dropped.empty() && released.suppressed.empty() && !tells_persons()) {
    return counts_.tuples.add_rows(columns);
  }
  const bool is_single = joined_.size() == 1, by_tuples = needs_tuples(counts_);
  std::vector<Code> tuple(columns.size());
  for (std::size_t row = 0; row < batch.rows; ++row) {
    if (is_dropped(batch, row)) continue;
    for (std::size_t i = 0; i < columns.size(); ++i) tuple[i] = columns[i][row];
    const bool is_suppressed = !released.suppressed.empty() && released.suppressed[row];
    for (std::size_t i = 0; i < tuple.size() && is_suppressed; ++i) {
      if (joined_[i].is_emptied) tuple[i] = kMissing;
    }
    std::size_t at = is_single ? tuple.front() : 0;
    if (by_tuples) {
      const std::size_t place = (is_suppressed ? counts_.suppressed : counts_.tuples).add(tuple);
      if (!is_single) at = place;
    }
    if (!tells_persons()) continue;
    (is_suppressed ? counts_.suppressed_persons : counts_.tuple_persons)
        .add(static_cast<std::uint32_t>(at), person_of(batch, row));
  }
}

// Cells that were read; what changed them is told beside them, batch by batch.
void OutcomeCounter::count_recoded(const TableBatch& batch) {
  for (std::size_t i = 0; i < counts_.recoded.size(); ++i) {
    const std::vector<Code>& codes = batch.codes[columns_.recoded()[i].place()];
    for (std::size_t row = 0; row < batch.rows; ++row) {
      counts_.recoded[i].cells += codes[row] != kMissing && !is_dropped(batch, row) ? 1 : 0;
    }
  }
}

// kMissing: the cell takes no part. Texts that mean nothing are values of their own.
Code OutcomeCounter::demanded_value(std::size_t demanded, const ReleasedBatch& released,
                                    std::size_t row) const {
  if (const std::optional<std::size_t> j = masked_of_demanded_[demanded]) {
    const Code value = released.values[*j][row];
    const Attribute& attribute = *plan_.released(*j);
    const bool is_value = value == kMissing && attribute.missing_is_value;
    return is_value ? attribute.missing_value() : value;
  }
  const ReadColumns::Masked& column = columns_.demanded()[demanded];
  const Attribute& attribute = *column.model->attribute;
  const Code text = released.batch->codes[column.place][row];
  if (text == kMissing) {
    return attribute.missing_is_value ? attribute.missing_value() : kMissing;
  }
  const ConceptId meant = column.concepts[text];
  return meant == kMissing ? first_kept(attribute) + text : meant;
}

void OutcomeCounter::count_classes(const ReleasedBatch& released) {
  const TableBatch& batch = *released.batch;
  const std::size_t width = classed_.size();
  std::vector<Code> tuple(counts_.classed.size());
  for (std::size_t row = 0; row < batch.rows; ++row) {
    if (is_dropped(batch, row)) continue;
    const bool is_suppressed = !released.suppressed.empty() && released.suppressed[row];
    for (std::size_t j = 0; j < width; ++j) tuple[j] = released.values[classed_[j]][row];
    for (std::size_t i = 0; i < counts_.demanded.size(); ++i) {
      const Code value = demanded_value(i, released, row);
      if (value != kMissing) {
        const std::size_t at = counts_.demanded[i].add({&value, 1});
        if (tells_persons()) {
          counts_.demanded_persons[i].add(static_cast<std::uint32_t>(at), person_of(batch, row));
        }
      }
      tuple[width + i] = is_suppressed && suppresses_sensitive_ ? kMissing : value;
    }
    const std::size_t at = (is_suppressed ? counts_.outside : counts_.classes).add(tuple);
    if (!tells_persons()) continue;
    (is_suppressed ? counts_.outside_persons : counts_.class_persons)
        .add(static_cast<std::uint32_t>(at), person_of(batch, row));
  }
}

void OutcomeCounter::count_secrets(const ReleasedBatch& released) {
  const TableBatch& batch = *released.batch;
  std::vector<Code> tuple(classed_.size() + secrets_.size());
  for (std::size_t row = 0; row < batch.rows; ++row) {
    if (is_dropped(batch, row)) continue;
    if (!released.suppressed.empty() && released.suppressed[row]) continue;
    std::size_t i = 0;
    for (const std::size_t j : classed_) tuple[i++] = released.values[j][row];
    for (const std::size_t place : secrets_) tuple[i++] = batch.codes[place][row];
    const std::size_t at = counts_.secret_tuples.add(tuple);
    if (!tells_persons()) continue;
    counts_.secret_persons.add(static_cast<std::uint32_t>(at), person_of(batch, row));
  }
}

// Of a column that no step masks: as recodings leave it.
OutcomeCounter::CellTexts OutcomeCounter::released_texts(const TableBatch& batch,
                                                         std::size_t column) const {
  const std::optional<std::size_t> place = columns_.place_of(column);
  if (!place || columns_.recoded_at(*place) == nullptr) return batch.texts(column);
  CellTexts out;
  for (const Code code : batch.codes[*place]) {
    out.push_back(code == kMissing ? std::nullopt
                                   : std::optional(columns_.dictionaries()[*place].text(code)));
  }
  return out;
}

void OutcomeCounter::count_links(const ReleasedBatch& released) {
  const TableBatch& batch = *released.batch;
  const CellTexts persons = batch.texts(columns_.columns()[*columns_.counted_person()]);
  const auto is_missing = [&](std::string_view text) {
    return is_listed(model_.table.missing_values, std::string(text));
  };
  std::vector<std::uint64_t> whose;
  for (std::size_t row = 0; row < batch.rows; ++row) {
    whose.push_back(person_hash(persons[row].value_or("")));
    if (!is_dropped(batch, row)) counts_.row_links.add_row(whose.back());
  }
  for (std::size_t i = 0; i < linking_.size(); ++i) {
    const CellTexts cells = released_texts(batch, linking_[i]);
    for (std::size_t row = 0; row < batch.rows; ++row) {
      if (is_dropped(batch, row) || !cells[row] || is_missing(*cells[row])) continue;
      counts_.row_links.add(i, person_hash(*cells[row]), whose[row]);
    }
  }
  if (!linking_masked_.empty()) count_masked_links(released, whose);
  std::vector<CellTexts> others;
  for (const std::size_t at : known_others_) others.push_back(released_texts(batch, at));
  for (std::size_t row = 0; row < batch.rows; ++row) {
    if (is_dropped(batch, row)) continue;
    std::uint64_t hash = 0;
    for (const std::size_t j : known_masked_) hash = hash_joined(hash, released.values[j][row]);
    for (const CellTexts& cells : others) {
      hash = hash_joined(hash, cells[row] ? person_hash(*cells[row]) : 0);
    }
    const std::size_t person = person_of(batch, row);
    if (counts_.row_sums.size() <= person) counts_.row_sums.resize(person + 1);
    counts_.row_sums[person] += slot_hash(hash);
  }
}

void OutcomeCounter::count_masked_links(const ReleasedBatch& released,
                                        std::span<const std::uint64_t> whose) {
  const TableBatch& batch = *released.batch;
  const std::vector<CellTexts> kept = kept_texts(batch);
  for (std::size_t i = 0; i < linking_masked_.size(); ++i) {
    const std::size_t j = linking_masked_[i], column = linking_.size() + i;
    for (std::size_t row = 0; row < batch.rows; ++row) {
      if (is_dropped(batch, row) || is_released_empty(released, row, j)) continue;
      counts_.row_links.add(column, released_hash(released, row, j, kept, 0), whose[row]);
    }
  }
}

bool OutcomeCounter::is_released_empty(const ReleasedBatch& released, std::size_t row,
                                       std::size_t j) const {
  const Code value = released.values[j][row * plan_.width(j)];
  return value == kMissing || value == plan_.released(j)->missing_value();
}

// Codes of texts differ from part to part.
std::vector<OutcomeCounter::CellTexts> OutcomeCounter::kept_texts(const TableBatch& batch) const {
  std::vector<CellTexts> kept(columns_.masked().size());
  for (std::size_t j = 0; j < kept.size(); ++j) {
    const ReadColumns::Masked& masked = columns_.masked()[j];
    const bool is_asked = plan_.step_of(j).by_person();
    if (!is_asked || masked.model->plan.column.unmapped != UnmappedRule::kKeep) continue;
    kept[j] = batch.texts(columns_.column_of(masked));
  }
  return kept;
}

void OutcomeCounter::count_persons(const ReleasedBatch& released, std::uint64_t first_row) {
  if (first_row >= PersonLinks::kMostRecords) return;
  const TableBatch& batch = *released.batch;
  const std::vector<CellTexts> kept = kept_texts(batch);
  const auto persons = batch.texts(*columns_.person());
  const std::uint64_t most = PersonLinks::kMostRecords - first_row;
  for (std::size_t row = 0; row < batch.rows && row < most; ++row) {
    const std::uint64_t person = person_hash(persons[row].value_or(""));
    if (first_row + row < FirstPersons::kMostRows) counts_.persons.add(person);
    if (is_dropped(batch, row)) continue;
    std::uint64_t hash = 0;
    for (std::size_t j = 0; j < released.values.size(); ++j) {
      if (!plan_.step_of(j).by_person()) continue;  // drawn by row, it joins nobody's records
      hash = released_hash(released, row, j, kept, hash);
    }
    counts_.links.add(hash, person);
  }
}

// Of one column, joined to `hash`.
std::uint64_t OutcomeCounter::released_hash(const ReleasedBatch& released, std::size_t row,
                                            std::size_t j, const std::vector<CellTexts>& kept,
                                            std::uint64_t hash) const {
  const std::size_t width = plan_.width(j);
  const Code value = released.values[j][row * width];
  if (value != kMissing && value >= first_kept(*plan_.released(j))) {
    return hash_joined(hash, person_hash(kept[j][row].value_or("")));
  }
  for (std::size_t i = 0; i < width; ++i) {
    hash = hash_joined(hash, released.values[j][row * width + i]);
  }
  return hash;
}

}  // namespace semveil
