// Fitting sets: the categories of each column, and the counts that the posterior is made of.
#include "semveil/ean.h"

#include <algorithm>

#include "mechanisms/sets/set_column.h"
#include "mechanisms/sets/set_plan.h"

namespace semveil {
namespace {

using Attributes = SetPlan::Attributes;

// The tuples without a missing cell, by value.
SetJoint joint_of(const FrequencyTable& table, const std::vector<SetColumn>& columns) {
  const std::size_t width = columns.size();
  std::vector<ConceptId> tuples;
  std::vector<std::uint64_t> counts;
  for (std::size_t t = 0; t < table.tuple_counts.size(); ++t) {
    const std::span<const Code> tuple = std::span(table.tuples).subspan(t * width, width);
    if (std::find(tuple.begin(), tuple.end(), kMissing) != tuple.end()) continue;
    for (std::size_t j = 0; j < width; ++j) {
      tuples.push_back(table.columns[j].values.values[tuple[j]]);
    }
    counts.push_back(table.tuple_counts[t]);
  }
  return {columns, std::move(tuples), std::move(counts)};
}

class SetMechanism final : public Mechanism {
 public:
  SetMechanism(SetOptions options, bool by_category)
      : options_(std::move(options)), by_category_(by_category) {}

  std::string_view name() const override { return by_category_ ? kEanName : kAnName; }

  Result<std::unique_ptr<const FittedMethod>> fit(const FrequencyTable& table,
                                                  const Key& key) const override {
    Attributes attributes;
    SetFit fit{.by_category = by_category_, .draw = options_.draw, .columns = {}};
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
      Result<SetColumn> column = fit_column(table.columns[j], j);
      if (!column) return fail(column.error());
      fit.columns.push_back(*std::move(column));
      attributes.push_back(table.columns[j].attribute);
    }
    std::optional<SetJoint> joint;
    if (attributes.size() > 1) joint = joint_of(table, fit.columns);
    return std::make_unique<const SetPlan>(std::move(attributes), std::move(fit), std::move(joint),
                                           options_.by_person, key);
  }

 private:
  Result<SetColumn> fit_column(const FrequencyColumn& column, std::size_t j) const {
    const Attribute& attribute = *column.attribute;
    const Place place{.file = {}, .line = 0, .column = attribute.name};
    if (attribute.missing_is_value) {
      return fail(data_error("missing cells cannot be values of sets: leave them missing, or drop "
                             "the records")
                      .at(place));
    }
    SetColumn out;
    out.l = options_.l;
    out.counts.resize(attribute.size());
    for (std::size_t i = 0; i < column.values.values.size(); ++i) {
      out.counts[column.values.values[i]] = column.values.counts[i];
    }
    if (j < options_.categories.size() && options_.categories[j]) {
      Result<Categories> categories = options_.categories[j](column);
      if (!categories) return fail(categories.error());
      out.categories = *std::move(categories);
    } else if (by_category_) {
      return fail(data_error("the column has no categories").at(place));
    } else {
      out.categories = single_values(attribute, out.counts);
    }
    Status finished = finish_set_column(attribute, by_category_, options_.draw, out);
    if (!finished) return fail(finished.error());
    return out;
  }

  SetOptions options_;
  bool by_category_;
};

}  // namespace

std::string_view to_string(SetDraw draw) {
  return draw == SetDraw::kUniform ? "uniform" : "frequency";
}

std::unique_ptr<const Mechanism> make_ean(SetOptions options) {
  return std::make_unique<const SetMechanism>(std::move(options), true);
}

std::unique_ptr<const Mechanism> make_an(SetOptions options) {
  return std::make_unique<const SetMechanism>(std::move(options), false);
}

const SetFit* set_fit(const FittedMethod& plan) {
  const auto* sets = dynamic_cast<const SetPlan*>(&plan);
  return sets == nullptr ? nullptr : &sets->fit();
}

}  // namespace semveil
