// An ontology serves a column if it knows 4 of 5 records and half of the different texts.
//
// WordNet knows nearly every English word, so more is asked of it: eight values or more, of three
// letters or more each. The root is the deepest concept above some sense of 95 % of the records and
// 90 % of the values; what lies no deeper than two steps ("abstraction", "physical entity") says
// nothing and is left out. In other ontologies it is the deepest concept above all.
//
// Digits are taken for ids only where the column's cells are codes, or a hierarchy that was made
// for columns (vgh, edges) has a word of the column's name in its own: 250 is an amount before it
// is a disease, and 1 may be anything.
#include "propose/ontology_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <tuple>

#include "base/stop.h"
#include "base/text.h"
#include "base/trimmed.h"
#include "ontology/snapshot/cache.h"
#include "plan/column_names.h"
#include "propose/column_kinds.h"
#include "semveil/plan_text.h"

namespace semveil {

struct OpenedSource {
  OntologySource about;
  std::shared_ptr<const Taxonomy> taxonomy;
  std::shared_ptr<const Names> names;
  std::unique_ptr<const Mapper> mapper;
  std::string format;
  bool is_dictionary = false;  // of a whole language
};

namespace {

constexpr double kEnoughRecordsKnown = 0.8, kEnoughValuesKnown = 0.5;
constexpr double kSharedByRecords = 0.95, kSharedByValues = 0.9;
constexpr std::uint64_t kFewestWords = 8;
constexpr std::size_t kShortestWord = 3;
constexpr unsigned kDeepestNothing = 2;

struct KnownValue {
  std::uint64_t records = 0;
  std::vector<ConceptId> senses;
};

struct KnownTexts {
  std::vector<KnownValue> known;
  std::uint64_t records = 0, values = 0;  // all, known or not
};

// How a plan names the concept: a sense of WordNet's, else its id; whatever means it alone.
std::string concept_text(const Mapper& mapper, const Names& names, ConceptId c,
                         bool is_dictionary) {
  if (is_dictionary) {
    for (TermId t = names.first_term(c); t < names.last_term(c); ++t) {
      const Term term = names.term(t);
      if (term.kind != TermKind::kLabel) continue;
      std::string word(term.text);
      std::ranges::replace(word, ' ', '_');
      const std::string sense = fmt::format("{}.n.{:02}", word, term.sense);
      const Result<ConceptId> meant = mapper.only(sense);
      if (meant && *meant == c) return sense;
    }
  }
  return std::string(names.id(c));
}

// By concept: records and values that have a sense at or below it.
struct Below {
  std::vector<std::uint64_t> records, values;
};
Below count_below(const Taxonomy& taxonomy, const std::vector<KnownValue>& known) {
  Below out{std::vector<std::uint64_t>(taxonomy.size()),
            std::vector<std::uint64_t>(taxonomy.size())};
  std::vector<ConceptId> above;
  for (const KnownValue& value : known) {
    above.clear();
    for (const ConceptId sense : value.senses) {
      for (const Ancestor& ancestor : taxonomy.ancestors(sense)) {
        above.push_back(ancestor.concept_id);
      }
    }
    std::ranges::sort(above);
    const auto repeated = std::ranges::unique(above);
    above.erase(repeated.begin(), repeated.end());
    for (const ConceptId c : above) {
      out.records[c] += value.records;
      ++out.values[c];
    }
  }
  return out;
}

std::uint64_t share_of(std::uint64_t all, double share) {
  return static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(all)));
}

// Of equally deep ones the one with more records, then the smallest id.
ConceptId common_root(const Taxonomy& taxonomy, const Below& below, std::uint64_t records,
                      std::uint64_t values) {
  ConceptId best = Taxonomy::root();
  for (ConceptId c = 0; c < taxonomy.size(); ++c) {
    if (below.records[c] < records || below.values[c] < values) continue;
    const auto order = [&](ConceptId x) {
      return std::tuple(taxonomy.depth(x), below.records[x], ~taxonomy.id_rank(x));
    };
    if (order(c) > order(best)) best = c;
  }
  return best;
}

