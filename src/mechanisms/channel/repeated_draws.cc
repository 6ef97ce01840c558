#include "mechanisms/channel/repeated_draws.h"

#include <algorithm>
#include <cmath>

#include "base/stop.h"
#include "mechanisms/channel/fixed_draws.h"

namespace semveil {
namespace {

constexpr double kMostLookCells = 4e7;
constexpr double kMostLooks = 2e7;
constexpr double kMostDrawnSteps = 4e9;
constexpr double kFewestDraws = 100;

// P(z | x) by released value, then original one; released values that nothing
// becomes left out.
struct Looks {
  std::vector<double> prior;              // by original value: p(x)
  std::vector<std::vector<double>> by_z;  // by released value, then original one

  static Looks of(const Channel& channel) {
    Looks out;
    const ValueCounts& counts = channel.prior();
    const std::size_t width = channel.attribute().size() + 1;
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

std::vector<double> cumulated(const std::vector<double>& shares) {
  std::vector<double> out;
  double sum = 0;
  for (const double share : shares) out.push_back(sum += share);
  return out;
}

// Values, and r released ones of each. Only what was drawn is kept of the channel, as a whole one
// may be larger than memory.
class DrawnLooks {
 public:
  DrawnLooks(const Channel& channel, std::uint64_t r, std::size_t draws)
      : channel_(channel), r_(r), width_(channel.attribute().size() + 1) {
    const ValueCounts& counts = channel.prior();
    const auto records = static_cast<double>(counts.total());
    for (const std::uint64_t count : counts.counts) {
      prior_.push_back(static_cast<double>(count) / records);
    }
    draw(draws);
    look_up();
  }

  // The chance of a best guess after the looks of one draw.
  double guess(std::size_t draw, std::vector<double>& weights) const {
    weights = prior_;
    for (std::uint64_t look = 0; look < r_; ++look) {
      const double* seen = &seen_[looks_[draw * r_ + look] * prior_.size()];
      double greatest = 0;
      for (std::size_t x = 0; x < weights.size(); ++x) {
        weights[x] *= seen[x];
        greatest = std::max(greatest, weights[x]);
      }
      for (double& weight : weights) weight /= greatest;  // many looks would underflow
    }
    double all = 0;
    for (const double weight : weights) all += weight;
    return 1 / all;  // the greatest is 1
  }

 private:
  void draw(std::size_t draws) {
    constexpr std::uint32_t kStream = 17;  // of its own
    FixedDraws random(kStream);
    const std::vector<double> of_x = cumulated(prior_);
    std::vector<std::size_t> xs;
    for (std::size_t i = 0; i < draws; ++i) xs.push_back(drawn_from(of_x, uniform(random)));
    std::ranges::sort(xs);  // so that a row of the channel is computed once
    std::vector<double> of_z;
    for (std::size_t i = 0; i < draws; ++i) {
      check_stop();
      if (i == 0 || xs[i] != xs[i - 1]) of_z = cumulated(row(xs[i]));
      for (std::uint64_t look = 0; look < r_; ++look) {
        looks_.push_back(static_cast<std::uint32_t>(drawn_from(of_z, uniform(random))));
      }
    }
  }

  // P(z | x) for every z that was drawn; looks_ become places among these.
  void look_up() {
    std::vector<std::uint32_t> drawn = looks_;
    std::ranges::sort(drawn);
    drawn.erase(std::ranges::unique(drawn).begin(), drawn.end());
    seen_.resize(drawn.size() * prior_.size());
    for (std::size_t x = 0; x < prior_.size(); ++x) {
      check_stop();
      const std::vector<double>& of_x = row(x);
      for (std::size_t i = 0; i < drawn.size(); ++i) seen_[i * prior_.size() + x] = of_x[drawn[i]];
    }
    for (std::uint32_t& z : looks_) {
      z = static_cast<std::uint32_t>(std::ranges::lower_bound(drawn, z) - drawn.begin());
    }
  }

  const std::vector<double>& row(std::size_t x) {
    row_.assign(width_, 0);
    channel_.probabilities(channel_.prior().values[x], row_);
    return row_;
  }

  const Channel& channel_;
  std::uint64_t r_;
  std::size_t width_;
  std::vector<double> prior_;         // by original value: p(x)
  std::vector<std::uint32_t> looks_;  // r after r
  std::vector<double> seen_;          // by drawn z, then original value
  std::vector<double> row_;
};

// How many draws are not too much work; none: too few to be told.
std::optional<std::size_t> affordable_draws(double values, double width, double r) {
  double draws = std::min(
      {static_cast<double>(kRepeatedDraws), kMostDrawnSteps / (r * values), kMostLooks / r});
  if (width * values > kMostLookCells) draws = std::min(draws, kMostLookCells / (r * values));
  if (draws < kFewestDraws) return std::nullopt;
  return static_cast<std::size_t>(draws);
}

RepeatedLook drawn_look(const Channel& channel, std::uint64_t r, std::size_t draws) {
  const DrawnLooks looks(channel, r, draws);
  double total = 0, squares = 0;
  std::vector<double> weights;
  for (std::size_t i = 0; i < draws; ++i) {
    check_stop();
    const double guess = looks.guess(i, weights);
    total += guess;
    squares += guess * guess;
  }
  const auto n = static_cast<double>(draws);
  const double mean = total / n;
  const double variance = std::max(0.0, squares / n - mean * mean);
  return {r, mean, kNormalQuantile * std::sqrt(variance / n)};
}

}  // namespace

std::optional<RepeatedLook> repeated_look(const Channel& channel, std::uint64_t rows,
                                          double most_exact_steps) {
  if (rows == 0 || channel.prior().values.empty()) return std::nullopt;
  const auto values = static_cast<double>(channel.prior().values.size());
  const auto width = static_cast<double>(channel.attribute().size() + 1);
  if (width * values <= kMostLookCells) {
    const Looks looks = Looks::of(channel);
    if (exact_steps(static_cast<double>(looks.by_z.size()), rows, values) <= most_exact_steps) {
      return RepeatedLook{rows, exact_look(looks, 0, rows, looks.prior), std::nullopt};
    }
  }
  const auto draws = affordable_draws(values, width, static_cast<double>(rows));
  if (!draws) return std::nullopt;
  return drawn_look(channel, rows, *draws);
}

}  // namespace semveil
