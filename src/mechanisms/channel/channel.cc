// P(z | x) of noise and of the baselines, and what follows from it for one column.
//
// Noise: a value's line of errors (noise_lines.h) has a step for each rung of its ladder and sign;
// a step's probability is that of its errors, and its values share it. Correlated errors have, each
// for itself, the deviation of L's row. Where the partner's value is the reference, the line
// depends on it, and P(z | x) is the mean over the partners that the records of x have.
//
// Numbers: a place of the release takes the errors that lead nearest to it (number_noise.h). What
// is told is of numbers as a release shows them: others are rounded first.
//
// Risk in two passes over the distinct values, each making the rows anew: the first adds up P(z)
// and keeps max_x p(x) P(z | x), the second compares each row with P(z).
//
// Cost:    O(distinct values · domain) time, O(domain) memory for each of kParts parts. With
// partners
//          a row costs the domain once for each of the value's partners.
// Choice:  values are cut into kParts parts whatever the threads, and parts are added in order: the
//          same bits for any number of threads.
#include "semveil/channel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/parallel.h"
#include "mechanisms/common/baseline.h"
#include "mechanisms/noise/error_spread.h"
#include "mechanisms/noise/noise_lines.h"
#include "mechanisms/noise/noise_spread.h"
#include "mechanisms/noise/number_noise.h"

namespace semveil {
namespace {

class NoiseChannel final : public Channel {
 public:
  NoiseChannel(const FittedMethod& plan, const NoiseLines& lines, const FrequencyTable& table,
               std::size_t column)
      : attribute_(*plan.attributes()[column]),
        lines_(lines),
        prior_(table.columns[column].values),
        column_(column),
        spread_(spread_of(lines.model(), column)) {
    if (lines.model().options.reference == NoiseReference::kPair) count_partners(table);
  }

  const Attribute& attribute() const override { return attribute_; }
  const ValueCounts& prior() const override { return prior_; }

  void probabilities(ConceptId x, std::vector<double>& row) const override {
    row.assign(attribute_.size() + 1, 0);
    const auto partners = partners_.find(x);
    if (partners == partners_.end()) return add(lines_.line(column_, x, kMissing), 1, row);
    double all = 0;
    for (const auto& [partner, count] : partners->second) all += static_cast<double>(count);
    for (const auto& [partner, count] : partners->second) {
      add(lines_.line(column_, x, partner), static_cast<double>(count) / all, row);
    }
  }

 private:
  void count_partners(const FrequencyTable& table) {
    const std::size_t partner = lines_.model().partner[column_], width = table.columns.size();
    for (std::size_t t = 0; t < table.tuple_counts.size(); ++t) {
      const Code own = table.tuples[t * width + column_];
      if (own == kMissing) continue;
      partners_[prior_.values[own]][reference_cell(
          table, partner, table.tuples[t * width + partner])] += table.tuple_counts[t];
    }
  }

  void add(const ErrorLine& line, double share, std::vector<double>& row) const {
    for (const ErrorLine::Step& step : line.steps()) {
      const double each = share * spread_.between(step.from, step.to) / step.count;
      if (each == 0) continue;
      line.for_each_value(step, [&](ConceptId z) { row[z] += each; });
    }
  }

  const Attribute& attribute_;
  const NoiseLines& lines_;
  ValueCounts prior_;
  std::size_t column_;
  ErrorSpread spread_;
  // kPair: by value, the partners' cells and how many records have them.
  std::map<ConceptId, std::map<ConceptId, std::uint64_t>> partners_;
};

// Values, before and after, are places among what can be released.
class NumberChannel final : public Channel {
 public:
  NumberChannel(const NumberNoise& noise, const ValueCounts& values, const NumberGrid& grid,
                ErrorSpread spread)
      : noise_(noise), spread_(spread) {
    for (std::size_t i = 0; i < values.values.size(); ++i) {
      const std::uint32_t place = grid.nearest(noise.number(values.values[i]));
      if (prior_.values.empty() || prior_.values.back() != place) {
        prior_.values.push_back(place);
        prior_.counts.push_back(0);
      }
      prior_.counts.back() += values.counts[i];
    }
  }

  // Beyond this much work a figure is not worth it.
  bool is_feasible() const {
    constexpr double kMostWork = 1e8;
    return static_cast<double>(prior_.values.size()) * noise_.work_of_row() <= kMostWork;
  }

  const Attribute& attribute() const override { return *noise_.released(); }
  const ValueCounts& prior() const override { return prior_; }
  void probabilities(ConceptId x, std::vector<double>& row) const override {
    row.assign(noise_.released()->size() + 1, 0);
    noise_.probabilities(noise_.released()->numbers[x], spread_, row);
  }

 private:
  const NumberNoise& noise_;
  ErrorSpread spread_;
  ValueCounts prior_;
};

class UrnChannel final : public Channel {
 public:
  UrnChannel(const Attribute& attribute, ValueCounts prior, const BaselineUrn& urn)
      : attribute_(attribute), prior_(std::move(prior)), urn_(urn) {}

  const Attribute& attribute() const override { return attribute_; }
  const ValueCounts& prior() const override { return prior_; }
  void probabilities(ConceptId, std::vector<double>& row) const override {
    row.assign(attribute_.size() + 1, 0);
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < urn_.values.size(); ++i) {
      row[urn_.values[i]] =
          static_cast<double>(urn_.upto[i] - before) / static_cast<double>(urn_.upto.back());
      before = urn_.upto[i];
    }
  }