// The concept, or one above it that is no value of the column: a plan must quote none. Nothing: all
// of them are values.
std::optional<ConceptId> above_values(const Taxonomy& taxonomy,
                                      const std::vector<KnownValue>& known, ConceptId c) {
  const auto is_value = [&] {
    return std::ranges::any_of(known, [&](const KnownValue& value) {
      return std::ranges::find(value.senses, c) != value.senses.end();
    });
  };
  while (c != Taxonomy::root() && is_value()) c = taxonomy.parents(c).front();
  return is_value() ? std::nullopt : std::optional(c);
}

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

bool is_made_for(const OpenedSource& source, std::string_view column) {
  if (source.format != "vgh" && source.format != "edges") return false;
  const std::vector<std::string> own = name_words(source.about.name);
  return std::ranges::any_of(name_words(column), [&](const std::string& word) {
    return std::ranges::find(own, word) != own.end();
  });
}

// What the texts mean there, without guesses by their stems.
KnownTexts look_up(const OpenedSource& source, const ColumnWords& words) {
  KnownTexts out;
  const bool has_codes = is_health_code(words.kind);
  const bool made_for_it = is_made_for(source, words.column);
  StopCheck check(64);
  for (const auto& [text, records] : words.texts) {
    check();
    out.records += records;
    ++out.values;
    const std::string_view word = trimmed(text);
    const bool is_digits = number_of(word).has_value();
    if (is_digits && !made_for_it && !has_codes) continue;
    if (source.is_dictionary && (word.size() < kShortestWord || is_digits)) continue;
    Match match = source.mapper->match(text);
    if (!is_mapped(match.how) || match.how == How::kStem) continue;
    if (is_digits && match.how != How::kId && !has_codes) continue;
    out.known.push_back({records, std::move(match.senses)});
  }
  return out;
}

bool lies_below(const Taxonomy& taxonomy, const KnownValue& value, ConceptId root) {
  return std::ranges::any_of(value.senses, [&](ConceptId sense) {
    return std::ranges::any_of(taxonomy.ancestors(sense), [&](const Ancestor& ancestor) {
      return ancestor.concept_id == root;
    });
  });
}

// Of what lies below the root; nothing: all of it.
OntologyCoverage covered(const OpenedSource& source, const KnownTexts& texts,
                         std::optional<ConceptId> root) {
  OntologyCoverage out;
  out.ontology = source.about.name;
  for (const KnownValue& value : texts.known) {
    if (root && !lies_below(*source.taxonomy, value, *root)) continue;
    out.records += value.records;
    ++out.values;
  }
  out.is_whole = out.values == texts.values;
  if (root && !source.taxonomy->is_virtual(*root)) {
    out.root = concept_text(*source.mapper, *source.names, *root, source.is_dictionary);
    out.root_label = source.names->label(*root);
  }
  out.is_enough = ratio(out.records, texts.records) >= kEnoughRecordsKnown &&
                  ratio(out.values, texts.values) >= kEnoughValuesKnown && out.values >= 2;
  return out;
}

OntologyCoverage cover(const OpenedSource& source, const ColumnWords& words) {
  const KnownTexts known = look_up(source, words);
  // A hierarchy made for a column is its domain as it stands.
  if (source.format == "vgh" || known.known.empty()) return covered(source, known, std::nullopt);
  std::uint64_t records = 0;
  for (const KnownValue& value : known.known) records += value.records;
  const std::uint64_t values = known.known.size();
  const bool all = !source.is_dictionary;
  const ConceptId common = common_root(*source.taxonomy, count_below(*source.taxonomy, known.known),
                                       all ? records : share_of(records, kSharedByRecords),
                                       all ? values : share_of(values, kSharedByValues));
  std::optional<ConceptId> root = above_values(*source.taxonomy, known.known, common);
  if (root && source.is_dictionary && source.taxonomy->depth(*root) <= kDeepestNothing) {
    root = std::nullopt;
  }
  OntologyCoverage out = covered(source, known, root);
  if (source.is_dictionary && out.values < kFewestWords) out.is_enough = false;
  return out;
}

// In hundredths, so that a few texts more do not decide between sources.
std::tuple<bool, long, long> order_of(const OntologyCoverage& coverage, const TextCounts& texts) {
  std::uint64_t records = 0;
  for (const auto& [text, count] : texts) records += count;
  return {coverage.is_enough, std::lround(100 * ratio(coverage.records, records)),
          std::lround(100 * ratio(coverage.values, texts.size()))};
}

