// Pieces of public_edition(): rounding, and what a column may show.
#pragma once

#include <cmath>

#include "base/three_digits.h"
#include "report/html.h"
#include "semveil/audit.h"
#include "semveil/compare.h"

namespace semveil::report {

inline void round_figure(double& figure) { figure = rounded(figure); }
// What counts are rounded to, so that three digits of `count` are left.
inline std::uint64_t step_of(std::uint64_t count) {
  std::uint64_t power = 1;
  while (count / power >= 1000) power *= 10;
  return power;
}
inline void round_to(std::uint64_t& count, std::uint64_t step) {
  count = (count + step / 2) / step * step;
}
inline void round_figure(std::uint64_t& count) { round_to(count, step_of(count)); }
inline void round_figure(Interval& interval) {
  round_figure(interval.low);
  round_figure(interval.high);
}
template <class Figure>
void round_figure(std::optional<Figure>& figure) {
  if (figure) round_figure(*figure);
}
template <class... Figures>
void round_all(Figures&... figures) {
  (round_figure(figures), ...);
}

inline double unit_of(double figure) { return unit_of_three_digits(figure); }
inline double unit_of(std::uint64_t count) { return static_cast<double>(step_of(count)); }
// A figure of the original and the release's beside it, rounded alike. A difference that may come
// from rounding is not shown. Only the rounded figure of the original decides it: with the exact
// one the release's, which anybody can count, would narrow it down.
template <class Figure>
void round_both(Figure& before, Figure& after) {
  round_figure(before);
  const double apart = std::abs(static_cast<double>(after) - static_cast<double>(before));
  if (apart < unit_of(before)) {
    after = before;
  } else {
    round_figure(after);
  }
}
template <class Figure>
void round_both(std::optional<Figure>& before, std::optional<Figure>& after) {
  if (before && after) return round_both(*before, *after);
  round_figure(before);
}

// The members that are named, of a copy that has nothing else: what is not named is not shown.
template <class Figures, class... Members>
Figures only(const Figures& from, Members... members) {
  Figures out;
  ((out.*members = from.*members), ...);
  return out;
}

// What a public column keeps to itself, and so how its other figures are told.
enum class Hidden : std::uint8_t {
  kNothing,  // every value is named
  kSome,     // values are pooled or left out: three digits
  kAll,      // of at most three values: not at all
};
Hidden make_public(AuditedColumn& column, const Audit& audit, double k);
// Of the table unchanged.
void make_unchanged_public(ComparedRelease& unchanged);
// `is_hidden`: it is about a column of which nothing may be told.
void make_public(Finding& finding, bool is_hidden);
// What may be shown of them at all, before it is rounded or pooled.
AuditedColumn declared(const AuditedColumn& column);
Audit declared(const Audit& audit);

}  // namespace semveil::report
