// The framework's figures 6-8 and Table 5: noise beside distortions that know no meaning.
//
// The curves of noise are printed in its Tables 2-4, the means of all in Table 5; how far the
// baselines distort is a drawing alone. These have no alpha: their curves are level.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "reproduce/figures.h"
#include "reproduce/noise_correlated.h"

namespace semveil::reproduction {
namespace {

constexpr double kGrowthTolerance = 0.005;  // half a printed digit
constexpr double kLargely = 0.5;            // of the correlation before
constexpr double kTotally = 0.25;
constexpr std::size_t kStrongest = kAlphas.size() - 1;
static_assert(kAlphas[kStrongest] == 1);
constexpr const char* kNaive = "naive";
constexpr const char* kProbabilistic = "probabilistic";

// Table 5: naive, probabilistic, then noise at alpha 1 in the order of the methods.
constexpr std::array<std::array<double, 5>, 2> kPrintedShifts{
    {{0.20, 0.04, 0.20, 0.20, 0.20}, {0.27, 0, 0.18, 0.45, 0.45}}};

class Drawing {
 public:
  Drawing(const Pairs& pairs, const MeasuredNoise& measured, std::span<const NoiseMethod> methods,
          ReproducedPart& part)
      : pairs_(pairs), measured_(measured), methods_(methods), part_(part) {}

  void draw() const {
    for (std::size_t j = 0; j < 2; ++j) {
      const char letter = j == 0 ? 'A' : 'B';
      ReproducedFigure figure = figure_of(
          fmt::format("Figure {}: actual RMSE of {} by alpha. {}", 6 + j, letter, pairs_.title),
          fmt::format("RMSE of {} ({})", letter, name(j)),
          j == 0 ? &Printed::actual_a : &Printed::actual_b,
          [j](const Outcome& outcome) { return outcome.columns[j].rmse; });
      check_rmse(figure, j);
      part_.figures.push_back(std::move(figure));
    }
    ReproducedFigure figure =
        figure_of(fmt::format("Figure 8: sdCor by alpha. {}", pairs_.title),
                  fmt::format("sdCor(A*, B*); {:.3f} before", before()), &Printed::correlation,
                  [](const Outcome& outcome) { return outcome.correlation; });
    check_correlation(figure);
    part_.figures.push_back(std::move(figure));
    part_.tables.push_back(table_5());
    check_means(part_.tables.back().title);
  }

 private:
  const std::string& name(std::size_t column) const {
    return pairs_.records.attributes[column]->name;
  }
  double before() const { return measured_.original.correlation; }

  template <class OfOurs>
  ReproducedFigure figure_of(std::string title, std::string y, Figures Printed::* printed,
                             const OfOurs& ours) const {
    ReproducedFigure out;
    out.title = std::move(title);
    out.x = "alpha";
    out.y = std::move(y);
    for (const NoiseMethod& method : methods_) {
      if (method.printed) add_theirs(out, method.name, kAlphas, (*method.printed).*printed);
    }
    Figures figures{};
    for (std::size_t m = 0; m < methods_.size(); ++m) {
      for (std::size_t i = 0; i < figures.size(); ++i) {
        figures[i] = ours(measured_.noise[m][i].average);
      }
      add_ours(out, methods_[m].name, kAlphas, figures);
    }
    figures.fill(ours(measured_.naive.average));
    add_ours(out, kNaive, kAlphas, figures);
    figures.fill(ours(measured_.probabilistic.average));
    add_ours(out, kProbabilistic, kAlphas, figures);
    return out;
  }

