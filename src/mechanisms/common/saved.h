// Concepts in saved plans: by their source's id, which a rebuilt domain understands; null stands
// for missing.
#pragma once

#include <initializer_list>
#include <stdexcept>

#include "base/saved_json.h"
#include "semveil/mechanism.h"

namespace semveil {

using Json = SavedJson;

Json saved_id(const Attribute& attribute, ConceptId c);

// Whether a list is one of a column's values: ascending, each once, missing_value() only where it
// is a value, never the virtual root.
bool are_values(const Attribute& attribute, const std::vector<ConceptId>& values);

// What must hold of a saved plan: throws std::out_of_range, for read_saved.
inline void demand(bool sound) {
  if (!sound) throw std::out_of_range("saved plan");
}

// A saved plan whose columns are of a kind that its method does not mask is damaged.
Status refuse_kinds(const std::vector<std::shared_ptr<const Attribute>>& attributes,
                    std::initializer_list<Attribute::Kind> kinds);

class SavedIds {  // the way back
 public:
  explicit SavedIds(const Attribute& attribute);
  // missing_value() for null; throws std::out_of_range for ids that the domain does not have.
  ConceptId concept_of(const Json& id) const;

 private:
  const Attribute& attribute_;
  std::vector<ConceptId> by_rank_;
};

// Calls read() and turns what a damaged file makes it throw into an error.
template <class Read>
auto read_saved(const Read& read) -> Result<decltype(read())> {
  try {
    return read();
  } catch (const nlohmann::json::exception&) {
  } catch (const std::out_of_range&) {
  }
  return fail(data_error("the saved plan is damaged or belongs to another ontology: fit it anew"));
}

}  // namespace semveil
