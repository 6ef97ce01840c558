// A fitted model and a release, as the module's functions hand them to each other.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "semveil/memory_table.h"
#include "semveil/release.h"
#include "semveil/release_findings.h"

namespace semveil::python {

struct FittedModelOf {  // immutable
  std::shared_ptr<const Model> model;
  KeyOrigin key = KeyOrigin::kModel;
  std::vector<std::string> ontologies = {};  // "disease: doid.obo"
};

struct Release {  // immutable
  MaskResult result;
  ReleaseFacts facts;
  std::shared_ptr<const MemoryOutput> memory;  // null: it went to a file
  std::vector<std::uint64_t> rows;             // by row of the release: of the table
  FittedModelOf fitted;
};

}  // namespace semveil::python
