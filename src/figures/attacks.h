// What somebody gains from a release who tries the three ways of re-identification that European
// law names: singling out, linking two sources, inferring what was not known.
//
// Every attack scores whole tie sets: a guess among t equals is right by 1/t. On words distances
// tie all the time; picking the first of the tied makes a table of words look safe that is not.
// Each has a value that an unmasked release must score, and scores about nothing on columns that
// were shuffled independently:
//
//                  unmasked                                   shuffled
//   linkability    distinct tuples / records                  at most 1 / records
//   inference      Σ over classes and secrets s of            Σ p(s)², which is the baseline
//                  |s in class|² / |class|, / records
// (shuffled: the expectation, exactly, over all shuffles). Singling out needs no pairs, and has a
// file of its own (singling_out.h).
//
// A control, other records of the population in the same attributes, goes through the same attack:
// what is also learned of somebody who is not in the table is not the release's fault. Risk and
// intervals: attack_figures.h.
//
// Paper:   Article 29 Working Party, Opinion 05/2014; Giomi et al. 2023, "A unified framework for
//          quantifying privacy risk in synthetic data", for rate, control and risk. Their attacks
//          pick one of the tied; ours use all ties.
// Cost:    tuple_distances.h, on distinct tuples. Linkability keeps a bit for every pair of an
//          original and a released half.
#pragma once

#include "figures/paired.h"
#include "figures/person_rows.h"
#include "semveil/audit_figures.h"

namespace semveil {

// Two sources hold one half of a record each: the 1st, 3rd, 5th … column and the 2nd, 4th ….
// Released records nearest to one half, T_A, and nearest to the other, T_B, are looked up.
//
//   score(x)  share of the originals like x whose released record is in T_A ∩ T_B, / |T_A ∩ T_B|;
//             0 if no original is like x
//   rate      mean score of the originals; control: of the control, whose records are not in the
//             release, so that only links to somebody exactly like them count
//   baseline  1 / records
// Nothing of fewer than two columns.
// `persons`: by pair; null: every record is somebody's only one. Then a link is right if it hits
// any record of the person, a person's score is the greatest over their records, and rate and
// baseline are means over persons. A control is always of records.
std::optional<Attack> linkability(const Paired& pairs, const Classes* control, unsigned threads,
                                  const PersonRows* persons = nullptr);

// The last column is the secret, the others are known: it is guessed by its shares among the
// released records nearest in the others.
//
//   rate      mean share of the true value; control: of the control's
//   baseline  Σ p(s)² over the original's secrets: guessing by their shares in all records
// A missing secret is a value like others.
Attack inference(const Paired& pairs, const Classes* control, unsigned threads,
                 const PersonRows* persons = nullptr);

}  // namespace semveil
