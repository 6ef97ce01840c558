// From the scores of an attack to its figures.
//
// A score is the share of right guesses at one record, a number in [0, 1], as ties are shared.
//
// Interval: Wilson's at 95 %. Scores in [0, 1] with mean p vary by at most p (1 − p) (Bhatia and
//           Davis 2000), what right-or-wrong guesses vary by, so with shares it is too wide, never
//           too narrow. Records count as drawn independently from a population.
// Risk:     (rate − c) / (1 − c) = 1 − (1 − rate) / (1 − c): of what a control or guessing leaves
//           unknown, the share that the release gives away. c is the control's rate, else the
//           baseline's. Below 0 it is 0; where c is 1, nothing is left to give away, and it is 0.
// Its own:  from both samples, a ratio by the method of variance estimates recovery (Donner and Zou
//           2012; Newcombe's hybrid for a difference carried over to a ratio). Where the control
//           leaves almost nothing and that has no solution, the farthest corners of both intervals.
//           A baseline is computed and has no error, unless it was drawn: that of singling out is.
#pragma once

#include "semveil/audit_figures.h"

namespace semveil {

Interval wilson_interval(double rate, double trials);  // of no trials: 0 … 1

struct ControlRate {
  double rate = 0;
  double trials = 0;
};
double risk_above(double rate, double without);
// Fills in what follows from tried, rate and baseline. Without a rate there is nothing to fill in,
// without a control and a baseline no risk.
void finish(Attack& attack, const std::optional<ControlRate>& control);
// The same with a baseline that was drawn.
void finish_drawn(Attack& attack, const std::optional<ControlRate>& control,
                  const std::optional<ControlRate>& baseline);

}  // namespace semveil
