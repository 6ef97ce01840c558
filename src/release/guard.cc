#include "release/guard.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "mechanisms/generalize/generalize_loss.h"
#include "release/outcome_counter.h"
#include "release/privacy.h"
#include "release/verify.h"
#include "semveil/method.h"

namespace semveil {
namespace {

double parameter(const ModelStep& step, const std::string& name, double otherwise) {
  const auto at = step.parameters.find(name);
  return at == step.parameters.end() ? otherwise : number_of(at->second).value_or(otherwise);
}

// A column of which something is demanded, its values numbered ascending.
struct Sensitive {
  std::vector<Code> raw;             // by code: the value as it was counted
  std::vector<ConceptId> values;     // by code; kMissing: means nothing
  std::vector<std::uint64_t> whole;  // records by code

  Sensitive(const CountedTuples& all, Code first_text) {
    const std::size_t place = 0;
    const TupleCounter counted = project(all, {&place, 1});
    for (std::size_t i = 0; i < counted.size(); ++i) raw.push_back(counted.tuple(i)[0]);
    std::ranges::sort(raw);
    for (const Code value : raw) {
      values.push_back(value < first_text ? value : kMissing);
      whole.push_back(counted.count(*counted.find({&value, 1})));
    }
  }
  Code code_of(Code value) const {
    if (value == kMissing) return kMissing;
    return static_cast<Code>(std::ranges::lower_bound(raw, value) - raw.begin());
  }
};

// What one step promised, looked at in the table that all steps released together.
class Guard {
 public:
  Guard(const Model::Impl& model, const FittedSteps& plan, std::size_t step,
        const OutcomeCounts& counts)
      : model_(model),
        plan_(plan),
        step_(plan.step(step)),
        fit_(*class_fit(plan.plan(step))),
        counts_(counts),
        k_(static_cast<std::uint64_t>(parameter(step_, "k", static_cast<double>(fit_.k)))) {
    const std::vector<std::size_t> classed = classed_columns(plan);
    for (std::size_t i = 0; i < classed.size(); ++i) {
      if (plan.place(classed[i]).step == step) places_.push_back(i);
    }
    for (std::size_t i = 0; i < counts.demanded.size(); ++i) {
      sensitive_.emplace_back(
          CountedTuples(counts.demanded[i], persons(counts.demanded_persons, i)),
          counts.place_of_demanded(i).first_text);
    }
  }

  Status verify() const;

 private:
  // Null: persons are not told.
  const PersonPairs* persons(const std::vector<PersonPairs>& list, std::size_t i) const {
    return model_.person.empty() ? nullptr : &list[i];
  }
  const PersonPairs* persons(const PersonPairs& of) const {
    return model_.person.empty() ? nullptr : &of;
  }
  // The same tuples in the same order.
  TupleCounter by_code(const TupleCounter& tuples) const;
  std::shared_ptr<const Attribute> released(const ModelColumn& demanded) const;
  std::uint64_t suppressed_size() const;
  Status verify_suppressed() const;
  Status verify_columns() const;  // recode: each on its own

