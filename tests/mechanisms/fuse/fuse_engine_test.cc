// Fusion against its slow twin, under the same random choices, and what holds for every fusion.
#include "mechanisms/fuse/fuse_engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "mechanisms/common/random_choices.h"
#include "support/fuse_replay.h"
#include "support/sample_checks.h"
#include "support/slow_fuse.h"

namespace semveil::test {
namespace {

Key fuse_key(std::uint64_t number) {
  std::array<unsigned char, Key::kSize> bytes{7};
  for (std::size_t i = 0; i < 8; ++i) bytes[1 + i] = static_cast<unsigned char>(number >> (8 * i));
  return Key::from_bytes(bytes);
}

SlowFuseOutcome twin_of(const FuseCase& data, const FuseOptions& options, std::uint64_t number,
                        FuseMutant mutant = FuseMutant::kNone) {
  RandomChoices random(fuse_key(number), "fuse", std::array<std::string_view, 1>{"records"});
  return slow_fuse(
      data.slow, options,
      [&](std::size_t count) { return static_cast<std::size_t>(random.below(count)); }, mutant);
}

std::vector<std::vector<Code>> released(const FuseCase& data, const FuseOutcome& outcome) {
  std::vector<std::vector<Code>> out;
  for (const std::size_t tuple : data.tuple) {
    const std::span<const Code> to = data.table.tuple(outcome.target[tuple]);
    out.emplace_back(to.begin(), to.end());
  }
  return out;
}

void expect_same(const FuseCase& data, const FuseOutcome& outcome, const SlowFuseOutcome& twin) {
  ASSERT_EQ(outcome.steps.size(), twin.steps.size());
  for (std::size_t i = 0; i < twin.steps.size(); ++i) {
    const auto cells = [&](std::uint32_t tuple) {
      const std::span<const Code> span = data.table.tuple(tuple);
      return std::vector<Code>(span.begin(), span.end());
    };
    ASSERT_EQ(cells(outcome.steps[i].from), twin.steps[i].from) << "step " << i;
    ASSERT_EQ(cells(outcome.steps[i].to), twin.steps[i].to) << "step " << i;
    ASSERT_EQ(outcome.steps[i].size, twin.steps[i].size);
    ASSERT_EQ(outcome.steps[i].partner_size, twin.steps[i].partner_size);
    ASSERT_DOUBLE_EQ(outcome.steps[i].similarity, twin.steps[i].similarity);
  }
  ASSERT_EQ(released(data, outcome), twin.records);
}

// Independent of the twin: from the released records alone.
void expect_guarantee(const FuseCase& data, std::uint64_t k, const FuseOutcome& outcome) {
  const std::vector<std::vector<Code>> records = released(data, outcome);
  std::map<std::vector<Code>, std::vector<std::size_t>> classes;
  for (std::size_t i = 0; i < records.size(); ++i) classes[records[i]].push_back(i);
  for (const auto& [tuple, members] : classes) {
    EXPECT_GE(members.size(), k);
    EXPECT_TRUE(std::ranges::find(data.slow.records, tuple) != data.slow.records.end());
    if (data.slow.met) {
      EXPECT_TRUE(data.slow.met(members));
    }
  }
}

struct Way {
  FuseGuide guide;
  unsigned heuristics;
};
constexpr Way kWays[] = {{FuseGuide::kSemantic, 3},       {FuseGuide::kSemantic, 2},
                         {FuseGuide::kSemantic, 1},       {FuseGuide::kSemantic, 0},
                         {FuseGuide::kDiscernibility, 3}, {FuseGuide::kRandom, 3},
                         {FuseGuide::kRandomRecord, 3}};

FuseCaseShape shape_of(Shape shape, std::size_t columns, std::uint64_t seed) {
  Random random(seed);
  FuseCaseShape out;
  out.shape = shape;
  out.columns = columns;
  out.numeric = random.below(3) == 0 ? 1 + random.below(columns) : 0;
  out.texts = random.below(3) == 0 ? 1 : 0;
  out.records = 10 + random.below(16);
  out.distinct = 2 + random.below(8);
  out.missing_one_in = random.below(3) == 0 ? 4 : 0;
  out.nearly_tied = random.below(3) == 0;
  return out;
}

TEST(FuseEngine, DoesWhatTheTwinDoes) {
  std::uint64_t seed = 1000;
  std::size_t steps = 0;
  for (const Shape shape : kShapes) {
    for (const std::size_t columns : {1, 2, 3, 4}) {
      for (const std::uint64_t k : {1, 2, 3, 5, 10}) {
        for (const Way way : kWays) {
          ++seed;
          const FuseCase data = make_fuse_case(shape_of(shape, columns, seed), seed);
          const FuseOptions options{.k = k,
                                    .guide = way.guide,
                                    .heuristics = way.heuristics,
                                    .threads = 1 + static_cast<unsigned>(seed % 2),
                                    .traced = true};
          SCOPED_TRACE(testing::Message()
                       << to_string(shape) << " seed " << seed << " k " << k << " heuristics "
                       << way.heuristics << " guide " << static_cast<int>(way.guide));
          const Result<FuseOutcome> outcome = fuse_tuples(data.table, options, fuse_key(seed));
          ASSERT_TRUE(outcome);
          expect_same(data, *outcome, twin_of(data, options, seed));
          expect_guarantee(data, k, *outcome);
          if (HasFatalFailure()) return;
          steps += outcome->steps.size();
        }
      }
    }
  }
  EXPECT_GT(steps, 5000U);
}

// Numbers 4e-10 apart: the nearest vanishes, and what is tied with the next is another set.
TEST(FuseEngine, DoesWhatTheTwinDoesWhereTiesAreNotTransitive) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    FuseCaseShape shape;
    shape.columns = 1 + seed % 3;
    shape.numeric = shape.columns - (seed % 3 == 2 ? 1 : 0);
    shape.distinct = 12;
    shape.records = 24;
    shape.nearly_tied = true;
    const FuseCase data = make_fuse_case(shape, seed);
    const FuseOptions options{
        .k = 2 + seed % 5, .heuristics = seed % 2 == 0 ? 2U : 3U, .traced = true};
    SCOPED_TRACE(seed);
    expect_same(data, *fuse_tuples(data.table, options, fuse_key(seed)),
                twin_of(data, options, seed));
    if (HasFatalFailure()) return;
  }
}

