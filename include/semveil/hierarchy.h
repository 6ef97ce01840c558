// Hierarchies that nobody has to write: a rule says what a value is on each level.
//
//   flat        value → *
//   intervals   width w from 0, then 2w, 4w, … as long as there is more than one, then *
//   cuts        (-inf, a) [a, b) … [z, inf), then neighbours joined two by two, then *
//   prefix      one character less a level, * in its place, then *
//   date        day → month → quarter → year → decade → *, or day → ISO week → ISO year → *
//
// Example: 37 by intervals of 5 in a column from 17 to 90: [35, 40), [30, 40), [20, 40), [0, 40),
// [0, 80), *. In a column of ZIP codes 02139 by prefixes: 0213*, 021**, 02***, 0****, *.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] semveil {

// What the plan says.
struct HierarchySettings {
  enum class Kind : std::uint8_t { kChosen, kFlat, kIntervals, kCuts, kPrefix, kDate };

  Kind kind = Kind::kChosen;  // by the column's values, where the plan names none
  double width = 0;           // of the narrowest intervals
  std::vector<double> cuts;   // ascending, each once
  bool by_weeks = false;      // dates: weeks do not nest in months
  std::string date_format;    // how dates are written, as the column says; empty: ISO 8601
  // How an interval is spelt: {low}, and {high} or, of whole numbers, {last}, which is in it.
  // Empty: [{low}, {high}).
  std::string as;

  bool operator==(const HierarchySettings&) const = default;
};

// As a plan writes it behind `hierarchy =`: "flat" with its quotes, {intervals = 5}.
std::string hierarchy_text(const HierarchySettings& settings);

}  // namespace semveil
