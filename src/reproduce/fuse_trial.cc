#include "reproduce/fuse_trial.h"

#include <algorithm>

#include "base/parallel.h"
#include "figures/clusters.h"
#include "figures/record_linkage.h"
#include "figures/utility.h"

namespace semveil::reproduction {
namespace {

// By the tuples before masking: taxonomies number the reasons otherwise, so that their tables have
// the answers in another order.
Paired in_order(const Paired& pairs) {
  const Classes before = classes_of(pairs, Side::kBefore);  // one class a pair
  Paired out = pairs;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const std::size_t place = before.of[p];
    out.counts[place] = pairs.counts[p];
    for (std::size_t j = 0; j < pairs.width(); ++j) {
      out.before[place * pairs.width() + j] = pairs.tuple(p, Side::kBefore)[j];
      out.after[place * pairs.width() + j] = pairs.tuple(p, Side::kAfter)[j];
    }
  }
  return out;
}

// Both masked from the same table, in the same order.
Paired between(const Paired& one, const Paired& other) {
  Paired out = other;
  out.before = one.after;
  return out;
}

// Each tuple with itself.
Paired untouched_tuples(const FrequencyTable& table) {
  Paired out;
  for (const FrequencyColumn& column : table.columns) out.attributes.push_back(column.attribute);
  if (out.width() == 1) {  // its values are the tuples
    out.before = table.columns[0].values.values;
    out.counts = table.columns[0].values.counts;
  } else {
    for (std::size_t at = 0; at < table.tuples.size(); ++at) {
      out.before.push_back(table.columns[at % out.width()].values.values[table.tuples[at]]);
    }
    out.counts = table.tuple_counts;
  }
  out.after = out.before;
  return out;
}

double share_alike(const Paired& one, const Paired& other) {
  std::uint64_t alike = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    const bool same = std::ranges::equal(one.tuple(i, Side::kAfter), other.tuple(i, Side::kAfter));
    alike += same ? one.counts[i] : 0;
  }
  return static_cast<double>(alike) / static_cast<double>(one.records());
}

Result<Paired> mask_first_reason(FrequencyTable table, std::uint64_t k, unsigned key) {
  table.columns.resize(1);
  table.tuples.clear();
  table.tuple_counts.clear();
  FuseOptions how;
  how.k = k;
  return mask_tuples(*make_fuse(how), table, key);
}

}  // namespace

Result<Paired> mask_tuples(const Mechanism& mechanism, const FrequencyTable& table,
                           unsigned number) {
  const auto plan = mechanism.fit(table, stream_key(trial_key(number), table.digest(), ""));
  if (!plan) return fail(plan.error());
  const std::size_t width = table.columns.size();
  Paired out = untouched_tuples(table);
  std::vector<std::vector<ConceptId>> columns(width);
  for (std::size_t at = 0; at < out.before.size(); ++at) {
    columns[at % width].push_back(out.before[at]);
  }
  RecordBatch in;
  in.rows = out.size();
  for (const auto& column : columns) in.columns.emplace_back(column);
  MaskedBatch masked;
  masked.counted = false;
  (*plan)->apply(in, masked);
  out.after.clear();
  for (std::size_t i = 0; i < in.rows; ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      const ConceptId z = masked.columns[j][i];
      out.after.push_back(z == kMissing ? out.attributes[j]->missing_value() : z);
    }
  }
  return out;
}

void FuseFigures::add(const FuseFigures& other, double weight) {
  for (double FuseFigures::* figure :
       {&FuseFigures::quality, &FuseFigures::links, &FuseFigures::discernibility,
        &FuseFigures::c_avg, &FuseFigures::linkage, &FuseFigures::clusters}) {
    this->*figure += weight * (other.*figure);
  }
}

void FusedSurvey::add(const FusedSurvey& other, double weight) {
  for (std::size_t m = 0; m < methods.size(); ++m) methods[m].add(other.methods[m], weight);
  for (std::size_t i = 0; i < between.size(); ++i) between[i] += weight * other.between[i];
  alike += weight * other.alike;
  alike_alone += weight * other.alike_alone;
}

