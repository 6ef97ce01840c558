// The verifier of sets: what is written wrongly gets no name, whoever wrote it.
#include "release/set_guard.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "release/survey.h"
#include "support/temporary_folder.h"

namespace semveil::test {
namespace {

constexpr std::string_view kSetPlan = R"(
[column.illness]
role = "sensitive"
[mask]
method = "{}"
categories = "categories"
output = "{}"
{}
)";

// A sink that has written what the test says.
class ToldSink final : public TableSink {
 public:
  explicit ToldSink(std::optional<Written> written) : written_(std::move(written)) {}
  Result<std::unique_ptr<RenderedBatch>> render(
      const TableBatch&, std::span<const std::span<const Code>>) const override {
    return fail(system_error("nothing to render"));
  }
  Status write(std::unique_ptr<RenderedBatch>) override { return {}; }
  Status flush() override { return {}; }
  Status finish() override { return {}; }
  std::optional<Written> written() const override { return written_; }
  Status commit(std::vector<PendingFile> /*others*/, Sync /*sync*/) override { return {}; }

 private:
  std::optional<Written> written_;
};

class SetGuardTest : public testing::Test {
 protected:
  void fit(std::string_view method, std::string_view output, std::string_view more = "") {
    write("categories", categories_);
    write("table.csv", table_text_);
    write("plan.toml", fmt::format(fmt::runtime(kSetPlan), method, output, more));
    const auto plan = PlanFile::read(path("plan.toml"));
    ASSERT_TRUE(plan) << plan.error().message;
    table_.emplace(*Table::open(path("table.csv")));
    const auto surveyed = survey(*table_, *plan);
    ASSERT_TRUE(surveyed) << surveyed.error().message;
    auto model = Model::fit(*surveyed, *plan, *Key::from_seed("s"));
    ASSERT_TRUE(model) << model.error().message;
    model_.emplace(*std::move(model));
    columns_.emplace(*ReadColumns::find(model_->impl(), *table_, nullptr, {}, ""));
    const Model::Impl& impl = model_->impl();
    guard_.emplace(impl, *impl.fitted_for(impl.release), 0, *columns_);
  }

  // "" if the guard is content, else what it misses.
  std::string reread(const std::string& written, std::uint64_t records = 2,
                     std::uint64_t missing = 0) const {
    write("written.csv", written);
    const ToldSink sink(TableSink::Written{path("written.csv"), ',', '"'});
    OutcomeCounts counts;
    counts.records = records;
    counts.columns.resize(1);
    counts.columns[0].missing = missing;
    const Result<bool> found = guard_->reread(sink, counts, {});
    if (!found) {
      EXPECT_EQ(found.error().code, ErrorCode::kGuarantee);
      EXPECT_TRUE(found.error().value.empty());  // no cell is told
      return found.error().message;
    }
    EXPECT_TRUE(*found);
    return "";
  }

  // A table of one set.
  static std::string written(std::string_view form, const std::vector<std::string>& set) {
    if (form == "joined") return fmt::format("illness\n{}\n", fmt::join(set, "|"));
    if (form == "list") {
      return fmt::format("illness\n\"[\"\"{}\"\"]\"\n", fmt::join(set, "\"\",\"\""));
    }
    std::string names;
    for (std::size_t i = 0; i < set.size(); ++i) {
      names += fmt::format("{}illness_{}", i == 0 ? "" : ",", i + 1);
    }
    return fmt::format("{}\n{}\n", names, fmt::join(set, ","));
  }

  ConceptId value(std::string_view text) const {
    return *place_of_text(*model_->impl().columns[0].attribute, text);
  }
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  void write(const std::string& name, std::string_view content) const {
    std::ofstream(path(name)) << content;
  }

