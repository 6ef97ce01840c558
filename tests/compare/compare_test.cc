// Comparisons: what is measured is what `mask` would write, nothing depends on threads or on
// records that were set aside, and marks and searches are those of brute force.
#include "semveil/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <set>
#include <sstream>

#include "audit/table_pair.h"
#include "compare/compare_plans.h"
#include "compare/compare_run.h"
#include "mechanisms/swap/swap_method.h"
#include "release/model.h"
#include "semveil/files.h"
#include "semveil/plan_text.h"
#include "support/slow_taxonomy.h"
#include "support/temporary_folder.h"

namespace semveil {
namespace {

using test::value_or_throw;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kComparedPlan = R"(
[ontology.d]
source = "edges:d.csv"
[column.a]
role = "quasi-identifier"
ontology = "d"
root = "D"
unmapped = "suppress"
[column.b]
role = "quasi-identifier"
ontology = "d"
root = "D"
[column.age]
role = "quasi-identifier"
type = "numeric"
[column.job]
role = "sensitive"
categories = "jobs.categories"
[column.person]
role = "identifier"
)";
const std::vector<std::string> kLeaves{"flu", "cold", "mumps", "cut", "burn", "sprain"};
constexpr const char* kJobs = "clerk,cook\nnurse,smith\nbaker,guard\n";
const std::vector<std::string> kJobNames{"clerk", "cook", "nurse", "smith", "baker", "guard"};

class Comparing : public testing::Test {
 protected:
  void SetUp() override {
    write("d.csv", "child,parent\nI,D\nJ,D\nflu,I\ncold,I\nmumps,I\ncut,J\nburn,J\nsprain,J\n");
    write("jobs.categories", kJobs);
    write("plan.toml", kComparedPlan);
    write("t.csv", rows(0, 240));
  }
  void write(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(write_file(path(name), text));
  }
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string text_of(const std::string& name) const {
    std::ifstream in(path(name));
    return (std::ostringstream() << in.rdbuf()).str();
  }

  // Some cells are missing, one text means nothing.
  static std::vector<std::string> lines(std::size_t from, std::size_t to) {
    std::vector<std::string> out;
    for (std::size_t i = from; i < to; ++i) {
      const std::string a = i % 37 == 5 ? "nothing" : kLeaves[(i * i + i / 7) % 6];
      const std::string b = i % 41 == 3 ? "" : kLeaves[(i + i / 11) % 6];
      out.push_back(a + "," + b + "," + std::to_string(20 + (i * 7) % 23) + "," +
                    kJobNames[(i * 5 + i / 3) % 6] + ",p" + std::to_string(i / 3) + "\n");
    }
    return out;
  }
  static std::string rows(std::size_t from, std::size_t to) {
    std::string out = "a,b,age,job,person\n";
    for (const std::string& line : lines(from, to)) out += line;
    return out;
  }

  PlanFile plan() const { return value_or_throw(PlanFile::read(path("plan.toml"))); }
  Table table(const std::string& name = "t.csv") const {
    return value_or_throw(Table::open(path(name), {}));
  }
  static Key key() { return Key::from_bytes(std::array<unsigned char, Key::kSize>{7}); }
  static WorkOptions work(unsigned threads = 1) {
    WorkOptions options;
    options.use_cache = false;
    options.threads = threads;
    return options;
  }

  // Those that drop-record keeps: with a cell in b, which alone has missing ones.
  static std::vector<std::uint64_t> kept_rows() {
    std::vector<std::uint64_t> out;
    for (std::uint64_t i = 0; i < 240; ++i) {
      if (i % 41 != 3) out.push_back(i);
    }
    return out;
  }

