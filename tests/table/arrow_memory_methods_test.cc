// Every method masks a table in memory as it masks the same table in an Arrow file, whole and batch
// by batch.
#include <arrow/compute/cast.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "arrow_memory.h"
#include "semveil/batch.h"
#include "semveil/files.h"
#include "semveil/method.h"
#include "semveil/release.h"
#include "support/slow_taxonomy.h"
#include "support/temporary_folder.h"

namespace semveil {
namespace {

using test::CellList;
using test::cells_of;
using test::memory_table;
using test::stream_of;
using test::taken;
using test::value_or_throw;
using testing::HasSubstr;

struct Method {
  std::string name, mask;
  bool numeric = false;   // the age is masked, too
  std::string more = "";  // at the top of the plan
};

class EveryMethodInMemory : public testing::TestWithParam<Method> {
 protected:
  void SetUp() override {
    std::string edges = "child,parent\n";
    for (int group = 0; group < 3; ++group) {
      edges += "g" + std::to_string(group) + ",disease\n";
      for (int i = 0; i < 4; ++i) {
        edges += "d" + std::to_string(group * 4 + i) + ",g" + std::to_string(group) + "\n";
      }
    }
    ASSERT_TRUE(write_file(path("d.csv"), edges));
    ASSERT_TRUE(
        write_file(path("d.categories"), "d0, d1, d2, d3\nd4, d5, d6, d7\nd8, d9, d10, d11\n"));
    const Method& method = GetParam();
    std::string plan = method.more + "[ontology.d]\nsource = 'edges:d.csv'\n";
    for (const char* column : {"a", "b"}) {
      plan += std::string("[column.") + column +
              "]\nrole = 'quasi-identifier'\nontology = 'd'\nroot = 'disease'\n";
    }
    if (method.numeric) plan += "[column.age]\nrole = 'quasi-identifier'\ntype = 'numeric'\n";
    plan += "[mask]\nmethod = '" + method.name + "'\n" + method.mask;
    ASSERT_TRUE(write_file(path("plan.toml"), plan));
    table_ = make_table();
    work_.use_cache = false;
    work_.threads = 2;
  }

  // Few values, so that classes are not all of one record; some cells are missing.
  static std::shared_ptr<arrow::Table> make_table() {
    arrow::StringDictionary32Builder a;
    arrow::LargeStringBuilder b;
    arrow::Int16Builder age;
    arrow::Int64Builder id;
    unsigned state = 1;
    const auto draw = [&](unsigned n) {
      state = state * 1103515245 + 12345;
      return (state >> 16U) % n;
    };
    for (int row = 0; row < 240; ++row) {
      EXPECT_TRUE((draw(30) == 0 ? a.AppendNull() : a.Append("d" + std::to_string(draw(12)))).ok());
      EXPECT_TRUE((draw(30) == 0 ? b.AppendNull() : b.Append("d" + std::to_string(draw(3)))).ok());
      EXPECT_TRUE(age.Append(static_cast<std::int16_t>(20 + draw(30))).ok());
      EXPECT_TRUE(id.Append(row).ok());
    }
    const arrow::ArrayVector columns{id.Finish().ValueOrDie(), a.Finish().ValueOrDie(),
                                     b.Finish().ValueOrDie(), age.Finish().ValueOrDie()};
    return arrow::Table::Make(
        arrow::schema({arrow::field("id", columns[0]->type()),
                       arrow::field("a", columns[1]->type()), arrow::field("b", columns[2]->type()),
                       arrow::field("age", columns[3]->type())}),
        columns);
  }

  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  PlanFile plan() const { return value_or_throw(PlanFile::read(path("plan.toml"))); }
  static Key key() { return Key::from_bytes(std::array<unsigned char, Key::kSize>{5}); }

  Model fit(const Table& table, std::optional<Survey>& surveyed) const {
    surveyed.emplace(value_or_throw(survey(table, plan(), work_)));
    return value_or_throw(Model::fit(*surveyed, plan(), key(), work_));
  }

  std::map<std::string, CellList> by_file() const {
    test::write_table(*table_, path("in.arrow"), {.format = ArrowFormat::kIpcFile, .rows = 50});
    const Table table = value_or_throw(Table::open(path("in.arrow")));
    std::optional<Survey> surveyed;
    const Model model = fit(table, surveyed);
    ApplyOptions options;
    options.work = work_;
    options.output = path("out.arrow");
    options.survey = &*surveyed;
    PendingRelease release = value_or_throw(apply(model, table, options));
    EXPECT_TRUE(release.commit());
    return cells_of(*test::read_table(path("out.arrow"), ArrowFormat::kIpcFile));
  }

