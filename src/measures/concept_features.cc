#include "measures/concept_features.h"

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "base/stop.h"
#include "base/text.h"
#include "measures/gloss_words.h"

namespace semveil {
namespace {

// The first numbers of a list, as many as `most` different ones. The order stays.
void keep_first(std::vector<std::uint32_t>& list, std::size_t most) {
  if (list.size() <= most) return;
  std::unordered_set<std::uint32_t> kept;
  std::erase_if(list, [&](std::uint32_t number) {
    if (kept.size() < most) kept.insert(number);
    return !kept.contains(number);
  });
}

class Numbers {  // of texts, in the order of their first appearance
 public:
  std::uint32_t of(std::string_view text) {
    key_.assign(text);
    return numbers_.try_emplace(key_, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::string key_;
};

void add_part_links(const Domain& domain, const Names& names, ConceptFeatures& features) {
  std::vector<std::vector<std::uint32_t>> parts(domain.taxonomy()->size());
  std::vector<std::uint32_t> wholes;
  for (ConceptId c = 0; c < domain.taxonomy()->size(); ++c) {
    check_stop();
    wholes.clear();
    if (!domain.taxonomy()->is_virtual(c)) {
      for (const ConceptId o : names.wholes(domain.in_ontology(c))) {
        if (const auto whole = domain.in_domain(o)) {
          wholes.push_back(*whole);
          parts[*whole].push_back(c);
        }
      }
    }
    features.wholes.add(wholes);
  }
  for (const std::vector<std::uint32_t>& of_one : parts) features.parts.add(of_one);
}

}  // namespace

ConceptFeatures ConceptFeatures::of(const Domain& domain, const Names& names) {
  ConceptFeatures features;
  Numbers name_numbers;
  Numbers word_numbers;
  std::string squeezed;
  std::vector<std::uint32_t> list;
  std::vector<std::uint32_t> name_words;
  for (ConceptId c = 0; c < domain.taxonomy()->size(); ++c) {
    check_stop();
    list.clear();
    name_words.clear();
    const bool is_virtual = domain.taxonomy()->is_virtual(c);
    const ConceptId o = domain.in_ontology(c);
    if (!is_virtual) {
      for (TermId t = names.first_term(o); t < names.last_term(o); ++t) {
        const Term term = names.term(t);
        if (!is_name(term.kind)) continue;
        squeeze_into(term.text, squeezed);
        list.push_back(name_numbers.of(squeezed));
        const std::string name = normalise(term.text);
        for (const std::string_view word : content_words(name)) {
          name_words.push_back(word_numbers.of(word));
        }
      }
    }
    if (list.empty() && !is_virtual) {  // a concept without a name is called by its id
      squeeze_into(names.label(o), squeezed);
      list.push_back(name_numbers.of(squeezed));
    }
    features.names.add(list);
    features.name_words.add(name_words);
    list.clear();
    if (!is_virtual) {
      const std::string gloss = normalise(names.definition(o));
      for (const std::string_view word : content_words(gloss)) {
        list.push_back(word_numbers.of(word));
      }
    }
    keep_first(list, kMostGlossWords);
    features.words.add(list);
  }
  add_part_links(domain, names, features);
  return features;
}

Status check_features(const MeasureOptions& options) {
  const FeatureWeights& weights = options.weights;
  if (options.name == "rodriguez-egenhofer" && options.features &&
      weights.names + weights.neighbours == 0 && !options.features->has_words() &&
      !options.features->has_parts()) {
    return fail(
        data_error("the features alone have weight, and this domain has neither definitions "
                   "nor parts: give names or the neighbourhood a weight"));
  }
  if (options.name != "gloss-vector" || !options.features || options.features->has_words()) {
    return {};
  }
  return fail(
      data_error("gloss-vector compares definitions, and this domain has none: choose "
                 "another measure"));
}

}  // namespace semveil
