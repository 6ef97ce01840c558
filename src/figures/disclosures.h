// Which attacks of EAN's Table I a release resists: each figure beside that of somebody who knows
// the frequencies alone, and whether it is near that.
//
//   identity      finding oneself, its mean and worst; by chance 1 / released records
//   membership    "he is in", said of whoever fits a released record: how much oftener of people
//                 who are in than of the control; by frequencies alone 0
//   attribute, skewness, similarity, sensitivity: figures/secrets_in_classes.h,
//   figures/set_attacks.h
//
//   protects      yes: at most 0.05 above, on average and at worst; on average: only so; else no
//
// Example: k = 5 classes, everybody finds himself with 1/5: identity does not protect (0.2 of 0).
//          With k = 50 it does.
//
// Paper:   EAN (Abdelhameed et al.), Table I, which prints yes or no. The measures and the limit
//          are ours. At worst a guess in a set is the greatest belief in a likeliest value.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "figures/secrets_in_classes.h"
#include "figures/set_attacks.h"
#include "semveil/audit_figures.h"

namespace semveil {

struct FoundDisclosure {
  Disclosure told;
  std::uint64_t sharing = 0;  // people in classes that show one value, category or level alone
};

// `pairs`: the quasi-identifiers, then the secret. Similarity and sensitivity only where somebody
// said what is related and what is grave.
std::vector<FoundDisclosure> class_disclosures(const Paired& pairs, ClassOf how,
                                               const FitRule& rule, const SecretGroups& groups);
std::vector<Disclosure> set_disclosures(const ReleasedSets& sets, SetWeights weights,
                                        const SecretGroups& groups);
Disclosure identity_disclosure(double mean, double worst, std::uint64_t released_records);
// All over the same columns.
Disclosure membership_disclosure(const Attributes& attributes, const Classes& people,
                                 const Classes& control, const Classes& released,
                                 const FitRule& rule);

}  // namespace semveil
