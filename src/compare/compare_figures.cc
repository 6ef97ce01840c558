#include "compare/compare_figures.h"

#include <algorithm>
#include <cmath>

#include "base/choices.h"
#include "semveil/method.h"

namespace semveil {
namespace {

constexpr Choices<RiskKind, 4> kRisks{{
    {"greatest", RiskKind::kGreatest},
    {"prosecutor", RiskKind::kProsecutor},
    {"linkage", RiskKind::kLinkage},
    {"vulnerability", RiskKind::kVulnerability},
}};
constexpr Choices<KeepKind, 4> kKeeps{{
    {"mean", KeepKind::kMean},
    {"variance", KeepKind::kVariance},
    {"correlation", KeepKind::kCorrelation},
    {"distribution", KeepKind::kDistribution},
}};

void raise(std::optional<double>& most, double value) {
  if (!most || value > *most) most = value;
}

// A column that got a variance from nothing has lost all that was said of it.
double relative_change(double before, double after) {
  if (before > 0) return std::abs(after - before) / before;
  return after > 0 ? 1 : 0;
}

// Of one masked column, where guessing is easiest.
std::optional<double> greatest_vulnerability(const Audit& audit) {
  std::optional<double> most;
  for (const ChannelFigures& channel : audit.channels) {
    if (channel.risk.columns.size() == 1) raise(most, channel.risk.vulnerability);
  }
  return most;
}

// Of all masked columns together; where that is too much to compute, of the easiest one.
std::optional<NamedRisk> guessing_cells(const Audit& audit) {
  const auto alone = std::ranges::count_if(audit.channels, [](const ChannelFigures& channel) {
    return channel.risk.columns.size() == 1;
  });
  for (const ChannelFigures& channel : audit.channels) {
    if (channel.risk.columns.size() != static_cast<std::size_t>(alone)) continue;
    return NamedRisk{alone == 1 ? "guessing the column" : "guessing all columns",
                     channel.risk.vulnerability};
  }
  const auto one = greatest_vulnerability(audit);
  return one ? std::optional(NamedRisk{"guessing one column", *one}) : std::nullopt;
}

bool is_unchanged(const Audit& audit) { return audit.method.empty(); }

}  // namespace

std::string_view to_string(RiskKind kind) { return name_of(kRisks, kind); }
std::string_view to_string(KeepKind kind) { return name_of(kKeeps, kind); }

std::vector<NamedRisk> attack_risks(const Audit& audit) {
  std::vector<NamedRisk> out;
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (value) out.push_back({name, *value});
  };
  const MethodDescription& method = method_named(audit.method);
  if (method.releases_sets) {
    add("best guess of a set", greatest_vulnerability(audit));
  } else if (method.draws_per_cell()) {
    if (auto guess = guessing_cells(audit)) out.push_back(*std::move(guess));
    add("linkage by meaning", audit.linkage.semantic);
  } else if (method.deals()) {
    add("finding oneself", audit.linkage.own_among_alike);
    add("linkage by meaning", audit.linkage.semantic);
    add("linkage by window", audit.linkage.window);
  } else {
    if (audit.classes) add("smallest class", audit.classes->prosecutor);
    add("surest link", audit.linkage.worst);
  }
  std::ranges::stable_sort(out, std::ranges::greater{}, &NamedRisk::value);
  return out;
}

std::optional<double> risk_of(const Audit& audit, RiskKind kind) {
  switch (kind) {
    case RiskKind::kGreatest: {
      const std::vector<NamedRisk> all = attack_risks(audit);
      return all.empty() ? std::nullopt : std::optional(all.front().value);
    }
    case RiskKind::kProsecutor:
      return audit.classes ? audit.classes->prosecutor : std::nullopt;
    case RiskKind::kLinkage:
      return audit.linkage.semantic;
    case RiskKind::kVulnerability:
      return is_unchanged(audit) ? std::optional(1.0) : greatest_vulnerability(audit);
  }
  return std::nullopt;
}

