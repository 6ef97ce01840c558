// Sets: the property, the twin, errors, kinds of columns.
#include "semveil/ean.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>

#include "mechanisms/sets/set_draws.h"
#include "support/set_table.h"

namespace semveil::test {
namespace {

// ---- The property -------------------------------------------------------------------------------

TEST(Ean, ReleasesTheTrueValueAndOneOfEveryOtherCategory) {
  for (const unsigned l : {0U, 2U, 3U, 4U, 8U, 9U}) {
    for (const SetDraw draw : {SetDraw::kUniform, SetDraw::kFrequency}) {
      SetCase c{.counts = {}, .l = l, .draw = draw};
      for (std::uint64_t size = 1; size <= 9; ++size) {
        c.counts.emplace_back(size, 20 + size);
        c.counts.back().back() = size == 1 ? 20 : 0;  // also a value that never occurs
      }
      const auto categories = c.categories();
      const auto plan = fit(c);
      ASSERT_EQ(plan->width(0), c.size_of_set());
      const TableColumn column = c.column();
      const GeneratedTable table = c.table();
      MaskedBatch out;
      plan->apply(table.whole(), out);
      std::set<ConceptId> seen;
      for (std::size_t row = 0; row < table.rows(); ++row) {
        const auto set = set_of(*plan, out, 0, row);
        ASSERT_EQ(std::count(set.begin(), set.end(), column.cells[row]), 1);
        std::set<std::size_t> of;
        for (const ConceptId value : set) of.insert(categories.at(value));
        ASSERT_EQ(of.size(), plan->width(0));
        seen.insert(set.begin(), set.end());
      }
      // Whatever can be drawn is drawn at some time.
      EXPECT_EQ(seen.size(), draw == SetDraw::kUniform ? c.values() : c.values() - 8);
    }
  }
}

TEST(An, ReleasesTheTrueValueAndOthers) {
  SetCase c{.counts = {{40, 1, 30}, {25, 0, 80}}, .l = 3, .by_category = false};
  const auto plan = fit(c);
  const GeneratedTable table = c.table();
  MaskedBatch out;
  plan->apply(table.whole(), out);
  bool related = false;
  const auto categories = c.categories();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto list = set_of(*plan, out, 0, row);
    const std::set<ConceptId> set(list.begin(), list.end());
    ASSERT_EQ(set.size(), 3U);
    ASSERT_TRUE(set.contains(table.columns[0].cells[row]));
    std::set<std::size_t> of;
    for (const ConceptId value : set) of.insert(categories[value]);
    related |= of.size() == 1;
  }
  EXPECT_TRUE(related) << "nothing keeps related values apart";
}

TEST(An, WithoutCategoriesHasTheColumnsValues) {
  const SetCase c{.counts = {{40, 1}, {25, 0}}};
  const auto plan = value_or_throw(make_an({})->fit(c.table().frequencies(), key()));
  EXPECT_EQ(plan->width(0), 3U);  // the fourth never occurs
  const SetFit* fit = set_fit(*plan);
  ASSERT_NE(fit, nullptr);
  EXPECT_FALSE(fit->by_category);
  EXPECT_EQ(fit->columns[0].categories.list.size(), 3U);
  EXPECT_EQ(fit->columns[0].counts, (std::vector<std::uint64_t>{40, 25, 1, 0}));
  EXPECT_EQ(fit->columns[0].category[3], SetColumn::kNoCategory);
}

// ---- The twin -----------------------------------------------------------------------------------

// Every set of the engine is the one that the algorithms make of the documented draws.
void expect_like_the_twin(const GeneratedTable& table, const SetOptions& options, bool by_category,
                          std::uint64_t offset) {
  const auto mechanism = by_category ? make_ean(options) : make_an(options);
  const auto plan = value_or_throw(mechanism->fit(table.frequencies(), key()));
  MaskedBatch out;
  const RecordBatch batch = table.whole(offset);
  plan->apply(batch, out);
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const Attribute& attribute = *table.columns[j].attribute;
    const SetColumn& column = set_fit(*plan)->columns[j];
    SlowSets slow{.by_category = by_category, .senslist = {}, .l = column.l, .draw = options.draw};
    for (const auto& category : column.categories.list) slow.senslist.push_back(category.values);
    for (ConceptId v = 0; v < column.counts.size(); ++v) {
      if (column.counts[v] > 0) slow.records[v] = column.counts[v];
    }
    const Draws draws(key(), attribute.name);
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const ConceptId cell = table.columns[j].cells[row];
      std::vector<ConceptId> expected(column.l, kMissing);
      if (cell < attribute.size() && column.category[cell] != SetColumn::kNoCategory) {
        expected = slow.anonymized(
            cell, options.by_person
                      ? SlowChoose(DocumentedChoices(draws, table.persons[row], attribute.id(cell)))
                      : SlowChoose(DocumentedChoices(draws, offset + row)));
      }
      ASSERT_EQ(set_of(*plan, out, j, row), expected) << "row " << row << ", l = " << column.l;
    }
  }
}

