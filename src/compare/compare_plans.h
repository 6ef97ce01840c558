// Configurations as plans: what a comparison masks by.
#pragma once

#include "semveil/compare.h"

namespace semveil {

std::string method_of(const Configuration& configuration);  // empty: none is said
std::string label_of(const Configuration& configuration);   // noise alpha 0.3, correlated

// The plan with another [mask]. With another method than the plan's own, [mask] begins anew, but
// for what is said of columns, persons and categories and makes sense for it.
Result<PlanFile> configured(const PlanFile& plan, const Configuration& configuration);

// What advise() knows it by.
Keep advised_by(KeepKind keep);
// Whether it names a file of categories that is still to be written.
bool awaits_file(const Advice& advice);

// About two dozen that the plan's columns allow; methods that they do not allow are told.
std::vector<Configuration> usual_configurations(const PlanFile& plan,
                                                std::vector<LeftOut>& left_out);
// Why methods that advise() knows are none of its advices. `uniques`: records alone in their
// quasi-identifiers.
std::vector<LeftOut> left_out_of(const std::vector<Advice>& advices, const PlanFile& plan,
                                 std::uint64_t uniques);

}  // namespace semveil
