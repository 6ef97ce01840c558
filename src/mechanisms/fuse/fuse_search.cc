#include "mechanisms/fuse/fuse_search.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace semveil {
namespace {

// How far apart values of a column lie, from 0 to 4: the mean over some pairs.
int quarters_apart(const ColumnDistances& distances) {
  constexpr std::size_t kPairs = 1000;
  const std::size_t size = distances.size();
  double sum = 0;
  for (std::size_t i = 0; i < kPairs; ++i) {
    const auto a = static_cast<Code>(i * size / kPairs);
    const auto b = static_cast<Code>(i * 617 % kPairs * size / kPairs);
    sum += distances(a, b);
  }
  return static_cast<int>(4 * sum / kPairs);
}

}  // namespace

FuseSearch::FuseSearch(const ClassTable& table, unsigned threads)
    : table_(table),
      columns_(table.width()),
      sizes_(table.sizes()),
      left_(table.size()),
      leaf_of_(table.size()) {
  for (std::size_t j = 0; j < table.width(); ++j) {
    distances_.emplace_back(table.attributes[j], table.values[j], threads);
  }
  std::iota(columns_.begin(), columns_.end(), 0);
  std::ranges::stable_sort(columns_, {}, [&](std::size_t j) {
    return std::pair(-quarters_apart(distances_[j]), distances_[j].size());
  });
  std::vector<std::uint32_t> tuples(table.size());
  std::iota(tuples.begin(), tuples.end(), 0);
  std::ranges::sort(tuples, [&](std::uint32_t a, std::uint32_t b) {
    for (const std::size_t j : columns_) {
      if (table.tuple(a)[j] != table.tuple(b)[j]) return table.tuple(a)[j] < table.tuple(b)[j];
    }
    return false;
  });
  build(std::move(tuples));
}

// `tuples`: in the order of the leaves.
void FuseSearch::build(std::vector<std::uint32_t> tuples) {
  leaves_ = std::move(tuples);
  levels_.assign(columns_.size(), {});
  for (std::uint32_t leaf = 0; leaf < leaves_.size(); ++leaf) {
    const std::uint32_t tuple = leaves_[leaf];
    leaf_of_[tuple] = leaf;
    bool differs = leaf == 0;
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      Level& level = levels_[l];
      const Code value = table_.tuple(tuple)[columns_[l]];
      differs |= level.values.empty() || level.values.back() != value;
      if (differs) {
        level.values.push_back(value);
        level.parent.push_back(
            l == 0 ? 0 : static_cast<std::uint32_t>(levels_[l - 1].values.size() - 1));
        level.smallest.push_back(kGone);
        if (l + 1 < levels_.size()) {
          level.begin.push_back(static_cast<std::uint32_t>(levels_[l + 1].values.size()));
        }
      }
      level.smallest.back() = std::min(level.smallest.back(), sizes_[tuple]);
    }
  }
  for (std::size_t l = 0; l + 1 < levels_.size(); ++l) {
    levels_[l].begin.push_back(static_cast<std::uint32_t>(levels_[l + 1].values.size()));
  }
}

void FuseSearch::resize(std::uint32_t tuple, std::uint64_t size) {
  sizes_[tuple] = size;
  if (size == 0) --left_;
  std::uint32_t node = leaf_of_[tuple];
  std::uint64_t smallest = size == 0 ? kGone : size;
  for (std::size_t l = levels_.size(); l-- > 0;) {
    Level& level = levels_[l];
    if (level.smallest[node] == smallest) break;
    level.smallest[node] = smallest;
    if (l == 0) break;
    node = level.parent[node];
    const Range range = below(l - 1, node);
    smallest =
        *std::min_element(level.smallest.begin() + range.begin, level.smallest.begin() + range.end);
  }
  if (left_ * 2 >= leaves_.size()) return;
  std::vector<std::uint32_t> tuples = std::move(leaves_);
  std::erase_if(tuples, [&](std::uint32_t t) { return sizes_[t] == 0; });
  build(std::move(tuples));
}

double FuseSearch::similarity(std::uint32_t a, std::uint32_t b) const {
  double sum = 0;
  for (std::size_t j = 0; j < table_.width(); ++j) {
    sum += 1 - distances_[j](table_.tuple(a)[j], table_.tuple(b)[j]);
  }
  return sum / static_cast<double>(table_.width());
}

void FuseSearch::expect(std::span<const std::uint32_t> tuples, Scratch& scratch) const {
  if (levels_.size() > 1 || !distances_.front().row(0).empty()) return;
  std::vector<Code> values;
  for (const std::uint32_t tuple : tuples) values.push_back(table_.tuple(tuple)[0]);
  std::ranges::sort(values);
  if (scratch.rows_.empty()) scratch.rows_.emplace_back(distances_.front());
  scratch.rows_.front().fetch(std::move(values));
}