CategoryRule dealt_into(std::size_t categories) {
  return [categories](const FrequencyColumn& column) -> Result<Categories> {
    Categories out;
    out.list.resize(categories);
    for (std::size_t c = 0; c < categories; ++c) out.list[c].name = std::to_string(c);
    const Attribute& attribute = *column.attribute;
    const bool has_virtual = attribute.is_nominal() && attribute.taxonomy().has_virtual_root();
    // The values in turn, so that every category has some that occur; then the others.
    std::set<ConceptId> occurs(column.values.values.begin(), column.values.values.end());
    std::size_t next = 0;
    for (const ConceptId v : column.values.values)
      out.list[next++ % categories].values.push_back(v);
    for (ConceptId v = has_virtual ? 1 : 0; v < attribute.size(); ++v) {
      if (!occurs.contains(v)) out.list[next++ * 7 % categories].values.push_back(v);
    }
    return out;
  };
}

TEST(Ean, IsTheTwinOnGeneratedDomains) {
  Random random(17);
  for (const Shape shape :
       {Shape::kTree, Shape::kDag, Shape::kChain, Shape::kStar, Shape::kSeveralRoots}) {
    SCOPED_TRACE(to_string(shape));
    const TwinDomain domain(generate(shape, 70, 3));
    GeneratedTable table;
    for (const char* name : {"a", "b"}) {
      table.columns.push_back({make_attribute(name, domain, {"wu-palmer"}),
                               draw_cells(*domain.twins.fast, 150, 24, 12, random)});
    }
    table.columns[0].cells[3] = kNoPart;
    for (std::size_t i = 0; i < table.rows(); ++i) {
      table.persons.push_back("person " + std::to_string(random.below(9)));
    }
    GeneratedTable fitted = table;
    for (ConceptId& cell : fitted.columns[0].cells) cell = cell == kNoPart ? kMissing : cell;
    for (const std::size_t categories : {2, 5, 7, 12}) {
      for (const unsigned l : {0U, 2U, 4U, 6U}) {
        if (l > categories) continue;
        for (const SetDraw draw : {SetDraw::kUniform, SetDraw::kFrequency}) {
          SetOptions options{.categories = {dealt_into(categories), dealt_into(categories)},
                             .l = l,
                             .draw = draw,
                             .by_person = random.one_in(2)};
          expect_like_the_twin(fitted, options, true, random.below(100));
          if (l > 0) expect_like_the_twin(fitted, options, false, random.below(100));
        }
      }
    }
    expect_like_the_twin(fitted, {.categories = {}, .l = 3}, false, 5);
    expect_like_the_twin(fitted, {}, false, 5);  // all values
  }
}

