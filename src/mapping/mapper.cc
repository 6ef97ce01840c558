// The ladder from a text to concepts.
//
//   step          equal are …                              how
//   file          the value and a line of the user's file  file
//   xref          the code of a cross-reference, if asked  xref
//   id            the bytes of an id, then of an old id    id
//   code          ICD codes without dot, zeros, …          code         "e119"      = "E11.9"
//   label         the bytes of a preferred label           label        also `label (ID)`
//   synonym       the bytes of a synonym                   synonym
//   normalised    ids ignoring case; names folded          normalised   "Ski-Trips" = "ski trips"
//   squeezed      names without blanks and hyphens         normalised   "skitrips"  = "ski trips"
//   lemma         a base form and a folded name            lemma        "mice"      = "mouse"
//   stem          the Porter stems of all words            stem         "skiing"    = "skis"
//
// The first step that answers decides. Within a step ids come before preferred labels, these before
// exact synonyms, these before narrow, broad and related ones; the best kind alone counts. All
// strict steps are one look-up in one index by squeezed text, whose finds are then sorted by the
// strictest equality that holds. Cross-references are no names: they count where they are asked
// for.
//
// Where an ontology's names are equal (WordNet: a synset's first word is no better than its
// others), kinds are not told apart, nor letter cases: a word's senses are all concepts that hold
// it, by the number the source gives the sense; of several base forms, the first's senses first.
//
// Choice:  ids do not match without their hyphens: 1-23 and 12-3 are two codes.
// Cost:    about 1 µs for a text that is found in the strict steps; the stems of all names are
//          computed when the first text gets that far, and the codes of an ICD ontology are sorted
//          for the first text that is none of its ids (mapping/codes.h).
#include <algorithm>
#include <tuple>

#include "base/stop.h"
#include "base/text.h"
#include "mapping/codes.h"
#include "mapping/lemma.h"
#include "mapping/name_texts.h"
#include "mapping/stem.h"
#include "mapping/suggest.h"
#include "ontology/wordnet/sense_id.h"
#include "semveil/mapping.h"

namespace semveil {
namespace {

enum class Step : unsigned { kRaw, kNormalised, kSqueezed, kNone };
enum class Kind : unsigned { kId, kAltId, kLabel, kExact, kOther, kNone };

Kind kind_of(TermKind kind) {
  switch (kind) {
    case TermKind::kId:
      return Kind::kId;
    case TermKind::kAltId:
      return Kind::kAltId;
    case TermKind::kLabel:
      return Kind::kLabel;
    case TermKind::kExactSynonym:
      return Kind::kExact;
    case TermKind::kNarrowSynonym:
    case TermKind::kBroadSynonym:
    case TermKind::kRelatedSynonym:
      return Kind::kOther;
    case TermKind::kXref:
      return Kind::kNone;
  }
  return Kind::kNone;
}

struct Class {  // lower is better
  Step step = Step::kNone;
  Kind kind = Kind::kNone;
  auto operator<=>(const Class&) const = default;
};

bool is_id(Kind kind) { return kind == Kind::kId || kind == Kind::kAltId; }

How how_of(Class found) {
  if (found.step == Step::kNone) return How::kUnmapped;
  if (found.step != Step::kRaw) return How::kNormalised;
  if (is_id(found.kind)) return How::kId;
  return found.kind == Kind::kLabel ? How::kLabel : How::kSynonym;
}

struct Found {
  Class found;
  TermId term;
  std::uint32_t base = 0;  // which of several base forms led here
};

// The separators inside a text: what an id keeps when only its case is ignored.
std::string separators(std::string_view text) {
  constexpr std::string_view kSeparators = " -_";
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos) return {};
  text = text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first);
  std::string kept;
  for (const char c : text) {
    if (kSeparators.find(c) != kSeparators.npos) kept += c;
  }
  return kept;
}

}  // namespace

