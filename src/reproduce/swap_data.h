// Public tables with three columns that go together, as concepts.
#pragma once

#include "reproduce/public_data.h"

namespace semveil::reproduction {

struct SwapSample {
  std::string title;
  std::vector<std::string> notes;  // where they come from, and how much of it could be mapped
  Records records;                 // three columns; the first two stand alone as well
};

std::span<const DataFile> swap_files();

// Many categories: animals as people typed them, one after another.
Result<SwapSample> named_animals(const ReproduceOptions& options);
// The same where no category is frequent: what the paper's Dataset1 has and the others have not.
Result<SwapSample> rare_animals(const ReproduceOptions& options);
// The animals of named_animals(), each with two others that belong to it alone, however far from
// it: what goes together are single values, not classes of them.
Result<SwapSample> paired_animals(const ReproduceOptions& options);
// Some categories: the diseases of a patient, in the order in which they were found.
Result<SwapSample> found_diseases(const ReproduceOptions& options);
// Few categories and hardly a unique record: relationship, marital status, occupation.
Result<SwapSample> adult_families(const ReproduceOptions& options);

}  // namespace semveil::reproduction
