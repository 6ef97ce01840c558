// Which figures count as the risk of which method, and how a loss is made of its parts.
#include "compare/compare_figures.h"

#include <gtest/gtest.h>

#include <cmath>

namespace semveil {
namespace {

// Every figure there is, each with a value of its own.
Audit audit_of(const std::string& method) {
  Audit audit;
  audit.method = method;
  audit.classes.emplace();
  audit.classes->prosecutor = 0.9;
  audit.linkage.worst = 0.8;
  audit.linkage.own_among_alike = 0.7;
  audit.linkage.semantic = 0.6;
  audit.linkage.window = 0.5;
  const auto add = [&](std::vector<std::string> columns, double vulnerability) {
    ChannelFigures& channel = audit.channels.emplace_back();
    channel.risk.columns = std::move(columns);
    channel.risk.vulnerability = vulnerability;
  };
  add({"a"}, 0.95);
  add({"b"}, 0.2);
  add({"a", "b"}, 0.4);
  return audit;
}

std::map<std::string, double> risks(const Audit& audit) {
  std::map<std::string, double> out;
  for (const NamedRisk& risk : attack_risks(audit)) out[risk.name] = risk.value;
  return out;
}

using Risks = std::map<std::string, double>;

TEST(AttackRisks, AreThoseThatApplyToTheMethod) {
  const Risks classes{{"smallest class", 0.9}, {"surest link", 0.8}};
  const Risks swaps{
      {"finding oneself", 0.7}, {"linkage by meaning", 0.6}, {"linkage by window", 0.5}};
  const Risks cells{{"guessing all columns", 0.4}, {"linkage by meaning", 0.6}};
  for (const char* method : {"fuse", "generalize", "microaggregate", "recode", ""}) {
    EXPECT_EQ(risks(audit_of(method)), classes) << method;
  }
  for (const char* method : {"swap", "random-swap", "distributional-swap"}) {
    EXPECT_EQ(risks(audit_of(method)), swaps) << method;
  }
  for (const char* method : {"noise", "naive", "probabilistic"}) {
    EXPECT_EQ(risks(audit_of(method)), cells) << method;
  }
  for (const char* method : {"ean", "an"}) {
    EXPECT_EQ(risks(audit_of(method)), (Risks{{"best guess of a set", 0.95}})) << method;
  }
}

TEST(AttackRisks, AreRankedAndTheGreatestIsTheRisk) {
  EXPECT_EQ(attack_risks(audit_of("swap")).front().name, "finding oneself");
  EXPECT_EQ(risk_of(audit_of("swap"), RiskKind::kGreatest), 0.7);
  EXPECT_EQ(risk_of(audit_of("fuse"), RiskKind::kGreatest), 0.9);
  EXPECT_EQ(risk_of(audit_of("noise"), RiskKind::kGreatest), 0.6);
  EXPECT_EQ(risk_of(Audit(), RiskKind::kGreatest), std::nullopt);
}

TEST(AttackRisks, OfColumnsThatAreTooManyTogetherAreOfTheEasiestOne) {
  Audit audit = audit_of("noise");
  audit.channels.pop_back();
  EXPECT_EQ(risks(audit).at("guessing one column"), 0.95);
  audit.channels.pop_back();
  EXPECT_EQ(risks(audit).at("guessing the column"), 0.95);
}

TEST(VulnerabilityOfAnUnchangedTable, IsOne) {
  EXPECT_EQ(risk_of(audit_of(""), RiskKind::kVulnerability), 1);
  EXPECT_EQ(risk_of(audit_of("noise"), RiskKind::kVulnerability), 0.95);
}

ComparedRelease release_of(std::optional<double> rmse, std::map<std::string, double> losses) {
  ComparedRelease release;
  release.audit = Audit();
  release.rmse = rmse;
  release.losses = std::move(losses);
  choose_figures(RiskKind::kGreatest, KeepKind::kVariance, release);
  return release;
}

TEST(Loss, IsHalfRmseAndHalfWhatIsToBeKept) {
  EXPECT_DOUBLE_EQ(*release_of(0.4, {{"variance", 0.2}, {"mean", 0.9}}).loss, 0.3);
  EXPECT_DOUBLE_EQ(*release_of(0.4, {{"variance", 7.5}}).loss, 0.7);  // counts 1 at most
  EXPECT_DOUBLE_EQ(*release_of(0.4, {}).loss, 0.2);
  EXPECT_DOUBLE_EQ(*release_of(std::nullopt, {}).loss, 0);
  EXPECT_EQ(release_of(0.4, {{"variance", 7.5}}).keep_loss, 1);
}

TEST(Loss, OfWhatFailedIsNone) {
  ComparedRelease failed;
  choose_figures(RiskKind::kGreatest, KeepKind::kMean, failed);
  EXPECT_FALSE(failed.loss);
  EXPECT_FALSE(failed.risk);
}

// ---- Verdicts -----------------------------------------------------------------------------------

ComparedRelease at(const std::string& label, double risk, double loss, bool not_dominated) {
  ComparedRelease release;
  release.label = label;
  release.risk = risk;
  release.risk_name = "smallest class";
  release.loss = loss;
  release.not_dominated = not_dominated;
  return release;
}

TEST(Verdicts, CallNothingBestWithoutALimit) {
  Comparison comparison;
  comparison.releases = {at("fuse k 5", 0.2, 0.3, true), at("noise alpha 0.1", 1, 0.1, true)};
  EXPECT_EQ(verdict(comparison).find("est with"), std::string::npos);
  EXPECT_NE(verdict(comparison).find("Not dominated: rows 1, 2"), std::string::npos);
  const auto choice = choose_best(comparison);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->row, 0U);  // nearest to no risk and no loss
  EXPECT_NE(choice->why.find("nothing says that this is little enough"), std::string::npos);
  comparison.most = 0.2;
  comparison.best = 0;
  EXPECT_NE(verdict(comparison).find("row 1 (fuse k 5)"), std::string::npos);
  comparison.best.reset();
  comparison.most = 0.1;
  EXPECT_NE(verdict(comparison).find("No row has a risk of at most 0.1"), std::string::npos);
  EXPECT_FALSE(choose_best(comparison));
}

// As near to no risk and no loss, and as risky: in both the one that loses less is taken, wherever
// it stands.
TEST(Verdicts, TakeTheLeastLossOfEquals) {
  for (const bool swapped : {false, true}) {
    Comparison comparison;
    comparison.releases = {at("fuse k 5", 0.4, 0.3, true), at("swap k 5", 0.3, 0.4, true)};
    if (swapped) std::swap(comparison.releases[0], comparison.releases[1]);
    EXPECT_EQ(choose_best(comparison)->row, swapped ? 1U : 0U);
    const double fifth = 0.2, nearly = std::nextafter(fifth, 1.0);  // as a sum of shares has it
    comparison.releases = {at("fuse k 5", fifth, 0.6, true), at("recode k 5", nearly, 0.1, true)};
    if (swapped) std::swap(comparison.releases[0], comparison.releases[1]);
    comparison.most = 0.1;
    EXPECT_NE(verdict(comparison).find("recode k 5"), std::string::npos);
    EXPECT_TRUE(keeps_to(comparison.releases[0], fifth));
    EXPECT_TRUE(keeps_to(comparison.releases[1], fifth));
    EXPECT_FALSE(keeps_to(comparison.releases[1], 0.1999));
  }
}

TEST(KeepsTo, PassesOverWhoIsFoundForCertain) {
  ComparedRelease release = at("swap k 2", 0.1, 0.1, false);
  release.attacks = {{"finding oneself", 0.9}, {"linkage by meaning", 0.1}};
  EXPECT_TRUE(keeps_to(release, 0.2));
  release.attacks.front().value = 1;
  EXPECT_FALSE(keeps_to(release, 0.2));
  EXPECT_TRUE(keeps_to(release, 1));
  release.risk = 0.3;
  release.attacks.front().value = 0.5;
  EXPECT_FALSE(keeps_to(release, 0.2));
}

TEST(Verdicts, SayWhyALowRiskIsNotWithinTheLimit) {
  Comparison comparison;
  comparison.most = 0.2;
  comparison.releases = {at("swap k 2", 0.1, 0.1, true)};
  comparison.releases[0].attacks = {{"finding oneself", 1}};
  EXPECT_NE(verdict(comparison).find("No row keeps to a risk of at most 0.2"), std::string::npos);
  EXPECT_NE(verdict(comparison).find("found for certain"), std::string::npos);
}

// The verdict is told in public: of a release's figures three digits.
TEST(Verdicts, HaveThreeDigits) {
  Comparison comparison;
  comparison.most = 0.5;
  comparison.best = 0;
  comparison.releases = {at("swap k 2", 0.123456, 0.234567, true)};
  EXPECT_NE(verdict(comparison).find("a risk of 0.123 (smallest class) and a loss of 0.235"),
            std::string::npos);
}

}  // namespace
}  // namespace semveil
