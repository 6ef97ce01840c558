#include "mechanisms/fuse/fuse_groups.h"

#include <algorithm>
#include <numeric>

namespace semveil {

std::size_t AscendingList::place(std::uint32_t number) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(list_, number) - list_.begin());
}

void AscendingList::insert(std::uint32_t number) {
  list_.insert(std::ranges::lower_bound(list_, number), number);
}

void AscendingList::erase(std::uint32_t number) {
  list_.erase(std::ranges::lower_bound(list_, number));
}

FuseGroups::FuseGroups(const ClassTable& table, std::uint64_t k, const Demands* demands,
                       bool traced, FuseSearch& search)
    : k_(k), demands_(demands), traced_(traced), search_(search) {
  outcome_.target.resize(table.size());
  std::iota(outcome_.target.begin(), outcome_.target.end(), 0);
  for (std::uint32_t t = 0; t < table.size(); ++t) {
    if (table.persons.are_told()) persons_.emplace_back(table.persons.of(t));
    if (demands_) sensitive_.push_back(demands_->of(t));
    if (lacks(t)) lacking_[size_of(t)].insert(t);
  }
}

bool FuseGroups::lacks(std::uint32_t tuple) const {
  return size_of(tuple) < k_ || (demands_ && !demands_->met(sensitive_[tuple]));
}

void FuseGroups::erase_lacking(std::uint32_t tuple) {
  const auto of_size = lacking_.find(size_of(tuple));
  if (of_size == lacking_.end()) return;
  const std::size_t place = of_size->second.place(tuple);
  if (place == of_size->second.size() || of_size->second[place] != tuple) return;
  of_size->second.erase(tuple);
  if (of_size->second.empty()) lacking_.erase(of_size);
}

void FuseGroups::fuse(std::uint32_t from, std::uint32_t to) {
  const std::uint64_t size = size_of(from);
  const std::uint64_t partner_size = size_of(to);
  if (traced_) {
    outcome_.steps.push_back({.from = from,
                              .to = to,
                              .size = size,
                              .partner_size = partner_size,
                              .similarity = search_.similarity(from, to)});
  }
  erase_lacking(from);
  erase_lacking(to);
  if (demands_) {
    Demands::merge(sensitive_[from], sensitive_[to]);
    sensitive_[from] = {};
  }
  search_.resize(to, size_together(from, to));
  search_.resize(from, 0);
  outcome_.target[from] = to;
  // A greater class may miss what the smaller had.
  if (lacks(to)) lacking_[size_of(to)].insert(to);
}

// A person may have records in both.
std::uint64_t FuseGroups::size_together(std::uint32_t from, std::uint32_t to) {
  if (persons_.empty()) return size_of(from) + size_of(to);
  persons_[to].take(persons_[from]);
  return persons_[to].size();
}

FuseOutcome FuseGroups::finish() && {
  follow_to_the_end(outcome_.target);
  return std::move(outcome_);
}

void follow_to_the_end(std::vector<std::uint32_t>& target) {
  for (std::uint32_t t = 0; t < target.size(); ++t) {
    std::uint32_t end = t;
    while (target[end] != end) end = target[end];
    for (std::uint32_t at = t; at != end;) at = std::exchange(target[at], end);
  }
}

}  // namespace semveil
