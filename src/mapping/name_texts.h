// What the looser steps of the ladder share: every name of an ontology in normalised form, made
// once, on first need.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "semveil/names.h"

namespace semveil {

// A value made on the first call of get(), whichever thread comes first.
template <class T>
class Lazy {
 public:
  template <class Make>
  const T& get(Make make) const {
    std::call_once(once_, [&] { value_ = std::make_unique<const T>(make()); });
    return *value_;
  }

 private:
  mutable std::once_flag once_;
  mutable std::unique_ptr<const T> value_;
};

class NameTexts {  // labels and synonyms in TermId order; ids and cross-references are no names
 public:
  explicit NameTexts(const Names& names);

  std::size_t size() const { return terms_.size(); }
  TermId term(std::size_t i) const { return terms_[i]; }
  std::string_view text(std::size_t i) const {
    return std::string_view(text_).substr(begin_[i], begin_[i + 1] - begin_[i]);
  }

 private:
  std::vector<TermId> terms_;
  std::vector<std::size_t> begin_;  // size + 1
  std::string text_;
};

// The virtual root has a label to show, but no text means it.
inline bool is_virtual(const Names& names, ConceptId c) {
  return names.arrays().virtual_root && c == Taxonomy::root();
}

}  // namespace semveil
