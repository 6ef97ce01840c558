#include <algorithm>

#include "base/stop.h"
#include "mechanisms/generalize/generalize_local.h"

namespace semveil {
namespace {

constexpr std::size_t kMostMeets = std::size_t{1} << 22U;  // pairs of values kept, of one column

}  // namespace

LocalTable::LocalTable(const GeneralizeTask& task) : task_(task), meets_(task.table.width()) {
  for (std::size_t j = 0; j < width(); ++j) {
    const Hierarchy& hierarchy = task.hierarchies[j];
    const auto values = static_cast<Code>(hierarchy.values());
    std::vector<double>& losses = losses_.emplace_back();
    for (Code v = 0; v < values; ++v) {
      for (unsigned level = 0; level < hierarchy.levels(); ++level) {
        losses.push_back(task.losses[j].share(hierarchy.node(v, level)));
      }
    }
    if (std::size_t{values} * values > kMostMeets) continue;
    for (Code a = 0; a < values; ++a) {
      check_stop();
      for (Code b = 0; b < values; ++b) {
        meets_[j].push_back(static_cast<std::uint16_t>(hierarchy.meet(a, b)));
      }
    }
  }
}

bool LocalTable::has_k(std::span<const std::uint32_t> tuples,
                       std::optional<std::uint32_t> without) const {
  SizeUpTo size(task_.table, task_.options.k);
  for (const std::uint32_t t : tuples) {
    if (t != without && !size.add(t)) return true;
  }
  return size.is_reached();
}

double LocalClasses::loss_at(std::uint32_t tuple, const std::vector<unsigned>& levels) const {
  double sum = 0;
  for (std::size_t j = 0; j < table_->width(); ++j) {
    sum += table_->loss(j, table_->value(tuple, j), levels[j]);
  }
  return sum;
}

void LocalClasses::add(std::uint32_t tuple, LocalClass& to) const {
  if (to.tuples.empty()) to.levels.assign(table_->width(), 0);
  to.tuples.push_back(tuple);
  to.records += table_->count(tuple);
  const std::uint32_t first = to.tuples.front();
  for (std::size_t j = 0; j < table_->width(); ++j) {
    to.levels[j] =
        std::max(to.levels[j], table_->meet(j, table_->value(first, j), table_->value(tuple, j)));
  }
}

void LocalClasses::tighten(LocalClass& own) const {
  const std::vector<std::uint32_t> tuples = std::move(own.tuples);
  own = {};
  for (const std::uint32_t tuple : tuples) add(tuple, own);
  if (!tuples.empty()) own.loss = loss_at(tuples.front(), own.levels);
}

std::uint32_t LocalClasses::form(std::vector<std::uint32_t> tuples) {
  const auto c = static_cast<std::uint32_t>(classes_.size());
  for (const std::uint32_t tuple : tuples) {
    if (!is_alone(tuple)) leave(tuple);
    class_of_[tuple] = c;
  }
  LocalClass& own = classes_.emplace_back();
  own.tuples = std::move(tuples);
  tighten(own);
  return c;
}

void LocalClasses::join(std::uint32_t tuple, std::uint32_t c) {
  if (!is_alone(tuple)) leave(tuple);
  class_of_[tuple] = c;
  LocalClass& own = classes_[c];
  add(tuple, own);
  own.loss = loss_at(own.tuples.front(), own.levels);
}

void LocalClasses::leave(std::uint32_t tuple) {
  LocalClass& own = classes_[class_of_[tuple]];
  std::erase(own.tuples, tuple);
  class_of_[tuple] = kNone;
  tighten(own);
}

void LocalClasses::merge(std::uint32_t from, std::uint32_t into) {
  const std::vector<std::uint32_t> tuples = std::move(classes_[from].tuples);
  classes_[from] = {};
  for (const std::uint32_t tuple : tuples) {
    class_of_[tuple] = kNone;
    join(tuple, into);
  }
}

double LocalClasses::cost_of_joining(std::uint32_t tuple, std::uint32_t c) const {
  const LocalClass& own = classes_[c];
  const std::uint32_t first = own.tuples.front();
  double sum = 0;
  for (std::size_t j = 0; j < table_->width(); ++j) {
    const Code value = table_->value(first, j);
    sum += table_->loss(j, value,
                        std::max(own.levels[j], table_->meet(j, value, table_->value(tuple, j))));
  }
  const auto records = static_cast<double>(own.records);
  return sum * (records + static_cast<double>(table_->count(tuple))) - own.loss * records;
}

double LocalClasses::lost_without(std::uint32_t tuple) const {
  LocalClass rest;
  for (const std::uint32_t other : classes_[class_of_[tuple]].tuples) {
    if (other != tuple) add(other, rest);
  }
  if (rest.tuples.empty()) return 0;
  return loss_at(rest.tuples.front(), rest.levels) * static_cast<double>(rest.records);
}

}  // namespace semveil
