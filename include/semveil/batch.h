// One batch of a table in memory, masked on its own: Model::mask.
//
// A row is masked as apply() would mask it at its place in the whole table, so the caller says
// which place that is. What is promised of a whole table is NOT verified here: whether the batches
// are those of the fitted table, whether classes have k records, whether all values were dealt out.
// Whatever looks tuples up (fuse, recode, generalize, microaggregate) or deals values out (the
// swaps) must not leave the house before finish() (parts.h) has verified it over all batches
// together. Sets are verified batch by batch.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "semveil/arrow_c.h"
#include "semveil/parts.h"

namespace [[gnu::visibility("default")]] semveil {

// How often each combination of values occurs in some batches: what a batch behind them must know
// of them where values are dealt out. As secret as the table.
class Occurrences {
 public:
  Occurrences();
  ~Occurrences();
  Occurrences(const Occurrences&) = delete;
  Occurrences& operator=(const Occurrences&) = delete;
  Occurrences(Occurrences&&) noexcept;
  Occurrences& operator=(Occurrences&&) noexcept;
  Status add(const Occurrences& other);  // of the same model
  // Version and checksum come first.
  std::string to_bytes() const;
  static Result<Occurrences> from_bytes(std::string_view bytes);

  class Impl;
  Impl& impl() { return *impl_; }
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

struct BatchOptions {
  std::uint64_t first_row = 0;  // the row of the whole table that the batch begins with
  std::string release;          // empty: the plan's
  // The batch is part of the table that the model was fitted on: only then need the release no name
  // of its own. Nothing here can see whether that is so; two tables that share their errors tell
  // them to anybody who has both.
  bool fitted = false;
  // What else the summary describes together with the masked columns: Survey::described_columns().
  // Nothing: the masked columns alone.
  std::optional<std::vector<std::string>> described;
  // Of all batches before this one; swaps need it. Null: there are none.
  const Occurrences* before = nullptr;
};

}  // namespace semveil
