// A finding's guide with the words of its sentence, in lists by what raises it.
#pragma once

#include "figures/finding_facts.h"
#include "semveil/finding_guide.h"

namespace semveil::finding {

struct Entry {
  FindingGuide guide;
  std::string (*words)(const Facts&);
};
inline constexpr bool kLimit = true;

std::span<const Entry> audit_entries();    // finding_guide.cc: of audits
std::span<const Entry> release_entries();  // release_guide.cc: of mask, fit and apply
std::span<const Entry> work_entries();     // work_guide.cc: of describe, map, compare and advise

}  // namespace semveil::finding
