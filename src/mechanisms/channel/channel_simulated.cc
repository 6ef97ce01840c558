// Several columns of noise together where the sum over all releases is too long, or where errors of
// three or more columns are correlated: records and errors are drawn with a fixed key.
//
// Independent errors: P(z | t) is known for every tuple t, so a drawn release z tells max_t P(t |
// z) exactly. Its mean over n draws is the vulnerability without bias; the interval is ±2.58
// standard errors.
//
// Correlated errors: P(z | t) is an integral over as many dimensions as columns. With R the errors'
// correlations and λ the least eigenvalue of R, R = λ I + A Aᵀ, so that
//
//   ε_j = σ_j (√λ e_j + (A w)_j),     e and w standard normal
//
// and given w errors are independent: P(z | t, w) is a product. With m vectors w the channel
// P̂(z | t) = (1/m) Σ_i P(z | t, w_i) is an unbiased estimate of P(z | t), and is a channel itself,
// from which one can draw and whose posteriors are known. Then
//
//   above   V(P̂) = Σ_z max_t p(t) P̂(z | t). A maximum of estimates is on average at least the
//           maximum of what they estimate: E V(P̂) ≥ V. Each of kBatches batches of w gives one
//           estimate; the interval's upper end is their mean + 3.50 standard errors (Student, 7
//           degrees of freedom, 99.5 %).
//   below   guess by P̂ what the tuples of newly drawn records of the true channel are. No way of
//           guessing is right more often than V; the lower end is the share of right guesses − 2.58
//           standard errors (99.5 %).
//
// Both together hold with 99 %. `vulnerability` is the middle, `half_width` half of what lies
// between. `expected` is the mean posterior by P̂ of the drawn records' own tuples, `worst` the
// greatest seen: an estimate and a lower bound.
//
// Cost:    O(draws · tuples · columns · m), at most kMostJointWork: fewer draws are made of more
//          tuples.
// Choice:  batches have draws of their own, and are added in order: the same bits for any threads.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>

#include "base/deviates.h"
#include "base/parallel.h"
#include "mechanisms/channel/channel_joint.h"
#include "mechanisms/channel/fixed_draws.h"
#include "mechanisms/noise/noise_spread.h"

namespace semveil {
namespace {

// As kNormalQuantile, with kBatches − 1 degrees of freedom.
constexpr double kStudentQuantile = 3.4995;
constexpr std::size_t kLeastVectors = 16, kMostVectors = 256;
constexpr double kMostNumbers = 2e7;  // kept at a time
constexpr std::size_t kLeastDraws = 400;

// The errors of the columns as a common part and parts of their own.
struct Factors {
  std::vector<double> deviations;
  std::vector<double> common;  // A, row by row
  double own = 1;              // √λ
  bool independent = true;

  Factors(const NoiseModel& model, const std::vector<std::size_t>& columns) {
    const auto size = static_cast<Eigen::Index>(columns.size());
    const std::size_t width = model.columns.size();
    Eigen::MatrixXd r = Eigen::MatrixXd::Identity(size, size);
    for (const std::size_t j : columns) deviations.push_back(deviation_of(model, j));
    for (std::size_t a = 0; a < columns.size(); ++a) {
      for (std::size_t b = 0; b < columns.size(); ++b) {
        if (a == b || deviations[a] == 0 || deviations[b] == 0) continue;
        double covariance = 0;
        for (std::size_t k = 0; k < width; ++k) {
          covariance += model.root[columns[a] * width + k] * model.root[columns[b] * width + k];
        }
        independent = independent && covariance == 0;
        r(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b)) =
            covariance / (deviations[a] * deviations[b]);
      }
    }
    if (independent) return;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(r);
    const double least = std::max(0.0, solver.eigenvalues()(0));
    own = std::sqrt(least);
    for (Eigen::Index a = 0; a < size; ++a) {
      for (Eigen::Index k = 0; k < size; ++k) {
        common.push_back(solver.eigenvectors()(a, k) *
                         std::sqrt(std::max(0.0, solver.eigenvalues()(k) - least)));
      }
    }
  }
};

struct Draw {
  std::size_t tuple;
  std::vector<ConceptId> released;  // by column
};

struct Batch {
  std::vector<std::vector<double>> means;  // by vector w and column: of the errors
  std::vector<Draw> of_estimate;           // from P̂
  std::vector<Draw> of_truth;              // from the plan's own channel
};

struct BatchSum {
  double above = 0, above_squares = 0;  // Σ max posterior
  double right = 0, expected = 0, worst = 0, unchanged = 0;
};

class Simulation {
 public:
  Simulation(const NoiseLines& lines, const FrequencyTable& table, const JointTuples& tuples,
             const ChannelOptions& options)
      : lines_(lines), tuples_(tuples), options_(options), factors_(lines.model(), tuples.columns) {
    for (std::size_t j = 0; j < tuples.columns.size(); ++j) {
      columns_.emplace_back(lines, table, tuples, j);
    }
    for (const std::uint64_t count : tuples.counts) {
      upto_.push_back((upto_.empty() ? 0 : upto_.back()) + count);
    }
  }

