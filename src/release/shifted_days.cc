#include "release/shifted_days.h"

#include "mechanisms/dates/shift_method.h"

namespace semveil {

const DateForm* shifted_form(const std::vector<ColumnRecoding>& recodings) {
  for (const ColumnRecoding& each : recodings) {
    if (const DateForm* form = shifted_form(*each.recoding)) return form;
  }
  return nullptr;
}

std::optional<ShiftedDays> ShiftedDays::of(const ReadColumns& columns) {
  ShiftedDays out;
  for (const RecodedCells& column : columns.recoded()) {
    const DateForm* const form = shifted_form(column.all());
    if (form == nullptr) continue;
    Column& added = out.columns_.emplace_back();
    added.place = column.place();
    added.form = form;
  }
  if (out.columns_.empty()) return std::nullopt;
  return out;
}

void ShiftedDays::add(const TableBatch& batch, const ReadColumns& columns) {
  const auto is_dropped = [&](std::size_t row) {
    return !batch.dropped.empty() && batch.dropped[row];
  };
  for (Column& column : columns_) {
    const Dictionary& texts = columns.dictionaries()[column.place];
    for (auto code = static_cast<Code>(column.day_of.size()); code < texts.size(); ++code) {
      const std::optional<Moment> moment = column.form->read(texts.text(code));
      column.day_of.push_back(moment ? moment->day : 0);
    }
    const std::vector<Code>& codes = batch.codes[column.place];
    for (std::size_t row = 0; row < batch.rows; ++row) {
      if (is_dropped(row)) continue;
      column.days.push_back(codes[row] == kMissing ? std::nullopt
                                                   : std::optional(column.day_of[codes[row]]));
    }
  }
  const std::vector<Code>& persons = batch.codes[*columns.counted_person()];
  for (std::size_t row = 0; row < batch.rows; ++row) {
    if (!is_dropped(row)) persons_.push_back(persons[row]);
  }
}

IntervalFigures ShiftedDays::figures(const ReadColumns& columns, Counting* counting) const {
  const Dictionary& texts = columns.dictionaries()[*columns.counted_person()];
  std::vector<std::string_view> persons;
  persons.reserve(persons_.size());
  for (const Code person : persons_) persons.push_back(texts.text(person));
  std::vector<DayCells> days;
  for (const Column& column : columns_) days.push_back(column.days);
  return counting(persons, days);
}

std::vector<double> ShiftedDays::numbers(const RecodedCells& column, const Dictionary& texts) {
  const DateForm* const form = shifted_form(column.all());
  std::vector<double> out;
  for (Code code = 0; form != nullptr && code < texts.size(); ++code) {
    const std::optional<Moment> moment = form->read(texts.text(code));
    out.push_back(moment ? moment->days() : 0);
  }
  return out;
}

}  // namespace semveil
