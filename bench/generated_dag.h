// A generated ontology of SNOMED CT's size and shape: one root, about a third of the concepts with
// several parents, some twenty ancestors each. The same for every run.
#pragma once

#include <cstdint>
#include <string>

#include "ontology/draft.h"

namespace semveil::bench {

inline std::uint64_t next_random(std::uint64_t& state) {  // splitmix64
  state += 0x9e3779b97f4a7c15U;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

inline OntologyDraft generated_dag(std::uint32_t concepts) {
  OntologyDraft draft;
  draft.info.format = "generated";
  std::uint64_t state = 1;
  for (std::uint32_t c = 0; c < concepts; ++c) {
    draft.add_concept(std::to_string(100000000U + (c * 7919U) % 800000000U));
    draft.add_term(c, TermKind::kLabel, "finding number " + std::to_string(c));
    draft.add_term(c, TermKind::kExactSynonym, "disorder " + std::to_string(c) + " of the body");
    if (c == 0) continue;
    // The first parent lies anywhere in the recent past on a growing scale, so depth grows like
    // a logarithm; more parents are near relatives of it, as in real terminologies.
    const auto first =
        static_cast<std::uint32_t>(next_random(state) % ((c + 5) / 6 + c / 3 + 1)) % c;
    draft.add_link(c, first);
    const bool several = next_random(state) % 100 < 35;
    const std::uint64_t more = several ? 1 + next_random(state) % 2 : 0;
    for (std::uint64_t i = 0; i < more; ++i) {
      draft.add_link(c, static_cast<std::uint32_t>(next_random(state) % (first + 1)));
    }
  }
  return draft;
}

}  // namespace semveil::bench
