// The survey masked in every way the thesis compares, and what it measures of each.
#pragma once

#include "reproduce/experiment.h"
#include "reproduce/survey.h"
#include "semveil/fuse.h"

namespace semveil::reproduction {

// Every distinct tuple of the table and what the mechanism makes of it, with the key of this trial.
Result<Paired> mask_tuples(const Mechanism& mechanism, const FrequencyTable& table,
                           unsigned number);

// In the order of kFuseMethods.
enum FusePlace : std::size_t {
  kWordNetPlace,  // Wu-Palmer, all heuristics
  kPathPlace,
  kLeacockPlace,
  kTwoHeuristicsPlace,
  kOneHeuristicPlace,
  kRandomFusePlace,  // no heuristic
  kDiscernibilityPlace,
  kVghPlace,
  kRandomRecordPlace,  // the thesis's own random substitution
};
struct FuseMethod {
  const char* name;
  const char* knows;
  const char* measure;
  FuseGuide guide;
  unsigned heuristics;
  bool on_vgh;
};
// Wu-Palmer as thesis eq 7 has it.
inline constexpr const char* kThesisWuPalmer = "wu-palmer-edges";
inline constexpr std::array kFuseMethods{
    FuseMethod{"Wu-Palmer", "WordNet", kThesisWuPalmer, FuseGuide::kSemantic, 3, false},
    FuseMethod{"path", "WordNet by path", "path", FuseGuide::kSemantic, 3, false},
    FuseMethod{"Leacock-Chodorow", "WordNet by Leacock-Chodorow", "leacock-chodorow",
               FuseGuide::kSemantic, 3, false},
    FuseMethod{"H1 and H2", "WordNet, H1 and H2", kThesisWuPalmer, FuseGuide::kSemantic, 2, false},
    FuseMethod{"H1", "H1", kThesisWuPalmer, FuseGuide::kSemantic, 1, false},
    FuseMethod{"random", "random", kThesisWuPalmer, FuseGuide::kRandom, 0, false},
    FuseMethod{"discernibility", "discernibility", kThesisWuPalmer, FuseGuide::kDiscernibility, 1,
               false},
    FuseMethod{"VGH", "VGH", kThesisWuPalmer, FuseGuide::kSemantic, 3, true},
    FuseMethod{"random record", "random record", kThesisWuPalmer, FuseGuide::kRandomRecord, 0,
               false}};

inline constexpr std::array kFuseKs{2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0, 20.0};
inline constexpr unsigned kSurveys = 5;
inline constexpr unsigned kFuseKeys = 5;  // of each survey

// Of one masked survey; averages have the same form.
struct FuseFigures {
  double quality = 0;         // eq 22, Wu-Palmer in WordNet
  double links = 0;           // eq 5: mean links between a value and its replacement in WordNet
  double discernibility = 0;  // eq 1
  double c_avg = 0;           // eq 2
  double linkage = 0;         // eq 27-28, percent
  double clusters = 0;        // eq 23, to the original's; if asked for
  void add(const FuseFigures& other, double weight);
};
// Whose clusters are compared with each other.
inline constexpr std::array<std::array<FusePlace, 2>, 3> kCompared{
    {{kWordNetPlace, kVghPlace},
     {kWordNetPlace, kDiscernibilityPlace},
     {kVghPlace, kDiscernibilityPlace}}};
struct FusedSurvey {
  std::array<FuseFigures, kFuseMethods.size()> methods;
  std::array<double, kCompared.size()> between{};  // eq 23; if asked for
  // Records that path and Leacock-Chodorow give the same values; of the first reason alone.
  double alike = 0, alike_alone = 0;
  void add(const FusedSurvey& other, double weight);
};

// Everything that masks and measures surveys: read once, then shared by threads.
class FuseBench {
 public:
  static Result<FuseBench> open(const ReproduceOptions& options);

  Result<FusedSurvey> run(const Survey& survey, std::uint64_t k, unsigned key, bool clusters) const;
  // The survey masked in every way, in the order of kFuseMethods; pairs of the same tuples.
  Result<std::vector<Paired>> masked(const Survey& survey, std::uint64_t k, unsigned key) const;
  // Each survey with each key: their average first, then the average of each survey.
  Result<std::vector<FusedSurvey>> run_trials(std::uint64_t k, bool clusters,
                                              unsigned threads) const;
  // Of the survey as it is.
  FuseFigures untouched(const Survey& survey) const;

 private:
  FuseBench(SurveySpace by_wu_palmer, SurveySpace by_path, SurveySpace by_leacock, SurveySpace vgh)
      : by_wu_palmer_(std::move(by_wu_palmer)),
        by_path_(std::move(by_path)),
        by_leacock_(std::move(by_leacock)),
        vgh_(std::move(vgh)) {}
  const SurveySpace& space(const FuseMethod& method) const;
  FuseFigures figures(const Paired& pairs, std::uint64_t k, bool clusters) const;

  SurveySpace by_wu_palmer_, by_path_, by_leacock_, vgh_;
};

}  // namespace semveil::reproduction
