// Parts of a table masked on their own: the second pass over one batch.
#pragma once

#include <vector>

#include "base/tuple_counter.h"
#include "release/model.h"
#include "semveil/batch.h"

namespace semveil {

class Occurrences::Impl {
 public:
  // By step that deals values out: of values of its columns. Empty: none yet.
  std::vector<TupleCounter> steps;
};

// release/apply.cc. Masks a table that is part of another; nothing that is promised of the whole is
// verified. `options` names an output in memory.
Result<OutcomePart> mask_part(const Model::Impl& model, const Table& table,
                              const ApplyOptions& options, const BatchOptions& part);
// By step that deals values out: the values of all records together, as they are dealt.
Result<std::vector<TupleCounter>> count_tuples(const Model::Impl& model, const Table& table);

}  // namespace semveil
