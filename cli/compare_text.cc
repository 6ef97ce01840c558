#include "compare_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "description.h"
#include "help.h"
#include "text_table.h"

namespace semveil::cli {
namespace {

constexpr std::size_t kMapWidth = 60, kMapHeight = 16;
constexpr std::size_t kLabelWidth = 26;
constexpr std::string_view kMarks = "123456789abcdefghijklmnopqrstuvwxyz";

double greatest(const Comparison& comparison, std::optional<double> ComparedRelease::* figure) {
  double most = (comparison.unchanged.*figure).value_or(0);
  for (const ComparedRelease& release : comparison.releases) {
    if (release.*figure) most = std::max(most, *(release.*figure));
  }
  return most;
}

std::size_t place(double value, double most, std::size_t size) {
  if (most <= 0) return 0;
  return static_cast<std::size_t>(std::lround(value / most * static_cast<double>(size - 1)));
}

// In lines of at most kLabelWidth where there are blanks: nothing is cut, so that no two rows look
// alike.
std::vector<std::string> label_lines(const std::string& label) {
  std::vector<std::string> lines{""};
  std::string_view rest = label;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const std::string word(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const bool fits = lines.back().empty() || width(lines.back()) + 1 + width(word) <= kLabelWidth;
    if (!fits) lines.emplace_back("  " + word);
    if (fits) lines.back() += (lines.back().empty() ? "" : " ") + word;
  }
  return lines;
}

std::string_view short_name(KeepKind keep) {
  if (keep == KeepKind::kCorrelation) return "correl.";
  return keep == KeepKind::kDistribution ? "distr." : to_string(keep);
}

class ReleasesText {
 public:
  explicit ReleasesText(KeepKind keep) {
    table_.add({"", "row", "", "configuration", "risk", "which is", "loss", "RMSE",
                std::string(short_name(keep)), "unique"});
  }

  void add(const std::string& star, const std::string& row, const std::string& mark,
           const ComparedRelease& release) {
    const std::vector<std::string> lines = label_lines(printable(release.label));
    std::vector<std::string> cells{star, row, mark, lines.front()};
    if (release.audit) {
      cells.push_back(figure(release.risk));
      cells.push_back(release.risk_name);
      cells.push_back(figure(release.loss));
      cells.push_back(figure(release.rmse));
      cells.push_back(figure(release.keep_loss));
      cells.push_back(release.uniques ? grouped(*release.uniques) : "-");
    } else {
      cells.emplace_back("cannot");
      failures_.push_back(fmt::format("{} {}: {}", row, release.label, release.failure));
    }
    table_.add(std::move(cells));
    for (std::size_t i = 1; i < lines.size(); ++i) table_.add({"", "", "", lines[i]});
  }

  std::string text() const {
    std::string out = table_.text();
    if (!failures_.empty()) out += "\nCannot be had\n";
    for (const std::string& failure : failures_) out += wrapped("  ", failure);
    return out;
  }

