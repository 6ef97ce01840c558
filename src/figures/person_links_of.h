// The engine of linked_persons.h: how surely each class of one side is linked to the persons in it.
#pragma once

#include "figures/linked_persons.h"

namespace semveil {

class PersonLinksOf {
 public:
  // Classes of the asking side are linked to classes of the other one. The tables outlive it.
  PersonLinksOf(const PairedPersons& tables, Side asking);

  const Classes& asks() const { return asks_; }
  const Classes& answers() const { return answers_; }
  // Once for each asking class; from any thread, for different ones.
  void link(std::size_t asking, std::span<const std::uint32_t> linked);

  double mean() const;    // over the persons of their greatest P
  double surest() const;  // the greatest over asking classes of the mean over their persons
  std::vector<double> by_pair() const;

 private:
  double score(std::size_t asking, std::uint32_t person) const;  // who is there

  const PairedPersons tables_;
  Classes asks_, answers_;
  PersonRows asking_, answering_;
  std::size_t persons_;         // numbers of all are below it
  std::vector<double> scores_;  // by entry of asking_
};

}  // namespace semveil
