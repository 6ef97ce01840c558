// Who is found by who fits: attackers who hold one side and look the other up.
//
//   With a released record.   g a released combination of |g| records, F(g) the people who fit it
//                             (originals, controls), u(g) its records whose own original fits:
//
//                               u(g) / (|g| · F(g))
//
//                             is the chance that one of the people, drawn, is whose record it is.
//                             Journalist risk is the greatest over g: he takes anybody.
//   With an original x.       n(x) originals like x, C(x) the released records that x fits, v(x) of
//                             the n whose own record is among them:
//
//                               v(x) / (n(x) · |C(x)|)
//
//                             is the chance that who looks himself up points at his own record:
//                             finding oneself, the greatest and the mean over the originals.
//
// Example: five released A's, one original A, whose record is among them: u = F = 1, so 1/5; the
// same from his side. Four people with x, of whom two keep it, and two others who come to have it:
// 2 / (4 · 4) = 1/8.
//
// Holds:   Both are at most 1 / |g|, as u(g) ≤ F(g), and 1 / |C(x)|, as v(x) ≤ n(x): at most 1/k
//          where each released combination stands in k records. A combination whose own originals
//          do not fit, as noise and swapping make them, says nothing of anybody: 0.
// Paper:   Dankar & El Emam 2010 for the journalist; probabilistic k-anonymity of swapping
//          (Soria-Comas & Domingo-Ferrer) for finding oneself, as SwapFit::risk.
// Choice:  Suppressed records show nothing: nobody is looked up among them. Where single cells were
//          emptied that match everything, a record that lost all of them is one that all fit.
//          Originals without a record of their own count in F and n.
// Cost:    fits.h, a look-up for every combination.
#pragma once

#include <optional>

#include "figures/fits.h"

namespace semveil {

struct LookedUp {  // all over the quasi-identifiers
  const Attributes& attributes;
  const Classes& original;
  const Classes& released;           // without suppressed records (class_risk.h)
  const Paired& pairs;               // which became which; suppressed ones may be among them
  const Classes* control = nullptr;  // further people
  FitRule rule;
  // Pairs that lost every quasi-identifier were not suppressed: they match everything.
  bool empties_cells = false;
};

// Nothing where nobody fits any released combination.
std::optional<double> journalist_risk(const LookedUp& tables);

struct OwnAmongAlike {
  double worst = 0, mean = 0;
};
OwnAmongAlike own_among_alike(const LookedUp& tables);

}  // namespace semveil
