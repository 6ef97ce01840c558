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
#include "audit/meant_tables.h"
#include "audit/pair_columns.h"
#include "audit/table_pair.h"
#include "audit/told_persons.h"
#include "audit/told_sets.h"
#include "base/hash_joined.h"
#include "figures/value_names.h"
#include "release/row_keys.h"
#include "release/row_map.h"
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

void TablePair::Impl::take_plan(const PlanFile& plan) {
  masks = plan.masks();
  method = plan.method();
  steps = plan.steps;
  draw_by = plan.draw_by();
}

void TablePair::Impl::leave_persons_untold(const PlanFile& plan) {
  std::map<std::string, double> not_looked_at;
  if (shifts_dates(plan)) not_looked_at["shifted"] = 1;
  if (plan.allow_linked_rows) not_looked_at["linked_rows"] = 1;
  if (not_looked_at.empty()) return;
  findings.push_back(
      make_finding("told-by-mask-alone", Severity::kNote, {}, std::move(not_looked_at)));
}

const MethodDescription& TablePair::Impl::about() const { return method_named(method); }

const MaskStep* TablePair::Impl::step_of(const std::string& column) const {
  ColumnSettings named;  // by name, or by what the plan says of it
  named.name = column;
  const auto at = std::ranges::find(columns, column, &Column::name);
  if (at != columns.end()) named = at->plan;
  const auto step =
      std::ranges::find_if(steps, [&](const MaskStep& one) { return is_masked(named, one); });
  return step == steps.end() ? nullptr : &*step;
}

