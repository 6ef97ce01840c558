#include "semveil/work_limits.h"

#include <gtest/gtest.h>

namespace semveil::test {
namespace {

TEST(WorkLimits, LetThroughWhatIsAllowed) {
  EXPECT_TRUE(check_work(0, 1e-9, "nothing", ""));
  EXPECT_TRUE(check_work(2 * kStepsOfAnHour, 2, "comparing", "less"));
}

TEST(WorkLimits, SayHowLongItWouldTakeAndWhatCanBeDone) {
  const Status few = check_work(2.5 * kStepsOfAnHour, 2, "comparing 9 values", "have fewer");
  ASSERT_FALSE(few);
  EXPECT_EQ(few.error().code, ErrorCode::kData);
  EXPECT_EQ(few.error().message,
            "comparing 9 values would take about 3 hours of one processor, and 2 are allowed: have "
            "fewer, or allow more hours of work");
  const Status many = check_work(480 * kStepsOfAnHour, 2, "comparing", "have fewer");
  ASSERT_FALSE(many);
  EXPECT_NE(many.error().message.find("480 hours of one processor (20 days)"), std::string::npos);
}

}  // namespace
}  // namespace semveil::test
