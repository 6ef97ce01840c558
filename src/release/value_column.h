// A column whose unit is the value: each value may mean several concepts, in one ontology or in
// several.
//
//   value       wordnet                    Two values are as far apart as their closest senses,
//   dollar      13395897-n 13658027-n …    in the ontology where they are closest
//   money       13384877-n …               (measures/value_measure.h). Values that mean the same
//   clams       13384877-n …               concepts are one unit.
//
// The units form an ontology of their own, whose ids are the ids of their senses joined by +.
// Everything that works with distances alone takes it as it takes any other: swap, fuse, recode,
// and audit. Where one concept per value is needed all the same (a mean, how general a value is),
// a column with one ontology has it beside: Attribute::resolved. A unit lies above another where
// its resolved concept does. With several ontologies no concept stands for a value: there the units
// have no order, and a mean is one of them.
//
// Paper:  master thesis §3, and its clustering with several ontologies.
// Choice: in each ontology distances are counted below the root that the plan names, else below the
//         LCS of all the senses that the column has there. Several ontologies with senses =
//         "first": only the first sense in each counts.
// Cost:   memory for the senses alone; distances are computed when they are asked for.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "release/mapped_column.h"

namespace semveil {

// By ontology: the senses of a text, as a set of ids of that ontology.
using Meaning = std::vector<std::vector<ConceptId>>;

struct ValueUnit {
  std::string id;                     // the ids of all senses
  std::string label;                  // to show; the column's own texts are no names
  Meaning meaning;                    // empty for a unit that no value has
  std::optional<ConceptId> resolved;  // one ontology: the concept it is settled on
};

struct ValueUnits {
  // What one of the column's ontologies says.
  struct Base {
    AttributeRecipe plan;
    Ontology ontology;
    TextMapping mapping;
    ConceptSpace space;  // nothing where no value has a sense there
  };
  std::vector<Base> bases;
  std::vector<ValueUnit> units;  // ascending by id
  // Of one ontology: the column as concepts.
  struct Concepts {
    AttributeRecipe plan;
    std::shared_ptr<const Attribute> attribute;
  };
  std::optional<Concepts> concepts;
  std::vector<ConceptId> concept_of;          // by unit: what it is in the joined ontology
  std::map<Meaning, std::size_t> of_meaning;  // units that values have

  // The unit with the same meaning as a text that was not in the column; kMissing: none.
  ConceptId find(std::string_view text) const;
};

// A column with one ontology, mapped to concepts, by value instead. `base`: what `column.plan` was
// before its attribute was made; `further`: texts without a say in the domain, which are units,
// too.
Result<MappedColumn> by_value(MappedColumn column, AttributeRecipe base, const Ontology& ontology,
                              const std::vector<std::string>& further);

// A column that several ontologies serve together.
Result<MappedColumn> map_to_several(const ColumnSettings& plan, const Ontologies& ontologies,
                                    ColumnTexts texts, bool missing_is_value, unsigned threads);

// Finds what follows from `units`: their places in the joined ontology. What a model file is read
// back into; false: the two do not belong together.
bool find_places(const Ontology& joined, ValueUnits& values);
// The attribute over the units.
Result<std::shared_ptr<const Attribute>> make_unit_attribute(const AttributeRecipe& plan,
                                                             const Ontology& joined);

}  // namespace semveil
