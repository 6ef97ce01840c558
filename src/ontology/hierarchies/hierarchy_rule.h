// What a text of a column is on each level of a hierarchy that nobody wrote
// (semveil/hierarchy.h): the plan's rule, fitted to the column's different texts.
//
// Fitted are how many levels there are, the longest text (prefixes), and the range (what an
// interval loses). The rule then places any text that it can read, also one that the fit did not
// see.
//
// Prefixes are counted from the left: with a longest text of L characters, level i has the first
// L − i characters and i stars. A shorter text stays what it is until its turn comes: of E119 and
// E11 level 1 has E11* for both.
//
// Numbers lie in an interval by their value, not by how they are written: 5 and 5.0 are in [5, 10).
// The ends of intervals are the decimal numbers that are written, so that 0.3 lies in [0.3, 0.4).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/date_text.h"
#include "semveil/hierarchy.h"
#include "semveil/result.h"

namespace semveil {

// A level of a text, above the text itself and below "*".
struct HierarchyStep {
  std::string label;
  double low = 0, high = 0;  // of numbers, or days of dates: from low to below high
};

class HierarchyRule {  // immutable, thread-safe
 public:
  // Texts that the rule cannot read are left out. A kind that is chosen is settled.
  static Result<HierarchyRule> fit(HierarchySettings settings, bool are_numbers,
                                   std::span<const std::string_view> texts);
  // What a model keeps: fit() of the same column has made it.
  struct Fitted {
    HierarchySettings settings;
    bool was_chosen = false;
    unsigned levels = 0;   // between the values and "*"
    unsigned longest = 0;  // prefixes: characters
    double low = 0, high = 0;
  };
  explicit HierarchyRule(Fitted fitted);

  const Fitted& fitted() const { return fitted_; }
  const HierarchySettings& settings() const { return fitted_.settings; }
  // From the level above the text to the one below "*". Nothing: the rule cannot read it.
  std::optional<std::vector<HierarchyStep>> steps(std::string_view text) const;
  // Whether steps are intervals: then a step loses share(step), else by the values below it.
  bool has_widths() const;
  // The width within the column's range, by the range. 1 of everything, unless there is no range.
  double share(const HierarchyStep& step) const;
  double share_of_all() const { return fitted_.high > fitted_.low ? 1 : 0; }

 private:
  Fitted fitted_;
  DateForm dates_;
};

// Above everything.
inline constexpr std::string_view kEverything = "*";

// What suits a column: dates, codes of one length (by prefixes), numbers (by intervals, a tenth of
// their range at most), else nothing but "*".
// `dates`: how they are written.
HierarchySettings chosen_hierarchy(bool are_numbers, std::span<const std::string_view> texts,
                                   const DateForm& dates = {});

}  // namespace semveil
