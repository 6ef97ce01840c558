#include "mechanisms/common/saved.h"

#include <algorithm>
#include <stdexcept>

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

Status refuse_kinds(const std::vector<std::shared_ptr<const Attribute>>& attributes,
                    std::initializer_list<Attribute::Kind> kinds) {
  for (const auto& attribute : attributes) {
    if (std::ranges::find(kinds, attribute->kind) == kinds.end()) continue;
    return fail(data_error("the model is damaged: fit it anew"));
  }
  return {};
}

}  // namespace semveil