  const Model::Impl& model_;
  const FittedSteps& plan_;
  const ModelStep& step_;
  const ClassFit& fit_;
  const OutcomeCounts& counts_;
  std::uint64_t k_;
  std::vector<std::size_t> places_;  // of its columns in the tuples of classes
  std::vector<Sensitive> sensitive_;
};

TupleCounter Guard::by_code(const TupleCounter& tuples) const {
  TupleCounter out(tuples.width());
  std::vector<Code> tuple(tuples.width());
  const std::size_t first = tuples.width() - sensitive_.size();
  for (std::size_t t = 0; t < tuples.size(); ++t) {
    std::ranges::copy(tuples.tuple(t), tuple.begin());
    for (std::size_t i = 0; i < sensitive_.size(); ++i) {
      tuple[first + i] = sensitive_[i].code_of(tuple[first + i]);
    }
    out.add(tuple, tuples.count(t));
  }
  return out;
}

// What the values of a sensitive column are by now: another step may have masked it.
std::shared_ptr<const Attribute> Guard::released(const ModelColumn& demanded) const {
  const ModelColumn* const masked = model_.find(demanded.plan.name);
  if (masked == nullptr) return demanded.attribute;
  return plan_.released(static_cast<std::size_t>(masked - model_.columns.data()));
}

Status Guard::verify() const {
  if (!step_.about().forms_classes) return verify_columns();
  if (const Status status = verify_suppressed(); !status) return status;
  const TupleCounter released_tuples = by_code(counts_.classes);
  const TupleCounter suppressed = by_code(counts_.outside);
  VerifiedTable all{.released = {released_tuples, persons(counts_.class_persons)},
                    .quasi_identifiers = places_,
                    .sensitive = {},
                    .missing = model_.missing,
                    .k = k_,
                    .suppressed = &suppressed,
                    .suppressed_persons = persons(counts_.outside_persons)};
  for (std::size_t i = 0; i < model_.demanded.size(); ++i) {
    const ModelColumn& column = model_.demanded[i];
    VerifiedColumn& verified = all.sensitive.emplace_back();
    verified.name = column.plan.name;
    verified.place = counts_.classed.size() - model_.demanded.size() + i;
    verified.demand = model_.demands.at(column.plan.name);
    verified.attribute = released(column);
    verified.values = sensitive_[i].values;
    verified.whole = sensitive_[i].whole;
  }
  return verify_classes(all);
}

std::uint64_t Guard::suppressed_size() const {
  if (model_.person.empty()) return counts_.suppressed_records;
  const TupleCounter all = project({counts_.outside, &counts_.outside_persons}, {});
  return all.size() == 0 ? 0 : all.count(0);
}

Status Guard::verify_suppressed() const {
  double share = 0;  // of all steps: their records may be different ones
  for (const ModelStep& step : model_.steps) share += parameter(step, "suppression", 0);
  const std::uint64_t limit = suppression_limit(share, counts_.released_records());
  if (counts_.suppressed_records > limit) {
    return fail(
        Error{ErrorCode::kGuarantee,
              fmt::format("{} of {} records would be suppressed, and suppression = {} lets "
                          "go of {}: fit it again on this table",
                          counts_.suppressed_records, counts_.released_records(), share, limit),
              {},
              {},
              {}});
  }
  const std::uint64_t size = suppressed_size();
  const bool told = counts_.suppressed_records > 0 && size < k_ && !fit_.suppresses_sensitive &&
                    !model_.sensitive.empty();
  if (!told) return {};
  return fail(Error{ErrorCode::kGuarantee,
                    fmt::format("{} {}{} suppressed, fewer than k = {}, and would show "
                                "sensitive cells: fit it again on this table",
                                size, model_.person.empty() ? "record" : "person",
                                size == 1 ? " is" : "s are", k_),
                    {},
                    {},
                    {}});
}

Status Guard::verify_columns() const {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const ModelColumn& column = model_.columns[step_.columns[i]];
    const TupleCounter all =
        project({counts_.classes, persons(counts_.class_persons)}, {&places_[i], 1});
    TupleCounter values(1);
    for (std::size_t t = 0; t < all.size(); ++t) {
      const Code value = all.tuple(t).front();
      const bool takes_part = value != kMissing || column.attribute->missing_is_value;
      if (takes_part) values.add({&value, 1}, all.count(t));
    }
    const Status status = verify_classes({.released = values,
                                          .quasi_identifiers = {0},
                                          .sensitive = {},
                                          .missing = MissingRule::kCategory,
                                          .k = k_,
                                          .suppressed = nullptr,
                                          .suppressed_persons = nullptr,
                                          .counts_persons = !model_.person.empty()});
    if (status) continue;
    Error error = status.error();
    error.place.column = column.plan.name;
    return fail(std::move(error));
  }
  return {};
}

}  // namespace

Status verify_release(const Model::Impl& model, const FittedSteps& plan,
                      const OutcomeCounts& counts) {
  for (std::size_t step = 0; step < plan.size(); ++step) {
    if (!plan.step(step).looks_up()) continue;
    if (const Status status = Guard(model, plan, step, counts).verify(); !status) return status;
  }
  return {};
}

}  // namespace semveil
