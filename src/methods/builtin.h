// The methods that this version has, and those it is to have.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "semveil/method.h"

namespace semveil {

std::vector<const Method*> builtin_methods();
// What roles of columns stand for; no plan names them.
std::vector<const Method*> role_methods();

// Words that plans of later versions use: whoever writes one is told so.
struct MethodToCome {
  std::string_view name;
  std::span<const std::string_view> keys;
};
std::span<const MethodToCome> methods_to_come();

}  // namespace semveil