  std::optional<ChannelRisk> run() {
    if (!plan()) return std::nullopt;
    batches_.resize(kBatches);
    in_parallel(options_.threads, kBatches, [&](std::size_t b) { draw(b); });
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      std::vector<ConceptId> values;
      for (const Batch& batch : batches_) {
        for (const Draw& of : batch.of_estimate) values.push_back(of.released[j]);
        for (const Draw& of : batch.of_truth) values.push_back(of.released[j]);
      }
      std::sort(values.begin(), values.end());
      values.erase(std::unique(values.begin(), values.end()), values.end());
      columns_[j].make_classes_of(values);
    }
    std::array<BatchSum, kBatches> sums;
    in_parallel(options_.threads, kBatches,
                [&](std::size_t b) { sums[b] = evaluate(batches_[b]); });
    return put_together(sums);
  }

 private:
  // How many vectors w, and how many draws a batch.
  bool plan() {
    double steps = 0, sources = 0, most_sources = 1;
    for (const JointColumn& column : columns_) {
      for (std::size_t s = 0; s < column.sources(); ++s) {
        steps += static_cast<double>(column.steps(s).size());
      }
      sources += static_cast<double>(column.sources());
      most_sources = std::max(most_sources, static_cast<double>(column.sources()));
    }
    vectors_ = 1;
    const double each =
        sources + static_cast<double>(tuples_.size()) * static_cast<double>(columns_.size());
    if (!factors_.independent) {
      const double most = std::min(kMostNumbers / steps, kMostJointWork / (each * 4 * kLeastDraws));
      vectors_ =
          static_cast<std::size_t>(std::clamp(most, double{kLeastVectors}, double{kMostVectors}));
    }
    const double evaluations = kMostJointWork / (each * static_cast<double>(vectors_));
    const double draws =
        std::min({factors_.independent ? evaluations : evaluations / 2, kMostNumbers / most_sources,
                  static_cast<double>(options_.simulated)});
    if (draws < static_cast<double>(std::min<std::uint64_t>(kLeastDraws, options_.simulated)) ||
        steps * static_cast<double>(vectors_) > 10 * kMostNumbers) {
      return false;
    }
    draws_ = std::max<std::size_t>(2, static_cast<std::size_t>(draws) / kBatches);
    return true;
  }

