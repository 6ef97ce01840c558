#include "mechanisms/noise/noise_correlation.h"

#include <algorithm>
#include <cmath>

namespace semveil {
namespace {

// Pearson's correlation over counted pairs; 0 where a column is constant there.
double pearson(std::span<const JointCount> joint, std::span<const double> a,
               std::span<const double> b) {
  double records = 0, sum_a = 0, sum_b = 0;
  for (const JointCount& cell : joint) {
    const auto count = static_cast<double>(cell.count);
    records += count;
    sum_a += count * a[cell.a];
    sum_b += count * b[cell.b];
  }
  double aa = 0, ab = 0, bb = 0;
  for (const JointCount& cell : joint) {
    const auto count = static_cast<double>(cell.count);
    const double off_a = a[cell.a] - sum_a / records, off_b = b[cell.b] - sum_b / records;
    aa += count * (off_a * off_a);
    ab += count * (off_a * off_b);
    bb += count * (off_b * off_b);
  }
  if (aa == 0 || bb == 0) return 0;
  return std::clamp(ab / (std::sqrt(aa) * std::sqrt(bb)), -1.0, 1.0);
}

class Correlations {
 public:
  Correlations(const FrequencyTable& table, const std::vector<NoiseLearned>& learned,
               NoiseReference reference, const StatisticsOptions& options)
      : table_(table), learned_(learned), reference_(reference), options_(options) {
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
      lines_.push_back(line(j));
      spaces_.push_back(space(j));
    }
  }

  NoiseCorrelation all() const {
    const std::size_t width = table_.columns.size();
    NoiseCorrelation out;
    out.values.assign(width * width, 0);
    for (std::size_t a = 0; a < width; ++a) {
      out.deviations.push_back(std::sqrt(
          is_number(a)
              ? learned_[a].statistics.variance
              : distance_variance(spaces_[a], table_.columns[a].values.counts, options_).value));
      out.values[a * width + a] = 1;
      for (std::size_t b = a + 1; b < width; ++b) {
        out.values[a * width + b] = out.values[b * width + a] = of(a, b);
      }
    }
    return out;
  }

 private:
  bool is_number(std::size_t j) const { return table_.columns[j].attribute->is_numeric(); }

  double of(std::size_t a, std::size_t b) const {
    const std::vector<JointCount> joint = table_.joint(a, b);
    if (joint.empty()) return 0;
    if (is_number(a) && is_number(b)) return pearson(joint, lines_[a], lines_[b]);
    const double together =
        distance_statistics(spaces_[a], spaces_[b], joint, options_).correlation;
    if (!is_number(a) && !is_number(b)) return together;
    constexpr double kRounding = 1e-9;  // no sign: neither way
    const double way = pearson(joint, lines_[a], lines_[b]);
    return std::abs(way) < kRounding ? 0 : std::copysign(together, way);
  }

  // By place of the value: numbers themselves, words by their distance from the reference.
  std::vector<double> line(std::size_t j) const {
    const FrequencyColumn& column = table_.columns[j];
    const ConceptId reference =
        reference_ == NoiseReference::kMean ? learned_[j].statistics.mean : Taxonomy::root();
    std::vector<double> out;
    for (const ConceptId value : column.values.values) {
      out.push_back(is_number(j) ? column.attribute->numbers[value]
                                 : column.attribute->distance(value, reference));
    }
    return out;
  }

  Space space(std::size_t j) const {
    const FrequencyColumn& column = table_.columns[j];
    return is_number(j) ? Space::numeric(lines_[j])
                        : Space::nominal(column.attribute->measure, column.values.values);
  }

  const FrequencyTable& table_;
  const std::vector<NoiseLearned>& learned_;
  NoiseReference reference_;
  StatisticsOptions options_;
  std::vector<std::vector<double>> lines_;
  std::vector<Space> spaces_;
};

}  // namespace

NoiseCorrelation noise_correlation(const FrequencyTable& table,
                                   const std::vector<NoiseLearned>& learned,
                                   NoiseReference reference, const StatisticsOptions& options) {
  return Correlations(table, learned, reference, options).all();
}

}  // namespace semveil
