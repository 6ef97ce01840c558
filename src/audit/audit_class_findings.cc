// What the released classes tell of the people in them (audit_findings.h).
//
// A class is a group of records with equal values in the columns that tell of people as they stand.
#include <algorithm>
#include <functional>

#include "audit/audit_findings.h"
#include "figures/class_risk.h"
#include "figures/column_figures.h"
#include "release/privacy.h"
#include "release/verify.h"
#include "semveil/finding_guide.h"
#include "semveil/method.h"

namespace semveil {
namespace {

using ColumnNames = std::vector<std::string>;

class ClassFindings {
 public:
  ClassFindings(const AuditTask& task, Audit& audit) : task_(task), audit_(audit) {
    for (const std::size_t j : task.pair.quasi_identifiers) {
      if (!task.pair.columns[j].is_set && stands_as_it_was(j)) known_by_.push_back(j);
    }
  }

  void find() {
    if (task_.asks_persons() && !task_.knows_persons()) {
      add("persons-not-known", Severity::kWarning, {}, {});
    }
    if (audit_.classes) find_k();
    find_rows_of_one();
    find_alone();
    for (const std::size_t j : task_.pair.sensitive) {
      if (task_.pair.columns[j].is_set || task_.pair.quasi_identifiers.empty()) continue;
      find_demand(j);
      find_secrets(j);
    }
  }

 private:
  // Whether who knows a person's value can look for it in the release: the plan's method does not
  // change it, did not change it, or is not what the release came from. A recoding that draws
  // nothing makes the same of it for everybody: who knows the value knows what it became.
  bool stands_as_it_was(std::size_t j) const {
    const TablePair::Impl::Column& column = task_.pair.columns[j];
    const MaskStep* const step = task_.pair.step_of(column.name);
    if (!task_.pair.masks || (step != nullptr && step->about().looks_up())) return true;
    if (step == nullptr && column.is_recoded && !column.is_redrawn) return true;
    const auto has = [](const auto& all, const auto& one, auto name) {
      return std::ranges::find(all, one, name) != all.end();
    };
    return !audit_.columns[j].is_masked || has(audit_.unmasked, column.name, std::identity()) ||
           has(audit_.findings, std::string_view("method-contradicted"), &Finding::id);
  }
  bool makes_classes() const { return task_.pair.masks && task_.pair.about().forms_classes; }
  void add(std::string_view id, Severity severity, ColumnNames columns,
           std::map<std::string, double> figures) {
    audit_.findings.push_back(make_finding(id, severity, std::move(columns), std::move(figures)));
  }
  ColumnNames names_of(const std::vector<std::size_t>& columns) const {
    ColumnNames out;
    for (const std::size_t j : columns) out.push_back(task_.pair.columns[j].name);
    return out;
  }

  void find_k() {
    if (!makes_classes() || audit_.classes->classes == 0) return;
    const std::uint64_t promised = task_.pair.k();
    const ClassRisk& found = *audit_.classes;
    misses_k_ = found.smallest < promised;
    std::map<std::string, double> figures{{"k", static_cast<double>(found.smallest)},
                                          {"promised", static_cast<double>(promised)}};
    if (misses_k_) figures["uniques"] = static_cast<double>(found.uniques);
    if (task_.asks_persons()) figures["of_persons"] = 1;
    add(misses_k_ ? "k-missed" : "k-verified", misses_k_ ? Severity::kDanger : Severity::kPromise,
        {}, std::move(figures));
  }

  // k persons, and most of the records one's: whoever takes a record of the class for that person's
  // is right more often than 1/k says.
  void find_rows_of_one() {
    if (!task_.asks_persons() || !task_.knows_persons() || !makes_classes()) return;
    if (misses_k_ || !audit_.classes || audit_.classes->smallest == 0) return;
    const double share = greatest_share_of_rows(task_);
    const double promised = 1 / static_cast<double>(audit_.classes->smallest);
    if (share < kMostFound || share < promised + kSomeFound) return;
    add("rows-of-one-person", Severity::kWarning, {},
        {{"share", share}, {"k", static_cast<double>(audit_.classes->smallest)}});
  }

