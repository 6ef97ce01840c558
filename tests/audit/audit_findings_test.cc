// Every finding that figures alone raise: a release that is unsafe in exactly that way, and one
// that is not. Those of classes, which need tables: tests/cli/test_findings.py.
#include "audit/audit_findings.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "figures/guide_entries.h"
#include "semveil/finding_guide.h"

namespace semveil {
namespace {

using testing::HasSubstr;
using testing::Not;

// Noise on one column, about which nothing is to be said.
Audit plain() {
  Audit audit;
  audit.method = "noise";
  audit.original_records = audit.masked_records = audit.paired = 1'000;
  audit.classes = audit.classes_original = ClassRisk{100, 10, 0, 0, 0.1, 0.1};
  AuditedColumn& column = audit.columns.emplace_back();
  column.name = "job";
  column.role = Role::kQuasiIdentifier;
  column.is_masked = true;
  column.unchanged = 0.2;
  column.variance.original = 0.25;
  column.target_rmse = 0.5;
  ChannelFigures& channel = audit.channels.emplace_back();
  channel.risk.columns = {"job"};
  channel.risk.prior = 0.2;
  channel.risk.vulnerability = 0.3;
  channel.released = {{"nurse", 10, {{"nurse", 0.5}, {"baker", 0.5}}}};
  audit.linkage.semantic = 0.002;
  audit.linkage.baseline = 0.001;
  Attack attack;
  attack.name = "linkability";
  attack.risk_interval = {0, 0.01};
  audit.attacks = {attack};
  audit.has_control = true;
  return audit;
}

std::map<std::string, Severity> found(Audit audit) {
  find_in_figures(audit);
  std::map<std::string, Severity> out;
  for (const Finding& finding : audit.findings) {
    EXPECT_FALSE(finding.text.empty()) << finding.id;
    out[finding.id] = finding.severity;
  }
  return out;
}

TEST(AuditFindings, OfAReleaseWithNothingAgainstItAreNoDangers) {
  for (const auto& [id, severity] : found(plain())) EXPECT_GE(severity, Severity::kNote) << id;
}

struct FindingCase {
  std::string id;
  Severity severity;
  void (*unsafe)(Audit&);
};

class EveryFinding : public testing::TestWithParam<FindingCase> {};

TEST_P(EveryFinding, IsRaisedByTheReleaseThatItIsAbout) {
  EXPECT_FALSE(found(plain()).contains(GetParam().id));
  Audit audit = plain();
  GetParam().unsafe(audit);
  const auto all = found(audit);
  ASSERT_TRUE(all.contains(GetParam().id));
  EXPECT_EQ(all.at(GetParam().id), GetParam().severity);
}

Attack attack_of(std::string name, double risk, std::optional<double> control) {
  Attack attack;
  attack.name = std::move(name);
  attack.rate = risk;
  attack.risk = risk;
  attack.control = control;
  attack.risk_interval = {risk / 2, 1};
  return attack;
}

INSTANTIATE_TEST_SUITE_P(
    OfFigures, EveryFinding,
    testing::Values(
        FindingCase{"identifiers-released", Severity::kDanger,
                    [](Audit& audit) { audit.identifiers = {"patient"}; }},
        FindingCase{"column-not-masked", Severity::kDanger,
                    [](Audit& audit) { audit.unmasked = {"job"}; }},
        FindingCase{"texts-released", Severity::kDanger,
                    [](Audit& audit) { audit.columns[0].left_unmapped = 1; }},
        FindingCase{"texts-released", Severity::kWarning,
                    [](Audit& audit) {
                      audit.columns[0].left_unmapped = 1;
                      audit.columns[0].is_masked = false;
                    }},
        FindingCase{"noise-weak", Severity::kDanger,
                    [](Audit& audit) { audit.columns[0].target_rmse = 0.5 * std::sqrt(0.05); }},
        FindingCase{"guess-easy", Severity::kDanger,
                    [](Audit& audit) { audit.channels[0].risk.vulnerability = 0.61; }},
        FindingCase{"guess-easier", Severity::kWarning,
                    [](Audit& audit) { audit.channels[0].risk.vulnerability = 0.59; }},
        FindingCase{"cells-unchanged", Severity::kDanger,
                    [](Audit& audit) { audit.columns[0].unchanged = 0.9; }},
        FindingCase{"cells-unchanged", Severity::kWarning,
                    [](Audit& audit) { audit.columns[0].unchanged = 0.89; }},
        FindingCase{"single-origin", Severity::kWarning,
                    [](Audit& audit) { audit.channels[0].released[0].origins.resize(1); }},
        FindingCase{"people-found", Severity::kDanger,
                    [](Audit& audit) { audit.linkage.semantic = 0.5; }},
        FindingCase{"people-found", Severity::kWarning,
                    [](Audit& audit) { audit.linkage.semantic = 0.4; }},
        FindingCase{"linkability-succeeds", Severity::kDanger,
                    [](Audit& audit) { audit.attacks = {attack_of("linkability", 0.5, 0)}; }},
        FindingCase{"singling-out-succeeds", Severity::kWarning,
                    [](Audit& audit) { audit.attacks = {attack_of("singling-out", 0.3, 0)}; }},
        FindingCase{"inference-succeeds", Severity::kDanger,
                    [](Audit& audit) { audit.attacks = {attack_of("inference", 0.6, 0)}; }},
        FindingCase{
            "inference-succeeds", Severity::kWarning,
            [](Audit& audit) { audit.attacks = {attack_of("inference", 0.6, std::nullopt)}; }},
        FindingCase{"not-paired", Severity::kWarning, [](Audit& audit) { audit.paired = 0; }},
        FindingCase{"no-control", Severity::kNote, [](Audit& audit) { audit.has_control = false; }},
        FindingCase{"attacks-not-tried", Severity::kNote,
                    [](Audit& audit) { audit.attacks.clear(); }},
        FindingCase{"no-quasi-identifiers", Severity::kNote,
                    [](Audit& audit) { audit.classes.reset(); }},
        FindingCase{"wildcards-in-classes", Severity::kNote,
                    [](Audit& audit) { audit.missing_rule = MissingRule::kWildcard; }}));

// It claims something: not of a release where a guess gets easier, or whose noise is weak.
TEST(AuditFindings, TellThatGuessesAreHardOnlyWhereTheyAre) {
  EXPECT_TRUE(found(plain()).contains("guess-bounded"));
  Audit audit = plain();
  audit.channels[0].risk.vulnerability = 0.41;
  EXPECT_FALSE(found(audit).contains("guess-bounded"));
  audit = plain();
  audit.columns[0].target_rmse = 0.1;
  EXPECT_FALSE(found(audit).contains("guess-bounded"));
  audit = plain();
  audit.channels[0].risk.how = ChannelRisk::How::kObserved;
  EXPECT_FALSE(found(audit).contains("guess-bounded"));
  audit.channels.clear();
  EXPECT_FALSE(found(audit).contains("guess-bounded"));
}

// Classes that are large enough as they are need no change; without the promise nobody knows.
TEST(AuditFindings, TakeClassesThatNeedNoChangeAsTheyAre) {
  Audit audit = plain();
  audit.method = "generalize";
  audit.unmasked = {"job"};
  EXPECT_EQ(found(audit).at("column-not-masked"), Severity::kDanger);
  audit.findings = {
      make_finding("k-verified", Severity::kPromise, {}, {{"k", 5}, {"promised", 5}})};
  EXPECT_FALSE(found(audit).contains("column-not-masked"));
  EXPECT_FALSE(found(audit).contains("nothing-to-change"));  // cells of some records were emptied
  audit.columns[0].unchanged = 1;
  EXPECT_FALSE(found(audit).contains("column-not-masked"));
  EXPECT_EQ(found(audit).at("nothing-to-change"), Severity::kNote);
}

TEST(AuditFindings, TellWeakNoiseFromStrong) {
  Audit audit = plain();
  audit.columns[0].target_rmse = 0.5 * std::sqrt(0.099);
  EXPECT_TRUE(found(audit).contains("noise-weak"));
  audit.columns[0].target_rmse = 0.5 * std::sqrt(0.101);
  EXPECT_FALSE(found(audit).contains("noise-weak"));
}

// A worst belief that is printed as 100 % is no single origin: 0.9996 is less than 1.
TEST(AuditFindings, CountSingleOriginsExactly) {
  Audit audit = plain();
  audit.channels[0].risk.worst = 0.9999;
  audit.channels[0].released[0].origins = {{"nurse", 0.9999}, {"baker", 0.0001}};
  EXPECT_FALSE(found(audit).contains("single-origin"));
}

// Of who swaps, what was seen of rare values is no channel.
TEST(AuditFindings, TakeNoGuessFromAChannelThatWasSeen) {
  Audit audit = plain();
  audit.method = "swap";
  audit.channels[0].risk.how = ChannelRisk::How::kObserved;
  audit.channels[0].risk.vulnerability = 1;
  EXPECT_FALSE(found(audit).contains("guess-easy"));
}

TEST(AuditFindings, OfVerifiedClassesTakeWhatKAllows) {
  Audit audit = plain();
  audit.method = "fuse";
  audit.classes->smallest = 2;
  audit.linkage.semantic = 0.5;
  audit.attacks = {attack_of("linkability", 0.5, 0)};
  EXPECT_TRUE(found(audit).contains("linkability-succeeds"));
  audit.findings = {
      make_finding("k-verified", Severity::kPromise, {}, {{"k", 2}, {"promised", 2}})};
  EXPECT_FALSE(found(audit).contains("linkability-succeeds"));
  EXPECT_FALSE(found(audit).contains("people-found"));
  audit.attacks[0].rate = 0.6;  // more than k allows
  EXPECT_TRUE(found(audit).contains("linkability-succeeds"));
}

// Four quasi-identifiers, one of them noised: guesses about all of them fail, those about three
// that came through are right.
TEST(AuditFindings, TakeSinglingOutByTheColumnsThatTellMost) {
  Audit audit = plain();
  Attack all = attack_of("singling-out", 0.01, std::nullopt);
  all.risk_interval = {0, 0.02};
  all.by_columns = {attack_of("singling-out", 0.2, std::nullopt),
                    attack_of("singling-out", 0.97, std::nullopt)};
  all.by_columns[0].columns = 2;
  all.by_columns[1].columns = 3;
  audit.attacks = {all};
  EXPECT_EQ(found(audit).at("singling-out-succeeds"), Severity::kDanger);
  Audit told = audit;
  find_in_figures(told);
  const auto finding = std::ranges::find(told.findings, "singling-out-succeeds", &Finding::id);
  EXPECT_EQ(finding->figures.at("columns"), 3);
  EXPECT_EQ(finding->figures.at("rate"), 0.97);
  EXPECT_THAT(finding->text, HasSubstr("by 3 quasi-identifiers alone, in 97 % of the cases"));
  // By all of them more: fewer need not be named.
  audit.attacks[0] = attack_of("singling-out", 0.99, std::nullopt);
  audit.attacks[0].by_columns = all.by_columns;
  told = audit;
  find_in_figures(told);
  const auto whole = std::ranges::find(told.findings, "singling-out-succeeds", &Finding::id);
  EXPECT_FALSE(whole->figures.contains("columns"));
  // Safe: by fewer no better than chance, or nothing to compare with.
  audit.attacks = {all};
  for (Attack& fewer : audit.attacks[0].by_columns) fewer.risk_interval = {0, 1};
  EXPECT_FALSE(found(audit).contains("singling-out-succeeds"));
  for (Attack& fewer : audit.attacks[0].by_columns) fewer.risk.reset();
  EXPECT_FALSE(found(audit).contains("singling-out-succeeds"));
}

// ---- Sentences ----------------------------------------------------------------------------------

// Parts of a line that `map` prints.
constexpr std::array<std::string_view, 4> kHintsOfMap{"values-outside-root", "values-of-references",
                                                      "codes-unknown",
                                                      "codes-of-another-classification"};

TEST(FindingGuide, HasWordsAndAFigureForEveryId) {
  for (const FindingGuide& guide : finding_guides()) {
    Finding finding;
    finding.id = guide.id;
    finding.columns = {"a"};
    const std::string text = finding_text(finding);
    const bool is_hint = std::ranges::find(kHintsOfMap, guide.id) != kHintsOfMap.end();
    if (!is_hint) {
      EXPECT_THAT(text, testing::EndsWith(".")) << guide.id;
    }
    EXPECT_FALSE(text.empty()) << guide.id;
    // What masking alone tells, or another verb, need be about no figure of an audit.
    const bool has_figure = !guide.figure.empty();
    EXPECT_EQ(explain_figure(guide.figure) != nullptr, has_figure) << guide.id;
    EXPECT_THAT(text, Not(testing::ContainsRegex("[A-Z]{5}"))) << guide.id;  // nobody shouts
  }
  for (const finding::Entry& entry : finding::audit_entries()) {
    // How records of one person are joined is no figure of an audit, nor is what only mask tells.
    const bool has_figure =
        entry.guide.id != "draw-by-links-records" && entry.guide.id != "told-by-mask-alone";
    EXPECT_EQ(!entry.guide.figure.empty(), has_figure) << entry.guide.id;
  }
  EXPECT_EQ(finding_guide("no-such-finding"), nullptr);
  EXPECT_EQ(finding_text({}), "");
}

TEST(FindingGuide, NeverRoundsToCertainty) {
  const auto text = [](double guess) {
    return make_finding("guess-easy", Severity::kDanger, {"a"}, {{"prior", 0.1}, {"guess", guess}})
        .text;
  };
  EXPECT_THAT(text(1), HasSubstr("(100 % of the values"));
  EXPECT_THAT(text(0.99999), HasSubstr("more than 99.9 %"));
  EXPECT_THAT(text(0.99999), Not(HasSubstr("100 %")));
}

TEST(FindingGuide, NamesFewColumnsAndCountsTheOthers) {
  std::vector<std::string> names;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h", "i"}) names.emplace_back(name);
  EXPECT_THAT(make_finding("identifiers-released", Severity::kDanger, names).text,
              HasSubstr("a, b, c, d, e, f and 3 more identify"));
  names.resize(2);
  EXPECT_THAT(make_finding("identifiers-released", Severity::kDanger, names).text,
              HasSubstr("Columns a and b identify"));
}

TEST(FindingGuide, TellsTheShareOfEachColumn) {
  const auto text = [](std::vector<std::string> names, std::map<std::string, double> figures) {
    return make_finding("column-changed", Severity::kDanger, std::move(names), std::move(figures))
        .text;
  };
  EXPECT_EQ(text({"a", "b"}, {{"share.a", 1}, {"share.b", 0.25}}),
            "These columns should have come through as they were, but differ: a in 100 % and b in "
            "25 % of the records.");
  EXPECT_EQ(text({"a", "b"}, {{"share.a", 1}}),
            "These columns should have come through as they were, but differ: a and b.");
  EXPECT_EQ(text({"a"}, {{"share.a", 0.25}}),
            "Column a should have come through as it was, but differs in 25 % of the records.");
  EXPECT_EQ(text({"a"}, {}), "Column a should have come through as it was, but differs.");
}

}  // namespace
}  // namespace semveil
