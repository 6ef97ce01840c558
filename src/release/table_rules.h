// Which tables a model may mask under which name.
//
// Errors must never be shared by two releases, so a table that the model was not fitted on needs a
// name of its own. Values that are dealt out need the very records they were counted on, and
// classes are those of the whole table.
#pragma once

#include "release/read_columns.h"
#include "semveil/release.h"

namespace semveil {

struct AskedRelease {
  const Model::Impl& model;
  const std::string& release;  // its name
  const Table& table;
  const Survey::Impl* survey;  // of the table, or null
  const ApplyOptions& options;
};
// `columns`: found in the table. May read it.
Status check_table(const AskedRelease& asked, ReadColumns& columns);

// Of a batch nobody knows here which table it belongs to; the caller does. `fitted`: the table that
// the model was fitted on.
Status check_part(const Model::Impl& model, const std::string& release, bool fitted);

}  // namespace semveil