  // The released table as its columns would be read again.
  std::vector<std::vector<std::string>> written(const PlanFile& plan) const {
    const Table table = this->table();
    const Survey surveyed = value_or_throw(survey(table, plan, work()));
    const Model model = value_or_throw(Model::fit(surveyed, plan, key(), work()));
    ApplyOptions options;
    options.work = work();
    options.output = path("out.csv");
    options.survey = &surveyed;
    PendingRelease pending = value_or_throw(apply(model, table, options));
    if (const Status status = pending.commit(); !status) throw std::runtime_error("not written");
    std::vector<std::vector<std::string>> out;
    std::istringstream in(text_of("out.csv"));
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
      std::vector<std::string>& cells = out.emplace_back();
      std::istringstream cut(line + ",");
      for (std::string cell; std::getline(cut, cell, ',');) cells.push_back(cell);
    }
    return out;
  }

  test::TemporaryFolder folder_;
};

Configuration configuration(const std::string& text) {
  return value_or_throw(parse_configurations(text)).front();
}

// A cell of the release in memory, as it would stand in the file.
std::string cell_of(const TablePair::Impl& pair, std::size_t column, ConceptId value) {
  const TablePair::Impl::Column& from = pair.columns[column];
  if (value == from.attribute->missing_value()) return "";
  if (value > from.attribute->missing_value()) {
    return from.unmapped[value - from.attribute->missing_value() - 1];
  }
  return std::string(from.attribute->id(value));
}

class EveryMethod : public Comparing, public testing::WithParamInterface<const char*> {};

// The multiset of (original, released) records: what the file says, and what is in memory.
TEST_P(EveryMethod, HasInMemoryWhatMaskWrites) {
  const PlanFile plan = value_or_throw(configured(this->plan(), configuration(GetParam())));
  const std::vector<std::vector<std::string>> file = written(plan);
  const Comparer comparer = value_or_throw(Comparer::open(table(), plan, key(), 0, {plan}, work()));
  const TablePair made = value_or_throw(comparer.mask(plan));
  const TablePair::Impl& pair = made.impl();
  ASSERT_EQ(pair.columns.size(), 4U);
  std::multiset<std::vector<std::string>> expected, found;
  const std::vector<std::string> original = lines(0, 240);
  for (std::size_t i = 0; i < original.size(); ++i) {
    std::vector<std::string> both;
    std::istringstream cut(original[i]);
    for (std::size_t j = 0; j < 4; ++j) std::getline(cut, both.emplace_back(), ',');
    both.insert(both.end(), file[i].begin(), file[i].begin() + 4);
    if (!pair.sets.empty()) both.back() = "";  // sets are looked at apart
    // To a method that forms classes, a text that means nothing and is suppressed is missing.
    if (plan.steps.at(0).about().forms_classes && both[0] == "nothing") both[0] = "";
    expected.insert(both);
  }
  for (std::size_t i = 0; i < pair.pairs.size(); ++i) {
    std::vector<std::string> both;
    for (const Side side : {Side::kBefore, Side::kAfter}) {
      for (std::size_t j = 0; j < 4; ++j) {
        both.push_back(cell_of(pair, j, pair.pairs.tuple(i, side)[j]));
      }
    }
    for (std::uint64_t n = 0; n < pair.pairs.counts[i]; ++n) found.insert(both);
  }
  EXPECT_EQ(found, expected);
  EXPECT_EQ(pair.masked.records(), 240U);
  EXPECT_EQ(pair.original.records(), 240U);
  EXPECT_EQ(!pair.drawn.empty(), plan.steps.at(0).about().draws_per_cell());
  for (const SetPair& set : pair.sets) {
    for (std::size_t i = 0; i < original.size(); ++i) {
      std::string joined;
      for (std::size_t v = 0; v < set.l; ++v) {
        joined += (v == 0 ? "" : "|") + cell_of(pair, set.column, set.released[i * set.l + v]);
      }
      EXPECT_EQ(joined, file[i][3]);
    }
  }
}

