#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

#include "base/stop.h"
#include "mechanisms/channel/channel_joint.h"
#include "mechanisms/noise/noise_spread.h"

namespace semveil {

JointTuples::JointTuples(const FrequencyTable& table, std::vector<std::size_t> wanted)
    : columns(std::move(wanted)) {
  const std::size_t width = table.columns.size();
  std::map<std::vector<Code>, std::uint64_t> found;
  for (std::size_t t = 0; t < table.tuple_counts.size(); ++t) {
    std::vector<Code> tuple;
    for (const std::size_t j : columns) tuple.push_back(table.tuples[t * width + j]);
    if (std::find(tuple.begin(), tuple.end(), kMissing) != tuple.end()) continue;
    found[std::move(tuple)] += table.tuple_counts[t];
  }
  double all = 0;
  for (const auto& [tuple, count] : found) all += static_cast<double>(count);
  for (const auto& [tuple, count] : found) {
    places.insert(places.end(), tuple.begin(), tuple.end());
    counts.push_back(count);
    shares.push_back(static_cast<double>(count) / all);
  }
}

double JointTuples::greatest_share() const {
  return shares.empty() ? 0 : *std::max_element(shares.begin(), shares.end());
}

void finish_joint(const FrequencyTable& table, const JointTuples& tuples, ChannelRisk& risk) {
  for (const std::size_t j : tuples.columns) {
    risk.columns.push_back(table.columns[j].attribute->name);
  }
  risk.prior = tuples.greatest_share();
  risk.vulnerability = std::clamp(risk.vulnerability, risk.prior, 1.0);
  risk.leakage = risk.prior > 0 ? std::log2(risk.vulnerability / risk.prior) : 0;
}

JointColumn::JointColumn(const NoiseLines& lines, const FrequencyTable& table,
                         const JointTuples& tuples, std::size_t j)
    : lines_(lines),
      column_(tuples.columns[j]),
      values_(table.columns[column_].attribute->size() + 1) {
  const std::size_t width = tuples.columns.size();
  const bool paired = lines.model().options.reference == NoiseReference::kPair;
  const std::size_t partner = paired ? lines.model().partner[column_] : column_;
  const auto partner_at = static_cast<std::size_t>(
      std::find(tuples.columns.begin(), tuples.columns.end(), partner) - tuples.columns.begin());
  std::map<std::pair<ConceptId, ConceptId>, std::uint32_t> numbers;
  for (std::size_t t = 0; t < tuples.size(); ++t) {
    const Code* const tuple = tuples.places.data() + t * width;
    const std::pair key{table.columns[column_].values.values[tuple[j]],
                        paired ? reference_cell(table, partner, tuple[partner_at]) : kMissing};
    const auto [at, is_new] = numbers.try_emplace(key, static_cast<std::uint32_t>(numbers.size()));
    if (is_new) keys_.push_back(key);
    of_tuple_.push_back(at->second);
  }
  for (std::size_t s = 0; s < keys_.size(); ++s) {
    check_stop();
    std::vector<Step>& steps = steps_.emplace_back();
    const ErrorLine of = line(s);
    for (const ErrorLine::Step& step : of.steps()) {
      steps.push_back({step.from, step.to, step.count});
    }
  }
}

ErrorLine JointColumn::line(std::size_t source) const {
  return lines_.line(column_, keys_[source].first, keys_[source].second);
}

std::size_t JointColumn::most_steps() const {
  std::size_t most = 0;
  for (const std::vector<Step>& steps : steps_) most = std::max(most, steps.size());
  return most;
}

// Classes are refined source by source: values stay together while every step, first of one sign,
// then of the other, leads to all of them or to none.
bool JointColumn::make_classes(std::size_t most) {
  class_of_.assign(values_, 0);
  std::vector<bool> led_to(values_, false);
  std::vector<std::uint32_t> step_of(values_);
  std::unordered_map<std::uint64_t, std::uint32_t> numbers;  // looked up, never walked
  const auto refine = [&](std::size_t steps) {
    numbers.clear();
    for (std::size_t z = 0; z < values_; ++z) {
      const std::uint64_t key = std::uint64_t{class_of_[z]} * (steps + 1) + step_of[z];
      class_of_[z] =
          numbers.try_emplace(key, static_cast<std::uint32_t>(numbers.size())).first->second;
    }
    return numbers.size() <= most + 1;
  };
  for (std::size_t s = 0; s < keys_.size(); ++s) {
    check_stop();
    const ErrorLine of = line(s);
    for (const bool up : {false, true}) {
      std::fill(step_of.begin(), step_of.end(), 0U);
      for (std::size_t i = 0; i < of.steps().size(); ++i) {
        if ((of.steps()[i].from >= 0) != up) continue;
        of.for_each_value(of.steps()[i], [&](ConceptId z) {
          step_of[z] = static_cast<std::uint32_t>(i + 1);
          led_to[z] = true;
        });
      }
      if (!refine(of.steps().size())) return false;
    }
  }
  std::vector<std::uint32_t> kept(values_, kNone);  // by class: its number without unreached ones
  sizes_.clear();
  for (std::size_t z = 0; z < values_; ++z) {
    if (!led_to[z]) {
      class_of_[z] = kNone;
      continue;
    }
    std::uint32_t& number = kept[class_of_[z]];
    if (number == kNone) {
      number = static_cast<std::uint32_t>(sizes_.size());
      sizes_.push_back(0);
    }
    ++sizes_[number];
    class_of_[z] = number;
  }
  find_ways();
  return true;
}

void JointColumn::make_classes_of(const std::vector<ConceptId>& values) {
  class_of_.assign(values_, kNone);
  sizes_.assign(values.size(), 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    class_of_[values[i]] = static_cast<std::uint32_t>(i);
  }
  find_ways();
}

void JointColumn::find_ways() {
  ways_.assign(sources() * classes(), Ways{});
  for (std::size_t s = 0; s < sources(); ++s) {
    const ErrorLine of = line(s);
    for (std::size_t i = 0; i < of.steps().size(); ++i) {
      const bool up = of.steps()[i].from >= 0;
      of.for_each_value(of.steps()[i], [&](ConceptId z) {
        if (class_of_[z] == kNone) return;
        Ways& ways = ways_[s * classes() + class_of_[z]];
        (up ? ways.up : ways.down) = static_cast<std::uint32_t>(i);
      });
    }
  }
}

}  // namespace semveil