class Mapper::Impl {
 public:
  Impl(const OntologyInfo& info, std::shared_ptr<const Names> names,
       std::shared_ptr<const Taxonomy> taxonomy, std::shared_ptr<const MappingFile> file,
       std::shared_ptr<const CrossReferences> references)
      : is_wordnet_(info.format == "wordnet"),
        names_are_equal_(info.names_are_equal),
        has_icd_codes_(info.has_icd_codes),
        names_(std::move(names)),
        taxonomy_(std::move(taxonomy)),
        file_(std::move(file)),
        references_(std::move(references)) {}

  Match match(std::string_view value) const {
    if (file_) {
      if (const std::optional<ConceptId>* decided = file_->find(value)) {
        return decided->has_value() ? Match{How::kFile, {**decided}} : Match{};
      }
    }
    if (references_) {
      // What masking writes, an id of this ontology, must come back as that concept.
      if (const auto c = by_id(value)) return {How::kId, {*c}};
      std::vector<ConceptId> concepts = references_->find(value);
      if (!concepts.empty()) return {How::kXref, std::move(concepts)};
    }
    return match_own(value);
  }

  // By the ontology's own ids and names.
  Match match_own(std::string_view value) const {
    const std::string normalised = normalise(value);
    if (Match found = match_strictly(value, normalised); found.how != How::kUnmapped) return found;
    // Texts longer than any word or name are not taken apart word by word.
    constexpr std::size_t kLongest = 1000;
    if (normalised.empty() || normalised.size() > kLongest) return {};
    if (Match found = match_lemma(normalised); found.how != How::kUnmapped) return found;
    return match_stem(normalised);
  }

  std::vector<Suggestion> suggest(std::string_view value, std::size_t most,
                                  const Domain* domain) const {
    std::vector<Suggestion> all = suggest_codes(value, most, domain);
    const std::string normalised = normalise(value);
    const Suggester& suggester = suggester_.get([&] { return Suggester(texts()); });
    for (Suggestion& s : nearest(suggester.near(normalised, texts()), normalised, most - all.size(),
                                 texts(), *names_, *taxonomy_, domain)) {
      all.push_back(std::move(s));
    }
    return all;
  }

  const Names& names() const { return *names_; }

 private:
  // Each term that equals the value in some way, with the strictest one.
  std::vector<Found> find(std::string_view value, const std::string& normalised) const {
    const std::string squeezed = squeeze(value);
    std::vector<Found> all;
    for (const std::uint64_t entry : names_->lookup(squeezed)) {
      const TermId t = Names::term_of(entry);
      const Term term = names_->term(t);
      const Kind kind = kind_of(term.kind);
      if (kind == Kind::kNone || is_virtual(*names_, term.concept_id)) continue;
      const Step step = step_of(value, normalised, squeezed, term);
      if (step != Step::kNone) all.push_back({{step, kind}, t});
    }
    return all;
  }

  static Step step_of(std::string_view value, const std::string& normalised,
                      const std::string& squeezed, const Term& term) {
    if (term.text == value) return Step::kRaw;
    if (normalised.empty()) return Step::kNone;  // "-" and "_" are not alike
    const bool same = normalise(term.text) == normalised;
    if (!is_name(term.kind)) {
      return same && separators(term.text) == separators(value) ? Step::kNormalised : Step::kNone;
    }
    if (same) return Step::kNormalised;
    return squeeze(term.text) == squeezed ? Step::kSqueezed : Step::kNone;
  }

  Match match_strictly(std::string_view value, const std::string& normalised) const {
    std::vector<Found> all = find(value, normalised);
    Class best;
    for (const Found& f : all) best = std::min(best, f.found);
    constexpr Class kRawAltId{Step::kRaw, Kind::kAltId}, kRawLabel{Step::kRaw, Kind::kLabel};
    if (best > kRawAltId && is_wordnet_) {
      if (const auto c = wordnet_id(value)) return {How::kId, {*c}};
    }
    if (best > kRawAltId && has_icd_codes_) {
      if (std::vector<ConceptId> senses = codes().find(value); !senses.empty()) {
        return {How::kCode, std::move(senses)};
      }
    }
    if (best > kRawLabel) {
      if (const auto c = label_with_id(value)) return {How::kLabel, {*c}};
    }
    if (best.step == Step::kNone) return {};
    std::erase_if(all, [&](const Found& f) {
      if (!names_are_equal_ || is_id(best.kind)) return f.found != best;
      const Step reach = best.step == Step::kSqueezed ? Step::kSqueezed : Step::kNormalised;
      return is_id(f.found.kind) || f.found.step > reach;
    });
    return {how_of(best), in_order(all)};
  }

