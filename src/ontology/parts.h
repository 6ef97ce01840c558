// What an Ontology is made of: finished objects, or sections of a snapshot checked on first use.
#pragma once

#include "semveil/ontology.h"

namespace semveil {

class OntologyParts {
 public:
  virtual ~OntologyParts() = default;
  virtual const OntologyInfo& info() const = 0;
  virtual Result<std::shared_ptr<const Taxonomy>> taxonomy() const = 0;
  virtual Result<std::shared_ptr<const Names>> names() const = 0;
  virtual Status verify() const = 0;
};

}  // namespace semveil
