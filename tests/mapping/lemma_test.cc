#include "mapping/lemma.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace semveil {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using ExceptionList = std::map<std::string, std::vector<std::string>, std::less<>>;

std::vector<std::string> bases(std::string_view text,
                               const std::set<std::string, std::less<>>& names,
                               const ExceptionList& exceptions = {}) {
  return base_forms(text, {[&](std::string_view t) { return names.contains(t); },
                           [&](std::string_view form) {
                             const auto line = exceptions.find(form);
                             if (line == exceptions.end()) return std::vector<std::string_view>{};
                             return std::vector<std::string_view>(line->second.begin(),
                                                                  line->second.end());
                           }});
}

struct Rule {
  const char* form;
  const char* base;
};

class EveryDetachmentRule : public testing::TestWithParam<Rule> {};
TEST_P(EveryDetachmentRule, LeadsToItsBase) {
  EXPECT_THAT(bases(GetParam().form, {GetParam().base}), ElementsAre(GetParam().base));
}
INSTANTIATE_TEST_SUITE_P(Morphy, EveryDetachmentRule,
                         testing::Values(Rule{"dogs", "dog"}, Rule{"buses", "bus"},
                                         Rule{"boxes", "box"}, Rule{"quizzes", "quizz"},
                                         Rule{"churches", "church"}, Rule{"bushes", "bush"},
                                         Rule{"postmen", "postman"}, Rule{"ponies", "pony"}));

TEST(BaseForms, AreOnlyNames) { EXPECT_THAT(bases("dogs", {"cat"}), IsEmpty()); }

TEST(BaseForms, DoNotHoldTheTextItself) {
  EXPECT_THAT(bases("dogs", {"dogs", "dog"}), ElementsAre("dog"));
}

TEST(BaseForms, OfSeveralRulesAreUnited) {
  EXPECT_THAT(bases("axes", {"axe", "ax"}), ElementsAre("axe", "ax"));
}

TEST(BaseForms, LeaveShortWordsAndDoubleSAlone) {
  EXPECT_THAT(bases("as", {"a"}), IsEmpty());
  EXPECT_THAT(bases("és", {"é"}), IsEmpty());  // letters, not bytes
  EXPECT_THAT(bases("glass", {"glas"}), IsEmpty());
  EXPECT_THAT(bases("gas", {"ga"}), ElementsAre("ga"));  // three letters are enough
}

TEST(BaseForms, OfNounsInFul) {
  EXPECT_THAT(bases("boxesful", {"box", "boxful"}), ElementsAre("boxful"));
  EXPECT_THAT(bases("spoonsful", {"spoonful"}), ElementsAre("spoonful"));
  EXPECT_THAT(bases("ful", {"", "ful"}), IsEmpty());
}

TEST(BaseForms, AnExceptionDecidesAlone) {
  const ExceptionList list{{"axes", {"ax", "axis"}}, {"lenses", {"nowhere"}}};
  EXPECT_THAT(bases("axes", {"axe", "ax", "axis"}, list), ElementsAre("ax", "axis"));
  EXPECT_THAT(bases("lenses", {"lens"}, list), IsEmpty());
}

TEST(BaseForms, FindExceptionsHoweverTheListSpellsThem) {
  const ExceptionList list{{"attorneys-at-law", {"attorney-at-law"}}, {"ad_libs", {"ad_lib"}}};
  EXPECT_THAT(bases("attorneys at law", {"attorney at law"}, list), ElementsAre("attorney at law"));
  EXPECT_THAT(bases("ad libs", {"ad lib", "ad"}, list), ElementsAre("ad lib"));
}

TEST(BaseForms, OfACollocationAreSoughtAsAWholeFirst) {
  EXPECT_THAT(bases("ski trips", {"ski trip"}), ElementsAre("ski trip"));
  EXPECT_THAT(bases("arms races", {"arms race", "arm race"}), ElementsAre("arms race"));
}

TEST(BaseForms, OfACollocationAreSoughtWordByWord) {
  EXPECT_THAT(bases("attorneys general", {"attorney general"}), ElementsAre("attorney general"));
  EXPECT_THAT(bases("men of war", {"man of war"}, {{"men", {"man"}}}), ElementsAre("man of war"));
  EXPECT_THAT(bases("mice traps", {"mouse trap"}, {{"mice", {"mouse"}}}),
              ElementsAre("mouse trap"));
}

TEST(BaseForms, OfALongTextCostLittle) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "axes ";
  text.pop_back();
  EXPECT_THAT(bases(text, {"axe"}), IsEmpty());
}

}  // namespace
}  // namespace semveil
