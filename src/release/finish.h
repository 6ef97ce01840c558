// Whether a release may be used: what was promised, looked at when all of it was masked.
#pragma once

#include "release/model.h"
#include "release/outcome_counts.h"
#include "release/row_links.h"

namespace semveil {

// That all values were dealt out, and what classes must have. `table`: its name.
Status verify_counts(const Model::Impl& model, const FittedSteps& plan, const OutcomeCounts& counts,
                     const std::string& table);

Error not_the_fitted_table(const std::string& table);
// Classes and dealt values are those of the fitted table, and this is another one.
Error other_frequencies(const Model::Impl& model, const std::string& table);
// A table that a model was not fitted on must not share the errors of the one it was fitted on.
Error unnamed_release();

LinkedRows linked_rows(const Model::Impl& model, const OutcomeCounts& counts);

}  // namespace semveil