  // The names that equal a normalised text.
  std::vector<Found> named(const std::string& normalised) const {
    std::vector<Found> all = find(normalised, normalised);
    std::erase_if(all, [](const Found& f) {
      return is_id(f.found.kind) || f.found.step > Step::kNormalised;
    });
    return all;
  }

  // Of finds that a looser step has led to, those of the best kind.
  Match best_names(How how, std::vector<Found> all) const {
    if (all.empty()) return {};
    if (!names_are_equal_) {
      Kind best = Kind::kNone;
      for (const Found& f : all) best = std::min(best, f.found.kind);
      std::erase_if(all, [&](const Found& f) { return f.found.kind != best; });
    }
    return {how, in_order(all)};
  }

  Match match_lemma(const std::string& normalised) const {
    const Lexicon lexicon{
        [&](std::string_view text) { return !named(std::string(text)).empty(); },
        [&](std::string_view form) { return names_->exceptions(form); },
    };
    std::vector<Found> all;
    std::uint32_t base = 0;
    for (const std::string& form : base_forms(normalised, lexicon)) {
      for (Found& f : named(form)) {
        f.base = base;
        all.push_back(f);
      }
      ++base;
    }
    return best_names(How::kLemma, std::move(all));
  }

  Match match_stem(const std::string& normalised) const {
    const StemIndex& index = stems_.get([&] { return StemIndex(texts()); });
    std::vector<Found> all;
    for (const std::size_t i : index.find(Stemmer().text(normalised), texts())) {
      const TermId t = texts().term(i);
      all.push_back({{Step::kSqueezed, kind_of(names_->term(t).kind)}, t});
    }
    return best_names(How::kStem, std::move(all));
  }

  std::vector<ConceptId> in_order(const std::vector<Found>& all) const {
    struct Sense {
      ConceptId concept_id;
      unsigned base, order;
      std::uint32_t id_rank;
    };
    std::vector<Sense> senses;
    senses.reserve(all.size());
    for (const Found& f : all) {
      const Term term = names_->term(f.term);
      // A sense without a number comes after those that have one.
      const unsigned sense = term.sense == 0 ? 0x10000U : term.sense;
      senses.push_back({term.concept_id, names_are_equal_ ? f.base : 0,
                        names_are_equal_ ? sense : static_cast<unsigned>(term.kind),
                        taxonomy_->id_rank(term.concept_id)});
    }
    // A concept that was found by several of its terms keeps its best place.
    const auto key = [](const Sense& s) { return std::tie(s.base, s.order, s.id_rank); };
    std::sort(senses.begin(), senses.end(), [&](const Sense& a, const Sense& b) {
      return a.concept_id != b.concept_id ? a.concept_id < b.concept_id : key(a) < key(b);
    });
    const auto same = [](const Sense& a, const Sense& b) { return a.concept_id == b.concept_id; };
    senses.erase(std::unique(senses.begin(), senses.end(), same), senses.end());
    std::sort(senses.begin(), senses.end(),
              [&](const Sense& a, const Sense& b) { return key(a) < key(b); });
    std::vector<ConceptId> ordered;
    ordered.reserve(senses.size());
    for (const Sense& s : senses) ordered.push_back(s.concept_id);
    return ordered;
  }

  std::optional<ConceptId> by_id(std::string_view id) const {
    for (const std::uint64_t entry : names_->lookup(squeeze(id))) {
      const Term term = names_->term(Names::term_of(entry));
      if (term.kind == TermKind::kId && term.text == id && !is_virtual(*names_, term.concept_id)) {
        return term.concept_id;
      }
    }
    return std::nullopt;
  }

