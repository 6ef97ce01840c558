// Models of swapped numbers whose description is no longer one, though its checksum is right.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/bytes.h"
#include "semveil/files.h"
#include "semveil/release.h"
#include "support/slow_taxonomy.h"
#include "support/temporary_folder.h"

namespace semveil {
namespace {

using nlohmann::json;
using test::value_or_throw;

class DamagedModel : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(write_file(path("t.csv"), "age\n20\n30\n30\n41\n"));
    ASSERT_TRUE(write_file(path("plan.toml"),
                           "[column.age]\nrole = 'quasi-identifier'\ntype = 'numeric'\n"
                           "[mask]\nmethod = 'random-swap'\ncolumns = ['age']\n"));
    const PlanFile plan = value_or_throw(PlanFile::read(path("plan.toml")));
    const Table table = value_or_throw(Table::open(path("t.csv"), {}));
    const Survey surveyed = value_or_throw(survey(table, plan, {}));
    const Key key = Key::from_bytes(std::array<unsigned char, Key::kSize>{5});
    const Model model = value_or_throw(Model::fit(surveyed, plan, key));
    ASSERT_TRUE(value_or_throw(model.prepare(path("m"), Model::KeyIn::kYes)).commit());
  }
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }

  bool is_read_after(const std::function<void(json&)>& damage) const {
    const FileBytes file = value_or_throw(FileBytes::read(path("m"), Unpack::kNo));
    const std::string_view bytes = file.view();
    const std::size_t head = bytes.find('\n', bytes.find('\n') + 1) + 1;
    constexpr std::size_t kSizes = 2 * sizeof(std::uint64_t);
    json description = json::parse(bytes.substr(head + kSizes));  // no ontology stands behind it
    damage(description);
    const std::string text = description.dump();
    const std::array<std::uint64_t, 2> sizes{text.size(), XXH3_64bits(text.data(), text.size())};
    std::string damaged(bytes.substr(0, head));
    damaged.append(reinterpret_cast<const char*>(sizes.data()), kSizes);
    damaged += text;
    EXPECT_TRUE(write_file(path("damaged"), damaged));
    const Result<Model> model = Model::read(path("damaged"));
    if (!model) {
      EXPECT_EQ(model.error().code, ErrorCode::kData);
    }
    return model.has_value();
  }

  test::TemporaryFolder folder_;
};

TEST_F(DamagedModel, HasAscendingNumbers) {
  EXPECT_TRUE(is_read_after([](json&) {}));
  for (const json& numbers :
       {json{"20", "41", "30"}, json{"20", "30", "30"}, json{"20", "30", "x"}}) {
    EXPECT_FALSE(is_read_after([&](json& model) { model["columns"][0]["numbers"] = numbers; }));
  }
}

TEST_F(DamagedModel, HasTheMechanismOfItsMethod) {
  EXPECT_FALSE(is_read_after([](json& model) { model["steps"][0]["method"] = "naive"; }));
}

}  // namespace
}  // namespace semveil
