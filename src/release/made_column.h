// A column whose ontology is made of its own texts (hierarchy = … of a plan).
#pragma once

#include "release/mapped_column.h"

namespace semveil {

// The made ontology is `joined`, under a name of the column's. Only texts that records have make
// it; others are placed by the rule, as a text is that apply() meets first.
Result<MappedColumn> map_to_made(const ColumnSettings& plan, ColumnTexts texts,
                                 bool missing_is_value, unsigned threads);

// Where the rule places a text; kMissing: it cannot, or the text is known otherwise.
ConceptId placed_by(const AttributeRecipe& plan, const Attribute& attribute, std::string_view text);

}  // namespace semveil