// Every figure that decides.
std::vector<std::optional<double>> figures_of(const Audit& audit) {
  std::vector<std::optional<double>> out{audit.semantic_quality,
                                         audit.lm,
                                         audit.ncp,
                                         audit.discernibility,
                                         audit.journalist,
                                         audit.information_loss,
                                         audit.linkage.equality,
                                         audit.linkage.semantic,
                                         audit.linkage.window,
                                         audit.linkage.own_among_alike};
  for (const AuditedColumn& column : audit.columns) {
    out.insert(
        out.end(),
        {column.rmse, column.mean_shift, column.variance.original, column.variance.masked,
         column.total_variation, column.ic_loss, static_cast<double>(column.left_unmapped),
         static_cast<double>(column.masked_unmapped), static_cast<double>(column.masked_missing),
         static_cast<double>(column.masked_distinct)});
  }
  for (const AuditedPair& pair : audit.pairs) out.push_back(pair.correlation.masked);
  for (const Attack& attack : audit.attacks) out.push_back(attack.rate);
  for (const ChannelFigures& channel : audit.channels) {
    out.insert(out.end(), {channel.risk.prior, channel.risk.vulnerability, channel.risk.worst});
  }
  return out;
}

TEST_P(EveryMethod, IsMeasuredAsAnAuditOfTheFileMeasuresIt) {
  for (const MissingRule missing :
       {MissingRule::kKeep, MissingRule::kCategory, MissingRule::kDropRecord}) {
    PlanFile plan = value_or_throw(configured(this->plan(), configuration(GetParam())));
    plan.missing = missing;
    written(plan);
    AuditOptions options;
    options.work = work();
    const Comparer comparer =
        value_or_throw(Comparer::open(table(), plan, key(), 0, {plan}, work()));
    const TablePair memory = value_or_throw(comparer.mask(plan));
    PairOptions pairing;
    pairing.work = work();
    const auto rows =
        memory.impl().pairs.records() < 240 ? kept_rows() : std::vector<std::uint64_t>();
    if (!rows.empty()) pairing.rows = &rows;
    const TablePair file = value_or_throw(pair_tables(table(), table("out.csv"), plan, pairing));
    const auto expected = figures_of(value_or_throw(audit(file, options)));
    EXPECT_EQ(figures_of(value_or_throw(audit(memory, options))), expected);
    EXPECT_GT(expected.size(), 40U);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod,
                         testing::Values("noise alpha=0.5", "noise alpha=0.5 correlated=true",
                                         "noise alpha=0.5 draw_by=person", "swap k=5",
                                         "swap k=5 columns=a+age", "fuse k=5", "microaggregate k=5",
                                         "generalize k=5 columns=a+b partial=true", "recode k=30",
                                         "naive", "probabilistic", "random-swap", "ean", "an l=3"));

// ---- Nothing else matters -----------------------------------------------------------------------

using Figures = std::vector<std::tuple<std::string, std::map<std::string, double>,
                                       std::map<std::string, double>, bool, std::string>>;
Figures figures(const Comparison& comparison) {
  Figures out;
  for (const ComparedRelease& r : comparison.releases) {
    out.emplace_back(r.label, r.risks, r.losses, r.not_dominated, r.plan);
  }
  return out;
}

TEST_F(Comparing, GivesTheSameForAnyThreads) {
  CompareOptions options;
  options.work = work(1);
  const Figures one = figures(value_or_throw(compare(table(), plan(), key(), options)));
  options.work = work(3);
  EXPECT_EQ(figures(value_or_throw(compare(table(), plan(), key(), options))), one);
  EXPECT_GT(one.size(), 15U);
  EXPECT_LT(one.size(), 30U);
}

// As many records, in the same places, but other ones where they are set aside: texts that no other
// record has, numbers out of range.
TEST_F(Comparing, TellsNothingOfRecordsThatAreSetAside) {
  constexpr double kShare = 0.3;
  const Draws draws(key().derive("holdout", {}), "");
  std::string other = "a,b,age,job,person\n", kept = other;
  std::size_t aside = 0;
  const std::vector<std::string> all = lines(0, 240);
  for (std::size_t row = 0; row < all.size(); ++row) {
    std::uint64_t drawn = 0;
    draws.of_rows(row, 0, {&drawn, 1});
    const bool is_aside = static_cast<double>(drawn) < std::ldexp(kShare, 64);
    aside += is_aside ? 1 : 0;
    other += is_aside ? "I,J,999,guard,q\n" : all[row];
    kept += is_aside ? "" : all[row];
  }
  write("other.csv", other);
  write("kept.csv", kept);
  CompareOptions options;
  options.work = work();
  options.holdout = kShare;
  for (const char* text :
       {"noise alpha=0.5", "swap k=5", "fuse k=5", "microaggregate k=3", "ean"}) {
    options.configurations.push_back(configuration(text));
  }
  const Comparison held = value_or_throw(compare(table(), plan(), key(), options));
  EXPECT_EQ(held.held_out, aside);
  EXPECT_EQ(held.records + held.held_out, 240U);
  EXPECT_EQ(figures(value_or_throw(compare(table("other.csv"), plan(), key(), options))),
            figures(held));
  options.holdout = 0;
  EXPECT_EQ(figures(value_or_throw(compare(table("kept.csv"), plan(), key(), options))),
            figures(held));
  // And it would be noticed: all records together are another table.
  EXPECT_NE(figures(value_or_throw(compare(table(), plan(), key(), options))), figures(held));
}

TEST_F(Comparing, HandsTheRecordsSetAsideOverAsControl) {
  const PlanFile plan = value_or_throw(configured(this->plan(), configuration("noise alpha=0.5")));
  const Comparer comparer =
      value_or_throw(Comparer::open(table(), plan, key(), 0.3, {plan}, work()));
  const TablePair pair = value_or_throw(comparer.mask(plan));
  ASSERT_TRUE(pair.impl().control);
  EXPECT_EQ(pair.impl().control->records(), comparer.held_out());
  EXPECT_EQ(pair.impl().pairs.records(), comparer.records());
}

TEST_F(Comparing, LeavesOutOfTheControlWhatTheReleaseLeavesOut) {
  write("plan.toml", "missing = \"drop-record\"\n" + std::string(kComparedPlan));
  std::string text = "a,b,age,job,person\n";
  for (std::size_t i = 0; i < 240; ++i) {
    text +=
        (i % 2 == 0 ? "" : kLeaves[i % 6]) + std::string(",") + kLeaves[i % 5] + ",20,clerk,p\n";
  }
  write("t.csv", text);
  const PlanFile plan = value_or_throw(configured(this->plan(), configuration("noise alpha=0.5")));
  const Comparer comparer =
      value_or_throw(Comparer::open(table(), plan, key(), 0.3, {plan}, work()));
  const TablePair pair = value_or_throw(comparer.mask(plan));
  EXPECT_EQ(pair.impl().pairs.records() + pair.impl().control->records(), 120U);
  EXPECT_EQ(pair.impl().original.records(), comparer.records());
}

TEST_F(Comparing, TriesASampleWithoutTakingTheRestForControl) {
  const PlanFile plan = value_or_throw(configured(this->plan(), configuration("noise alpha=0.5")));
  const Comparer half =
      value_or_throw(Comparer::open_sample(table(), plan, key(), 0.5, {plan}, work()));
  EXPECT_EQ(half.records() + half.held_out(), 240U);
  EXPECT_GT(half.records(), 80U);
  EXPECT_LT(half.records(), 160U);
  EXPECT_FALSE(value_or_throw(half.mask(plan)).impl().control);
  const Comparer all =
      value_or_throw(Comparer::open_sample(table(), plan, key(), 1, {plan}, work()));
  EXPECT_EQ(all.records(), 240U);
}

TEST_F(Comparing, TakesFindingOneselfForProsecutorWhereClassesHideNobody) {
  CompareOptions options;
  options.work = work();
  for (const char* text : {"fuse k=5", "noise alpha=0.5", "swap k=5"}) {
    options.configurations.push_back(configuration(text));
  }
  const Comparison comparison = value_or_throw(compare(table(), plan(), key(), options));
  const auto prosecutor = [&](std::size_t i) {
    return comparison.releases[i].risks.at("prosecutor");
  };
  const auto smallest = [&](std::size_t i) {
    return 1 / static_cast<double>(comparison.releases[i].audit->classes->smallest);
  };
  EXPECT_DOUBLE_EQ(prosecutor(0), smallest(0));
  for (const std::size_t i : {1U, 2U}) {
    EXPECT_EQ(prosecutor(i), comparison.releases[i].audit->linkage.own_among_alike);
  }
}

TEST_F(Comparing, LeavesTheTableAsItIsWhereNothingIsDone) {
  CompareOptions options;
  options.work = work();
  options.configurations = {configuration("fuse k=5")};
  const Comparison comparison = value_or_throw(compare(table(), plan(), key(), options));
  const ComparedRelease& nothing = comparison.unchanged;
  ASSERT_TRUE(nothing.audit);
  EXPECT_EQ(nothing.loss, 0);
  EXPECT_EQ(nothing.risks.at("vulnerability"), 1);
  EXPECT_EQ(nothing.uniques, nothing.audit->classes_original->uniques);
  EXPECT_EQ(nothing.risks.at("prosecutor"), nothing.audit->classes_original->prosecutor);
  for (const AuditedColumn& column : nothing.audit->columns) EXPECT_EQ(column.unchanged, 1);
}

// A column's key: it is set on those with an ontology, and the judge stays the same.
// All are judged by the plan's measure; what noise aims at is in the one that it drew with.
TEST_F(Comparing, HoldsNoiseToNoAimsByAnotherMeasure) {
  CompareOptions options;
  options.work = work();
  options.configurations = {configuration("noise alpha=0.3 measure=lin"),
                            configuration("noise alpha=0.3")};
  const Comparison told = value_or_throw(compare(table(), plan(), key(), options));
  const Audit &other = *told.releases[0].audit, &own = *told.releases[1].audit;
  const auto is_aim = [](const Finding& finding) { return finding.id.starts_with("noise-"); };
  EXPECT_TRUE(std::ranges::none_of(other.findings, is_aim));
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_FALSE(other.columns[j].expected_variance);
    EXPECT_FALSE(other.columns[j].target_rmse);
    EXPECT_TRUE(own.columns[j].expected_variance);
    EXPECT_TRUE(own.columns[j].target_rmse);
  }
  EXPECT_FALSE(other.pairs[0].expected_covariance);
  EXPECT_TRUE(own.pairs[0].expected_covariance);
}

