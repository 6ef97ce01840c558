// The loss that a generalisation reports is the one that the audit finds in its release, also where
// cells are missing.
#include <gtest/gtest.h>

#include <array>

#include "figures/utility.h"
#include "semveil/classes.h"
#include "semveil/generalize.h"
#include "support/generated_table.h"

namespace semveil::test {
namespace {

TEST(Generality, IsTheLossThatGeneralisationReports) {
  for (const GeneralizeScope scope : {GeneralizeScope::kFullDomain, GeneralizeScope::kLocal}) {
    for (const auto& [loss, missing] : {std::pair(GeneralizeLoss::kLm, 0),
                                        {GeneralizeLoss::kNcp, 0},
                                        {GeneralizeLoss::kLm, 7},
                                        {GeneralizeLoss::kNcp, 7}}) {
      const TwinDomain domain(generate(Shape::kTree, 40, 3));
      Random random(7);
      GeneratedTable table;
      for (const char* name : {"a", "b"}) {
        table.columns.push_back({make_attribute(name, domain, {"wu-palmer"}),
                                 draw_cells(*domain.domain->taxonomy(), 60, 9,
                                            static_cast<std::size_t>(missing), random)});
      }
      GeneralizeOptions options;
      options.k = 4;
      options.scope = scope;
      options.loss = loss;
      const auto plan = make_generalize(options)->fit(
          table.frequencies(), Key::from_bytes(std::array<unsigned char, Key::kSize>{}));
      ASSERT_TRUE(plan);
      MaskedBatch masked;
      (*plan)->apply(table.whole(), masked);
      Paired pairs;
      for (const TableColumn& column : table.columns) pairs.attributes.push_back(column.attribute);
      for (std::size_t row = 0; row < table.rows(); ++row) {
        for (std::size_t j = 0; j < 2; ++j) {
          const ConceptId none = pairs.attributes[j]->missing_value();
          const ConceptId x = table.columns[j].cells[row], z = masked.columns[j][row];
          pairs.before.push_back(x == kMissing ? none : x);
          pairs.after.push_back(z == kMissing ? none : z);
        }
        pairs.counts.push_back(1);
      }
      const Generality found = generality(pairs);
      const ClassFit* fit = class_fit(**plan);
      ASSERT_NE(fit, nullptr);
      ASSERT_TRUE(fit->loss);
      EXPECT_GT(*fit->loss, 0);
      EXPECT_NEAR(loss == GeneralizeLoss::kLm ? found.lm : found.ncp, *fit->loss, 1e-12);
    }
  }
}

}  // namespace
}  // namespace semveil::test
