// Stems: what is left of a word when its endings are cut off by Porter's rules.
//
//   "skiing trips" → "ski trip" ← "ski trip"        a match
//   "universal"    → "univers"  ← "university"      a match, too: why stems come last
//
// A text matches a name if their words have the same stems in the same order. The index holds the
// hash of each name's stems, sorted; the few names found under a hash are stemmed again and
// compared, so equal hashes cannot make two names equal.
//
// Cost:    a distinct word is stemmed once: 224,568 words of WordNet's names are 67,974 distinct
//          ones. 16 bytes per name.
// Source:  M. F. Porter, An algorithm for suffix stripping, Program 14(3), 1980; libstemmer's
//          "porter".
#include "mapping/stem.h"

#include <libstemmer.h>
#include <xxhash.h>

#include <algorithm>
#include <unordered_map>

#include "base/stop.h"

namespace semveil {
namespace {

template <class Visit>
void each_word(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    visit(word);
  }
}

std::uint64_t hash_of(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

}  // namespace

Stemmer::Stemmer() : stemmer_(sb_stemmer_new("porter", "UTF_8")) {}

void Stemmer::Delete::operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }

std::string_view Stemmer::word(std::string_view word) {
  // No word of a language is that long, and the library counts in int.
  constexpr std::size_t kLongest = 1000;
  if (!stemmer_ || word.size() > kLongest) return word;
  const sb_symbol* stem =
      sb_stemmer_stem(stemmer_.get(), reinterpret_cast<const sb_symbol*>(word.data()),
                      static_cast<int>(word.size()));
  if (stem == nullptr) return word;  // out of memory
  return {reinterpret_cast<const char*>(stem),
          static_cast<std::size_t>(sb_stemmer_length(stemmer_.get()))};
}

std::string Stemmer::text(std::string_view normalised) {
  std::string stems;
  each_word(normalised, [&](std::string_view w) {
    if (!stems.empty()) stems += ' ';
    stems += word(w);
  });
  return stems;
}

StemIndex::StemIndex(const NameTexts& names) {
  Stemmer stemmer;
  std::unordered_map<std::string_view, std::string> stem_of;  // only asked, never walked
  stem_of.reserve(names.size());
  entries_.reserve(names.size());
  std::string stems;
  StopCheck check;
  for (std::size_t i = 0; i < names.size(); ++i) {
    check();
    stems.clear();
    each_word(names.text(i), [&](std::string_view word) {
      const auto [place, fresh] = stem_of.try_emplace(word);
      if (fresh) place->second = stemmer.word(word);
      if (!stems.empty()) stems += ' ';
      stems += place->second;
    });
    entries_.push_back({hash_of(stems), static_cast<std::uint32_t>(i)});
  }
  std::sort(entries_.begin(), entries_.end());
}

std::vector<std::size_t> StemIndex::find(std::string_view stems, const NameTexts& names) const {
  const Entry first{hash_of(stems), 0};
  Stemmer stemmer;
  std::vector<std::size_t> found;
  for (auto entry = std::lower_bound(entries_.begin(), entries_.end(), first);
       entry != entries_.end() && entry->hash == first.hash; ++entry) {
    if (stemmer.text(names.text(entry->name)) == stems) found.push_back(entry->name);
  }
  return found;
}

}  // namespace semveil
