#include <algorithm>
#include <tuple>

#include "base/cpu.h"
#include "base/parallel.h"
#include "statistics/covariance_sum.h"

namespace semveil {
namespace {

constexpr std::size_t kLanes = 8;
constexpr std::size_t kMostRows = 64;  // of K at once
constexpr std::size_t kMostRowBytes = 16 << 20;
constexpr std::size_t kMostMatrixBytes = 64 << 20;
using Lanes
    [[gnu::vector_size(sizeof(double) * kLanes), gnu::may_alias, gnu::aligned(alignof(double))]] =
        double;

[[gnu::always_inline]] inline void add_times_body(double factor, const double* row,
                                                  std::size_t size, double* sum) {
  for (std::size_t j = 0; j < size; ++j) sum[j] += factor * row[j];
}
SEMVEIL_TARGET_AVX2 void add_times_avx2(double factor, const double* row, std::size_t size,
                                        double* sum) {
  add_times_body(factor, row, size, sum);
}
void add_times(double factor, const double* row, std::size_t size, double* sum) {
  if (has_avx2()) {
    add_times_avx2(factor, row, size, sum);
  } else {
    add_times_body(factor, row, size, sum);
  }
}

// w[a' · kLanes + lane] = Σ_b' N_a'b' k[b' · kLanes + lane] for a' = first …
[[gnu::always_inline]] inline void times_table_body(const Joint& joint, const double* k,
                                                    std::size_t first, double* w) {
  for (std::size_t a = first; a < joint.rows(); ++a) {
    Lanes sum = {};
    for (std::size_t e = joint.begin[a]; e < joint.begin[a + 1]; ++e) {
      sum += joint.count[e] * *reinterpret_cast<const Lanes*>(k + joint.b[e] * kLanes);
    }
    *reinterpret_cast<Lanes*>(w + a * kLanes) = sum;
  }
}
SEMVEIL_TARGET_AVX2 void times_table_avx2(const Joint& joint, const double* k, std::size_t first,
                                          double* w) {
  times_table_body(joint, k, first, w);
}
void times_table(const Joint& joint, const double* k, std::size_t first, double* w) {
  if (has_avx2()) {
    times_table_avx2(joint, k, first, w);
  } else {
    times_table_body(joint, k, first, w);
  }
}

// Centred distances of all values, or nothing where they would be too many.
std::vector<double> small_matrix(const Column& column, unsigned threads) {
  const std::size_t size = column.size();
  if (size > kMostMatrixBytes / sizeof(double) / size) return {};
  std::vector<double> matrix(size * size);
  in_parallel(threads, (size + kMostRows - 1) / kMostRows, [&](std::size_t piece) {
    std::vector<std::uint32_t> sources;
    const std::size_t first = piece * kMostRows;
    for (std::size_t i = first; i < std::min(first + kMostRows, size); ++i) {
      sources.push_back(static_cast<std::uint32_t>(i));
    }
    column.centred_rows(sources, [&](std::size_t k, std::span<const double> row) {
      std::copy(row.begin(), row.end(), matrix.data() + (first + k) * size);
    });
  });
  return matrix;
}

// Some rows of the table, from value `first` of A to `last`, and what they contribute.
class RowsOfTable {
 public:
  RowsOfTable(const Column& a, const Column& b, const Joint& joint, std::span<const double> delta_b,
              std::size_t first, std::size_t last)
      : a_(a), b_(b), joint_(joint), delta_b_(delta_b), first_(first), last_(last) {}

  void sum_into(std::span<double> row_sum) const {
    const std::vector<double> k = rows_of_k();
    std::vector<std::uint32_t> sources;
    for (std::size_t a = first_; a < last_; ++a) sources.push_back(static_cast<std::uint32_t>(a));
    std::vector<double> side_by_side(b_.size() * kLanes);
    std::vector<double> w(a_.size() * kLanes);
    a_.centred_rows(sources, [&](std::size_t i, std::span<const double> delta_a) {
      if (i % kLanes == 0) {
        put_side_by_side(k, i, side_by_side);
        times_table(joint_, side_by_side.data(), first_ + i, w.data());
      }
      const std::size_t a = first_ + i;
      row_sum[a] = symmetric_row(delta_a, a, w.data() + i % kLanes, kLanes);
    });
  }

 private:
  std::vector<double> rows_of_k() const {
    struct Entry {
      std::uint32_t b, row;
      double count;
    };
    std::vector<Entry> entries;
    for (std::size_t a = first_; a < last_; ++a) {
      for (std::size_t e = joint_.begin[a]; e < joint_.begin[a + 1]; ++e) {
        entries.push_back({joint_.b[e], static_cast<std::uint32_t>(a - first_), joint_.count[e]});
      }
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& x, const Entry& y) {
      return std::tie(x.b, x.row) < std::tie(y.b, y.row);
    });
    std::vector<double> k((last_ - first_) * b_.size(), 0.0);
    std::size_t next = 0;
    const auto add = [&](std::uint32_t b, const double* delta) {
      for (; next < entries.size() && entries[next].b == b; ++next) {
        add_times(entries[next].count, delta, b_.size(), k.data() + entries[next].row * b_.size());
      }
    };
    if (!delta_b_.empty()) {
      while (next < entries.size()) {
        add(entries[next].b, delta_b_.data() + entries[next].b * b_.size());
      }
      return k;
    }
    std::vector<std::uint32_t> sources;
    for (const Entry& entry : entries) {
      if (sources.empty() || sources.back() != entry.b) sources.push_back(entry.b);
    }
    b_.centred_rows(sources, [&](std::size_t i, std::span<const double> delta) {
      add(sources[i], delta.data());
    });
    return k;
  }

  // Rows i … i + kLanes − 1 of K, one beside the other; lanes past the last row are 0.
  void put_side_by_side(std::span<const double> k, std::size_t i, std::span<double> out) const {
    const std::size_t rows = std::min(kLanes, last_ - first_ - i);
    const std::size_t width = b_.size();
    if (rows < kLanes) std::fill(out.begin(), out.end(), 0.0);
    for (std::size_t b = 0; b < width; ++b) {
      for (std::size_t lane = 0; lane < rows; ++lane) {
        out[b * kLanes + lane] = k[(i + lane) * width + b];
      }
    }
  }

  const Column& a_;
  const Column& b_;
  const Joint& joint_;
  std::span<const double> delta_b_;
  std::size_t first_, last_;
};

}  // namespace

double nominal_covariance_sum(const Column& a, const Column& b, const Joint& joint,
                              unsigned threads) {
  if (a.size() < 2 || b.size() < 2) return 0;
  const std::vector<double> delta_b = small_matrix(b, threads);
  // How many values of A a piece has does not matter to the result.
  const std::size_t fitting = kMostRowBytes / sizeof(double) / b.size() / kLanes * kLanes;
  const std::size_t rows = std::clamp(fitting, kLanes, kMostRows);
  std::vector<double> row_sum(a.size());
  in_parallel(threads, (a.size() + rows - 1) / rows, [&](std::size_t piece) {
    const std::size_t first = piece * rows;
    RowsOfTable(a, b, joint, delta_b, first, std::min(first + rows, a.size())).sum_into(row_sum);
  });
  double sum = 0;
  for (const double of_row : row_sum) sum += of_row;
  return sum;
}

}  // namespace semveil
