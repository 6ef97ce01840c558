#include "release/read_columns.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/date_text.h"
#include "base/stop.h"
#include "base/text.h"
#include "ontology/hierarchies/hierarchy_rule.h"
#include "semveil/method.h"

namespace semveil {

std::optional<std::size_t> ReadColumns::place_of(std::size_t column) const {
  const auto at = std::find(columns_.begin(), columns_.end(), column);
  if (at == columns_.end()) return std::nullopt;
  return static_cast<std::size_t>(at - columns_.begin());
}

std::size_t ReadColumns::want(std::size_t column) {
  if (const auto known = place_of(column)) return *known;
  columns_.push_back(column);
  return columns_.size() - 1;
}

Result<ReadColumns> ReadColumns::find(const Model::Impl& model, const Table& table,
                                      const Survey::Impl* survey,
                                      const std::vector<std::string>& described,
                                      const std::string& release) {
  ReadColumns found;
  for (const ModelColumn& column : model.columns) {
    const Result<std::size_t> at = table.column(column.plan.name);
    if (!at) return fail(at.error());
    found.masked_.push_back({.model = &column, .place = found.want(*at), .concepts = {}});
  }
  for (const ModelColumn& column : model.demanded) {
    const Result<std::size_t> at = table.column(column.plan.name);
    if (!at) return fail(at.error());
    found.demanded_.push_back({.model = &column, .place = found.want(*at), .concepts = {}});
  }
  for (const std::string& name : model.drop_if_missing) {
    const Result<std::size_t> at = table.column(name);
    if (!at) return fail(at.error());
    found.drop_if_missing_.push_back(found.want(*at));
  }
  for (const RecodedModelColumn& column : model.recoded) {
    const Result<std::size_t> at = table.column(column.name);
    if (!at) return fail(at.error());
    std::vector<ColumnRecoding> recodings = column.recodings;
    for (ColumnRecoding& each : recodings) {
      if (!model.key) continue;
      auto keyed = each.recoding->with_key(*model.key, release);
      if (keyed != nullptr) each.recoding = std::move(keyed);
    }
    found.recoded_.emplace_back(column.name, found.want(*at), std::move(recodings));
  }
  if (const std::string person = model.draw_by(); !person.empty()) {
    const Result<std::size_t> at = table.column(person);
    if (!at) return fail(at.error());
    found.person_ = *at;
  }
  if (!model.person.empty()) {
    const Result<std::size_t> at = table.column(model.person);
    if (!at) return fail(at.error());
    found.counted_person_ = found.want(*at);
  }
  for (const std::string& name : described) {
    const Result<std::size_t> at = table.column(name);
    if (!at) return fail(at.error());
    found.want(*at);
  }
  found.dictionaries_.resize(found.columns_.size());
  found.surveyed_ = survey != nullptr;
  if (survey != nullptr) {
    for (const SurveyColumn& column : survey->columns) {
      const auto place = found.place_of(column.column);
      if (!place) continue;
      // How its texts come out hangs on persons: none of them is known yet.
      if (any_draws(column.recodings)) continue;
      for (Code code = 0; code < column.texts.size(); ++code) {
        found.dictionaries_[*place].add(column.texts.text(code), column.texts.first_line(code));
      }
    }
  }
  for (Masked& masked : found.masked_) masked.known = found.dictionaries_[masked.place].size();
  for (Masked& column : found.demanded_) column.known = found.dictionaries_[column.place].size();
  return found;
}

const RecodedCells* ReadColumns::recoded_at(std::size_t place) const {
  const auto at = std::ranges::find(recoded_, place, &RecodedCells::place);
  return at == recoded_.end() ? nullptr : &*at;
}

Result<std::unique_ptr<TableBatch>> ReadColumns::next(TableSource& source,
                                                      const std::string& table) {
  for (RecodedCells& column : recoded_) std::swap(dictionaries_[column.place()], column.own());
  Result<std::unique_ptr<TableBatch>> batch = source.next(dictionaries_);
  for (RecodedCells& column : recoded_) std::swap(dictionaries_[column.place()], column.own());
  if (!batch || *batch == nullptr) return batch;
  std::optional<RecodedCells::Persons> persons;  // as they stand in the table
  std::vector<Code> codes;
  if (counted_person_ && std::ranges::any_of(recoded_, &RecodedCells::needs_person)) {
    codes = (*batch)->codes[*counted_person_];
    const RecodedCells* const recoded = recoded_at(*counted_person_);
    const Dictionary& own = recoded == nullptr ? dictionaries_[*counted_person_] : recoded->own();
    persons.emplace(RecodedCells::Persons{codes, own});
  }
  for (RecodedCells& column : recoded_) {
    Dictionary& texts = dictionaries_[column.place()];
    const std::size_t known = texts.size();
    if (const Status status = column.recode(**batch, table, texts, persons); !status) {
      return fail(status.error());
    }
    if (surveyed_ && !column.draws() && texts.size() > known) {
      return fail(data_error("the table changed while it was read: mask it again").at(table));
    }
  }
  return batch;
}

void ReadColumns::add_order(std::size_t place, std::uint64_t first_row, const TableBatch& batch,
                            OrderHash& order) const {
  if (const RecodedCells* const column = recoded_at(place)) {
    return column->add_order(first_row, order);
  }
  order.add(first_row, batch.codes[place], dictionaries_[place]);
}

Status ReadColumns::check_persons(const TableBatch& batch, std::uint64_t first_row,
                                  const Place& column) const {
  if (!counted_person_) return {};
  const RecodedCells* const recoded = recoded_at(*counted_person_);
  const Dictionary& texts = recoded == nullptr ? dictionaries_[*counted_person_] : recoded->own();
  const std::optional<Code> blank = texts.find("");
  const std::vector<Code>& codes =
      recoded == nullptr ? batch.codes[*counted_person_] : recoded->own_codes();
  const auto nobody = std::ranges::find_if(
      codes, [&](Code code) { return code == kMissing || (blank && code == *blank); });
  if (nobody == codes.end()) return {};
  return fail(
      data_error(fmt::format("record {} has no person: complete the column, or leave "
                             "person out of the plan",
                             first_row + static_cast<std::uint64_t>(nobody - codes.begin()) + 1))
          .at(column));
}

Error no_category_error(std::string_view value) {
  return data_error(
             "the value is in no category of the model: correct the cell, or fit the model again "
             "with more categories, which draws other sets: records released by the old model must "
             "not be released by the new one")
      .quoting(std::string(value));
}

static Error unknown_value(const ModelColumn& column, std::string_view text) {
  if (column.trims) return no_category_error(text);
  const DateForm* const dates = column.attribute->dates.get();
  if (column.attribute->is_numeric() && !cell_number(dates, text)) {
    return data_error(dates == nullptr
                          ? "not a number: correct the cell, or list it in missing_values"
                          : "not a date as those of the fitted table: correct the cell, or list it "
                            "in missing_values")
        .quoting(std::string(text));
  }
  if (column.numbers_released) {
    return {ErrorCode::kGuarantee,
            "the number lies beyond those of the table the model was fitted on: fit it again on a "
            "table that has such numbers, or correct the cell",
            {},
            std::string(text),
            {}};
  }
  return {ErrorCode::kGuarantee,
          fmt::format("the {} was not in the table the model was fitted on: fit it again on this "
                      "table",
                      dates != nullptr                 ? "date"
                      : column.attribute->is_numeric() ? "number"
                                                       : "value"),
          {},
          std::string(text),
          {}};
}

// After "the value": what it is not that the hierarchy or the ontology asks for.
static std::string why_no_place(const ModelColumn& model) {
  if (model.plan.values) return "means nothing that the model was fitted on";
  using Kind = HierarchySettings::Kind;
  if (model.plan.rule && model.plan.rule->settings().kind == Kind::kDate) {
    return "is no date of the calendar, written as those of the fitted table";
  }
  return "means no concept of the domain";
}

Status ReadColumns::map_new_texts(const std::string& table) {
  for (Masked& masked : masked_) {
    if (const Status status = map_new_texts(table, masked, Unmeant::kByRule); !status) {
      return status;
    }
  }
  for (Masked& column : demanded_) {
    if (const Status status = map_new_texts(table, column, Unmeant::kLet); !status) return status;
  }
  return {};
}

Status ReadColumns::map_new_texts(const std::string& table, Masked& column, Unmeant unmeant) const {
  const Dictionary& texts = dictionaries_[column.place];
  const ModelColumn& model = *column.model;
  for (auto code = static_cast<Code>(column.concepts.size()); code < texts.size(); ++code) {
    const std::string_view text = texts.text(code);
    if (surveyed_ && code >= column.known) {
      return fail(data_error("the table changed while it was read: mask it again").at(table));
    }
    const auto known = model.texts.find(text);
    const ConceptId c = known != model.texts.end() ? known->second.concept_id : model.map(text);
    const Place place{table, texts.first_line(code), model.plan.name};
    // A number must be one; others that the fit did not see are values of no meaning.
    const bool is_wrong =
        model.attribute->is_numeric() && !cell_number(model.attribute->dates.get(), text);
    if (c == kMissing && !model.attribute->is_nominal() &&
        (unmeant == Unmeant::kByRule || is_wrong)) {
      return fail(unknown_value(model, text).at(place));
    }
    if (c == kMissing && unmeant == Unmeant::kByRule &&
        model.plan.column.unmapped == UnmappedRule::kError) {
      return fail(data_error(fmt::format("the value {}: correct it, or fit the model with unmapped "
                                         "= \"suppress\", \"generalize\" or \"keep\"",
                                         why_no_place(model)))
                      .at(place)
                      .quoting(std::string(text)));
    }
    column.concepts.push_back(c);
  }
  return {};
}

// Numbers that the fit did not see have names of their own: another table has another digest.
static void name_new_numbers(CountedColumn& column) {
  const Attribute& fitted = *column.attribute;
  const auto is_new = [&](ConceptId c) { return c != kMissing && c >= fitted.size(); };
  if (!column.numeric || std::ranges::none_of(column.concepts, is_new)) return;
  std::vector<double> numbers = column.numbers;
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  column.attribute = std::make_shared<const Attribute>(
      numeric_attribute(fitted.name, std::move(numbers), fitted.unit));
}

// Whose records have each combination or, of one column, each text; as a survey counts them.
static void count_persons(const std::vector<std::span<const Code>>& together,
                          std::span<const Code> who, TupleCounter& tuples, PersonPairs& persons) {
  std::vector<Code> tuple(together.size());
  for (std::size_t row = 0; row < who.size(); ++row) {
    for (std::size_t k = 0; k < tuple.size(); ++k) tuple[k] = together[k][row];
    const Code at = tuple.size() == 1 ? tuple[0] : static_cast<Code>(tuples.add(tuple));
    persons.add(at, who[row]);
  }
}

Result<TableDigests> digests_of(const Table& table, const Model::Impl& model,
                                ReadColumns& columns) {
  const std::size_t width = columns.columns().size();
  std::vector<std::size_t> joined;  // persons are not what is asked for
  for (std::size_t k = 0; k < width; ++k) {
    const bool is_drop =
        std::ranges::find(columns.drop_if_missing(), k) != columns.drop_if_missing().end();
    const auto is_it = [&](const ReadColumns::Masked& column) { return column.place == k; };
    const bool is_asked = std::ranges::any_of(columns.masked(), is_it) ||
                          std::ranges::any_of(columns.demanded(), is_it);
    if (k != columns.counted_person() || is_drop || is_asked) joined.push_back(k);
  }
  TupleCounter tuples(joined.size());
  std::vector<CountedColumn> counted(width);
  std::vector<OrderHash> orders(width);
  std::uint64_t records = 0;
  PersonPairs persons;
  const Result<std::unique_ptr<TableSource>> source = table.read(columns.columns(), Cells::kWanted);
  if (!source) return fail(source.error());
  for (;;) {
    check_stop();
    const Result<std::unique_ptr<TableBatch>> next = columns.next(**source, table.name());
    if (!next) return fail(next.error());
    if (*next == nullptr) break;
    const std::vector<std::span<const Code>> cells((*next)->codes.begin(), (*next)->codes.end());
    std::vector<std::span<const Code>> together;
    for (const std::size_t k : joined) together.push_back(cells[k]);
    if (columns.counted_person()) {
      count_persons(together, cells[*columns.counted_person()], tuples, persons);
    } else if (joined.size() > 1) {
      tuples.add_rows(together);
    }
    for (std::size_t k = 0; k < width; ++k) {
      counted[k].counts.resize(columns.dictionaries()[k].size());
      columns.add_order(k, (*next)->first_row, **next, orders[k]);
      for (const Code code : cells[k]) {
        ++(code == kMissing ? counted[k].missing : counted[k].counts[code]);
      }
    }
    records += (*next)->rows;
  }
  if (const Status status = columns.map_new_texts(table.name()); !status) {
    return fail(status.error());
  }
  std::vector<bool> drop(width, false);
  for (const std::size_t k : columns.drop_if_missing()) drop[k] = true;
  const auto describe = [&](const ReadColumns::Masked& masked) {
    CountedColumn& column = counted[masked.place];
    column.name = masked.model->plan.name;
    column.attribute = masked.model->attribute;
    column.concepts = masked.concepts;
    column.numeric = column.attribute->is_numeric();
    column.numbers.clear();
    const Dictionary& texts = columns.dictionaries()[masked.place];
    for (Code code = 0; column.numeric && code < texts.size(); ++code) {
      const DateForm* const dates = column.attribute->dates.get();
      column.numbers.push_back(cell_number(dates, texts.text(code)).value_or(0));
    }
    name_new_numbers(column);
  };
  for (const ReadColumns::Masked& column : columns.demanded()) describe(column);
  for (const ReadColumns::Masked& masked : columns.masked()) describe(masked);
  persons.settle();
  const Analysis analysis(std::move(counted), joined, tuples, records, drop,
                          columns.counted_person() ? &persons : nullptr);
  std::vector<std::string> whole, frequencies;
  for (const ModelStep& step : model.steps) {
    std::vector<std::string> parts;
    for (const std::size_t j : step.columns) {
      parts.push_back(orders[columns.masked()[j].place].digest());
    }
    if (step.sets) parts.push_back(step.categories);
    const std::vector<std::string> names = model.names_of(step);
    for (const std::string& name : names) {
      if (const RecodedModelColumn* column = model.find_recoded(name)) {
        add_recodings(column->recodings, parts);
      }
    }
    const FrequencyTable fitted = analysis.frequencies(
        names, step.about().forms_classes ? model.demands : std::map<std::string, Demand>());
    whole.push_back(table_digest(fitted, parts, step.about(), step.parameters));
    frequencies.push_back(fitted.digest());
  }
  return TableDigests{Model::Impl::joined_digest(whole), Model::Impl::joined_digest(frequencies)};
}

}  // namespace semveil
