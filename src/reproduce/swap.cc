// The rank swapping paper's Tables 2-6 and figures 5-7, and what it says of them.
//
// Its data are not public, so its figures cannot be ours; its claims can be. Each sample of public
// data is swapped with two columns and with three.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reproduce/swap_data.h"
#include "reproduce/swap_measured.h"

namespace semveil::reproduction {
namespace {

constexpr std::size_t kMethodRuns = kSwapMethods.size() * kIntervals.size();
constexpr std::size_t kFrequentTuples = 50;

enum SwapPart : unsigned { kTwoColumns = 1, kThreeColumns, kFrequent };

const char* const kNotPublic =
    "The paper's patients are not public. Its figures are of other data and stand beside ours to "
    "compare how the curves move; what is checked is its claims.";
const char* const kRules =
    "sdCor lost is |after - before| of each key, averaged; with three columns over the pairs too. "
    "One method is better than another if it is worse by more than 0.01 at no k and better on the "
    "average over k. Kept cells found no partner; unchanged uniques are records with values of "
    "their own that came out as they were.";
const char* const kTried =
    "Why a claim does not hold is read off the figures. Two samples were made to try it: one "
    "without "
    "frequent categories (fixed and distributional-swap), one in which single values go together "
    "(multivariate and dynamic).";

// The paper's data sets of two columns beside ours: many categories, then few.
const std::array kBeside{dataset_1, dataset_1, dataset_1, dataset_2, dataset_2};
constexpr std::size_t kSyntheaSample = 3;

// Two columns of three, swapped alone: what a third one costs them.
Status check_third_column(const MeasuredSwaps& measured, const Records& records, unsigned threads,
                          ReproducedPart& part) {
  const SwapBench alone(first_columns(records, 2));
  const auto of_two = [](const SwapFigures& figures) {
    return (figures.rmse[0] + figures.rmse[1]) / 2;
  };
  ByInterval without{};
  Verdict verdict{true, ""};
  for (std::size_t i = 0; i < kIntervals.size(); ++i) {
    const auto figures =
        alone.run_trials(SwapAlgorithm::kMultivariate, static_cast<std::uint64_t>(kIntervals[i]),
                         kSwapKeys, threads);
    if (!figures) return fail(figures.error());
    without[i] = of_two(*figures);
    const double with = of_two(measured.figures[kMultivariatePlace][i]);
    verdict.holds = verdict.holds && with >= without[i] - kSwapTolerance;
  }
  verdict.figures = listed("k", kIntervals, [&](std::size_t i) {
    return fmt::format("{:.3f} and {:.3f}", of_two(measured.figures[kMultivariatePlace][i]),
                       without[i]);
  });
  Claims(measured.title, part)
      .add("RMSE of A and B: multivariate with the third column is no smaller than without",
           std::move(verdict), "the third column does not part records that were alike");
  return {};
}

Result<ReproducedPart> swapped_tables(std::span<const SwapSample> samples, std::size_t columns,
                                      Runs& runs, unsigned threads) {
  ReproducedPart part;
  part.notes = {kNotPublic, kRules, kTried};
  for (std::size_t s = 0; s < samples.size(); ++s) {
    const SwapSample& sample = samples[s];
    for (const std::string& note : sample.notes) part.notes.push_back(sample.title + ". " + note);
    const auto measured =
        measure_swaps(sample.title, first_columns(sample.records, columns), runs, threads);
    if (!measured) return fail(measured.error());
    part.tables.push_back(swap_table(*measured, columns == 2 ? kBeside[s]() : dataset_3()));
    check_swap_claims(*measured, part);
    if (columns == 2) {
      add_swap_figures(*measured, kBeside[s](), part);
      continue;
    }
    if (Status checked = check_third_column(*measured, sample.records, threads, part); !checked) {
      return fail(checked.error());
    }
  }
  return part;
}

// The first distinct records, each so many times.
Records repeated(const Records& records, std::size_t distinct, std::size_t times) {
  Records out;
  out.attributes = records.attributes;
  out.columns.resize(records.columns.size());
  std::set<std::vector<ConceptId>> seen;
  for (std::size_t row = 0; row < records.size() && seen.size() < distinct; ++row) {
    std::vector<ConceptId> tuple;
    tuple.reserve(records.columns.size());
    for (const auto& column : records.columns) tuple.push_back(column[row]);
    if (!seen.insert(tuple).second) continue;
    for (std::size_t j = 0; j < tuple.size(); ++j) {
      out.columns[j].insert(out.columns[j].end(), times, tuple[j]);
    }
  }
  return out;
}

Result<ReproducedPart> frequent_tuples(const SwapSample& sample, Runs& runs, unsigned threads) {
  struct Line {
    SwapPlace method;
    bool beyond;  // k + 1 of each record; else k
  };
  constexpr std::array kLines{Line{kDynamicPlace, true}, Line{kMultivariatePlace, true},
                              Line{kFixedPlace, true}, Line{kMultivariatePlace, false}};
  ReproducedPart part;
  part.title = "Rank swapping, Table 5 at k = 2: records more frequent than k";
  part.notes.push_back(
      fmt::format("{}: its first {} distinct records with three columns. A "
                  "record with more than k copies swaps with these alone; fixed still "
                  "crosses the borders between values.",
                  sample.title, kFrequentTuples));
  ReproducedTable table;
  table.title = fmt::format("RMSE, mean of the columns; average over {} keys", kSwapKeys);
  for (const double k : kIntervals) table.columns.push_back(fmt::format("k {}", k));
  std::array<bool, kLines.size()> zero{};
  zero.fill(true);
  for (std::size_t l = 0; l < kLines.size(); ++l) {
    ReproducedRow row;
    row.name = fmt::format("{}, each record k{} times", kSwapMethods[kLines[l].method].name,
                           kLines[l].beyond ? " + 1" : "");
    for (const double k : kIntervals) {
      const auto interval = static_cast<std::uint64_t>(k);
      const SwapBench bench(
          repeated(sample.records, kFrequentTuples, interval + (kLines[l].beyond ? 1 : 0)));
      const auto figures =
          bench.run_trials(kSwapMethods[kLines[l].method].algorithm, interval, kSwapKeys, threads);
      if (!figures) return fail(figures.error());
      zero[l] = zero[l] && figures->mean_rmse() == 0;
      row.ours.emplace_back(figures->mean_rmse());
      runs.done();
    }
    table.rows.push_back(std::move(row));
  }
  part.tables.push_back(std::move(table));
  const Claims claims("records more frequent than k", part);
  for (std::size_t l = 0; l < 2; ++l) {
    claims.add(fmt::format("{} changes nothing", kSwapMethods[kLines[l].method].name),
               {zero[l], zero[l] ? "RMSE 0 at every k" : "RMSE above 0"},
               "values moved: an error of the program");
  }
  return part;
}

}  // namespace

Result<std::vector<ReproducedPart>> swap(const ReproduceOptions& options) {
  if (Status there = data_is_there(options.data, swap_files(), "swap", ""); !there) {
    return fail(there.error());
  }
  const auto wanted = [&](SwapPart part) { return options.part.value_or(part) == part; };
  std::vector<SwapSample> samples;
  for (const auto sample :
       {named_animals, rare_animals, paired_animals, found_diseases, adult_families}) {
    auto made = sample(options);
    if (!made) return fail(made.error());
    samples.push_back(*std::move(made));
  }
  const std::size_t tables = samples.size() * kMethodRuns;
  Runs runs(options.work, "rank swapping",
            (wanted(kTwoColumns) ? tables : 0) + (wanted(kThreeColumns) ? tables : 0) +
                (wanted(kFrequent) ? 4 * kIntervals.size() : 0));
  std::vector<ReproducedPart> parts;
  for (const SwapPart number : {kTwoColumns, kThreeColumns}) {
    if (!wanted(number)) continue;
    auto part = swapped_tables(samples, number == kTwoColumns ? 2 : 3, runs, options.work.threads);
    if (!part) return fail(part.error());
    part->title = number == kTwoColumns
                      ? "Rank swapping, Tables 2-5 and figures 5-7: two columns, on public data"
                      : "Rank swapping, Table 6: three columns, on public data";
    parts.push_back(*std::move(part));
  }
  if (wanted(kFrequent)) {
    auto part = frequent_tuples(samples[kSyntheaSample], runs, options.work.threads);
    if (!part) return fail(part.error());
    parts.push_back(*std::move(part));
  }
  return parts;
}

}  // namespace semveil::reproduction
