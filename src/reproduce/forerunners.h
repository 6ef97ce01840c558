// The two forerunners of the thesis (both in its appendix): ontology-based recoding (IPMU 2010) and
// fusion of one attribute (MDAI 2010), on a look-alike of their answers.
//
// Both masked the first reason of the 975 visitors before it was cleaned for the thesis: 221
// different answers, 84 of them given once (IPMU Table 1). The answers are not public. In their
// place stand the reasons of survey.h, and concepts beside or below them in WordNet, drawn until
// there are 221; they get exactly the printed repetitions, the reasons the greatest.
#pragma once

#include "reproduce/fuse_curves.h"

namespace semveil::reproduction {

inline constexpr std::array kForerunnerRepetitions{
    Repetition{1, 84}, Repetition{2, 9},  Repetition{3, 6},  Repetition{4, 24},
    Repetition{5, 23}, Repetition{6, 37}, Repetition{7, 12}, Repetition{8, 1},
    Repetition{9, 2},  Repetition{11, 7}, Repetition{12, 5}, Repetition{13, 1},
    Repetition{15, 5}, Repetition{16, 2}, Repetition{18, 2}, Repetition{19, 1}};

struct Answers {  // of one question
  std::vector<ConceptId> values;
  std::vector<std::uint64_t> counts;
};
// The generator is fixed: a seed gives the same answers everywhere.
Answers draw_answers(const SurveySpace& space, unsigned seed);

// What the forerunners compare.
enum ForerunnerPlace : std::size_t {
  kRecodeWuPalmer,
  kRecodePath,
  kRecodeLeacock,
  kRandomAnonymous,  // IPMU: a random value that has k
  kNaive,            // MDAI: that of a random record, in alphabetical order
  kFuseWuPalmer,
  kFusePath,
  kFuseLeacock,
  kFuseDiscernibility,
  kForerunnerPlaces
};
std::string_view name_of(ForerunnerPlace place);

struct ForerunnerFigures {
  double quality = 0;  // 1 − mean distance, Wu-Palmer of thesis eq 7
  double links = 0;    // mean links between a value and its replacement
  double ic_loss = 0;  // IPMU eq 4: mean IC before less that after, in nats
};
using ForerunnerFigure = double ForerunnerFigures::*;
using MaskedAnswers = std::array<ForerunnerFigures, kForerunnerPlaces>;

// By k: averages over several draws of the answers with several keys each.
struct MeasuredForerunners {
  std::array<MaskedAnswers, kFuseKs.size()> by_k;
  bool alike = true;  // path and Leacock-Chodorow gave the same tables everywhere

  CurveOverK curve(ForerunnerPlace place, ForerunnerFigure figure) const;
};
Result<MeasuredForerunners> measure_forerunners(const ReproduceOptions& options, Runs& runs);

ReproducedPart recoded_answers(const MeasuredForerunners& measured);  // IPMU figures 1 and 2
ReproducedPart fused_answers(const MeasuredForerunners& measured);    // MDAI figures 1-3

// Thesis figure 15 and MDAI figure 4: run time by k.
std::uint64_t timed_fusions(const ReproduceOptions& options);
Result<ReproducedPart> fusion_timed(const ReproduceOptions& options, Runs& runs);

// Thesis figures 10-13: dendrograms of the survey and of what is left of it.
Result<ReproducedPart> fusion_dendrograms(const ReproduceOptions& options, Runs& runs);

}  // namespace semveil::reproduction
