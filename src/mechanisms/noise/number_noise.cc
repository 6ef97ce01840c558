#include "mechanisms/noise/number_noise.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace semveil {

NumberNoise::NumberNoise(std::shared_ptr<const Attribute> attribute, const NoiseLearned& learned,
                         NoiseRange range, double reach)
    : attribute_(std::move(attribute)),
      released_(
          std::make_shared<const Attribute>(grid_attribute(*attribute_, learned.numbers->grid))),
      learned_(learned),
      reflects_(range == NoiseRange::kReflect),
      reach_(reach) {}

double NumberNoise::number(ConceptId cell) const {
  const std::size_t seen = attribute_->numbers.size();
  return cell < seen ? attribute_->numbers[cell] : released_->numbers[cell - seen - 1];
}

std::string_view NumberNoise::id(ConceptId cell) const {
  const std::size_t seen = attribute_->numbers.size();
  return cell < seen ? attribute_->id(cell)
                     : released_->id(static_cast<ConceptId>(cell - seen - 1));
}

double NumberNoise::folded(double y) const {
  const double beyond = y - low();
  if (beyond >= 0 && beyond <= width()) return y;
  if (width() == 0) return low();
  double along = std::fmod(beyond, 2 * width());
  if (along < 0) along += 2 * width();
  return low() + (along > width() ? 2 * width() - along : along);
}

std::uint32_t NumberNoise::released_as(double x, double error) const {
  const double y = x + error;
  return learned_.numbers->grid.nearest(reflects_ ? folded(y) : y);
}

void NumberNoise::mask(const RecordBatch& in, std::uint32_t column, std::span<const double> errors,
                       MaskedBatch& out) const {
  const std::span<const ConceptId> cells = in.columns[column];
  std::vector<ConceptId>& to = out.columns[column];
  ColumnTally& tally = out.tallies[column];
  const double per_unit = learned_.statistics.per_unit;
  const std::vector<bool>* const single = out.counted ? &single_origins() : nullptr;
  for (std::size_t row = 0; row < in.rows; ++row) {
    if (cells[row] == kMissing || cells[row] == kNoPart) {
      to[row] = kMissing;
      ++tally.missing;
      continue;
    }
    const double x = number(cells[row]), error = errors[row];
    const std::uint32_t z = to[row] = released_as(x, error);
    const double moved = std::abs(released_->numbers[z] - x);
    const Rule rule = error == 0 ? Rule::kZero : Rule::kPaper;
    if (out.counted) {
      const double distance = std::min(1.0, moved * per_unit);
      const double asked = std::abs(error) * per_unit;
      ++tally.cells;
      tally.changed += moved > 0 ? 1 : 0;
      ++tally.rules[static_cast<std::size_t>(rule)];
      ++tally.released[z];
      tally.errors.add(asked);
      tally.squared_errors.add(asked * asked);
      tally.distances.add(distance);
      tally.squared_distances.add(distance * distance);
      if (!single->empty() && (*single)[z]) out.single_origin[row] = true;
    }
    if (out.traced) {
      out.trace.push_back({in.first_row + row, column, cells[row], error, std::nullopt, z, rule});
    }
  }
}

const std::vector<bool>& NumberNoise::single_origins() const {
  std::call_once(origins_counted_, [this] { count_origins(); });
  return single_;
}

// A number comes out somewhere between x − reach and x + reach: what is folded back lies there,
// too.
void NumberNoise::count_origins() const {
  if (learned_.values.empty()) return;
  const NumberGrid& grid = learned_.numbers->grid;
  std::vector<std::int64_t> change(grid.count + std::size_t{1}, 0);
  const bool everywhere = reflects_ && reach_ >= width();
  for (const ConceptId value : learned_.values) {
    const double x = attribute_->numbers[value];
    ++change[everywhere ? 0 : grid.nearest(x - reach_)];
    --change[everywhere ? grid.count : grid.nearest(x + reach_) + std::size_t{1}];
  }
  single_.resize(grid.count + std::size_t{1});
  std::int64_t origins = 0;
  for (std::uint32_t place = 0; place < grid.count; ++place) {
    origins += change[place];
    single_[place] = origins == 1;
  }
}

int NumberNoise::periods() const {
  if (!reflects_ || width() == 0) return 0;
  return static_cast<int>(std::ceil(reach_ / (2 * width()))) + 1;
}

double NumberNoise::work_of_row() const {
  return static_cast<double>(learned_.numbers->grid.count) * (reflects_ ? 2.0 : 1.0) *
         (2.0 * periods() + 1);
}

// Each place takes what is nearest to it; the outermost ones take the rest of the range, or of the
// line. Folding a line lays infinitely many pieces on the range, of which errors reach some.
void NumberNoise::probabilities(double x, const ErrorSpread& spread,
                                std::vector<double>& row) const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double half = learned_.numbers->grid.step() / 2;
  const double high = low() + width();
  const int most = periods();
  const auto add = [&](double& to, double from_y, double to_y) {
    if (from_y < to_y) to += spread.between(from_y - x, to_y - x);
  };
  for (std::uint32_t place = 0; place < learned_.numbers->grid.count; ++place) {
    const double z = released_->numbers[place];
    const bool is_first = place == 0, is_last = place + 1 == learned_.numbers->grid.count;
    if (!reflects_) {
      add(row[place], is_first ? -kInfinity : z - half, is_last ? kInfinity : z + half);
      continue;
    }
    const double from = is_first ? low() : std::max(low(), z - half);
    const double to = is_last ? high : std::min(high, z + half);
    for (int m = -most; m <= most; ++m) {
      const double shift = 2 * width() * m;
      add(row[place], from + shift, to + shift);
      add(row[place], 2 * low() - to + shift, 2 * low() - from + shift);
    }
  }
}

}  // namespace semveil
