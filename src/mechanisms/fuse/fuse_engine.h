// The engine of fusion and recoding (semveil/fuse.h has the algorithms).
#pragma once

#include <vector>

#include "mechanisms/classes/class_table.h"
#include "semveil/fuse.h"

namespace semveil {

struct FuseOutcome {
  struct Step {
    std::uint32_t from = 0, to = 0;  // tuples
    std::uint64_t size = 0, partner_size = 0;
    double similarity = 0;
  };
  std::vector<std::uint32_t> target;  // by tuple: the one it comes out as
  std::vector<Step> steps;            // if traced, in order
};

// kGuarantee where there are fewer than k records, or a demand is missed by all records together.
Result<FuseOutcome> fuse_tuples(const ClassTable& table, const FuseOptions& options,
                                const Key& key);
// Of a table with one column, whose demands do not count.
Result<FuseOutcome> recode_values(const ClassTable& column, const RecodeOptions& options,
                                  const Key& key);

}  // namespace semveil
