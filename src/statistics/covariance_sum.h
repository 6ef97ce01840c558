// Σ over pairs of records of δA δB, from the distinct values alone.
//
// With N the contingency table (t pairs of values occur) and W = N ΔB Nᵀ the sum is
//
//   Σ_aa' δA_aa' W_aa',   W_aa' = Σ_b' K_ab' N_a'b',   K_ab' = Σ_b N_ab δB_bb'
//
// Rows of K are made for a few values a at a time. For words K_a is the sum of the rows of ΔB of
// the values that go with a; for numbers prefix sums give it in one pass. Then eight rows of K
// stand side by side, so that one walk over the table gives eight rows of W; both δA and W are
// symmetric, so only a' ≥ a is looked at.
//
// Every sum is added up in the order of the values, elementwise along vectors: neither threads nor
// the width of vectors change a bit.
//
// Cost:    t (d_A + d_B) multiplications and d_A² + d_B² distances; for numbers as B t d_A and
//          d_A d_B; for two columns of numbers O(t log d).
// Memory:  ΔB up to 64 MB, beyond that its rows are computed again. A thread holds up to 16 MB of K
//          and 64 bytes for every value of A and of B.
// Paper:   framework eq 15-17, which writes it over n × n records; for numbers Huo & Székely 2016,
//          Fast computing for distance covariance.
#pragma once

#include "statistics/column.h"
#include "statistics/joint.h"

namespace semveil {

// A holds words.
double covariance_sum(const Column& a, const Column& b, const Joint& joint, unsigned threads);
// Both hold numbers.
double numeric_covariance_sum(const Column& a, const Column& b, const Joint& joint);

}  // namespace semveil
