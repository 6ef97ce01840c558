// Verifies what methods that form classes promise: classes are counted anew from the codes that
// are written, against what the plan asks for. What a class has is computed by the same functions
// that describe a table (privacy.h); nothing that the method itself counted is believed.
#pragma once

#include <unordered_map>

#include "release/outcome.h"
#include "semveil/classes.h"

namespace semveil {

class Guard {
 public:
  // All must outlive it.
  Guard(const Model::Impl& model, const Plan& plan, const ReadColumns& columns);

  void add(const ReleasedBatch& released);
  // kGuarantee if a class is too small or misses a demand, if too many records are suppressed, or
  // so few that their sensitive cells tell who they are.
  Status verify() const;

 private:
  struct Sensitive {                       // a column of which something is demanded
    std::unordered_map<Code, Code> codes;  // of values, in the order they came
    std::vector<ConceptId> values;         // by code; kMissing: means nothing
    std::vector<std::uint64_t> whole;      // records by code
  };
  Code code_of(std::size_t demanded, Code text);
  Status verify_suppressed() const;
  Status verify_columns() const;  // recode: each on its own

  const Model::Impl& model_;
  const ClassFit& fit_;
  const ReadColumns& columns_;
  std::uint64_t k_ = 0;
  std::uint64_t records_ = 0, suppressed_records_ = 0;
  // Masked columns, then those of which something is demanded.
  TupleCounter released_, suppressed_;
  std::vector<Sensitive> sensitive_;
};

}  // namespace semveil
