#include "release/person_links.h"

#include "semveil/finding_guide.h"

namespace semveil {

void PersonLinks::add(std::uint64_t released, std::uint64_t person) {
  if (is_full()) return;
  ++records_;
  const auto [at, is_new] = seen_.try_emplace(released, Seen{person, false, false});
  if (is_new) return;
  at->second.repeated = true;
  at->second.several = at->second.several || at->second.person != person;
}

std::uint64_t PersonLinks::repeated() const {
  std::uint64_t out = 0;
  for (const auto& [released, seen] : seen_) out += seen.repeated ? 1 : 0;
  return out;
}

std::uint64_t PersonLinks::of_one_person() const {
  std::uint64_t out = 0;
  for (const auto& [released, seen] : seen_) out += seen.repeated && !seen.several ? 1 : 0;
  return out;
}

std::optional<Finding> find_person_links(const PersonLinks& links, const std::string& draw_by) {
  const std::uint64_t repeated = links.repeated(), own = links.of_one_person();
  if (own == 0) return std::nullopt;
  return make_finding(
      "draw-by-links-records", Severity::kWarning, {draw_by},
      {{"repeated", static_cast<double>(repeated)}, {"of_one_person", static_cast<double>(own)}});
}

}  // namespace semveil
