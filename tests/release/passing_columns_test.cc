// Which columns a survey says tell others, however the table is cut and written.
#include <gtest/gtest.h>

#include <string>

#include "release/first_records.h"
#include "semveil/files.h"
#include "semveil/release.h"
#include "support/slow_taxonomy.h"
#include "support/temporary_folder.h"

namespace semveil {
namespace {

using test::value_or_throw;

constexpr const char* kOntology = "child,parent,label\nF,D,flu\nC,D,cold\nG,D,gout\n";
constexpr const char* kPassingPlan =
    "[ontology.d]\nsource = 'edges:d.csv'\n"
    "[column.code]\nrole = 'quasi-identifier'\nontology = 'd'\nroot = 'D'\n"
    "[mask]\nmethod = 'noise'\nalpha = 0.5\n";

class PassingColumns : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }

  // "title tells code 1.00; …"
  std::string telling(const std::string& table, const std::string& more = "",
                      std::uint64_t batch_rows = 0) const {
    EXPECT_TRUE(write_file(path("d.csv"), kOntology));
    EXPECT_TRUE(write_file(path("t.csv"), table));
    EXPECT_TRUE(write_file(path("plan.toml"), kPassingPlan + more));
    const PlanFile plan = value_or_throw(PlanFile::read(path("plan.toml")));
    TableOptions how;
    how.batch_rows = batch_rows;
    const Table opened = value_or_throw(Table::open(path("t.csv"), how));
    WorkOptions work;
    work.use_cache = false;
    const Survey found = value_or_throw(survey(opened, plan, work));
    std::string out;
    for (const Survey::PassedThrough& column : found.telling()) {
      for (const auto& told : column.tells) {
        out += column.name + " tells " + told.column + " " +
               std::to_string(told.records).substr(0, 4) + "; ";
      }
    }
    return out;
  }

  test::TemporaryFolder folder_;
};

std::string table(const std::string& header, std::size_t records, auto row) {
  std::string out = header + "\n";
  for (std::size_t i = 0; i < records; ++i) out += row(i) + "\n";
  return out;
}

const std::string kCodes[] = {"F", "C", "G"};
const std::string kTitles[] = {"\"the, \"\"flu\"\"\"", "a cold", "\"gout\nof a toe\""};

std::string titled(std::size_t i) {
  return kTitles[i % 3] + "," + kCodes[i % 3] + "," + std::to_string(i) + ",x";
}

TEST_F(PassingColumns, ATitleTellsItsCodeAndIdsAndConstantsDoNot) {
  EXPECT_EQ(telling(table("title,code,id,same", 60, titled)), "title tells code 1.00; ");
}

TEST_F(PassingColumns, AreThoseThatComeOut) {
  const std::string text = table("title,code,id,same", 60, titled);
  EXPECT_EQ(telling(text, "[column.title]\nrole = 'identifier'\n"), "");
  EXPECT_EQ(telling(text, "[column.title]\nrole = 'sensitive'\n"), "title tells code 1.00; ");
  EXPECT_EQ(telling(text, "[column.title]\nrole = 'quasi-identifier'\n"),
            "title tells code 1.00; ");
}

TEST_F(PassingColumns, EmptyCellsAreNoValues) {
  // A third has no title, another half of the records no code.
  EXPECT_EQ(telling(table("title,code", 120,
                          [](std::size_t i) {
                            return (i % 3 == 0 ? "" : kTitles[i / 3 % 3]) + "," +
                                   (i % 2 == 0 ? "" : kCodes[i / 3 % 3]);
                          })),
            "title tells code 0.66; ");
}

TEST_F(PassingColumns, SpellingsOfAConceptAreOneValue) {
  const std::string labels[] = {"flu", "cold", "gout"};
  EXPECT_EQ(telling(table("title,code", 120,
                          [&](std::size_t i) {
                            return kTitles[i % 3] + "," + (i / 3 % 2 == 0 ? kCodes : labels)[i % 3];
                          })),
            "title tells code 1.00; ");
}

// The first 16,384 records tell, those behind them would not.
TEST_F(PassingColumns, AreToldAlikeForAnyBatches) {
  const std::string text = table("title,code", 40000, [](std::size_t i) {
    return kTitles[i % 3] + "," + kCodes[i < FirstRecords::kMost ? i % 3 : i / 3 % 3];
  });
  for (const std::uint64_t rows : {0, 1, 1000, 40000}) {
    EXPECT_EQ(telling(text, "", rows), "title tells code 1.00; ") << rows;
  }
}

TEST_F(PassingColumns, OfLongTextsFewerRecordsAreKept) {
  ASSERT_TRUE(write_file(path("t.csv"), table("note,code", 300, [](std::size_t i) {
                           return std::to_string(i) + std::string(100000, 'x') + ",F";
                         })));
  for (const std::uint64_t rows : {0, 7}) {
    TableOptions how;
    how.batch_rows = rows;
    const Table opened = value_or_throw(Table::open(path("t.csv"), how));
    const FirstRecords read = FirstRecords::read(opened, {0, 1}, {});
    const auto first = read.in(std::array<std::size_t, 2>{0, 1});
    ASSERT_TRUE(first);
    EXPECT_EQ(first->records, 168U);  // 16 MiB
    EXPECT_EQ(first->columns[0].distinct, 168U);
    EXPECT_EQ(first->columns[1].distinct, 1U);
    EXPECT_EQ(first->columns[1].codes.size(), 168U);
  }
}

}  // namespace
}  // namespace semveil
