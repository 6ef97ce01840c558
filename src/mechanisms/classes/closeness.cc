#include "mechanisms/classes/closeness.h"

#include <algorithm>
#include <numeric>

namespace semveil {
namespace {

constexpr std::size_t kMostKeptCosts = std::size_t{1} << 24U;  // 128 MB
// Beyond this many values the costs of all pairs are never computed, only those of a class.
constexpr std::size_t kMostValues = 20'000;
constexpr std::size_t kCostRowsOfAPiece = 64;

std::uint64_t total(std::span<const PlaceCount> counts) {
  std::uint64_t records = 0;
  for (const PlaceCount& value : counts) records += value.count;
  return records;
}

}  // namespace

std::vector<std::uint64_t> counts_alone(std::span<const PlaceCount> counts) {
  std::vector<std::uint64_t> alone;
  for (const PlaceCount& value : counts) alone.push_back(value.count);
  return alone;
}

struct Closeness::Rows {
  std::vector<std::int64_t> owned;
  std::vector<const std::int64_t*> of;  // by value of the class
};

Closeness::Closeness(std::shared_ptr<const Attribute> attribute, std::vector<ConceptId> values,
                     std::vector<std::uint64_t> whole)
    : attribute_(std::move(attribute)), values_(std::move(values)), whole_(std::move(whole)) {
  records_ = std::accumulate(whole_.begin(), whole_.end(), std::uint64_t{0});
  if (!attribute_ || attribute_->kind == Attribute::Kind::kText) return;
  shape_ = Shape::kAny;
  if (attribute_->is_numeric()) lay_out_line();
  if (shape_ == Shape::kAny) fill_costs();
}

double Closeness::t(std::span<const PlaceCount> of_class) const {
  std::uint64_t steps = kAnySteps;
  return *t(of_class, steps);
}

std::optional<double> Closeness::t(std::span<const PlaceCount> of_class,
                                   std::uint64_t& steps) const {
  if (of_class.empty()) return 0;
  if (shape_ == Shape::kApart) return apart(of_class);
  if (shape_ == Shape::kLine) return along_line(of_class);
  return transported(of_class, rows(of_class), steps);
}

std::optional<double> Closeness::transported(std::span<const PlaceCount> of_class, const Rows& rows,
                                             std::uint64_t& steps) const {
  const std::optional<WideCost> cost =
      least_transport(counts_alone(of_class), whole_, rows.of, steps);
  if (!cost) return std::nullopt;
  return share(*cost, total(of_class));
}

bool Closeness::within(std::span<const PlaceCount> of_class, double most) const {
  if (of_class.empty()) return true;
  if (shape_ != Shape::kAny) return t(of_class) <= most;
  const std::uint64_t records = total(of_class);
  if (share(upper_bound(of_class), records) <= most) return true;
  const Rows costs = rows(of_class);
  if (share(lower_bound(of_class, costs), records) > most) return false;
  std::uint64_t steps = kAnySteps;
  return *transported(of_class, costs, steps) <= most;
}

bool Closeness::may_exceed(std::span<const PlaceCount> of_class, double known) const {
  return shape_ != Shape::kAny || share(upper_bound(of_class), total(of_class)) > known;
}

double Closeness::share(WideCost cost, std::uint64_t records) const {
  return static_cast<double>(cost) /
         (static_cast<double>(records) * static_cast<double>(records_)) /
         static_cast<double>(kUnitCost);
}

// ---- Values that are merely different -----------------------------------------------------------

// What the class has more of than the whole: half of Σ |p − q|.
double Closeness::apart(std::span<const PlaceCount> of_class) const {
  const WideCost records = total(of_class);
  WideCost more = 0;
  for (const PlaceCount& value : of_class) {
    const WideCost has = static_cast<WideCost>(value.count) * records_;
    more += std::max<WideCost>(0, has - whole_[value.place] * records);
  }
  return static_cast<double>(more) / (static_cast<double>(records) * static_cast<double>(records_));
}

// ---- Numbers ------------------------------------------------------------------------------------

// Numbers lie on a line if no two are farther apart than a unit, where distances are cut off.
void Closeness::lay_out_line() {
  const auto is_number = [&](ConceptId v) { return v < attribute_->numbers.size(); };
  if (values_.empty() || !std::ranges::all_of(values_, is_number)) return;
  std::vector<std::size_t> order(values_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return attribute_->numbers[values_[a]] < attribute_->numbers[values_[b]];
  });
  const double least = attribute_->numbers[values_[order.front()]];
  const double greatest = attribute_->numbers[values_[order.back()]];
  const double unit = attribute_->unit;
  if (unit > 0 && greatest - least > unit) return;
  shape_ = Shape::kLine;
  rank_.resize(order.size());
  std::uint64_t upto = 0;
  double area = 0;
  for (std::size_t r = 0; r < order.size(); ++r) {
    const double position =
        unit > 0 ? (attribute_->numbers[values_[order[r]]] - least) / unit : 0.0;
    if (r > 0) {
      area +=
          (position - position_.back()) * static_cast<double>(upto) / static_cast<double>(records_);
    }
    rank_[order[r]] = r;
    upto += whole_[order[r]];
    upto_.push_back(upto);
    position_.push_back(position);
    area_.push_back(area);
  }
}

