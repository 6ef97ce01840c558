// Which columns are looked at alone and together, for every kind of plan.
#include <numeric>

#include "mechanisms/channel/channel_joint.h"
#include "mechanisms/channel/set_channel.h"
#include "mechanisms/common/baseline.h"
#include "semveil/channel.h"

namespace semveil {
namespace {

// With partners as references every tuple has ladders of its own: so many candidates are put in
// order for them, at most.
constexpr double kMostPaired = 5e8;

void add_joint(const NoiseLines& lines, const FrequencyTable& table,
               std::vector<std::size_t> columns, const ChannelOptions& options,
               std::vector<ChannelRisk>& out) {
  const JointTuples tuples(table, std::move(columns));
  if (lines.model().options.reference == NoiseReference::kPair) {
    double candidates = 0;
    for (const std::size_t j : tuples.columns) {
      candidates += static_cast<double>(table.columns[j].attribute->size());
    }
    if (candidates * static_cast<double>(tuples.size()) > kMostPaired) return;
  }
  std::optional<ChannelRisk> risk = exact_joint_risk(lines, table, tuples, options);
  if (!risk) risk = simulated_joint_risk(lines, table, tuples, options);
  if (risk) out.push_back(*std::move(risk));
}

void add_noise_joints(const NoiseLines& lines, const FrequencyTable& table,
                      const ChannelOptions& options, std::vector<ChannelRisk>& out) {
  const std::size_t width = table.columns.size();
  if (width < 2) return;
  if (width > 2 && lines.model().options.reference == NoiseReference::kPair) {
    for (std::size_t j = 0; j < width; ++j) {
      const std::size_t partner = lines.model().partner[j];
      if (j < partner) add_joint(lines, table, {j, partner}, options, out);
    }
  }
  std::vector<std::size_t> all(width);
  std::iota(all.begin(), all.end(), std::size_t{0});
  add_joint(lines, table, std::move(all), options, out);
}

// What comes out does not depend on what was there: it tells nothing.
ChannelRisk joint_of_baseline(const FittedMethod& plan, const FrequencyTable& table) {
  const std::size_t width = table.columns.size();
  std::vector<std::size_t> all(width);
  std::iota(all.begin(), all.end(), std::size_t{0});
  const JointTuples tuples(table, std::move(all));
  std::vector<std::vector<double>> rows(width);  // by column and released value
  for (std::size_t j = 0; j < width; ++j) {
    channel_of(plan, table, j)->probabilities(0, rows[j]);
  }
  ChannelRisk out;
  out.worst = out.vulnerability = tuples.greatest_share();
  for (std::size_t t = 0; t < tuples.size(); ++t) {
    double stays = tuples.shares[t];
    out.expected += tuples.shares[t] * tuples.shares[t];
    for (std::size_t j = 0; j < width; ++j) {
      stays *= rows[j][table.columns[j].values.values[tuples.places[t * width + j]]];
    }
    out.unchanged += stays;
  }
  finish_joint(table, tuples, out);
  return out;
}

}  // namespace

Result<std::vector<ChannelRisk>> channel_risks(const FittedMethod& plan,
                                               const FrequencyTable& table,
                                               const ChannelOptions& options) {
  if (table.columns.size() != plan.attributes().size()) {
    return fail(data_error("the table is not the one that the plan was fitted on"));
  }
  std::vector<ChannelRisk> out;
  if (const SetFit* sets = set_fit(plan)) {
    for (std::size_t j = 0; j < sets->columns.size(); ++j) {
      out.push_back(set_channel_risk(*plan.attributes()[j], *sets, j));
    }
    if (sets->columns.size() > 1) {
      if (auto joint = joint_set_risk(*sets, table, options)) out.push_back(*std::move(joint));
    }
    return out;
  }
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const std::unique_ptr<const Channel> channel = channel_of(plan, table, j);
    if (channel == nullptr) continue;
    out.push_back(channel_risk(*channel, options));
  }
  if (const NoiseLines* lines = noise_lines(plan)) {
    bool has_numbers = false;  // of which nobody computes what they tell together with others
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
      has_numbers = has_numbers || lines->numbers(j) != nullptr;
    }
    if (!has_numbers) add_noise_joints(*lines, table, options, out);
  } else if (table.columns.size() > 1 && baseline_urn(plan, 0) != nullptr) {
    out.push_back(joint_of_baseline(plan, table));
  }
  return out;
}

}  // namespace semveil