  void find_alone() {
    if (misses_k_ || !audit_.classes) return;
    std::uint64_t alone = audit_.classes->uniques;
    const bool all = known_by_.size() == task_.pair.quasi_identifiers.size();
    if (known_by_.empty()) {
      if (alone == 0) return;
      return add("uniques-masked", Severity::kNote, {}, uniques(alone));
    }
    if (!all) alone = alone_by_known();
    if (alone == 0) return;
    // Sets hide what is known of a person, not the person.
    const bool is_of_sets = task_.pair.masks && task_.pair.about().releases_sets;
    add("uniques-released", is_of_sets ? Severity::kWarning : Severity::kDanger,
        names_of(known_by_), uniques(alone));
  }

  std::map<std::string, double> uniques(std::uint64_t alone) const {
    std::map<std::string, double> out{{"uniques", static_cast<double>(alone)}};
    if (task_.asks_persons()) out["of_persons"] = 1;
    return out;
  }

  std::uint64_t alone_by_known() const {
    if (task_.asks_persons()) {
      const PersonTuples table = released_persons(task_);
      return class_sizes(table.counted(), known_by_, task_.pair.missing).uniques;
    }
    Attributes attributes;
    for (const std::size_t j : known_by_) attributes.push_back(task_.attributes[j]);
    const Classes classes = classes_over(task_.pair.masked, task_.attributes, known_by_);
    return class_risk(attributes, {classes, 0}, task_.pair.missing).uniques;
  }

  // ---- Sensitive columns

  const SensitiveDescription* figures_of(std::size_t j) const {
    const auto found = std::ranges::find(audit_.privacy.sensitive, task_.pair.columns[j].name,
                                         &SensitiveDescription::name);
    return found == audit_.privacy.sensitive.end() ? nullptr : &*found;
  }

  void find_demand(std::size_t j) {
    const std::optional<Demand>& demand = task_.pair.columns[j].demand;
    const ColumnNames column{task_.pair.columns[j].name};
    const SensitiveDescription* const figures = figures_of(j);
    if (figures == nullptr || figures->l == 0) return;
    const auto l = static_cast<double>(figures->l);
    if (!demand || (!demand->l && !demand->t)) {
      if (makes_classes()) add("diversity-not-promised", Severity::kNote, column, {});
      return;
    }
    if (demand->l) {
      const bool holds = is_met(j, {demand->l, demand->kind, demand->c, std::nullopt});
      add(holds ? "diversity-verified" : "diversity-missed",
          holds ? Severity::kPromise : Severity::kDanger, column,
          {{"l", l}, {"promised", *demand->l}});
    }
    if (demand->t) {
      const bool holds = is_met(j, {std::nullopt, demand->kind, demand->c, demand->t});
      add(holds ? "closeness-verified" : "closeness-missed",
          holds ? Severity::kPromise : Severity::kDanger, column, {{"promised", *demand->t}});
    }
  }

  // Whose records have each of released_tuples(); empty where persons are not asked for.
  PersonPairs persons_of_tuples() const {
    return task_.asks_persons() ? released_persons(task_).persons : PersonPairs();
  }

  // Looked at as `mask` does before it writes: t is measured from the column as it is released.
  bool is_met(std::size_t j, const Demand& demand) const {
    const TupleCounter tuples = released_tuples(j);
    const PersonPairs persons = persons_of_tuples();
    const Attribute& attribute = *task_.attributes[j];
    VerifiedColumn column;
    column.name = task_.pair.columns[j].name;
    column.place = j;
    column.demand = demand;
    column.attribute = task_.attributes[j];
    const bool is_changed = task_.pair.columns[j].is_recoded || !stands_as_it_was(j);
    const ValueCounts counts =
        column_counts(is_changed ? task_.pair.masked : task_.pair.original, j);
    for (std::size_t i = 0; i < counts.values.size(); ++i) {
      const ConceptId value = counts.values[i];
      if (value == attribute.missing_value() && !attribute.missing_is_value) continue;
      column.whole.resize(std::max<std::size_t>(column.whole.size(), value + std::size_t{1}));
      column.whole[value] = counts.counts[i];
    }
    if (task_.asks_persons()) {
      column.whole = is_changed ? persons_with(tuples, persons, j, column.whole.size())
                                : persons_with(j, column.whole.size());
    }
    column.values.resize(column.whole.size(), kMissing);
    for (ConceptId value = 0; value < column.values.size(); ++value) {
      if (value <= attribute.missing_value()) column.values[value] = value;
    }
    return verify_classes({.released = {tuples, task_.asks_persons() ? &persons : nullptr},
                           .quasi_identifiers = task_.pair.quasi_identifiers,
                           .sensitive = {column},
                           .missing = MissingRule::kCategory,
                           .k = 1})
        .has_value();
  }

