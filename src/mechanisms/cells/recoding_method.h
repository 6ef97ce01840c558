// What cell recodings have in common as methods of plans (semveil/recoding.h): nothing is fitted.
#pragma once

#include "semveil/method.h"

namespace semveil {

class RecodingMethod : public Method {
 public:
  Result<std::unique_ptr<const Mechanism>> make(const MaskStep& mask,
                                                MechanismInputs inputs) const final;
  Result<std::unique_ptr<const FittedMethod>> load(
      std::string_view saved, std::vector<std::shared_ptr<const Attribute>> attributes,
      const Key& key) const final;
};

const Method& round_method();  // to multiples of a number
const Method& code_method();   // what lies beyond bounds

}  // namespace semveil
