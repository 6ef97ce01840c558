// Names by their Porter stems.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/name_texts.h"

struct sb_stemmer;

namespace semveil {

class Stemmer {  // one per thread: the library's handle keeps its last word
 public:
  Stemmer();
  std::string_view word(std::string_view word);  // lives until the next call
  // Word by word over a normalised text: "running dogs" → "run dog".
  std::string text(std::string_view normalised);

 private:
  struct Delete {
    void operator()(sb_stemmer* stemmer) const;
  };
  std::unique_ptr<sb_stemmer, Delete> stemmer_;
};

class StemIndex {  // immutable, thread-safe
 public:
  explicit StemIndex(const NameTexts& names);
  // Places in the NameTexts of all names with these stems, ascending.
  std::vector<std::size_t> find(std::string_view stems, const NameTexts& names) const;

 private:
  struct Entry {
    std::uint64_t hash;
    std::uint32_t name;
    auto operator<=>(const Entry&) const = default;
  };
  std::vector<Entry> entries_;  // ascending
};

}  // namespace semveil
