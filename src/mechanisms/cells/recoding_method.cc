#include "mechanisms/cells/recoding_method.h"

#include <fmt/format.h>

namespace semveil {

Result<std::unique_ptr<const Mechanism>> RecodingMethod::make(const MaskStep& /*mask*/,
                                                              MechanismInputs /*inputs*/) const {
  return fail(usage_error(fmt::format("{} recodes cells, and fits nothing", name())));
}

Result<std::unique_ptr<const FittedMethod>> RecodingMethod::load(
    std::string_view /*saved*/, std::vector<std::shared_ptr<const Attribute>> /*attributes*/,
    const Key& /*key*/) const {
  return fail(data_error("the model was made by another version of semveil: fit it anew"));
}

}  // namespace semveil