TEST_F(Comparing, VariesTheMeasure) {
  std::vector<Configuration> all =
      value_or_throw(parse_configurations("fuse k=5 measure=wu-palmer,lin"));
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(label_of(all[1]), "fuse k 5, measure lin");
  const PlanFile lin = value_or_throw(configured(plan(), all[1]));
  EXPECT_EQ(lin.find("a")->measure, "lin");
  EXPECT_EQ(lin.find("b")->measure, "lin");
  EXPECT_EQ(lin.find("age")->measure, plan().find("age")->measure);
  EXPECT_FALSE(configured(plan(), configuration("fuse k=5 measure=lni")));
  const Comparer comparer =
      value_or_throw(Comparer::open(table(), plan(), key(), 0, {lin}, work()));
  const TablePair pair = value_or_throw(comparer.mask(lin));
  EXPECT_EQ(pair.impl().columns[0].attribute->measure->name(), "wu-palmer");
}

// Only what costs tuples squared is tried on some of the records.
TEST_F(Comparing, SamplesNothingThatIsQuicklyCounted) {
  const PlanFile plan = value_or_throw(configured(this->plan(), configuration("noise alpha=0.5")));
  const Comparer comparer = value_or_throw(Comparer::open(table(), plan, key(), 0, {plan}, work()));
  const TablePair pair = value_or_throw(comparer.mask(plan));
  AuditOptions options;
  options.work = work();
  const Audit whole = value_or_throw(audit(pair, options));
  options.most_attacked = 30;
  const Audit some = value_or_throw(audit(pair, options));
  EXPECT_EQ(some.linkage.equality, whole.linkage.equality);
  EXPECT_EQ(some.linkage.own_among_alike, whole.linkage.own_among_alike);
  EXPECT_EQ(some.attacks[0].rate, whole.attacks[0].rate);  // singling out
  EXPECT_GT(some.attacks[1].tried, 0U);
  EXPECT_LT(some.attacks[1].tried, 240U);
  EXPECT_EQ(whole.attacks[1].tried, 240U);
  EXPECT_NE(some.linkage.semantic, whole.linkage.semantic);
  EXPECT_EQ(some.notes.size(), whole.notes.size() + 1);
  const auto is_told = [](const Finding& finding) { return finding.id == "tried-on-a-sample"; };
  EXPECT_TRUE(std::ranges::any_of(some.findings, is_told));
  EXPECT_TRUE(std::ranges::none_of(whole.findings, is_told));
}