const Demand kDemands[] = {
    {.l = 2, .kind = DiversityKind::kDistinct, .c = 4, .t = {}},
    {.l = 3, .kind = DiversityKind::kDistinct, .c = 4, .t = {}},
    {.l = 2, .kind = DiversityKind::kEntropy, .c = 4, .t = {}},
    {.l = 2, .kind = DiversityKind::kRecursive, .c = 2, .t = {}},
    {.l = {}, .kind = DiversityKind::kDistinct, .c = 4, .t = 0.25},
    {.l = 2, .kind = DiversityKind::kDistinct, .c = 4, .t = 0.4},
};

TEST(FuseEngine, DoesWhatTheTwinDoesWithDemands) {
  std::uint64_t seed = 5000;
  std::size_t met = 0;
  for (const Demand& demand : kDemands) {
    for (const std::uint64_t k : {1, 2, 3, 5}) {
      for (const Way way : kWays) {
        for (const std::size_t columns : {1, 2, 3}) {
          ++seed;
          FuseCaseShape shape = shape_of(kShapes[seed % 7], columns, seed);
          shape.demand = demand;
          shape.records = 30;
          const FuseCase data = make_fuse_case(shape, seed);
          const FuseOptions options{
              .k = k, .guide = way.guide, .heuristics = way.heuristics, .traced = true};
          SCOPED_TRACE(testing::Message() << "seed " << seed);
          const Result<FuseOutcome> outcome = fuse_tuples(data.table, options, fuse_key(seed));
          std::vector<std::size_t> all(data.tuple.size());
          for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
          ASSERT_EQ(outcome.has_value(), data.slow.met(all));
          if (!outcome) {
            EXPECT_EQ(outcome.error().code, ErrorCode::kGuarantee);
            EXPECT_NE(outcome.error().message, "");
            continue;
          }
          expect_same(data, *outcome, twin_of(data, options, seed));
          expect_guarantee(data, k, *outcome);
          if (HasFatalFailure()) return;
          ++met;
        }
      }
    }
  }
  EXPECT_GT(met, 300U);
}

