// Errors of the library as exceptions of semveil.errors. The GIL is held.
#pragma once

#include <nanobind/nanobind.h>

#include <string_view>
#include <utility>

#include "semveil/result.h"

namespace semveil::python {

namespace nb = nanobind;

// What an error is about, where its code alone does not say.
enum class About : std::uint8_t { kPlan, kData };

[[noreturn]] void raise(const Error& error, About about = About::kData);

template <class T>
T value_of(Result<T> result, About about = About::kData) {
  if (!result) raise(result.error(), about);
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

}  // namespace semveil::python
