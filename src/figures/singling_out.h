// "There is exactly one person with these values": how often that is right.
//
// A guess is a predicate with one value for each of some quasi-identifiers, taken from a released
// record, that exactly one released record fits (figures/fits.h). It is right if exactly one
// original fits. Both are told per guess:
//
//   rate        right / guesses made; none where no guess is possible, as where each combination
//               stands in k ≥ 2 records. That is "no guess", not 0.
//   baseline    the same attack on the release with its columns shuffled independently, mean of 10
//               keyed shuffles. Guesses are chosen for being rare, so the guesses of somebody who
//               knows the columns alone must be chosen in the same way.
//   control     the same guesses on other records of the population. Of more records than the
//               original: the chance that exactly one of so many drawn from them fits. Of fewer, m
//               of n: a rare combination turns up that much more seldom, so times n / m.
//   pointed at  share of the originals that some right guess points at
//
// Over all quasi-identifiers every guess is made; over s = 1, 2, 3 of them up to 2,000 different
// ones, by keyed draws of record and columns. One column has no such baseline (shuffling it keeps
// its rare values): its rate stands alone, unless there is a control.
//
// Example: originals p p q r, released p q q r. p and r are guesses; r is right. Rate 1/2.
//
// "No guess" does not mean that nobody is shown. One origin is the share of the released
// combinations that exactly one original fits, beside the same for shuffled columns: k copies of
// one person's values show them; which of the k records is his stays 1/k. Of a person with several
// records more of them may be his.
//
// Holds:   An unchanged release with a unique record has rate 1 over all columns; shuffled columns
//          have the baseline's. No pairs are needed.
// Persons: where originals are known by their persons, a guess is right if all that fit are one
//          person's, one origin likewise, and right guesses point at persons.
// Paper:   Article 29 Working Party, Opinion 05/2014; Giomi et al. 2023 (papers/README.md says what
//          anonymeter does otherwise).
// Choice:  Suppressed records are no part of the release here. A record that no guess over all
//          columns is about cannot give one over fewer: draws are among the others, each record and
//          columns once, at most 100,000 of them.
// Cost:    Eleven times: a look-up (fits.h) for each released combination, and 100,000 for each s;
//          at most a 64th of combinations × originals × columns.
#pragma once

#include <utility>
#include <vector>

#include "figures/fits.h"
#include "figures/person_rows.h"
#include "semveil/audit_figures.h"

namespace semveil {

inline constexpr std::size_t kMostColumnsOfAGuess = 3;
inline constexpr std::size_t kMostGuesses = 2'000;
inline constexpr std::size_t kShuffles = 10;

struct SinglingOut {
  Attack attack;
  std::optional<OneOrigin> one_origin;  // nothing of no release
  // Released combinations of one origin, by class, each with the class of the original that has it
  // or, where they are told, with the person.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> origins;
};
// Classes over the same columns, all quasi-identifiers; of the released records those that were not
// suppressed. `persons`: by class of the originals; null: every record is somebody's only one.
SinglingOut singling_out(const Attributes& attributes, const Classes& original,
                         const Classes& released, const Classes* control, const FitRule& rule,
                         unsigned threads, const PersonRows* persons = nullptr);

// The columns of the records shuffled, each on its own; another table for every number.
Classes shuffled_columns(const Attributes& attributes, const Classes& classes, std::size_t number);

}  // namespace semveil
