// What is proposed about a finding is something that the method of the plan takes.
#include "semveil/finding_display.h"

#include <gmock/gmock.h>

#include <regex>
#include <set>
#include <string>

#include "semveil/finding_guide.h"
#include "semveil/method.h"

namespace semveil {
namespace {

using testing::HasSubstr;
using testing::Not;

Finding finding(std::string_view id) { return make_finding(id, Severity::kWarning, {"a"}); }

std::set<std::string> every_key() {
  std::set<std::string> out{std::string(kDrawByKey)};
  for (const Method* const method : methods()) {
    for (const MethodKey& key : method->about().keys) out.insert(std::string(key.name));
  }
  return out;
}

// Whether a remedy has the reader set this key of the plan's method: `key = …`, a greater or
// another key. One that names the method beside the key proposes that method.
bool sets(const std::string& remedy, const std::string& key) {
  if (remedy.find("method = ") != std::string::npos) return false;
  return std::regex_search(remedy, std::regex("(^|[^:] |[^ ])\\b" + key + " = ")) ||
         std::regex_search(remedy, std::regex("(greater|another) " + key + "\\b")) ||
         (key == kDrawByKey && remedy.find(key) != std::string::npos &&
          remedy.find("Leave draw_by out") == std::string::npos);
}

TEST(Remedies, SetNoKeyThatTheMethodRefuses) {
  const std::set<std::string> keys = every_key();
  std::size_t found = 0;
  for (const Method* const method : methods()) {
    for (const FindingGuide& guide : finding_guides()) {
      const std::string remedy = remedy_of(finding(guide.id), {std::string(method->name())});
      for (const std::string& key : keys) {
        if (!sets(remedy, key)) continue;
        ++found;
        EXPECT_TRUE(method->about().takes(key))
            << method->name() << " does not take " << key << ", which " << guide.id
            << " proposes: " << remedy;
      }
    }
  }
  EXPECT_GT(found, 50U);
}

TEST(Remedies, AreThoseOfTheGuideWhereNobodySaysHowTheReleaseWasMade) {
  for (const FindingGuide& guide : finding_guides()) {
    EXPECT_EQ(remedy_of(finding(guide.id), {}), guide.remedy);
  }
}

TEST(Remedies, OfSeveralStepsAreTakenByOneOfThem) {
  const auto remedy = [](std::string method) {
    return remedy_of(finding("errors-drawn-by-row"), {std::move(method)});
  };
  EXPECT_THAT(remedy("generalize + noise"), HasSubstr("draw_by"));
  EXPECT_EQ(remedy("generalize + random-swap"), "");
}

// Such a plan is refused (exit code 3) unless it allows what joins the rows of a person.
TEST(Remedies, SayWhatDrawByAsksOfAPlanWhoseClassesCountPersons) {
  MaskedBy by{"generalize + noise"};
  EXPECT_THAT(remedy_of(finding("rows-looked-at-together"), by),
              Not(HasSubstr("allow_linked_rows")));
  by.counts_persons = true;
  EXPECT_THAT(remedy_of(finding("rows-looked-at-together"), by),
              HasSubstr("allow_linked_rows = true"));
  by.method = "noise";  // no classes, no promise
  EXPECT_THAT(remedy_of(finding("rows-looked-at-together"), by),
              Not(HasSubstr("allow_linked_rows")));
}

}  // namespace
}  // namespace semveil
