// What is verified of a release follows from the method's description, so a description that says
// what the method is not is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "release/model.h"
#include "semveil/files.h"
#include "semveil/method.h"
#include "support/slow_taxonomy.h"
#include "support/temporary_folder.h"

namespace semveil {
namespace {

using test::value_or_throw;

TEST(ModelShape, ThatADescriptionClaimsInVainIsRefused) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() + "/d.csv", "child,parent\nflu,ill\ncold,ill\n"));
  ASSERT_TRUE(write_file(folder.path() + "/t.csv", "a\nflu\ncold\n"));
  ASSERT_TRUE(write_file(folder.path() + "/plan.toml",
                         "[ontology.d]\nsource = 'edges:d.csv'\n[column.a]\n"
                         "role = 'quasi-identifier'\nontology = 'd'\n[mask]\nmethod = 'naive'\n"));
  const PlanFile plan = value_or_throw(PlanFile::read(folder.path() + "/plan.toml"));
  const Table table = value_or_throw(Table::open(folder.path() + "/t.csv"));
  const Survey surveyed = value_or_throw(survey(table, plan));
  const Key key = Key::from_bytes(std::array<unsigned char, Key::kSize>{1});
  const Model model = value_or_throw(Model::fit(surveyed, plan, key));
  const FittedMethod& fitted = *model.impl().steps.at(0).plan;

  MethodDescription about = method_named("naive");
  EXPECT_TRUE(check_shape(fitted, about));
  const auto refusal = [&] { return check_shape(fitted, about).error().message; };
  about.shape = MethodShape::kDeals;
  EXPECT_THAT(refusal(), testing::HasSubstr("says that it deals values out"));
  about.shape = MethodShape::kLooksUp;
  EXPECT_THAT(refusal(), testing::HasSubstr("says that it looks tuples up"));
  about.shape = MethodShape::kDrawsPerCell;
  about.releases_sets = true;
  EXPECT_THAT(refusal(), testing::HasSubstr("says that it releases sets"));
}

}  // namespace
}  // namespace semveil
