// Which values of a sensitive column tell the same kind of thing (categories), and which are
// equally grave (levels): what an attacker who cannot tell a value may still tell of it.
//
// Both files have the form of docs/formats/categories.md. A text that never occurs may be listed;
// every value of the original must be in exactly one line.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "figures/secrets_in_classes.h"
#include "mechanisms/sets/categories.h"
#include "release/mapped_column.h"
#include "semveil/plan_file.h"

namespace semveil {

struct GroupFiles {
  std::vector<CategoryLine> categories, levels;
  std::vector<std::string> texts() const;  // of both, each once
};
Result<GroupFiles> read_group_files(const ColumnSettings& column);

// What is known of the column whose values are to be grouped.
struct GroupedColumn {
  const PlanFile& plan;
  const ColumnSettings& column;
  const Ontologies& ontologies;
  FrequencyColumn original;  // the values that occur before masking
  // What each text of the tables and of the files means; values beyond the attribute's are none.
  std::vector<std::pair<std::string, ConceptId>> meant;
  bool is_set = false;  // then its categories are those that the sets were made of
};
Result<SecretGroups> secret_groups(const GroupFiles& files, const GroupedColumn& column);

}  // namespace semveil
