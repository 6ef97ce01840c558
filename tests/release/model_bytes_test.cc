// Models as bytes: those of the file, and back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "base/bytes.h"
#include "semveil/files.h"
#include "semveil/release.h"
#include "support/slow_taxonomy.h"
#include "support/temporary_folder.h"

namespace semveil {
namespace {

using test::value_or_throw;
using testing::HasSubstr;

class ModelBytes : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(write_file(path("d.csv"), "child,parent\nflu,disease\ncold,disease\n"));
    ASSERT_TRUE(write_file(path("t.csv"), "a\nflu\ncold\nflu\n\nflu\ncold\n"));
    ASSERT_TRUE(write_file(path("plan.toml"),
                           "[ontology.d]\nsource = 'edges:d.csv'\n"
                           "[column.a]\nrole = 'quasi-identifier'\nontology = 'd'\n"
                           "root = 'disease'\n[mask]\nmethod = 'probabilistic'\n"));
  }
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  static Key key() { return Key::from_bytes(std::array<unsigned char, Key::kSize>{5}); }

  Model fitted() const {
    const PlanFile plan = value_or_throw(PlanFile::read(path("plan.toml")));
    const Table table = value_or_throw(Table::open(path("t.csv")));
    WorkOptions work;
    work.use_cache = false;
    const Survey surveyed = value_or_throw(survey(table, plan, work));
    return value_or_throw(Model::fit(surveyed, plan, key(), work));
  }
  std::string file_of(const Model& model, Model::KeyIn key_in) const {
    EXPECT_TRUE(value_or_throw(model.prepare(path("m"), key_in)).commit());
    return std::string(value_or_throw(FileBytes::read(path("m"), Unpack::kNo)).view());
  }
  std::string masked_by(const Model& model) const {
    const Table table = value_or_throw(Table::open(path("t.csv")));
    ApplyOptions options;
    options.output = path("out.csv");
    EXPECT_TRUE(value_or_throw(apply(model, table, options)).commit());
    return std::string(value_or_throw(FileBytes::read(path("out.csv"))).view());
  }

  test::TemporaryFolder folder_;
};

TEST_F(ModelBytes, AreThoseOfTheFile) {
  const Model model = fitted();
  for (const Model::KeyIn key_in : {Model::KeyIn::kYes, Model::KeyIn::kNo}) {
    const std::string bytes = value_or_throw(model.to_bytes(key_in));
    EXPECT_EQ(bytes, file_of(model, key_in));
    const std::optional<Key> given =
        key_in == Model::KeyIn::kNo ? std::optional(key()) : std::nullopt;
    // Where they lie in memory makes no difference.
    const std::string moved = "x" + bytes;
    const Model back = value_or_throw(Model::from_bytes(std::string_view(moved).substr(1), given));
    EXPECT_EQ(value_or_throw(back.to_bytes(key_in)), bytes);
    EXPECT_EQ(masked_by(back), masked_by(model));
  }
  EXPECT_FALSE(Model::from_bytes(value_or_throw(model.to_bytes(Model::KeyIn::kYes)), key()));
}

TEST_F(ModelBytes, OfAnotherVersionAskForANewFit) {
  std::string bytes = value_or_throw(fitted().to_bytes(Model::KeyIn::kYes));
  const std::string head = "semveil model 9\n";
  ASSERT_EQ(bytes.substr(0, head.size()), head);
  for (const std::string other : {"semveil model 8\n", "semveil model 90\n"}) {
    const auto model = Model::from_bytes(other + bytes.substr(head.size()));
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().code, ErrorCode::kData);
    EXPECT_THAT(model.error().message, HasSubstr("another version of semveil"));
    EXPECT_THAT(model.error().message, HasSubstr("fit it again"));
  }
}

TEST_F(ModelBytes, ThatAreCutShortAreRefused) {
  const std::string bytes = value_or_throw(fitted().to_bytes(Model::KeyIn::kYes));
  for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 16) {
    EXPECT_FALSE(Model::from_bytes(std::string_view(bytes).substr(0, size))) << size;
  }
}

}  // namespace
}  // namespace semveil
