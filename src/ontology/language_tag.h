// Tags of languages (BCP 47) in small letters: "de", "de-at".
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "semveil/result.h"

namespace semveil {

// ASCII letters alone.
inline std::string lower(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return small;
}

// "de-at" is "de".
inline bool is_language(std::string_view tag, std::string_view language) {
  return tag.starts_with(language) &&
         (tag.size() == language.size() || tag[language.size()] == '-');
}

// "de" of "de-at"; empty where there is no region, or the like, to leave out.
inline std::string_view without_region(std::string_view tag) {
  const std::size_t dash = tag.find('-');
  return dash == std::string_view::npos ? std::string_view() : tag.substr(0, dash);
}

inline constexpr std::size_t kMostListedLanguages = 20;

// `found`: what labels are in.
inline Error no_label_in(std::string_view wanted, const std::set<std::string>& found,
                         const std::string& file) {
  constexpr std::size_t kLongest = 40;
  std::vector<std::string> listed;
  for (const std::string& tag : found) {
    if (listed.size() < kMostListedLanguages) listed.push_back(printable(tag.substr(0, kLongest)));
  }
  return data_error(fmt::format("no label is in the language lang={}; the file has {}{}",
                                printable(wanted), fmt::join(listed, ", "),
                                found.size() > listed.size() ? ", …" : ""))
      .at(file);
}

}  // namespace semveil
