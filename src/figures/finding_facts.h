// What the sentence of a finding is made of: its columns and figures, as words.
//
// Choice:  A share that is not 1 is never printed as 100 %, and none above 0 as 0 %: certainty is
//          what a reader looks for.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "semveil/finding.h"

namespace semveil::finding {

inline constexpr std::size_t kNamed = 6;  // columns of a sentence; the others are counted

inline std::string grouped(double count) {
  std::string out = std::to_string(std::llround(count));
  for (std::size_t at = out.size(); at > 3;) out.insert(at -= 3, ",");
  return out;
}

inline std::string percent(double share) {
  if (share < 1 && share > 0.9995) return "more than 99.9 %";
  return fmt::format("{:.3g} %", 100 * share);
}

class Facts {
 public:
  // `is_explained`: of no table, for somebody who asks what such a finding says.
  explicit Facts(const Finding& finding, bool is_explained = false)
      : finding_(finding), is_explained_(is_explained) {}

  bool is_explained() const { return is_explained_; }

  bool has(const std::string& name) const { return finding_.figures.contains(name); }
  double figure(const std::string& name) const {
    const auto found = finding_.figures.find(name);
    return found == finding_.figures.end() ? 0 : found->second;
  }
  // N stands for what a table would tell.
  std::string count(const std::string& name) const {
    return is_explained_ ? "N" : grouped(figure(name));
  }
  std::string share(const std::string& name) const {
    return is_explained_ ? "N %" : percent(figure(name));
  }
  std::string number(const std::string& name) const {
    return is_explained_ ? "N" : fmt::format("{:.4g}", figure(name));
  }
  bool is_one(const std::string& name) const { return figure(name) == 1; }
  // "12 records", "1 record".
  std::string counted(const std::string& name, std::string_view what) const {
    return fmt::format("{} {}{}", count(name), what,
                       is_one(name)      ? ""
                       : what == "class" ? "es"
                                         : "s");
  }
  // "a, b and c"
  std::string columns() const {
    return listed([](const std::string& name) { return name; });
  }
  // "a in 100 %, b in 5 % and c in 1 %"; without shares "a, b and c".
  std::string columns_with_shares() const {
    if (!has_share_of_each()) return columns();
    return listed([&](const std::string& name) { return name + " in " + share("share." + name); });
  }
  std::string column_or_columns() const {
    return (finding_.columns.size() == 1 ? "column " : "columns ") + columns();
  }
  // "title tells code in 97.00 % of the records": the first column, and shares of the others.
  std::string first_tells_the_others() const {
    std::string out;
    for (std::size_t i = 1; i < finding_.columns.size(); ++i) {
      const std::string& told = finding_.columns[i];
      out += fmt::format("{}{} tells {}", i == 1 ? "" : "; ", finding_.columns[0], told);
      if (has("share." + told)) {
        out += fmt::format(" in {:.2f} % of the records", 100 * figure("share." + told));
      }
    }
    return out;
  }
  const std::vector<std::string>& all_columns() const { return finding_.columns; }
  bool is_single_column() const { return finding_.columns.size() == 1; }
  // Whether there is a share for each column: figures named share.COLUMN.
  bool has_share_of_each() const {
    return !finding_.columns.empty() &&
           std::ranges::all_of(finding_.columns,
                               [&](const std::string& name) { return has("share." + name); });
  }

 private:
  template <class Words>
  std::string listed(const Words& words) const {
    const std::vector<std::string>& names = finding_.columns;
    const std::size_t shown = names.size() > kNamed + 1 ? kNamed : names.size();
    std::string out;
    for (std::size_t i = 0; i < shown; ++i) {
      const bool is_last = i + 1 == names.size();
      out += (i == 0 ? "" : is_last ? " and " : ", ") + words(names[i]);
    }
    return shown == names.size() ? out : fmt::format("{} and {} more", out, names.size() - shown);
  }

  const Finding& finding_;
  bool is_explained_;
};

}  // namespace semveil::finding