// ---- Marks --------------------------------------------------------------------------------------

// And that are safer than doing nothing.
TEST_F(Comparing, MarksThoseThatNothingDominates) {
  CompareOptions options;
  options.work = work();
  options.keep = KeepKind::kDistribution;
  for (const char* text : {"noise alpha=0.1,0.5,1", "swap k=5,20", "fuse k=3,10", "naive"}) {
    for (Configuration& one : value_or_throw(parse_configurations(text))) {
      options.configurations.push_back(std::move(one));
    }
  }
  options.configurations.push_back(options.configurations.front());  // as good as the first
  const Comparison comparison = value_or_throw(compare(table(), plan(), key(), options));
  ASSERT_EQ(comparison.releases.size(), 9U);
  std::size_t best = 0;
  for (const ComparedRelease& one : comparison.releases) {
    ASSERT_TRUE(one.risk && one.loss) << one.label;
    bool beaten = false;
    for (const ComparedRelease& other : comparison.releases) {
      const bool no_worse = *other.risk <= *one.risk && *other.loss <= *one.loss;
      const bool better = *other.risk < *one.risk || *other.loss < *one.loss;
      beaten = beaten || (no_worse && better);
    }
    const bool safer = *one.risk < *comparison.unchanged.risk;
    EXPECT_EQ(one.not_dominated, safer && !beaten) << one.label;
    best += one.not_dominated ? 1 : 0;
  }
  EXPECT_GT(best, 0U);
  EXPECT_EQ(comparison.releases.front().not_dominated, comparison.releases.back().not_dominated);
}

