// k-anonymous fusion: the thesis's evaluation on a look-alike of its survey, fusion beside its
// rivals on Adult, and the thesis's two forerunners.
#include <array>

#include "reproduce/forerunners.h"

namespace semveil::reproduction {
namespace {

enum FusePart : unsigned {
  kMeasuresPart = 1,
  kHeuristicsPart,
  kDistributionPart,
  kLinkagePart,
  kClustersPart,
  kAdultPart,
  kRecodedPart,
  kAnswersPart,
  kFuseTimePart,
  kDendrogramsPart
};

struct SurveyPart {
  FusePart number;
  ReproducedPart (*make)(const MeasuredSurveys&);
};
constexpr std::array kSurveyParts{
    SurveyPart{kMeasuresPart, fused_by_measure}, SurveyPart{kHeuristicsPart, fused_by_heuristics},
    SurveyPart{kDistributionPart, fused_by_distribution},
    SurveyPart{kLinkagePart, fused_and_linked}, SurveyPart{kClustersPart, fused_and_clustered}};

}  // namespace

Result<std::vector<ReproducedPart>> fuse(const ReproduceOptions& options) {
  const auto wanted = [&](FusePart part) { return options.part.value_or(part) == part; };
  const bool survey = options.part.value_or(kMeasuresPart) <= kClustersPart;
  const bool forerunners = wanted(kRecodedPart) || wanted(kAnswersPart);
  if (wanted(kAdultPart)) {  // before time is spent
    if (Status there = adult_is_there(options.data); !there) return fail(there.error());
  }
  Runs runs(options.work, "k-anonymous fusion",
            (survey ? kFuseKs.size() : 0) + (wanted(kAdultPart) ? adult_runs() : 0) +
                (forerunners ? kFuseKs.size() : 0) +
                (wanted(kFuseTimePart) ? timed_fusions(options) : 0) +
                (wanted(kDendrogramsPart) ? kSurveys : 0));
  std::vector<ReproducedPart> parts;
  if (survey) {
    const auto measured = measure_surveys(options, wanted(kClustersPart), runs);
    if (!measured) return fail(measured.error());
    for (const SurveyPart& part : kSurveyParts) {
      if (wanted(part.number)) parts.push_back(part.make(*measured));
    }
  }
  const auto add = [&](Result<ReproducedPart> part) -> Status {
    if (!part) return fail(part.error());
    parts.push_back(*std::move(part));
    return {};
  };
  if (wanted(kAdultPart)) {
    if (Status done = add(fused_adult(options, runs)); !done) return fail(done.error());
  }
  if (forerunners) {
    const auto measured = measure_forerunners(options, runs);
    if (!measured) return fail(measured.error());
    if (wanted(kRecodedPart)) parts.push_back(recoded_answers(*measured));
    if (wanted(kAnswersPart)) parts.push_back(fused_answers(*measured));
  }
  if (wanted(kFuseTimePart)) {
    if (Status done = add(fusion_timed(options, runs)); !done) return fail(done.error());
  }
  if (wanted(kDendrogramsPart)) {
    if (Status done = add(fusion_dendrograms(options, runs)); !done) return fail(done.error());
  }
  return parts;
}

}  // namespace semveil::reproduction