  // Why a model does not mask the table as one batch; empty: it does.
  std::string refusal(const Model& model, const BatchOptions& options) const {
    ArrowSchema schema{}, out_schema{};
    ArrowArray array{}, out{};
    const auto whole = table_->CombineChunksToBatch().ValueOrDie();
    EXPECT_TRUE(arrow::ExportRecordBatch(*whole, &array, &schema).ok());
    const auto part = model.mask(&schema, &array, options, &out_schema, &out);
    if (!part) return part.error().message;
    EXPECT_TRUE(arrow::ImportRecordBatch(&out, &out_schema).ok());
    return "";
  }

  test::TemporaryFolder folder_;
  std::shared_ptr<arrow::Table> table_;
  WorkOptions work_;
};

TEST_P(EveryMethodInMemory, MasksAsInAFile) {
  const std::map<std::string, CellList> expected = by_file();
  const Table table = value_or_throw(memory_table(table_, 70));
  std::optional<Survey> surveyed;
  const Model model = fit(table, surveyed);
  MemoryOutput out;
  ApplyOptions options;
  options.work = work_;
  options.memory = &out;
  options.survey = &*surveyed;
  PendingRelease release = value_or_throw(apply(model, table, options));
  ASSERT_TRUE(release.commit());
  const auto made = taken(out);
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(cells_of(*made), expected);
  EXPECT_NE(cells_of(*made)["a"], cells_of(*table_)["a"]);
  if (!method_named(GetParam().name).releases_sets) {
    EXPECT_TRUE(made->GetColumnByName("a")->type()->Equals(table_->column(1)->type()));
    EXPECT_TRUE(made->GetColumnByName("b")->type()->Equals(table_->column(2)->type()));
  }
}

// Batch after batch, in any order, from several threads, by a model that went through bytes.
TEST_P(EveryMethodInMemory, MasksBatchesAsTheWhole) {
  const std::map<std::string, CellList> expected = by_file();
  const Table table = value_or_throw(memory_table(table_, 70));
  std::optional<Survey> surveyed;
  const Model fitted = fit(table, surveyed);
  const std::string bytes = value_or_throw(fitted.to_bytes(Model::KeyIn::kYes));
  const Model model = value_or_throw(Model::from_bytes(bytes));

  if (model.shuffles()) {
    BatchOptions one;
    one.fitted = true;
    EXPECT_THAT(refusal(model, one), HasSubstr("needs the whole table"));
    return;
  }

  std::vector<std::shared_ptr<arrow::RecordBatch>> batches;
  std::vector<BatchOptions> options;
  std::vector<Occurrences> before;
  arrow::TableBatchReader reader(*table_);
  reader.set_chunksize(37);
  Occurrences so_far;
  std::uint64_t row = 0;
  for (std::shared_ptr<arrow::RecordBatch> batch;;) {
    ASSERT_TRUE(reader.ReadNext(&batch).ok());
    if (batch == nullptr) break;
    batches.push_back(batch);
    Occurrences& here = before.emplace_back();
    here.add(so_far);
    ArrowSchema schema{};
    ArrowArray array{};
    ASSERT_TRUE(arrow::ExportRecordBatch(*batch, &array, &schema).ok());
    so_far.add(value_or_throw(model.occurrences(&schema, &array)));
    BatchOptions& one = options.emplace_back();
    one.first_row = row;
    one.fitted = true;
    row += static_cast<std::uint64_t>(batch->num_rows());
  }
  for (std::size_t i = 0; i < options.size(); ++i) options[i].before = &before[i];

  std::vector<std::shared_ptr<arrow::RecordBatch>> masked(batches.size());
  std::vector<std::optional<OutcomePart>> parts(batches.size());
  std::vector<std::thread> threads;
  for (std::size_t i = batches.size(); i-- > 0;) {
    threads.emplace_back([&, i] {
      ArrowSchema schema{}, out_schema{};
      ArrowArray array{}, out{};
      ASSERT_TRUE(arrow::ExportRecordBatch(*batches[i], &array, &schema).ok());
      auto part = model.mask(&schema, &array, options[i], &out_schema, &out);
      ASSERT_TRUE(part) << describe(part.error(), Quote::kShow);
      parts[i].emplace(*std::move(part));
      masked[i] = arrow::ImportRecordBatch(&out, &out_schema).ValueOrDie();
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::map<std::string, CellList> cells;
  for (std::size_t i = 0; i < masked.size(); ++i) {
    ASSERT_NE(masked[i], nullptr);
    EXPECT_TRUE(masked[i]->ValidateFull().ok());
    const auto one = arrow::Table::FromRecordBatches({masked[i]}).ValueOrDie();
    for (const auto& [name, some] : cells_of(*one)) {
      cells[name].insert(cells[name].end(), some.begin(), some.end());
    }
    if (i > 0) {
      ASSERT_TRUE(parts[0]->merge(*parts[i]));
    }
  }
  EXPECT_EQ(cells, expected);

  ApplyOptions apply_options;
  MemoryOutput memory;
  apply_options.memory = &memory;
  apply_options.survey = &*surveyed;
  const PendingRelease release = value_or_throw(apply(fitted, table, apply_options));
  EXPECT_EQ(parts[0]->records(), release.result().records);
  EXPECT_EQ(parts[0]->dropped_records(), release.result().dropped_records);
}

TEST_P(EveryMethodInMemory, MasksABatchOfNoRecords) {
  const Table table = value_or_throw(memory_table(table_, 70));
  std::optional<Survey> surveyed;
  const Model model = fit(table, surveyed);
  if (model.shuffles()) return;
  ArrowSchema schema{}, out_schema{};
  ArrowArray array{}, out{};
  const auto none = table_->CombineChunksToBatch().ValueOrDie()->Slice(0, 0);
  ASSERT_TRUE(arrow::ExportRecordBatch(*none, &array, &schema).ok());
  BatchOptions options;
  options.fitted = true;
  const auto part = model.mask(&schema, &array, options, &out_schema, &out);
  ASSERT_TRUE(part) << describe(part.error(), Quote::kShow);
  EXPECT_EQ(part->records(), 0U);
  const auto masked = arrow::ImportRecordBatch(&out, &out_schema).ValueOrDie();
  EXPECT_TRUE(masked->ValidateFull().ok());
  EXPECT_EQ(masked->num_rows(), 0);
  EXPECT_TRUE(masked->GetColumnByName("id")->type()->Equals(none->column(0)->type()));
}

// Whatever draws needs a name of its own for a batch of any table; whatever knows the records of
// the fitted table sees others.
TEST_P(EveryMethodInMemory, RefusesBatchesAsApplyRefusesTables) {
  const Table table = value_or_throw(memory_table(table_, 70));
  std::optional<Survey> surveyed;
  const Model model = fit(table, surveyed);
  if (model.shuffles()) return;
  const bool by_person = GetParam().mask.find("draw_by") != std::string::npos;
  const bool draws = method_named(GetParam().name).draws_per_cell() && !by_person;
  EXPECT_EQ(refusal(model, {}) != "", draws);
  BatchOptions named;
  named.release = "another";
  EXPECT_EQ(refusal(model, named), "");
  if (!method_named(GetParam().name).deals()) return;
  // As if all these records had come before: there is nothing left to deal out to them.
  Occurrences all;
  for (int times = 0; times < 2; ++times) {
    ArrowSchema schema{};
    ArrowArray array{};
    const auto whole = table_->CombineChunksToBatch().ValueOrDie();
    ASSERT_TRUE(arrow::ExportRecordBatch(*whole, &array, &schema).ok());
    all.add(value_or_throw(model.occurrences(&schema, &array)));
    named.before = &all;
    EXPECT_THAT(refusal(model, named), HasSubstr("fit it again"));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Methods, EveryMethodInMemory,
    testing::Values(Method{"noise", "alpha = 0.5\n"},
                    Method{"noise", "alpha = 0.5\n", false, "shuffle = true\n"},
                    Method{"naive", ""}, Method{"probabilistic", ""},
                    Method{"noise", "alpha = 0.5\ncolumns = ['a']\ndraw_by = 'id'\n"},
                    Method{"swap", "k = 3\n"}, Method{"random-swap", ""},
                    Method{"distributional-swap", "k = 3\n"}, Method{"fuse", "k = 3\n"},
                    Method{"recode", "k = 30\n"},
                    Method{"generalize", "k = 3\nsuppression = 0.3\n"},
                    Method{"microaggregate", "k = 3\n", true}, Method{"swap", "k = 3\n", true},
                    Method{"ean", "columns = ['a']\ncategories = 'd.categories'\n"},
                    Method{"ean",
                           "columns = ['a']\ncategories = 'd.categories'\noutput = 'list'\n"},
                    Method{"an", "columns = ['a']\nl = 3\noutput = 'columns'\n"}),
    [](const auto& tested) {
      std::string name = tested.param.name + "_" + std::to_string(tested.index);
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

}  // namespace
}  // namespace semveil
