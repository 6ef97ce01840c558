#include "measures/gloss_words.h"

#include <algorithm>
#include <array>

#include "base/words.h"

namespace semveil {
namespace {

// Ascending, for the search.
constexpr auto kStopWords = std::to_array<std::string_view>({
    "a",          "about",    "above",  "after",    "again",   "against", "all",     "along",
    "also",       "although", "always", "am",       "among",   "an",      "and",     "another",
    "any",        "are",      "around", "as",       "at",      "away",    "be",      "because",
    "been",       "before",   "being",  "below",    "between", "both",    "but",     "by",
    "can",        "could",    "did",    "do",       "does",    "during",  "each",    "either",
    "else",       "etc",      "even",   "ever",     "every",   "few",     "for",     "from",
    "further",    "had",      "has",    "have",     "having",  "he",      "her",     "here",
    "hers",       "herself",  "him",    "himself",  "his",     "how",     "however", "if",
    "in",         "into",     "is",     "it",       "its",     "itself",  "just",    "least",
    "less",       "like",     "many",   "may",      "me",      "might",   "more",    "most",
    "much",       "must",     "my",     "near",     "neither", "no",      "nor",     "not",
    "now",        "of",       "off",    "often",    "on",      "one",     "only",    "onto",
    "or",         "other",    "others", "our",      "out",     "over",    "own",     "per",
    "quite",      "rather",   "same",   "shall",    "she",     "should",  "since",   "so",
    "some",       "such",     "than",   "that",     "the",     "their",   "theirs",  "them",
    "themselves", "then",     "there",  "these",    "they",    "this",    "those",   "though",
    "through",    "thus",     "to",     "together", "too",     "toward",  "towards", "under",
    "until",      "up",       "upon",   "us",       "usually", "very",    "was",     "we",
    "were",       "what",     "when",   "where",    "whether", "which",   "while",   "who",
    "whom",       "whose",    "why",    "will",     "with",    "within",  "without", "would",
    "yet",        "you",      "your",
});
static_assert(std::ranges::is_sorted(kStopWords));

}  // namespace

std::vector<std::string_view> content_words(std::string_view normalised) {
  std::vector<std::string_view> words = words_of(normalised);
  std::erase_if(words, [](std::string_view word) {
    return word.size() < 2 || std::ranges::binary_search(kStopWords, word);
  });
  return words;
}

}  // namespace semveil
