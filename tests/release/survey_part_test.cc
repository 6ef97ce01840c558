// Bytes of a part whose checksum was made to fit: what no table can have is refused.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "release/table_counts.h"
#include "semveil/files.h"
#include "semveil/parts.h"
#include "support/slow_taxonomy.h"
#include "support/temporary_folder.h"

namespace semveil {
namespace {

using test::value_or_throw;

class ForgedSurveyPart : public testing::Test {
 protected:
  SurveyPart part() const {
    const std::string path = folder_.path() + "/t.csv";
    EXPECT_TRUE(write_file(path, "a,b\nx,1\ny,1\nx,2\nx,1\n"));
    const PlanFile plan = value_or_throw(PlanFile::parse(
        "[column]\na = {role = 'quasi-identifier'}\nb = {role = 'quasi-identifier'}\n", "p.toml"));
    return value_or_throw(SurveyPart::count(value_or_throw(Table::open(path)), plan, 0));
  }
  static bool is_read(const SurveyPart& part) {
    return SurveyPart::from_bytes(part.to_bytes()).has_value();
  }

  test::TemporaryFolder folder_;
};

TEST_F(ForgedSurveyPart, HasNoMoreRecordsInTuplesThanRows) {
  SurveyPart some = part();
  ASSERT_TRUE(is_read(some));
  auto& tuples = some.impl().tuples;
  const std::vector<Code> first(tuples.tuple(0).begin(), tuples.tuple(0).end());
  tuples.add(first, std::uint64_t{1} << 40U);
  EXPECT_FALSE(is_read(some));
}

TEST_F(ForgedSurveyPart, HasNoSumThatGoesRound) {
  SurveyPart some = part();
  std::vector<std::uint64_t>& counts = some.impl().columns[0].counts;
  counts[0] += std::uint64_t{1} << 63U;
  counts[1] += std::uint64_t{1} << 63U;
  EXPECT_FALSE(is_read(some));
}

TEST_F(ForgedSurveyPart, HasNoTextThatIsNotUtf8) {
  SurveyPart some = part();
  auto& column = some.impl().columns[0];
  column.texts.add("\xFF", 0);
  column.counts.push_back(0);
  column.first_rows.push_back(3);
  EXPECT_FALSE(is_read(some));
}

}  // namespace
}  // namespace semveil
