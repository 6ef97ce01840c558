#include "mechanisms/swap/swap_space.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.h"
#include "semveil/statistics.h"

namespace semveil {
namespace {

constexpr std::size_t kSwapRowsOfAPiece = 128;
// One source at a time, a sweep over the whole taxonomy costs 1 ns a concept, finding what lies
// above the values 90 ns a value.
constexpr std::size_t kMostConceptsOfAValue = 64;

std::uint32_t in_units(double distance) {
  // Signed on the way: older processors convert only those in vectors.
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(distance * kSwapUnit + 0.5));
}

double between(double x, double y, double divisor) {
  return divisor > 0 ? std::min(1.0, std::abs(x - y) / divisor) : 0.0;
}

// work(first, last) for pieces of the values.
template <class Work>
void in_pieces(std::size_t values, unsigned threads, const Work& work) {
  in_parallel(threads, (values + kSwapRowsOfAPiece - 1) / kSwapRowsOfAPiece,
              [&](std::size_t piece) {
                const std::size_t first = piece * kSwapRowsOfAPiece;
                work(static_cast<Code>(first),
                     static_cast<Code>(std::min(first + kSwapRowsOfAPiece, values)));
              });
}

}  // namespace

SwapSpace SwapSpace::nominal(std::shared_ptr<const Measure> measure,
                             std::vector<ConceptId> values) {
  SwapSpace space;
  space.has_missing_ = !values.empty() && values.back() == missing_value(*measure);
  if (space.has_missing_) values.pop_back();
  space.measure_ = std::move(measure);
  space.concepts_ = std::move(values);
  return space;
}

SwapSpace SwapSpace::numeric(std::vector<double> values, double divisor) {
  SwapSpace space;
  space.numbers_ = std::move(values);
  space.divisor_ = divisor;
  return space;
}

double SwapSpace::distance(Code a, Code b) const {
  if (!measure_) return between(numbers_[a], numbers_[b], divisor_);
  if (a == b) return 0;
  if (a >= concepts_.size() || b >= concepts_.size()) return 1;
  return measure_->distance(concepts_[a], concepts_[b]);
}

void SwapSpace::row(Code value, std::span<std::uint32_t> out, std::vector<double>& scratch) const {
  if (value < concepts_.size() &&
      measure_->taxonomy().size() <= kMostConceptsOfAValue * concepts_.size()) {
    scratch.resize(measure_->taxonomy().size());
    measure_->from(concepts_[value], scratch);
    for (std::size_t w = 0; w < concepts_.size(); ++w) out[w] = in_units(scratch[concepts_[w]]);
    if (has_missing_) out.back() = kSwapUnit;
    return;
  }
  rows(value, value + 1, [&](std::size_t, std::span<const std::uint32_t> row) {
    std::copy(row.begin(), row.end(), out.begin());
  });
}

void SwapSpace::rows(Code first, Code last, const VisitRow& visit) const {
  std::vector<std::uint32_t> units(size());
  if (!measure_) {
    for (Code value = first; value < last; ++value) {
      const double x = numbers_[value];
      for (std::size_t i = 0; i < units.size(); ++i) {
        units[i] = in_units(between(x, numbers_[i], divisor_));
      }
      visit(value - first, units);
    }
    return;
  }
  if (has_missing_) units.back() = kSwapUnit;
  const std::size_t words = std::min<std::size_t>(last, concepts_.size());
  if (first < words) {
    measure_->rows(std::span(concepts_).subspan(first, words - first), concepts_,
                   [&](std::size_t i, std::span<const double> row) {
                     for (std::size_t w = 0; w < row.size(); ++w) units[w] = in_units(row[w]);
                     visit(i, units);
                   });
  }
  if (last > words) {
    std::fill(units.begin(), units.end(), kSwapUnit);
    units.back() = 0;
    visit(words - first, units);
  }
}

SwapRows::SwapRows(const SwapSpace& space, Keep keep, unsigned threads) : space_(space) {
  if (keep == Keep::kNone) return;
  table_.resize(width() * space.size(), kSwapUnit);
  in_pieces(space.size(), threads, [&](Code first, Code last) {
    space.rows(first, last, [&](std::size_t i, std::span<const std::uint32_t> row) {
      std::copy(row.begin(), row.end(), table_.data() + (first + i) * width());
    });
  });
}

const std::uint32_t* SwapRows::row(std::uint32_t place, Scratch& scratch) const {
  if (place < missing() && !table_.empty()) return table_.data() + place * width();
  scratch.row.assign(width(), kSwapUnit);
  if (place == missing()) {
    scratch.row.back() = 0;
  } else {
    space_.row(place, std::span(scratch.row).first(space_.size()), scratch.distances);
  }
  return scratch.row.data();
}

std::vector<std::uint64_t> SwapRows::sums(std::span<const std::uint64_t> counts,
                                          unsigned threads) const {
  std::vector<std::uint64_t> sums(width(), 0);
  const auto add = [&](std::size_t place, std::span<const std::uint32_t> row) {
    std::uint64_t sum = counts.back() * kSwapUnit;
    for (std::size_t w = 0; w < row.size(); ++w) sum += counts[w] * row[w];
    sums[place] = sum;
  };
  in_pieces(space_.size(), threads, [&](Code first, Code last) {
    if (table_.empty()) {
      space_.rows(first, last,
                  [&](std::size_t i, std::span<const std::uint32_t> row) { add(first + i, row); });
    } else {
      for (Code v = first; v < last; ++v) add(v, {table_.data() + v * width(), space_.size()});
    }
  });
  const std::uint64_t all = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  sums.back() = (all - counts.back()) * kSwapUnit;
  return sums;
}

}  // namespace semveil