  // By value of a column of the original: the persons who have it.
  std::vector<std::uint64_t> persons_with(std::size_t j, std::size_t values) const {
    return persons_with(task_.pair.original, task_.pair.original_persons.pairs(), j, values);
  }
  // By value of a column of tuples, of which it is told whose records have them.
  template <class Tuples>
  static std::vector<std::uint64_t> persons_with(const Tuples& tuples, const PersonPairs& by_tuple,
                                                 std::size_t j, std::size_t values) {
    PersonPairs by_value;
    for (const std::uint64_t pair : by_tuple.all()) {
      const ConceptId value = tuples.tuple(PersonPairs::tuple_of(pair))[j];
      by_value.add(value, PersonPairs::person_of(pair));
    }
    by_value.settle();
    std::vector<std::uint64_t> out(values, 0);
    for (const std::uint64_t pair : by_value.all()) {
      if (PersonPairs::tuple_of(pair) < values) ++out[PersonPairs::tuple_of(pair)];
    }
    return out;
  }

  // Over all columns; a missing cell is kMissing, but in column j where it counts as a value.
  TupleCounter released_tuples(std::size_t j) const {
    const FormedClasses formed = task_.released();
    TupleCounter out(formed.classes.width);
    std::vector<Code> tuple(formed.classes.width);
    for (std::size_t c = 0; c < formed.classes.size(); ++c) {
      for (std::size_t i = 0; i < tuple.size(); ++i) {
        const ConceptId value = formed.classes.tuple(c)[i];
        const bool is_missing = value == task_.attributes[i]->missing_value() &&
                                !(i == j && task_.attributes[j]->missing_is_value);
        tuple[i] = is_missing ? kMissing : value;
      }
      out.add(tuple, formed.classes.counts[c]);
    }
    return out;
  }

  // Classes whose members, two or more, have one value; of a single record it is `alone`.
  void find_secrets(std::size_t j) {
    if (known_by_.empty() || !stands_as_it_was(j)) return;
    std::vector<std::size_t> places = known_by_;
    std::erase(places, j);
    const TupleCounter tuples = released_tuples(j);
    const PersonPairs persons = persons_of_tuples();
    const ClassValues classes({tuples, task_.asks_persons() ? &persons : nullptr}, places, j);
    const Attribute& attribute = *task_.attributes[j];
    const std::optional<SharedValues> found =
        shared_values(classes, attribute.missing_is_value ? attribute.missing_value() : kMissing);
    if (!found) return;
    const ColumnNames column{task_.pair.columns[j].name};
    if (found->shared > 0) {
      const std::string of = task_.asks_persons() ? "persons" : "records";
      return add("secret-shared", Severity::kDanger, column,
                 {{"classes", static_cast<double>(found->shared)},
                  {of, static_cast<double>(found->sharing)}});
    }
    // Everybody in some class has one value, and perhaps others.
    const SensitiveDescription* const figures = figures_of(j);
    if (task_.asks_persons() && figures != nullptr && figures->most_common == 1.0) {
      add("class-shares-a-value", Severity::kWarning, column, {});
    }
    if (found->belief >= kMostOfAClass && found->belief > found->prior + kSomeFound) {
      add("secret-nearly-shared", Severity::kWarning, column,
          {{"belief", found->belief}, {"prior", found->prior}});
    }
    const bool is_demanded = task_.pair.columns[j].demand && task_.pair.columns[j].demand->l;
    if (makes_classes() && !misses_k_ && !is_demanded && found->least > 1) {
      add("diversity-found", Severity::kPromise, column,
          {{"l", static_cast<double>(found->least)}});
    }
  }

  const AuditTask& task_;
  Audit& audit_;
  std::vector<std::size_t> known_by_;  // quasi-identifiers that tell of people as they stand
  bool misses_k_ = false;
};

}  // namespace

void find_in_classes(const AuditTask& task, Audit& audit) { ClassFindings(task, audit).find(); }

}  // namespace semveil
