// From texts to concepts.
//
// A value is tried, in this order, against the user's mapping file; cross-references, if they are
// asked for; ids; ICD codes as people write them (E119 for E11.9); preferred labels; synonyms; the
// same after normalisation (Unicode NFKC, case folding; blanks, underscores and hyphens as one
// blank, then removed); the same after lemmatisation as WordNet's morphy does; and Porter stems.
// The first step that answers decides. Fuzzy matches are suggestions only.
//
// A word may have several senses. With `closest` two values are as far apart as their closest
// senses; where one concept per value is needed, it is the sense s with the least
// Σ_w f(w) · min over w' in senses(w) of sd(s, w'), ties by sense order.
//
// Paper: master thesis §3 (mapping, stems), semantic noise and framework (one concept per value).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "semveil/cross_references.h"
#include "semveil/domain.h"
#include "semveil/measure.h"
#include "semveil/ontology.h"

namespace [[gnu::visibility("default")]] semveil {

enum class How : std::uint8_t {
  kFile,
  kXref,  // a code of another ontology that this one refers to
  kId,
  kCode,  // an id but for its dot, its case or zeros that a spreadsheet took away
  kLabel,
  kSynonym,
  kNormalised,
  kLemma,
  kStem,
  kUnmapped,
  kOutside,  // known, but not in the domain
};
std::string_view to_string(How how);
constexpr bool is_code(How how) {
  return how == How::kId || how == How::kCode || how == How::kXref;
}
constexpr bool is_mapped(How how) { return how != How::kUnmapped && how != How::kOutside; }

struct Match {
  How how = How::kUnmapped;
  std::vector<ConceptId> senses;  // ontology ids, first sense first
};

struct Suggestion {
  std::string text;  // the name as the ontology writes it
  ConceptId concept_id;
  unsigned edits;
};

// What a person decided: value → concept; an empty concept leaves the value unmapped on purpose.
class MappingFile {
 public:
  // CSV (needs the columns value and concept) or, by the ending .toml, [[mapping]] tables with the
  // same keys. Concepts are ids or names that mean exactly one concept.
  static Result<MappingFile> read(const std::string& path, const Ontology& ontology);
  // The same over bytes in memory; `name` stands for the file in errors, and its ending decides.
  static Result<MappingFile> parse(std::string_view text, const std::string& name,
                                   const Ontology& ontology);
  // nullptr: the file does not speak of this value. An empty optional: unmapped on purpose.
  const std::optional<ConceptId>* find(std::string_view value) const;
  const std::map<std::string, std::optional<ConceptId>, std::less<>>& concepts() const {
    return concepts_;
  }

 private:
  std::map<std::string, std::optional<ConceptId>, std::less<>> concepts_;
};

class Mapper {  // immutable, thread-safe
 public:
  static Result<Mapper> create(const Ontology& ontology,
                               std::shared_ptr<const MappingFile> file = nullptr,
                               std::shared_ptr<const CrossReferences> references = nullptr);
  ~Mapper();
  Mapper(const Mapper&) = delete;
  Mapper& operator=(const Mapper&) = delete;
  Mapper(Mapper&&) noexcept;
  Mapper& operator=(Mapper&&) noexcept;

  Match match(std::string_view value) const;
  // The same without mapping file and cross-references: what a root or another concept that the
  // user names is looked up by.
  Match match_own(std::string_view value) const;
  // Names within a few edits, the nearest first; inside `domain` where one is given.
  std::vector<Suggestion> suggest(std::string_view value, std::size_t most,
                                  const Domain* domain = nullptr) const;
  // One concept for a text that must mean exactly one (a root, a concept on the command line);
  // the error lists the senses or the suggestions.
  Result<ConceptId> only(std::string_view text) const;

  const Names& names() const;

 private:
  class Impl;
  explicit Mapper(std::unique_ptr<const Impl> impl);
  std::unique_ptr<const Impl> impl_;
};

enum class Senses : std::uint8_t { kClosest, kFirst };

struct MappedValue {
  std::string value;
  std::uint64_t count = 0;
  How how = How::kUnmapped;
  std::optional<ConceptId> concept_id;  // the resolved sense, an ontology id
  std::vector<ConceptId> senses;        // inside the domain; for kOutside all of them
  std::vector<Suggestion> suggestions;  // for kUnmapped
};

struct ColumnMapping {
  std::vector<MappedValue> values;  // most frequent first, then by bytes
  std::uint64_t records = 0;
  std::uint64_t missing = 0;
};

struct MappingOptions {
  std::optional<ConceptId> root;  // ontology id of the domain's root
  Senses senses = Senses::kClosest;
  MeasureOptions measure;       // resolves the senses
  std::size_t suggestions = 3;  // per unmapped value
  unsigned threads = 1;
};

// Maps distinct values with their counts (missing ones left out by the caller).
Result<ColumnMapping> map_values(std::vector<std::pair<std::string, std::uint64_t>> counts,
                                 const Mapper& mapper, const Ontology& ontology,
                                 const MappingOptions& options);

// How often each concept's terms occur in a running text, by ConceptId of the ontology; the file
// may be packed. An occurrence counts in equal parts for the term's senses.
Result<std::vector<double>> count_in_corpus(const std::string& path, const Names& names);
// As choose_measure() of measure.h; also counts the text of `corpus:FILE`.
Result<MeasureOptions> choose_measure(const MeasureChoice& choice, const Domain& domain,
                                      const Mapper& mapper);

// value,count,concept,label,how,senses,suggestions (docs/formats/mapping.md), or TOML by ending.
std::string mapping_csv(const ColumnMapping& mapping, const Names& names);
std::string mapping_toml(const ColumnMapping& mapping, const Names& names);

}  // namespace semveil
