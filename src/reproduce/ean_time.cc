// How long additive noise takes, beside the seconds that the EAN paper prints.
//
// Timed is what the paper's Algorithm 3 does with records that are in memory: their sets are drawn
// and shuffled by the fitted plan, without figures, and written as text, values separated by "|".
// Reading the file, fitting the plan and other columns are left out. Each time is the least of
// several runs, which take turns, so that a slow moment of the machine falls on all alike.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "reproduce/ean_data.h"
#include "reproduce/figures.h"

namespace semveil::reproduction {
namespace {

constexpr unsigned kSetTimes = 15;

struct TimedSets {  // one measured case: the seconds printed of it
  std::size_t records;
  unsigned l;
  double an, ean;
};
constexpr std::array kBySize{TimedSets{5'000, 5, 0.13, 0.18},  TimedSets{10'000, 5, 0.22, 0.30},
                             TimedSets{15'000, 5, 0.32, 0.46}, TimedSets{20'000, 5, 0.42, 0.61},
                             TimedSets{25'000, 5, 0.53, 0.76}, TimedSets{30'000, 5, 0.63, 0.90}};
constexpr std::array kByL{TimedSets{20'000, 3, 0.32, 0.42}, TimedSets{20'000, 5, 0.42, 0.61},
                          TimedSets{20'000, 7, 0.61, 0.80}, TimedSets{20'000, 10, 0.95, 1.10}};

struct Seconds {
  double an = std::numeric_limits<double>::infinity();
  double ean = std::numeric_limits<double>::infinity();
};

void write_sets(const Attribute& attribute, std::span<const ConceptId> sets, std::size_t l,
                std::string& out) {
  out.clear();
  for (std::size_t i = 0; i < sets.size(); ++i) {
    out += attribute.id(sets[i]);
    out += (i + 1) % l == 0 ? '\n' : '|';
  }
}

// A method's plan for one l, and the text that it wrote last.
class Stopwatch {
 public:
  static Result<Stopwatch> make(SetMethod method, unsigned l, const FrequencyTable& table) {
    auto plan = fit_sets(method, l, table, 0);
    if (!plan) return fail(plan.error());
    return Stopwatch(*std::move(plan), l);
  }
  double seconds(std::span<const ConceptId> cells, const std::function<double()>& clock) {
    const double start = clock();
    const std::vector<ConceptId> sets = sets_of(*plan_, cells);
    write_sets(*plan_->attributes().front(), sets, l_, text_);
    return clock() - start;
  }

 private:
  Stopwatch(std::unique_ptr<const FittedMethod> plan, unsigned l) : plan_(std::move(plan)), l_(l) {}

  std::unique_ptr<const FittedMethod> plan_;
  unsigned l_;
  std::string text_;
};

Result<std::vector<Seconds>> measure(std::span<const TimedSets> cases, const Records& records,
                                     const FrequencyTable& table,
                                     const std::function<double()>& clock, Runs& runs) {
  std::vector<Stopwatch> an;
  std::vector<Stopwatch> ean;
  for (const TimedSets& timed : cases) {
    auto of_an = Stopwatch::make(kAdditive, timed.l, table);
    if (!of_an) return fail(of_an.error());
    an.push_back(*std::move(of_an));
    auto of_ean = Stopwatch::make(kEanUniform, timed.l, table);
    if (!of_ean) return fail(of_ean.error());
    ean.push_back(*std::move(of_ean));
  }
  std::vector<Seconds> best(cases.size());
  for (unsigned time = 0; time < kSetTimes; ++time) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const auto cells = std::span(records.columns.front())
                             .first(std::min(cases[i].records, records.columns.front().size()));
      best[i].an = std::min(best[i].an, an[i].seconds(cells, clock));
      best[i].ean = std::min(best[i].ean, ean[i].seconds(cells, clock));
      runs.done();
    }
  }
  return best;
}

double more(double an, double ean) { return an > 0 ? 100 * (ean / an - 1) : 0; }
ReproducedCell ratio(double theirs, double ours) {
  return ours > 0 ? ReproducedCell(theirs / ours) : ReproducedCell();
}

ReproducedTable time_table(std::string title, std::span<const TimedSets> cases,
                           std::span<const Seconds> ours, bool by_size) {
  ReproducedTable out;
  out.title = std::move(title);
  out.columns = {"AN ms", "EAN ms", "EAN more %", "AN theirs/ours", "EAN theirs/ours"};
  out.printed_digits = 1;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const TimedSets& timed = cases[i];
    ReproducedRow row;
    row.name = by_size ? fmt::format("{} records", timed.records) : fmt::format("l {}", timed.l);
    row.theirs = {kMilliseconds * timed.an, kMilliseconds * timed.ean, more(timed.an, timed.ean),
                  ReproducedCell(), ReproducedCell()};
    row.ours.resize(out.columns.size());
    if (!ours.empty()) {
      row.ours = {kMilliseconds * ours[i].an, kMilliseconds * ours[i].ean,
                  more(ours[i].an, ours[i].ean), ratio(timed.an, ours[i].an),
                  ratio(timed.ean, ours[i].ean)};
    }
    out.rows.push_back(std::move(row));
  }
  return out;
}

