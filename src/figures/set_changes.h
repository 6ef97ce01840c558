// What sets kept of the meaning of the values that are in them.
//
//   D(i)            Σ_{v ∈ S_i} sd(x_i, v) / l      of a set from its true value
//   mean distance   Σ_i D(i) / n
//   meaning kept    1 − mean distance
//   rmse            √(Σ_i Σ_{v ∈ S_i} sd(x_i, v)² / (l n))
//
// Who reads a set takes each of its values as likely: Flu released as {Flu, Fracture, Gout} keeps a
// third of its meaning, and what the other two are like. A set of mere texts keeps 1/l.
//
// Choice:  A cell missing before and after takes no part; one missing on one side is at distance 1.
// Cost:    O(records · l) distances.
#pragma once

#include "figures/set_attacks.h"
#include "semveil/audit_figures.h"
#include "semveil/frequency_table.h"

namespace semveil {

// Fills rmse, mean_distance and semantic_quality; no records leave them empty.
void audit_set_changes(const ReleasedSets& sets, const Attribute& attribute, AuditedColumn& out);

}  // namespace semveil
