// Which sense of a word a column means, where one concept per value is needed.
//
//   cost(s) = Σ_w f(w) · min over w' in senses(w) of sd(s, w')  /  Σ_w f(w)
//
// Of its senses a word takes the one of least cost: the sense nearest to what the rest of the
// column speaks of. Among "cat", "mouse" and "dog" the dog is the animal, not the frump. A sum does
// not depend on the word that asks, and a word adds nothing to the cost of its own senses: so a
// word that comes later is settled as if it had been in the column. `map`, `mask`, `fit`, `apply`
// and `audit` all ask here.
//
// A named person or town is not what a column of occupations speaks of, however near it lies to
// the others: "farmer" is the farmer, not Fannie Farmer. So a word that has both kinds of senses,
// common nouns and named instances (ontology/instances.h), takes one of the first kind; unless the
// column itself speaks of instances: among the records whose word has senses of one kind only, more
// have instances. In a column of capitals Paris is the town, not the herb.
//
// Paper:   semantic noise and framework assume values "univocally associated" with concepts and do
//          not say how; the nearest senses are the master thesis's distance of two terms.
// Choice:  costs within kTie of the least are ties, and the earliest sense wins: the order in which
//          a machine adds must not decide.
// Cost:    one row of distances per sense of a word that has several, O(Σ senses) each; memory
//          O(Σ senses). Nothing at all where no value has two senses.
#pragma once

#include <span>
#include <vector>

#include "semveil/mapping.h"

namespace semveil {

class SenseChoice {  // immutable, thread-safe
 public:
  // `column`: values with their senses in `domain` and how often each occurs, in the order of
  // ColumnMapping; those that are not mapped take no part.
  SenseChoice(const std::vector<MappedValue>& column, Domain domain,
              std::shared_ptr<const Names> names, std::shared_ptr<const Measure> measure);

  // For each word the sense it is settled on. Senses are ontology ids inside the domain, the first
  // sense first, at least one for each word.
  std::vector<ConceptId> of(std::span<const std::span<const ConceptId>> words) const;
  ConceptId of_word(std::span<const ConceptId> senses) const { return of({&senses, 1}).front(); }

 private:
  struct Word {
    std::size_t begin, end;  // in places_
    double count;
  };
  double cost(std::span<const double> row) const;  // row: the distances to concepts_
  // Those that a word with these senses may take.
  std::vector<ConceptId> rivals_among(std::span<const ConceptId> senses) const;

  Domain domain_;
  std::shared_ptr<const Names> names_;
  std::shared_ptr<const Measure> measure_;
  bool speaks_of_instances_ = false;
  std::vector<ConceptId> concepts_;  // the column's senses, of the domain, ascending
  std::vector<std::size_t> places_;  // in concepts_
  std::vector<Word> words_;
  double records_ = 0;
};

// The senses that a text has inside the domain; without a domain, all.
MappedValue match_value(std::string_view text, std::uint64_t count, const Mapper& mapper,
                        const Domain* domain);

}  // namespace semveil
