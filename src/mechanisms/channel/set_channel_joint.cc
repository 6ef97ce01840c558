// Sets of several columns together: drawn as the plan draws them, with a fixed key.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/deviates.h"
#include "base/parallel.h"
#include "mechanisms/channel/channel_joint.h"
#include "mechanisms/channel/fixed_draws.h"
#include "mechanisms/channel/set_channel.h"
#include "mechanisms/sets/set_draws.h"

namespace semveil {
namespace {

struct DrawnSum {
  double best = 0, best_squares = 0, own = 0, worst = 0;
};

class SetSimulation {
 public:
  SetSimulation(const SetFit& fit, const FrequencyTable& table, const JointTuples& tuples)
      : fit_(fit), tuples_(tuples), width_(fit.columns.size()) {
    for (std::size_t t = 0; t < tuples.size(); ++t) {
      // How likely the tuple makes its sets, but for what all tuples of the sets share.
      double weight = static_cast<double>(tuples.counts[t]);
      for (std::size_t j = 0; j < width_; ++j) {
        const ConceptId v = table.columns[j].values.values[tuples.places[t * width_ + j]];
        values_.push_back(v);
        weight *= static_cast<double>(fit.columns[j].weights[v]) /
                  static_cast<double>(fit.columns[j].counts[v]);
      }
      weights_.push_back(weight);
      upto_.push_back((upto_.empty() ? 0 : upto_.back()) + tuples.counts[t]);
    }
    for (const SetColumn& column : fit.columns) {
      sets_.emplace_back(column, fit.by_category, fit.draw);
    }
  }

  ChannelRisk run(const ChannelOptions& options) const {
    const double each = static_cast<double>(tuples_.size()) * static_cast<double>(width_);
    const double most = std::min(static_cast<double>(options.simulated), kMostJointWork / each);
    const auto draws = std::max<std::size_t>(2, static_cast<std::size_t>(most) / kBatches);
    std::array<DrawnSum, kBatches> sums;
    in_parallel(options.threads, kBatches, [&](std::size_t b) { sums[b] = batch(b, draws); });
    ChannelRisk out;
    out.how = ChannelRisk::How::kSimulated;
    const double all = static_cast<double>(draws) * kBatches;
    double squares = 0;
    for (const DrawnSum& sum : sums) {
      out.vulnerability += sum.best / all;
      squares += sum.best_squares / all;
      out.expected += sum.own / all;
      out.worst = std::max(out.worst, sum.worst);
    }
    const double variance = std::max(0.0, squares - out.vulnerability * out.vulnerability);
    out.half_width = kNormalQuantile * std::sqrt(variance / (all - 1));
    return out;
  }

 private:
  DrawnSum batch(std::size_t b, std::size_t draws) const {
    FixedDraws random(static_cast<std::uint32_t>(b));
    std::vector<std::vector<std::size_t>> drawn(width_);  // by column and value: the last draw
    for (std::size_t j = 0; j < width_; ++j) drawn[j].assign(fit_.columns[j].counts.size(), 0);
    std::vector<std::uint64_t> words;
    std::vector<ConceptId> set;
    DrawnSum out;
    for (std::size_t i = 1; i <= draws; ++i) {
      const std::uint64_t record = below(upto_.back(), random.next());
      const auto truth = static_cast<std::size_t>(
          std::upper_bound(upto_.begin(), upto_.end(), record) - upto_.begin());
      for (std::size_t j = 0; j < width_; ++j) {
        words.clear();
        for (std::uint32_t w = 0; w < sets_[j].words(); ++w) words.push_back(random.next());
        set.resize(fit_.columns[j].l);
        sets_[j].draw({&values_[truth * width_ + j], 1}, words, set);
        for (const ConceptId v : set) drawn[j][v] = i;
      }
      double sum = 0, best = 0;
      for (std::size_t t = 0; t < tuples_.size(); ++t) {
        bool possible = true;
        for (std::size_t j = 0; j < width_ && possible; ++j) {
          possible = drawn[j][values_[t * width_ + j]] == i;
        }
        if (!possible) continue;
        sum += weights_[t];
        best = std::max(best, weights_[t]);
      }
      out.best += best / sum;
      out.best_squares += best / sum * (best / sum);
      out.own += weights_[truth] / sum;
      out.worst = std::max(out.worst, weights_[truth] / sum);
    }
    return out;
  }

  const SetFit& fit_;
  const JointTuples& tuples_;
  std::size_t width_;
  std::vector<ConceptId> values_;  // by tuple and column
  std::vector<double> weights_;    // by tuple
  std::vector<std::uint64_t> upto_;
  std::vector<SetDraws> sets_;
};

}  // namespace

std::optional<ChannelRisk> joint_set_risk(const SetFit& fit, const FrequencyTable& table,
                                          const ChannelOptions& options) {
  std::vector<std::size_t> columns;
  for (std::size_t j = 0; j < fit.columns.size(); ++j) columns.push_back(j);
  const JointTuples tuples(table, std::move(columns));
  if (tuples.size() == 0) return std::nullopt;
  ChannelRisk out = SetSimulation(fit, table, tuples).run(options);
  finish_joint(table, tuples, out);
  return out;
}

}  // namespace semveil
