#include <algorithm>

#include "base/cpu.h"
#include "base/parallel.h"
#include "statistics/covariance_sum.h"

namespace semveil {
namespace {

constexpr std::size_t kRows = 128;

struct NumberEntry {
  std::uint32_t a, b;
  double count;
};

// The table's entries by b, then a.
std::vector<NumberEntry> by_number(const Joint& joint, std::size_t numbers) {
  std::vector<std::size_t> place(numbers + 1, 0);
  for (const std::uint32_t b : joint.b) ++place[b + 1];
  for (std::size_t b = 0; b < numbers; ++b) place[b + 1] += place[b];
  std::vector<NumberEntry> entries(joint.b.size());
  for (std::size_t a = 0; a < joint.rows(); ++a) {
    for (std::size_t e = joint.begin[a]; e < joint.begin[a + 1]; ++e) {
      entries[place[joint.b[e]]++] = {static_cast<std::uint32_t>(a), joint.b[e], joint.count[e]};
    }
  }
  return entries;
}

// w += n (y u + v)
[[gnu::always_inline]] inline void add_line_body(double n, double y, const double* u,
                                                 const double* v, double* w) {
  for (std::size_t i = 0; i < kRows; ++i) w[i] += n * (y * u[i] + v[i]);
}
SEMVEIL_TARGET_AVX2 void add_line_avx2(double n, double y, const double* u, const double* v,
                                       double* w) {
  add_line_body(n, y, u, v, w);
}
void add_line(double n, double y, const double* u, const double* v, double* w) {
  if (has_avx2()) {
    add_line_avx2(n, y, u, v, w);
  } else {
    add_line_body(n, y, u, v, w);
  }
}

}  // namespace

double mixed_covariance_sum(const Column& a, const Column& b, const Joint& joint,
                            unsigned threads) {
  if (a.size() < 2 || b.size() < 2) return 0;
  const std::vector<NumberEntry> entries = by_number(joint, b.size());
  const std::vector<double> y = b.numbers_about_mean();
  std::vector<double> row_sum(a.size());
  in_parallel(threads, (a.size() + kRows - 1) / kRows, [&](std::size_t piece) {
    const std::size_t first = piece * kRows;
    const std::size_t last = std::min(first + kRows, a.size());
    // Σ_b N_ab |y − y_b| = y u_a + v_a; at first all numbers lie above y.
    std::vector<double> u(kRows, 0.0);
    std::vector<double> v(kRows, 0.0);
    for (std::size_t i = first; i < last; ++i) {
      for (std::size_t e = joint.begin[i]; e < joint.begin[i + 1]; ++e) {
        u[i - first] -= joint.count[e];
        v[i - first] += joint.count[e] * y[joint.b[e]];
      }
    }
    std::vector<double> w((a.size() - first) * kRows, 0.0);  // for a' = first …
    for (const NumberEntry& entry : entries) {
      if (entry.a < first) continue;
      if (entry.a < last) {
        u[entry.a - first] += 2 * entry.count;
        v[entry.a - first] -= 2 * (entry.count * y[entry.b]);
      }
      add_line(entry.count, y[entry.b], u.data(), v.data(), w.data() + (entry.a - first) * kRows);
    }
    std::vector<std::uint32_t> sources;
    for (std::size_t i = first; i < last; ++i) sources.push_back(static_cast<std::uint32_t>(i));
    a.centred_rows(sources, [&](std::size_t i, std::span<const double> delta) {
      row_sum[first + i] = symmetric_row(delta.subspan(first), i, w.data() + i, kRows);
    });
  });
  double sum = 0;
  for (const double of_row : row_sum) sum += of_row;
  return sum;
}

}  // namespace semveil
