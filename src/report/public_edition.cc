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
//   3  Where rule 2 hides values, figures that depend on a column's frequencies before are
//      not exact, and some are left out (public_column.cc); of a column of three values at most
//      there is none, in attacks, channels and the classifier neither.
//   4  Nothing by original value: no risky values, no channel by value, no groups of the original
//      where one has fewer than k records.
//   5  Figures of the original alone have three significant digits, counts too, and so has what
//      somebody guesses from it, with the release or without. A figure of the release that stands
//      beside one of the original is rounded alike, and no difference is shown that may be rounding
//      (round_both). Other figures of the release stay as they are: whoever has it can count them.
//      So do figures of what became of the records (rmse, linkage): `mask` tells them as well, and
//      they must be the same. Numbers of records stay where they are those of the release;
//      elsewhere they are rounded, and so is every share that has one of them below its line, for a
//      fraction gives its denominator back.
//   6  Names of columns, notes and figures of the release are kept. Findings stay, all of
//      them: their figures follow the rules above, and their sentences are made again of what is
//      left.
#include "report/public_edition.h"

#include <algorithm>
#include <map>

#include "report/public_figures.h"
#include "semveil/finding_guide.h"

namespace semveil {
namespace report {
namespace {

void make_public(std::optional<ClassRisk>& before, std::optional<ClassRisk>& after) {
  if (!before) return;
  ClassRisk alone;
  ClassRisk& other = after ? *after : alone;
  const auto both = [&](auto... members) { (round_both((*before).*members, other.*members), ...); };
  both(&ClassRisk::classes, &ClassRisk::smallest, &ClassRisk::uniques, &ClassRisk::suppressed,
       &ClassRisk::prosecutor, &ClassRisk::marketer);
  if (!before->records) return;
  ClassRisk::Records none;
  ClassRisk::Records& records = other.records ? *other.records : none;
  round_both(before->records->smallest, records.smallest);
  round_both(before->records->uniques, records.uniques);
}

void make_public(PrivacyFigures& before, PrivacyFigures& after) {
  round_both(before.k, after.k);
  round_both(before.uniques, after.uniques);
  for (SensitiveDescription& each : before.sensitive) {
    const auto found = std::ranges::find(after.sensitive, each.name, &SensitiveDescription::name);
    SensitiveDescription alone = each;
    SensitiveDescription& other = found == after.sensitive.end() ? alone : *found;
    round_both(each.l, other.l);
    round_both(each.entropy_l, other.entropy_l);
    round_both(each.recursive_c, other.recursive_c);
    round_both(each.t, other.t);
    round_both(each.most_common, other.most_common);
  }
}

// What is not certain is not rounded to it.
constexpr double kNearlyCertain = 0.999;

void make_public(ChannelFigures& channel) {
  ChannelRisk& risk = channel.risk;
  const bool is_certain = risk.worst >= 1;
  round_all(risk.prior, risk.vulnerability, risk.expected, risk.worst, risk.unchanged);
  if (!is_certain) risk.worst = std::min(risk.worst, kNearlyCertain);
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
  round_both(learned.original, learned.masked);
  round_all(learned.majority, learned.tested);
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
  round_figure(shown.persons);
  if (shown.paired != shown.masked_records) round_figure(shown.paired);
  if (!shown.unpaired_why.empty()) {
    shown.unpaired_why =
        "the tables have different numbers of records, and nothing says which belong together: "
        "name a key column that is in both, or the row map that masking wrote";
  }
  for (AuditedColumn& column : shown.columns) {
    for (std::uint64_t& count : column.distances) round_to(count, step);
    round_figure(column.unchanged);
  }
  for (AuditedPair& pair : shown.pairs) round_figure(pair.sampled);
  if (shown.clusters) round_figure(shown.clusters->sampled);
  if (shown.downstream) round_figure(shown.downstream->masked);
  Linkage& linkage = shown.linkage;
  round_all(shown.journalist, linkage.equality, linkage.semantic, linkage.window, linkage.worst,
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

void make_public(Finding& finding, bool is_hidden) {
  std::map<std::string, double> shown;
  for (auto [name, figure] : finding.figures) {
    const Shown how = shown_in_finding(name);
    const bool is_open = how == Shown::kAsIs;
    if (how == Shown::kSecret || (is_hidden && !is_open)) continue;
    if (!is_open) round_figure(figure);
    shown[name] = figure;
  }
  finding.figures = std::move(shown);
  finding.text = finding_text(finding);  // nothing, where nobody can make it of these figures
}

}  // namespace report

Audit public_edition(const Audit& audit, std::uint64_t k) {
  using namespace report;  // NOLINT(google-build-using-namespace): the words of a page
  Audit shown = declared(audit);
  shown.is_rounded = true;
  const auto least = static_cast<double>(std::max<std::uint64_t>(k, 1));
  std::map<std::string, Hidden> hidden;
  for (AuditedColumn& column : shown.columns) {
    hidden[column.name] = report::make_public(column, audit, least);
    if (hidden[column.name] != Hidden::kAll) continue;
    shown.notes.push_back("column " + column.name +
                          ": figures that would tell how many original records have a rare value "
                          "are left out");
    shown.findings.push_back(make_finding("figures-left-out", Severity::kNote, {column.name}));
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
  // What was overwritten by one value tells how many had it.
  std::erase_if(shown.changed,
                [&](const Audit::Changed& each) { return of(each.column) == Hidden::kAll; });
  for (Audit::Changed& each : shown.changed) round_figure(each.share);
  if (shown.downstream && of(shown.downstream->target) == Hidden::kAll) shown.downstream.reset();
  if (shown.downstream) make_public(*shown.downstream);
  for (AuditedPair& pair : shown.pairs) {
    round_both(pair.correlation.original, pair.correlation.masked);
    round_both(pair.covariance.original, pair.covariance.masked);
    round_all(pair.expected_covariance);
    // Of what is shown, for the exact one tells the covariance before.
    if (pair.covariance_error && pair.covariance.masked) {
      pair.covariance_error =
          rounded(std::abs(*pair.covariance.masked - *pair.expected_covariance));
    }
  }
  if (shown.one_origin) round_all(shown.one_origin->share, shown.one_origin->shuffled);
  round_both(shown.discernibility_original, shown.discernibility);
  round_both(shown.lm_original, shown.lm);
  round_both(shown.ncp_original, shown.ncp);
  if (shown.clusters) make_public(*shown.clusters, least);
  make_public(shown.classes_original, shown.classes);
  make_public(shown.privacy_original, shown.privacy);
  for (Finding& finding : shown.findings) {
    make_public(finding, std::ranges::any_of(finding.columns, [&](const std::string& name) {
                  return of(name) == Hidden::kAll;
                }));
  }
  rank(shown.findings);
  const bool is_whole = shown.original_records == shown.masked_records &&
                        (shown.paired == 0 || shown.paired == shown.masked_records);
  if (!is_whole) hide_numbers_of_records(shown);
  return shown;
}

}  // namespace semveil
