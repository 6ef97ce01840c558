// A column of a model: what its texts mean, and how its values are written.
#pragma once

#include <map>
#include <string>

#include "mapping/name_texts.h"
#include "release/mapped_column.h"
#include "release/spelling.h"
#include "release/survey.h"

namespace semveil {

struct ModelColumn {
  AttributeRecipe plan;
  std::shared_ptr<const Attribute> attribute;
  // Of numbers that any number is moved to one of: then a number that the fit did not see is
  // attribute->size() + 1 + the place of the nearest of these. Null: there are no such.
  std::shared_ptr<const Attribute> numbers_released;
  TextMapping mapping;               // nominal
  std::optional<Ontology> ontology;  // nominal, its values concepts
  struct Known {
    ConceptId concept_id = kMissing;  // of the domain; kMissing: not mapped
    std::uint64_t count = 0;
    bool is_mapped = true;  // else the concept is what stands for texts that mean nothing
  };
  std::map<std::string, Known, std::less<>> texts;  // that the fit saw
  WriteAs write = WriteAs::kLabel;
  bool trims = false;  // texts without the blanks around them: those of sets
  std::optional<Spelling> spelling;

  // How most of the fitted cells write ids; nothing where they are no ids.
  std::optional<IdForm> id_form(const OntologyInfo& info) const;
  // A text the fit did not see: what it would have meant had it been there, with nothing else
  // changed by it. kMissing where that lies outside the domain, or is no unit of a column by value.
  ConceptId map(std::string_view text) const;
  // Of a cell as map() gives it.
  std::string_view id(ConceptId cell) const;

 private:
  ConceptId place_beyond(double number) const;
  std::shared_ptr<Lazy<std::optional<SenseChoice>>> choice_ =
      std::make_shared<Lazy<std::optional<SenseChoice>>>();
};

struct ColumnWriting {
  bool invents_concepts = false;  // the method releases what the data do not have
  bool trims = false;             // texts of sets
};
// As a survey found it; its ontologies are open.
ModelColumn model_column(const SurveyColumn& from, const ColumnWriting& writing,
                         const Ontologies& ontologies);

struct SpellingRules {
  const std::vector<std::string>& missing_values;
  bool of_sets = false;
};
// Decides how each value of `released` is written. `info`: of the column's ontology, where it has
// one of its own in `column.ontology`; else of the units.
void spell(ModelColumn& column, const Attribute& released, const SpellingRules& rules,
           const OntologyInfo* info = nullptr);

// For recodings that work on concepts.
std::shared_ptr<const ColumnMeaning> column_meaning(std::shared_ptr<const ModelColumn> column);

}  // namespace semveil