// A name for TOML: letters, digits, dash and underscore, unlike all others.
std::string plan_name(std::string_view wanted, const std::vector<OntologySource>& others) {
  std::string base;
  for (const char c : wanted) {
    const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '-' || c == '_';
    base += fits ? c : '_';
  }
  if (base.empty()) base = "ontology";
  std::string name = base;
  const auto is_taken = [&] {
    return std::ranges::any_of(others, [&](const auto& other) { return other.name == name; });
  };
  for (int i = 2; is_taken(); ++i) name = fmt::format("{}_{}", base, i);
  return name;
}

}  // namespace

std::string_view to_string(OntologySource::Origin origin) {
  switch (origin) {
    case OntologySource::Origin::kGiven:
      return "given";
    case OntologySource::Origin::kInstalled:
      return "installed";
    case OntologySource::Origin::kCached:
      return "cached";
  }
  return "";
}

std::vector<OntologySource> known_ontologies(const std::vector<OntologySource>& given,
                                             bool use_cache) {
  std::vector<OntologySource> all = given;
  const auto add = [&](std::string_view name, const std::string& source,
                       OntologySource::Origin origin) {
    const bool is_known = std::ranges::any_of(all, [&](const OntologySource& other) {
      return other.source == source ||
             (source != "wordnet" && source_path(other.source) == source_path(source));
    });
    if (!is_known) all.push_back({plan_name(name, all), source, origin});
  };
  if (ontology_files("wordnet")) add("words", "wordnet", OntologySource::Origin::kInstalled);
  if (use_cache) {
    for (const std::string& source : cached_sources()) {
      std::string stem = std::filesystem::path(source_path(source)).filename().string();
      stem.resize(std::min(stem.find('.'), stem.size()));
      add(stem, source, OntologySource::Origin::kCached);
    }
  }
  return all;
}

OntologyChooser::OntologyChooser(std::vector<OpenedSource> opened) : opened_(std::move(opened)) {}
OntologyChooser::~OntologyChooser() = default;
OntologyChooser::OntologyChooser(OntologyChooser&&) noexcept = default;

Result<OntologyChooser> OntologyChooser::open(std::vector<OntologySource> sources, bool use_cache) {
  std::vector<OpenedSource> opened;
  for (OntologySource& source : sources) {
    const auto add = [&]() -> Status {
      const Result<Ontology> ontology = open_ontology(source.source, {.use_cache = use_cache});
      if (!ontology) return fail(ontology.error());
      OpenedSource one;
      auto taxonomy = ontology->taxonomy();
      if (!taxonomy) return fail(taxonomy.error());
      one.taxonomy = *std::move(taxonomy);
      auto names = ontology->names();
      if (!names) return fail(names.error());
      one.names = *std::move(names);
      Result<Mapper> mapper = Mapper::create(*ontology);
      if (!mapper) return fail(mapper.error());
      one.mapper = std::make_unique<const Mapper>(*std::move(mapper));
      one.format = ontology->info().format;
      one.is_dictionary = ontology->info().names_are_equal;
      one.about = source;
      opened.push_back(std::move(one));
      return {};
    };
    const Status added = add();
    if (!added && source.origin == OntologySource::Origin::kGiven) return fail(added.error());
  }
  return OntologyChooser(std::move(opened));
}

std::optional<OntologyCoverage> OntologyChooser::best(const ColumnWords& words) const {
  std::optional<OntologyCoverage> best;
  for (const OpenedSource& source : opened_) {
    OntologyCoverage coverage = cover(source, words);
    if (coverage.values == 0) continue;
    if (!best || order_of(coverage, words.texts) > order_of(*best, words.texts))
      best = std::move(coverage);
  }
  return best;
}

OntologyCoverage OntologyChooser::again(const OntologyCoverage& chosen,
                                        const ColumnWords& words) const {
  const auto at = std::ranges::find(opened_, chosen.ontology,
                                    [](const OpenedSource& one) { return one.about.name; });
  std::optional<ConceptId> root;
  if (!chosen.root.empty()) {
    if (const Result<ConceptId> meant = at->mapper->only(chosen.root)) root = *meant;
  }
  OntologyCoverage out = covered(*at, look_up(*at, words), root);
  out.is_enough = chosen.is_enough;
  return out;
}

const OntologySource& OntologyChooser::source(std::string_view name) const {
  return std::ranges::find(opened_, name, [](const OpenedSource& one) { return one.about.name; })
      ->about;
}

}  // namespace semveil