std::uint64_t TablePair::Impl::k() const {
  std::uint64_t most = 0;
  for (const MaskStep& step : steps) {
    if (step.about().forms_classes) most = std::max(most, step.k());
  }
  return most > 0 || steps.empty() ? most : steps.front().k();
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
        out_(std::make_unique<TablePair::Impl>()),
        meant_({original, masked, plan, options, columns_, drawn_}, *out_) {
    out_->missing = plan.missing;
    out_->take_plan(plan);
    out_->asks_persons = !plan.person.empty();
  }

  Result<TablePair> run() && {
    Result<PairColumns> found = find_pair_columns(original_, masked_, plan_, options_, *out_);
    if (!found) return fail(found.error());
    columns_ = *std::move(found);
    if (const Status status = meant_.open_ontologies(); !status) return fail(status.error());
    const auto survey_original = [&] { return survey(original_, plan_, options_.work); };
    if (const Status status = drawn_.fit(survey_original, plan_, options_, *out_); !status) {
      return fail(status.error());
    }
    if (const Status status = read(); !status) return fail(status.error());
    if (const Status status = meant_.understand(); !status) return fail(status.error());
    if (const Status status = count_persons(); !status) return fail(status.error());
    if (const Status status = pair(); !status) return fail(status.error());
    find_told();
    if (const Status status = find_told_of_persons(); !status) return fail(status.error());
    return TablePair(std::move(out_));
  }

 private:
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
    if (!out_->draw_by.empty() && options_.compares_cells) {
      if (out_->draw_by == options_.key) {
        person_place_ = 0;
      } else if (const auto person = original_.column(out_->draw_by)) {
        person_place_ = apart_of_original.size();
        apart_of_original.push_back(*person);
      }
    }
    if (!plan_.person.empty()) {
      const Result<std::size_t> person = original_.column(plan_.person);
      if (!person) return fail(person.error());
      const auto at = std::ranges::find(apart_of_original, *person);
      counted_person_ = static_cast<std::size_t>(at - apart_of_original.begin());
      if (at == apart_of_original.end()) apart_of_original.push_back(*person);
    }
    if (!plan_.person.empty() && options_.control != nullptr) {
      const Result<std::size_t> person = options_.control->column(plan_.person);
      if (!person) {
        return fail(Error(person.error())
                        .hinting(fmt::format("the plan counts persons, and column {} tells whose "
                                             "records the control's are: add it there",
                                             plan_.person)));
      }
      columns_.control_person = *person;
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
    return meant_.take(*std::move(original), *std::move(masked));
  }

  // Whose records the originals are.
  Status count_persons() {
    if (!counted_person_) return {};
    const TableRows& original = rows(kOriginal);
    const Dictionary& known = original.apart_texts[*counted_person_];
    const std::vector<Code>& persons = original.apart[*counted_person_];
    if (const Status all = all_have_persons(original_, persons, known); !all) return all;
    std::vector<std::uint64_t> each;
    for (std::uint64_t row = 0; row < original.records; ++row) {
      each.push_back(
          PersonPairs::pair_of(meant_.class_of(kOriginal, original.of[row]), persons[row]));
    }
    out_->original_persons = PersonRows::count(std::move(each), out_->original.size());
    return columns_.control_person ? count_control(known) : Status();
  }

  Status all_have_persons(const Table& table, const std::vector<Code>& persons,
                          const Dictionary& texts) const {
    const std::optional<Code> blank = texts.find("");
    for (std::uint64_t row = 0; row < persons.size(); ++row) {
      if (persons[row] != kMissing && persons[row] != blank) continue;
      return fail(data_error(fmt::format("record {} has no person: complete the column, or leave "
                                         "person out of the plan",
                                         row + 1))
                      .at({table.name(), 0, plan_.person}));
    }
    return {};
  }

  // Whose records the control's are. `known`: the original's persons, some of whom may be there.
  Status count_control(const Dictionary& known) {
    const TableRows& control = rows(MeantTables::kControl);
    const Dictionary& texts = control.apart_texts.front();
    const std::vector<Code>& persons = control.apart.front();
    if (const Status all = all_have_persons(*options_.control, persons, texts); !all) return all;
    std::vector<std::uint32_t> numbers;
    for (Code code = 0; code < texts.size(); ++code) {
      const std::optional<Code> number = known.find(texts.text(code));
      numbers.push_back(number.value_or(static_cast<Code>(known.size() + code)));
    }
    std::vector<std::uint64_t> each;
    for (std::uint64_t row = 0; row < persons.size(); ++row) {
      if (control.of[row] == MeantTables::kLeftOut) continue;
      each.push_back(PersonPairs::pair_of(meant_.class_of(MeantTables::kControl, control.of[row]),
                                          numbers[persons[row]]));
    }
    out_->control_persons = PersonRows::count(std::move(each), out_->control->size());
    return {};
  }

  // ---- Who is who

  Status pair() {
    const TableRows& original = rows(kOriginal);
    const TableRows& masked = rows(kMasked);
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
                       .person_of = person_of_rows(),
                       .progress = options_.work.progress},
                      out_->compared);
    if (!compared || !by_position) return compared;
    const Result<Belief> belief = believe_position(
        {.original = original_,
         .plan = plan_,
         .columns = out_->compared,
         .records = rows(kMasked).records,
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

  PersonOfRow person_of_rows() const {
    if (!counted_person_) return {};
    return [this](std::uint64_t row) -> std::uint64_t {
      return rows(kOriginal).apart[*counted_person_][from(row)];
    };
  }

  // Every quasi-identifier of the record is empty.
  bool is_suppressed(std::uint64_t row) const {
    const auto tuple = rows(kMasked).tuples.tuple(rows(kMasked).of[row]);
    return !out_->quasi_identifiers.empty() &&
           std::ranges::all_of(out_->quasi_identifiers,
                               [&](std::size_t j) { return tuple[j] == kMissing; });
  }

  // The mean distance of two records; of a set whether the value is in it.
  double distance(std::uint64_t original, std::uint64_t masked) const {
    double sum = 0;
    for (std::size_t j = 0; j < out_->columns.size(); ++j) {
      if (out_->columns[j].is_set) continue;
      sum += out_->columns[j].attribute->distance(value(kOriginal, rows(kOriginal).of[original], j),
                                                  value(kMasked, rows(kMasked).of[masked], j));
    }
    for (const SetPair& set : out_->sets) {
      const auto values = std::span(set.released).subspan(masked * set.l, set.l);
      sum += std::ranges::find(values, truth(set, original)) == values.end() ? 1 : 0;
    }
    return sum / static_cast<double>(out_->columns.size());
  }

  void count_pairs() {
    const TableRows& original = rows(kOriginal);
    const TableRows& masked = rows(kMasked);
    if (person_place_) out_->person_links.emplace();
    TupleCounter both(2);
    std::vector<std::uint64_t> whose;  // by paired record: its pair and person
    for (std::uint64_t row = 0; row < masked.records; ++row) {
      if (from(row) == kNobody) continue;
      const std::size_t at = both.add(std::array{original.of[from(row)], masked.of[row]});
      if (counted_person_) {
        whose.push_back(PersonPairs::pair_of(static_cast<std::uint32_t>(at),
                                             original.apart[*counted_person_][from(row)]));
      }
      if (!out_->sets.empty()) keep_sets(row, from(row));
      if (person_place_) {
        out_->person_links->add(released_hash(row), original.apart[*person_place_][from(row)]);
      }
    }
    const std::vector<std::uint32_t> became = meant_.keep_pairs(both);
    if (counted_person_) {
      out_->pair_persons =
          PersonRows::count(std::move(whose), both.size()).moved(became, out_->pairs.size());
    }
    for (SetPair& set : out_->sets) set.released.swap(set_of_pairs_[set.column]);
  }

  ConceptId truth(const SetPair& set, std::uint64_t from) const {
    const ConceptId own = value(kOriginal, rows(kOriginal).of[from], set.column);
    return own == out_->columns[set.column].attribute->missing_value() ? kMissing : own;
  }

  void keep_sets(std::uint64_t row, std::uint64_t from) {
    for (SetPair& set : out_->sets) {
      set.truth.push_back(truth(set, from));
      const auto values = std::span(set.released).subspan(row * set.l, set.l);
      const std::size_t tuple = rows(kOriginal).of[from];
      const bool had = rows(kOriginal).tuples.tuple(tuple)[set.column] != kMissing;
      set.emptied += had && values.front() == kMissing ? 1 : 0;
      std::vector<ConceptId>& kept = set_of_pairs_[set.column];
      kept.insert(kept.end(), values.begin(), values.end());
    }
  }

  // Of what the method drew for the record.
  std::uint64_t released_hash(std::uint64_t row) const {
    std::uint64_t hash = meant_.released_hash(rows(kMasked).of[row]);
    for (const SetPair& set : out_->sets) {
      for (std::size_t i = 0; i < set.l; ++i) {
        hash = hash_joined(hash, set.released[row * set.l + i]);
      }
    }
    return hash;
  }

  // Columns that give the category of a set's true value away.
  void find_told() {
    if (out_->sets.empty() || !options_.compares_cells) return;
    const bool paired = out_->pairs.size() > 0;
    const Table& table = paired ? masked_ : original_;
    std::vector<bool> is_set(masked_.columns().size(), false);
    for (const std::vector<std::size_t>& places : columns_.set_places) {
      for (const std::size_t place : places) is_set[place] = true;
    }
    std::vector<std::size_t> others;
    for (std::size_t place = 0; place < is_set.size(); ++place) {
      if (is_set[place]) continue;
      const Result<std::size_t> at = table.column(masked_.columns()[place]);
      if (paired || at) others.push_back(paired ? place : *at);
    }
    const auto true_value = [&](const SetPair& set, std::uint64_t row) {
      const std::uint64_t own = paired ? from(row) : row;
      return own == kNobody ? kMissing : truth(set, own);
    };
    for (Finding& finding : find_told_categories({table, others, true_value}, *out_)) {
      out_->findings.push_back(std::move(finding));
    }
  }

  // What masking tells of whole persons, where both tables show it.
  Status find_told_of_persons() {
    const bool knows_persons = counted_person_ && out_->pairs.records() == rows(kMasked).records;
    if (!options_.compares_cells || !knows_persons || !tells_of_persons(plan_)) {
      out_->leave_persons_untold(plan_);
      return {};
    }
    std::optional<Survey> own;
    const Survey* surveyed = shifts_dates(plan_) ? options_.survey : nullptr;
    if (shifts_dates(plan_) && surveyed == nullptr) {
      Result<Survey> made = survey(original_, plan_, options_.work);
      if (!made) return fail(made.error());
      surveyed = &own.emplace(*std::move(made));
    }
    const TableRows& original = rows(kOriginal);
    const Dictionary& texts = original.apart_texts[*counted_person_];
    const auto number = [&](std::uint64_t row) {
      return original.apart[*counted_person_][from(row)];
    };
    auto found = semveil::find_told_of_persons(
        {.masked = masked_,
         .plan = plan_,
         .survey = surveyed == nullptr ? nullptr : &surveyed->impl(),
         .person = [&](std::uint64_t row) { return texts.text(number(row)); },
         .number = number,
         .progress = options_.work.progress});
    if (!found) return fail(found.error());
    out_->findings.insert(out_->findings.end(), found->begin(), found->end());
    return {};
  }

  const TableRows& rows(std::size_t table) const { return meant_.rows(table); }
  ConceptId value(std::size_t table, std::size_t tuple, std::size_t j) const {
    return meant_.value(table, tuple, j);
  }

  static constexpr std::size_t kOriginal = MeantTables::kOriginal, kMasked = MeantTables::kMasked;

  const Table& original_;
  const Table& masked_;
  const PlanFile& plan_;
  const PairOptions& options_;
  std::unique_ptr<TablePair::Impl> out_;
  PairColumns columns_;
  DrawnModel drawn_;
  MeantTables meant_;
  std::map<std::size_t, std::vector<ConceptId>> set_of_pairs_;
  std::vector<std::uint64_t> input_;           // by row of the masked table; empty: the same row
  std::optional<std::size_t> person_place_;    // among the original's columns apart
  std::optional<std::size_t> counted_person_;  // the same, of the person whom k counts
};

}  // namespace

Result<TablePair> pair_tables(const Table& original, const Table& masked, const PlanFile& plan,
                              const PairOptions& options) {
  return stoppable(options.work.stop,
                   [&] { return Pairing(original, masked, plan, options).run(); });
}

}  // namespace semveil
