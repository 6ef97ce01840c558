// A method that is registered from outside: everything that asks about methods knows it.
#include "extension/respond_method.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <sstream>

#include "conformance/every_mechanism.h"
#include "semveil/audit.h"
#include "semveil/compare.h"
#include "semveil/files.h"
#include "semveil/plan_text.h"
#include "semveil/release.h"
#include "support/temporary_folder.h"

namespace semveil::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::UnorderedElementsAre;

// Before any test: what was looked at does not change any more.
class Registered final : public testing::Environment {
 public:
  void SetUp() override {
    ASSERT_TRUE(register_method(respond_method()));
    const Status twice = register_method(respond_method());
    ASSERT_FALSE(twice);
    EXPECT_EQ(twice.error().code, ErrorCode::kUsage);
    EXPECT_THAT(twice.error().message, HasSubstr("respond already"));
  }
};
const testing::Environment* const kRegistered =
    testing::AddGlobalTestEnvironment(new Registered);  // GoogleTest's from here on

// ---- The mechanism, as every other --------------------------------------------------------------

std::vector<MechanismCase> respond_cases() {
  MechanismCase one;
  one.name = "Respond";
  one.make = [](MechanismCase::Choices choices) {
    return make_respond({.truth = 0.4, .by_person = choices.by_person});
  };
  one.traces = false;
  one.from_the_data = true;
  MechanismCase other = one;
  other.name = "RespondWithMissingAsValue";
  other.missing_is_value = true;
  return {one, other};
}
INSTANTIATE_TEST_SUITE_P(Extension, EveryMechanism, testing::ValuesIn(respond_cases()),
                         [](const auto& test) { return test.param.name; });

// ---- The registry -------------------------------------------------------------------------------

TEST(RegisteredMethod, StandsBehindTheBuiltInOnes) {
  EXPECT_EQ(methods().front()->name(), "noise");
  EXPECT_EQ(methods().back()->name(), "respond");
  EXPECT_EQ(find_method("respond"), methods().back());
  EXPECT_TRUE(method_named("respond").draws_per_cell());
  EXPECT_EQ(find_method("answer"), nullptr);
  EXPECT_EQ(method_named("answer").shape, MethodShape::kNone);
}

TEST(RegisteredMethod, ComesTooLateAfterTheFirstUse) {
  ASSERT_FALSE(methods().empty());
  const Status late = register_method(respond_method());
  ASSERT_FALSE(late);
  EXPECT_THAT(late.error().message, HasSubstr("too late"));
}

// ---- Plans --------------------------------------------------------------------------------------

constexpr const char* kColumns =
    "[ontology.d]\nsource = \"edges:d.csv\"\n[column.job]\nrole = \"quasi-identifier\"\nontology = "
    "\"d\"\n[column.age]\n[column.person]\nrole = \"identifier\"\n[mask]\nmethod = \"respond\"\n";

Result<PlanFile> parse(const std::string& mask,
                       const std::map<std::string, std::string>& overrides = {}) {
  return PlanFile::parse(kColumns + mask, "p.toml", overrides);
}

TEST(RegisteredMethod, IsReadAndWrittenInPlans) {
  const PlanFile plan = value_or_throw(parse("truth = 0.25\ndraw_by = \"person\"\nnote = \"x\"\n"));
  EXPECT_EQ(plan.steps.at(0).about().name, "respond");
  const auto values = mask_values(plan.steps.at(0), "");
  EXPECT_THAT(values, UnorderedElementsAre(Pair("method", "\"respond\""), Pair("truth", "0.25"),
                                           Pair("draw_by", "\"person\""), Pair("note", "\"x\"")));
  const PlanFile again = value_or_throw(PlanFile::parse(to_toml(plan, ""), "p.toml"));
  EXPECT_EQ(mask_values(again.steps.at(0), ""), values);
  EXPECT_THAT(mask_values(value_or_throw(parse("truth = 0.5\n")).steps.at(0), ""),
              ElementsAre(testing::Key("method")));  // the default goes without saying
}

TEST(RegisteredMethod, IsToldWhatIsWrongWithItsKeys) {
  const auto error = [](const Result<PlanFile>& plan) {
    return plan ? "" : describe(plan.error(), Quote::kShow);
  };
  EXPECT_THAT(error(parse("truth = 2\n")), HasSubstr("truth: expected a number from 0 to 1"));
  EXPECT_THAT(error(parse("trut = 1\n")), HasSubstr("the nearest valid one is truth"));
  EXPECT_THAT(error(parse("k = 5\n")), HasSubstr("respond does not take k"));
  EXPECT_THAT(error(parse("note = \"refuse me\"\n")), HasSubstr("p.toml:11: this note is refused"));
  EXPECT_THAT(error(parse("columns = [\"age\"]\n")),
              HasSubstr("respond needs an ontology for column age"));
  EXPECT_THAT(error(parse("", {{"truth", "\"x\""}})), HasSubstr("--truth"));
  EXPECT_THAT(error(parse("", {{"method", "\"noise\""}, {"truth", "0.5"}})),
              HasSubstr("noise does not take truth; it is a key of respond"));
}

