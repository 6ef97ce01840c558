// From two files to pairs of records (audit/table_pair.h).
//
//   1. both tables are read: distinct tuples of texts, the tuple of each record
//   2. every column's texts, of all tables together, become values of one attribute
//   3. records are paired by position, key or row map, and counted as pairs of tuples
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "audit/believed_pairs.h"
#include "audit/drawn_model.h"
#include "audit/pair_columns.h"
#include "audit/pair_sets.h"
#include "audit/table_pair.h"
#include "base/hash_joined.h"
#include "figures/value_names.h"
#include "release/common_column.h"
#include "release/row_keys.h"
#include "release/row_map.h"
#include "release/survey.h"
#include "release/table_rows.h"
#include "semveil/finding_guide.h"
#include "semveil/method.h"
#include "semveil/stop.h"

namespace semveil {

TablePair::TablePair(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
TablePair::~TablePair() = default;
TablePair::TablePair(TablePair&&) noexcept = default;

std::string TablePair::Impl::label(std::size_t column, ConceptId value) const {
  const Column& of = columns[column];
  const Attribute& attribute = *of.attribute;
  if (value <= attribute.missing_value()) return label_of(attribute, value);
  return of.unmapped[value - attribute.missing_value() - 1];
}

namespace {

class Pairing {
 public:
  Pairing(const Table& original, const Table& masked, const PlanFile& plan,
          const PairOptions& options)
      : original_(original),
        masked_(masked),
        plan_(plan),
        options_(options),
        out_(std::make_unique<TablePair::Impl>()) {
    out_->missing = plan.missing;
    out_->mask = plan.mask;
  }

  Result<TablePair> run() && {
    Result<PairColumns> found = find_pair_columns(original_, masked_, plan_, options_, *out_);
    if (!found) return fail(found.error());
    columns_ = *std::move(found);
    if (const Status status = open_ontologies(); !status) return fail(status.error());
    if (const Status status = drawn_.fit(original_, plan_, options_, *out_); !status) {
      return fail(status.error());
    }
    if (const Status status = read(); !status) return fail(status.error());
    if (const Status status = understand(); !status) return fail(status.error());
    count_sides();
    if (const Status status = pair(); !status) return fail(status.error());
    return TablePair(std::move(out_));
  }

 private:
  Status open_ontologies() {
    for (const ColumnPlan* column : columns_.plans) {
      if (!is_nominal(*column)) continue;
      const Status opened = ontologies_.open_for(plan_, *column, options_.work.use_cache);
      if (!opened) return opened;
    }
    return {};
  }

  // ---- Reading

  Status read() {
    const auto all = [](const std::vector<std::size_t>& places) {
      return std::vector<std::optional<std::size_t>>(places.begin(), places.end());
    };
    std::vector<std::size_t> apart_of_original, apart_of_masked;
    if (!options_.key.empty()) {
      const Result<std::size_t> in_original = original_.column(options_.key);
      if (!in_original) return fail(in_original.error());
      const Result<std::size_t> in_masked = masked_.column(options_.key);
      if (!in_masked) return fail(in_masked.error());
      apart_of_original.push_back(*in_original);
      apart_of_masked.push_back(*in_masked);
    }
    if (plan_.mask && !plan_.mask->draw_by.empty() && options_.compares_cells) {
      if (plan_.mask->draw_by == options_.key) {
        person_place_ = 0;
      } else if (const auto person = original_.column(plan_.mask->draw_by)) {
        person_place_ = apart_of_original.size();
        apart_of_original.push_back(*person);
      }
    }
    for (const std::vector<std::size_t>& places : columns_.set_places) {
      apart_of_masked.insert(apart_of_masked.end(), places.begin(), places.end());
    }
    Result<TableRows> original =
        read_rows(original_, all(columns_.in_original), apart_of_original, options_.work.progress);
    if (!original) return fail(original.error());
    Result<TableRows> masked =
        read_rows(masked_, columns_.in_masked, apart_of_masked, options_.work.progress);
    if (!masked) return fail(masked.error());
    rows_.push_back(*std::move(original));
    rows_.push_back(*std::move(masked));
    if (options_.control != nullptr) {
      Result<TableRows> control =
          read_rows(*options_.control, columns_.in_control, {}, options_.work.progress);
      if (!control) return fail(control.error());
      rows_.push_back(*std::move(control));
    }
    for (const std::size_t table : {kOriginal, kMasked}) {
      if (rows_[table].records > 0) continue;
      return fail(data_error("the table has no records: there is nothing to audit")
                      .at((table == kOriginal ? original_ : masked_).name()));
    }
    out_->original_records = rows_[kOriginal].records;
    if (out_->mask) out_->mask->method->settle(out_->original_records, *out_->mask);
    out_->masked_records = rows_[kMasked].records;
    return {};
  }

  // ---- Meaning

  Status understand() {
    for (std::size_t j = 0; j < out_->columns.size(); ++j) {
      TablePair::Impl::Column& column = out_->columns[j];
      Result<GroupFiles> files = read_group_files(*columns_.plans[j]);
      if (!files) return fail(files.error());
      Dictionary listed;  // what the files name may be in no table
      for (const std::string& text : files->texts()) listed.add(text, 0);
      const std::vector<std::uint64_t> nobody(listed.size(), 0);
      if (column.is_set) {
        use_fitted(j);
        if (const Status status = group(j, *files, listed); !status) return status;
        continue;
      }
      std::vector<TextCounts> tables;
      for (const TableRows& rows : rows_) tables.push_back({&rows.texts[j], rows.counts[j]});
      if (listed.size() > 0) tables.push_back({&listed, nobody});
      Result<CommonColumn> common =
          common_column(plan_, *columns_.plans[j], ontologies_, tables, options_.work.threads);
      if (!common) return fail(common.error());
      column.attribute = common->attribute;
      if (column.attribute->is_nominal() && column.attribute->measure->is_symmetrised()) {
        out_->notes.push_back(
            fmt::format("distances of column {} by {} are the mean of both "
                        "directions, as the measure is not symmetric",
                        column.name, column.attribute->measure->name()));
        out_->findings.push_back(
            make_finding("distances-of-both-directions", Severity::kNote, {column.name}));
      }
      column.unmapped = std::move(common->unmapped);
      values_.push_back(std::move(common->values));
      count_unmapped(j);
      // To the method, such a text of the original is something.
      if (const auto instead = instead_of_meaning(*columns_.plans[j], plan_, *column.attribute)) {
        for (ConceptId& value : values_[j][kOriginal]) {
          if (value > column.attribute->missing_value()) value = *instead;
        }
      }
      if (const Status status = group(j, *files, listed); !status) return status;
    }
    for (std::size_t i = 0; i < out_->sets.size(); ++i) {
      if (const Status status = read_sets(i); !status) return status;
    }
    return {};
  }

  // Which values of a sensitive column are related, and equally grave.
  Status group(std::size_t j, const GroupFiles& files, const Dictionary& listed) {
    TablePair::Impl::Column& column = out_->columns[j];
    if (column.role != Role::kSensitive) return {};
    GroupedColumn grouped{plan_, *columns_.plans[j], ontologies_, {column.attribute, {}, 0},
                          {},    column.is_set};
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

  void count_unmapped(std::size_t j) {
    TablePair::Impl::Column& column = out_->columns[j];
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
  void use_fitted(std::size_t j) {
    TablePair::Impl::Column& column = out_->columns[j];
    const ModelColumn& fitted = fitted_column(column.name);
    column.attribute = fitted.attribute;
    std::vector<ConceptId> values;
    for (Code code = 0; code < rows_[kOriginal].texts[j].size(); ++code) {
      values.push_back(fitted_value(column.name, rows_[kOriginal].texts[j].text(code)));
    }
    values_.push_back({std::move(values), {}, {}});
  }

  // What a text is to the plan that makes sets.
  ConceptId fitted_value(const std::string& column, std::string_view text) const {
    const ModelColumn& fitted = fitted_column(column);
    const auto known = fitted.texts.find(text);
    const ConceptId value = known == fitted.texts.end() ? kMissing : known->second.concept_id;
    return value == kMissing ? fitted.attribute->missing_value() : value;
  }

  const ModelColumn& fitted_column(const std::string& name) const {
    const std::vector<ModelColumn>& columns = drawn_.model->columns;
    return *std::ranges::find(columns, name,
                              [](const ModelColumn& column) { return column.plan.name; });
  }

  // The sets of every record of the masked table, as values.
  Status read_sets(std::size_t i) {
    SetPair& set = out_->sets[i];
    const std::string& name = out_->columns[set.column].name;
    const ModelColumn& fitted = fitted_column(name);
    const auto place = static_cast<std::size_t>(&fitted - drawn_.model->columns.data());
    set.fitted = set_fit(*out_->drawn)->columns[place];
    set.l = set.fitted.l;
    // The categories that the sets were made of, where some were named.
    if (plan_.categories_of(*columns_.plans[set.column]) != nullptr) {
      out_->columns[set.column].groups.category = set.fitted.category;
    }
    std::size_t first = options_.key.empty() ? 0 : 1;
    for (std::size_t before = 0; before < i; ++before) first += columns_.set_places[before].size();
    SetForm form = *drawn_.model->sets;
    form.width = set.l;
    Result<std::vector<ConceptId>> released =
        released_sets({.table = masked_.name(),
                       .column = name,
                       .form = std::move(form),
                       .fitted = set.fitted,
                       .spelling = fitted.spelling->texts(),
                       .rows = rows_[kMasked],
                       .first = first,
                       .columns = columns_.set_places[i].size()});
    if (!released) return fail(released.error());
    set.released = *std::move(released);
    return {};
  }

  // ---- Counting

  std::vector<std::shared_ptr<const Attribute>> attributes() const {
    std::vector<std::shared_ptr<const Attribute>> out;
    for (const auto& column : out_->columns) out.push_back(column.attribute);
    return out;
  }

  ConceptId value(std::size_t table, std::size_t tuple, std::size_t j) const {
    const Code code = rows_[table].tuples.tuple(tuple)[j];
    return code == kMissing ? out_->columns[j].attribute->missing_value() : values_[j][table][code];
  }

  // Distinct tuples of values, and the class of every tuple of texts.
  Classes side(std::size_t table) {
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

  void count_sides() {
    const auto count = [&](std::size_t table, Classes& out) {
      out = side(table);
      class_of_tuple_.push_back(std::move(out.of));
      out.of.clear();
    };
    count(kOriginal, out_->original);
    count(kMasked, out_->masked);
    if (options_.control != nullptr) {
      if (plan_.missing == MissingRule::kDropRecord) drop_incomplete(rows_[kControl]);
      out_->control = side(kControl);
      out_->control->of.clear();
    }
  }

  // Records that masking would have left out are nobody's control.
  void drop_incomplete(TableRows& rows) const {
    TupleCounter kept(rows.tuples.width());
    for (std::size_t t = 0; t < rows.tuples.size(); ++t) {
      bool complete = true;
      for (std::size_t j = 0; j < out_->columns.size(); ++j) {
        const auto& column = out_->columns[j];
        const bool asked = drops_records(*columns_.plans[j], column.is_masked) && !column.is_set;
        complete = complete && !(asked && rows.tuples.tuple(t)[j] == kMissing);
      }
      if (complete) kept.add(rows.tuples.tuple(t), rows.tuples.count(t));
    }
    rows.tuples = std::move(kept);
  }

  // ---- Who is who

  Status pair() {
    const TableRows& original = rows_[kOriginal];
    const TableRows& masked = rows_[kMasked];
    if (options_.unpaired) {
      out_->unpaired_why = "only what needs no pairs of records was asked for";
      return {};
    }
    if (options_.rows != nullptr) {
      input_ = *options_.rows;
      out_->pairing = "masking";
    } else if (!options_.row_map.empty()) {
      auto rows = read_row_map(options_.row_map, original.records, masked.records);
      if (!rows) return fail(rows.error());
      input_ = *std::move(rows);
      out_->pairing = "row-map";
    } else if (!options_.key.empty()) {
      auto rows = rows_by_key(original, masked, {original_.name(), masked_.name(), options_.key},
                              out_->notes, out_->findings);
      if (!rows) return fail(rows.error());
      input_ = *std::move(rows);
      out_->pairing = "key";
    } else if (original.records == masked.records) {
      out_->pairing = "position";
    } else {
      out_->unpaired_why = fmt::format(
          "the tables have {} and {} records, and nothing says which belong together: name a "
          "key column that is in both, or the row map that masking wrote",
          original.records, masked.records);
      return {};
    }
    if (const Status status = compare(); !status) return status;
    count_pairs();
    return {};
  }

  std::uint64_t from(std::uint64_t row) const { return input_.empty() ? row : input_[row]; }

  // What came through as it was and, by position, whether the pairs can be believed.
  Status compare() {
    if (!options_.compares_cells) return {};
    out_->cells_are_compared = true;
    const bool by_position = out_->pairing == "position";
    Status compared =
        compare_cells({.original = original_,
                       .masked = masked_,
                       .rows = input_,
                       .is_suppressed = [&](std::uint64_t row) { return is_suppressed(row); },
                       .progress = options_.work.progress},
                      out_->compared);
    if (!compared || !by_position) return compared;
    const Result<Belief> belief = believe_position(
        {.original = original_,
         .plan = plan_,
         .columns = out_->compared,
         .records = rows_[kMasked].records,
         .distance = [&](std::uint64_t a, std::uint64_t b) { return distance(a, b); },
         .progress = options_.work.progress});
    if (!belief) return fail(belief.error());
    if (!belief->believed) {
      return fail(
          data_error(
              fmt::format("nothing shows that its records stand in the order of {}: {}. "
                          "Say which record was which by the row map or a key column, or ask "
                          "only for what needs no pairs",
                          original_.name(), belief->seen))
              .at(masked_.name()));
    }
    if (belief->finding) out_->findings.push_back(*belief->finding);
    return {};
  }

  // Every quasi-identifier of the record is empty.
  bool is_suppressed(std::uint64_t row) const {
    const auto tuple = rows_[kMasked].tuples.tuple(rows_[kMasked].of[row]);
    return !out_->quasi_identifiers.empty() &&
           std::ranges::all_of(out_->quasi_identifiers,
                               [&](std::size_t j) { return tuple[j] == kMissing; });
  }

  // The mean distance of two records; of a set whether the value is in it.
  double distance(std::uint64_t original, std::uint64_t masked) const {
    double sum = 0;
    for (std::size_t j = 0; j < out_->columns.size(); ++j) {
      if (out_->columns[j].is_set) continue;
      sum +=
          out_->columns[j].attribute->distance(value(kOriginal, rows_[kOriginal].of[original], j),
                                               value(kMasked, rows_[kMasked].of[masked], j));
    }
    for (const SetPair& set : out_->sets) {
      const auto values = std::span(set.released).subspan(masked * set.l, set.l);
      sum += std::ranges::find(values, truth(set, original)) == values.end() ? 1 : 0;
    }
    return sum / static_cast<double>(out_->columns.size());
  }

  void count_pairs() {
    const TableRows& original = rows_[kOriginal];
    const TableRows& masked = rows_[kMasked];
    if (person_place_) out_->person_links.emplace();
    TupleCounter both(2);
    for (std::uint64_t row = 0; row < masked.records; ++row) {
      if (from(row) == kNobody) continue;
      both.add(std::array{class_of_tuple_[kOriginal][original.of[from(row)]],
                          class_of_tuple_[kMasked][masked.of[row]]});
      if (!out_->sets.empty()) keep_sets(row, from(row));
      if (person_place_) {
        out_->person_links->add(released_hash(row), original.apart[*person_place_][from(row)]);
      }
    }
    Paired& pairs = out_->pairs;
    pairs.attributes = attributes();
    for (std::size_t i = 0; i < both.size(); ++i) {
      const auto was = out_->original.tuple(both.tuple(i)[0]);
      const auto is = out_->masked.tuple(both.tuple(i)[1]);
      pairs.before.insert(pairs.before.end(), was.begin(), was.end());
      pairs.after.insert(pairs.after.end(), is.begin(), is.end());
      pairs.counts.push_back(both.count(i));
    }
    for (SetPair& set : out_->sets) set.released.swap(set_of_pairs_[set.column]);
  }

  ConceptId truth(const SetPair& set, std::uint64_t from) const {
    const ConceptId own = value(kOriginal, rows_[kOriginal].of[from], set.column);
    return own == out_->columns[set.column].attribute->missing_value() ? kMissing : own;
  }

  void keep_sets(std::uint64_t row, std::uint64_t from) {
    for (SetPair& set : out_->sets) {
      set.truth.push_back(truth(set, from));
      const auto values = std::span(set.released).subspan(row * set.l, set.l);
      const std::size_t tuple = rows_[kOriginal].of[from];
      const bool had = rows_[kOriginal].tuples.tuple(tuple)[set.column] != kMissing;
      set.emptied += had && values.front() == kMissing ? 1 : 0;
      std::vector<ConceptId>& kept = set_of_pairs_[set.column];
      kept.insert(kept.end(), values.begin(), values.end());
    }
  }

  // Of what the method drew for the record.
  std::uint64_t released_hash(std::uint64_t row) const {
    std::uint64_t hash = 0;
    const std::size_t tuple = rows_[kMasked].of[row];
    for (std::size_t j = 0; j < out_->columns.size(); ++j) {
      const TablePair::Impl::Column& column = out_->columns[j];
      if (column.is_masked && !column.is_set) hash = hash_joined(hash, value(kMasked, tuple, j));
    }
    for (const SetPair& set : out_->sets) {
      for (std::size_t i = 0; i < set.l; ++i) {
        hash = hash_joined(hash, set.released[row * set.l + i]);
      }
    }
    return hash;
  }

  static constexpr std::size_t kOriginal = 0, kMasked = 1, kControl = 2;

  const Table& original_;
  const Table& masked_;
  const PlanFile& plan_;
  const PairOptions& options_;
  std::unique_ptr<TablePair::Impl> out_;
  PairColumns columns_;
  Ontologies ontologies_;
  DrawnModel drawn_;
  std::vector<TableRows> rows_;                              // by table
  std::vector<std::vector<std::vector<ConceptId>>> values_;  // by column, table, code
  std::vector<std::vector<std::uint32_t>> class_of_tuple_;   // by table, then tuple of texts
  std::map<std::size_t, std::vector<ConceptId>> set_of_pairs_;
  std::vector<std::uint64_t> input_;         // by row of the masked table; empty: the same row
  std::optional<std::size_t> person_place_;  // among the original's columns apart
};

}  // namespace

Result<TablePair> pair_tables(const Table& original, const Table& masked, const PlanFile& plan,
                              const PairOptions& options) {
  return stoppable(options.work.stop,
                   [&] { return Pairing(original, masked, plan, options).run(); });
}

}  // namespace semveil
