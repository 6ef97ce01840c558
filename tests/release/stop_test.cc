// Stopping what takes WorkOptions: it answers kCancelled and writes nothing, and progress is never
// told by two threads at once.
#include "semveil/stop.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "semveil/audit.h"
#include "semveil/compare.h"
#include "semveil/files.h"
#include "semveil/plan_file.h"
#include "semveil/release.h"
#include "support/slow_taxonomy.h"
#include "support/temporary_folder.h"

namespace semveil {
namespace {

using test::value_or_throw;

constexpr const char* kStoppedPlan = R"(
[ontology.d]
source = "edges:d.csv"
[column.a]
role = "quasi-identifier"
ontology = "d"
[column.b]
role = "quasi-identifier"
ontology = "d"
[mask]
method = "fuse"
k = 3
)";

class StoppedWork : public testing::Test {
 protected:
  void SetUp() override {
    std::string edges = "child,parent\n";
    for (int i = 1; i < 200; ++i)
      edges += "c" + std::to_string(i) + ",c" + std::to_string(i / 3) + "\n";
    std::string rows = "a,b\n";
    for (int i = 0; i < 2000; ++i) {
      rows += "c" + std::to_string(70 + i * i % 90) + ",c" + std::to_string(70 + i % 50) + "\n";
    }
    write("d.csv", edges);
    write("t.csv", rows);
    write("plan.toml", kStoppedPlan);
    plan_ = value_or_throw(PlanFile::read(path("plan.toml")));
    options_.use_cache = false;
    options_.stop = source_.get_token();
  }
  void write(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(write_file(path(name), text));
  }
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  Table table() const { return value_or_throw(Table::open(path("t.csv"))); }
  WorkOptions unstopped() const {
    WorkOptions options = options_;
    options.stop = {};
    return options;
  }
  template <class T>
  static void expect_cancelled(const Result<T>& result) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
  }
  // Stops as soon as progress is told for the `time`th time.
  void stop_at(int time) {
    options_.progress = [this, time, told = 0](std::string_view, std::uint64_t,
                                               std::uint64_t) mutable {
      if (++told == time) source_.request_stop();
    };
  }

  test::TemporaryFolder folder_;
  PlanFile plan_;
  std::stop_source source_;
  WorkOptions options_;
};

TEST_F(StoppedWork, ASurvey) {
  stop_at(1);
  expect_cancelled(survey(table(), plan_, options_));
}

TEST_F(StoppedWork, AFitAndADescription) {
  const Survey surveyed = value_or_throw(survey(table(), plan_, unstopped()));
  source_.request_stop();
  expect_cancelled(Model::fit(surveyed, plan_, value_or_throw(Key::from_seed("s")), options_));
  expect_cancelled(describe(surveyed, options_));
}

TEST_F(StoppedWork, MaskingLeavesNoFile) {
  const Survey surveyed = value_or_throw(survey(table(), plan_, unstopped()));
  const Model model =
      value_or_throw(Model::fit(surveyed, plan_, value_or_throw(Key::from_seed("s")), unstopped()));
  stop_at(1);
  ApplyOptions apply_options;
  apply_options.work = options_;
  apply_options.output = path("out.csv");
  apply_options.survey = &surveyed;
  expect_cancelled(apply(model, table(), apply_options));
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& file : std::filesystem::directory_iterator(folder_.path()))
    ++files;
  EXPECT_EQ(files, 3U);
}

TEST_F(StoppedWork, AnAuditAndAComparison) {
  PairOptions pairing;
  pairing.work = unstopped();
  const TablePair pair = value_or_throw(pair_tables(table(), table(), plan_, pairing));
  CompareOptions comparing;
  source_.request_stop();
  AuditOptions auditing;
  auditing.work = comparing.work = options_;
  expect_cancelled(audit(pair, auditing));
  expect_cancelled(compare(table(), plan_, value_or_throw(Key::from_seed("s")), comparing));
}

TEST_F(StoppedWork, AStopIsNoRefusalOfAConfiguration) {
  stop_at(2);
  CompareOptions comparing;
  comparing.work = options_;
  comparing.configurations = value_or_throw(parse_configurations("fuse k=2,3,4,5"));
  expect_cancelled(compare(table(), plan_, value_or_throw(Key::from_seed("s")), comparing));
}

TEST_F(StoppedWork, CanBeDoneAgain) {
  stop_at(1);
  expect_cancelled(survey(table(), plan_, options_));
  EXPECT_EQ(value_or_throw(survey(table(), plan_, unstopped())).records(), 2000U);
}

TEST_F(StoppedWork, ProgressIsToldByOneThreadAtATime) {
  std::atomic<int> telling = 0;
  std::atomic<bool> met = false;
  std::uint64_t told = 0;
  WorkOptions work = unstopped();
  work.threads = 4;
  work.progress = [&](std::string_view, std::uint64_t, std::uint64_t) {
    if (telling++ != 0) met = true;
    ++told;
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    --telling;
  };
  const Key key = value_or_throw(Key::from_seed("s"));
  CompareOptions comparing;
  comparing.work = work;
  comparing.configurations = value_or_throw(parse_configurations("noise alpha=0.1,0.2,0.3,0.4"));
  ASSERT_TRUE(compare(table(), plan_, key, comparing));
  SearchOptions searching;
  searching.work = work;
  searching.most = 0.5;
  ASSERT_TRUE(search_parameters(table(), plan_, key, searching));
  EXPECT_FALSE(met);
  EXPECT_GT(told, 10U);
}

}  // namespace
}  // namespace semveil
