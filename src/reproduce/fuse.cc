// k-anonymous fusion: the thesis's evaluation on a look-alike of its survey, and fusion beside its
// rivals on Adult.
#include <array>

#include "reproduce/fuse_survey.h"

namespace semveil::reproduction {
namespace {

enum Part : unsigned {
  kMeasuresPart = 1,
  kHeuristicsPart,
  kDistributionPart,
  kLinkagePart,
  kClustersPart,
  kAdultPart
};

struct SurveyPart {
  Part number;
  ReproducedPart (*make)(const MeasuredSurveys&);
};
constexpr std::array kSurveyParts{
    SurveyPart{kMeasuresPart, fused_by_measure}, SurveyPart{kHeuristicsPart, fused_by_heuristics},
    SurveyPart{kDistributionPart, fused_by_distribution},
    SurveyPart{kLinkagePart, fused_and_linked}, SurveyPart{kClustersPart, fused_and_clustered}};

}  // namespace

Result<std::vector<ReproducedPart>> fuse(const ReproduceOptions& options) {
  const auto wanted = [&](Part part) { return options.part.value_or(part) == part; };
  const bool survey = options.part.value_or(kMeasuresPart) != kAdultPart;
  if (wanted(kAdultPart)) {  // before time is spent
    if (Status there = adult_is_there(options.data); !there) return fail(there.error());
  }
  Runs runs(options.work, "k-anonymous fusion",
            (survey ? kFuseKs.size() : 0) + (wanted(kAdultPart) ? adult_runs() : 0));
  std::vector<ReproducedPart> parts;
  if (survey) {
    const auto measured = measure_surveys(options, wanted(kClustersPart), runs);
    if (!measured) return fail(measured.error());
    for (const SurveyPart& part : kSurveyParts) {
      if (wanted(part.number)) parts.push_back(part.make(*measured));
    }
  }
  if (wanted(kAdultPart)) {
    auto part = fused_adult(options, runs);
    if (!part) return fail(part.error());
    parts.push_back(*std::move(part));
  }
  return parts;
}

}  // namespace semveil::reproduction
