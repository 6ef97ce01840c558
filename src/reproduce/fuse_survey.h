// Parts 1-5 of `fuse`: the look-alike survey, masked as the thesis masks its own.
#pragma once

#include "reproduce/claims.h"
#include "reproduce/fuse_trial.h"

namespace semveil::reproduction {

inline constexpr double kFuseTolerance = 0.01;  // of claims on figures between 0 and 1

// By k: the average over all surveys, then that of each survey.
struct MeasuredSurveys {
  std::array<std::vector<FusedSurvey>, kFuseKs.size()> by_k;
  FuseFigures untouched;

  const FuseFigures& of(FusePlace method, std::size_t k) const {
    return by_k[k][0].methods[method];
  }
};
Result<MeasuredSurveys> measure_surveys(const ReproduceOptions& options, bool clusters, Runs& runs);

ReproducedPart fused_by_measure(const MeasuredSurveys& measured);       // figures 2 and 3
ReproducedPart fused_by_heuristics(const MeasuredSurveys& measured);    // figure 4
ReproducedPart fused_by_distribution(const MeasuredSurveys& measured);  // figures 5-8
ReproducedPart fused_and_linked(const MeasuredSurveys& measured);       // figure 14
ReproducedPart fused_and_clustered(const MeasuredSurveys& measured);    // Table 6

// Part 6, Adult: fusion beside its rivals.
Status adult_is_there(const std::string& folder);
std::uint64_t adult_runs();
Result<ReproducedPart> fused_adult(const ReproduceOptions& options, Runs& runs);

}  // namespace semveil::reproduction
