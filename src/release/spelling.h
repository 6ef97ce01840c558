// How the concepts of a released column are written: one spelling each, so that none tells what was
// left alone, and so that each can be mapped back without doubt.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "release/id_form.h"
#include "semveil/frequency_table.h"
#include "semveil/mapping.h"
#include "semveil/ontology.h"
#include "semveil/plan_file.h"

namespace semveil {

class Spelling {
 public:
  // `label`: the preferred label. Where it would not be read back as its concept alone, the id
  // follows in brackets: the ontology's names leave open which concept it means (inside the domain
  // if `root_was_named`, else anywhere), the user's decisions give it to another, it stands for a
  // missing value, or another concept has it as its spelling in the data.
  // `data`: what `in_data` says, labels for the rest.
  // `form`: that of the column's ids, where most of its cells are ids. `id` and `data` then write
  // every concept's id in it, if `mapper` reads it back as that concept; of IRIs the label is
  // written where it does not.
  Spelling(const Attribute& attribute, const OntologyInfo& info, WriteAs write, bool root_was_named,
           const MappingFile* decisions, const std::vector<std::string>& missing_values,
           const std::map<ConceptId, std::string>& in_data, const Mapper* mapper = nullptr,
           const std::optional<IdForm>& form = std::nullopt);
  // Of numbers: as the data have them, else their digits.
  Spelling(const Attribute& numeric, const std::map<ConceptId, std::string>& in_data);
  // Texts may point into what was made here: it may move, but not be copied.
  Spelling(const Spelling&) = delete;
  Spelling& operator=(const Spelling&) = delete;
  Spelling(Spelling&&) = default;
  Spelling& operator=(Spelling&&) = delete;
  ~Spelling() = default;

  // By concept of the domain; the virtual root is "*".
  const std::vector<std::string_view>& texts() const { return texts_; }

 private:
  std::vector<std::string_view> texts_;
  std::deque<std::string> made_;
};

}  // namespace semveil
