#include "mechanisms/channel/channel_joint.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "mechanisms/channel/bivariate.h"
#include "mechanisms/noise/noise_spread.h"

namespace semveil {
namespace {

constexpr std::size_t kMostClasses = 20'000;
constexpr double kMostTable = 2e7;  // numbers kept at a time

// Σ over released tuples of what the risk is made of.
struct JointSum {
  double vulnerability = 0, expected = 0, worst = 0;
  void add(const JointSum& other) {
    vulnerability += other.vulnerability;
    expected += other.expected;
    worst = std::max(worst, other.worst);
  }
};

// The classes of the last column, given those of the others: what each tuple contributes to each.
class LastColumn {
 public:
  explicit LastColumn(const JointColumn& column)
      : column_(column), sum_(column.classes()), best_(column.classes()) {}

  // for_each_tuple(use): use(row) for each tuple, with p · P(… z | x) by class.
  template <class ForEachTuple>
  JointSum sum(double size, const ForEachTuple& for_each_tuple) {
    std::fill(sum_.begin(), sum_.end(), 0.0);
    std::fill(best_.begin(), best_.end(), 0.0);
    for_each_tuple([&](const double* row) {
      for (std::size_t c = 0; c < sum_.size(); ++c) {
        sum_[c] += row[c];
        best_[c] = std::max(best_[c], row[c]);
      }
    });
    JointSum out;
    for (std::size_t c = 0; c < sum_.size(); ++c) {
      out.vulnerability += size * column_.size(c) * best_[c];
      if (sum_[c] > 0) out.worst = std::max(out.worst, std::min(1.0, best_[c] / sum_[c]));
      sum_[c] = sum_[c] > 0 ? size * column_.size(c) / sum_[c] : 0;
    }
    for_each_tuple([&](const double* row) {
      for (std::size_t c = 0; c < sum_.size(); ++c) out.expected += row[c] * row[c] * sum_[c];
    });
    return out;
  }

 private:
  const JointColumn& column_;
  std::vector<double> sum_, best_;  // by class
};

// ---- Independent errors -------------------------------------------------------------------------

class IndependentColumns {
 public:
  IndependentColumns(const NoiseModel& model, const JointTuples& tuples,
                     const std::vector<JointColumn>& columns)
      : tuples_(tuples), columns_(columns) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      tables_.push_back(table(columns[j], spread_of(model, tuples.columns[j])));
    }
  }

  ChannelRisk run(unsigned threads) const {
    std::vector<Alive> all;
    for (std::size_t t = 0; t < tuples_.size(); ++t) all.push_back({t, tuples_.shares[t]});
    std::vector<JointSum> parts(columns_[0].classes());
    in_parallel(threads, parts.size(), [&](std::size_t c) {
      LastColumn last(columns_.back());
      std::vector<double> row(columns_.back().classes());
      walk(1, led_to(all, 0, c), columns_[0].size(c), last, row, parts[c]);
    });
    JointSum sum;
    for (const JointSum& part : parts) sum.add(part);
    ChannelRisk out;
    out.vulnerability = sum.vulnerability;
    out.expected = sum.expected;
    out.worst = sum.worst;
    for (std::size_t t = 0; t < tuples_.size(); ++t) {
      double stays = tuples_.shares[t];
      for (std::size_t j = 0; j < columns_.size(); ++j) {
        const std::size_t s = columns_[j].source(t);
        const std::uint32_t c = columns_[j].class_of(columns_[j].value(s));
        stays *= c == JointColumn::kNone ? 0 : row_of(j, s)[c];
      }
      out.unchanged += stays;
    }
    return out;
  }

 private:
  struct Alive {  // a tuple that the classes so far are possible for
    std::size_t tuple;
    double weight;
  };

