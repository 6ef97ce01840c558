// WordNet's noun morphology (morphy).
//
//   mice              → mouse              exception list
//   axes              → ax, axis           exception list: all its bases
//   churches          → church             rule ches → ch
//   boxesful          → boxful             rule xes → x in front of "ful"
//   guinea pigs       → guinea pig         rule s → "" on the whole text
//   attorneys general → attorney general   word by word
//
// A text is tried as a whole: if the exception list knows it, the list alone decides; else every
// detachment rule that leads to a name counts. Only if this gives nothing are its words changed one
// by one, each to what the list or the rules say or left as it is, and the collocations that are
// names count. Words that end in "ss" or have at most two letters are left alone.
//
// Choice:  morphy stops at the first rule that leads to a word; we unite them ("axes" without its
//          exception is axe and ax), because no order among rules tells the sense. Inside a
//          collocation morphy also demands that each changed word be a word itself; the whole must
//          be a name anyway, and few ontologies but WordNet name single words, so we do not.
// Cost:    one look-up per candidate; a collocation has at most kMaxCollocations candidates, beyond
//          that each word takes its first base only.
// Source:  WordNet 3.0, morphy(7WN) and morph.c; Fellbaum (ed.), WordNet, MIT Press 1998, ch. 1.
#include "mapping/lemma.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"

namespace semveil {
namespace {

constexpr std::size_t kMaxCollocations = 64;

constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kRules{{
    {"s", ""},
    {"ses", "s"},
    {"xes", "x"},
    {"zes", "z"},
    {"ches", "ch"},
    {"shes", "sh"},
    {"men", "man"},
    {"ies", "y"},
}};

std::size_t letters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// The list spells collocations with hyphens or underscores; a normalised text has blanks.
std::vector<std::string> exceptions_of(std::string_view form, const Lexicon& lexicon) {
  std::vector<std::string> bases;
  const bool several_words = form.find(' ') != form.npos;
  for (const char joint : {' ', '-', '_'}) {
    std::string spelled(form);
    std::replace(spelled.begin(), spelled.end(), ' ', joint);
    for (const std::string_view base : lexicon.exceptions(spelled)) {
      bases.push_back(normalise(base));
    }
    if (!several_words) break;
  }
  return bases;
}

std::vector<std::string> detached(std::string_view form) {
  std::string_view ending;
  if (form.ends_with("ful")) {
    ending = "ful";
    form.remove_suffix(ending.size());
  } else if (form.ends_with("ss") || letters(form) <= 2) {
    return {};
  }
  std::vector<std::string> bases;
  for (const auto& [suffix, replacement] : kRules) {
    if (form.size() <= suffix.size() || !form.ends_with(suffix)) continue;
    std::string base(form.substr(0, form.size() - suffix.size()));
    base += replacement;
    base += ending;
    bases.push_back(std::move(base));
  }
  return bases;
}

std::vector<std::string> names_among(std::vector<std::string> forms, std::string_view itself,
                                     const Lexicon& lexicon) {
  std::vector<std::string> names;
  for (std::string& form : forms) {
    if (form.empty() || form == itself || !lexicon.is_name(form)) continue;
    if (std::find(names.begin(), names.end(), form) == names.end())
      names.push_back(std::move(form));
  }
  return names;
}

// What each word may become: its bases, then itself.
std::vector<std::vector<std::string>> words_of(std::string_view text, const Lexicon& lexicon) {
  std::vector<std::vector<std::string>> words;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    std::vector<std::string> forms = exceptions_of(word, lexicon);
    if (forms.empty()) forms = detached(word);
    forms.emplace_back(word);
    words.push_back(std::move(forms));
  }
  return words;
}

std::vector<std::string> collocations(std::string_view text, const Lexicon& lexicon) {
  std::vector<std::vector<std::string>> words = words_of(text, lexicon);
  std::size_t count = 1;
  for (const auto& forms : words) {
    count *= forms.size();
    if (count > kMaxCollocations) break;
  }
  if (count > kMaxCollocations) {
    for (auto& forms : words) forms.resize(1);
  }
  std::vector<std::string> joined{""};
  for (const auto& forms : words) {
    std::vector<std::string> longer;
    longer.reserve(joined.size() * forms.size());
    for (const std::string& start : joined) {
      for (const std::string& form : forms) {
        longer.push_back(start.empty() ? form : start + ' ' + form);
      }
    }
    joined = std::move(longer);
  }
  return joined;
}

}  // namespace

std::vector<std::string> base_forms(std::string_view normalised, const Lexicon& lexicon) {
  std::vector<std::string> listed = exceptions_of(normalised, lexicon);
  if (!listed.empty()) return names_among(std::move(listed), normalised, lexicon);
  std::vector<std::string> whole = names_among(detached(normalised), normalised, lexicon);
  if (!whole.empty() || normalised.find(' ') == normalised.npos) return whole;
  return names_among(collocations(normalised, lexicon), normalised, lexicon);
}

}  // namespace semveil
