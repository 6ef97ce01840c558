#include "semveil/ontology.h"

#include "ontology/parts.h"

namespace semveil {

Ontology::Ontology(std::shared_ptr<const OntologyParts> parts) : parts_(std::move(parts)) {}
const OntologyInfo& Ontology::info() const { return parts_->info(); }
Result<std::shared_ptr<const Taxonomy>> Ontology::taxonomy() const { return parts_->taxonomy(); }
Result<std::shared_ptr<const Names>> Ontology::names() const { return parts_->names(); }
Status Ontology::verify() const { return parts_->verify(); }

}  // namespace semveil
