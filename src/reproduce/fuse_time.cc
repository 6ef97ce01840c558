// Part 9 of `fuse`: how long fusion takes, by k (thesis figure 15, MDAI figure 4).
//
// Timed is the fit on a counted table: the distances of all pairs of values and the fusion, on one
// thread; and the distances alone, which the papers give beside it. Each time is the least of
// several runs that take turns, so that a slow moment of the machine falls on all alike. The
// drawings are not read off: the papers' texts give the ends of their ranges.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "reproduce/figures.h"
#include "reproduce/forerunners.h"

namespace semveil::reproduction {
namespace {

constexpr unsigned kFuseTimes = 7;
constexpr double kNever = std::numeric_limits<double>::infinity();

struct TimedFusion {
  const char* name;
  double theirs_least, theirs_most, theirs_distances;  // seconds
  FrequencyTable table;
  CurveOverK seconds{};
  double distances = kNever;
};

Status time_once(TimedFusion& timed, const std::function<double()>& clock, Runs& runs) {
  const double start = clock();
  for (const FrequencyColumn& column : timed.table.columns) {
    (void)column.attribute->measure->among(column.values.values);
  }
  timed.distances = std::min(timed.distances, clock() - start);
  for (std::size_t i = 0; i < kFuseKs.size(); ++i) {
    const auto fuse = make_fuse({.k = static_cast<std::uint64_t>(kFuseKs[i])});
    const double before = clock();
    const auto plan = fuse->fit(timed.table, trial_key(0));
    if (!plan) return fail(plan.error());
    timed.seconds[i] = std::min(timed.seconds[i], clock() - before);
    runs.done();
  }
  return {};
}

void add_times(const TimedFusion& timed, ReproducedPart& part, ReproducedFigure& figure) {
  ReproducedTable table = table_over_k(fmt::format(
      "{}: milliseconds; theirs: {} to {} s, and {:.2f} minutes for the similarities of "
      "all pairs of values",
      timed.name, timed.theirs_least, timed.theirs_most, timed.theirs_distances / 60));
  CurveOverK milliseconds{};
  for (std::size_t i = 0; i < milliseconds.size(); ++i) {
    milliseconds[i] = kMilliseconds * timed.seconds[i];
  }
  table.rows.push_back(curve_row("fusion and distances", milliseconds));
  part.tables.push_back(std::move(table));
  add_ours(figure, timed.name, kFuseKs, milliseconds);

  const Claims claims(timed.name, part);
  claims.add("the time grows with k",
             {milliseconds.back() > milliseconds.front(), shown(milliseconds) + " ms"},
             "the times are too short to tell, or something else ran");
  claims.add(fmt::format("hundreds of records are masked within seconds (theirs: at most {} s)",
                         timed.theirs_most),
             {std::ranges::max(milliseconds) < kMilliseconds * timed.theirs_most,
              shown(milliseconds) + " ms"},
             "the machine is busy");
  claims.add("the similarities of all pairs cost more than the fusion",
             {kMilliseconds * timed.distances > std::ranges::max(milliseconds) / 2,
              fmt::format("{:.3f} ms of at most {:.3f} ms in all", kMilliseconds * timed.distances,
                          std::ranges::max(milliseconds))},
             "distances from one concept to all are one sweep over the taxonomy here, not a search "
             "in WordNet's files for each pair");
}

}  // namespace

std::uint64_t timed_fusions(const ReproduceOptions& options) {
  return options.clock ? 2 * kFuseTimes * kFuseKs.size() : 0;
}

Result<ReproducedPart> fusion_timed(const ReproduceOptions& options, Runs& runs) {
  ReproducedPart part;
  part.title = "k-anonymous fusion: run time by k (thesis figure 15, MDAI figure 4)";
  part.notes = {
      "Ours: the fit on a counted table, distances of values included, on one thread; the least of "
      "7 runs. Theirs: Java on 2.4 GHz. The seconds are no claim, machines differ."};
  if (!options.clock) {
    part.notes.emplace_back("No clock was given: nothing is timed.");
    return part;
  }
  const auto wordnet = SurveySpace::wordnet(options);
  if (!wordnet) return fail(wordnet.error());
  const auto space = wordnet->measured_by(kThesisWuPalmer);
  if (!space) return fail(space.error());
  Records one;
  one.attributes = {space->first_reason()};
  one.columns.emplace_back();
  const Answers answers = draw_answers(*space, 1);
  for (std::size_t i = 0; i < answers.values.size(); ++i) {
    one.columns[0].insert(one.columns[0].end(), answers.counts[i], answers.values[i]);
  }
  constexpr double kMinute = 60;
  std::array<TimedFusion, 2> both{
      TimedFusion{"Thesis figure 15", 1.2, 1.6, 6.33 * kMinute, space->table(draw_survey(1))},
      TimedFusion{"MDAI figure 4", 0.7, 1.3, 2.24 * kMinute, count(one)}};
  for (TimedFusion& timed : both) timed.seconds.fill(kNever);
  for (unsigned time = 0; time < kFuseTimes; ++time) {
    for (TimedFusion& timed : both) {
      if (Status done = time_once(timed, options.clock, runs); !done) return fail(done.error());
    }
  }
  ReproducedFigure figure;
  figure.title = "Run time by k";
  figure.x = "k";
  figure.y = "milliseconds";
  for (const TimedFusion& timed : both) add_times(timed, part, figure);
  part.figures.push_back(std::move(figure));
  return part;
}

}  // namespace semveil::reproduction
