// Who is found by who fits (looked_up.h), where people have several records.
//
//   With a released record.   g a released combination, F(g) the people who have an original or a
//                             control that fits it, each once: of the persons of g those who have
//                             an original that does, by persons(g) · |F(g)|. Journalist risk is the
//                             greatest over g.
//   With an original x.       n(x) the persons who have x, C(x) those of the released records that
//                             x fits, v(x) persons who are in both: v(x) / (n(x) · |C(x)|).
//                             Somebody looks themselves up with the best of their originals; the
//                             mean is over persons.
//
// Example: A's two records and B's one are all released as "cold", and nobody else fits: the
// journalist is right by 2 / (2 · 2), and so is whoever looks themselves up.
//
// Choice:  an attacker chooses a person, as in linked_persons.h: how many of the records are one
//          person's is told beside it (person_rows.h).
// Holds:   the journalist's is at most 1 / persons(g), as those who are right are among the people
//          who fit; who looks themselves up is found by at most 1 / |C(x)|, as v(x) ≤ n(x). Both
//          are at most 1/k where each released combination has k persons.
#pragma once

#include "figures/looked_up.h"
#include "figures/person_rows.h"

namespace semveil {

struct LookedUpPersons {
  const LookedUp& tables;
  const PersonRows& originals;  // by class of `original`
  const PersonRows& released;   // by class of `released`
  const PersonRows& control;    // by class of `control`, if there is one
};

std::optional<double> journalist_risk(const LookedUpPersons& tables);
OwnAmongAlike own_among_alike(const LookedUpPersons& tables);

// By class of `classes`: whose records it has, by the pairs of one side. Suppressed ones are left
// out.
PersonRows persons_of_classes(const Paired& pairs, const PersonRows& rows, Side side,
                              const Classes& classes);

}  // namespace semveil