Result<FuseBench> FuseBench::open(const ReproduceOptions& options) {
  const auto wordnet = SurveySpace::wordnet(options);
  if (!wordnet) return fail(wordnet.error());
  const auto hierarchy = SurveySpace::vgh();
  if (!hierarchy) return fail(hierarchy.error());
  auto by_wu_palmer = wordnet->measured_by(kThesisWuPalmer);
  if (!by_wu_palmer) return fail(by_wu_palmer.error());
  auto by_path = wordnet->measured_by("path");
  if (!by_path) return fail(by_path.error());
  auto by_leacock = wordnet->measured_by("leacock-chodorow");
  if (!by_leacock) return fail(by_leacock.error());
  auto vgh = hierarchy->measured_by(kThesisWuPalmer);
  if (!vgh) return fail(vgh.error());
  return FuseBench(*std::move(by_wu_palmer), *std::move(by_path), *std::move(by_leacock),
                   *std::move(vgh));
}

const SurveySpace& FuseBench::space(const FuseMethod& method) const {
  if (method.on_vgh) return vgh_;
  const std::string_view measure = method.measure;
  return measure == "path" ? by_path_ : measure == kThesisWuPalmer ? by_wu_palmer_ : by_leacock_;
}

FuseFigures FuseBench::figures(const Paired& pairs, std::uint64_t k, bool clusters) const {
  const Classes released = classes_of(pairs, Side::kAfter);
  // Of the measure path a distance of 1 is the longest way there can be, over the root.
  const double longest = 2.0 * (by_path_.attribute().taxonomy().max_depth() - 1);
  FuseFigures out;
  out.quality = semantic_quality(pairs);
  out.links = (1 - semantic_quality(by_wu_palmer_.in(by_path_, pairs))) * longest;
  out.discernibility = static_cast<double>(discernibility(released));
  out.c_avg = c_avg(released, k);
  out.linkage = 100 * linked_by_equality(pairs);
  if (clusters) out.clusters = cluster_distance(pairs);
  return out;
}

FuseFigures FuseBench::untouched(const Survey& survey) const {
  return figures(untouched_tuples(by_wu_palmer_.table(survey)), 1, false);
}

Result<std::vector<Paired>> FuseBench::masked(const Survey& survey, std::uint64_t k,
                                              unsigned key) const {
  std::vector<Paired> out;
  for (const FuseMethod& method : kFuseMethods) {
    FuseOptions how;
    how.k = k;
    how.guide = method.guide;
    how.heuristics = method.heuristics;
    const SurveySpace& own = space(method);
    auto pairs = mask_tuples(*make_fuse(how), own.table(survey), key);
    if (!pairs) return fail(pairs.error());
    out.push_back(in_order(own.in(by_wu_palmer_, *pairs)));
  }
  return out;
}

Result<FusedSurvey> FuseBench::run(const Survey& survey, std::uint64_t k, unsigned key,
                                   bool clusters) const {
  const auto all = masked(survey, k, key);
  if (!all) return fail(all.error());
  const std::vector<Paired>& masked = *all;
  FusedSurvey out;
  for (std::size_t m = 0; m < masked.size(); ++m) {
    out.methods[m] = figures(masked[m], k, clusters);
  }
  out.alike = share_alike(masked[kPathPlace], masked[kLeacockPlace]);
  const auto by_path = mask_first_reason(by_path_.table(survey), k, key);
  if (!by_path) return fail(by_path.error());
  const auto by_leacock = mask_first_reason(by_leacock_.table(survey), k, key);
  if (!by_leacock) return fail(by_leacock.error());
  out.alike_alone = share_alike(*by_path, *by_leacock);
  if (!clusters) return out;
  for (std::size_t i = 0; i < kCompared.size(); ++i) {
    out.between[i] = cluster_distance(between(masked[kCompared[i][0]], masked[kCompared[i][1]]));
  }
  return out;
}

Result<std::vector<FusedSurvey>> FuseBench::run_trials(std::uint64_t k, bool clusters,
                                                       unsigned threads) const {
  std::vector<Survey> surveys;
  for (unsigned s = 1; s <= kSurveys; ++s) surveys.push_back(draw_survey(s));
  std::vector<Result<FusedSurvey>> runs(std::size_t{kSurveys} * kFuseKeys, FusedSurvey{});
  in_parallel(threads, runs.size(), [&](std::size_t i) {
    runs[i] = run(surveys[i / kFuseKeys], k, static_cast<unsigned>(i % kFuseKeys), clusters);
  });
  std::vector<FusedSurvey> out(1 + kSurveys);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i]) return fail(runs[i].error());
    out[0].add(*runs[i], 1.0 / static_cast<double>(runs.size()));
    out[1 + i / kFuseKeys].add(*runs[i], 1.0 / kFuseKeys);
  }
  return out;
}

}  // namespace semveil::reproduction