  std::string categories_ = "flu,cold\nburn,cut\ngout\n";
  std::string table_text_ = "illness\nflu\ncold\nburn\ncut\ngout\nflu\n\"\"\n";
  TemporaryFolder folder_;
  std::optional<Table> table_;
  std::optional<Model> model_;
  std::optional<ReadColumns> columns_;
  std::optional<SetGuard> guard_;
};

TEST_F(SetGuardTest, ReadsJoinedSetsAgain) {
  fit("ean", "joined");
  EXPECT_EQ(reread("illness\nflu|burn|gout\ngout|cut|cold\n"), "");
  EXPECT_NE(reread("illness\nflu|burn|gout\ngout|cold|flu\n").find("related"), std::string::npos);
  EXPECT_NE(reread("illness\nflu|burn|gout\ngout|cut|cut\n").find("related"), std::string::npos);
  EXPECT_NE(reread("illness\nflu|burn|gout\ngout|cut\n").find("than l"), std::string::npos);
  EXPECT_NE(reread("illness\nflu|burn|gout\ngout|cut|flu|burn\n").find("than l"),
            std::string::npos);
  EXPECT_NE(reread("illness\nflu|burn|gout\ncut\n").find("than l"), std::string::npos);
  EXPECT_NE(reread("illness\nflu|burn|gout\ngout|cut|plague\n").find("no category"),
            std::string::npos);
  EXPECT_NE(reread("illness\nflu|burn|gout\ngout|cut| flu\n").find("no category"),
            std::string::npos);
}

TEST_F(SetGuardTest, CountsRecordsAndEmptyCells) {
  fit("ean", "joined");
  EXPECT_EQ(reread("illness\nflu|burn|gout\n\"\"\n", 2, 1), "");
  EXPECT_NE(reread("illness\nflu|burn|gout\n\"\"\n", 2, 0).find("empty cells"), std::string::npos);
  EXPECT_NE(reread("illness\nflu|burn|gout\ngout|cut|cold\n", 2, 1).find("empty cells"),
            std::string::npos);
  EXPECT_NE(reread("illness\nflu|burn|gout\n", 2).find("records"), std::string::npos);
  EXPECT_NE(reread("sickness\nflu|burn|gout\ngout|cut|cold\n").find("not there"),
            std::string::npos);
}

TEST_F(SetGuardTest, ReadsListsAgain) {
  fit("ean", "list");
  EXPECT_EQ(reread("illness\n\"[\"\"flu\"\",\"\"cut\"\",\"\"gout\"\"]\"\n", 1), "");
  EXPECT_NE(reread("illness\n\"[\"\"flu\"\",\"\"cold\"\",\"\"gout\"\"]\"\n", 1).find("related"),
            std::string::npos);
  EXPECT_NE(reread("illness\nflu|cut|gout\n", 1).find("no list"), std::string::npos);
  EXPECT_NE(reread("illness\n\"[1,2,3]\"\n", 1).find("no list"), std::string::npos);
}

TEST_F(SetGuardTest, ReadsColumnsAgain) {
  fit("ean", "columns");
  EXPECT_EQ(reread("illness_1,illness_2,illness_3\nflu,cut,gout\n,,\n", 2, 1), "");
  EXPECT_NE(reread("illness_1,illness_2,illness_3\nflu,cold,gout\n", 1).find("related"),
            std::string::npos);
  EXPECT_NE(reread("illness_1,illness_2,illness_3\nflu,cut,\n", 1).find("no category"),
            std::string::npos);
  EXPECT_NE(reread("illness_1,illness_2\nflu,cut\n", 1).find("not there"), std::string::npos);
}

TEST_F(SetGuardTest, LetsAnHaveRelatedValuesButNoneTwice) {
  fit("an", "joined", "l = 3");
  EXPECT_EQ(reread("illness\nflu|cold|gout\n", 1), "");
  EXPECT_NE(reread("illness\nflu|flu|gout\n", 1).find("related"), std::string::npos);
}

TEST_F(SetGuardTest, MissesNoPartOfASetInColumns) {
  fit("ean", "columns");
  EXPECT_NE(reread("illness_1,illness_2,illness_3\n,cut,gout\n", 1, 1).find("not complete"),
            std::string::npos);
}

TEST_F(SetGuardTest, KnowsTextsOfEveryLength) {
  const std::vector<std::string> texts = {std::string(15, 'a'), std::string(16, 'b'),
                                          std::string(17, 'c'), std::string(33, 'd')};
  categories_.clear();
  table_text_ = "illness\n";
  for (const std::string& text : texts) {
    categories_ += text + "\n";
    table_text_ += text + "\n";
  }
  for (const std::string_view form : {"joined", "list", "columns"}) {
    SCOPED_TRACE(form);
    fit("ean", form);
    std::vector<std::string> order = texts;
    do {
      EXPECT_EQ(reread(written(form, order), 1), "");
      std::vector<std::string> repeated = order;
      repeated[3] = repeated[0];
      EXPECT_NE(reread(written(form, repeated), 1).find("related"), std::string::npos);
      std::vector<std::string> changed = order;
      changed[1].back() = 'x';
      EXPECT_NE(reread(written(form, changed), 1).find("no category"), std::string::npos);
    } while (std::ranges::next_permutation(order).found);
  }
}

TEST_F(SetGuardTest, LooksAtMoreCategoriesThanAWordHasBits) {
  categories_.clear();
  table_text_ = "illness\n";
  for (int i = 0; i < 70; ++i) {
    categories_ += fmt::format("v{}\n", i);
    table_text_ += fmt::format("v{}\n", i);
  }
  for (const std::string_view method : {"ean", "an"}) {
    fit(method, "joined", "l = 3");
    EXPECT_EQ(reread("illness\nv1|v69|v2\n", 1), "");
    EXPECT_NE(reread("illness\nv69|v2|v69\n", 1).find("related"), std::string::npos);
    ReleasedBatch released;
    released.values = {{value("v69"), value("v2"), value("v69")}};
    EXPECT_FALSE(guard_->check(released));
  }
}

// Told that values are related which are not, it must refuse what is drawn: in a file that is read
// again, and in a device that is not.
TEST_F(SetGuardTest, IsAskedBeforeAnythingIsReleased) {
  fit("ean", "joined");
  auto& column = const_cast<SetFit&>(*set_fit(*model_->impl().steps.at(0).plan)).columns[0];
  for (const std::string_view text : {"flu", "cold"}) {
    column.category[value(text)] = column.category[value("burn")];
  }
  column.category[value("cut")] = column.category[value("burn")];
  for (const std::string& output : {path("out.csv"), std::string("/dev/null")}) {
    ApplyOptions options;
    options.output = output;
    const auto released = apply(*model_, *table_, options);
    ASSERT_FALSE(released) << output;
    EXPECT_EQ(released.error().code, ErrorCode::kGuarantee);
    EXPECT_NE(released.error().message.find("related"), std::string::npos);
  }
  EXPECT_FALSE(std::filesystem::exists(path("out.csv")));
}

TEST_F(SetGuardTest, SaysWhatCannotBeReadAgain) {
  fit("ean", "joined");
  const Result<bool> found = guard_->reread(ToldSink(std::nullopt), {}, {});
  ASSERT_TRUE(found);
  EXPECT_FALSE(*found);
}

TEST_F(SetGuardTest, ChecksCodesBeforeTheyAreWritten) {
  fit("ean", "joined");
  ReleasedBatch released;
  released.values = {{value("flu"), value("cut"), value("gout"), kMissing, kMissing, kMissing}};
  EXPECT_TRUE(guard_->check(released));
  released.values[0][1] = value("cold");
  ASSERT_FALSE(guard_->check(released));
  EXPECT_EQ(guard_->check(released).error().code, ErrorCode::kGuarantee);
}

}  // namespace
}  // namespace semveil::test