void FuseSearch::prepare(std::uint32_t tuple, Scratch& scratch) const {
  const std::size_t depth = levels_.size();
  scratch.row_.resize(depth);
  scratch.of_.resize(depth);
  scratch.own_.resize(depth);
  std::uint32_t node = leaf_of_[tuple];
  for (std::size_t l = depth; l-- > 0;) {
    scratch.own_[l] = node;
    node = levels_[l].parent[node];
    scratch.of_[l] = table_.tuple(tuple)[columns_[l]];
    // Of a wide column among others few values are looked at: null if it is not kept.
    scratch.row_[l] = distances_[columns_[l]].row(scratch.of_[l]).data();
  }
  if (depth > 1 || scratch.row_[0] != nullptr) return;
  if (scratch.rows_.empty()) scratch.rows_.emplace_back(distances_.front());
  scratch.row_[0] = scratch.rows_.front().row(scratch.of_[0]).data();
}

// ---- Searches -----------------------------------------------------------------------------------

FuseSearch::Nearest FuseSearch::nearest(std::uint32_t tuple, double at_least,
                                        Scratch& scratch) const {
  prepare(tuple, scratch);
  Nearest found{.distance = std::numeric_limits<double>::infinity(), .tuple = kNone};
  descend(0, top(), 0, at_least, scratch, found);
  return found;
}

void FuseSearch::descend(std::size_t level, Range range, double before, double at_least,
                         Scratch& scratch, Nearest& found) const {
  const Level& nodes = levels_[level];
  scratch.visited_ += range.end - range.begin;
  if (level + 1 == levels_.size()) {
    const std::uint32_t own = scratch.own_[level];
    for (std::uint32_t node = range.begin; node < range.end; ++node) {
      const double distance = before + length(level, node, scratch);
      if (distance < found.distance && nodes.smallest[node] != kGone && node != own) {
        found = {.distance = distance, .tuple = leaves_[node]};
        if (distance <= at_least) return;
      }
    }
    return;
  }
  // The nearest first: what it finds spares most of the others.
  std::uint32_t first = range.begin;
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t node = range.begin; node < range.end; ++node) {
    const double here = length(level, node, scratch);
    if (here < least && nodes.smallest[node] != kGone) {
      least = here;
      first = node;
    }
  }
  if (before + least >= found.distance) return;
  descend(level + 1, below(level, first), before + least, at_least, scratch, found);
  for (std::uint32_t node = range.begin; node < range.end; ++node) {
    if (found.distance <= at_least) return;
    const double distance = before + length(level, node, scratch);
    if (distance < found.distance && node != first && nodes.smallest[node] != kGone) {
      descend(level + 1, below(level, node), distance, at_least, scratch, found);
    }
  }
}

FuseSearch::Tied FuseSearch::tied(std::uint32_t tuple, double distance, Scratch& scratch) const {
  prepare(tuple, scratch);
  Tied found;
  found.size = kGone;
  bool all = true;
  find_tied(0, top(), 0, distance + kTie, scratch, found, all);
  if (!all) found.others.clear();
  return found;
}

// `all`: whether `others` still holds all that were met; from then on only smaller ones are looked
// for.
void FuseSearch::find_tied(std::size_t level, Range range, double before, double limit,
                           Scratch& scratch, Tied& found, bool& all) const {
  const Level& nodes = levels_[level];
  scratch.visited_ += range.end - range.begin;
  const bool is_last = level + 1 == levels_.size();
  // From the tuple's own place on, so that not everybody finds the same one.
  const std::uint32_t first = start(level, range, scratch);
  std::uint32_t node = first;
  do {
    const double distance = before + length(level, node, scratch);
    const std::uint64_t smallest = nodes.smallest[node];
    if (distance <= limit && smallest != kGone && (all || smallest < found.size)) {
      if (!is_last) {
        find_tied(level + 1, below(level, node), distance, limit, scratch, found, all);
      } else if (node != scratch.own_[level]) {
        if (smallest < found.size) {
          found.size = smallest;
          found.smallest = leaves_[node];
          found.distance = distance;
        }
        all = all && found.others.size() < kKept;
        if (all) found.others.push_back(leaves_[node]);
      }
    }
    if (++node == range.end) node = range.begin;
  } while (node != first);
}

void FuseSearch::tied_of_size(std::uint32_t tuple, double distance, std::uint64_t size,
                              Scratch& scratch, std::vector<std::uint32_t>& out) const {
  prepare(tuple, scratch);
  out.clear();
  find_tied_of_size(0, top(), 0, distance + kTie, size, scratch, out);
}

void FuseSearch::find_tied_of_size(std::size_t level, Range range, double before, double limit,
                                   std::uint64_t size, Scratch& scratch,
                                   std::vector<std::uint32_t>& out) const {
  const Level& nodes = levels_[level];
  scratch.visited_ += range.end - range.begin;
  const bool is_last = level + 1 == levels_.size();
  for (std::uint32_t node = range.begin; node < range.end; ++node) {
    const double distance = before + length(level, node, scratch);
    if (distance > limit || nodes.smallest[node] > size) continue;
    if (!is_last) {
      find_tied_of_size(level + 1, below(level, node), distance, limit, size, scratch, out);
    } else if (nodes.smallest[node] == size && node != scratch.own_[level]) {
      out.push_back(leaves_[node]);
    }
  }
}

}  // namespace semveil