  void check_rmse(const ReproducedFigure& figure, std::size_t column) const {
    const Reading read(figure, "alpha", kGrowthTolerance);
    const Claims claims(figure.title, part_);
    const std::string_view first = methods_[kUncorrelated].name;
    const std::string_view second = methods_[kMean].name;
    const std::string_view third = methods_[kThird].name;
    claims.add("the RMSE of every noise grows with alpha", read.grow({first, second, third}),
               "the taxonomy has no concept farther away for most of the larger errors");
    claims.add("every noise is below both baselines, even at alpha 1",
               read.below({first, second, third}, {kNaive, kProbabilistic}),
               "errors of alpha 1 ask for the farthest concepts of the taxonomy, the baselines "
               "take values of the column only, which lie closer to each other");
    std::array<double, kAlphas.size()> most{};
    for (std::size_t i = 0; i < kAlphas.size(); ++i) {
      most[i] = -1;
      for (std::size_t m = 0; m < methods_.size(); ++m) {
        const ColumnOutcome& outcome = measured_.noise[m][i].average.columns[column];
        most[i] = std::max(most[i], outcome.rmse - outcome.target_rmse);
      }
    }
    claims.add("actual RMSE is above the target most at the smallest alpha, least at 1",
               {std::ranges::max(most) == most.front() && std::ranges::min(most) == most.back(),
                "largest difference: " +
                    listed("alpha", kAlphas,
                           [&](std::size_t i) { return fmt::format("{:+.3f}", most[i]); })},
               "concepts lie in steps: an error of a middle size can miss its step by more than a "
               "small one, for which the next concept is near");
  }

  void check_correlation(const ReproducedFigure& figure) const {
    const Reading read(figure, "alpha", kGrowthTolerance);
    const Claims claims(figure.title, part_);
    for (const NoisePlace place : {kMean, kThird}) {
      const auto ahead = [&](std::size_t i) {
        return read.y(methods_[place].name)[i] - read.y(methods_[kUncorrelated].name)[i];
      };
      claims.add(
          fmt::format("{} is ahead of uncorrelated-mean, for large alpha above all",
                      methods_[place].name),
          {ahead(kStrongest) > 0 && ahead(kStrongest) > ahead(0),
           "ahead by: " + listed("alpha", kAlphas,
                                 [&](std::size_t i) { return fmt::format("{:+.3f}", ahead(i)); })},
          "what the reference saves of the correlation it saves at every alpha");
    }
    const auto left = [&](std::string_view method) { return read.y(method).front() / before(); };
    claims.add(fmt::format("the baselines break the correlation totally (at most {} of it is left)",
                           kTotally),
               {std::max(left(kNaive), left(kProbabilistic)) <= kTotally,
                fmt::format("before: {:.3f}; naive {:.3f}, probabilistic {:.3f}", before(),
                            read.y(kNaive).front(), read.y(kProbabilistic).front())},
               "sdCor of so few records is above 0 even where columns are independent, and was not "
               "large before");
    const std::vector<double>& third = read.y(methods_[kThird].name);
    claims.add(fmt::format("{} largely keeps the correlation up to alpha 0.5 (more than {} of it)",
                           methods_[kThird].name, kLargely),
               {std::ranges::min(std::span(third).first(kUsualAlphas)) > kLargely * before(),
                fmt::format("before: {:.3f}. {}", before(), read.shown(methods_[kThird].name))},
               "noise of this size moves values out of the classes that go together");
  }

  std::array<const Averages*, 5> strongest() const {
    return {&measured_.naive, &measured_.probabilistic, &measured_.noise[kUncorrelated][kStrongest],
            &measured_.noise[kMean][kStrongest], &measured_.noise[kThird][kStrongest]};
  }

  std::size_t categories(std::size_t column) const {
    const auto& cells = pairs_.records.columns[column];
    return std::set<ConceptId>(cells.begin(), cells.end()).size();
  }

  ReproducedTable table_5() const {
    ReproducedTable out;
    out.title = fmt::format(
        "Table 5: sd of the means after and before masking, noise at alpha 1. {}; {} and {} "
        "categories (paper: 17 and 19)",
        pairs_.title, categories(0), categories(1));
    out.columns = {kNaive, kProbabilistic};
    for (const NoiseMethod& method : methods_) out.columns.emplace_back(method.name);
    for (std::size_t j = 0; j < 2; ++j) {
      ReproducedRow row;
      row.name = j == 0 ? "A" : "B";
      row.theirs.assign(kPrintedShifts[j].begin(), kPrintedShifts[j].end());
      for (const Averages* method : strongest()) {
        row.ours.emplace_back(method->average.columns[j].mean_shift);
      }
      out.rows.push_back(std::move(row));
    }
    return out;
  }

