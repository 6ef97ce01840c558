#include "reproduce/figures.h"

#include <fmt/format.h>

#include <algorithm>

namespace semveil::reproduction {
namespace {

void add_curve(ReproducedFigure& figure, std::string name, bool theirs, std::span<const double> x,
               std::span<const double> y) {
  figure.curves.push_back({std::move(name), theirs, {x.begin(), x.end()}, {y.begin(), y.end()}});
}

}  // namespace

void add_theirs(ReproducedFigure& figure, std::string name, std::span<const double> x,
                std::span<const double> y) {
  add_curve(figure, std::move(name), true, x, y);
}

void add_ours(ReproducedFigure& figure, std::string name, std::span<const double> x,
              std::span<const double> y) {
  add_curve(figure, std::move(name), false, x, y);
}

Verdict all_hold(std::span<const Verdict> verdicts) {
  Verdict out{true, ""};
  for (const Verdict& verdict : verdicts) {
    out.holds = out.holds && verdict.holds;
    out.figures += (out.figures.empty() ? "" : ". ") + verdict.figures;
  }
  return out;
}

const std::vector<double>& Reading::x() const {
  const auto ours = std::ranges::find(figure_.curves, false, &ReproducedFigure::Curve::theirs);
  return ours->x;
}

const std::vector<double>& Reading::y(std::string_view name) const {
  const auto named = std::ranges::find_if(
      figure_.curves, [&](const auto& curve) { return !curve.theirs && curve.name == name; });
  return named->y;
}

double Reading::mean(std::string_view name) const {
  double sum = 0;
  for (const double figure : y(name)) sum += figure;
  return sum / static_cast<double>(y(name).size());
}

std::string Reading::shown(std::string_view name) const {
  return fmt::format("{}: ", name) +
         listed(parameter_, x(), [&](std::size_t i) { return fmt::format("{:.3f}", y(name)[i]); });
}

Verdict Reading::move(Names names, double sign) const {
  std::vector<Verdict> verdicts;
  for (const std::string_view name : names) {
    const std::vector<double>& figures = y(name);
    bool holds = sign * (figures.back() - figures.front()) > 0;
    for (std::size_t i = 1; i < figures.size(); ++i) {
      holds = holds && sign * (figures[i] - figures[i - 1]) >= -tolerance_;
    }
    verdicts.push_back({holds, shown(name)});
  }
  return all_hold(verdicts);
}

Verdict Reading::below(Names names, Names others, double share) const {
  Verdict out{true, ""};
  for (const std::string_view name : names) {
    for (const std::string_view other : others) {
      for (std::size_t i = 0; i < x().size(); ++i) {
        out.holds = out.holds && y(name)[i] <= y(other)[i] + tolerance_;
      }
      out.holds = out.holds && mean(name) <= share * mean(other);
    }
  }
  std::vector<std::string_view> all(names);
  all.insert(all.end(), others);
  for (const std::string_view name : all) {
    out.figures += (out.figures.empty() ? "" : ". ") + shown(name) +
                   (share < 1 ? fmt::format(" (mean {:.3f})", mean(name)) : "");
  }
  return out;
}

}  // namespace semveil::reproduction