  // `02084071` and NLTK's `dog.n.01`.
  std::optional<ConceptId> wordnet_id(std::string_view value) const {
    if (value.size() == 8 && all_digits(value)) return by_id(std::string(value) + "-n");
    const std::optional<SenseId> id = parse_sense_id(value);
    if (!id) return std::nullopt;
    const std::string joints = separators(id->lemma);
    std::optional<ConceptId> folded;
    for (const Found& f : named(normalise(id->lemma))) {
      const Term term = names_->term(f.term);
      if (term.sense != id->sense) continue;
      if (separators(term.text) == joints) return term.concept_id;
      if (!folded) folded = term.concept_id;  // "acre-foot" for "acre_foot"
    }
    return folded;
  }

  // `dog (09886220-n)`, as labels are written that several concepts share.
  std::optional<ConceptId> label_with_id(std::string_view value) const {
    if (!value.ends_with(')')) return std::nullopt;
    // The id itself may hold brackets, so any " (" may be the one; a long cell of nothing else
    // must not cost its square.
    constexpr int kMostBrackets = 8;
    std::size_t at = value.rfind(" (");
    for (int i = 0; i < kMostBrackets && at != value.npos && at > 0;
         ++i, at = value.rfind(" (", at - 1)) {
      const auto c = by_id(value.substr(at + 2, value.size() - at - 3));
      if (c && names_->label(*c) == value.substr(0, at)) return c;
    }
    return std::nullopt;
  }

  const CodeIndex& codes() const {
    return codes_.get([&] { return CodeIndex(*names_); });
  }

  std::vector<Suggestion> suggest_codes(std::string_view value, std::size_t most,
                                        const Domain* domain) const {
    std::vector<Suggestion> all;
    if (!has_icd_codes_) return all;
    for (const auto& [c, edits] : codes().guesses(value)) {
      if (all.size() == most) break;
      if (domain != nullptr && !domain->in_domain(c)) continue;
      all.push_back({std::string(names_->id(c)), c, edits});
    }
    return all;
  }

  const NameTexts& texts() const {
    return texts_.get([&] { return NameTexts(*names_); });
  }

  bool is_wordnet_, names_are_equal_, has_icd_codes_;
  std::shared_ptr<const Names> names_;
  std::shared_ptr<const Taxonomy> taxonomy_;
  std::shared_ptr<const MappingFile> file_;
  std::shared_ptr<const CrossReferences> references_;
  Lazy<CodeIndex> codes_;
  Lazy<NameTexts> texts_;
  Lazy<StemIndex> stems_;
  Lazy<Suggester> suggester_;
};

Result<Mapper> Mapper::create(const Ontology& ontology, std::shared_ptr<const MappingFile> file,
                              std::shared_ptr<const CrossReferences> references) {
  auto names = ontology.names();
  if (!names) return fail(std::move(names.error()));
  auto taxonomy = ontology.taxonomy();
  if (!taxonomy) return fail(std::move(taxonomy.error()));
  return Mapper(std::make_unique<const Impl>(ontology.info(), std::move(*names),
                                             std::move(*taxonomy), std::move(file),
                                             std::move(references)));
}

Mapper::Mapper(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
Mapper::~Mapper() = default;
Mapper::Mapper(Mapper&&) noexcept = default;
Mapper& Mapper::operator=(Mapper&&) noexcept = default;

Match Mapper::match(std::string_view value) const {
  check_stop();
  return impl_->match(value);
}
Match Mapper::match_own(std::string_view value) const { return impl_->match_own(value); }

std::vector<Suggestion> Mapper::suggest(std::string_view value, std::size_t most,
                                        const Domain* domain) const {
  return impl_->suggest(value, most, domain);
}

const Names& Mapper::names() const { return impl_->names(); }

std::string_view to_string(How how) {
  switch (how) {
    case How::kFile:
      return "file";
    case How::kXref:
      return "xref";
    case How::kId:
      return "id";
    case How::kCode:
      return "code";
    case How::kLabel:
      return "label";
    case How::kSynonym:
      return "synonym";
    case How::kNormalised:
      return "normalised";
    case How::kLemma:
      return "lemma";
    case How::kStem:
      return "stem";
    case How::kUnmapped:
      return "unmapped";
    case How::kOutside:
      return "outside";
  }
  return "unmapped";
}

}  // namespace semveil
