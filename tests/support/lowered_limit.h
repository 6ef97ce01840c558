// While it lives, a draft takes no more than a few bytes: so a test can fill one.
#pragma once

#include "ontology/draft.h"

namespace semveil {

class LoweredLimit {
 public:
  explicit LoweredLimit(std::size_t bytes) { OntologyDraft::limit_ = bytes; }
  ~LoweredLimit() { OntologyDraft::limit_ = usual_; }
  LoweredLimit(const LoweredLimit&) = delete;
  LoweredLimit& operator=(const LoweredLimit&) = delete;

 private:
  std::size_t usual_ = OntologyDraft::limit_;
};

}  // namespace semveil
