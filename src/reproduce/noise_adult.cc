#include "reproduce/noise_adult.h"

#include "reproduce/experiment.h"

namespace semveil::reproduction {

Result<std::vector<ReproducedPart>> noise_adult(const ReproduceOptions& options) {
  const bool published = options.part.value_or(1) == 1;
  const bool correlated = options.part.value_or(2) == 2;
  if (correlated) {  // before minutes are spent
    if (Status there = noise_data_is_there(options.data); !there) return fail(there.error());
  }
  std::vector<ReproducedPart> parts;
  if (published) {
    auto part = noise_published(options);
    if (!part) return fail(part.error());
    parts.push_back(*std::move(part));
  }
  if (correlated) {
    auto part = noise_correlated(options);
    if (!part) return fail(part.error());
    parts.push_back(*std::move(part));
  }
  return parts;
}

}  // namespace semveil::reproduction
