// JSON that is read back from a file which may be damaged. The library casts any number to the
// type that is asked for, so that 1e300 read as a choice is undefined; here a whole number is asked
// for where one is meant, and one that fits.
#pragma once

#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

namespace semveil {

template <class T, class = void>
struct SavedSerializer : nlohmann::adl_serializer<T> {};

template <class T>
inline constexpr bool kIsSavedWhole =
    (std::is_integral_v<T> && !std::is_same_v<T, bool>) || std::is_enum_v<T>;

template <class T>
struct SavedSerializer<T, std::enable_if_t<kIsSavedWhole<T>>> : nlohmann::adl_serializer<T> {
  // Throws what the library throws of a wrong type.
  template <class BasicJson>
  static void from_json(const BasicJson& json, T& value) {
    if (!fits(json)) {
      throw BasicJson::type_error::create(302, "not a whole number that fits", &json);
    }
    nlohmann::adl_serializer<T>::from_json(json, value);
  }

 private:
  template <class BasicJson>
  static bool fits(const BasicJson& json) {
    using Whole = typename std::conditional_t<std::is_enum_v<T>, std::underlying_type<T>,
                                              std::type_identity<T>>::type;
    if (json.is_number_unsigned()) {
      return std::in_range<Whole>(
          *json.template get_ptr<const typename BasicJson::number_unsigned_t*>());
    }
    return json.is_number_integer() &&
           std::in_range<Whole>(
               *json.template get_ptr<const typename BasicJson::number_integer_t*>());
  }
};

using SavedJson =
    nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool, std::int64_t,
                         std::uint64_t, double, std::allocator, SavedSerializer>;

}  // namespace semveil
