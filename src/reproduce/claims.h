// Claims of the papers, checked on our figures.
#pragma once

#include <functional>

#include "semveil/reproduce.h"

namespace semveil::reproduction {

// Papers print two digits: 0.12 stands for 0.115 to 0.125.
inline constexpr double kHalfDigit = 0.005;

struct Verdict {
  bool holds = false;
  std::string figures;  // what it was decided by
};

// "alpha 0.1: 0.197 and 0.125; alpha 0.3: …"
std::string listed(std::string_view parameter, std::span<const double> values,
                   const std::function<std::string(std::size_t)>& figures);

// What is claimed of one table or data set. `why` is told only where a claim does not hold.
class Claims {
 public:
  Claims(std::string about, ReproducedPart& part) : about_(std::move(about)), part_(part) {}
  void add(std::string text, Verdict verdict, std::string why) const {
    part_.claims.push_back({about_, std::move(text), verdict.holds, std::move(verdict.figures),
                            verdict.holds ? "" : std::move(why)});
  }

 private:
  std::string about_;
  ReproducedPart& part_;
};

}  // namespace semveil::reproduction
