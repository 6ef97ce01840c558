// Decisions are in favour of what is demanded within 1e-9: the entropy of ten equally frequent
// values is ln 10 only up to rounding. Counts are compared as they are.
#include "mechanisms/classes/demands.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/math.h"
#include "mechanisms/classes/closeness.h"

namespace semveil {
namespace {

constexpr double kTolerance = 1e-9;

bool diverse(const Demand& demand, std::span<const PlaceCount> counts) {
  if (!demand.l || counts.empty()) return true;
  switch (demand.kind) {
    case DiversityKind::kEntropy:
      return entropy(counts_alone(counts)) >= ln(*demand.l) - kTolerance;
    case DiversityKind::kRecursive:
      return recursive_ratio(counts_alone(counts), static_cast<std::uint64_t>(*demand.l)) <
             demand.c;
    default:
      return static_cast<double>(counts.size()) >= *demand.l;
  }
}

std::vector<PlaceCount> merged(const std::vector<PlaceCount>& a, const std::vector<PlaceCount>& b) {
  std::vector<PlaceCount> out;
  out.reserve(a.size() + b.size());
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() || j < b.size()) {
    if (j == b.size() || (i < a.size() && a[i].place < b[j].place)) {
      out.push_back(a[i++]);
    } else if (i == a.size() || b[j].place < a[i].place) {
      out.push_back(b[j++]);
    } else {
      out.push_back({a[i].place, a[i].count + b[j].count});
      ++i;
      ++j;
    }
  }
  return out;
}

}  // namespace

class Demands::Column {
 public:
  explicit Column(const SensitiveColumn& column) : column_(column) {
    if (column.demand.t) closeness_.emplace(column.attribute, column.values, column.whole);
  }

  std::span<const PlaceCount> of(std::size_t tuple) const { return column_.of(tuple); }
  bool tells_persons() const { return column_.persons.are_told(); }
  GrowingSet<std::uint64_t> persons_of(std::size_t tuple) const {
    std::vector<std::uint64_t> out;
    for (std::size_t i = column_.begin[tuple]; i < column_.begin[tuple + 1]; ++i) {
      for (const std::uint32_t person : column_.persons.of(i)) {
        out.push_back(std::uint64_t{column_.counts[i].place} << 32U | person);
      }
    }
    return GrowingSet<std::uint64_t>(out);
  }
  // Without the cheaper one there is no need for the other.
  bool met(std::span<const PlaceCount> counts) const {
    return diverse(column_.demand, counts) &&
           (!closeness_ || closeness_->within(counts, *column_.demand.t + kTolerance));
  }
  // t is not asked: all records together are at 0 from themselves.
  std::string unmeetable() const;

 private:
  SensitiveColumn column_;
  std::optional<Closeness> closeness_;
};

std::string Demands::Column::unmeetable() const {
  std::vector<PlaceCount> all;
  for (std::size_t i = 0; i < column_.whole.size(); ++i) {
    if (column_.whole[i] > 0) all.push_back({static_cast<Code>(i), column_.whole[i]});
  }
  const Demand& demand = column_.demand;
  if (diverse(demand, all)) return {};
  switch (demand.kind) {
    case DiversityKind::kEntropy:
      return fmt::format(
          "column '{}': l = {} by entropy is demanded of every class, and all records together "
          "reach {:.4g}",
          column_.name, *demand.l, entropy_l(counts_alone(all)));
    case DiversityKind::kRecursive:
      if (static_cast<double>(all.size()) < *demand.l) break;
      return fmt::format(
          "column '{}': recursive l = {} with c = {} is demanded of every class, and all records "
          "together need a c above {:.4g}",
          column_.name, *demand.l, demand.c,
          recursive_ratio(counts_alone(all), static_cast<std::uint64_t>(*demand.l)));
    default:
      break;
  }
  return fmt::format(
      "column '{}': l = {} different values are demanded of every class, and all records together "
      "have {}",
      column_.name, *demand.l, all.size());
}

Demands::Demands(const ClassTable& table) {
  for (const SensitiveColumn& column : table.sensitive) {
    columns_.push_back(std::make_shared<const Column>(column));
  }
}

SensitiveCounts Demands::of(std::size_t tuple) const {
  SensitiveCounts out;
  for (const auto& column : columns_) {
    const std::span<const PlaceCount> counts = column->of(tuple);
    out.columns.emplace_back(counts.begin(), counts.end());
    if (column->tells_persons()) out.persons.push_back(column->persons_of(tuple));
  }
  return out;
}

namespace {

// The numbers of persons grow by those who had not been there with that value.
void merge_persons(const GrowingSet<std::uint64_t>& from, GrowingSet<std::uint64_t>& into,
                   std::vector<PlaceCount>& counts) {
  std::vector<Code> more;
  into.add(from, [&](std::uint64_t pair) { more.push_back(static_cast<Code>(pair >> 32U)); });
  std::ranges::sort(more);
  std::vector<PlaceCount> added;
  for (const Code place : more) {
    if (added.empty() || added.back().place != place) added.push_back({place, 0});
    ++added.back().count;
  }
  counts = merged(counts, added);
}

}  // namespace

void Demands::merge(const SensitiveCounts& from, SensitiveCounts& into) {
  into.columns.resize(std::max(into.columns.size(), from.columns.size()));
  if (!from.persons.empty()) {
    into.persons.resize(from.persons.size());
    for (std::size_t i = 0; i < from.columns.size(); ++i) {
      merge_persons(from.persons[i], into.persons[i], into.columns[i]);
    }
    return;
  }
  for (std::size_t i = 0; i < from.columns.size(); ++i) {
    into.columns[i] = merged(into.columns[i], from.columns[i]);
  }
}

bool Demands::met(const SensitiveCounts& counts) const {
  for (std::size_t i = 0; i < counts.columns.size(); ++i) {
    if (!columns_[i]->met(counts.columns[i])) return false;
  }
  return true;
}

std::string Demands::unmeetable() const {
  for (const auto& column : columns_) {
    std::string missed = column->unmeetable();
    if (!missed.empty()) return missed;
  }
  return {};
}

}  // namespace semveil
