// Errors of the library as exceptions of semveil.errors. The GIL is held.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <utility>

#include "semveil/result.h"

namespace semveil::python {

namespace nb = nanobind;

// What an error is about, where its code alone does not say: a plan, or data.
struct About {
  bool is_plan = false;
  std::string plan = {};  // its file: an error there is the plan's
  bool is_text = false;   // the plan was made in memory, and its lines say nothing to anybody

  static const About kPlan, kData;
};
inline const About About::kPlan{.is_plan = true};
inline const About About::kData{};

[[noreturn]] void raise(Error error, const About& about = About::kData);

template <class T>
T value_of(Result<T> result, const About& about = About::kData) {
  if (!result) raise(result.error(), about);
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

}  // namespace semveil::python