// So many records that choices need draws of their own, one of them more than 32 bits.
TEST(SetDraws, TakesSeveralDrawsWhereChoicesAreMany) {
  const auto of = [](std::vector<std::uint64_t> counts, unsigned l, SetDraw draw) {
    SetColumn column{
        .l = l, .categories = {}, .category = {}, .counts = std::move(counts), .weights = {}};
    for (ConceptId v = 0; v < column.counts.size(); ++v) {
      column.categories.list.push_back({"", {v}});
      column.category.push_back(v);
    }
    return SetDraws(column, true, draw);
  };
  const std::uint64_t bits16 = 1U << 16U, bits40 = std::uint64_t{1} << 40U;
  EXPECT_EQ(of({5, 5, 5}, 3, SetDraw::kUniform).words(), 1U);
  EXPECT_EQ(of({bits16, bits16, bits16}, 3, SetDraw::kFrequency).words(), 2U);  // 2^32 fits
  EXPECT_EQ(of({bits16, bits16 + 1, bits16}, 3, SetDraw::kFrequency).words(), 2U);
  EXPECT_EQ(of({bits40, bits40, 1}, 3, SetDraw::kFrequency).words(), 3U);
  EXPECT_EQ(of({bits40, 1, 1, 1}, 3, SetDraw::kFrequency).words(), 4U);  // 2·3, 2^40, 2^40, 3·2
  EXPECT_EQ(of(std::vector<std::uint64_t>(12, 1), 12, SetDraw::kUniform).words(), 1U);
  EXPECT_EQ(of(std::vector<std::uint64_t>(13, 1), 13, SetDraw::kUniform).words(),
            2U);  // 13! > 2^32
}

TEST(Ean, IsTheTwinWhereARowTakesSeveralDraws) {
  for (const SetDraw draw : {SetDraw::kUniform, SetDraw::kFrequency}) {
    for (const unsigned l : {0U, 17U}) {
      SetCase c{.counts = {}, .l = l, .draw = draw};
      for (std::uint64_t i = 0; i < 20; ++i) c.counts.push_back({3 + i, 1, 30 - i, 0});
      expect_like_the_twin(c.table(), c.options(), true, 77);
      expect_like_the_twin(c.table(), c.options(), false, 77);
    }
  }
}

// ---- Errors -------------------------------------------------------------------------------------

Error error_of(const SetCase& c, const Categories& categories, unsigned l = 0,
               SetDraw draw = SetDraw::kUniform, bool by_category = true) {
  const SetOptions options{
      .categories = {[&](const FrequencyColumn&) -> Result<Categories> { return categories; }},
      .l = l,
      .draw = draw};
  const auto plan =
      (by_category ? make_ean(options) : make_an(options))->fit(c.table().frequencies(), key());
  EXPECT_FALSE(plan.has_value());
  if (plan) return {};
  EXPECT_EQ(plan.error().code, ErrorCode::kData);
  EXPECT_EQ(plan.error().place.column, "illness");
  EXPECT_NE(plan.error().message, "");
  return plan.error();
}

TEST(Ean, RefusesWhatNoSetsCanBeMadeOf) {
  const SetCase c{.counts = {{3, 2}, {4, 0}}};  // values 0 and 2, 1 and 3
  EXPECT_EQ(error_of(c, {{{"x", {0, 2}}, {"y", {}}}}).value, "y");
  EXPECT_EQ(error_of(c, {{{"x", {0, 2}}, {"y", {1, 2}}}}).value, "value 1002");
  EXPECT_EQ(error_of(c, {{{"x", {0, 2}}, {"y", {1, 1}}}}).value, "value 1001");
  EXPECT_EQ(error_of(c, {{{"x", {0}}, {"y", {1, 3}}}}).value, "value 1002");
  EXPECT_EQ(error_of(c, {{{"x", {0, 2}}, {"y", {1, 4}}}}).value, "y");
  EXPECT_EQ(error_of(c, {{{"x", {0, 1, 2}}, {"y", {3}}}}, 0, SetDraw::kFrequency).value, "y");
  const Categories sound{{{"x", {0, 2}}, {"y", {1}}}};
  for (const unsigned l : {1U, 3U, 100U}) {
    EXPECT_NE(error_of(c, sound, l).message.find("between 2 and 2"), std::string::npos);
  }
  EXPECT_NE(error_of(c, sound, 4, SetDraw::kUniform, false).message.find("between 2 and 3"),
            std::string::npos);
  error_of(c, {{{"x", {0, 1, 2}}}});
  error_of(c, {});
  EXPECT_FALSE(make_ean({})->fit(c.table().frequencies(), key()));
}