ReproducedFigure time_figure(std::string title, std::span<const TimedSets> cases,
                             std::span<const Seconds> ours, bool by_size) {
  ReproducedFigure out;
  out.title = std::move(title);
  out.x = by_size ? "records" : "l";
  out.y = "milliseconds";
  std::vector<double> x;
  std::array<std::vector<double>, 4> times;  // AN and EAN: theirs, ours
  for (std::size_t i = 0; i < cases.size(); ++i) {
    x.push_back(by_size ? static_cast<double>(cases[i].records) : cases[i].l);
    times[0].push_back(kMilliseconds * cases[i].an);
    times[1].push_back(kMilliseconds * cases[i].ean);
    times[2].push_back(kMilliseconds * ours[i].an);
    times[3].push_back(kMilliseconds * ours[i].ean);
  }
  add_theirs(out, "AN", x, times[0]);
  add_theirs(out, "EAN", x, times[1]);
  add_ours(out, "AN", x, times[2]);
  add_ours(out, "EAN", x, times[3]);
  return out;
}

std::string milliseconds(std::span<const Seconds> ours, double Seconds::* which) {
  std::string out;
  for (const Seconds& of : ours) {
    out += fmt::format("{}{:.3f}", out.empty() ? "" : ", ", kMilliseconds * (of.*which));
  }
  return out + " ms";
}

Verdict grows(std::span<const Seconds> ours) {
  Verdict out{true, ""};
  for (std::size_t i = 1; i < ours.size(); ++i) {
    out.holds = out.holds && ours[i].an > ours[i - 1].an && ours[i].ean > ours[i - 1].ean;
  }
  out.figures =
      "AN " + milliseconds(ours, &Seconds::an) + "; EAN " + milliseconds(ours, &Seconds::ean);
  return out;
}

Verdict ean_is_slower(std::span<const Seconds> ours) {
  Verdict out{true, ""};
  double sum = 0;
  for (const Seconds& of : ours) {
    out.holds = out.holds && of.ean > of.an;
    sum += more(of.an, of.ean);
  }
  out.figures = fmt::format("EAN beside AN: {:+.1f} % on the average",
                            sum / static_cast<double>(ours.size()));
  return out;
}

void check(const char* figure, const char* parameter, const char* printed,
           std::span<const Seconds> ours, ReproducedPart& part) {
  const Claims claims(figure, part);
  claims.add(fmt::format("the time grows with {}", parameter), grows(ours),
             "the times are too short to tell, or something else ran");
  claims.add(fmt::format("EAN takes longer than AN (printed: {} % on the average)", printed),
             ean_is_slower(ours),
             "a value out of each category is no more work than as many different values: who must "
             "not repeat a value has to look at those he has");
}

}  // namespace

std::uint64_t timed_runs(const ReproduceOptions& options) {
  return options.clock ? kSetTimes * (kBySize.size() + kByL.size()) : 0;
}

Result<ReproducedPart> sets_timed(const ReproduceOptions& options, const Records& records,
                                  Runs& runs) {
  ReproducedPart part;
  part.title = "Enhanced additive noise: time";
  part.notes = {
      "Ours: the sets of records in memory, drawn by the fitted plan on one thread and written as "
      "text, without reading the file, fitting or other columns; the least of 15 runs. Theirs: C# "
      "on 2.8 GHz, and what is timed is not said. The seconds are no claim, machines differ."};
  std::vector<Seconds> by_size;
  std::vector<Seconds> by_l;
  if (options.clock) {
    const FrequencyTable table = count(records);
    auto sizes = measure(kBySize, records, table, options.clock, runs);
    if (!sizes) return fail(sizes.error());
    auto ls = measure(kByL, records, table, options.clock, runs);
    if (!ls) return fail(ls.error());
    by_size = *std::move(sizes);
    by_l = *std::move(ls);
  } else {
    part.notes.emplace_back("No clock was given: nothing is timed.");
  }
  part.tables = {time_table("Figure 2: Adult, l = 5", kBySize, by_size, true),
                 time_table("Figure 3: Adult, 20,000 records", kByL, by_l, false)};
  if (options.clock) {
    part.figures = {time_figure("Figure 2: time by records, l = 5", kBySize, by_size, true),
                    time_figure("Figure 3: time by l, 20,000 records", kByL, by_l, false)};
    check("Figure 2", "the number of records", "41.6", by_size, part);
    check("Figure 3", "l", "30.8", by_l, part);
  }
  return part;
}

}  // namespace semveil::reproduction