TEST_F(Comparing, ListsWhatCannotBeHadAndStopsWhereNothingCan) {
  CompareOptions options;
  options.work = work();
  options.configurations = {configuration("fuse k=500"), configuration("naive")};
  const Comparison comparison = value_or_throw(compare(table(), plan(), key(), options));
  EXPECT_THAT(comparison.releases[0].failure, HasSubstr("k = 500"));
  EXPECT_FALSE(comparison.releases[0].audit);
  EXPECT_FALSE(comparison.releases[0].not_dominated);
  EXPECT_TRUE(comparison.releases[1].audit);
  options.configurations = {configuration("naive"), configuration("noise")};  // no alpha
  const Comparison other = value_or_throw(compare(table(), plan(), key(), options));
  EXPECT_TRUE(other.releases[0].audit);
  EXPECT_THAT(other.releases[1].failure, HasSubstr("alpha"));
  options.configurations = {configuration("noise")};  // nothing is left to compare
  const auto wrong = compare(table(), plan(), key(), options);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::kData);
}

// ---- Plans --------------------------------------------------------------------------------------

TEST_F(Comparing, ExportsPlansThatGiveTheSameModel) {
  for (const char* text : {"noise alpha=0.5 correlated=true reference=root", "swap k=5 columns=a+b",
                           "fuse k=5", "ean draw=frequency"}) {
    const PlanFile first = value_or_throw(configured(plan(), configuration(text)));
    const PlanFile again =
        value_or_throw(PlanFile::parse(to_toml(first, folder_.path()), path("again.toml")));
    EXPECT_EQ(to_toml(again, folder_.path()), to_toml(first, folder_.path()));
    const auto digest = [&](const PlanFile& plan) {
      const Table table = this->table();
      const Survey surveyed = value_or_throw(survey(table, plan, work()));
      return value_or_throw(Model::fit(surveyed, plan, key(), work())).impl().digest;
    };
    EXPECT_EQ(digest(again), digest(first)) << text;
  }
}

