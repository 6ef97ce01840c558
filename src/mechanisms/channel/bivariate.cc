#include "mechanisms/channel/bivariate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/stop.h"
#include "mechanisms/noise/error_spread.h"

namespace semveil {
namespace {

constexpr double kFar = 10;      // beyond it a normal variable is with probability 1e-23
constexpr double kWindow = 9;    // deviations in which Φ goes from 0 to 1
constexpr double kPanel = 0.75;  // scales
constexpr double kPi = 3.14159265358979323846;

struct Node {
  double at, weight;  // on [−1, 1]
};
constexpr std::size_t kNodes = 10;

// The roots of Legendre's polynomial by Newton's method.
std::array<Node, kNodes> legendre_nodes() {
  std::array<Node, kNodes> out{};
  for (std::size_t i = 0; i < kNodes; ++i) {
    double x = std::cos(kPi * (static_cast<double>(i) + 0.75) / (kNodes + 0.5)), slope = 1;
    for (int step = 0; step < 10; ++step) {
      double before = 1, value = x;
      for (std::size_t n = 2; n <= kNodes; ++n) {
        const auto degree = static_cast<double>(n);
        const double next = ((2 * degree - 1) * x * value - (degree - 1) * before) / degree;
        before = value;
        value = next;
      }
      slope = kNodes * (x * value - before) / (x * x - 1);
      x -= value / slope;
    }
    out[i] = {x, 2 / ((1 - x * x) * slope * slope)};
  }
  return out;
}

double density(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * kPi); }

class Grid {
 public:
  Grid(std::span<const double> x, std::span<const double> y, double rho)
      : x_(x), y_(y), rho_(rho), s_(std::sqrt((1 - rho) * (1 + rho))) {}

  std::vector<double> run() {
    out_.assign((x_.size() - 1) * (y_.size() - 1), 0);
    for (std::size_t i = 0; i + 1 < x_.size(); ++i) {
      add_cells(std::max(x_[i], -kFar), std::min(x_[i + 1], kFar),
                out_.data() + i * (y_.size() - 1));
    }
    return std::move(out_);
  }

 private:
  // A row of cells: from a to b.
  void add_cells(double a, double b, double* cells) {
    if (a >= b) return;
    std::vector<double> ends = {a, b};
    for (const double d : y_) {
      for (const double end : {(d - kWindow * s_) / rho_, (d + kWindow * s_) / rho_}) {
        if (end > a && end < b) ends.push_back(end);
      }
    }
    std::sort(ends.begin(), ends.end());
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
      const double u = ends[i], v = ends[i + 1];
      if (u == v) continue;
      const double mean = rho_ * (u + v) / 2;
      const auto first = std::upper_bound(y_.begin(), y_.end(), mean - kWindow * s_);
      const bool changes = first != y_.end() && *first < mean + kWindow * s_;
      if (changes) {
        add_panels(u, v, cells);
      } else if (first != y_.begin() && first != y_.end()) {
        cells[first - y_.begin() - 1] += normal_between(u, v);
      }
    }
  }

  void add_panels(double u, double v, double* cells) {
    static const std::array<Node, kNodes> kLegendre = legendre_nodes();
    const double scale = kPanel * std::min(1.0, s_ / std::abs(rho_));
    const auto panels = static_cast<std::size_t>(std::ceil((v - u) / scale));
    const double half = (v - u) / static_cast<double>(2 * panels);
    for (std::size_t p = 0; p < panels; ++p) {
      const double middle = u + half * static_cast<double>(2 * p + 1);
      for (const Node& node : kLegendre) {
        const double x = middle + half * node.at;
        add_node(rho_ * x, half * node.weight * density(x), cells);
      }
    }
  }

  // Y's cells, given its mean.
  void add_node(double mean, double weight, double* cells) const {
    const auto first = std::upper_bound(y_.begin(), y_.end(), mean - kWindow * s_) - y_.begin();
    double before = -std::numeric_limits<double>::infinity();
    for (auto j = static_cast<std::size_t>(first);; ++j) {
      const bool inside = j < y_.size() && y_[j] < mean + kWindow * s_;
      const double at = inside ? (y_[j] - mean) / s_ : std::numeric_limits<double>::infinity();
      if (j > 0 && j < y_.size()) cells[j - 1] += weight * normal_between(before, at);
      if (!inside) return;
      before = at;
    }
  }

  std::span<const double> x_, y_;
  double rho_, s_;
  std::vector<double> out_;
};

}  // namespace

std::vector<double> bivariate_grid(std::span<const double> x_edges, std::span<const double> y_edges,
                                   double correlation) {
  if (correlation != 0) return Grid(x_edges, y_edges, correlation).run();
  std::vector<double> out;
  for (std::size_t i = 0; i + 1 < x_edges.size(); ++i) {
    check_stop();
    const double of_x = normal_between(x_edges[i], x_edges[i + 1]);
    for (std::size_t j = 0; j + 1 < y_edges.size(); ++j) {
      out.push_back(of_x * normal_between(y_edges[j], y_edges[j + 1]));
    }
  }
  return out;
}

double bivariate_panels(std::size_t x_edges, std::size_t y_edges, double correlation) {
  const double rho = std::abs(correlation), s = std::sqrt((1 - rho) * (1 + rho));
  const double wide = 2 * kFar / (kPanel * std::min(1.0, rho > 0 ? s / rho : 1.0));
  const double near = 2 * kWindow / kPanel * static_cast<double>(y_edges);
  return std::min(wide, near) + static_cast<double>(x_edges + 2 * y_edges);
}

double bivariate_rectangle(double a, double b, double c, double d, double correlation) {
  const std::array<double, 2> x{a, b}, y{c, d};
  return bivariate_grid(x, y, correlation)[0];
}

}  // namespace semveil
