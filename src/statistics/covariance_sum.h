// Σ over pairs of records of δA δB, from the distinct values alone.
//
// With N the contingency table (t pairs of values occur) and W = N ΔB Nᵀ the sum is
//
//   Σ_aa' δA_aa' W_aa',   W_aa' = Σ_b' K_ab' N_a'b',   K_ab' = Σ_b N_ab δB_bb'
//
// Both δA and W are symmetric, so only a' ≥ a is looked at.
//
//   words × words      Rows of K are made for some values a at a time: K_a is the sum of the rows
//   of
//                      ΔB of the values that go with a. Then eight of them stand side by side, so
//                      that one walk over the table gives eight rows of W.
//   words × numbers    Since Σ_a f_a δA_aa' = 0, distances of B need not be centred. For ascending
//                      numbers y, Σ_b N_ab |y − y_b| = y u_a + v_a, where u and v change only when
//                      y passes a number that goes with a. So one walk over the table in the order
//                      of B gives the rows of W for 128 values a.
//   numbers × numbers  Σ |x − x'| |y − y'| over records by ascending x, with sums over all smaller
//   y
//                      from a binary indexed tree.
//
// Every sum is added up in the order of the values, elementwise along vectors: neither threads nor
// the width of vectors change a bit.
//
// Cost:    t (d_A + d_B) multiplications and d_A² + d_B² distances; with numbers as B t d_A and
// d_A²;
//          of numbers alone O(t log d).
// Memory:  ΔB up to 64 MB, beyond that its rows are computed again. A thread holds up to 16 MB of K
//          and 64 bytes for every value of A and of B, or with numbers 1 KB for every value of A.
// Paper:   framework eq 15-17, which writes it over n × n records; for numbers Huo & Székely 2016,
//          Fast computing for distance covariance.
#pragma once

#include "statistics/column.h"
#include "statistics/joint.h"

namespace semveil {

// Of two columns of words, of words (A) and numbers (B), of two columns of numbers.
double nominal_covariance_sum(const Column& a, const Column& b, const Joint& joint,
                              unsigned threads);
double mixed_covariance_sum(const Column& a, const Column& b, const Joint& joint, unsigned threads);
double numeric_covariance_sum(const Column& a, const Column& b, const Joint& joint);

// δ_aa W_aa + 2 Σ_{a' > a} δ_aa' W_aa', W_aa' standing at w[a' · stride].
inline double symmetric_row(std::span<const double> delta, std::size_t a, const double* w,
                            std::size_t stride) {
  double right = 0;
  for (std::size_t other = a + 1; other < delta.size(); ++other) {
    right += delta[other] * w[other * stride];
  }
  return delta[a] * w[a * stride] + 2 * right;
}

}  // namespace semveil