TEST_F(Comparing, StartsAnewWithAnotherMethod) {
  write("plan.toml", std::string(kComparedPlan) +
                         "[mask]\nmethod = \"swap\"\nk = 5\ncolumns = [\"a\", "
                         "\"age\"]\nexhausted = \"extend\"\n");
  const MaskStep same = value_or_throw(configured(plan(), configuration("swap k=9"))).steps.at(0);
  EXPECT_EQ(swap_options(same)->exhausted, Exhausted::kExtend);
  EXPECT_EQ(same.k(), 9U);
  EXPECT_THAT(same.columns, ElementsAre("a", "age"));
  const MaskStep noise =
      value_or_throw(configured(plan(), configuration("noise alpha=1"))).steps.at(0);
  EXPECT_THAT(noise.columns, ElementsAre("a", "age"));
  EXPECT_EQ(noise.k(), 0U);
  const MaskStep fuse = value_or_throw(configured(plan(), configuration("fuse k=3"))).steps.at(0);
  EXPECT_TRUE(fuse.columns.empty());  // classes are over all quasi-identifiers
}

TEST(Configurations, AreTheCombinationsOfValues) {
  std::vector<std::string> labels;
  for (const Configuration& one :
       value_or_throw(parse_configurations("noise alpha=0.1,0.3 correlated=false,true"))) {
    labels.push_back(label_of(one));
  }
  EXPECT_THAT(labels,
              ElementsAre("noise alpha 0.1, not correlated", "noise alpha 0.1, correlated",
                          "noise alpha 0.3, not correlated", "noise alpha 0.3, correlated"));
}

TEST(Configurations, NameWhatIsWrong) {
  const auto message = [](const char* text) {
    const auto parsed = parse_configurations(text);
    return parsed ? "" : parsed.error().message;
  };
  EXPECT_THAT(message("nois alpha=1"), HasSubstr("nearest is noise"));
  EXPECT_THAT(message("noise alhpa=1"), HasSubstr("nearest key is alpha"));
  EXPECT_THAT(message("swap alpha=1"), HasSubstr("swap does not take alpha"));
  EXPECT_THAT(message("noise alpha"), HasSubstr("has no value"));
  EXPECT_THAT(message("noise alpha=1,,2"), HasSubstr("between two commas"));
  EXPECT_THAT(message("noise alpha=1 alpha=2"), HasSubstr("twice"));
  EXPECT_THAT(message(" "), HasSubstr("write a method"));
  EXPECT_THAT(message("ean l=2 categories=\xA9"), HasSubstr("not UTF-8"));
}

// Values multiply, and so do steps: a short text must not fill the memory.
TEST(Configurations, AreNotWithoutEnd) {
  std::string values = "1";
  for (int i = 2; i <= 101; ++i) values += "," + std::to_string(i);
  const auto message = [](const std::string& text) {
    const auto parsed = parse_configurations(text);
    return parsed ? "" : parsed.error().message;
  };
  EXPECT_EQ(value_or_throw(parse_configurations("swap k=" + values)).size(), 101U);
  const std::string many = "noise alpha=" + values + " reference=" + values;
  EXPECT_THAT(message(many), HasSubstr("more than 10000 configurations"));
  EXPECT_THAT(message("swap k=" + values + " + noise alpha=" + values),
              HasSubstr("more than 10000 configurations"));
  EXPECT_THAT(message("noise alpha=" + std::string(10000, '1')), HasSubstr("bytes long"));
}

TEST(Configurations, TakeNumbersAsPeopleWriteThem) {
  const auto alpha = [](const std::string& text) {
    return value_or_throw(parse_configurations("noise alpha=" + text)).front().at("alpha");
  };
  EXPECT_EQ(alpha(".5"), "0.5");
  EXPECT_EQ(alpha("-.5"), "-0.5");
  EXPECT_EQ(alpha("5."), "5.0");
  EXPECT_EQ(alpha("007"), "7");
  EXPECT_EQ(alpha("0.50"), "0.50");
  EXPECT_EQ(alpha("5.e3"), "5.0e3");
  EXPECT_EQ(alpha("00"), "0");
}

