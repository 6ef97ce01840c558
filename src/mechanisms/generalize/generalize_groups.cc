#include "mechanisms/generalize/generalize_groups.h"

#include <algorithm>
#include <numeric>

#include "base/tuple_counter.h"

namespace semveil {
namespace {

constexpr std::size_t kMostKeptTables = 256;
constexpr std::size_t kLeastRoom = std::size_t{1} << 20U;
constexpr std::size_t kRoomByTuples = 2;

}  // namespace

GroupTables::GroupTables(const GeneralizeTask& task)
    : task_(task), room_(std::max(kLeastRoom, kRoomByTuples * task.table.size())) {
  const std::size_t width = task.table.width();
  tuples_.levels.assign(width, 0);
  tuples_.counts = task.table.counts;
  tuples_.persons = task.table.persons;
  tuples_.rows.reserve(task.table.tuples.size());
  for (std::size_t i = 0; i < task.table.tuples.size(); ++i) {
    tuples_.rows.push_back(task.hierarchies[i % width].node(task.table.tuples[i], 0));
  }
}

// Level 0 tells the value, and so every other level; elsewhere values that are one must stay one.
bool GroupTables::serves(const GroupTable& from, const LevelChoice& levels) const {
  for (std::size_t j = 0; j < levels.size(); ++j) {
    if (from.levels[j] == levels[j] || from.levels[j] == 0) continue;
    if (from.levels[j] > levels[j] || !task_.hierarchies[j].is_nested()) return false;
  }
  return true;
}

// Of a group that has k persons any k are enough, and these are enough of any group it is part of.
PersonLists GroupTables::lift_persons(const GroupTable& from,
                                      std::span<const std::uint32_t> group_of,
                                      std::size_t groups) const {
  const std::uint64_t k = task_.options.k;
  std::vector<std::size_t> room(groups + 1, 0);
  for (std::size_t g = 0; g < from.size(); ++g) {
    std::size_t& own = room[group_of[g] + 1];
    own = std::min<std::size_t>(k, own + from.persons.of(g).size());
  }
  std::partial_sum(room.begin(), room.end(), room.begin());
  std::vector<std::uint32_t> persons(room.back());
  std::vector<std::size_t> used(groups, 0);
  for (std::size_t g = 0; g < from.size(); ++g) {
    std::uint32_t* const first = persons.data() + room[group_of[g]];
    std::size_t& taken = used[group_of[g]];
    for (const std::uint32_t person : from.persons.of(g)) {
      if (taken == k) break;
      std::uint32_t* const at = std::lower_bound(first, first + taken, person);
      if (at != first + taken && *at == person) continue;
      std::copy_backward(at, first + taken, first + taken + 1);
      *at = person;
      ++taken;
    }
  }
  PersonLists out;
  out.begin.push_back(0);
  for (std::size_t g = 0; g < groups; ++g) {
    const auto first = persons.begin() + static_cast<std::ptrdiff_t>(room[g]);
    out.persons.insert(out.persons.end(), first, first + static_cast<std::ptrdiff_t>(used[g]));
    out.begin.push_back(out.persons.size());
  }
  return out;
}

GroupTable GroupTables::lift(const GroupTable& from, const LevelChoice& levels,
                             std::vector<std::uint32_t>* group_of) const {
  const std::size_t width = levels.size();
  std::vector<std::vector<Code>> up(width);
  for (std::size_t j = 0; j < width; ++j) {
    const Hierarchy& hierarchy = task_.hierarchies[j];
    up[j].resize(hierarchy.nodes());
    for (Code v = 0; v < hierarchy.values(); ++v) {
      up[j][hierarchy.node(v, from.levels[j])] = hierarchy.node(v, levels[j]);
    }
  }
  TupleCounter counter(width);
  std::vector<Code> row(width);
  std::vector<std::uint32_t> own;
  const bool tells_persons = from.persons.are_told();
  if (tells_persons && group_of == nullptr) {
    own.resize(from.size());
    group_of = &own;
  }
  for (std::size_t g = 0; g < from.size(); ++g) {
    for (std::size_t j = 0; j < width; ++j) row[j] = up[j][from.rows[g * width + j]];
    const std::size_t group = counter.add(row, from.counts[g]);
    if (group_of != nullptr) (*group_of)[g] = static_cast<std::uint32_t>(group);
  }
  GroupTable out{levels, {}, {}, {}};
  if (tells_persons) out.persons = lift_persons(from, *group_of, counter.size());
  out.rows.reserve(counter.size() * width);
  out.counts.reserve(counter.size());
  for (std::size_t g = 0; g < counter.size(); ++g) {
    const auto tuple = counter.tuple(g);
    out.rows.insert(out.rows.end(), tuple.begin(), tuple.end());
    out.counts.push_back(counter.count(g));
  }
  return out;
}

GroupTable GroupTables::at(const LevelChoice& levels) {
  const GroupTable* from = &tuples_;
  for (const GroupTable& table : kept_) {
    if (table.size() < from->size() && serves(table, levels)) from = &table;
  }
  GroupTable made = lift(*from, levels, nullptr);
  if (made.size() * 2 <= from->size() && made.size() <= room_ && kept_.size() < kMostKeptTables) {
    room_ -= made.size();
    kept_.push_back(made);
  }
  return made;
}

GroupTable GroupTables::at(const LevelChoice& levels, std::vector<std::uint32_t>& group_of) const {
  group_of.resize(tuples_.size());
  return lift(tuples_, levels, &group_of);
}

}  // namespace semveil
