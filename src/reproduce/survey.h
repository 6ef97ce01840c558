// A look-alike of the thesis's survey: 975 visitors of a nature park and their first and second
// reason to come.
//
// The answers are not public; how often each pair of reasons was given is (Table 5). So pairs are
// drawn from a list of reasons, concepts of WordNet, and get exactly these repetitions: 211
// different answers, 118 of them given once.
#pragma once

#include <array>
#include <map>

#include "figures/paired.h"
#include "reproduce/trial.h"

namespace semveil::reproduction {

struct Repetition {
  std::uint64_t records;  // of an answer
  std::size_t answers;    // that have so many
};
inline constexpr std::array kRepetitions{
    Repetition{1, 118}, Repetition{2, 26}, Repetition{3, 20}, Repetition{4, 9},  Repetition{5, 10},
    Repetition{7, 3},   Repetition{8, 2},  Repetition{9, 3},  Repetition{10, 2}, Repetition{11, 3},
    Repetition{13, 2},  Repetition{14, 1}, Repetition{15, 1}, Repetition{17, 2}, Repetition{18, 1},
    Repetition{19, 1},  Repetition{23, 1}, Repetition{25, 1}, Repetition{40, 1}, Repetition{65, 1},
    Repetition{66, 1},  Repetition{82, 1}, Repetition{115, 1}};

// A reason, its sense in WordNet 3.0, and where a hierarchy made for this survey puts it.
struct Reason {
  std::string_view name, sense, group;
};
// The most usual ones first.
std::span<const Reason> reasons();

struct Survey {
  std::vector<std::array<std::uint32_t, 2>> answers;  // places among the reasons, each pair once
  std::vector<std::uint64_t> counts;
};
// The generator is fixed: a seed gives the same survey everywhere.
Survey draw_survey(unsigned seed);

// What the reasons are in some taxonomy, and how far apart.
class SurveySpace {
 public:
  // WordNet as a whole. Measures as in semveil/measure.h.
  static Result<SurveySpace> wordnet(const ReproduceOptions& options);
  // A hierarchy of groups made for these very reasons: reason, group, field, everything.
  static Result<SurveySpace> vgh();
  Result<SurveySpace> measured_by(const std::string& measure) const;

  std::size_t size() const { return concepts_.size(); }
  ConceptId concept_of(std::size_t reason) const { return concepts_[reason]; }
  const Attribute& attribute() const { return *attributes_[0]; }
  const std::shared_ptr<const Attribute>& first_reason() const { return attributes_[0]; }
  FrequencyTable table(const Survey& survey) const;
  // Pairs of concepts of this space as those of another.
  Paired in(const SurveySpace& other, const Paired& pairs) const;

 private:
  std::array<std::shared_ptr<const Attribute>, 2> attributes_;  // first reason, second reason
  std::vector<ConceptId> concepts_;                             // by reason
  std::map<ConceptId, std::size_t> reason_of_;
};

}  // namespace semveil::reproduction
