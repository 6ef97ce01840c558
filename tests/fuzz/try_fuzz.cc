// What a person gives to `compare --try`: it is refused with a sentence, or it is so many
// configurations as its values make, each of which a plan can be made of or refuses for a reason.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "compare/compare_plans.h"
#include "fuzz/touch.h"
#include "semveil/compare.h"

namespace {

using namespace semveil;
using fuzz::require;

PlanFile some_plan() {
  return PlanFile::parse(
             "[ontology.d]\nsource = 'd.obo'\n"
             "[column]\na = {role = 'quasi-identifier', ontology = 'd'}\n"
             "b = {role = 'quasi-identifier', type = 'numeric'}\n"
             "c = {role = 'sensitive', ontology = 'd'}\n",
             "p.toml")
      .value();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const PlanFile plan = some_plan();
  const auto all = parse_configurations(fuzz::text_of(data, size));
  if (!all) {
    require(all.error().code == ErrorCode::kUsage && !all.error().message.empty());
    return 0;
  }
  require(!all->empty());
  constexpr std::size_t kLooked = 4;
  for (std::size_t i = 0; i < all->size(); i += 1 + all->size() / kLooked) {
    const Configuration& one = (*all)[i];
    require(!method_of(one).empty() && label_of(one).starts_with(method_of(one).substr(0, 1)));
    const Result<PlanFile> made = configured(plan, one);
    require(made ? made->masks() : !made.error().message.empty());
    // A value that was taken for a number is one for the plan, too.
    require(made || made.error().message.find("TOML") == std::string::npos);
  }
  return 0;
}
