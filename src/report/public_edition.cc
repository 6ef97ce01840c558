// What of an audit may be shown to anybody.
//
// The rules (k records are taken to hide one):
//   1  No original value that the release does not contain: not in a distribution, not as a mean,
//      not as the name of a group.
//   2  A value is named with its share before only where at least k original records have it. The
//      others, and those of rule 1, are pooled. A pool holds at least two values that original
//      records have, and k of these records; where it would not, the distribution is left out. A
//      value that nobody had counts as one that fewer than k have: that it came from nobody is told
//      by the original alone.
//   3  Where rule 2 hides values, figures that depend on a column's frequencies before are not
//   exact,
//      and some are left out (public_column.cc); of a column of three values at most there is none,
//      in attacks, channels and the classifier neither.
//   4  Nothing by original value: no risky values, no channel by value, no groups of the original
//      where one has fewer than k records.
//   5  Figures of the original alone have three significant digits, counts too, and so has what
//      somebody guesses from it, with the release or without. Figures of the release stay as they
//      are: whoever has it can count them. So do figures of what became of the records (rmse,
//      linkage): `mask` tells them as well, and they must be the same. Numbers of records stay
//      where they are those of the release; elsewhere they are rounded, and so is every share that
//      has one of them below its line, for a fraction gives its denominator back.
//   6  Names of columns, notes and figures of the release are kept.
#include "report/public_edition.h"

#include <algorithm>
#include <map>

