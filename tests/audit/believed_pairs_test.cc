// When the n-th record of a release is believed to be the n-th of the original.
#include "audit/believed_pairs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "release/person_links.h"
#include "semveil/files.h"
#include "semveil/method.h"
#include "support/generate.h"
#include "support/slow_taxonomy.h"
#include "support/temporary_folder.h"

namespace semveil::test {
namespace {

// Numbers 0 … 99 over and over; the release has them moved by `noise`, rows shifted by `shift`.
PairDistances moved(std::uint64_t records, std::uint64_t noise, std::uint64_t shift) {
  return pair_distances(records, [=](std::uint64_t a, std::uint64_t b) {
    const auto number = [](std::uint64_t row) { return static_cast<double>(row * 37 % 101); };
    const double before = number(a), after = number(b + shift) + static_cast<double>(noise);
    return std::abs(before - after) / 200;
  });
}

TEST(PairDistances, TellPairsFromStrangers) {
  EXPECT_TRUE(moved(200, 0, 0).tell());
  EXPECT_TRUE(moved(200, 10, 0).tell());
  EXPECT_FALSE(moved(200, 0, 50).tell());  // every record is another's
  EXPECT_FALSE(moved(2, 0, 0).tell());     // two records may be equal by chance
  EXPECT_TRUE(moved(300'000, 10, 0).tell());
  EXPECT_FALSE(moved(300'000, 0, 50).tell());
}

TEST(PairDistances, AreTheSameEveryTime) {
  EXPECT_EQ(moved(500, 3, 1).strangers, moved(500, 3, 1).strangers);
  EXPECT_EQ(moved(200'000, 3, 1).own, moved(200'000, 3, 1).own);
}

// Of strangers the mean of n pairs lies within four standard errors in nearly all tables.
TEST(PairDistances, HaveTheErrorOfRandomPairs) {
  unsigned told = 0;
  for (std::uint64_t table = 0; table < 200; ++table) {
    Random random(static_cast<std::uint32_t>(table));
    std::vector<double> before, after;
    for (std::size_t i = 0; i < 60; ++i) {
      before.push_back(static_cast<double>(random.below(100)));
      after.push_back(static_cast<double>(random.below(100)));
    }
    told += pair_distances(
                60,
                [&](std::uint64_t a, std::uint64_t b) {
                  return std::abs(before[a] - after[b]) / 100;
                }).tell()
                ? 1
                : 0;
  }
  EXPECT_LE(told, 1U);
}

TEST(MakesIndependent, IsSaidOfMethodsThatForgetTheOriginal) {
  for (const char* method : {"naive", "probabilistic", "random-swap"}) {
    EXPECT_TRUE(method_named(method).is_independent) << method;
  }
  for (const char* method : {"noise", "swap", "distributional-swap", "fuse", "ean", ""}) {
    EXPECT_FALSE(method_named(method).is_independent) << method;
  }
}

// Two flags of 0.4 % ones each, and what the masked columns say.
class Believing : public testing::Test {
 protected:
  static constexpr std::uint64_t kRecords = 1'000;

  // The original has ones in rows 0 … 3 of one flag and 10 … 13 of the other; the release is it
  // with the rows moved on by `shift`. The masked column is known by distance.
  Belief believe(std::uint64_t shift, bool masked_tells) {
    std::string text = "rare,seldom\n";
    for (std::uint64_t i = 0; i < kRecords; ++i) {
      text += fmt::format("{},{}\n", rare(i) ? 1 : 0, seldom(i) ? 1 : 0);
    }
    EXPECT_TRUE(write_file(folder_.path() + "/t.csv", text));
    const Table table = value_or_throw(Table::open(folder_.path() + "/t.csv", {}));
    std::vector<ComparedColumn> columns(2);
    for (std::size_t k = 0; k < 2; ++k) {
      columns[k].name = k == 0 ? "rare" : "seldom";
      columns[k].in_original = columns[k].in_masked = k;
      columns[k].should_pass = true;
      columns[k].rows = kRecords;
      for (std::uint64_t i = 0; i < kRecords; ++i) {
        const std::uint64_t from = (i + shift) % kRecords;
        columns[k].equal += (k == 0 ? rare(i) == rare(from) : seldom(i) == seldom(from)) ? 1 : 0;
      }
      EXPECT_TRUE(columns[k].agrees());
    }
    const PlanFile plan;
    const WorkProgress progress;
    return value_or_throw(believe_position(
        {.original = table,
         .plan = plan,
         .columns = columns,
         .records = kRecords,
         .distance =
             [=](std::uint64_t a, std::uint64_t b) {
               const auto number = [](std::uint64_t row) {
                 return static_cast<double>(row * 37 % 101);
               };
               return masked_tells ? std::abs(number(a) - number((b + shift) % kRecords)) / 200
                                   : 0.5;
             },
         .progress = progress}));
  }

 private:
  static bool rare(std::uint64_t row) { return row < 4; }
  static bool seldom(std::uint64_t row) { return row >= 10 && row < 14; }

  TemporaryFolder folder_;
};

// Strangers agree in 0.992 of the rows of each flag, and in 0.984 of both: shuffled rows agree in
// each column, and would have been believed.
TEST_F(Believing, TakesNoFlagThatFewHaveAsEvidence) {
  const Belief shuffled = believe(50, true);
  EXPECT_FALSE(shuffled.believed);
  EXPECT_NE(shuffled.seen.find("rare, seldom came through, with nearly the same cell"),
            std::string::npos);
  EXPECT_FALSE(believe(50, false).believed);
  EXPECT_FALSE(believe(0, false).believed);  // nothing tells that they stand in order
  EXPECT_TRUE(believe(0, true).believed);
}

// The example of the header.
TEST(PersonLinks, AreRepeatedCombinationsOfOnePerson) {
  PersonLinks links;
  const auto record = [&](std::uint64_t released, std::uint64_t person) {
    links.add(released, person);
  };
  record(10, 1);
  record(10, 1);
  record(20, 2);
  record(20, 2);
  record(30, 2);
  EXPECT_EQ(links.repeated(), 2U);
  record(30, 3);
  EXPECT_EQ(links.repeated(), 3U);
  EXPECT_EQ(links.of_one_person(), 2U);
  const auto finding = find_person_links(links, "patient");
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->figures.at("of_one_person"), 2);
  EXPECT_EQ(finding->text,
            "Records of one person can be joined: drawn by patient, a person gets the same "
            "replacement every time. Of 3 released combinations that stand in several records, 2 "
            "belong to one person alone.");
}

TEST(PersonLinks, AreNoneWhereEveryPersonHasOneRecord) {
  PersonLinks links;
  for (std::uint64_t person = 0; person < 10; ++person) links.add(person % 3, person);
  EXPECT_EQ(links.repeated(), 3U);
  EXPECT_FALSE(find_person_links(links, "patient"));
}

// Records of few persons and combinations, cut in two at every place.
TEST(PersonLinks, OfPartsAddUpToThoseOfTheWhole) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> records;
  for (std::uint64_t i = 0; i < 40; ++i) records.emplace_back(i % 13, i % 13 < 6 ? i % 13 : i % 4);
  PersonLinks whole;
  for (const auto& [released, person] : records) whole.add(released, person);
  EXPECT_GT(whole.of_one_person(), 0U);
  EXPECT_LT(whole.of_one_person(), whole.repeated());
  for (std::size_t cut = 0; cut <= records.size(); ++cut) {
    PersonLinks parts[2];
    for (std::size_t i = 0; i < records.size(); ++i) {
      parts[i < cut ? 1 : 0].add(records[i].first, records[i].second);
    }
    ByteWriter out;
    parts[1].write(out);
    const std::string bytes = std::move(out).take();
    ByteReader in(bytes);
    parts[0].add(PersonLinks::read(in));
    EXPECT_TRUE(in.is_done());
    EXPECT_EQ(parts[0].repeated(), whole.repeated()) << cut;
    EXPECT_EQ(parts[0].of_one_person(), whole.of_one_person()) << cut;
  }
}

}  // namespace
}  // namespace semveil::test
