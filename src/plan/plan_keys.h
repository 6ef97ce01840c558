// The words of a plan: every key, and which masking methods there are and what they take.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semveil/method.h"

namespace semveil {

struct PlanSection {
  std::string_view title;  // "" for the top
  std::span<const std::string_view> keys;
};
std::span<const PlanSection> plan_sections();
std::span<const std::string_view> plan_keys(std::string_view title);

std::span<const std::string_view> method_names();       // also those to come
std::span<const std::string_view> available_methods();  // in this version
// The methods that take a key of [mask], also those to come; empty: every one.
std::vector<std::string_view> methods_taking(std::string_view mask_key);
// The first method's key of that name; null: no method of this version has it.
const MethodKey* find_mask_key(std::string_view mask_key);
// The command line's word for a key of [mask].
std::string option_named(std::string_view mask_key);

}  // namespace semveil