namespace semveil {
namespace report {
namespace {

void make_public(std::optional<ClassRisk>& risk) {
  if (!risk) return;
  round_all(risk->classes, risk->smallest, risk->uniques, risk->suppressed, risk->prosecutor,
            risk->marketer);
}

void make_public(PrivacyFigures& figures) {
  round_all(figures.k, figures.uniques);
  for (SensitiveDescription& each : figures.sensitive) {
    round_all(each.l, each.entropy_l, each.recursive_c, each.t);
  }
}

void make_public(ChannelFigures& channel) {
  channel.values.clear();
  channel.released.clear();
  ChannelRisk& risk = channel.risk;
  risk.values.clear();
  round_all(risk.prior, risk.vulnerability, risk.expected, risk.worst, risk.unchanged);
  // Of what is shown, for the exact one tells the quotient.
  risk.leakage = risk.prior > 0 && risk.vulnerability > 0
                     ? std::max(0.0, rounded(std::log2(risk.vulnerability / risk.prior)))
                     : 0;
}

void make_public(Attack& attack) {
  round_all(attack.baseline, attack.pointed_at);
  for (Attack& fewer : attack.by_columns) make_public(fewer);
  // Without a control the risk is measured from the baseline.
  if (!attack.control) round_all(attack.rate, attack.interval, attack.risk, attack.risk_interval);
}

// What the frequencies alone tell is of the original, and the rest is measured from it.
void make_public(Disclosure& disclosure) {
  round_all(disclosure.mean, disclosure.worst, disclosure.baseline, disclosure.baseline_worst,
            disclosure.in, disclosure.control);
}

void make_public(Downstream& learned) {
  round_all(learned.original, learned.majority, learned.tested);
}

void make_public(Clusters& clusters, double k) {
  std::vector<ClusterNode>& nodes = clusters.original;
  std::uint64_t records = 0;
  for (const ClusterNode& node : nodes) {
    if (node.left != node.right) continue;
    if (static_cast<double>(node.records) < k) return nodes.clear();
    records += node.records;
  }
  for (ClusterNode& node : nodes) {
    node.label.clear();
    round_figure(node.height);
    round_to(node.records, step_of(std::max(records, node.records)));
  }
}

// Everything that has the number of original or paired records in it.
void hide_numbers_of_records(Audit& shown) {
  const std::uint64_t step = step_of(std::max(shown.original_records, shown.paired));
  round_figure(shown.original_records);
  if (shown.paired != shown.masked_records) round_figure(shown.paired);
  if (!shown.unpaired_why.empty()) {
    shown.unpaired_why =
        "the tables have different numbers of records, and nothing says which belong together: "
        "name a column that is in both with --key, or the --row-map that mask wrote";
  }
  for (AuditedColumn& column : shown.columns) {
    for (std::uint64_t& count : column.distances) round_to(count, step);
    round_figure(column.unchanged);
  }
  for (AuditedPair& pair : shown.pairs) round_figure(pair.sampled);
  if (shown.clusters) round_figure(shown.clusters->sampled);
  if (shown.downstream) round_figure(shown.downstream->masked);
  Linkage& linkage = shown.linkage;
  round_all(linkage.equality, linkage.semantic, linkage.window, linkage.worst,
            linkage.own_among_alike, linkage.own_among_alike_mean, linkage.baseline);
  const auto round_attack = [](Attack& attack) {
    round_all(attack.tried, attack.rate, attack.interval, attack.control, attack.risk,
              attack.risk_interval);
  };
  for (Attack& attack : shown.attacks) {
    round_attack(attack);
    std::ranges::for_each(attack.by_columns, round_attack);
  }
  for (ColumnContribution& each : shown.contributions) round_figure(each.linkage_without);
}

}  // namespace
}  // namespace report

Audit public_edition(const Audit& audit, std::uint64_t k) {
  using namespace report;
  Audit shown = audit;
  const auto least = static_cast<double>(std::max<std::uint64_t>(k, 1));
  std::map<std::string, Hidden> hidden;
  for (AuditedColumn& column : shown.columns) {
    hidden[column.name] = report::make_public(column, audit, least);
    if (hidden[column.name] != Hidden::kAll) continue;
    shown.notes.push_back("column " + column.name +
                          ": figures that would tell how many original records have a rare value "
                          "are left out");
  }
  // Of columns together the values are tuples.
  const auto of = [&](const std::string& column) {
    const auto found = hidden.find(column);
    return found == hidden.end() ? Hidden::kNothing : found->second;
  };
  const auto of_channel = [&](const ChannelFigures& channel) {
    return channel.risk.columns.size() == 1 ? of(channel.risk.columns[0]) : Hidden::kNothing;
  };
  std::erase_if(shown.channels,
                [&](const ChannelFigures& channel) { return of_channel(channel) == Hidden::kAll; });
  for (ChannelFigures& channel : shown.channels) make_public(channel);
  std::erase_if(shown.attacks,
                [&](const Attack& attack) { return of(attack.about) == Hidden::kAll; });
  for (Attack& attack : shown.attacks) make_public(attack);
  std::erase_if(shown.disclosures,
                [&](const Disclosure& each) { return of(each.about) == Hidden::kAll; });
  for (Disclosure& each : shown.disclosures) make_public(each);
  if (shown.downstream && of(shown.downstream->target) == Hidden::kAll) shown.downstream.reset();
  if (shown.downstream) make_public(*shown.downstream);
  for (AuditedPair& pair : shown.pairs) {
    round_all(pair.correlation.original, pair.covariance.original);
  }
  round_all(shown.discernibility_original, shown.lm_original, shown.ncp_original);
  for (Finding& finding : shown.findings) {
    if (finding.id != "one-origin") continue;
    for (auto& [name, figure] : finding.figures) round_figure(figure);
  }
  if (shown.one_origin) round_all(shown.one_origin->share, shown.one_origin->shuffled);
  if (shown.clusters) make_public(*shown.clusters, least);
  make_public(shown.classes_original);
  make_public(shown.privacy_original);
  shown.risky_values.clear();
  const bool is_whole = shown.original_records == shown.masked_records &&
                        (shown.paired == 0 || shown.paired == shown.masked_records);
  if (!is_whole) hide_numbers_of_records(shown);
  return shown;
}

}  // namespace semveil
