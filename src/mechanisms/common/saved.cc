#include "mechanisms/common/saved.h"

#include <algorithm>
#include <stdexcept>

#include "mechanisms/classes/lookup_plan.h"
#include "mechanisms/common/baseline.h"
#include "mechanisms/noise/noise_model.h"
#include "mechanisms/sets/set_plan.h"
#include "mechanisms/swap/swap_saved.h"

namespace semveil {

Json saved_id(const Attribute& attribute, ConceptId c) {
  if (c == kMissing || c == attribute.missing_value()) return nullptr;
  return attribute.id(c);  // "" for the virtual root
}

bool are_values(const Attribute& attribute, const std::vector<ConceptId>& values) {
  const std::size_t end = attribute.size() + (attribute.missing_is_value ? 1 : 0);
  ConceptId least = attribute.is_nominal() && attribute.taxonomy().has_virtual_root() ? 1 : 0;
  for (const ConceptId value : values) {
    if (value < least || value >= end) return false;
    least = value + 1;
  }
  return true;
}

SavedIds::SavedIds(const Attribute& attribute) : attribute_(attribute), by_rank_(attribute.size()) {
  for (ConceptId c = 0; c < by_rank_.size(); ++c) by_rank_[c] = c;
  std::sort(by_rank_.begin(), by_rank_.end(),
            [&](ConceptId a, ConceptId b) { return attribute.id(a) < attribute.id(b); });
}

ConceptId SavedIds::concept_of(const Json& id) const {
  if (id.is_null()) return attribute_.missing_value();
  const auto& text = id.get_ref<const std::string&>();
  const auto at = std::lower_bound(
      by_rank_.begin(), by_rank_.end(), text,
      [&](ConceptId c, const std::string& wanted) { return attribute_.id(c) < wanted; });
  if (at == by_rank_.end() || attribute_.id(*at) != text) throw std::out_of_range("unknown id");
  return *at;
}

Result<std::unique_ptr<const Plan>> load_plan(std::string_view mechanism, std::string_view saved,
                                              Attributes attributes, const Key& key) {
  const auto any = [&](Attribute::Kind kind) {
    return std::any_of(attributes.begin(), attributes.end(),
                       [&](const auto& a) { return a->kind == kind; });
  };
  if (mechanism == kLookupName) return load_lookup(saved, std::move(attributes));
  if (mechanism == kEanName || mechanism == kAnName) {
    return load_sets(saved, mechanism == kEanName, std::move(attributes), key);
  }
  const bool has_texts = any(Attribute::Kind::kText);
  if (mechanism == kSwapName && !has_texts) return load_swap(saved, std::move(attributes), key);
  if (has_texts || any(Attribute::Kind::kNumeric))
    return fail(data_error("the model is damaged: fit it anew"));
  if (mechanism == kNoiseName) {
    Result<NoiseModel> model = load_noise(saved, attributes);
    if (!model) return fail(model.error());
    return make_noise_plan(std::move(attributes), *std::move(model), key);
  }
  if (mechanism == kNaiveName || mechanism == kProbabilisticName) {
    return load_baseline(saved, std::move(attributes), key);
  }
  return fail(data_error("the model was made by another version of semveil: fit it anew"));
}

}  // namespace semveil