  void draw(std::size_t b) {
    FixedDraws random(static_cast<std::uint32_t>(b));
    Batch& batch = batches_[b];
    const std::size_t width = columns_.size();
    batch.means.assign(vectors_, std::vector<double>(width, 0));
    for (std::size_t i = 0; i < vectors_ && !factors_.independent; ++i) {
      std::vector<double> w;
      for (std::size_t k = 0; k < width; ++k) w.push_back(normal_deviate(random.next()));
      for (std::size_t j = 0; j < width; ++j) {
        for (std::size_t k = 0; k < width; ++k) {
          batch.means[i][j] += factors_.deviations[j] * factors_.common[j * width + k] * w[k];
        }
      }
    }
    for (std::size_t i = 0; i < draws_ && !factors_.independent; ++i) {
      const std::vector<double>& means = batch.means[below(vectors_, random.next())];
      batch.of_estimate.push_back(draw_one(random, [&](std::size_t j, double deviate) {
        return means[j] + factors_.deviations[j] * factors_.own * deviate;
      }));
    }
    // As the plan draws: ε = L z. Columns that are not looked at have no share in those that are.
    const NoiseModel& model = lines_.model();
    std::vector<double> deviates(model.columns.size());
    const bool normal = model.options.distribution == NoiseDistribution::kNormal;
    for (std::size_t i = 0; i < draws_; ++i) {
      for (double& z : deviates) {
        z = normal ? normal_deviate(random.next()) : laplace_deviate(random.next());
      }
      batch.of_truth.push_back(draw_one(random, [&](std::size_t j, double) {
        const std::size_t column = tuples_.columns[j];
        double error = 0;
        for (std::size_t k = 0; k <= column; ++k) {
          error += model.root[column * deviates.size() + k] * deviates[k];
        }
        return error;
      }));
    }
  }

