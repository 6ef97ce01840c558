#include "mechanisms/channel/repeated_draws.h"

#include <algorithm>
#include <cmath>

#include "base/stop.h"
#include "mechanisms/channel/fixed_draws.h"

namespace semveil {
namespace {

constexpr std::size_t kMostLookCells = 40'000'000;
constexpr double kMostDrawnSteps = 2e10;

// P(z | x) by released value, then original one; released values that nothing
// becomes left out.
struct Looks {
  std::vector<double> prior;              // by original value: p(x)
  std::vector<std::vector<double>> by_z;  // by released value, then original one

  static std::optional<Looks> of(const Channel& channel) {
    Looks out;
    const ValueCounts& counts = channel.prior();
    const std::size_t width = channel.attribute().size() + 1;
    if (counts.values.size() * width > kMostLookCells || counts.values.empty()) return std::nullopt;
    const auto records = static_cast<double>(counts.total());
    out.by_z.assign(width, std::vector<double>(counts.values.size(), 0));
    std::vector<double> row;
    for (std::size_t i = 0; i < counts.values.size(); ++i) {
      check_stop();
      out.prior.push_back(static_cast<double>(counts.counts[i]) / records);
      row.assign(width, 0);
      channel.probabilities(counts.values[i], row);
      for (std::size_t z = 0; z < width; ++z) out.by_z[z][i] = row[z];
    }
    std::erase_if(out.by_z, [](const std::vector<double>& looks) {
      return std::ranges::all_of(looks, [](double p) { return p <= 0; });
    });
    return out;
  }
};

// Multisets of r of n things, times the original values.
double exact_steps(double n, std::uint64_t r, double values) {
  double count = values;
  for (std::uint64_t i = 1; i <= r; ++i) {
    count *= (n + static_cast<double>(i) - 1) / static_cast<double>(i);
    if (count > 1e300) return count;
  }
  return count;
}

// Released values from `first` on share what is left of r; `weights` are p(x) Π
// P so far, times the orders in which they may come.
double exact_look(const Looks& looks, std::size_t first, std::uint64_t left,
                  const std::vector<double>& weights) {
  if (left == 0) return std::ranges::max(weights);
  check_stop();
  double sum = 0;
  for (std::size_t z = first; z < looks.by_z.size(); ++z) {
    std::vector<double> more = weights;
    double orders = 1;
    for (std::uint64_t times = 1; times <= left; ++times) {
      orders *= static_cast<double>(left - times + 1) / static_cast<double>(times);
      bool some = false;
      for (std::size_t x = 0; x < more.size(); ++x) {
        more[x] *= looks.by_z[z][x];
        some |= more[x] > 0;
      }
      if (!some) break;
      if (times == left || z + 1 < looks.by_z.size()) {
        sum += orders * exact_look(looks, z + 1, left - times, more);
      }
    }
  }
  return sum;
}

double uniform(FixedDraws& draws) { return static_cast<double>(draws.next() >> 11U) * 0x1.0p-53; }

std::size_t drawn_from(const std::vector<double>& cumulated, double at) {
  const auto found = std::ranges::upper_bound(cumulated, at * cumulated.back());
  return std::min(static_cast<std::size_t>(found - cumulated.begin()), cumulated.size() - 1);
}

RepeatedLook drawn_look(const Looks& looks, std::uint64_t r) {
  const std::size_t values = looks.prior.size();
  std::vector<double> of_x;
  double sum = 0;
  for (const double p : looks.prior) of_x.push_back(sum += p);
  std::vector<std::vector<double>> of_z(values);
  for (std::size_t x = 0; x < values; ++x) {
    sum = 0;
    for (const std::vector<double>& look : looks.by_z) of_z[x].push_back(sum += look[x]);
  }
  constexpr std::uint32_t kStream = 17;  // of its own
  FixedDraws draws(kStream);
  double total = 0, squares = 0;
  std::vector<double> weights;
  for (std::size_t i = 0; i < kRepeatedDraws; ++i) {
    check_stop();
    const std::size_t x = drawn_from(of_x, uniform(draws));
    weights = looks.prior;
    for (std::uint64_t look = 0; look < r; ++look) {
      const std::vector<double>& seen = looks.by_z[drawn_from(of_z[x], uniform(draws))];
      double greatest = 0;
      for (std::size_t other = 0; other < values; ++other) {
        weights[other] *= seen[other];
        greatest = std::max(greatest, weights[other]);
      }
      for (double& weight : weights) weight /= greatest;  // many looks would underflow
    }
    double all = 0;
    for (const double weight : weights) all += weight;
    const double guess = 1 / all;  // the greatest is 1
    total += guess;
    squares += guess * guess;
  }
  const auto n = static_cast<double>(kRepeatedDraws);
  const double mean = total / n;
  const double variance = std::max(0.0, squares / n - mean * mean);
  return {r, mean, kNormalQuantile * std::sqrt(variance / n)};
}

}  // namespace

std::optional<RepeatedLook> repeated_look(const Channel& channel, std::uint64_t rows,
                                          double most_exact_steps) {
  const std::optional<Looks> looks = Looks::of(channel);
  if (!looks || rows == 0) return std::nullopt;
  const auto released = static_cast<double>(looks->by_z.size());
  const auto values = static_cast<double>(looks->prior.size());
  if (exact_steps(released, rows, values) <= most_exact_steps) {
    return RepeatedLook{rows, exact_look(*looks, 0, rows, looks->prior), std::nullopt};
  }
  if (static_cast<double>(kRepeatedDraws) * static_cast<double>(rows) * values > kMostDrawnSteps) {
    return std::nullopt;
  }
  return drawn_look(*looks, rows);
}

}  // namespace semveil
