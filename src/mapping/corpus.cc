#include "mapping/corpus.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "base/bytes.h"
#include "base/stop.h"
#include "base/text.h"
#include "base/words.h"
#include "mapping/lemma.h"
#include "mapping/name_texts.h"
#include "measures/concept_features.h"
#include "semveil/mapping.h"

namespace semveil {
namespace {

constexpr std::size_t kMostCached = 1 << 16;
constexpr std::size_t kMostWords = 16;      // of a name
constexpr std::size_t kSentence = 4096;     // words kept at most
constexpr std::size_t kPiece = 1 << 18;     // bytes read at once
constexpr std::size_t kLongestWord = 4096;  // bytes; what is longer is no word
constexpr std::size_t kMostBytes = 4;       // of a character
constexpr std::string_view kBlanks = " \n\t\r";

bool is_plain(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool ends_a_phrase(char c) {
  return std::string_view(".,;:!?()[]{}\"").find(c) != std::string_view::npos;
}

std::string joined(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

// How much of a text whose end is still to come consists of whole words: up to its last blank. Some
// texts have no ASCII blank; there it is up to the word at the end. Of a word that is too long
// enough stays, from a whole character on, that what follows is no word of its own.
std::size_t end_of_words(std::string_view text) {
  const std::size_t blank = text.find_last_of(kBlanks);
  if (blank != std::string_view::npos) return blank + 1;
  if (text.size() <= kLongestWord) return 0;
  std::size_t end = text.size();
  const auto is_inside = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  while (end > text.size() - kMostBytes && is_inside(text[end - 1])) --end;
  --end;  // the character at the end may not be whole, so it waits
  const std::string_view tail =
      text.substr(end - (kLongestWord - kMostBytes), kLongestWord - kMostBytes);
  const std::vector<std::string_view> words = words_of(tail);
  const bool is_cut = !words.empty() && words.back().end() == tail.end();
  return is_cut ? end - words.back().size() : end;
}

class CorpusCounter {
 public:
  explicit CorpusCounter(const Names& names)
      : names_(names),
        counts_(names.arrays().row.size(), 0.0),
        lexicon_{[this](std::string_view text) { return concepts_.contains(std::string(text)); },
                 [this](std::string_view form) { return names_.exceptions(form); }},
        first_words_{[this](std::string_view text) { return reach_.contains(std::string(text)); },
                     [this](std::string_view form) { return names_.exceptions(form); }} {
    const NameTexts texts(names);
    StopCheck check;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      check();
      const Term term = names.term(texts.term(i));
      if (is_virtual(names, term.concept_id)) continue;
      std::vector<std::string> words;
      for (const std::string_view word : words_of(texts.text(i))) words.emplace_back(word);
      if (words.empty() || words.size() > kMostWords) continue;
      std::size_t& reach = reach_[words.front()];
      reach = std::max(reach, words.size());
      std::vector<ConceptId>& senses = concepts_[joined(words)];
      if (std::ranges::find(senses, term.concept_id) == senses.end()) {
        senses.push_back(term.concept_id);
      }
    }
  }

  // Text up to a blank, or its end.
  void add(std::string_view text) {
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (!ends_a_phrase(text[at])) continue;
      const bool inside = at > 0 && is_plain(text[at - 1]) && at + 1 < text.size() &&
                          is_plain(text[at + 1]);  // 1,2-dichloroethane
      if (inside) continue;
      add_words(text.substr(begin, at - begin));
      match(0);
      begin = at + 1;
    }
    add_words(text.substr(begin));
  }
  std::vector<double> finish() {
    match(0);
    return std::move(counts_);
  }

 private:
  void add_words(std::string_view text) {
    const std::string normalised = normalise(text);
    for (const std::string_view word : words_of(normalised)) {
      sentence_.emplace_back(word);
      if (sentence_.size() == kSentence) match(kMostWords - 1);
    }
  }

  // Counts the names in the sentence but for those that begin in the last `keep` words.
  void match(std::size_t keep) {
    std::size_t at = 0;
    while (at + keep < sentence_.size()) {
      const std::size_t most = std::min(reach_of(sentence_[at]), sentence_.size() - at);
      std::size_t length = most;
      for (; length > 0; --length) {
        const std::vector<ConceptId>& senses =
            senses_of(joined(std::span(sentence_).subspan(at, length)));
        if (senses.empty()) continue;
        for (const ConceptId c : senses) counts_[c] += 1.0 / static_cast<double>(senses.size());
        break;
      }
      at += std::max<std::size_t>(length, 1);
    }
    sentence_.erase(sentence_.begin(), sentence_.begin() + static_cast<std::ptrdiff_t>(at));
  }

  // Words of the longest name that begins with this word or one of its base forms.
  std::size_t reach_of(const std::string& word) {
    const auto cached = reach_cache_.find(word);
    if (cached != reach_cache_.end()) return cached->second;
    std::size_t reach = 0;
    if (const auto known = reach_.find(word); known != reach_.end()) reach = known->second;
    for (const std::string& base : base_forms(word, first_words_)) {
      if (const auto known = reach_.find(base); known != reach_.end()) {
        reach = std::max(reach, known->second);
      }
    }
    if (reach_cache_.size() >= kMostCached) reach_cache_.clear();
    reach_cache_.emplace(word, reach);
    return reach;
  }

  const std::vector<ConceptId>& senses_of(const std::string& text) {
    if (const auto known = concepts_.find(text); known != concepts_.end()) return known->second;
    if (const auto cached = base_cache_.find(text); cached != base_cache_.end()) {
      return cached->second;
    }
    std::vector<ConceptId> senses;
    for (const std::string& base : base_forms(text, lexicon_)) {
      for (const ConceptId c : concepts_.at(base)) {
        if (std::ranges::find(senses, c) == senses.end()) senses.push_back(c);
      }
    }
    if (base_cache_.size() >= kMostCached) base_cache_.clear();
    return base_cache_.emplace(text, std::move(senses)).first->second;
  }

  const Names& names_;
  std::vector<double> counts_;
  std::unordered_map<std::string, std::vector<ConceptId>> concepts_;  // by name
  std::unordered_map<std::string, std::size_t> reach_;                // by first word of a name
  Lexicon lexicon_, first_words_;
  std::unordered_map<std::string, std::size_t> reach_cache_;
  std::unordered_map<std::string, std::vector<ConceptId>> base_cache_;
  std::vector<std::string> sentence_;
};

}  // namespace

Result<std::vector<double>> count_in_corpus(const std::string& path, const Names& names) {
  Result<std::unique_ptr<InputStream>> stream = InputStream::open(path);
  if (!stream) return fail(stream.error());
  CorpusCounter counter(names);
  std::string text;  // read and not yet counted
  std::string piece(kPiece, '\0');
  for (;;) {
    const Result<std::size_t> got = (*stream)->read(piece.data(), piece.size());
    if (!got) return fail(got.error());
    text.append(piece, 0, *got);
    const std::size_t end = *got > 0 ? end_of_words(text) : text.size();
    counter.add(std::string_view(text).substr(0, end));
    text.erase(0, end);
    if (*got == 0) break;
  }
  std::vector<double> counts = counter.finish();
  if (std::ranges::all_of(counts, [](double count) { return count == 0; })) {
    return fail(
        data_error(
            "no term of the ontology occurs in this text: name one that speaks of the same things")
            .at(path));
  }
  return counts;
}

Result<CorpusContent> content_of_corpus(const std::string& path, const Domain& domain,
                                        const Names& names) {
  Result<std::vector<double>> counts = count_in_corpus(path, names);
  if (!counts) return fail(counts.error());
  Result<InformationContent> content = InformationContent::from_counts(domain, *counts);
  if (!content) return fail(std::move(content.error()).at(path));
  return CorpusContent{*std::move(counts),
                       std::make_shared<const InformationContent>(*std::move(content))};
}

namespace {

Result<MeasureOptions> chosen_with_content(const MeasureChoice& choice, const Domain& domain,
                                           const Mapper& mapper) {
  if (!choice.ic.starts_with(kCorpusIc)) return choose_measure(choice, domain, mapper.names());
  if (!uses_information_content(choice.name)) {
    return choose_measure({choice.name, "seco", choice.lcs, choice.weights}, domain,
                          mapper.names());
  }
  const std::string path = choice.ic.substr(kCorpusIc.size());
  const Result<CorpusContent> counted = content_of_corpus(path, domain, mapper.names());
  if (!counted) return fail(counted.error());
  return choose_measure(choice, domain, mapper.names(), counted->content);
}

}  // namespace

Result<MeasureOptions> choose_measure(const MeasureChoice& choice, const Domain& domain,
                                      const Mapper& mapper) {
  Result<MeasureOptions> options = chosen_with_content(choice, domain, mapper);
  if (!options) return options;
  if (const Status usable = check_features(*options); !usable) return fail(usable.error());
  return options;
}

}  // namespace semveil
