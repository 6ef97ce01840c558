// What the conformance suite gives every mechanism to work on: a generated table, made anew for
// each test.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "base/date_text.h"
#include "conformance/mechanisms.h"
#include "support/generated_table.h"

namespace semveil::test {

using Cells =
    std::vector<std::vector<ConceptId>>;  // by column, then row (FittedMethod::width() for each)

inline constexpr std::size_t kRows = 700;

inline Key key_of(std::uint64_t seed) {
  Random random(seed);
  std::array<unsigned char, Key::kSize> bytes{};
  for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random.next());
  return Key::from_bytes(bytes);
}

class EveryMechanism : public testing::TestWithParam<MechanismCase> {
 protected:
  // Everything anew, so that nothing has been asked of any taxonomy yet. The first domain is part
  // of an ontology and has numbers of its own, the second hangs under a virtual root.
  struct Fresh {
    std::vector<std::unique_ptr<const TwinDomain>> domains;
    GeneratedTable table;
    std::vector<std::shared_ptr<const Attribute>> attributes() const {
      std::vector<std::shared_ptr<const Attribute>> out;
      for (const TableColumn& column : table.columns) out.push_back(column.attribute);
      return out;
    }
  };

  static Fresh fresh(std::size_t rows = kRows) {
    const MechanismCase& c = GetParam();
    Fresh out;
    if (!c.one_domain) out.domains.push_back(TwinDomain::part_of(generate(Shape::kDag, 90, 5)));
    out.domains.push_back(
        std::make_unique<const TwinDomain>(generate(Shape::kSeveralRoots, 60, 6)));
    Random random(9);
    for (std::size_t j = 0; j < c.columns; ++j) {
      const std::size_t d = j % out.domains.size();
      const Taxonomy& taxonomy = *out.domains[d]->twins.fast;
      TableColumn column;
      if (j + 1 == c.columns && (c.last_is_numeric || c.last_is_date)) {
        const std::vector<double> numbers = {-3, 0, 0.5, 1, 2, 2.25, 7, 10, 40, 41, 100, 1e3};
        Attribute line = numeric_attribute("column " + std::to_string(j), numbers, 60);
        if (c.last_is_date) {
          line.digits = {"1969-12-29", "1970-01-01",       "1970-01-01T12:00", "1970-01-02",
                         "1970-01-03", "1970-01-03T06:00", "1970-01-08",       "1970-01-11",
                         "1970-02-10", "1970-02-11",       "1970-04-11",       "1972-09-27"};
          line.dates = std::make_shared<const DateForm>();
        }
        column.attribute = std::make_shared<const Attribute>(std::move(line));
        column.cells = draw_numbers(numbers.size(), rows, 15, random);
        out.table.columns.push_back(std::move(column));
        continue;
      }
      column.attribute = make_attribute("column " + std::to_string(j), *out.domains[d], c.measure,
                                        c.rules, c.missing_is_value);
      column.cells =
          j < out.domains.size()
              ? draw_cells(taxonomy, rows, 14, 15, random)
              : draw_related_cells(taxonomy, out.table.columns[j - out.domains.size()].cells, 15,
                                   random);
      out.table.columns.push_back(std::move(column));
    }
    for (std::size_t i = 0; i < rows; ++i) {
      out.table.persons.push_back("person " + std::to_string(random.below(40)));
    }
    return out;
  }

  static std::unique_ptr<const FittedMethod> fit(const GeneratedTable& table, const Key& key,
                                                 MechanismCase::Choices choices = {}) {
    return value_or_throw(GetParam().make(choices)->fit(table.frequencies(), key));
  }
  static MaskedBatch masked(const FittedMethod& plan, const RecordBatch& batch,
                            bool traced = false) {
    MaskedBatch out;
    out.traced = traced;
    plan.apply(batch, out);
    return out;
  }
  static Cells cells(const FittedMethod& plan, const GeneratedTable& table) {
    return masked(plan, table.whole()).columns;
  }

  // What came out for some rows of a column.
  static std::vector<ConceptId> rows_of(const FittedMethod& plan, const Cells& out, std::size_t j,
                                        std::size_t first, std::size_t rows) {
    const std::size_t width = plan.width(j);
    const auto begin = out[j].begin() + static_cast<std::ptrdiff_t>(first * width);
    return {begin, begin + static_cast<std::ptrdiff_t>(rows * width)};
  }

  static bool takes_part(const TableColumn& column, std::size_t row) {
    return column.cells[row] != kMissing || column.attribute->missing_is_value;
  }

  Fresh fresh_ = fresh();
  const GeneratedTable& table_ = fresh_.table;
};

}  // namespace semveil::test
