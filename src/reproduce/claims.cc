#include "reproduce/claims.h"

#include <fmt/format.h>

namespace semveil::reproduction {

std::string listed(std::string_view parameter, std::span<const double> values,
                   const std::function<std::string(std::size_t)>& figures) {
  std::string out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    out += fmt::format("{}{} {}: {}", i == 0 ? "" : "; ", parameter, values[i], figures(i));
  }
  return out;
}

}  // namespace semveil::reproduction