  static std::vector<double> table(const JointColumn& column, const ErrorSpread& spread) {
    std::vector<double> out(column.sources() * column.classes());
    for (std::size_t s = 0; s < column.sources(); ++s) {
      std::vector<double> each;
      for (const JointColumn::Step& step : column.steps(s)) {
        each.push_back(spread.between(step.from, step.to) / step.count);
      }
      for (std::size_t c = 0; c < column.classes(); ++c) {
        const JointColumn::Ways ways = column.ways(s, c);
        for (const std::uint32_t step : {ways.down, ways.up}) {
          if (step != JointColumn::kNone) out[s * column.classes() + c] += each[step];
        }
      }
    }
    return out;
  }
  const double* row_of(std::size_t j, std::size_t source) const {
    return tables_[j].data() + source * columns_[j].classes();
  }

  std::vector<Alive> led_to(const std::vector<Alive>& alive, std::size_t j, std::size_t c) const {
    std::vector<Alive> out;
    for (const Alive& of : alive) {
      const double weight = of.weight * row_of(j, columns_[j].source(of.tuple))[c];
      if (weight > 0) out.push_back({of.tuple, weight});
    }
    return out;
  }

  void walk(std::size_t j, const std::vector<Alive>& alive, double size, LastColumn& last,
            std::vector<double>& row, JointSum& sum) const {
    if (alive.empty()) return;
    if (j + 1 < columns_.size()) {
      for (std::size_t c = 0; c < columns_[j].classes(); ++c) {
        walk(j + 1, led_to(alive, j, c), size * columns_[j].size(c), last, row, sum);
      }
      return;
    }
    sum.add(last.sum(size, [&](const auto& use) {
      for (const Alive& of : alive) {
        const double* const p = row_of(j, columns_[j].source(of.tuple));
        for (std::size_t c = 0; c < row.size(); ++c) row[c] = of.weight * p[c];
        use(row.data());
      }
    }));
  }

  const JointTuples& tuples_;
  const std::vector<JointColumn>& columns_;
  std::vector<std::vector<double>> tables_;  // P(z | source) by source and class
};

// ---- Two columns of correlated errors -----------------------------------------------------------

struct Correlation {
  double deviation[2];
  double value;
};

Correlation correlation_of(const NoiseModel& model, std::size_t a, std::size_t b) {
  const std::size_t width = model.columns.size();
  double covariance = 0;
  for (std::size_t k = 0; k < width; ++k) {
    covariance += model.root[a * width + k] * model.root[b * width + k];
  }
  const double of_a = deviation_of(model, a), of_b = deviation_of(model, b);
  if (of_a == 0 || of_b == 0) return {{of_a, of_b}, 0};
  return {{of_a, of_b}, std::clamp(covariance / (of_a * of_b), -1.0, 1.0)};
}

