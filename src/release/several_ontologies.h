// A column that several ontologies serve together.
//
//   value       disease      wordnet                 A pair of values is as far apart as in the
//   diabetes    DOID:9351    14117805-n              ontology where it is closest, over all senses
//   cat         -            02121620-n, …           there; a pair that none knows together lies at
//   influenza   DOID:8469    14122235-n              distance 1.
//
// No concept stands for a value any more, so the unit is the value itself: values that mean the
// same concepts everywhere are one unit. The units form an ontology of their own, without any
// links, whose ids are the concepts' ids joined by +, and whose distances are a matrix; everything
// that works with distances alone takes it as it takes any other. A mean is then one of the values.
//
// Paper:  master thesis, clustering with several ontologies.
// Choice: in each ontology distances are counted below the LCS of all the senses that the column
//         has there. With senses = "first" only the first sense in each ontology counts.
// Cost:   one row of distances per sense and ontology; memory 8 · units² bytes, at most 5,000
// units.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "release/mapped_column.h"

namespace semveil {

// What `values` mean; the column's own ontology is then MappedColumn::joined.
Result<MappedColumn> map_to_several(const ColumnPlan& plan, const Ontologies& ontologies,
                                    std::vector<std::pair<std::string, std::uint64_t>> values,
                                    bool missing_is_value, unsigned threads);

// What the column's own ontology is called: two columns never share one.
std::string joined_name(const ColumnPlan& plan);

// The attribute over units: what a model file is read back into.
Result<std::shared_ptr<const Attribute>> make_unit_attribute(const AttributePlan& plan,
                                                             const Ontology& joined);

}  // namespace semveil
