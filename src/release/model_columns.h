// A column of a model as its file has it (docs/formats/model.md).
#pragma once

#include "mechanisms/common/saved.h"
#include "release/model.h"

namespace semveil {

Json saved_column(const ModelColumn& column);
// The model's ontologies are open. What is not as saved_column() wrote it throws, as `saved.h`
// says.
struct SavedColumnRules {  // by the step that masks it
  bool looked_up = false;  // what means nothing may stand for missing
  bool of_sets = false;
};
Result<ModelColumn> read_saved_column(const Json& json, const Model::Impl& model,
                                      const SavedColumnRules& rules);

}  // namespace semveil
