#include "base/saved_json.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace semveil {
namespace {

enum class Choice : std::uint8_t { kFirst, kSecond };

TEST(SavedJson, ReadsWholeNumbersThatFit) {
  const SavedJson json = SavedJson::parse(R"({"choice": 1, "code": 4294967295, "less": -7,
                                              "share": 1e300, "codes": [1, 2]})");
  EXPECT_EQ(json.at("choice").get<Choice>(), Choice::kSecond);
  EXPECT_EQ(json.at("code").get<std::uint32_t>(), 4294967295U);
  EXPECT_EQ(json.at("less").get<int>(), -7);
  EXPECT_EQ(json.at("share").get<double>(), 1e300);
  EXPECT_EQ(json.at("codes").get<std::vector<std::uint32_t>>(), (std::vector<std::uint32_t>{1, 2}));
}

TEST(SavedJson, RefusesWhatIsNoWholeNumberOrDoesNotFit) {
  for (const std::string wrong : {"1e300", "1.5", "-1", "256", "true", "\"1\"", "null"}) {
    const SavedJson json = SavedJson::parse(wrong);
    EXPECT_THROW(json.get<Choice>(), SavedJson::exception) << wrong;
    EXPECT_THROW(json.get<std::uint8_t>(), SavedJson::exception) << wrong;
    EXPECT_THROW(SavedJson::array({json}).get<std::vector<std::uint8_t>>(), SavedJson::exception)
        << wrong;
  }
  EXPECT_THROW(SavedJson(4294967296).get<std::uint32_t>(), SavedJson::exception);
}

}  // namespace
}  // namespace semveil