std::optional<double> loss_of(const Audit& audit, KeepKind kind) {
  std::optional<double> most;
  if (kind == KeepKind::kCorrelation) {
    for (const AuditedPair& pair : audit.pairs) {
      const BeforeAfter& r = pair.correlation;
      if (r.original && r.masked) raise(most, std::abs(*r.masked - *r.original));
    }
    return most;
  }
  for (const AuditedColumn& column : audit.columns) {
    if (kind == KeepKind::kMean && column.mean_shift) raise(most, *column.mean_shift);
    if (kind == KeepKind::kDistribution && column.total_variation) {
      raise(most, *column.total_variation);
    }
    if (kind == KeepKind::kVariance && column.variance.original && column.variance.masked) {
      raise(most, relative_change(*column.variance.original, *column.variance.masked));
    }
  }
  return most;
}

namespace {

// Over the columns that the plan masks, changed or not; of columns that it leaves there is nothing
// to lose.
std::optional<double> mean_rmse(const TablePair::Impl& pair, const Audit& audit) {
  double sum = 0;
  std::uint64_t columns = 0;
  for (std::size_t j = 0; j < pair.columns.size(); ++j) {
    if (!pair.columns[j].is_masked) continue;
    const std::optional<double>& rmse = audit.columns[j].rmse;
    if (!rmse) continue;
    sum += std::min(*rmse, 1.0);
    ++columns;
  }
  return columns == 0 ? std::nullopt : std::optional(sum / static_cast<double>(columns));
}

std::optional<double> find(const std::map<std::string, double>& figures, std::string_view name) {
  const auto at = figures.find(std::string(name));
  return at == figures.end() ? std::nullopt : std::optional(at->second);
}

std::string name_of_risk(RiskKind kind, const ComparedRelease& release) {
  if (kind != RiskKind::kGreatest) return std::string(to_string(kind));
  return release.attacks.empty() ? "" : release.attacks.front().name;
}

}  // namespace

void measure(const TablePair& pair, const Audit& audit, ComparedRelease& out) {
  out.attacks = attack_risks(audit);
  for (const RiskKind kind : kRiskKinds) {
    if (const auto risk = risk_of(audit, kind)) out.risks[std::string(to_string(kind))] = *risk;
  }
  for (const KeepKind kind : kKeepKinds) {
    if (const auto loss = loss_of(audit, kind)) out.losses[std::string(to_string(kind))] = *loss;
  }
  out.rmse = mean_rmse(pair.impl(), audit);
  if (audit.classes) out.uniques = audit.classes->uniques;
}

void choose_figures(RiskKind risk, KeepKind keep, ComparedRelease& out) {
  if (!out.audit) return;
  out.risk = find(out.risks, to_string(risk));
  out.risk_name = name_of_risk(risk, out);
  out.keep_loss = find(out.losses, to_string(keep));
  if (out.keep_loss) out.keep_loss = std::min(*out.keep_loss, 1.0);
  out.loss = (out.rmse.value_or(0) + out.keep_loss.value_or(0)) / 2;
}

bool keeps_to(const ComparedRelease& release, double most) {
  const bool is_certain = !release.attacks.empty() && release.attacks.front().value >= 1;
  return release.risk && release.loss && in_billionths(*release.risk) <= in_billionths(most) &&
         (!is_certain || most >= 1);
}

std::int64_t in_billionths(double figure) {
  constexpr double kBillion = 1e9;
  return std::llround(figure * kBillion);
}

std::optional<std::size_t> row_of_least_risk(const std::vector<ComparedRelease>& releases) {
  const auto figures = [&](std::size_t i) {
    return std::pair(in_billionths(*releases[i].risk), in_billionths(*releases[i].loss));
  };
  std::optional<std::size_t> least;
  for (std::size_t i = 0; i < releases.size(); ++i) {
    if (!releases[i].risk || !releases[i].loss) continue;
    if (!least || figures(i) < figures(*least)) least = i;
  }
  return least;
}

bool is_nearer_to_nothing(const ComparedRelease& a, const ComparedRelease& b) {
  const auto figures = [](const ComparedRelease& release) {
    return std::pair(in_billionths(distance_to_nothing(release)),
                     in_billionths(release.loss.value_or(1)));
  };
  return figures(a) < figures(b);
}

double distance_to_nothing(const ComparedRelease& release) {
  return std::hypot(release.risk.value_or(1), release.loss.value_or(1));
}

}  // namespace semveil
