// Enhanced additive noise as its paper writes it, and additive noise: lists, one record at a time.
//
// EAN Algorithms 1-3. Choices are a function of the caller: the documented draws of a row
// (docs/formats/draws.md) for comparison with the engine, or any generator.
#pragma once

#include <functional>
#include <map>
#include <string_view>
#include <vector>

#include "semveil/ean.h"

namespace semveil::test {

// One of `count`; in this place a choice can be among as many as `most`, depending on the record.
using SlowChoose = std::function<std::uint64_t(std::uint64_t count, std::uint64_t most)>;

// The documented draws of a row: each choice a digit of ⌊draw · N / 2^64⌋, N the product so far.
class DocumentedChoices {
 public:
  DocumentedChoices(const Draws& draws, std::uint64_t row) : draws_(&draws), row_(row) { begin(); }
  DocumentedChoices(const Draws& draws, std::string_view person, std::string_view value)
      : draws_(&draws), row_(draws.address(person, value)), is_address_(true) {
    begin();
  }
  std::uint64_t operator()(std::uint64_t count, std::uint64_t most);

 private:
  __extension__ using Wide = unsigned __int128;
  void begin();

  const Draws* draws_;
  std::uint64_t row_;
  bool is_address_ = false;
  std::uint32_t next_ = 0;
  std::uint64_t word_ = 0;
  Wide product_ = 1, most_ = 1;
};

// Ways to do it wrong.
enum class SetMutant : std::uint8_t {
  kNone,
  kTrueFirst,        // the true value is not shuffled
  kSwapsWithAny,     // a shuffle that exchanges every place with any place
  kFirstValueTwice,  // the first value of a category is twice as likely
  kCategoryLeftOut,  // the last of the other categories is not among those chosen
  kIgnoresRecords,   // every value alike, where it should be by frequency
};

struct SlowSets {
  using List = std::vector<ConceptId>;

  bool by_category = true;
  std::vector<List> senslist{};  // what Algorithm 1 loads: a list for each line
  std::size_t l = 0;
  SetDraw draw = SetDraw::kUniform;
  std::map<ConceptId, std::uint64_t> records{};

  List anonymized(ConceptId t_sa, const SlowChoose& choose,
                  SetMutant mutant = SetMutant::kNone) const;

  // By brute force: every set that can come out for a value, ascending, with its probability.
  std::map<List, double> probabilities(ConceptId t_sa) const;
  // P(v | S), by Bayes' rule over all values. Of a set that no value with records makes: 1/l, or
  // certain where only one value makes it.
  double posterior(List set, ConceptId v) const;
  struct Expected {
    double mean = 0, variance = 0;
  };
  Expected expected_posterior() const;  // of a record's true value, over records and sets

  // Its parts.
  List generate_random_set(ConceptId t_sa, const SlowChoose& choose, SetMutant mutant) const;
  List domain() const;
  // The lists that the others are taken from: categories without the value, or other values.
  std::vector<List> others(ConceptId t_sa) const;
  std::uint64_t choices_in(const List& list) const;
  mutable std::map<ConceptId, std::map<List, double>> known{};  // probabilities() of a value
};

}  // namespace semveil::test
