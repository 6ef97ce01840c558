// Whether a release still teaches what the original did: a classifier that guesses one column from
// others, trained on masked and on original records, tested on original ones.
//
// Naive Bayes. Of the values c of the target the one with the greatest
//
//   n_c · Π_j (n_vc + 1) / (n_cj + V_j)
//
// is guessed; n_c training records have c, n_vc of them the value v in column j, n_cj any value
// there; V_j values of the column occur in training (Laplace's smoothing).
//
// Example: training (a, x) twice, (b, y) once. Of a: x 2 · 3/4, y 1 · 1/3; x is guessed. Of b:
// x 2 · 1/4, y 1 · 2/3; y is guessed.
//
// Nobody is tested on what was learned from himself: the records, in the order of their tuples
// before and then after, are dealt alternately to two halves. Each half is guessed by what was
// learned from the other, from its masked or from its original records. The majority guesses the
// most frequent value of the other half's originals.
//
// Choice:  Scores are sums of logarithms; those within 1e-9 of the best are tied, and the smallest
//          value, by its number, wins. A missing cell is no evidence, in training and in test;
//          records without a target do not train, and are not tested if they had none before.
//          A value that did not occur in training stands for the nearest concept above it that did
//          (fewest links, smallest id): who learns from "cancer" knows it in "lung cancer". Where
//          there is none it is no evidence.
// Cost:    different tuples × values of the target.
// Paper:   none of the methods' papers; the test is Train on Synthetic, Test on Real as used of
//          synthetic data (Esteban, Hyland & Rätsch 2017).
#pragma once

#include <optional>

#include "figures/paired.h"
#include "semveil/audit_figures.h"

namespace semveil {

// `target` and `evidence` are columns of the pairs. Nothing where no record can be tested, or where
// a half has nothing to learn. The target's name is that of its attribute.
std::optional<Downstream> downstream(const Paired& pairs, std::size_t target,
                                     std::span<const std::size_t> evidence);

}  // namespace semveil
