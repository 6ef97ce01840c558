// What methods that look tuples up have in common as methods of plans (method.h): k, and what
// stands in its way.
#pragma once

#include "mechanisms/classes/lookup_plan.h"
#include "mechanisms/common/shared_keys.h"

namespace semveil {

inline constexpr MethodKey kClassSizeKey{
    .name = "k",
    .type = KeyType::kWhole,
    .help = "every combination of the masked columns has k records",
    .low = 1,
    .high = kMostK,
    .usual = "3 to 20",
    .needed = "how many records must share their quasi-identifiers",
};
inline constexpr MethodKey kPartialKey{
    .name = "partial",
    .type = KeyType::kFlag,
    .help = "let columns leave a quasi-identifier out",
    .usually = false,
    .told = Told::kIfSaid,
    .stays = true,
};

bool forms_classes(const PlanFile& plan);  // one of its steps does

class LookupMethod : public Method {
 public:
  void check(PlanCheck& check) const override;
  Status check_table(const TableCheck& check) const override;
  Result<std::unique_ptr<const FittedMethod>> load(
      std::string_view saved, std::vector<std::shared_ptr<const Attribute>> attributes,
      const Key& key) const override;
};

}  // namespace semveil