// A wrong rule must show in what comes out, without the twin's random choices going another way
// for another reason: the first step that differs differs by the rule.
TEST(FuseEngine, IsToldFromEveryMutantOfTheTwin) {
  for (int mutant = 1; mutant < kFuseMutants; ++mutant) {
    std::size_t told = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      FuseCaseShape shape = shape_of(kShapes[seed % 7], 1 + seed % 3, 9000 + seed);
      shape.records = 22;
      const auto which = static_cast<FuseMutant>(mutant);
      if (which == FuseMutant::kDemandsForgotten || which == FuseMutant::kH1OverAllClasses) {
        shape.demand = kDemands[seed % 2];
      }
      const FuseCase data = make_fuse_case(shape, seed);
      const FuseOptions options{.k = 2 + seed % 4, .traced = true};
      const Result<FuseOutcome> outcome = fuse_tuples(data.table, options, fuse_key(seed));
      if (!outcome) continue;
      const SlowFuseOutcome wrong = twin_of(data, options, seed, which);
      bool same =
          outcome->steps.size() == wrong.steps.size() && released(data, *outcome) == wrong.records;
      for (std::size_t i = 0; same && i < wrong.steps.size(); ++i) {
        same = std::ranges::equal(data.table.tuple(outcome->steps[i].from), wrong.steps[i].from) &&
               std::ranges::equal(data.table.tuple(outcome->steps[i].to), wrong.steps[i].to);
      }
      told += same ? 0 : 1;
    }
    EXPECT_GE(told, 3U) << "mutant " << mutant;
  }
}

// Too large for the twin: threads take part, the trie is built anew, ties are more than are kept.
TEST(FuseEngine, FollowsTheDefinitionsOnLargerTables) {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
    FuseCaseShape shape;
    shape.shape = seed % 2 == 0 ? Shape::kDag : Shape::kStar;
    shape.columns = 1 + seed % 3;
    shape.texts = seed == 5 ? shape.columns : 0;
    shape.numeric = seed == 4 ? 1 : 0;
    shape.distinct = shape.columns == 1 ? 600 : 30;
    shape.records = 1000;
    shape.missing_one_in = seed == 2 ? 20 : 0;
    const FuseCase data = make_fuse_case(shape, seed);
    const FuseOptions options{
        .k = 2 + seed, .heuristics = seed == 6 ? 2U : 3U, .threads = 2, .traced = true};
    SCOPED_TRACE(testing::Message() << "seed " << seed << " tuples " << data.table.size());
    FuseReplay(data.table, options).check(*fuse_tuples(data.table, options, fuse_key(seed)));
    if (HasFatalFailure()) return;
  }
}

// The middle of a star is the only nearest value of all others, and grows with each of them.
TEST(FuseEngine, FollowsTheDefinitionsWhereManyShareTheirNearestTuple) {
  std::size_t shared = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    FuseCaseShape shape;
    shape.shape = Shape::kStar;
    shape.columns = 1 + seed % 2;
    shape.distinct = shape.columns == 1 ? 200 : 60;
    shape.records = 300;
    const FuseCase data = make_fuse_case(shape, seed);
    const FuseOptions options{.k = 2 + seed % 3, .traced = true};
    const FuseOutcome outcome = *fuse_tuples(data.table, options, fuse_key(seed));
    SCOPED_TRACE(seed);
    FuseReplay(data.table, options).check(outcome);
    if (HasFatalFailure()) return;
    std::map<std::uint32_t, std::size_t> times;
    for (const FuseOutcome::Step& step : outcome.steps) ++times[step.to];
    for (const auto& [tuple, count] : times) shared = std::max(shared, count);
  }
  EXPECT_GT(shared, 64U);
}

