// What the experiments share: where they are found, and words for their tables.
#pragma once

#include <functional>

#include "semveil/reproduce.h"

namespace semveil::reproduction {

// Told after every run of a mechanism.
class Runs {
 public:
  Runs(const WorkOptions& work, std::string what, std::uint64_t all)
      : work_(work), what_(std::move(what)), all_(all) {}
  void done() {
    if (work_.progress) work_.progress(what_, ++done_, all_);
  }

 private:
  const WorkOptions& work_;
  std::string what_;
  std::uint64_t done_ = 0, all_;
};

Result<std::vector<ReproducedPart>> noise_adult(const ReproduceOptions& options);
Result<std::vector<ReproducedPart>> swap(const ReproduceOptions& options);
Result<std::vector<ReproducedPart>> fuse(const ReproduceOptions& options);
Result<std::vector<ReproducedPart>> similarity(const ReproduceOptions& options);
Result<std::vector<ReproducedPart>> ean(const ReproduceOptions& options);

}  // namespace semveil::reproduction