 private:
  using Align = TextTable::Align;
  TextTable table_{{Align::kLeft, Align::kRight, Align::kLeft, Align::kLeft, Align::kRight,
                    Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight}};
  std::vector<std::string> failures_;
};

}  // namespace

std::optional<char> mark_of(std::size_t row) {
  return row < kMarks.size() ? std::optional(kMarks[row]) : std::nullopt;
}

std::optional<std::size_t> row_named(std::string_view name, std::size_t rows) {
  std::size_t number = 0;
  const char* const end = name.data() + name.size();
  const auto read = std::from_chars(name.data(), end, number);
  if (read.ec == std::errc() && read.ptr == end) {
    return number >= 1 && number <= rows ? std::optional(number - 1) : std::nullopt;
  }
  if (name.size() != 1) return std::nullopt;
  const std::size_t at = kMarks.find(name.front());
  return at < rows ? std::optional(at) : std::nullopt;
}

std::string releases_table(const ReleaseRows& rows) {
  ReleasesText text(rows.keep);
  if (rows.unchanged != nullptr) text.add("", "0", "", *rows.unchanged);
  for (std::size_t i = 0; i < rows.releases->size(); ++i) {
    // Up to 9 the number is the mark.
    const std::optional<char> mark = i < 9 ? std::nullopt : mark_of(i);
    text.add(rows.starred[i] ? "*" : "", std::to_string(i + 1), mark ? std::string(1, *mark) : "",
             (*rows.releases)[i]);
  }
  return text.text();
}

std::string risk_utility_map(const Comparison& comparison) {
  const double most_risk = greatest(comparison, &ComparedRelease::risk);
  const double most_loss = greatest(comparison, &ComparedRelease::loss);
  std::vector<std::string> lines(kMapHeight, std::string(kMapWidth, ' '));
  bool any = false;
  const auto put = [&](const ComparedRelease& release, char mark) {
    if (!release.risk || !release.loss) return;
    any = true;
    lines[kMapHeight - 1 - place(*release.risk, most_risk, kMapHeight)]
         [place(*release.loss, most_loss, kMapWidth)] = mark;
  };
  put(comparison.unchanged, '0');
  // Those that nothing dominates last, so that nothing hides them.
  for (const bool last : {false, true}) {
    for (std::size_t i = 0; i < comparison.releases.size(); ++i) {
      if (comparison.releases[i].not_dominated != last) continue;
      put(comparison.releases[i], mark_of(i).value_or('.'));
    }
  }
  if (!any) return "";
  std::string out = fmt::format("  risk: {}\n", to_string(comparison.risk));
  for (std::size_t y = 0; y < kMapHeight; ++y) {
    const std::string scale = y == 0 ? figure(most_risk) : y == kMapHeight - 1 ? "0" : "";
    std::string line = fmt::format("  {:>7} |{}", scale, lines[y]);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  out += fmt::format("  {:>7} +{}\n", "", std::string(kMapWidth, '-'));
  const std::string axis = fmt::format("loss: RMSE and {}", to_string(comparison.keep));
  out += fmt::format("  {:>7}  0  {:<{}}{}\n", "", axis, kMapWidth - 3 - figure(most_loss).size(),
                     figure(most_loss));
  return out;
}

std::string attacks_table(const Comparison& comparison) {
  using Align = TextTable::Align;
  TextTable table(
      {Align::kRight, Align::kLeft, Align::kLeft, Align::kRight, Align::kRight, Align::kRight});
  table.add({"row", "configuration", "attack", "rate", "control", "risk"});
  const auto add = [&](std::size_t row, const ComparedRelease& release) {
    if (!release.audit) return;
    bool first = true;
    for (const Attack& attack : release.audit->attacks) {
      const std::string about = attack.about.empty() ? "" : " of " + name_cell(attack.about);
      table.add({first ? std::to_string(row) : "", first ? printable(release.label) : "",
                 attack.name + about, figure(attack.rate), figure(attack.control),
                 figure(attack.risk)});
      first = false;
    }
  };
  add(0, comparison.unchanged);
  for (std::size_t i = 0; i < comparison.releases.size(); ++i) {
    add(i + 1, comparison.releases[i]);
  }
  return table.text();
}

KeepKind keep_named(std::string_view name) {
  if (name.starts_with("mean")) return KeepKind::kMean;
  if (name == "variance") return KeepKind::kVariance;
  return name == "correlation" ? KeepKind::kCorrelation : KeepKind::kDistribution;
}

void add_risk_option(CLI::App& verb, std::string& risk) {
  static constexpr std::array<std::string_view, 4> kRisks{"greatest", "prosecutor", "linkage",
                                                          "vulnerability"};
  add_choice(
      verb, "--risk", risk,
      "What is called the risk; greatest takes the greatest of the figures that apply to the "
      "method",
      kRisks, kRisks[0]);
}

RiskKind risk_named(std::string_view name) {
  return name == "prosecutor"      ? RiskKind::kProsecutor
         : name == "linkage"       ? RiskKind::kLinkage
         : name == "vulnerability" ? RiskKind::kVulnerability
                                   : RiskKind::kGreatest;
}

std::string loss_text(const ComparedRelease& release, KeepKind keep) {
  return fmt::format("{:.4g} = ½ RMSE {} + ½ {} {}", release.loss.value_or(0), figure(release.rmse),
                     to_string(keep), figure(release.keep_loss));
}

}  // namespace semveil::cli