// All edges between steps of a column, in deviations.
std::vector<double> all_edges(const JointColumn& column, double deviation, double farthest) {
  std::vector<double> edges;
  for (std::size_t s = 0; s < column.sources(); ++s) {
    for (const JointColumn::Step& step : column.steps(s)) {
      edges.push_back(std::clamp(step.from / deviation, -farthest, farthest));
      edges.push_back(std::clamp(step.to / deviation, -farthest, farthest));
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

class CorrelatedPair {
 public:
  CorrelatedPair(const NoiseModel& model, const JointTuples& tuples,
                 const std::vector<JointColumn>& columns)
      : tuples_(tuples),
        columns_(columns),
        correlation_(correlation_of(model, tuples.columns[0], tuples.columns[1])) {
    const double greatest = greatest_deviate(NoiseDistribution::kNormal);
    // The second column's errors are made of two deviates.
    for (std::size_t j = 0; j < 2; ++j) {
      edges_[j] =
          all_edges(columns[j], correlation_.deviation[j], j == 0 ? greatest : 2 * greatest);
    }
  }

  bool affordable() const {
    const auto x = static_cast<double>(edges_[0].size()), y = static_cast<double>(edges_[1].size());
    const auto tuples = static_cast<double>(tuples_.size());
    const auto down = static_cast<double>(columns_[0].most_steps());
    const auto across = static_cast<double>(columns_[1].most_steps());
    return x * y <= kMostTable && tuples * down * across <= kMostTable &&
           tuples * down * y + x * y * static_cast<double>(columns_[0].sources()) <=
               kMostJointWork &&
           10 * y * bivariate_panels(edges_[0].size(), edges_[1].size(), correlation_.value) <=
               kMostJointWork;
  }

  ChannelRisk run(unsigned threads) {
    integrate(threads);
    std::vector<JointSum> parts(columns_[0].classes());
    in_parallel(threads, parts.size(), [&](std::size_t c) {
      LastColumn last(columns_[1]);
      std::vector<double> row(columns_[1].classes()), by_step;
      parts[c] = last.sum(columns_[0].size(c), [&](const auto& use) {
        for (std::size_t t = 0; t < tuples_.size(); ++t) {
          if (fill(t, columns_[0].ways(columns_[0].source(t), c), by_step, row)) use(row.data());
        }
      });
    });
    JointSum sum;
    for (const JointSum& part : parts) sum.add(part);
    ChannelRisk out;
    out.vulnerability = sum.vulnerability;
    out.expected = sum.expected;
    out.worst = sum.worst;
    out.unchanged = unchanged();
    return out;
  }

 private:
  // Which cells of the grid each step of a source is made of: its first; one more at the end.
  std::vector<std::size_t> cells_of(std::size_t j, std::size_t source) const {
    const std::vector<double>& edges = edges_[j];
    std::vector<std::size_t> out;
    for (const JointColumn::Step& step : columns_[j].steps(source)) {
      const double from =
          std::clamp(step.from / correlation_.deviation[j], edges.front(), edges.back());
      out.push_back(static_cast<std::size_t>(std::lower_bound(edges.begin(), edges.end(), from) -
                                             edges.begin()));
    }
    out.push_back(edges.size() - 1);
    return out;
  }

  // Rectangles of every tuple: sums of cells, so that nothing is lost by differences.
  void integrate(unsigned threads) {
    const std::vector<double> grid = bivariate_grid(edges_[0], edges_[1], correlation_.value);
    const std::size_t across = edges_[1].size() - 1;
    std::size_t numbers = 0;
    std::vector<std::vector<std::size_t>> of_source(columns_[0].sources());  // tuples
    for (std::size_t t = 0; t < tuples_.size(); ++t) {
      of_source[columns_[0].source(t)].push_back(t);
      begin_.push_back(numbers);
      numbers += columns_[0].steps(columns_[0].source(t)).size() *
                 columns_[1].steps(columns_[1].source(t)).size();
    }
    rectangles_.assign(numbers, 0);
    in_parallel(threads, of_source.size(), [&](std::size_t s) {
      const std::vector<std::size_t> rows = cells_of(0, s);
      const std::size_t steps = rows.size() - 1;
      std::vector<double> strips(steps * across);
      for (std::size_t i = 0; i < steps; ++i) {
        for (std::size_t x = rows[i]; x < rows[i + 1]; ++x) {
          for (std::size_t y = 0; y < across; ++y) {
            strips[i * across + y] += grid[x * across + y];
          }
        }
      }
      for (const std::size_t t : of_source[s]) {
        const std::size_t other = columns_[1].source(t);
        const std::vector<std::size_t> columns = cells_of(1, other);
        double* out = rectangles_.data() + begin_[t];
        for (std::size_t i = 0; i < steps; ++i) {
          for (std::size_t k = 0; k + 1 < columns.size(); ++k) {
            double sum = 0;
            for (std::size_t y = columns[k]; y < columns[k + 1]; ++y) sum += strips[i * across + y];
            *out++ = sum / (static_cast<double>(columns_[0].steps(s)[i].count) *
                            columns_[1].steps(other)[k].count);
          }
        }
      }
    });
  }

  // P(step i of column 0 and step k of column 1), shared by the values of both.
  double rectangle(std::size_t t, std::uint32_t i, std::uint32_t k) const {
    const std::size_t across = columns_[1].steps(columns_[1].source(t)).size();
    return rectangles_[begin_[t] + i * across + k];
  }

  // p · P(z | tuple) for the classes of column 1. False: column 0's class is impossible.
  bool fill(std::size_t t, JointColumn::Ways ways, std::vector<double>& by_step,
            std::vector<double>& row) const {
    constexpr std::uint32_t kNone = JointColumn::kNone;
    if (ways.down == kNone && ways.up == kNone) return false;
    const std::size_t source = columns_[1].source(t);
    by_step.assign(columns_[1].steps(source).size(), 0);
    for (const std::uint32_t i : {ways.down, ways.up}) {
      for (std::uint32_t k = 0; k < by_step.size() && i != kNone; ++k) {
        by_step[k] += tuples_.shares[t] * rectangle(t, i, k);
      }
    }
    for (std::size_t c = 0; c < row.size(); ++c) {
      const JointColumn::Ways to = columns_[1].ways(source, c);
      row[c] = (to.down != kNone ? by_step[to.down] : 0) + (to.up != kNone ? by_step[to.up] : 0);
    }
    return true;
  }

  double unchanged() const {
    double out = 0;
    std::vector<double> row(columns_[1].classes()), by_step;
    for (std::size_t t = 0; t < tuples_.size(); ++t) {
      const std::size_t a = columns_[0].source(t), b = columns_[1].source(t);
      const std::uint32_t of_a = columns_[0].class_of(columns_[0].value(a));
      const std::uint32_t of_b = columns_[1].class_of(columns_[1].value(b));
      if (of_a == JointColumn::kNone || of_b == JointColumn::kNone) continue;
      if (fill(t, columns_[0].ways(a, of_a), by_step, row)) out += row[of_b];
    }
    return out;
  }

  const JointTuples& tuples_;
  const std::vector<JointColumn>& columns_;
  Correlation correlation_;
  std::vector<double> edges_[2];
  std::vector<double> rectangles_;  // by tuple, step, step
  std::vector<std::size_t> begin_;  // by tuple
};

bool has_correlation(const NoiseModel& model, const std::vector<std::size_t>& columns) {
  for (const std::size_t a : columns) {
    for (const std::size_t b : columns) {
      if (a < b && correlation_of(model, a, b).value != 0) return true;
    }
  }
  return false;
}

}  // namespace

std::optional<ChannelRisk> exact_joint_risk(const NoiseLines& lines, const FrequencyTable& table,
                                            const JointTuples& tuples,
                                            const ChannelOptions& options) {
  const bool correlated = has_correlation(lines.model(), tuples.columns);
  if (correlated && tuples.columns.size() != 2) return std::nullopt;
  std::vector<JointColumn> columns;
  double work = static_cast<double>(tuples.size());
  for (std::size_t j = 0; j < tuples.columns.size(); ++j) {
    JointColumn& column = columns.emplace_back(lines, table, tuples, j);
    const auto most = static_cast<std::size_t>(
        std::min({double{kMostClasses}, kMostJointWork / work,
                  kMostTable / static_cast<double>(std::max<std::size_t>(1, column.sources()))}));
    if (!column.make_classes(most)) return std::nullopt;
    work *= static_cast<double>(column.classes());
  }
  ChannelRisk out;
  if (tuples.size() > 0 && correlated) {
    CorrelatedPair pair(lines.model(), tuples, columns);
    if (!pair.affordable()) return std::nullopt;
    out = pair.run(options.threads);
  } else if (tuples.size() > 0) {
    out = IndependentColumns(lines.model(), tuples, columns).run(options.threads);
  }
  finish_joint(table, tuples, out);
  return out;
}

}  // namespace semveil