// ---- Searching ----------------------------------------------------------------------------------

TEST_F(Comparing, FindsTheSmallestParameterThatIsSafeEnough) {
  SearchOptions options;
  options.work = work();
  options.most = 0.12;
  options.methods = {"fuse"};
  options.keep = KeepKind::kDistribution;
  options.risk = RiskKind::kProsecutor;
  const Search search = value_or_throw(search_parameters(table(), plan(), key(), options));
  ASSERT_TRUE(search.found);
  const ComparedRelease& found = search.tried[*search.found];
  // By brute force.
  CompareOptions all;
  all.work = work();
  all.risk = RiskKind::kProsecutor;
  all.keep = KeepKind::kDistribution;
  all.configurations = value_or_throw(parse_configurations("fuse k=2,3,4,5,6,7,8,9,10,11,12"));
  const Comparison compared = value_or_throw(compare(table(), plan(), key(), all));
  const auto first = std::ranges::find_if(
      compared.releases, [](const ComparedRelease& release) { return *release.risk <= 0.12; });
  ASSERT_NE(first, compared.releases.end());
  const auto was_tried = [&](const Configuration& wanted) {
    return std::ranges::any_of(
        search.tried, [&](const ComparedRelease& one) { return one.configuration == wanted; });
  };
  EXPECT_TRUE(was_tried(first->configuration)) << first->label;
  EXPECT_LE(*found.risk, 0.12);
  for (const ComparedRelease& one : search.tried) {
    if (*one.risk > 0.12) continue;
    EXPECT_GE(*one.loss, *found.loss) << one.label;
  }
}

// All of them meet the demand, and most values are one: none moves the mean. The mildest is to be
// taken, by its RMSE.
TEST_F(Comparing, TakesTheMildestOfThoseThatAreSafeEnough) {
  std::string text = "a,b,age,job,person\n";
  for (std::size_t i = 0; i < 240; ++i) {
    const std::string b = i % 5 == 0 ? kLeaves[i % 6] : "cut";
    text += (i % 4 == 0 ? kLeaves[i % 6] : "flu") + "," + b + "," + std::to_string(i % 9) +
            ",clerk,p\n";
  }
  write("t.csv", text);
  SearchOptions options;
  options.work = work();
  options.most = 0.99;
  options.methods = {"noise"};
  options.keep = KeepKind::kMean;
  const Search search = value_or_throw(search_parameters(table(), plan(), key(), options));
  ASSERT_TRUE(search.found);
  const auto alpha = [](const ComparedRelease& one) {
    return std::stod(one.configuration.at("alpha"));
  };
  const ComparedRelease& found = search.tried[*search.found];
  EXPECT_EQ(alpha(search.tried.front()), 5);  // meets it, too
  EXPECT_TRUE(keeps_to(search.tried.front(), search.most));
  EXPECT_LE(alpha(found), 0.1);
  for (const ComparedRelease& one : search.tried) {
    if (!keeps_to(one, search.most)) continue;
    EXPECT_GE(*one.loss, *found.loss) << one.label;
  }
}

TEST_F(Comparing, SaysWhatItTriedWhereNothingIsSafeEnough) {
  SearchOptions options;
  options.work = work();
  options.most = 0;
  options.methods = {"fuse", "swap"};
  const Search search = value_or_throw(search_parameters(table(), plan(), key(), options));
  EXPECT_FALSE(search.found);
  EXPECT_GE(search.tried.size(), 2U);
}

TEST_F(Comparing, SearchesTheSameForAnyThreads) {
  SearchOptions options;
  options.most = 0.3;
  const auto labels = [&](unsigned threads) {
    options.work = work(threads);
    const Search search = value_or_throw(search_parameters(table(), plan(), key(), options));
    std::vector<std::string> out;
    for (const ComparedRelease& one : search.tried) out.push_back(one.label);
    out.push_back(search.found ? std::to_string(*search.found) : "-");
    return out;
  };
  EXPECT_EQ(labels(1), labels(3));
}

}  // namespace
}  // namespace semveil