// ---- From the table to the audit ----------------------------------------------------------------

class Responding : public testing::Test {
 protected:
  Responding() {
    write("d.csv",
          "child,parent\nnurse,care\ncarer,care\ncare,work\nbaker,craft\nmason,craft\n"
          "craft,work\n");
    std::string rows = "job,age,person\n";
    const std::array<const char*, 4> jobs{"nurse", "carer", "baker", "mason"};
    for (std::size_t i = 0; i < 400; ++i) {
      rows += std::string(jobs[(i * i + i / 7) % 4]) + "," + std::to_string(20 + i % 30) + ",p" +
              std::to_string(i / 4) + "\n";
    }
    write("t.csv", rows);
    write("p.toml", std::string(kColumns) + "truth = 0.25\n");
  }
  void write(const std::string& name, const std::string& text) const {
    EXPECT_TRUE(write_file(path(name), text));
  }
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string text_of(const std::string& name) const {
    std::ifstream in(path(name));
    return (std::ostringstream() << in.rdbuf()).str();
  }
  PlanFile plan() const { return value_or_throw(PlanFile::read(path("p.toml"))); }
  Table table(const std::string& name) const { return value_or_throw(Table::open(path(name), {})); }
  static Key key() { return Key::from_bytes(std::array<unsigned char, Key::kSize>{7}); }
  static WorkOptions work() {
    WorkOptions options;
    options.use_cache = false;
    return options;
  }
  Model fitted() const {
    const Survey surveyed = value_or_throw(survey(table("t.csv"), plan(), work()));
    return value_or_throw(Model::fit(surveyed, plan(), key(), work()));
  }
  std::string masked_by(const Model& model, const std::string& output) const {
    ApplyOptions options;
    options.work = work();
    options.output = path(output);
    PendingRelease pending = value_or_throw(apply(model, table("t.csv"), options));
    EXPECT_TRUE(pending.commit());
    return text_of(output);
  }

  TemporaryFolder folder_;
};

TEST_F(Responding, IsFittedAndApplied) {
  const Model model = fitted();
  EXPECT_EQ(model.method(), "respond");
  EXPECT_THAT(model.parameters(), ElementsAre(Pair("truth", "0.25")));
  const std::string out = masked_by(model, "out.csv");
  EXPECT_THAT(out, testing::StartsWith("job,age\n"));
  std::istringstream before(text_of("t.csv")), after(out);
  std::size_t same = 0;
  for (std::string x, z; std::getline(before, x) && std::getline(after, z);) {
    same += x.substr(0, x.find(',')) == z.substr(0, z.find(',')) ? 1 : 0;
  }
  EXPECT_GT(same, 130U);  // a quarter stays, and a quarter of the others comes back: 175
  EXPECT_LT(same, 220U);
}

TEST_F(Responding, ComesBackFromAModelFile) {
  const Model model = fitted();
  PendingFile file = value_or_throw(model.prepare(path("m.model"), Model::KeyIn::kYes));
  ASSERT_TRUE(file.commit());
  const Model read = value_or_throw(Model::read(path("m.model")));
  EXPECT_EQ(read.method(), "respond");
  EXPECT_EQ(masked_by(read, "again.csv"), masked_by(model, "out.csv"));
}

TEST_F(Responding, IsAuditedByItsOwnChannel) {
  masked_by(fitted(), "out.csv");
  PairOptions options;
  options.work = work();
  const Table original = table("t.csv"), masked = table("out.csv");
  const TablePair pair = value_or_throw(pair_tables(original, masked, plan(), options));
  const Audit found = value_or_throw(audit(pair, {}));
  EXPECT_EQ(found.method, "respond");
  EXPECT_THAT(found.parameters, ElementsAre(Pair("truth", "0.25")));
  ASSERT_EQ(found.channels.size(), 1U);
  EXPECT_EQ(found.channels[0].risk.how, ChannelRisk::How::kExact);
  // Four values: P(z = x) = 1/4 + 3/4 · 1/4.
  EXPECT_NEAR(found.channels[0].risk.unchanged, 0.4375, 1e-12);
  EXPECT_THAT(found.findings, Contains(testing::Field(&Finding::id, "method-verified")));
}

TEST_F(Responding, IsTriedInComparisons) {
  EXPECT_EQ(value_or_throw(parse_configurations("respond truth=0.1,0.2 note=x")).size(), 2U);
  const auto wrong = parse_configurations("respond alpha=1");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message, HasSubstr("it takes measure, columns, draw_by, truth, note"));
  CompareOptions options;
  options.work = work();
  const Comparison all = value_or_throw(compare(table("t.csv"), plan(), key(), options));
  EXPECT_EQ(all.releases.back().label, "respond truth 0.3");
  EXPECT_TRUE(all.releases.back().audit) << all.releases.back().failure;
}

}  // namespace
}  // namespace semveil::test
