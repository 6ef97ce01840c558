// What may be shown to anybody: every rule of src/report/public_edition.cc.
#include <gmock/gmock.h>

#include <cmath>
#include <map>

#include "semveil/report.h"
#include "support/sample_audit.h"

namespace semveil {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

// Values by original records; all in the release, shared alike after.
AuditedColumn column_of(const std::vector<std::uint64_t>& records) {
  AuditedColumn column;
  double all = 0;
  for (const std::uint64_t count : records) all += static_cast<double>(count);
  for (std::size_t i = 0; i < records.size(); ++i) {
    ValueShare share;
    share.label = std::string(1, static_cast<char>('a' + i));
    share.original = static_cast<double>(records[i]) / all;
    share.masked = 1 / static_cast<double>(records.size());
    share.original_records = records[i];
    column.distribution.push_back(share);
  }
  column.total_variation = 0.1;
  column.hellinger = 0.2;
  column.variance = {0.3, 0.4};
  return column;
}

Audit audit_of(const AuditedColumn& column) {
  Audit audit;
  audit.original_records = audit.masked_records = 100;
  audit.columns = {column};
  return audit;
}

AuditedColumn shown(const AuditedColumn& column, std::uint64_t k) {
  return public_edition(audit_of(column), k).columns[0];
}

std::vector<std::string> labels(const AuditedColumn& column) {
  std::vector<std::string> out;
  for (const ValueShare& share : column.distribution) out.push_back(share.label);
  return out;
}

TEST(PublicEdition, PoolsValuesThatFewHave) {
  const AuditedColumn column = shown(column_of({60, 34, 4, 2}), 5);
  EXPECT_THAT(labels(column), ElementsAre("a", "b", "other values"));
  EXPECT_TRUE(column.distribution[2].pooled);
  EXPECT_DOUBLE_EQ(column.distribution[2].original, 0.06);
  EXPECT_DOUBLE_EQ(column.distribution[2].masked, 0.5);
  EXPECT_THAT(column.distribution, testing::Each(Field(&ValueShare::original_records, 0U)));
}

TEST(PublicEdition, PoolsValuesThatTheReleaseDoesNotContain) {
  AuditedColumn column = column_of({50, 30, 12, 8});
  column.distribution[2].in_release = column.distribution[3].in_release = false;
  EXPECT_THAT(labels(shown(column, 5)), ElementsAre("a", "b", "other values"));
}

TEST(PublicEdition, NamesExactlyK) {
  EXPECT_THAT(labels(shown(column_of({95, 5}), 5)), ElementsAre("a", "b"));
}

TEST(PublicEdition, LeavesOutADistributionWhosePoolWouldBeOneValue) {
  const AuditedColumn column = shown(column_of({60, 36, 4}), 5);
  EXPECT_THAT(column.distribution, IsEmpty());
  // With the release's shares they would give the three counts back.
  EXPECT_FALSE(column.total_variation || column.hellinger || column.variance.original);
}

TEST(PublicEdition, LeavesOutADistributionWhosePoolHasFewRecords) {
  EXPECT_THAT(shown(column_of({60, 36, 2, 2}), 5).distribution, IsEmpty());
  EXPECT_THAT(labels(shown(column_of({60, 35, 3, 2}), 5)), ElementsAre("a", "b", "other values"));
}

// However many have it: with the others named, its share is what is left.
TEST(PublicEdition, LeavesOutAPoolOfOneFrequentValue) {
  AuditedColumn column = column_of({50, 30, 20});
  column.distribution[2].in_release = false;
  EXPECT_THAT(shown(column, 5).distribution, IsEmpty());
}

TEST(PublicEdition, LeavesOutTheSpreadThatNoiseShouldBring) {
  AuditedColumn column = column_of({97, 3});
  column.expected_variance = 0.34;  // less target_rmse squared: the spread before
  column.target_rmse = 0.2;
  EXPECT_FALSE(shown(column, 5).expected_variance.has_value());
}

TEST(PublicEdition, RoundsGroupsOfTheOriginal) {
  Audit audit = sample_audit();
  audit.clusters->original[1].records = 1'137;
  const Audit open = public_edition(audit, 5);
  EXPECT_EQ(open.clusters->original[1].records, 1'100U);
  EXPECT_EQ(open.clusters->masked[1].records, 1'137U);
}

TEST(PublicEdition, CountsNoValueThatNobodyHad) {
  // Pooled with one that nobody had, a value would stand alone.
  EXPECT_THAT(shown(column_of({60, 36, 4, 0}), 4).distribution, IsEmpty());
  // And that nobody had it is told by the original alone.
  EXPECT_THAT(shown(column_of({60, 40, 0}), 5).distribution, IsEmpty());
}

TEST(PublicEdition, LeavesOutWhatGivesTwoValuesBack) {
  const AuditedColumn column = shown(column_of({97, 3}), 5);
  EXPECT_THAT(column.distribution, IsEmpty());
  EXPECT_FALSE(column.total_variation || column.hellinger || column.variance.original);
  EXPECT_TRUE(column.variance.masked.has_value());
}

// What is left of a distribution: the columns of `values` values whose public edition is the same.
// Only counts no farther than `reach` from the true ones are tried, which finds rather too few.
using Counts = std::vector<std::uint64_t>;
using Told = std::vector<double>;

AuditedColumn measured(const Counts& counts) {
  AuditedColumn column = column_of(counts);
  double apart = 0, common = 0, alike = 0, detail = 0;
  for (const ValueShare& share : column.distribution) {
    apart += std::abs(share.original - share.masked) / 2;
    common += std::sqrt(share.original * share.masked);
    alike += share.original * share.original;
    if (share.original > 0) detail -= std::log(share.original) / 7;
  }
  column.total_variation = apart;
  column.hellinger = std::sqrt(std::max(0.0, 1 - common));
  column.ic_loss = detail;
  column.variance = {(1 - alike) / 2, 0.4};
  column.expected_variance = 1.3 * (1 - alike) / 2;
  column.name = "a";
  return column;
}

Told told(const Counts& counts, std::uint64_t k) {
  Audit audit = audit_of(measured(counts));
  std::uint64_t all = 0;
  for (const std::uint64_t count : counts) all += count;
  audit.original_records = audit.masked_records = all;
  const double most = static_cast<double>(*std::max_element(counts.begin(), counts.end()));
  ChannelFigures channel;
  channel.risk.columns = {"a"};
  channel.risk.prior = most / static_cast<double>(all);
  channel.risk.vulnerability = 0.1 + 0.9 * channel.risk.prior;
  channel.risk.leakage = std::log2(channel.risk.vulnerability / channel.risk.prior);
  audit.channels = {channel};
  audit.downstream = Downstream{"a", 0.9, 0.8, channel.risk.prior, all};
  Attack attack;
  attack.name = "inference";
  attack.about = "a";
  attack.rate = 0.95;
  attack.baseline = channel.risk.prior;
  attack.risk = (*attack.rate - *attack.baseline) / (1 - *attack.baseline);
  audit.attacks = {attack};
  const Audit open = public_edition(audit, k);
  const AuditedColumn& column = open.columns[0];
  const auto of = [](const std::optional<double>& figure) { return figure.value_or(-1); };
  Told out{of(column.total_variation), of(column.hellinger), of(column.ic_loss),
           of(column.variance.original), of(column.expected_variance)};
  for (const ValueShare& share : column.distribution) {
    out.push_back(share.label == "other values" ? -2 : share.label[0]);
    out.push_back(share.original);
  }
  out.push_back(-3);
  for (const ChannelFigures& each : open.channels) {
    out.insert(out.end(), {each.risk.prior, each.risk.vulnerability, each.risk.leakage});
  }
  if (open.downstream) out.push_back(open.downstream->majority);
  for (const Attack& each : open.attacks) out.insert(out.end(), {*each.baseline, *each.risk});
  return out;
}

int candidates(const Counts& truth, std::uint64_t k, int reach) {
  const Told shown = told(truth, k);
  int found = 0;
  Counts counts = truth;
  const auto place = [&](const auto& self, std::size_t i, int over) -> void {
    const int own = static_cast<int>(truth[i]);
    if (i + 1 == truth.size()) {
      if (own + over < 0) return;
      counts[i] = static_cast<std::uint64_t>(own + over);
      found += told(counts, k) == shown ? 1 : 0;
      return;
    }
    for (int move = std::max(-reach, -own); move <= reach; ++move) {
      counts[i] = static_cast<std::uint64_t>(own + move);
      self(self, i + 1, over - move);
    }
  };
  place(place, 0, 0);
  return found;
}

TEST(PublicEdition, GivesNoDistributionBackThatItLeavesOut) {
  for (const Counts& truth :
       {Counts{197, 3}, Counts{170, 28, 2}, Counts{3, 97, 100}, Counts{120, 50, 26, 4}}) {
    ASSERT_THAT(shown(measured(truth), 5).distribution, IsEmpty());
    const int least = truth.size() == 2 ? 4 : truth.size() == 3 ? 100 : 5;
    EXPECT_GE(candidates(truth, 5, truth.size() > 3 ? 20 : 60), least) << truth.size();
  }
  // Of many values some figures are told.
  for (const Counts& truth :
       {Counts{60, 50, 40, 30, 16, 4}, Counts{150, 20, 11, 9, 7, 3}, Counts{500, 8, 8, 8, 8, 2}}) {
    EXPECT_TRUE(shown(measured(truth), 5).total_variation.has_value());
    EXPECT_GE(candidates(truth, 5, 3), 20) << truth[0];
  }
}

TEST(PublicEdition, GivesNoPoolBack) {
  // Every way to share the pool out that itself would be pooled.
  EXPECT_EQ(candidates({60, 34, 4, 2}, 5, 6), 3);
  EXPECT_GE(candidates({60, 30, 3, 3, 2, 2}, 5, 3), 30);
}

TEST(PublicEdition, CountsTheValuesOfAPool) {
  AuditedColumn column = column_of({60, 30, 10});
  column.distribution[2].pooled = true;
  EXPECT_THAT(shown(column, 5).distribution, IsEmpty());
  column.distribution[2].values = 4;
  EXPECT_THAT(labels(shown(column, 5)), ElementsAre("a", "b", "other values"));
  EXPECT_EQ(shown(column, 5).distribution[2].values, 4U);
}

TEST(PublicEdition, TellsTheNumberOfOriginalRecordsNowhere) {
  Audit audit = sample_audit();
  audit.original_records = 31'234;
  audit.linkage.baseline = 1.0 / 31'234;
  audit.linkage.equality = 77.0 / 31'234;
  audit.journalist = 3.0 / 31'234;
  audit.attacks[0].tried = 31'234;
  audit.attacks[0].rate = 1'235.0 / 31'234;
  audit.columns[0].distances = {15'617, 15'017, 300, 240, 60};
  audit.columns[0].unchanged = 15'617.0 / 31'234;
  audit.unpaired_why = "the tables have 31234 and 30000 records";
  const Audit open = public_edition(audit, 5);
  EXPECT_EQ(open.original_records, 31'200U);
  EXPECT_EQ(open.linkage.baseline, 0.000032);
  EXPECT_EQ(open.linkage.equality, 0.00247);
  EXPECT_EQ(open.journalist, 0.000096);
  EXPECT_EQ(open.attacks[0].tried, 31'200U);
  EXPECT_EQ(open.attacks[0].rate, 0.0395);
  EXPECT_THAT(open.columns[0].distances, ElementsAre(15'600, 15'000, 300, 200, 100));
  EXPECT_EQ(open.columns[0].unchanged, 0.5);
  EXPECT_THAT(open.unpaired_why, testing::Not(testing::HasSubstr("31234")));
  EXPECT_THAT(open.unpaired_why, testing::HasSubstr("row map"));
  // Where the release has as many, whoever counts it knows.
  audit.original_records = audit.masked_records;
  EXPECT_EQ(public_edition(audit, 5).attacks[0].tried, 31'234U);
  EXPECT_EQ(public_edition(audit, 5).journalist, 3.0 / 31'234);
}

TEST(PublicEdition, RoundsGuessesAboutFewerColumnsToo) {
  Audit audit = sample_audit();
  audit.attacks.resize(1);
  Attack& attack = audit.attacks[0];
  attack.control.reset();
  attack.pointed_at = 0.123456;
  attack.by_columns = {attack};
  attack.by_columns[0].columns = 2;
  attack.by_columns[0].rate = 0.0812345;
  audit.one_origin = OneOrigin{1'234, 0.591234, 0.0212345};
  audit.findings = {make_finding("one-origin", Severity::kWarning, {}, {{"share", 0.591234}})};
  const Audit open = public_edition(audit, 5);
  EXPECT_EQ(open.findings[0].figures.at("share"), 0.591);
  EXPECT_THAT(open.findings[0].text, testing::StartsWith("59.1 % of the released"));
  EXPECT_EQ(open.attacks[0].pointed_at, 0.123);
  EXPECT_EQ(open.attacks[0].by_columns[0].pointed_at, 0.123);
  EXPECT_EQ(open.attacks[0].by_columns[0].rate, 0.0812);
  EXPECT_EQ(open.one_origin->share, 0.591);
  EXPECT_EQ(open.one_origin->shuffled, 0.0212);
}

TEST(PublicEdition, LeavesOutGroupsOfFewOriginalRecords) {
  Audit audit = sample_audit();
  audit.clusters->original[3].records = 12'345;
  EXPECT_EQ(public_edition(audit, 5).clusters->original[3].records, 12'300U);
  audit.clusters->original[3].records = 4;
  EXPECT_THAT(public_edition(audit, 5).clusters->original, IsEmpty());
  EXPECT_EQ(public_edition(audit, 4).clusters->original.size(), 27U);
  EXPECT_EQ(public_edition(audit, 5).clusters->masked.size(), 27U);
}

TEST(PublicEdition, LeavesOutGuessesThatGiveAColumnBack) {
  Audit audit = audit_of(column_of({97, 3}));
  audit.columns[0].name = "a";
  audit.downstream = Downstream{"a", 0.9, 0.8, 0.97, 100};
  audit.channels.resize(1);
  audit.channels[0].risk.columns = {"a"};
  audit.channels[0].risk.prior = 0.97;
  audit.attacks.resize(1);
  audit.attacks[0].about = "a";
  const Audit open = public_edition(audit, 5);
  EXPECT_FALSE(open.downstream.has_value());
  EXPECT_THAT(open.channels, IsEmpty());
  EXPECT_THAT(open.attacks, IsEmpty());
  EXPECT_EQ(open.notes.size(), 1U);
  EXPECT_EQ(public_edition(audit, 3).channels.size(), 1U);
}

TEST(PublicEdition, TakesTheShareWhereNobodyCounted) {
  AuditedColumn column = column_of({60, 34, 4, 2});
  for (ValueShare& share : column.distribution) share.original_records = 0;
  EXPECT_THAT(labels(shown(column, 5)), ElementsAre("a", "b", "other values"));
}

TEST(PublicEdition, HidesAMeanThatTheReleaseDoesNotContain) {
  AuditedColumn column = column_of({50, 30, 12, 8});
  column.mean_original = NamedConcept{"1", "a"};
  column.mean_masked = NamedConcept{"2", "elsewhere"};
  EXPECT_TRUE(shown(column, 5).mean_original.has_value());
  column.mean_original->label = "elsewhere";
  EXPECT_FALSE(shown(column, 5).mean_original.has_value());
  EXPECT_TRUE(shown(column, 5).mean_masked.has_value());
  column.mean_original->label = "c";
  column.distribution[2].in_release = column.distribution[3].in_release = false;
  EXPECT_FALSE(shown(column, 5).mean_original.has_value());
}

TEST(PublicEdition, RoundsFiguresOfTheOriginal) {
  Audit audit = sample_audit();
  audit.columns[0].original_missing = 12'345;
  audit.original_records = 30'001;
  const Audit open = public_edition(audit, 5);
  EXPECT_EQ(open.columns[0].variance.original, 0.123);
  EXPECT_EQ(open.columns[0].variance.masked, 0.15);
  EXPECT_EQ(open.columns[0].original_missing, 12'300U);
  EXPECT_EQ(open.original_records, 30'000U);
  EXPECT_EQ(open.discernibility_original, 98'800);
  EXPECT_EQ(open.discernibility, 123'000);
  EXPECT_EQ(open.classes_original->classes, 12'300U);
  EXPECT_EQ(open.classes->classes, 11'200U);
  EXPECT_EQ(open.channels[0].risk.prior, 0.112);
  EXPECT_EQ(open.channels[0].risk.vulnerability, 0.512);
  EXPECT_EQ(open.downstream->original, 0.812);
  EXPECT_EQ(open.privacy_original.sensitive[0].t, 0.412);
}

// "missing 2,270 → 2,273" of a column that nobody touched.
TEST(PublicEdition, ShowsNoDifferenceThatIsRounding) {
  Audit audit = sample_audit();
  audit.columns[0].original_missing = audit.columns[0].masked_missing = 2'273;
  audit.columns[0].variance = {0.12345, 0.12345};
  audit.classes_original->uniques = audit.classes->uniques = 4'659;
  audit.pairs[0].correlation = {0.22681, 0.22679};
  audit.lm_original = audit.lm = 0.012345;
  for (ValueShare& share : audit.columns[0].distribution) share.masked = share.original;
  const Audit open = public_edition(audit, 5);
  EXPECT_EQ(open.columns[0].original_missing, 2'270U);
  EXPECT_EQ(open.columns[0].masked_missing, 2'270U);
  EXPECT_EQ(open.columns[0].variance.masked, open.columns[0].variance.original);
  EXPECT_EQ(open.classes->uniques, open.classes_original->uniques);
  EXPECT_EQ(open.pairs[0].correlation.masked, open.pairs[0].correlation.original);
  EXPECT_EQ(open.lm, open.lm_original);
  for (const ValueShare& share : open.columns[0].distribution) {
    EXPECT_EQ(share.masked, share.original) << share.label;
  }
  const std::string page = report_html(open, sample_facts(Edition::kPublic));
  EXPECT_THAT(page, testing::HasSubstr("≈ 2,270 → ≈ 2,270"));
  EXPECT_THAT(report_html(audit, sample_facts(Edition::kSteward)),
              testing::HasSubstr("2,273 → 2,273"));
}

// "100 %" is said of what is certain alone.
TEST(PublicEdition, RoundsNothingToCertainty) {
  Audit audit = sample_audit();
  audit.channels[0].risk.worst = 0.99999;
  EXPECT_EQ(public_edition(audit, 5).channels[0].risk.worst, 0.999);
  EXPECT_THAT(report_html(audit, sample_facts(Edition::kSteward)),
              testing::HasSubstr("&gt; 99.9 %"));
  audit.channels[0].risk.worst = 1;
  EXPECT_EQ(public_edition(audit, 5).channels[0].risk.worst, 1);
}

// And a real one is shown.
TEST(PublicEdition, ShowsDifferencesThatAreNotRounding) {
  Audit audit = sample_audit();
  audit.columns[0].original_missing = 2'273;
  audit.columns[0].masked_missing = 2'294;
  const Audit open = public_edition(audit, 5);
  EXPECT_EQ(open.columns[0].original_missing, 2'270U);
  EXPECT_EQ(open.columns[0].masked_missing, 2'290U);
}

// What is shown of the release must not depend on more of the original than is shown of it: whoever
// counts the release would narrow the original down.
TEST(PublicEdition, RoundsTheReleaseByWhatIsShownAlone) {
  for (std::uint64_t after = 2'240; after <= 2'300; ++after) {
    std::map<std::uint64_t, std::uint64_t> shown;  // by what is shown of the original
    for (std::uint64_t before = 2'240; before <= 2'300; ++before) {
      Audit audit = sample_audit();
      audit.columns[0].original_missing = before;
      audit.columns[0].masked_missing = after;
      const AuditedColumn column = public_edition(audit, 5).columns[0];
      const auto known = shown.emplace(column.original_missing, column.masked_missing);
      ASSERT_EQ(known.first->second, column.masked_missing) << before << " " << after;
    }
  }
}

TEST(PublicEdition, KeepsFindingsAndRoundsTheirFigures) {
  Audit audit = sample_audit();
  audit.findings = {make_finding("guess-easy", Severity::kDanger, {"occupation"},
                                 {{"prior", 0.123456}, {"guess", 0.876543}}),
                    make_finding("k-missed", Severity::kDanger, {},
                                 {{"k", 2}, {"promised", 5}, {"uniques", 12'345}})};
  const Audit open = public_edition(audit, 5);
  ASSERT_GE(open.findings.size(), 2U);
  EXPECT_EQ(open.findings[0].figures.at("prior"), 0.123);
  EXPECT_THAT(open.findings[0].text, testing::HasSubstr("87.7 %"));
  EXPECT_EQ(open.findings[1].figures.at("uniques"), 12'300);  // as classes.uniques beside it
}

// Of a column whose figures would give it back, the finding stays and its figures do not.
TEST(PublicEdition, KeepsADangerWithoutItsFigures) {
  Audit audit = audit_of(column_of({97, 3}));
  audit.columns[0].name = "a";
  audit.findings = {
      make_finding("guess-easy", Severity::kDanger, {"a"}, {{"prior", 0.97}, {"guess", 0.99}})};
  const Audit open = public_edition(audit, 5);
  EXPECT_EQ(open.findings[0].id, "guess-easy");
  EXPECT_THAT(open.findings[0].figures, IsEmpty());
  EXPECT_THAT(open.findings[0].text, testing::HasSubstr("hides little"));
  EXPECT_THAT(open.findings[0].text, testing::Not(testing::HasSubstr("97")));
}

// What masking and auditing share, too: no sentence of its own holds a figure back.
TEST(PublicEdition, KeepsWhatWasMissedWithoutItsFigures) {
  Audit audit = audit_of(column_of({97, 3}));
  audit.columns[0].name = "a";
  audit.changed = {{"a", 0.97}, {"note", 0.123456}};
  const auto warned = [](std::string_view id, std::map<std::string, double> figures) {
    return make_finding(id, Severity::kWarning, {"a"}, std::move(figures));
  };
  audit.findings = {
      warned("column-changed", {{"share.a", 0.97}}),
      warned("noise-misses-rmse", {{"rmse", 0.97}, {"target_rmse", 0.0975}}),
      warned("noise-misses-variance", {{"variance_expected", 0.97}, {"variance_masked", 0.975}}),
      warned("noise-moves-mean", {{"mean_shift", 0.97}}),
      warned("correlation-moved", {{"before", 0.97}, {"after", 0.097}}),
      warned("class-shares-category", {{"people", 97}}),
      warned("class-shares-level", {{"people", 97}}),
      warned("one-origin", {{"share", 0.97}, {"shuffled", 0.0975}}),
      warned("draw-by-links-records", {{"repeated", 975}, {"of_one_person", 97}})};
  for (const Finding& exact : audit.findings) {
    EXPECT_THAT(exact.text, testing::HasSubstr("97")) << exact.id;
  }
  const Audit open = public_edition(audit, 5);
  ASSERT_EQ(open.findings.size(), audit.findings.size() + 1);  // figures-left-out
  for (const Finding& shown : open.findings) {
    EXPECT_THAT(shown.figures, IsEmpty()) << shown.id;
    EXPECT_THAT(shown.text, testing::Not(testing::HasSubstr("97"))) << shown.id;
    EXPECT_THAT(shown.text, testing::EndsWith(".")) << shown.id;
  }
  ASSERT_EQ(open.changed.size(), 1U);
  EXPECT_EQ(open.changed[0].column, "note");
  EXPECT_EQ(open.changed[0].share, 0.123);
}

TEST(PublicEdition, LeavesWhatBecameOfTheRecords) {
  const Audit audit = sample_audit();
  const Audit open = public_edition(audit, 5);
  EXPECT_EQ(open.columns[0].rmse, audit.columns[0].rmse);
  EXPECT_EQ(open.linkage.semantic, audit.linkage.semantic);
  EXPECT_EQ(open.clusters->partition_distance, audit.clusters->partition_distance);
}

TEST(PublicEdition, HoldsNothingByOriginalValue) {
  const Audit open = public_edition(sample_audit(), 5);
  EXPECT_THAT(open.risky_values, IsEmpty());
  EXPECT_THAT(open.channels[0].values, IsEmpty());
  EXPECT_THAT(open.channels[0].risk.values, IsEmpty());
  EXPECT_THAT(open.clusters->original, testing::Each(Field(&ClusterNode::label, "")));
  EXPECT_EQ(open.clusters->masked[0].label, "worker, group 0");
  EXPECT_EQ(open.notes, sample_audit().notes);
  EXPECT_EQ(open.unmasked, sample_audit().unmasked);
}

}  // namespace
}  // namespace semveil
