#include "table/memory/date_cells.h"

#include <gtest/gtest.h>

namespace semveil::test {
namespace {

FieldType type_of(CellMeaning meaning, std::size_t width, std::int64_t per_second = 1,
                  const std::string& zone = "") {
  FieldType type;
  type.meaning = meaning;
  type.width = width;
  type.per_second = per_second;
  type.zone_name = zone;
  return type;
}

TEST(DateCells, AreDaysOrMillisecondsOfDays) {
  const FieldType days = type_of(CellMeaning::kDate, 4),
                  milliseconds = type_of(CellMeaning::kDate, 8);
  EXPECT_TRUE(holds_dates(days));
  EXPECT_FALSE(holds_dates(type_of(CellMeaning::kText, 0)));
  EXPECT_EQ(date_cell("1970-01-11", days), 10);
  EXPECT_EQ(date_cell("1969-12-31", days), -1);
  EXPECT_EQ(date_cell("1970-01-02", milliseconds), 86'400'000);
  EXPECT_FALSE(date_cell("1970-01-02T10:00", days)) << "a day holds no time";
  EXPECT_FALSE(date_cell("1970-02-30", days));
}

TEST(DateCells, AreMomentsInTheUnitOfTheColumn) {
  EXPECT_EQ(date_cell("1970-01-01 00:00:01.500", type_of(CellMeaning::kTimestamp, 8, 1000)), 1500);
  EXPECT_EQ(date_cell("1969-12-31T23:59:59", type_of(CellMeaning::kTimestamp, 8)), -1);
  EXPECT_FALSE(date_cell("1970-01-01 00:00:01.500", type_of(CellMeaning::kTimestamp, 8)))
      << "seconds hold no half";
  EXPECT_FALSE(date_cell("9999-12-31", type_of(CellMeaning::kTimestamp, 8, 1'000'000'000)))
      << "beyond 64 bits";
}

TEST(DateCells, WithAZoneAreCountedFromItsMidnight) {
  const FieldType utc = type_of(CellMeaning::kTimestamp, 8, 1, "Europe/Paris");
  EXPECT_EQ(date_cell("1970-01-01 01:00:00+01:00", utc), 0);
  EXPECT_EQ(date_cell("1970-01-01 01:00:00+0100", utc), 0);
  EXPECT_EQ(date_cell("1970-01-01 01:00:00+01", utc), 0);
  EXPECT_EQ(date_cell("1969-12-31 18:30:00-05:30", utc), 0);
  EXPECT_EQ(date_cell("1970-01-01T00:00Z", utc), 0);
  EXPECT_FALSE(date_cell("1970-01-01 01:00:00", utc)) << "nobody knows which";
  EXPECT_FALSE(date_cell("1970-01-01 01:00Z", type_of(CellMeaning::kTimestamp, 8)));
}

}  // namespace
}  // namespace semveil::test
