#include "release/person_links.h"

#include "semveil/finding_guide.h"

namespace semveil {

void PersonLinks::add(std::uint64_t released, std::uint64_t person) {
  if (is_full()) return;
  ++records_;
  const auto [at, is_new] = seen_.try_emplace(released, Seen{person, false, false});
  if (is_new) return;
  Seen& seen = at->second;
  const bool is_anothers = seen.person != person;
  if (!seen.repeated) {
    ++repeated_;
    of_one_person_ += is_anothers ? 0 : 1;
  } else if (!seen.several && is_anothers) {
    --of_one_person_;
  }
  seen.repeated = true;
  seen.several = seen.several || is_anothers;
}

std::optional<Finding> find_person_links(const PersonLinks& links, const std::string& draw_by) {
  const std::uint64_t repeated = links.repeated(), own = links.of_one_person();
  if (own == 0) return std::nullopt;
  return make_finding(
      "draw-by-links-records", Severity::kWarning, {draw_by},
      {{"repeated", static_cast<double>(repeated)}, {"of_one_person", static_cast<double>(own)}});
}

}  // namespace semveil
