#include "compare_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "description.h"
#include "text_table.h"

namespace semveil::cli {
namespace {

constexpr std::size_t kMapWidth = 60, kMapHeight = 16;

// 1 … 9, a … z; many more than that are only dots.
char mark_of(std::size_t i) {
  constexpr std::string_view kMarks = "123456789abcdefghijklmnopqrstuvwxyz";
  return i < kMarks.size() ? kMarks[i] : '.';
}

std::string found(const std::map<std::string, double>& figures, std::string_view name) {
  const auto at = figures.find(std::string(name));
  return figure(at == figures.end() ? std::nullopt : std::optional(at->second));
}

double greatest(const Comparison& comparison, std::optional<double> ComparedRelease::* figure) {
  double most = 0;
  for (const ComparedRelease& release : comparison.releases) {
    if (release.*figure) most = std::max(most, *(release.*figure));
  }
  return most;
}

std::size_t place(double value, double most, std::size_t size) {
  if (most <= 0) return 0;
  return static_cast<std::size_t>(std::lround(value / most * static_cast<double>(size - 1)));
}

}  // namespace

std::string releases_table(const std::vector<ComparedRelease>& releases) {
  using Align = TextTable::Align;
  TextTable table({Align::kLeft, Align::kRight, Align::kLeft, Align::kRight, Align::kRight,
                   Align::kRight, Align::kRight, Align::kRight, Align::kRight, Align::kRight});
  table.add({"", "", "", "risk", "", "", "loss", "", "", ""});
  table.add({"", "", "configuration", "prosec.", "linkage", "vulner.", "mean", "variance",
             "correl.", "distr."});
  std::vector<std::string> failures;
  for (std::size_t i = 0; i < releases.size(); ++i) {
    const ComparedRelease& release = releases[i];
    std::vector<std::string> cells{release.is_best ? "*" : "",
                                   i < 35 ? std::string(1, mark_of(i)) : std::to_string(i + 1),
                                   shortened(printable(release.label), kNameWidth + 10)};
    if (release.audit) {
      for (const RiskKind kind :
           {RiskKind::kProsecutor, RiskKind::kLinkage, RiskKind::kVulnerability}) {
        cells.push_back(found(release.risks, to_string(kind)));
      }
      for (const KeepKind kind : {KeepKind::kMean, KeepKind::kVariance, KeepKind::kCorrelation,
                                  KeepKind::kDistribution}) {
        cells.push_back(found(release.losses, to_string(kind)));
      }
    } else {
      cells.emplace_back("cannot");
      failures.push_back(fmt::format("{}: {}", release.label, release.failure));
    }
    table.add(std::move(cells));
  }
  std::string out = table.text();
  if (!failures.empty()) out += "\nCannot be had\n";
  for (const std::string& failure : failures) out += wrapped("  ", failure);
  return out;
}

std::string risk_utility_map(const Comparison& comparison) {
  const double most_risk = greatest(comparison, &ComparedRelease::risk);
  const double most_loss = greatest(comparison, &ComparedRelease::loss);
  std::vector<std::string> lines(kMapHeight, std::string(kMapWidth, ' '));
  bool any = false;
  // The best ones last, so that nothing hides them.
  for (const bool best : {false, true}) {
    for (std::size_t i = 0; i < comparison.releases.size(); ++i) {
      const ComparedRelease& release = comparison.releases[i];
      if (!release.risk || !release.loss || release.is_best != best) continue;
      any = true;
      lines[kMapHeight - 1 - place(*release.risk, most_risk, kMapHeight)]
           [place(*release.loss, most_loss, kMapWidth)] = mark_of(i);
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
  const std::string axis = fmt::format("loss: {}", to_string(comparison.keep));
  out += fmt::format("  {:>7}  0  {:<{}}{}\n", "", axis, kMapWidth - 3 - figure(most_loss).size(),
                     figure(most_loss));
  return out;
}

KeepKind keep_named(std::string_view name) {
  if (name.starts_with("mean")) return KeepKind::kMean;
  if (name == "variance") return KeepKind::kVariance;
  return name == "correlation" ? KeepKind::kCorrelation : KeepKind::kDistribution;
}

RiskKind risk_named(std::string_view name) {
  return name == "prosecutor" ? RiskKind::kProsecutor
         : name == "linkage"  ? RiskKind::kLinkage
                              : RiskKind::kVulnerability;
}

Json release_json(const ComparedRelease& release) {
  const auto figure_json = [](const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
  };
  const auto figures = [](const std::map<std::string, double>& values) {
    Json json = Json::object();
    for (const auto& [name, value] : values) json[name] = value;
    return json;
  };
  Json json{{"label", release.label},
            {"configuration", parameters_json(release.configuration)},
            {"risk", figure_json(release.risk)},
            {"loss", figure_json(release.loss)},
            {"best", release.is_best},
            {"risks", figures(release.risks)},
            {"losses", figures(release.losses)}};
  if (!release.failure.empty()) json["failure"] = release.failure;
  return json;
}

}  // namespace semveil::cli