  template <class Error>
  Draw draw_one(FixedDraws& random, const Error& error) const {
    const std::uint64_t record = below(upto_.back(), random.next());
    Draw out;
    out.tuple = static_cast<std::size_t>(std::upper_bound(upto_.begin(), upto_.end(), record) -
                                         upto_.begin());
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const double of = error(j, normal_deviate(random.next()));
      out.released.push_back(
          columns_[j].line(columns_[j].source(out.tuple)).value(of, random.next()));
    }
    return out;
  }

  // P(step | w) shared by its values: by column, source, step, w.
  using Tables = std::vector<std::vector<std::vector<double>>>;
  Tables tables(const Batch& batch) const {
    Tables out(columns_.size());
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const ErrorSpread spread = spread_of(lines_.model(), tuples_.columns[j]);
      const double own = factors_.deviations[j] * factors_.own;
      for (std::size_t s = 0; s < columns_[j].sources(); ++s) {
        std::vector<double>& of = out[j].emplace_back();
        for (const JointColumn::Step& step : columns_[j].steps(s)) {
          for (std::size_t i = 0; i < vectors_; ++i) {
            of.push_back((factors_.independent ? spread.between(step.from, step.to)
                                               : given(step.from - batch.means[i][j],
                                                       step.to - batch.means[i][j], own)) /
                         step.count);
          }
        }
      }
    }
    return out;
  }
  static double given(double from, double to, double deviation) {
    if (deviation == 0) return from < 0 && to >= 0 ? 1 : 0;
    return normal_between(from / deviation, to / deviation);
  }

  BatchSum evaluate(const Batch& batch) const {
    const Tables table = tables(batch);
    std::vector<double> weights;
    std::vector<std::vector<double>> scratch(columns_.size());
    BatchSum out;
    const auto look_at = [&](const Draw& of) {
      weigh(table, of, scratch, weights);
      double sum = 0;
      for (const double weight : weights) sum += weight;
      return sum;
    };
    const auto best = [&] { return std::max_element(weights.begin(), weights.end()); };
    for (const Draw& of : batch.of_estimate) {
      const double sum = look_at(of);
      out.above += *best() / sum;
    }
    for (const Draw& of : batch.of_truth) {
      const double sum = look_at(of);
      bool stays = true;
      for (std::size_t j = 0; j < columns_.size(); ++j) {
        stays = stays && of.released[j] == columns_[j].value(columns_[j].source(of.tuple));
      }
      out.unchanged += stays ? 1 : 0;
      if (!(sum > 0)) continue;  // by P̂ impossible: nothing is guessed
      const double of_own = weights[of.tuple] / sum, of_best = *best() / sum;
      out.expected += of_own;
      out.worst = std::max(out.worst, of_own);
      if (factors_.independent) {
        out.above += of_best;
        out.above_squares += of_best * of_best;
      }
      out.right += static_cast<std::size_t>(best() - weights.begin()) == of.tuple ? 1 : 0;
    }
    return out;
  }

  // p(t) P̂(z | t) by tuple.
  void weigh(const Tables& table, const Draw& of, std::vector<std::vector<double>>& scratch,
             std::vector<double>& weights) const {
    const std::size_t m = vectors_;
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      scratch[j].assign(columns_[j].sources() * m, 0);
      const std::uint32_t c = columns_[j].class_of(of.released[j]);
      for (std::size_t s = 0; s < columns_[j].sources(); ++s) {
        const JointColumn::Ways ways = columns_[j].ways(s, c);
        for (const std::uint32_t step : {ways.down, ways.up}) {
          if (step == JointColumn::kNone) continue;
          const double* const from = table[j][s].data() + step * m;
          for (std::size_t i = 0; i < m; ++i) scratch[j][s * m + i] += from[i];
        }
      }
    }
    weights.resize(tuples_.size());
    std::vector<double> product(m);
    for (std::size_t t = 0; t < tuples_.size(); ++t) {
      std::fill(product.begin(), product.end(), tuples_.shares[t]);
      for (std::size_t j = 0; j < columns_.size(); ++j) {
        const double* const of_column = scratch[j].data() + columns_[j].source(t) * m;
        for (std::size_t i = 0; i < m; ++i) product[i] *= of_column[i];
      }
      double sum = 0;
      for (const double p : product) sum += p;
      weights[t] = sum / static_cast<double>(m);
    }
  }

  ChannelRisk put_together(const std::array<BatchSum, kBatches>& sums) const {
    const auto each = static_cast<double>(draws_), all = each * kBatches;
    ChannelRisk out;
    out.how = ChannelRisk::How::kSimulated;
    double above = 0, squares = 0, right = 0, batch_squares = 0;
    for (const BatchSum& sum : sums) {
      above += sum.above / all;
      squares += sum.above_squares / all;
      batch_squares += sum.above / each * (sum.above / each) / kBatches;
      right += sum.right / all;
      out.expected += sum.expected / all;
      out.unchanged += sum.unchanged / all;
      out.worst = std::max(out.worst, sum.worst);
    }
    if (factors_.independent) {
      out.vulnerability = above;
      out.half_width =
          kNormalQuantile * std::sqrt(std::max(0.0, squares - above * above) / (all - 1));
      return out;
    }
    const double spread = std::sqrt(std::max(0.0, batch_squares - above * above) / (kBatches - 1));
    const double upper = std::min(1.0, above + kStudentQuantile * spread);
    // The variance as if one more guess were right and one more wrong: also none has an error.
    const double share = (right * all + 1) / (all + 2);
    const double lower = std::max(tuples_.greatest_share(),
                                  right - kNormalQuantile * std::sqrt(share * (1 - share) / all));
    out.vulnerability = (lower + upper) / 2;
    out.half_width = std::max(0.0, upper - lower) / 2;
    return out;
  }

  const NoiseLines& lines_;
  const JointTuples& tuples_;
  const ChannelOptions& options_;
  Factors factors_;
  std::vector<JointColumn> columns_;
  std::vector<std::uint64_t> upto_;  // by tuple: running sums of the records
  std::size_t vectors_ = 1, draws_ = 0;
  std::vector<Batch> batches_;
};

}  // namespace

std::optional<ChannelRisk> simulated_joint_risk(const NoiseLines& lines,
                                                const FrequencyTable& table,
                                                const JointTuples& tuples,
                                                const ChannelOptions& options) {
  if (tuples.size() == 0) return std::nullopt;
  std::optional<ChannelRisk> out = Simulation(lines, table, tuples, options).run();
  if (out) finish_joint(table, tuples, *out);
  return out;
}

}  // namespace semveil
