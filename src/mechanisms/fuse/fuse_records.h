// Fusion by the thesis's own random baseline: the first tuple in alphabetical order that lacks
// something takes the tuple of a random record.
//
//   records   ale, ale, bun, fig, fig, fig, tea, k = 3
//   step 1    ale (2 records) takes the tuple of one of the other 5 records: fig with 3/5
//   step 2    bun (1) takes that of one of the other 6: fig with 5/6, tea with 1/6
//   step 3    tea, if nobody came to it, takes fig: no other is left
//
// Unlike `random`, whose two tuples are uniform over tuples: a large group is drawn as often as it
// has records, so that most of what is rare goes to what is frequent.
//
// Paper:   k-anonymous fusion, section 4.4 ("changes each sensible record by a random one from the
//          same dataset … records are ordered alphabetically, in order to avoid depending on the
//          initial order of data"), and its first forerunner, section 4.
// Choices: alphabetical by the bytes of the labels, numbers by their digits, column by column; a
//          missing cell first; equal texts by ascending tuple. All records of a tuple go together,
//          as everywhere in fusion. A choice among one record draws nothing.
// Cost:    O(log tuples) a step after sorting.
#pragma once

#include "mechanisms/common/random_choices.h"
#include "mechanisms/fuse/fuse_groups.h"

namespace semveil {

void fuse_by_record(const ClassTable& table, FuseGroups& groups, const FuseSearch& search,
                    RandomChoices& random);

}  // namespace semveil
