// Tables before and after some masking, made from a seed.
#pragma once

#include "figures/paired.h"
#include "support/generated_table.h"

namespace semveil::test {

// Two columns of one domain; half of the pairs are changed, in one column or both, and some cells
// are missing. Some pairs stand there twice.
inline Paired generated_pairs(const TwinDomain& domain, std::size_t pairs, std::uint64_t seed) {
  Random random(seed);
  Paired out;
  out.attributes = {make_attribute("a", domain, {"wu-palmer"}),
                    make_attribute("b", domain, {"wu-palmer"})};
  const Taxonomy& taxonomy = *domain.domain->taxonomy();
  const std::size_t first = taxonomy.has_virtual_root() ? 1 : 0;
  const auto any = [&] {
    if (random.one_in(12)) return out.attributes[0]->missing_value();
    const std::size_t few = std::min<std::size_t>(taxonomy.size() - first, 6);
    return static_cast<ConceptId>(taxonomy.size() - 1 - random.below(few));
  };
  for (std::size_t i = 0; i < pairs; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      out.before.push_back(any());
      out.after.push_back(random.one_in(3) ? any() : out.before.back());
    }
    out.counts.push_back(1 + random.below(4));
  }
  return out;
}

}  // namespace semveil::test
