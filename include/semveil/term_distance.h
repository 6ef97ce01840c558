// How far apart two terms are, as people write them: "dog" and "cat", or ids.
//
// A term with several senses counts with the closest one; of several closest pairs of senses the
// first. The answer says which concepts were meant and which common subsumer accounts for the
// distance.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semveil/mapping.h"

namespace [[gnu::visibility("default")]] semveil {

struct TermDistanceOptions {
  std::string root;  // of the domain; empty: the whole ontology
  MeasureChoice measure;
  Senses senses = Senses::kClosest;
  bool many = false;  // questions: an index, built once, is worth its while
};

class TermDistance {  // immutable, thread-safe
 public:
  static Result<TermDistance> open(const Ontology& ontology, const TermDistanceOptions& options);

  // Of the domain, in the order of the senses, never none. The error quotes the text and names no
  // place.
  Result<std::vector<ConceptId>> senses(std::string_view text) const;

  struct Answer {  // concepts of the domain
    ConceptId a = 0, b = 0;
    Explanation explanation;
  };
  // Senses are not empty.
  Answer explain(std::span<const ConceptId> senses_a, std::span<const ConceptId> senses_b) const;
  double distance(std::span<const ConceptId> senses_a, std::span<const ConceptId> senses_b) const {
    return closest(senses_a, senses_b).explanation.distance;
  }
  // The subsumer and both ways down from it, in three lines for people:
  //
  //   carnivore (02075296-n), depth 11
  //   ├─ canine ─ dog   2 links
  //   └─ feline ─ cat   2 links
  std::string drawing(const Answer& answer) const;

  const Domain& domain() const { return domain_; }
  const Measure& measure() const { return *measure_; }
  const Mapper& mapper() const { return *mapper_; }
  const Names& names() const { return *names_; }

 private:
  TermDistance(std::shared_ptr<const Mapper> mapper, std::shared_ptr<const Names> names,
               Domain domain, std::unique_ptr<const Measure> measure, Senses senses, bool many);

  // Without the subsumer.
  Answer closest(std::span<const ConceptId> senses_a, std::span<const ConceptId> senses_b) const;
  std::string way_down(ConceptId c, ConceptId subsumer) const;

  std::shared_ptr<const Mapper> mapper_;
  std::shared_ptr<const Names> names_;
  Domain domain_;
  std::shared_ptr<const Measure> measure_;
  Senses senses_;
  bool many_;
};

}  // namespace semveil
