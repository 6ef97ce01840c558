// What a release tells of a secret, beside what its frequencies tell anybody: the attacks of EAN's
// Table I on classes and on sets.
//
//   attribute     how much is believed of the true value
//   skewness      the likeliest value is guessed: how often that is right
//   similarity    the same for categories of values
//   sensitivity   the same for levels of gravity
//
// In a class each value is believed by its share among the class's released records; in a set as
// figures/set_attacks.h says. Who knows the frequencies p alone believes p(v) of v and guesses the
// most frequent: Σ p² and max p of values, max p of groups.
//
// Example: a class of flu, flu, HIV and a class of HIV, cold, cold; secrets as they were.
//   attribute     flu 2/3, flu 2/3, HIV 1/3, HIV 1/3, cold 2/3, cold 2/3: mean 5/9, worst 2/3;
//                 by frequencies alone, 1/3 each, mean 1/3 and worst 1/3
//   skewness      flu and cold are guessed: right for 4 of 6, in either class for 2 of 3;
//                 by frequencies alone for 1/3
//
// Paper:   EAN (Abdelhameed et al.), section II and Table I, which decide yes or no without a
//          measure.
// Choice:  the person is in the class of his own released record: that he is there is known. Where
//          values are drawn or swapped, nobody is known to be in a class: an attacker looks for
//          the records that the person fits (figures/fits.h) and has the frequencies where there
//          are none; a stranger's record may then have the right secret by chance, so that a worst
//          case says nothing. Ties are shared. A missing secret takes no part; of a class without
//          any secret the frequencies are believed.
// Holds:   of an unchanged secret, worst belief = worst share of the likeliest.
// Cost:    O(pairs log pairs). Where the attacker looks for records: a look-up (fits.h) for each
//          combination of a person's values and the groups of every class found, one person's at a
//          time; memory stays that of the pairs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "figures/fits.h"
#include "figures/paired.h"

namespace semveil {

// By value: its group; SetColumn::kNoCategory and values beyond the end are groups of their own.
// Empty: every value is.
using Grouping = std::span<const std::uint32_t>;

// Which values tell the same kind of thing, and which are equally grave. Empty: nobody said.
struct SecretGroups {
  std::vector<std::uint32_t> category, level;
};

struct Disclosed {
  double mean = 0, worst = 0;  // over people; over the classes, sets or people
  std::uint64_t fewest = 0;    // different groups in a class or set; 0: there is none
  std::uint64_t sharing = 0;   // people whose class has one group alone
};

// How the attacker finds the class of a person.
enum class ClassOf : std::uint8_t {
  kRecord,  // he knows it: that of the person's own released record
  kValues,  // he looks for records that the person fits
};

class SecretsInClasses {
 public:
  // `pairs`: the quasi-identifiers, then the secret.
  SecretsInClasses(const Paired& pairs, ClassOf how, const FitRule& rule);
  SecretsInClasses(const SecretsInClasses&) = delete;  // what is looked up refers to its classes
  SecretsInClasses& operator=(const SecretsInClasses&) = delete;
  ~SecretsInClasses() = default;

  std::uint64_t people() const { return people_; }
  Disclosed belief() const;
  Disclosed likeliest(Grouping grouping) const;

 private:
  struct Count {
    std::uint32_t in = 0;  // class
    ConceptId value = 0;
    std::uint64_t count = 0;
  };
  template <class Visit, class Nowhere>
  void walk(Grouping grouping, const Visit& visit, const Nowhere& nowhere) const;

  Classes shown_in_, asking_;            // released; who finds the same records
  std::optional<Fits> found_;            // by values: which released classes that are; else his own
  std::vector<Count> released_, truth_;  // secrets of shown_in_, and of people by asking_
  std::uint64_t people_ = 0;
};

// Of somebody who has the frequencies alone. `truth`: values, each with its people.
Disclosed belief_by_frequency(const ValueCounts& truth);
Disclosed likeliest_by_frequency(const ValueCounts& truth, Grouping grouping);

std::uint64_t group_of(Grouping grouping, ConceptId value);

}  // namespace semveil
