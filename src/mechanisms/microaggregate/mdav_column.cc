#include "mechanisms/microaggregate/mdav_column.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace semveil {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::size_t kMostKeptSquares = std::size_t{1} << 26U;  // 256 MB
constexpr std::size_t kSquareRowsOfAPiece = 64;

class NominalColumn : public MdavColumn {
 public:
  NominalColumn(const Attribute& attribute, std::vector<ConceptId> values, unsigned bits,
                unsigned threads)
      : MdavColumn(bits), measure_(attribute.measure), values_(std::move(values)) {
    const std::size_t size = values_.size();
    concepts_ = size;
    if (size > 0 && values_.back() == attribute.missing_value()) --concepts_;
    sums_.assign(size, 0);
    if (size == 0 || size > kMostKeptSquares / size) return;
    table_.resize(size * size);
    in_parallel(
        threads, (size + kSquareRowsOfAPiece - 1) / kSquareRowsOfAPiece, [&](std::size_t piece) {
          const std::size_t first = piece * kSquareRowsOfAPiece;
          fill(first, std::min(size, first + kSquareRowsOfAPiece), table_.data() + first * size);
        });
  }

  std::span<const std::uint32_t> row(Code a, std::vector<std::uint32_t>& space) const override {
    const std::size_t size = values_.size();
    if (!table_.empty()) return std::span(table_).subspan(a * size, size);
    space.resize(size);
    fill(a, std::size_t{a} + 1, space.data());
    return space;
  }
  void add(Code a, std::uint64_t records) override {
    total_ += records;
    const auto from = row(a, space_);
    for (std::size_t v = 0; v < from.size(); ++v) sums_[v] += records * from[v];
  }
  void remove(Code a, std::uint64_t records) override {
    total_ -= records;
    const auto from = row(a, space_);
    for (std::size_t v = 0; v < from.size(); ++v) sums_[v] -= records * from[v];
  }
  void from_rest(std::vector<std::uint32_t>& out) const override {
    out.resize(sums_.size());
    for (std::size_t v = 0; v < sums_.size(); ++v) {
      out[v] = static_cast<std::uint32_t>(sums_[v] / total_);
    }
  }

 private:
  // Rows `first` … `last` − 1, one after the other.
  void fill(std::size_t first, std::size_t last, std::uint32_t* out) const {
    const std::size_t size = values_.size();
    const std::span<const ConceptId> all = std::span(values_).first(concepts_);
    std::fill(out, out + (last - first) * size, one());
    const std::size_t end = std::min(last, concepts_);
    if (first < end) {
      measure_->rows(all.subspan(first, end - first), all,
                     [&](std::size_t i, std::span<const double> row) {
                       std::uint32_t* const to = out + i * size;
                       for (std::size_t v = 0; v < row.size(); ++v) {
                         to[v] = static_cast<std::uint32_t>(row[v] * row[v] * one() + 0.5);
                       }
                     });
    }
    if (last > concepts_) out[(last - first) * size - 1] = 0;
  }

  std::shared_ptr<const Measure> measure_;
  std::vector<ConceptId> values_;
  std::size_t concepts_;              // without missing
  std::vector<std::uint32_t> table_;  // empty: rows are computed
  std::vector<std::uint64_t> sums_;   // by value: of squared distances to the records left
  std::uint64_t total_ = 0;
  std::vector<std::uint32_t> space_;
};

class TextColumn : public MdavColumn {
 public:
  TextColumn(std::size_t values, unsigned bits) : MdavColumn(bits), left_(values, 0) {}

  std::span<const std::uint32_t> row(Code a, std::vector<std::uint32_t>& space) const override {
    space.assign(left_.size(), one());
    space[a] = 0;
    return space;
  }
  void add(Code a, std::uint64_t records) override {
    left_[a] += records;
    total_ += records;
  }
  void remove(Code a, std::uint64_t records) override {
    left_[a] -= records;
    total_ -= records;
  }
  void from_rest(std::vector<std::uint32_t>& out) const override {
    out.resize(left_.size());
    for (std::size_t v = 0; v < left_.size(); ++v) {
      out[v] = static_cast<std::uint32_t>((total_ - left_[v]) * one() / total_);
    }
  }

 private:
  std::vector<std::uint64_t> left_;  // by value: records
  std::uint64_t total_ = 0;
};

// The mean squared distance to all is that to their mean and their variance (König, Huygens), so
// that no table is needed.
class NumericColumn : public MdavColumn {
 public:
  NumericColumn(std::vector<std::uint64_t> positions, bool has_missing, unsigned bits)
      : MdavColumn(bits), positions_(std::move(positions)), has_missing_(has_missing) {}

