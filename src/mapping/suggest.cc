// All names within k edits of a text (edit_distance.h), without an index that only serves this.
//
// One pass over the names, each seen through two filters before its distance is computed:
//
//   length   |a| and |b| differ by at most k: names are sorted by length, so this is a range.
//   letters  A bag of letters in 64 bits: for each letter of a–z one bit for "at least once" and
//            one for "at least twice", a third for the nine most frequent ones, one for blanks, two
//            for everything else. An edit takes at most one bit away and adds at most one, an
//            exchange changes nothing. So a\b and b\a have at most k bits each.
//
//   "girafe" g i r a f e      | a\b = {}   b\a = {second f}: at most 1 edit by this filter
//   "giraffe" g i r a f f e   |
//
// Whether a word has at most k ≤ 3 bits is asked by clearing its lowest bit k times: six plain
// instructions on every machine, where a population count would be a call on most builds.
//
// Cost:    O(names) word operations and O(survivors · length); WordNet: 146,347 names, of which
//          some 40 % have a fitting length, some 0.3 % pass the bags. 12 bytes a name.
// Source:  the filters are those of G. Navarro, A guided tour to approximate string matching, ACM
//          Computing Surveys 33(1), 2001 (filters by counting letters),
//          folded into one word.
#include "mapping/suggest.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "base/stop.h"
#include "mapping/edit_distance.h"

namespace semveil {
namespace {

constexpr std::string_view kFrequent = "aeinorstl";  // in WordNet's names
constexpr unsigned kThirdBits = 52, kBlankBit = 61, kOtherBits = 62;

std::uint64_t bag_of(std::string_view text) {
  static constexpr auto kThird = [] {
    std::array<std::uint64_t, 26> bits{};
    for (unsigned i = 0; i < kFrequent.size(); ++i) {
      bits[static_cast<unsigned>(kFrequent[i] - 'a')] = std::uint64_t{1} << (kThirdBits + i);
    }
    return bits;
  }();
  std::uint64_t bag = 0;
  while (!text.empty()) {
    const char32_t c = take_code_point(text);
    if (c >= 'a' && c <= 'z') {
      const std::uint64_t once = std::uint64_t{1} << (2 * (c - 'a')), twice = once << 1;
      if (!(bag & once)) {
        bag |= once;
      } else if (!(bag & twice)) {
        bag |= twice;
      } else {
        bag |= kThird[c - 'a'];
      }
    } else if (c == ' ') {
      bag |= std::uint64_t{1} << kBlankBit;
    } else {
      bag |= std::uint64_t{1} << (kOtherBits + (c & 1));
    }
  }
  return bag;
}

// What is left of a word without its k lowest bits.
template <unsigned k>
std::uint64_t beyond(std::uint64_t bits) {
  for (unsigned i = 0; i < k; ++i) bits &= bits - 1;
  return bits;
}

template <unsigned k>
void like_bags(std::uint64_t bag, std::span<const std::uint64_t> bags, std::size_t first,
               std::vector<std::uint32_t>& found) {
  for (std::size_t i = 0; i < bags.size(); ++i) {
    if ((beyond<k>(bag & ~bags[i]) | beyond<k>(bags[i] & ~bag)) == 0) {
      found.push_back(static_cast<std::uint32_t>(first + i));
    }
  }
}

char32_t first_letter(std::string_view text) { return text.empty() ? 0 : take_code_point(text); }

}  // namespace

unsigned suggestion_limit(std::size_t code_points) {
  return code_points < 5 ? 1 : code_points < 9 ? 2 : 3;
}

Suggester::Suggester(const NameTexts& texts) {
  std::vector<std::uint32_t> length(texts.size());
  std::size_t longest = 0;
  StopCheck check;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    check();
    length[i] = static_cast<std::uint32_t>(code_points(texts.text(i)));
    longest = std::max<std::size_t>(longest, length[i]);
  }
  length_begin_.assign(longest + 2, 0);
  for (const std::uint32_t n : length) ++length_begin_[n + 1];
  for (std::size_t n = 1; n < length_begin_.size(); ++n) length_begin_[n] += length_begin_[n - 1];
  names_.resize(texts.size());
  bags_.resize(texts.size());
  std::vector<std::uint32_t> next = length_begin_;
  for (std::uint32_t i = 0; i < texts.size(); ++i) {
    const std::uint32_t place = next[length[i]]++;
    names_[place] = i;
    bags_[place] = bag_of(texts.text(i));
  }
}

std::vector<Suggester::Hit> Suggester::near(std::string_view normalised,
                                            const NameTexts& texts) const {
  const EditDistance distance(normalised);
  const unsigned k = suggestion_limit(distance.length());
  const std::size_t longest = length_begin_.size() - 2;
  if (normalised.empty() || distance.length() > longest + k) return {};

  const std::size_t from =
      length_begin_[distance.length() - std::min<std::size_t>(distance.length(), k)];
  const std::size_t to = length_begin_[std::min(distance.length() + k, longest) + 1];
  const std::span<const std::uint64_t> bags = std::span(bags_).subspan(from, to - from);
  std::vector<std::uint32_t> found;
  (k == 1   ? like_bags<1>
   : k == 2 ? like_bags<2>
            : like_bags<3>)(bag_of(normalised), bags, from, found);
  std::vector<Hit> hits;
  StopCheck check;
  for (const std::uint32_t place : found) {
    check();
    const unsigned edits = distance.to(texts.text(names_[place]), k);
    if (edits <= k) hits.push_back({names_[place], edits});
  }
  return hits;
}

std::vector<Suggestion> nearest(std::vector<Suggester::Hit> hits, std::string_view normalised,
                                std::size_t most, const NameTexts& texts, const Names& names,
                                const Taxonomy& taxonomy, const Domain* domain) {
  const auto concept_of = [&](const Suggester::Hit& hit) {
    return names.term(texts.term(hit.name)).concept_id;
  };
  if (domain != nullptr) {
    std::erase_if(hits, [&](const auto& hit) { return !domain->in_domain(concept_of(hit)); });
  }
  const char32_t first = first_letter(normalised);
  const std::uint64_t bag = bag_of(normalised);  // letters in another order: the likeliest slip
  const auto key = [&](const Suggester::Hit& hit) {
    const std::string_view text = texts.text(hit.name);
    return std::tuple(hit.edits, bag_of(text) != bag, first_letter(text) != first, text,
                      taxonomy.id_rank(concept_of(hit)), hit.name);
  };
  std::sort(hits.begin(), hits.end(),
            [&](const auto& a, const auto& b) { return key(a) < key(b); });
  // One per text, for its first concept: senses would crowd out other words.
  const auto same = [&](const Suggester::Hit& a, const Suggester::Hit& b) {
    return texts.text(a.name) == texts.text(b.name);
  };
  hits.erase(std::unique(hits.begin(), hits.end(), same), hits.end());
  hits.resize(std::min(hits.size(), most));

  std::vector<Suggestion> suggestions;
  suggestions.reserve(hits.size());
  for (const Suggester::Hit& hit : hits) {
    const Term term = names.term(texts.term(hit.name));
    suggestions.push_back({std::string(term.text), term.concept_id, hit.edits});
  }
  return suggestions;
}

}  // namespace semveil