 private:
  const Attribute& attribute_;
  ValueCounts prior_;
  const BaselineUrn& urn_;
};

constexpr std::size_t kParts = 16;

// work(part, i) for every value, by part.
template <class Work>
void for_each_value(std::size_t values, unsigned threads, const Work& work) {
  in_parallel(threads, kParts, [&](std::size_t part) {
    const std::size_t end = values * (part + 1) / kParts;
    for (std::size_t i = values * part / kParts; i < end; ++i) {
      check_stop();
      work(part, i);
    }
  });
}

struct Released {            // by released value
  std::vector<double> sum;   // P(z)
  std::vector<double> best;  // max_x p(x) P(z | x)
};

std::vector<double> shares(const ValueCounts& prior) {
  const auto all = static_cast<double>(prior.total());
  std::vector<double> out;
  for (const std::uint64_t count : prior.counts) out.push_back(static_cast<double>(count) / all);
  return out;
}

Released released(const Channel& channel, std::span<const double> p, unsigned threads) {
  const std::size_t size = channel.attribute().size() + 1;
  std::array<Released, kParts> parts;
  std::array<std::vector<double>, kParts> rows;
  for_each_value(p.size(), threads, [&](std::size_t part, std::size_t i) {
    Released& of = parts[part];
    of.sum.resize(size);
    of.best.resize(size);
    channel.probabilities(channel.prior().values[i], rows[part]);
    for (std::size_t z = 0; z < size; ++z) {
      const double joint = p[i] * rows[part][z];
      of.sum[z] += joint;
      of.best[z] = std::max(of.best[z], joint);
    }
  });
  Released out{std::vector<double>(size), std::vector<double>(size)};
  for (const Released& of : parts) {
    for (std::size_t z = 0; z < of.sum.size(); ++z) {
      out.sum[z] += of.sum[z];
      out.best[z] = std::max(out.best[z], of.best[z]);
    }
  }
  return out;
}

}  // namespace

std::string_view to_string(ChannelRisk::How how) {
  constexpr std::array<std::string_view, 3> kNames{"exact", "observed", "simulated"};
  return kNames[static_cast<std::size_t>(how)];
}

std::unique_ptr<const Channel> channel_of(const FittedMethod& plan, const FrequencyTable& table,
                                          std::size_t column) {
  if (const NoiseLines* lines = noise_lines(plan)) {
    if (const NumberNoise* numbers = lines->numbers(column)) {
      const NoiseModel& model = lines->model();
      auto channel = std::make_unique<const NumberChannel>(*numbers, table.columns[column].values,
                                                           model.columns[column].numbers->grid,
                                                           spread_of(model, column));
      if (!channel->is_feasible()) return nullptr;
      return channel;
    }
    return std::make_unique<const NoiseChannel>(plan, *lines, table, column);
  }
  if (const BaselineUrn* urn = baseline_urn(plan, column)) {
    return std::make_unique<const UrnChannel>(*plan.attributes()[column],
                                              table.columns[column].values, *urn);
  }
  return plan.channel(table, column);
}

std::unique_ptr<const Channel> FittedMethod::channel(const FrequencyTable& /*table*/,
                                                     std::size_t /*column*/) const {
  return nullptr;
}

ChannelRisk channel_risk(const Channel& channel, const ChannelOptions& options) {
  ChannelRisk out;
  out.columns = {channel.attribute().name};
  const ValueCounts& prior = channel.prior();
  const std::vector<double> p = shares(prior);
  if (p.empty()) return out;
  const Released z_of = released(channel, p, options.threads);

  out.values.resize(p.size());
  std::array<std::vector<double>, kParts> rows;
  for_each_value(p.size(), options.threads, [&](std::size_t part, std::size_t i) {
    std::vector<double>& row = rows[part];
    channel.probabilities(prior.values[i], row);
    ChannelRisk::Value value{prior.values[i], prior.counts[i], 0, 0, row[prior.values[i]]};
    for (std::size_t z = 0; z < row.size(); ++z) {
      if (row[z] == 0) continue;
      const double posterior = std::min(1.0, p[i] * row[z] / z_of.sum[z]);
      value.expected += row[z] * posterior;
      value.worst = std::max(value.worst, posterior);
    }
    out.values[i] = value;
  });
  for (const double best : z_of.best) out.vulnerability += best;
  out.prior = *std::max_element(p.begin(), p.end());
  // A release never makes a best guess worse: below the prior is rounding.
  out.vulnerability = std::clamp(out.vulnerability, out.prior, 1.0);
  out.leakage = std::log2(out.vulnerability / out.prior);
  for (std::size_t i = 0; i < p.size(); ++i) {
    out.expected += p[i] * out.values[i].expected;
    out.unchanged += p[i] * out.values[i].unchanged;
    out.worst = std::max(out.worst, out.values[i].worst);
  }
  return out;
}

std::vector<std::vector<Origin>> origins(const Channel& channel,
                                         std::span<const ConceptId> released, std::size_t most) {
  const ValueCounts& prior = channel.prior();
  const std::vector<double> p = shares(prior);
  const auto likelier = [](const Origin& a, const Origin& b) { return a.posterior > b.posterior; };
  std::vector<std::vector<Origin>> out(released.size());
  std::vector<double> sums(released.size(), 0);
  std::vector<double> row;
  for (std::size_t i = 0; i < p.size(); ++i) {
    channel.probabilities(prior.values[i], row);
    for (std::size_t k = 0; k < released.size(); ++k) {
      const double joint = p[i] * row[released[k]];
      if (joint == 0) continue;
      sums[k] += joint;
      const Origin origin{prior.values[i], joint};
      out[k].insert(std::upper_bound(out[k].begin(), out[k].end(), origin, likelier), origin);
      if (out[k].size() > most) out[k].pop_back();
    }
  }
  for (std::size_t k = 0; k < released.size(); ++k) {
    for (Origin& origin : out[k]) origin.posterior /= sums[k];
  }
  return out;
}

}  // namespace semveil