TEST(FuseEngine, GivesTheSameForAnyNumberOfThreads) {
  FuseCaseShape shape{.columns = 3, .records = 3000, .distinct = 40};
  const FuseCase data = make_fuse_case(shape, 8);
  ASSERT_GT(data.table.size(), 1500U);
  for (const Way way : kWays) {
    std::vector<std::vector<std::uint32_t>> targets;
    for (const unsigned threads : {1U, 2U, 7U}) {
      const FuseOptions options{
          .k = 4, .guide = way.guide, .heuristics = way.heuristics, .threads = threads};
      targets.push_back(fuse_tuples(data.table, options, fuse_key(3))->target);
    }
    EXPECT_EQ(targets[0], targets[1]);
    EXPECT_EQ(targets[0], targets[2]);
    const FuseOptions options{.k = 4, .guide = way.guide, .heuristics = way.heuristics};
    EXPECT_NE(targets[0], fuse_tuples(data.table, options, fuse_key(4))->target);
  }
}

TEST(FuseEngine, WritesStepsOnlyIfAsked) {
  const FuseCase data = make_fuse_case({.columns = 2, .records = 20}, 3);
  EXPECT_TRUE(fuse_tuples(data.table, {.k = 3}, fuse_key(0))->steps.empty());
  EXPECT_FALSE(fuse_tuples(data.table, {.k = 3, .traced = true}, fuse_key(0))->steps.empty());
}

TEST(FuseEngine, ChangesNothingWhereNothingLacks) {
  const FuseCase data = make_fuse_case({.columns = 2, .records = 20}, 3);
  std::vector<std::vector<Code>> records;
  for (const std::vector<Code>& record : data.slow.records) {
    for (int copies = 0; copies < 4; ++copies) records.push_back(record);
  }
  const FuseCase frequent = with_records(data, records);
  for (const Way way : kWays) {
    const FuseOptions one{.k = 1, .guide = way.guide, .heuristics = way.heuristics, .traced = true};
    const FuseOptions four{
        .k = 4, .guide = way.guide, .heuristics = way.heuristics, .traced = true};
    const FuseOptions five{
        .k = 5, .guide = way.guide, .heuristics = way.heuristics, .traced = true};
    EXPECT_TRUE(fuse_tuples(data.table, one, fuse_key(1))->steps.empty());
    EXPECT_TRUE(fuse_tuples(frequent.table, four, fuse_key(1))->steps.empty());
    EXPECT_FALSE(fuse_tuples(frequent.table, five, fuse_key(1))->steps.empty());
  }
}

TEST(FuseEngine, RefusesMoreThanThereAre) {
  const FuseCase data = make_fuse_case({.columns = 2, .records = 12}, 3);
  for (const Way way : kWays) {
    const Result<FuseOutcome> all = fuse_tuples(
        data.table, {.k = 12, .guide = way.guide, .heuristics = way.heuristics}, fuse_key(1));
    ASSERT_TRUE(all);
    EXPECT_EQ(std::ranges::count(all->target, all->target[0]),
              static_cast<std::ptrdiff_t>(data.table.size()));
    const Result<FuseOutcome> more = fuse_tuples(
        data.table, {.k = 13, .guide = way.guide, .heuristics = way.heuristics}, fuse_key(1));
    ASSERT_FALSE(more);
    EXPECT_EQ(more.error().code, ErrorCode::kGuarantee);
    EXPECT_NE(more.error().message.find("13"), std::string::npos);
    EXPECT_NE(more.error().message.find("12"), std::string::npos);
  }
  EXPECT_EQ(fuse_tuples(data.table, {.k = 0}, fuse_key(1)).error().code, ErrorCode::kData);
}

