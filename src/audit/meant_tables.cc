#include "audit/meant_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "audit/pair_sets.h"
#include "base/hash_joined.h"
#include "release/common_column.h"
#include "release/survey.h"
#include "semveil/finding_guide.h"
#include "semveil/method.h"

namespace semveil {

Status MeantTables::open_ontologies() {
  for (const ColumnSettings* column : about_.columns.plans) {
    if (!is_nominal(*column)) continue;
    const Status opened = ontologies_.open_for(about_.plan, *column, about_.options.work.use_cache);
    if (!opened) return opened;
  }
  return {};
}

Status MeantTables::take(TableRows original, TableRows masked) {
  rows_.push_back(std::move(original));
  rows_.push_back(std::move(masked));
  if (about_.options.control != nullptr) {
    std::vector<std::size_t> apart;
    if (about_.columns.control_person) apart.push_back(*about_.columns.control_person);
    Result<TableRows> control = read_rows(*about_.options.control, about_.columns.in_control, apart,
                                          about_.options.work.progress);
    if (!control) return fail(control.error());
    rows_.push_back(*std::move(control));
  }
  for (const std::size_t table : {kOriginal, kMasked}) {
    if (rows_[table].records > 0) continue;
    return fail(data_error("the table has no records: there is nothing to audit")
                    .at((table == kOriginal ? about_.original : about_.masked).name()));
  }
  out_.original_records = rows_[kOriginal].records;
  for (MaskStep& step : out_.steps) step.method->settle(out_.original_records, step);
  out_.masked_records = rows_[kMasked].records;
  return {};
}

// ---- Meaning

Status MeantTables::understand() {
  for (std::size_t j = 0; j < out_.columns.size(); ++j) {
    if (const Status status = understand(j); !status) return status;
  }
  for (std::size_t i = 0; i < out_.sets.size(); ++i) {
    if (const Status status = read_sets(i); !status) return status;
  }
  count_sides();
  return {};
}

Status MeantTables::understand(std::size_t j) {
  Result<GroupFiles> files = read_group_files(*about_.columns.plans[j]);
  if (!files) return fail(files.error());
  Dictionary listed;  // what the files name may be in no table
  for (const std::string& text : files->texts()) listed.add(text, 0);
  if (out_.columns[j].is_set) {
    use_fitted(j);
  } else if (const Status status = map(j, listed); !status) {
    return status;
  }
  return group(j, *files, listed);
}

Status MeantTables::map(std::size_t j, const Dictionary& listed) {
  TablePair::Impl::Column& column = out_.columns[j];
  const ColumnSettings& plan = column.plan;
  const std::vector<std::uint64_t> nobody(listed.size(), 0);
  std::vector<TextCounts> tables;
  for (const TableRows& rows : rows_) tables.push_back({&rows.texts[j], rows.counts[j]});
  if (listed.size() > 0) tables.push_back({&listed, nobody});
  Result<CommonColumn> common =
      common_column(about_.plan, plan, ontologies_, tables, about_.options.work.threads);
  if (!common) return fail(common.error());
  column.attribute = common->attribute;
  if (column.attribute->is_nominal() && column.attribute->measure->is_symmetrised()) {
    out_.notes.push_back(
        fmt::format("distances of column {} by {} are the mean of both "
                    "directions, as the measure is not symmetric",
                    column.name, column.attribute->measure->name()));
    out_.findings.push_back(
        make_finding("distances-of-both-directions", Severity::kNote, {column.name}));
  }
  column.unmapped = std::move(common->unmapped);
  values_.push_back(std::move(common->values));
  count_unmapped(j);
  // To the method, such a text of the original is something.
  if (const auto instead = instead_of_meaning(plan, about_.plan, *column.attribute)) {
    for (ConceptId& value : values_[j][kOriginal]) {
      if (value > column.attribute->missing_value()) value = *instead;
    }
  }
  return {};
}

// Which values of a sensitive column are related, and equally grave.
Status MeantTables::group(std::size_t j, const GroupFiles& files, const Dictionary& listed) {
  TablePair::Impl::Column& column = out_.columns[j];
  if (column.role != Role::kSensitive) return {};
  GroupedColumn grouped{about_.plan, *about_.columns.plans[j],
                        ontologies_, {column.attribute, {}, 0},
                        {},          column.is_set};
  std::map<ConceptId, std::uint64_t> originals;
  const auto tell = [&](const Dictionary& texts, auto&& value_of) {
    for (Code code = 0; code < texts.size(); ++code) {
      grouped.meant.emplace_back(texts.text(code), value_of(code));
    }
  };
  for (std::size_t table = 0; table < rows_.size(); ++table) {
    if (values_[j][table].empty()) continue;
    tell(rows_[table].texts[j], [&](Code code) { return values_[j][table][code]; });
  }
  for (Code code = 0; code < rows_[kOriginal].texts[j].size(); ++code) {
    const ConceptId value = values_[j][kOriginal][code];
    if (value < column.attribute->missing_value()) {
      originals[value] += rows_[kOriginal].counts[j][code];
    }
  }
  if (column.is_set) {
    tell(listed, [&](Code code) { return fitted_value(column.name, listed.text(code)); });
  } else if (listed.size() > 0) {
    tell(listed, [&](Code code) { return values_[j][rows_.size()][code]; });
  }
  for (const auto& [value, count] : originals) {
    if (count == 0) continue;
    grouped.original.values.values.push_back(value);
    grouped.original.values.counts.push_back(count);
  }
  Result<SecretGroups> groups = secret_groups(files, grouped);
  if (!groups) return fail(groups.error());
  column.groups = *std::move(groups);
  return {};
}

void MeantTables::count_unmapped(std::size_t j) {
  TablePair::Impl::Column& column = out_.columns[j];
  const auto unmapped = [&](std::size_t table, std::size_t code) {
    return values_[j][table][code] > column.attribute->missing_value();
  };
  const auto records = [&](std::size_t table) {
    std::uint64_t sum = 0;
    for (std::size_t code = 0; code < values_[j][table].size(); ++code) {
      if (unmapped(table, code)) sum += rows_[table].counts[j][code];
    }
    return sum;
  };
  column.original_unmapped = records(kOriginal);
  column.masked_unmapped = records(kMasked);
  for (Code code = 0; code < values_[j][kMasked].size(); ++code) {
    if (!unmapped(kMasked, code)) continue;
    column.left_unmapped += rows_[kOriginal].texts[j].find(rows_[kMasked].texts[j].text(code))
                                ? rows_[kMasked].counts[j][code]
                                : 0;
  }
}

// Of a column of sets the values are those the sets are made of.
void MeantTables::use_fitted(std::size_t j) {
  TablePair::Impl::Column& column = out_.columns[j];
  const ModelColumn& fitted = fitted_column(column.name);
  column.attribute = fitted.attribute;
  std::vector<ConceptId> values;
  for (Code code = 0; code < rows_[kOriginal].texts[j].size(); ++code) {
    values.push_back(fitted_value(column.name, rows_[kOriginal].texts[j].text(code)));
  }
  values_.push_back({std::move(values), {}, {}});
}

// What a text is to the plan that makes sets.
ConceptId MeantTables::fitted_value(const std::string& column, std::string_view text) const {
  const ModelColumn& fitted = fitted_column(column);
  std::optional<std::string> after;
  if (const RecodedModelColumn* recodes = about_.drawn.model->find_recoded(column)) {
    const Result<RecodedText> recoded_text = recoded(recodes->recodings, text);
    after = recoded_text && recoded_text->text ? *recoded_text->text : "";
    text = *after;
  }
  const auto known = fitted.texts.find(text);
  const ConceptId value = known == fitted.texts.end() ? kMissing : known->second.concept_id;
  return value == kMissing ? fitted.attribute->missing_value() : value;
}

const ModelColumn& MeantTables::fitted_column(const std::string& name) const {
  const std::vector<ModelColumn>& columns = about_.drawn.model->columns;
  return *std::ranges::find(columns, name,
                            [](const ModelColumn& column) { return column.plan.name; });
}

// The sets of every record of the masked table, as values.
Status MeantTables::read_sets(std::size_t i) {
  SetPair& set = out_.sets[i];
  const std::string& name = out_.columns[set.column].name;
  const ModelColumn& fitted = fitted_column(name);
  const auto place = static_cast<std::size_t>(&fitted - about_.drawn.model->columns.data());
  const FittedSteps steps = *about_.drawn.model->fitted_for(about_.drawn.model->release);
  set.fitted = set_fit(steps.plan_of(place))->columns[steps.place(place).column];
  set.l = set.fitted.l;
  // The categories that the sets were made of, where some were named.
  if (about_.plan.categories_of(*about_.columns.plans[set.column]) != nullptr) {
    out_.columns[set.column].groups.category = set.fitted.category;
  }
  std::size_t first = about_.options.key.empty() ? 0 : 1;
  for (std::size_t before = 0; before < i; ++before)
    first += about_.columns.set_places[before].size();
  SetForm form = *steps.step_of(place).sets;
  form.width = set.l;
  Result<std::vector<ConceptId>> released =
      released_sets({.table = about_.masked.name(),
                     .column = name,
                     .form = std::move(form),
                     .fitted = set.fitted,
                     .spelling = fitted.spelling->texts(),
                     .rows = rows_[kMasked],
                     .first = first,
                     .columns = about_.columns.set_places[i].size()});
  if (!released) return fail(released.error());
  set.released = *std::move(released);
  return {};
}

// ---- Counting

std::vector<std::shared_ptr<const Attribute>> MeantTables::attributes() const {
  std::vector<std::shared_ptr<const Attribute>> out;
  for (const auto& column : out_.columns) out.push_back(column.attribute);
  return out;
}

ConceptId MeantTables::value(std::size_t table, std::size_t tuple, std::size_t j) const {
  const Code code = rows_[table].tuples.tuple(tuple)[j];
  return code == kMissing ? out_.columns[j].attribute->missing_value() : values_[j][table][code];
}

// Distinct tuples of values, and the class of every tuple of texts.
Classes MeantTables::side(std::size_t table) const {
  Paired alone;
  alone.attributes = attributes();
  for (std::size_t t = 0; t < rows_[table].tuples.size(); ++t) {
    for (std::size_t j = 0; j < alone.attributes.size(); ++j) {
      alone.before.push_back(value(table, t, j));
    }
    alone.counts.push_back(rows_[table].tuples.count(t));
  }
  alone.after = alone.before;
  return classes_of(alone, Side::kBefore);
}

void MeantTables::count_sides() {
  const auto count = [&](std::size_t table, Classes& out) {
    out = side(table);
    class_of_tuple_.push_back(std::move(out.of));
    out.of.clear();
  };
  count(kOriginal, out_.original);
  count(kMasked, out_.masked);
  if (about_.options.control != nullptr) {
    if (about_.plan.missing == MissingRule::kDropRecord) drop_incomplete(rows_[kControl]);
    count(kControl, out_.control.emplace());
  }
}

// Records that masking would have left out are nobody's control.
void MeantTables::drop_incomplete(TableRows& rows) const {
  TupleCounter kept(rows.tuples.width());
  std::vector<std::uint32_t> became;
  for (std::size_t t = 0; t < rows.tuples.size(); ++t) {
    bool complete = true;
    for (std::size_t j = 0; j < out_.columns.size(); ++j) {
      const auto& column = out_.columns[j];
      const bool asked =
          drops_records(*about_.columns.plans[j], column.is_masked || column.is_recoded) &&
          !column.is_set;
      complete = complete && !(asked && rows.tuples.tuple(t)[j] == kMissing);
    }
    became.push_back(kLeftOut);
    if (!complete) continue;
    became.back() =
        static_cast<std::uint32_t>(kept.add(rows.tuples.tuple(t), rows.tuples.count(t)));
  }
  rows.tuples = std::move(kept);
  for (std::uint32_t& tuple : rows.of) tuple = became[tuple];
}

std::vector<std::uint32_t> MeantTables::keep_pairs(const TupleCounter& pairs) {
  TupleCounter both(2);  // of classes: several texts may mean the same
  std::vector<std::uint32_t> became;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto pair = pairs.tuple(i);
    const std::size_t at =
        both.add(std::array{class_of_tuple_[kOriginal][pair[0]], class_of_tuple_[kMasked][pair[1]]},
                 pairs.count(i));
    became.push_back(static_cast<std::uint32_t>(at));
  }
  Paired& kept = out_.pairs;
  kept.attributes = attributes();
  for (std::size_t i = 0; i < both.size(); ++i) {
    const auto was = out_.original.tuple(both.tuple(i)[0]);
    const auto is = out_.masked.tuple(both.tuple(i)[1]);
    kept.before.insert(kept.before.end(), was.begin(), was.end());
    kept.after.insert(kept.after.end(), is.begin(), is.end());
    kept.counts.push_back(both.count(i));
  }
  return became;
}

std::uint64_t MeantTables::released_hash(std::size_t tuple) const {
  std::uint64_t hash = 0;
  for (std::size_t j = 0; j < out_.columns.size(); ++j) {
    const TablePair::Impl::Column& column = out_.columns[j];
    if (column.is_masked && !column.is_set) hash = hash_joined(hash, value(kMasked, tuple, j));
  }
  return hash;
}

}  // namespace semveil
