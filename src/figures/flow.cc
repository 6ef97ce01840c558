#include "figures/flow.h"

#include <algorithm>
#include <cmath>

namespace semveil {

ChannelRisk observed_risk(const Paired& pairs, std::span<const std::size_t> columns) {
  const Paired flow = pairs.over(columns);  // every pair once
  ChannelRisk out;
  out.how = ChannelRisk::How::kObserved;
  for (const auto& attribute : flow.attributes) out.columns.push_back(attribute->name);
  const auto records = static_cast<double>(flow.records());
  if (flow.size() == 0) return out;
  const Classes was = classes_of(flow, Side::kBefore), is = classes_of(flow, Side::kAfter);

  std::vector<std::uint64_t> best(is.size(), 0);  // by what came out: records of the likeliest
  std::vector<ChannelRisk::Value> values;
  for (std::size_t c = 0; c < was.size(); ++c) {
    values.push_back({was.tuple(c)[0], was.counts[c], 0, 0, 0});
  }
  for (std::size_t i = 0; i < flow.size(); ++i) {
    const auto count = static_cast<double>(flow.counts[i]);
    const double posterior = count / static_cast<double>(is.counts[is.of[i]]);
    ChannelRisk::Value& value = values[was.of[i]];
    const auto of_value = static_cast<double>(value.records);
    value.expected += count / of_value * posterior;
    value.worst = std::max(value.worst, posterior);
    if (std::ranges::equal(flow.tuple(i, Side::kBefore), flow.tuple(i, Side::kAfter))) {
      value.unchanged += count / of_value;
    }
    best[is.of[i]] = std::max(best[is.of[i]], flow.counts[i]);
  }
  std::uint64_t guessed = 0, most = 0;
  for (const std::uint64_t count : best) guessed += count;
  for (const ChannelRisk::Value& value : values) {
    const double share = static_cast<double>(value.records) / records;
    most = std::max(most, value.records);
    out.expected += share * value.expected;
    out.worst = std::max(out.worst, value.worst);
    out.unchanged += share * value.unchanged;
  }
  out.prior = static_cast<double>(most) / records;
  out.vulnerability = static_cast<double>(guessed) / records;
  out.leakage = std::log2(out.vulnerability / out.prior);
  if (columns.size() == 1) {
    std::ranges::sort(values, {}, &ChannelRisk::Value::value);
    out.values = std::move(values);
  }
  return out;
}

}  // namespace semveil