// Six texts, all equally far apart, one record each: who goes and where to is anybody's. A sample
// of 3000 keys; false alarm 1e-7 (sample_checks.h).
using FirstSteps = std::vector<std::vector<std::uint64_t>>;  // by the tuple that goes

FuseCase six_texts() {
  FuseCase data = make_fuse_case({.columns = 1, .texts = 1, .records = 1, .distinct = 6}, 2);
  return with_records(std::move(data), {{0}, {1}, {2}, {3}, {4}, {5}});
}
void count(std::size_t from, std::size_t to, FirstSteps& who, FirstSteps& where) {
  ++who[0][from];
  ++where[from][to > from ? to - 1 : to];
}

TEST(FuseEngine, ChoosesUniformly) {
  const FuseCase data = six_texts();
  ASSERT_EQ(data.table.values[0].size(), 6U);
  for (const Way way : kWays) {
    FirstSteps who(1, std::vector<std::uint64_t>(6)), where(6, std::vector<std::uint64_t>(5));
    for (std::uint64_t number = 0; number < 3000; ++number) {
      const FuseOptions options{
          .k = 2, .guide = way.guide, .heuristics = way.heuristics, .traced = true};
      const Result<FuseOutcome> outcome = fuse_tuples(data.table, options, fuse_key(number));
      count(outcome->steps[0].from, outcome->steps[0].to, who, where);
    }
    if (way.guide == FuseGuide::kRandomRecord) {
      EXPECT_EQ(who[0][0], 3000U);  // the first in alphabetical order
      EXPECT_TRUE(is_uniform({where[0]}));
      continue;
    }
    EXPECT_TRUE(is_uniform(who));
    EXPECT_TRUE(is_uniform(where));
  }
}

// A text of one record, then one of nine and one of ninety, k = 2: the first goes to a tuple as
// often as it has records, by guide "random" to each alike.
TEST(FuseEngine, OfARandomRecordPrefersWhatIsFrequent) {
  FuseCase data = make_fuse_case({.columns = 1, .texts = 1, .records = 1, .distinct = 3}, 2);
  std::vector<std::vector<Code>> records{{0}};
  records.insert(records.end(), 9, {1});
  records.insert(records.end(), 90, {2});
  data = with_records(std::move(data), std::move(records));
  const auto to_the_last = [&](FuseGuide guide) {
    int found = 0;
    for (std::uint64_t number = 0; number < 1000; ++number) {
      const auto outcome = fuse_tuples(data.table, {.k = 2, .guide = guide}, fuse_key(number));
      found += outcome->target[0] == 2 ? 1 : 0;
    }
    return found;
  };
  EXPECT_NEAR(to_the_last(FuseGuide::kRandomRecord), 909, 50);
  EXPECT_NEAR(to_the_last(FuseGuide::kRandom), 500, 80);
}

TEST(FuseEngine, IsToldFromOneThatPrefersTheFirst) {
  const FuseCase data = six_texts();
  FirstSteps who(1, std::vector<std::uint64_t>(6)), where(6, std::vector<std::uint64_t>(5));
  Random random(4);
  for (int number = 0; number < 3000; ++number) {
    // One in five choices is the first.
    const SlowFuseOutcome outcome = slow_fuse(data.slow, {.k = 2}, [&](std::size_t count) {
      return random.one_in(5) ? 0 : random.below(count);
    });
    count(outcome.steps[0].from[0], outcome.steps[0].to[0], who, where);
  }
  EXPECT_FALSE(is_uniform(who));
  EXPECT_FALSE(is_uniform(where));
}

}  // namespace
}  // namespace semveil::test
