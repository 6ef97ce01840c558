// Recoding of one column against its slow twin, under the same random choices.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "mechanisms/common/random_choices.h"
#include "mechanisms/fuse/fuse_engine.h"
#include "support/slow_fuse.h"

namespace semveil::test {
namespace {

Key recode_key(std::uint64_t number) {
  return Key::from_bytes(std::array<unsigned char, Key::kSize>{
      9, static_cast<unsigned char>(number), static_cast<unsigned char>(number >> 8U)});
}

RandomChoices choices(const FuseCase& data, std::uint64_t number) {
  return {recode_key(number), "recode",
          std::array<std::string_view, 2>{"column", data.table.attributes[0]->name}};
}

SlowFuseOutcome twin_of(const FuseCase& data, const RecodeOptions& options, std::uint64_t number,
                        RecodeMutant mutant = RecodeMutant::kNone) {
  RandomChoices random = choices(data, number);
  const Choose choose = [&](std::size_t count) {
    return static_cast<std::size_t>(random.below(count));
  };
  if (options.algorithm == RecodeAlgorithm::kHeuristic) {
    return slow_fuse(data.slow, {.k = options.k}, choose);
  }
  return slow_recode(data.slow, options, choose, mutant);
}

bool same(const FuseCase& data, const FuseOutcome& outcome, const SlowFuseOutcome& twin) {
  if (outcome.steps.size() != twin.steps.size()) return false;
  for (std::size_t i = 0; i < twin.steps.size(); ++i) {
    const FuseOutcome::Step& step = outcome.steps[i];
    if (data.table.tuple(step.from)[0] != twin.steps[i].from[0] ||
        data.table.tuple(step.to)[0] != twin.steps[i].to[0] || step.size != twin.steps[i].size ||
        step.partner_size != twin.steps[i].partner_size ||
        step.similarity != twin.steps[i].similarity) {
      return false;
    }
  }
  for (std::size_t i = 0; i < data.tuple.size(); ++i) {
    if (data.table.tuple(outcome.target[data.tuple[i]])[0] != twin.records[i][0]) return false;
  }
  return true;
}

FuseCase column(std::uint64_t seed) {
  Random random(seed);
  FuseCaseShape shape;
  shape.shape = kShapes[seed % std::size(kShapes)];
  shape.numeric = seed % 5 == 1 ? 1 : 0;
  shape.texts = seed % 5 == 2 ? 1 : 0;
  shape.records = 10 + random.below(40);
  shape.distinct = 2 + random.below(20);
  shape.missing_one_in = seed % 4 == 3 ? 5 : 0;
  shape.nearly_tied = seed % 10 == 1;
  return make_fuse_case(shape, seed);
}

const RecodeOptions kVariants[] = {
    {.k = 0, .algorithm = RecodeAlgorithm::kHeuristic, .traced = true},
    {.k = 0,
     .algorithm = RecodeAlgorithm::kRecoding,
     .target = RecodeTarget::kAnonymous,
     .traced = true},
    {.k = 0, .algorithm = RecodeAlgorithm::kRecoding, .target = RecodeTarget::kAny, .traced = true},
};

TEST(RecodeEngine, DoesWhatTheTwinDoes) {
  std::size_t steps = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const FuseCase data = column(seed);
    for (const std::uint64_t k : {1, 2, 3, 5, 10}) {
      for (RecodeOptions options : kVariants) {
        options.k = k;
        SCOPED_TRACE(testing::Message() << "seed " << seed << " k " << k);
        const Result<FuseOutcome> outcome = recode_values(data.table, options, recode_key(seed));
        ASSERT_TRUE(outcome);
        ASSERT_TRUE(same(data, *outcome, twin_of(data, options, seed)));
        std::map<std::uint32_t, std::uint64_t> counts;
        for (const std::size_t tuple : data.tuple) ++counts[outcome->target[tuple]];
        for (const auto& [value, count] : counts) EXPECT_GE(count, k);
        steps += outcome->steps.size();
      }
    }
  }
  EXPECT_GT(steps, 5000U);
}

TEST(RecodeEngine, IsToldFromEveryMutantOfTheTwin) {
  for (int mutant = 1; mutant < kRecodeMutants; ++mutant) {
    std::size_t told = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const FuseCase data = column(seed);
      RecodeOptions options = kVariants[1 + seed % 2];
      options.k = 2 + seed % 4;
      const Result<FuseOutcome> outcome = recode_values(data.table, options, recode_key(seed));
      const auto which = static_cast<RecodeMutant>(mutant);
      told += same(data, *outcome, twin_of(data, options, seed, which)) ? 0 : 1;
    }
    EXPECT_GE(told, 3U) << "mutant " << mutant;
  }
}

TEST(RecodeEngine, ForgetsDemands) {
  FuseCaseShape shape{.records = 30, .distinct = 10};
  const FuseCase without = make_fuse_case(shape, 6);
  shape.demand.l = 100;  // nothing could meet it
  const FuseCase with = make_fuse_case(shape, 6);
  ASSERT_FALSE(with.table.sensitive.empty());
  for (RecodeOptions options : kVariants) {
    options.k = 3;
    EXPECT_EQ(recode_values(with.table, options, recode_key(1))->target,
              recode_values(without.table, options, recode_key(1))->target);
  }
}

TEST(RecodeEngine, ChoosesAnewForEveryColumn) {
  FuseCase data = make_fuse_case({.texts = 1, .records = 400, .distinct = 200}, 6);
  RecodeOptions options = kVariants[0];
  options.k = 3;
  const std::vector<std::uint32_t> first =
      recode_values(data.table, options, recode_key(1))->target;
  EXPECT_EQ(first, recode_values(data.table, options, recode_key(1))->target);
  Attribute renamed = *data.table.attributes[0];
  renamed.name = "another";
  data.table.attributes[0] = std::make_shared<const Attribute>(std::move(renamed));
  EXPECT_NE(first, recode_values(data.table, options, recode_key(1))->target);
}

TEST(RecodeEngine, RefusesMoreThanThereAre) {
  const FuseCase data = make_fuse_case({.records = 12}, 3);
  for (RecodeOptions options : kVariants) {
    options.k = 12;
    ASSERT_TRUE(recode_values(data.table, options, recode_key(1)));
    options.k = 13;
    EXPECT_EQ(recode_values(data.table, options, recode_key(1)).error().code,
              ErrorCode::kGuarantee);
    options.k = 0;
    EXPECT_EQ(recode_values(data.table, options, recode_key(1)).error().code, ErrorCode::kData);
  }
}

}  // namespace
}  // namespace semveil::test