// On a line the least work is the area between the two cumulative distributions. Between two
// values of the class its own is a constant f, and the whole's crosses it once at most.
double Closeness::along_line(std::span<const PlaceCount> of_class) const {
  std::vector<std::pair<std::size_t, std::uint64_t>> ranked;
  for (const PlaceCount& value : of_class) ranked.emplace_back(rank_[value.place], value.count);
  std::sort(ranked.begin(), ranked.end());
  const WideCost records = total(of_class);
  double work = area_[ranked.front().first];  // below the class's least value
  WideCost so_far = 0;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    so_far += ranked[i].second;
    const std::size_t a = ranked[i].first;
    const std::size_t b = i + 1 < ranked.size() ? ranked[i + 1].first : rank_.size() - 1;
    const auto above = [&](std::uint64_t upto) { return upto * records > so_far * records_; };
    const auto crossing = std::partition_point(upto_.begin() + static_cast<std::ptrdiff_t>(a),
                                               upto_.begin() + static_cast<std::ptrdiff_t>(b),
                                               [&](std::uint64_t upto) { return !above(upto); });
    const auto c = static_cast<std::size_t>(crossing - upto_.begin());
    const double f = static_cast<double>(so_far) / static_cast<double>(records);
    work += f * (position_[c] - position_[a]) - (area_[c] - area_[a]);
    work += (area_[b] - area_[c]) - f * (position_[b] - position_[c]);
  }
  return std::max(0.0, work);
}

// ---- Any distances ------------------------------------------------------------------------------

// Costs are looked up in pieces: a measure has the rows of several sources for the work of one.
void Closeness::fill_costs() {
  const std::size_t size = whole_.size();
  if (size > kMostValues) return;
  const bool keep = size * size <= kMostKeptCosts;
  costs_.resize(keep ? size * size : 0);
  std::vector<std::int64_t> scratch(keep ? 0 : kCostRowsOfAPiece * size);
  std::vector<Code> from;
  for (std::size_t first = 0; first < size; first += kCostRowsOfAPiece) {
    from.resize(std::min(kCostRowsOfAPiece, size - first));
    std::iota(from.begin(), from.end(), static_cast<Code>(first));
    const std::span<std::int64_t> rows =
        keep ? std::span(costs_).subspan(first * size, from.size() * size) : std::span(scratch);
    fill_rows(from, rows);
    for (std::size_t i = 0; i < from.size(); ++i) {
      WideCost& sum = from_one_.emplace_back(0);
      for (std::size_t b = 0; b < size; ++b) {
        sum += static_cast<WideCost>(rows[i * size + b]) * whole_[b];
      }
    }
  }
}

void Closeness::fill_rows(std::span<const Code> from, std::span<std::int64_t> rows) const {
  const std::size_t size = whole_.size();
  const auto is_concept = [&](std::size_t place) {
    return attribute_->is_nominal() && values_[place] < attribute_->size();
  };
  std::vector<ConceptId> sources;
  std::vector<ConceptId> targets;
  std::vector<std::size_t> source_rows;
  std::vector<std::size_t> target_places;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (!is_concept(from[i])) continue;
    sources.push_back(values_[from[i]]);
    source_rows.push_back(i);
  }
  for (std::size_t b = 0; b < size && !sources.empty(); ++b) {
    if (!is_concept(b)) continue;
    targets.push_back(values_[b]);
    target_places.push_back(b);
  }
  for (std::size_t i = 0; i < from.size(); ++i) {
    const ConceptId value = values_[from[i]];
    for (std::size_t b = 0; b < size; ++b) {
      const bool measured = value != kMissing && values_[b] != kMissing && !is_concept(from[i]);
      rows[i * size + b] = whole_cost(measured ? attribute_->distance(value, values_[b]) : 1);
    }
  }
  if (!sources.empty()) {
    attribute_->measure->rows(sources, targets, [&](std::size_t i, std::span<const double> row) {
      for (std::size_t k = 0; k < row.size(); ++k) {
        rows[source_rows[i] * size + target_places[k]] = whole_cost(row[k]);
      }
    });
  }
  for (std::size_t i = 0; i < from.size(); ++i) rows[i * size + from[i]] = 0;
}

Closeness::Rows Closeness::rows(std::span<const PlaceCount> of_class) const {
  const std::size_t size = whole_.size();
  Rows rows;
  std::vector<Code> places;
  for (const PlaceCount& value : of_class) places.push_back(value.place);
  if (costs_.empty()) {
    rows.owned.resize(places.size() * size);
    fill_rows(places, rows.owned);
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    rows.of.push_back(costs_.empty() ? rows.owned.data() + i * size
                                     : costs_.data() + places[i] * size);
  }
  return rows;
}

// The lesser of two transports that are possible: every value to the whole in proportion; and what
// both sides have stays, the rest goes as far as can be.
WideCost Closeness::upper_bound(std::span<const PlaceCount> of_class) const {
  const WideCost records = total(of_class);
  WideCost moved = 0;
  for (const PlaceCount& value : of_class) {
    const WideCost has = static_cast<WideCost>(value.count) * records_;
    moved += std::max<WideCost>(0, has - whole_[value.place] * records);
  }
  moved *= kUnitCost;
  if (from_one_.empty()) return moved;
  WideCost in_proportion = 0;
  for (const PlaceCount& value : of_class) in_proportion += from_one_[value.place] * value.count;
  return std::min(moved, in_proportion);
}

// Every value of the whole comes from the nearest of the class, however much that has.
WideCost Closeness::lower_bound(std::span<const PlaceCount> of_class, const Rows& rows) const {
  WideCost cost = 0;
  for (std::size_t b = 0; b < whole_.size(); ++b) {
    std::int64_t nearest = kUnitCost;
    for (const std::int64_t* row : rows.of) nearest = std::min(nearest, row[b]);
    cost += static_cast<WideCost>(nearest) * whole_[b];
  }
  return cost * total(of_class);
}

}  // namespace semveil
