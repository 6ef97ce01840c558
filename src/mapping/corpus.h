// Occurrences of an ontology's terms in running text, for information content.
//
//   "The guinea pigs ate carrots."   →   guinea pig 1, carrot 1 (shared among carrot's senses)
//
// Words are runs of letters and digits in normalised form. From left to right the longest sequence
// of words that is a name is taken, as it stands or by its base forms (lemma.h), and counted; the
// search goes on behind it. A name does not reach over a full stop, comma, bracket or the like. An
// occurrence of a term with n senses counts 1/n for each: the text does not say which is meant.
//
// Paper:  Resnik 1995 (counts), 1999 §3.2 (shared among senses). Subsumers are counted by
//         InformationContent::from_counts.
// Cost:   the text once, piece by piece; memory for the names and two caches of kMostCached words.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "semveil/information_content.h"

namespace semveil {

struct CorpusContent {
  std::vector<double> counts;  // by ConceptId of the ontology
  std::shared_ptr<const InformationContent> content;
};
// Counts the text as count_in_corpus() of mapping.h does, and gives the content that this means in
// the domain.
Result<CorpusContent> content_of_corpus(const std::string& path, const Domain& domain,
                                        const Names& names);

}  // namespace semveil
