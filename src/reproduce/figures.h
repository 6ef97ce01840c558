// Figures of the papers drawn again, and claims decided by their curves.
//
// Curves of the papers are there only where their tables or texts print the figures: nothing is
// read off a drawing.
#pragma once

#include <initializer_list>

#include "reproduce/claims.h"

namespace semveil::reproduction {

inline constexpr double kMilliseconds = 1000;  // of a second

// x ascends, with one y each.
void add_theirs(ReproducedFigure& figure, std::string name, std::span<const double> x,
                std::span<const double> y);
void add_ours(ReproducedFigure& figure, std::string name, std::span<const double> x,
              std::span<const double> y);

// All hold; their figures one after another.
Verdict all_hold(std::span<const Verdict> verdicts);

// What our curves of a figure say. All of them have the same x; a name must be that of one.
class Reading {
 public:
  using Names = std::initializer_list<std::string_view>;

  // `parameter` is what x is called in words, as in "k 5".
  Reading(const ReproducedFigure& figure, std::string_view parameter, double tolerance)
      : figure_(figure), parameter_(parameter), tolerance_(tolerance) {}

  const std::vector<double>& x() const;
  const std::vector<double>& y(std::string_view name) const;
  double mean(std::string_view name) const;  // over x
  std::string shown(std::string_view name) const;

  // From x to x within the tolerance, and in all.
  Verdict grow(Names names) const { return move(names, 1); }
  Verdict fall(Names names) const { return move(names, -1); }
  // Each of the one is, at no x, above any of the others by more than the tolerance, and its mean
  // over x is no more than this share of theirs.
  Verdict below(Names names, Names others, double share = 1) const;

 private:
  Verdict move(Names names, double sign) const;

  const ReproducedFigure& figure_;
  std::string_view parameter_;
  double tolerance_;
};

}  // namespace semveil::reproduction