TEST(Ean, RefusesSetsBeyondTheLargest) {
  SetCase c;
  c.counts.assign(kMostSetSize + 1, {1});
  for (const bool by_category : {true, false}) {
    c.by_category = by_category;
    c.l = 0;  // the number of categories
    const auto plan = c.mechanism()->fit(c.table().frequencies(), key());
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().code, ErrorCode::kData);
    EXPECT_EQ(plan.error().place.column, "illness");
    EXPECT_NE(plan.error().message.find("sets of 1001 values"), std::string::npos);
    EXPECT_NE(plan.error().message.find("write l in [mask]"), std::string::npos);
    c.l = kMostSetSize + 1;
    EXPECT_FALSE(c.mechanism()->fit(c.table().frequencies(), key()));
    c.l = kMostSetSize;
    EXPECT_EQ(fit(c)->width(0), kMostSetSize);
  }
}

TEST(Ean, PassesOnWhyThereAreNoCategories) {
  const SetOptions options{.categories = {[](const FrequencyColumn&) -> Result<Categories> {
                             return fail(data_error("no such file"));
                           }}};
  const auto plan =
      make_ean(options)->fit(SetCase{.counts = {{1}, {1}}}.table().frequencies(), key());
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().message, "no such file");
}

TEST(Ean, RefusesMissingAsAValue) {
  const SetCase c{.counts = {{3, 2}, {4, 0}}};
  GeneratedTable table = c.table();
  auto attribute = std::make_shared<Attribute>(*table.columns[0].attribute);
  attribute->missing_is_value = true;
  table.columns[0].attribute = attribute;
  EXPECT_FALSE(c.mechanism()->fit(table.frequencies(), key()));
}

// ---- Kinds of columns ---------------------------------------------------------------------------

TEST(Ean, MasksNumbersAndTextsAndComesBack) {
  const std::vector<double> numbers = {-1, 0, 2.5, 4, 100, 1e6};
  GeneratedTable table;
  table.columns.push_back(
      {std::make_shared<const Attribute>(numeric_attribute("salary", numbers, 10)), {}});
  table.columns.push_back({std::make_shared<const Attribute>(text_attribute(
                               "illness", {"", "a", "a\"b", "b,c", "\xC3\xA4", "z"})),
                           {}});
  Random random(2);
  for (TableColumn& column : table.columns) {
    column.cells = draw_numbers(6, 300, 20, random);
    column.cells[7] = kNoPart;
  }
  GeneratedTable fitted = table;
  for (TableColumn& column : fitted.columns) column.cells[7] = kMissing;
  const auto mechanism = make_ean({.categories = {dealt_into(3), dealt_into(2)}});
  const auto plan = value_or_throw(mechanism->fit(fitted.frequencies(), key()));
  EXPECT_EQ(plan->width(0), 3U);
  EXPECT_EQ(plan->width(1), 2U);
  const auto loaded =
      value_or_throw(load_fitted(mechanism->name(), plan->save(), plan->attributes(), key()));
  MaskedBatch a, b;
  plan->apply(table.whole(), a);
  loaded->apply(table.whole(), b);
  EXPECT_EQ(a.columns, b.columns);
  EXPECT_EQ(a.joint.records, b.joint.records);
  EXPECT_GT(a.joint.records, 200U);
  EXPECT_EQ(a.joint.posteriors.value(), b.joint.posteriors.value());
  EXPECT_EQ(set_fit(*plan)->combinations, 6);
  EXPECT_EQ(set_fit(*loaded)->combinations, 6);
  EXPECT_EQ(set_of(*plan, a, 0, 7), (std::vector<ConceptId>(3, kMissing)));
  EXPECT_EQ(a.tallies[0].cells + a.tallies[0].missing, 300U);
  EXPECT_EQ(set_fit(*loaded)->columns[1].weights, set_fit(*plan)->columns[1].weights);
  EXPECT_FALSE(load_fitted("an-1", plan->save(), {plan->attributes()[0]}, key()));
}

TEST(SetFit, BelongsToPlansOfSetsAlone) {
  class Other final : public FittedMethod {
    std::vector<std::shared_ptr<const Attribute>> attributes_;
    const std::vector<std::shared_ptr<const Attribute>>& attributes() const override {
      return attributes_;
    }
    bool needs_persons() const override { return false; }
    bool knows_origins() const override { return false; }
    void apply(const RecordBatch&, MaskedBatch&) const override {}
    std::string save() const override { return ""; }
  };
  EXPECT_EQ(set_fit(Other()), nullptr);
  EXPECT_EQ(Other().width(0), 1U);
}

}  // namespace
}  // namespace semveil::test
