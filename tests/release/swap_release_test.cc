// A release by swapping needs the very records that were fitted, to the last one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <string>

#include "semveil/files.h"
#include "semveil/release.h"
#include "support/slow_taxonomy.h"
#include "support/temporary_folder.h"

namespace semveil {
namespace {

using test::value_or_throw;
using testing::HasSubstr;

class SwapRelease : public testing::Test {
 protected:
  void SetUp() override {
    write("d.csv", "child,parent\nflu,disease\ncold,disease\ngout,disease\n");
    write("plan.toml",
          "[ontology.d]\nsource = 'edges:d.csv'\n"
          "[column.a]\nrole = 'quasi-identifier'\nontology = 'd'\nroot = 'disease'\n"
          "[column.b]\nrole = 'quasi-identifier'\nontology = 'd'\nroot = 'disease'\n"
          "[mask]\nmethod = 'random-swap'\n");
  }
  void write(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(write_file(path(name), text));
  }
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }

  // Fitted on one table, applied to another as if it were the same.
  Status mask(const std::string& fitted, const std::string& masked) const {
    const PlanFile plan = value_or_throw(PlanFile::read(path("plan.toml")));
    const Key key = Key::from_bytes(std::array<unsigned char, Key::kSize>{5});
    WorkOptions work;
    work.use_cache = false;
    write("t.csv", fitted);
    const Table table = value_or_throw(Table::open(path("t.csv"), {}));
    const Survey surveyed = value_or_throw(survey(table, plan, work));
    const Model model = value_or_throw(Model::fit(surveyed, plan, key, work));
    write("other.csv", masked);
    const Table other = value_or_throw(Table::open(path("other.csv"), {}));
    ApplyOptions options;
    options.work = work;
    options.output = path("out.csv");
    options.survey = &surveyed;
    Result<PendingRelease> pending = apply(model, other, options);
    if (!pending) return fail(pending.error());
    return pending->commit();
  }

  test::TemporaryFolder folder_;
};

constexpr const char* kFitted = "a,b\nflu,cold\nflu,cold\ngout,flu\n";

TEST_F(SwapRelease, IsWrittenForTheFittedRecords) {
  EXPECT_TRUE(mask(kFitted, kFitted));
  EXPECT_TRUE(std::filesystem::exists(path("out.csv")));
}

TEST_F(SwapRelease, AsksNothingOfRecordsWithoutACell) {
  EXPECT_TRUE(mask(kFitted, std::string(kFitted) + ",\n"));
}

TEST_F(SwapRelease, IsRefusedForAnyOtherRecords) {
  for (const char* other : {"a,b\nflu,cold\nflu,cold\n",                      // one is gone
                            "a,b\nflu,cold\nflu,cold\ngout,flu\nflu,cold\n",  // one too many
                            "a,b\nflu,cold\nflu,flu\ngout,cold\n",            // other pairs
                            "a,b\n"}) {
    const Status status = mask(kFitted, other);
    ASSERT_FALSE(status) << other;
    EXPECT_EQ(status.error().code, ErrorCode::kData);
    EXPECT_THAT(status.error().message, HasSubstr("fit it again"));
    EXPECT_FALSE(std::filesystem::exists(path("out.csv")));
  }
}

}  // namespace
}  // namespace semveil
