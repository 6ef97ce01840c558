#include "release/person_links.h"

#include <xxhash.h>

#include <map>
#include <vector>

#include "semveil/finding_guide.h"

namespace semveil {

std::uint64_t person_hash(std::string_view person) {
  return XXH3_64bits(person.data(), person.size());
}

void PersonLinks::count(const Seen& seen, int by) {
  if (!seen.repeated) return;
  repeated_ += static_cast<std::uint64_t>(by);
  if (!seen.several) of_one_person_ += static_cast<std::uint64_t>(by);
}

void PersonLinks::add(std::uint64_t released, std::uint64_t person) {
  if (is_full()) return;
  ++records_;
  const auto [at, is_new] = seen_.try_emplace(released, Seen{person, false, false});
  if (is_new) return;
  Seen& seen = at->second;
  count(seen, -1);
  seen.several |= seen.person != person;
  seen.repeated = true;
  count(seen, +1);
}

void PersonLinks::add(const PersonLinks& other) {
  records_ += other.records_;
  for (const auto& [released, theirs] : other.seen_) {
    const auto [at, is_new] = seen_.try_emplace(released, theirs);
    Seen& seen = at->second;
    if (!is_new) {
      count(seen, -1);
      seen.several |= theirs.several || seen.person != theirs.person;
      seen.repeated = true;
    }
    count(seen, +1);
  }
}

void PersonLinks::write(ByteWriter& out) const {
  out.number(records_);
  out.number(seen_.size());
  for (const auto& [released, seen] : std::map(seen_.begin(), seen_.end())) {
    out.number(released);
    out.number(seen.person);
    out.number((seen.repeated ? 1U : 0U) + (seen.several ? 2U : 0U));
  }
}

PersonLinks PersonLinks::read(ByteReader& in) {
  PersonLinks links;
  links.records_ = in.number();
  for (std::size_t left = in.count(3); left > 0; --left) {
    const std::uint64_t released = in.number();
    const std::uint64_t person = in.number();
    const std::uint64_t flags = in.number();
    const auto [at, is_new] =
        links.seen_.try_emplace(released, Seen{person, (flags & 1U) != 0, (flags & 2U) != 0});
    if (is_new) links.count(at->second, +1);
  }
  return links;
}

void FirstPersons::add(std::uint64_t person) {
  persons_.insert(person);
  ++rows_;
}

void FirstPersons::add(const FirstPersons& other) {
  persons_.insert(other.persons_.begin(), other.persons_.end());
  rows_ += other.rows_;
}

void FirstPersons::write(ByteWriter& out) const {
  out.number(rows_);
  const std::vector<std::uint64_t> persons(persons_.begin(), persons_.end());
  out.numbers(std::span(persons));
}

FirstPersons FirstPersons::read(ByteReader& in) {
  FirstPersons out;
  out.rows_ = in.number();
  for (const std::uint64_t person : in.numbers<std::uint64_t>()) out.persons_.insert(person);
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