  // Beyond two standard errors of the difference.
  static bool keeps_mean_better(const Averages& a, const Averages& b, std::size_t column) {
    const double of_a = a.mean_shift_error[column];
    const double of_b = b.mean_shift_error[column];
    const double error = std::sqrt(of_a * of_a + of_b * of_b);
    return b.average.columns[column].mean_shift - a.average.columns[column].mean_shift > 2 * error;
  }

  std::string why_still() const {
    std::array<double, 2> most{};  // of the baselines, of noise
    for (std::size_t i = 0; i < strongest().size(); ++i) {
      for (const ColumnOutcome& column : strongest()[i]->average.columns) {
        most[i < 2 ? 0 : 1] = std::max(most[i < 2 ? 0 : 1], column.mean_shift);
      }
    }
    return fmt::format(
        "the means hardly move: by {:.3f} at most with the baselines, by {:.3f} with "
        "noise",
        most[0], most[1]);
  }

  void check_means(const std::string& title) const {
    const Claims claims(title, part_);
    std::string cases;
    std::size_t of = 0;
    std::size_t worse = 0;
    for (std::size_t j = 0; j < 2; ++j) {
      for (std::size_t b = 0; b < 2; ++b) {
        for (std::size_t m = 0; m < methods_.size(); ++m, ++of) {
          const Averages& baseline = *strongest()[b];
          const Averages& noise = *strongest()[2 + m];
          worse += keeps_mean_better(noise, baseline, j) ? 1 : 0;
          if (!keeps_mean_better(baseline, noise, j)) continue;
          cases += fmt::format("{}{}: {} {:.3f}, {} {:.3f}", cases.empty() ? "" : "; ",
                               j == 0 ? 'A' : 'B', b == 0 ? kNaive : kProbabilistic,
                               baseline.average.columns[j].mean_shift, methods_[m].name,
                               noise.average.columns[j].mean_shift);
        }
      }
    }
    claims.add("a baseline keeps a mean better than noise of alpha 1 in some cases",
               {!cases.empty(), cases.empty() ? "no case" : cases}, why_still());
    const double share = static_cast<double>(worse) / static_cast<double>(of);
    if (pairs_.fine_grained) {
      claims.add(
          "with many categories, unevenly frequent, the baselines keep the means worse than noise "
          "(in more than half of the cases)",
          {share > 0.5, fmt::format("worse in {} of {} cases", worse, of)}, why_still());
    }
    const auto shift = [&](const Averages& of_alpha) {
      return of_alpha.average.columns[0].mean_shift + of_alpha.average.columns[1].mean_shift;
    };
    Verdict small{true, ""};
    for (std::size_t m = 0; m < methods_.size(); ++m) {
      const double weakest = shift(measured_.noise[m].front());
      const double at_1 = shift(measured_.noise[m][kStrongest]);
      small.holds = small.holds && weakest <= at_1 + kGrowthTolerance;
      small.figures += fmt::format("{}{}: {:.3f} and {:.3f}", m == 0 ? "" : "; ", methods_[m].name,
                                   weakest, at_1);
    }
    claims.add(
        "the means are kept best where noise is small: alpha 0.1 moves them no farther than "
        "alpha 1 (both columns)",
        std::move(small), "the mean moves to a neighbour at once and stays there");
  }

  const Pairs& pairs_;
  const MeasuredNoise& measured_;
  std::span<const NoiseMethod> methods_;
  ReproducedPart& part_;
};

}  // namespace

void add_noise_figures(const Pairs& pairs, const MeasuredNoise& measured,
                       std::span<const NoiseMethod> methods, ReproducedPart& part) {
  Drawing(pairs, measured, methods, part).draw();
}

}  // namespace semveil::reproduction
