// A list of numbers for every concept, and counting what two of them share.
//
//   names of car.n.01    [car, auto, automobile, machine, motorcar] as numbers, ascending
//
// Numbers of features: a name's, a gloss word's, a concept's. Only how many two lists have in
// common ever matters, so any numbering will do.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "semveil/taxonomy.h"

namespace semveil {

class IdLists {
 public:
  // The lists are added in the order of their concepts; each becomes ascending, without repetition.
  void add(std::span<const std::uint32_t> list);

  std::size_t concepts() const { return begin_.size() - 1; }
  std::size_t numbers() const { return ids_.size(); }  // of all lists together
  std::uint32_t bound() const { return bound_; }       // above every number
  std::uint32_t size(ConceptId c) const { return begin_[c + 1] - begin_[c]; }
  std::span<const std::uint32_t> operator[](ConceptId c) const {
    return std::span(ids_).subspan(begin_[c], size(c));
  }

 private:
  std::vector<std::uint32_t> begin_{0};
  std::vector<std::uint32_t> ids_;
  std::uint32_t bound_ = 0;
};

// A set of numbers that is emptied at no cost. Memory is taken when a greater bound than ever is
// asked for, and kept.
class Marks {
 public:
  // The thread's, which every measure shares, emptied: ends the use of the one before.
  static Marks& fresh(std::size_t bound);

  // Empties it, for numbers below `bound`.
  void clear(std::size_t bound);

  void put(std::uint32_t number) { stamp_[number] = now_; }
  void put(std::span<const std::uint32_t> list) {
    for (const std::uint32_t number : list) put(number);
  }
  bool has(std::uint32_t number) const { return stamp_[number] == now_; }
  // Whether it was there; it is not any more.
  bool take(std::uint32_t number) {
    const bool found = has(number);
    stamp_[number] = 0;
    return found;
  }
  std::uint32_t count(std::span<const std::uint32_t> list) const {
    std::uint32_t found = 0;
    for (const std::uint32_t number : list) found += has(number) ? 1 : 0;
    return found;
  }

 private:
  std::vector<std::uint32_t> stamp_;
  std::uint32_t now_ = 0;  // the stamp of what is there; never 0 once in use
};

}  // namespace semveil
