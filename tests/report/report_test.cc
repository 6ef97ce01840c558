// The pages as text: what stands in them and what never does. How they look: tests/cli.
#include "semveil/report.h"

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
  EXPECT_THAT(page, HasSubstr("2 records show in column"));
  EXPECT_THAT(page, HasSubstr("11 groups of the original, 12 of the release"));
  EXPECT_THAT(page, HasSubstr("at least 87.5 %"));
  EXPECT_THAT(page, HasSubstr("Finding oneself"));
  audit.channels[0].risk.how = ChannelRisk::How::kExact;
  EXPECT_THAT(report_html(audit, sample_facts(Edition::kSteward)),
              Not(HasSubstr("at least 87.5 %")));
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
  EXPECT_THAT(page, HasSubstr("Of 2 claims 1 hold"));
  EXPECT_THAT(page, HasSubstr("0.204 <span class=\"yes\">✓"));
  EXPECT_THAT(page, HasSubstr("0.512 <span class=\"no\">✗"));
}

}  // namespace
}  // namespace semveil
