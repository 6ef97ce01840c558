#include "figures/person_rows.h"

#include <map>

namespace semveil {

PersonRows PersonRows::count(std::vector<std::uint64_t> rows, std::size_t things) {
  std::ranges::sort(rows);
  PersonRows out;
  out.begin.reserve(things + 1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i > 0 && rows[i] == rows[i - 1]) {
      ++out.entries.back().rows;
      continue;
    }
    out.begin.resize(PersonPairs::tuple_of(rows[i]) + std::size_t{1}, out.entries.size());
    out.entries.push_back({PersonPairs::person_of(rows[i]), 1});
  }
  out.begin.resize(things + 1, out.entries.size());
  return out;
}

PersonRows PersonRows::moved(std::span<const std::uint32_t> to, std::size_t others) const {
  struct Moved {
    std::uint64_t pair, rows;
  };
  std::vector<Moved> all;
  for (std::size_t thing = 0; thing < things(); ++thing) {
    if (to[thing] == kGone) continue;
    for (const Entry& entry : of(thing)) {
      all.push_back({PersonPairs::pair_of(to[thing], entry.person), entry.rows});
    }
  }
  std::ranges::sort(all, {}, &Moved::pair);
  PersonRows out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0 && all[i].pair == all[i - 1].pair) {
      out.entries.back().rows += all[i].rows;
      continue;
    }
    out.begin.resize(PersonPairs::tuple_of(all[i].pair) + std::size_t{1}, out.entries.size());
    out.entries.push_back({PersonPairs::person_of(all[i].pair), all[i].rows});
  }
  out.begin.resize(others + 1, out.entries.size());
  return out;
}

PersonPairs PersonRows::pairs() const {
  PersonPairs out;
  for (std::size_t thing = 0; thing < things(); ++thing) {
    for (const Entry& entry : of(thing)) {
      out.add(static_cast<std::uint32_t>(thing), entry.person);
    }
  }
  out.settle();
  return out;
}

std::uint64_t PersonRows::persons() const {
  std::vector<std::uint32_t> all;
  for (const Entry& entry : entries) all.push_back(entry.person);
  std::ranges::sort(all);
  return static_cast<std::uint64_t>(std::unique(all.begin(), all.end()) - all.begin());
}

std::uint32_t PersonRows::greatest() const {
  std::uint32_t most = 0;
  for (const Entry& entry : entries) most = std::max(most, entry.person);
  return most;
}

double PersonRows::greatest_share() const {
  double greatest = 0;
  for (std::size_t thing = 0; thing < things(); ++thing) {
    std::uint64_t most = 0, all = 0;
    for (const Entry& entry : of(thing)) {
      most = std::max(most, entry.rows);
      all += entry.rows;
    }
    if (all == 0) continue;
    greatest = std::max(greatest, static_cast<double>(most) / static_cast<double>(all));
  }
  return greatest;
}

double PersonScores::mean() const {
  double sum = 0;
  std::uint64_t persons = 0;
  for (const double score : scores_) {
    if (score < 0) continue;
    sum += score;
    ++persons;
  }
  return persons == 0 ? 0 : sum / static_cast<double>(persons);
}

PersonRows persons_over(const Paired& all, const PersonRows& rows,
                        std::span<const std::size_t> columns, const Paired& some) {
  std::map<std::vector<ConceptId>, std::uint32_t> place;
  const auto both = [](std::span<const ConceptId> before, std::span<const ConceptId> after) {
    std::vector<ConceptId> out(before.begin(), before.end());
    out.insert(out.end(), after.begin(), after.end());
    return out;
  };
  for (std::uint32_t i = 0; i < some.size(); ++i) {
    place.emplace(both(some.tuple(i, Side::kBefore), some.tuple(i, Side::kAfter)), i);
  }
  std::vector<std::uint32_t> to;
  std::vector<ConceptId> before(columns.size()), after(columns.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      before[j] = all.tuple(i, Side::kBefore)[columns[j]];
      after[j] = all.tuple(i, Side::kAfter)[columns[j]];
    }
    const auto found = place.find(both(before, after));
    to.push_back(found == place.end() ? PersonRows::kGone : found->second);
  }
  return rows.moved(to, some.size());
}

}  // namespace semveil