  std::span<const std::uint32_t> row(Code a, std::vector<std::uint32_t>& space) const override {
    space.resize(positions_.size() + (has_missing_ ? 1 : 0));
    if (a == positions_.size()) {
      std::fill(space.begin(), space.end(), one());
      space.back() = 0;
    } else {
      for (std::size_t v = 0; v < positions_.size(); ++v) {
        space[v] = squared(positions_[v], positions_[a]);
      }
      if (has_missing_) space.back() = one();
    }
    return space;
  }
  void add(Code a, std::uint64_t records) override {
    if (a == positions_.size()) {
      missing_ += records;
      return;
    }
    present_ += records;
    sum_ += Wide{records} * positions_[a];
    squares_ += Wide{records} * positions_[a] * positions_[a];
  }
  void remove(Code a, std::uint64_t records) override {
    if (a == positions_.size()) {
      missing_ -= records;
      return;
    }
    present_ -= records;
    sum_ -= Wide{records} * positions_[a];
    squares_ -= Wide{records} * positions_[a] * positions_[a];
  }
  void from_rest(std::vector<std::uint32_t>& out) const override {
    out.assign(positions_.size() + (has_missing_ ? 1 : 0), 0);
    const std::uint64_t total = present_ + missing_;
    if (has_missing_) out.back() = static_cast<std::uint32_t>(present_ * one() / total);
    if (present_ == 0) return;
    const auto mean = static_cast<std::uint64_t>(sum_ / present_);
    // Around the rounded mean: a sum of squares, so no less than 0.
    const auto variance = static_cast<std::uint64_t>(
        (squares_ + Wide{present_} * mean * mean - 2 * Wide{mean} * sum_) / present_);
    for (std::size_t v = 0; v < positions_.size(); ++v) {
      const std::uint64_t mean_square =
          std::uint64_t{squared(positions_[v], mean)} + (variance >> shift());
      out[v] = static_cast<std::uint32_t>(
          missing_ == 0 ? mean_square : (present_ * mean_square + missing_ * one()) / total);
    }
  }

 private:
  unsigned shift() const { return 2 * kPositionBits - bits(); }
  std::uint32_t squared(std::uint64_t p, std::uint64_t q) const {
    const std::uint64_t apart = p > q ? p - q : q - p;
    return static_cast<std::uint32_t>((apart * apart) >> shift());
  }

  std::vector<std::uint64_t> positions_;  // by value; missing has none
  bool has_missing_;
  std::uint64_t present_ = 0, missing_ = 0;  // records left
  Wide sum_ = 0, squares_ = 0;               // of the positions of those present
};

bool has_missing(const ClassTable& table, std::size_t j) {
  return !table.values[j].empty() && table.values[j].back() == table.attributes[j]->missing_value();
}

std::vector<std::uint64_t> positions_of(const ClassTable& table, std::size_t j) {
  const Attribute& attribute = *table.attributes[j];
  const std::vector<ConceptId>& values = table.values[j];
  const std::size_t present = values.size() - (has_missing(table, j) ? 1 : 0);
  constexpr double kOne = std::uint64_t{1} << kPositionBits;
  const double most = std::floor(
      std::sqrt(double{std::uint64_t{1} << kSquaredSumBits} / static_cast<double>(table.width())) *
      kOne);
  std::vector<std::uint64_t> positions(present, 0);
  if (!(attribute.unit > 0)) return positions;
  for (std::size_t v = 0; v < present; ++v) {
    const double apart = attribute.numbers[values[v]] - attribute.numbers[values[0]];
    positions[v] =
        static_cast<std::uint64_t>(std::min(most, std::floor(apart / attribute.unit * kOne + 0.5)));
  }
  return positions;
}

}  // namespace

std::vector<std::unique_ptr<MdavColumn>> mdav_columns(const ClassTable& table, unsigned threads) {
  std::vector<std::vector<std::uint64_t>> positions(table.width());
  double greatest = 0;  // squared distance of two tuples
  for (std::size_t j = 0; j < table.width(); ++j) {
    double greatest_here = 1;
    if (table.attributes[j]->is_numeric()) {
      positions[j] = positions_of(table, j);
      if (!positions[j].empty()) {
        const double span =
            std::ldexp(static_cast<double>(positions[j].back()), -static_cast<int>(kPositionBits));
        greatest_here = std::max(greatest_here, span * span);
      }
    }
    greatest += greatest_here;
  }
  unsigned bits = kMostSquaredBits;
  constexpr double kMostSum = std::uint64_t{1} << kSquaredSumBits;
  while (bits > 0 && std::ldexp(greatest, static_cast<int>(bits)) > kMostSum) --bits;
  std::vector<std::unique_ptr<MdavColumn>> columns;
  for (std::size_t j = 0; j < table.width(); ++j) {
    const Attribute& attribute = *table.attributes[j];
    if (attribute.is_numeric()) {
      columns.push_back(
          std::make_unique<NumericColumn>(std::move(positions[j]), has_missing(table, j), bits));
    } else if (attribute.is_nominal()) {
      columns.push_back(std::make_unique<NominalColumn>(attribute, table.values[j], bits, threads));
    } else {
      columns.push_back(std::make_unique<TextColumn>(table.values[j].size(), bits));
    }
  }
  return columns;
}

}  // namespace semveil
