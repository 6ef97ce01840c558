// The pages as text: what stands in them and what never does. How they look: tests/cli.
#include "semveil/report.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <regex>

#include "support/sample_audit.h"

namespace semveil {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string public_page() {
  return report_html(public_edition(sample_audit(), 5), sample_facts(Edition::kPublic));
}
std::string steward_page() { return report_html(sample_audit(), sample_facts(Edition::kSteward)); }

void expect_inert(const std::string& page) {
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, Not(HasSubstr("\u202E")));
  EXPECT_THAT(page, Not(HasSubstr(std::string(1'000, 'x'))));
  EXPECT_THAT(page, Not(HasSubstr("src=\"")));
  EXPECT_THAT(page, Not(HasSubstr("url(")));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  // Links lead to places of the page that exist.
  const std::regex link("href=\"([^\"]*)\"");
  for (std::sregex_iterator at(page.begin(), page.end(), link), end; at != end; ++at) {
    const std::string target = (*at)[1];
    ASSERT_EQ(target.front(), '#') << target;
    EXPECT_THAT(page, HasSubstr("id=\"" + target.substr(1) + "\""));
  }
}

TEST(Report, IsInertWhateverTheTableHolds) {
  expect_inert(public_page());
  expect_inert(steward_page());
  expect_inert(comparison_html(sample_comparison(), sample_facts(Edition::kSteward)));
  expect_inert(reproduction_html({sample_reproduction()}, "0.1.0"));
  expect_inert(report_html(Audit(), ReportFacts()));
}

TEST(Report, IsTheSameEveryTime) {
  EXPECT_EQ(steward_page(), steward_page());
  EXPECT_EQ(public_page(), public_page());
}

TEST(Report, ForTheStewardHoldsWhatThePublicOneMustNot) {
  const std::vector<std::string> secrets{"lighthouse keeper", std::string(64, 'a'),
                                         "Values that give people away"};
  for (const std::string& secret : secrets) {
    EXPECT_THAT(steward_page(), HasSubstr(secret));
    EXPECT_THAT(public_page(), Not(HasSubstr(secret)));
  }
}

// Whoever forgets public_edition() shows no value by name that only the original has.
TEST(Report, ForThePublicKeepsItsRulesByItself) {
  Audit audit = sample_audit();
  audit.columns[0].distribution[1].in_release = false;
  audit.columns[0].distribution[1].label = "only in the original";
  audit.clusters->original[0].label = "a tuple of the original";
  const std::string page = report_html(audit, sample_facts(Edition::kPublic));
  EXPECT_THAT(page, Not(HasSubstr("only in the original")));
  EXPECT_THAT(page, Not(HasSubstr("a tuple of the original")));
  EXPECT_THAT(page, Not(HasSubstr("lighthouse keeper")));
}

TEST(Report, SaysWhatWasDoneAndHowToRepeatIt) {
  const std::string page = public_page();
  for (const char* words :
       {"Public edition", "released.csv", "alpha", "0.3", "30,000", "semveil mask patients.csv",
        "&lt;secret&gt;", "What was done", "What the columns mean", "What was kept",
        "What goes together", "Groups", "What risk is left", "How to repeat it",
        "What the figures mean", "Semantic record linkage", "12.3 %", "wordnet-3.0"}) {
    EXPECT_THAT(page, HasSubstr(words));
  }
}

TEST(Report, ShowsUndefinedFiguresAsSuch) {
  Audit audit;
  audit.masked_records = 10;
  audit.original_records = 12;
  audit.unpaired_why = "the tables have 12 and 10 records";
  const std::string page = report_html(audit, ReportFacts());
  EXPECT_THAT(page, HasSubstr("–"));
  EXPECT_THAT(page, HasSubstr("the tables have 12 and 10 records"));
  EXPECT_THAT(page, Not(HasSubstr("nan")));
}

TEST(Report, OfAnAuditSaysThatItDoesNotKnowTheSeed) {
  ReportFacts facts = sample_facts(Edition::kPublic);
  facts.command.clear();
  facts.seed = SeedState::kUnknown;
  const std::string page = report_html(sample_audit(), facts);
  EXPECT_THAT(page, HasSubstr("not known to an audit"));
  EXPECT_THAT(page, HasSubstr("noise</bdi>, according to the plan"));
  EXPECT_THAT(page, Not(HasSubstr("fresh key")));
  facts.seed = SeedState::kFresh;
  EXPECT_THAT(report_html(sample_audit(), facts), HasSubstr("a fresh key, kept nowhere"));
  EXPECT_THAT(report_html(sample_audit(), facts), Not(HasSubstr("according to the plan")));
}

TEST(Report, KeepsLossesOfSetsAndOfDetailApart) {
  Audit audit = sample_audit();
  const std::string heading = "Loss of a set</a></th>";
  EXPECT_THAT(report_html(audit, sample_facts(Edition::kSteward)), Not(HasSubstr(heading)));
  audit.columns[3].information_loss = 0.66666;
  const std::string page = report_html(audit, sample_facts(Edition::kSteward));
  EXPECT_THAT(page, HasSubstr(heading));
  EXPECT_THAT(page, HasSubstr("0.667"));
  EXPECT_THAT(page, HasSubstr("0.0123"));
}

TEST(Report, SaysWhatItsCountsCount) {
  Audit audit = sample_audit();
  audit.clusters->count = 14;
  audit.clusters->original = sample_tree(11);
  audit.clusters->masked = sample_tree(12);
  audit.channels[0].risk.worst = 0.875;
  audit.channels[0].risk.how = ChannelRisk::How::kSimulated;
  const std::string page = report_html(audit, sample_facts(Edition::kSteward));
  EXPECT_THAT(page, HasSubstr("2 released records show in column"));
  EXPECT_THAT(page, HasSubstr("11 groups of the original, 12 of the release"));
  EXPECT_THAT(page, HasSubstr("at least 87.5 %"));
  EXPECT_THAT(page, HasSubstr("Finding oneself"));
  audit.channels[0].risk.how = ChannelRisk::How::kExact;
  EXPECT_THAT(report_html(audit, sample_facts(Edition::kSteward)),
              Not(HasSubstr("at least 87.5 %")));
}

// ---- The verdict --------------------------------------------------------------------------------

Audit audit_with(const std::vector<Finding>& findings) {
  Audit audit = sample_audit();
  audit.findings = findings;
  return audit;
}
std::string page_with(const std::vector<Finding>& findings) {
  return report_html(audit_with(findings), sample_facts(Edition::kSteward));
}

TEST(Report, BeginsWithWhatStandsAgainstSigning) {
  const Finding danger = make_finding("secret-shared", Severity::kDanger, {"diagnosis"},
                                      {{"classes", 1}, {"records", 6}});
  const Finding warning = make_finding("not-paired", Severity::kWarning);
  const Finding promise =
      make_finding("k-verified", Severity::kPromise, {}, {{"k", 6}, {"promised", 5}});
  const std::string unsafe = page_with({danger, warning, promise});
  EXPECT_THAT(unsafe, HasSubstr("One finding stands against signing this release."));
  EXPECT_LT(unsafe.find("everybody has the same value of diagnosis"),
            unsafe.find("It is not known which released record"));
  EXPECT_LT(unsafe.find("It is not known which released record"),
            unsafe.find("At least 6 released"));
  EXPECT_LT(unsafe.find("At least 6 released"), unsafe.find("class=\"tiles\""));
  EXPECT_THAT(unsafe, HasSubstr("What can be done: Demand different values in every group"));
  EXPECT_THAT(unsafe, HasSubstr("Machanavajjhala 2007]</span>"));
  const std::string weighed = page_with({warning, promise});
  EXPECT_THAT(weighed, Not(HasSubstr("finding stands against signing this release.")));
  EXPECT_THAT(weighed, HasSubstr("No finding stands against signing this release; one finding has "
                                 "to be weighed."));
  EXPECT_THAT(page_with({promise}), HasSubstr("No finding stands against signing this release.<"));
}

// What was said by notes and by findings is said once.
TEST(Report, SaysNothingTwice) {
  Audit audit = sample_audit();
  audit.notes = {"THE PLAN PROMISES k = 5, THE RELEASE HAS k = 2"};
  audit.findings = {
      make_finding("k-missed", Severity::kDanger, {}, {{"k", 2}, {"promised", 5}, {"uniques", 0}})};
  const std::string page = report_html(audit, sample_facts(Edition::kSteward));
  EXPECT_THAT(page, Not(HasSubstr("THE PLAN PROMISES")));
  EXPECT_THAT(page, HasSubstr("but the smallest group of the release has 2."));
}

TEST(Report, HasLinesToSignOnAndNoDate) {
  for (const Edition edition : {Edition::kPublic, Edition::kSteward}) {
    const std::string page = report_html(sample_audit(), sample_facts(edition));
    for (const char* words : {"To be signed by hand", "<p>Who</p>", "<p>When</p>",
                              "<p>For what purpose, for whom</p>", "<p>Signature</p>"}) {
      EXPECT_THAT(page, HasSubstr(words));
    }
    const std::string block = page.substr(page.find("class=\"sign\""));
    EXPECT_LT(block.find(std::string(64, 'b')), block.find("<p>Who</p>"));
    const bool has_original = block.find(std::string(64, 'a')) < block.find("<p>Who</p>");
    EXPECT_EQ(has_original, edition == Edition::kSteward);
    EXPECT_FALSE(std::regex_search(page, std::regex("\\b[sS]afe\\b")));
    EXPECT_FALSE(std::regex_search(page, std::regex("20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]")));
  }
}

TEST(Report, TellsColumnsThatCameThroughInOneLine) {
  Audit audit = sample_audit();
  audit.unmasked.clear();
  for (int i = 0; i < 44; ++i) audit.unmasked.push_back(fmt::format("field{}", i));
  const std::string page = report_html(audit, sample_facts(Edition::kPublic));
  EXPECT_THAT(page, HasSubstr("<bdi>field0</bdi>, <bdi>field1</bdi>, "));
  EXPECT_THAT(page, HasSubstr("<bdi>field42</bdi>, <bdi>field43</bdi>."));
  EXPECT_THAT(page, Not(HasSubstr("<li><bdi>field1")));
}

TEST(Report, TellsAGuessBesideWhatItWasBefore) {
  Audit audit = sample_audit();
  ChannelFigures race = audit.channels[0];
  race.risk.columns = {"race"};
  race.risk.prior = 0.85;
  race.risk.vulnerability = 0.88;  // greater than that of occupation, and hardly more than before
  audit.channels.push_back(race);
  const std::string page = report_html(audit, sample_facts(Edition::kSteward));
  EXPECT_THAT(page, HasSubstr("11.2 % → 51.2 %</b>"));
  EXPECT_THAT(page, HasSubstr("by the most frequent value → by the release · occupation"));
}

// ---- Plots --------------------------------------------------------------------------------------

// A line of the distribution may stand for hundreds of values.
TEST(Report, CountsTheValuesOfAPool) {
  Audit audit = sample_audit();
  ValueShare rest;
  rest.label = "others";
  rest.pooled = true;
  rest.values = 692;
  rest.original = 0.4;
  rest.masked = 0.41;
  audit.columns[0].distribution.resize(24);
  audit.columns[0].distribution.push_back(rest);
  const std::string page = report_html(audit, sample_facts(Edition::kSteward));
  EXPECT_THAT(page, HasSubstr(">705 more values<"));
  EXPECT_THAT(page, Not(HasSubstr(">14 more values<")));
}

TEST(Report, OfAComparisonShowsPlansToStewardsAlone) {
  EXPECT_THAT(comparison_html(sample_comparison(), sample_facts(Edition::kSteward)),
              HasSubstr("[mask]\nmethod"));
  EXPECT_THAT(comparison_html(sample_comparison(), sample_facts(Edition::kPublic)),
              Not(HasSubstr("[mask]")));
  EXPECT_THAT(comparison_html(sample_comparison(), sample_facts(Edition::kPublic)),
              HasSubstr("No class of 50 records can be made."));
  EXPECT_THAT(comparison_html(sample_comparison(), sample_facts(Edition::kSteward)),
              HasSubstr(std::string(64, 'a')));
  EXPECT_THAT(comparison_html(sample_comparison(), sample_facts(Edition::kPublic)),
              Not(HasSubstr(std::string(64, 'a'))));
}

TEST(Report, OfExperimentsCountsClaims) {
  const std::string page = reproduction_html({sample_reproduction()}, "0.1.0");
  EXPECT_THAT(page, HasSubstr("1 of 2 claims holds"));
  EXPECT_THAT(page, HasSubstr("0.204 <span class=\"yes\">✓"));
  EXPECT_THAT(page, HasSubstr("0.512 <span class=\"no\">✗"));
}

}  // namespace
}  // namespace semveil
