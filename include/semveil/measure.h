// Semantic distances: how far apart two concepts of one taxonomy are in meaning.
//
// Every measure answers in three forms: one pair, one concept to all others, and all pairs of two
// lists. All three give the same bits. Values lie in [0, 1]; 0 for a concept and itself.
//
//   measure             distance of a and b, l = LCS(a, b)
//   wu-palmer           1 − 2 depth(l) / (2 depth(l) + path(a,l) + path(b,l))
//   wu-palmer-edges     the same with depth(l) − 1
//   path                p / (2 (D − 1)), p the fewest links through any common subsumer
//   leacock-chodorow    ln(p + 1) / ln(2 D)
//   resnik              1 − IC(l) / max IC
//   lin                 1 − 2 IC(l) / (IC(a) + IC(b))
//   jiang-conrath       (IC(a) + IC(b) − 2 IC(l)) / (2 max IC)
//   sanchez             log2(1 + (|A ∪ B| − |A ∩ B|) / |A ∪ B|), A, B what lies above a, b
//   tversky             1 − |A ∩ B| / (|A ∩ B| + γ |A \ B| + (1 − γ) |B \ A|), A, B the names above
//   rodriguez-egenhofer 1 − (w, u, v)-weighted mean of tversky's quotient over names, features
//   (parts
//                       or gloss words) and neighbours
//   x-similarity        0 for a shared name, else 1 − the best overlap of neighbours or gloss
//   gloss-vector        1 − the cosine of the vectors of words that gloss words occur with
//
// D, N and IC are those of the taxonomy given: pass a domain's. A denominator of 0 gives 0.
// The last four compare names and definitions (docs/measures.md): choose_measure() collects them.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "semveil/information_content.h"
#include "semveil/result.h"
#include "semveil/taxonomy.h"

namespace [[gnu::visibility("default")]] semveil {

// A distance and the common subsumer that accounts for it.
struct Explanation {
  double distance = 0;
  Subsumer subsumer{};
};

class DistanceMatrix {
 public:
  explicit DistanceMatrix(std::size_t size);
  std::size_t size() const { return size_; }
  double operator()(std::size_t i, std::size_t j) const { return values_[i * size_ + j]; }
  std::span<const double> row(std::size_t i) const { return {values_.get() + i * size_, size_}; }
  std::span<double> row(std::size_t i) { return {values_.get() + i * size_, size_}; }

 private:
  std::size_t size_;
  std::unique_ptr<double[]> values_;
};

// Distances of one concept to all others, told by their order.
struct Levels {
  // By ConceptId: equal for equal distances, greater for greater ones.
  std::span<const std::uint32_t> of;
  std::span<const double> distance;  // by level, ascending
};

// What one step down the taxonomy, from the only parent p of a concept c to c, does to distances.
struct StepDown {
  double least_loss;     // sd(c,v) − sd(p,v), at least, for any v not at or below c; < 0: unknown
  double greatest_gain;  // sd(p,v) − sd(c,v), at most, for any v at or below c
};

class Measure {  // immutable, thread-safe
 public:
  using VisitRow = std::function<void(std::size_t, std::span<const double>)>;

  virtual ~Measure() = default;

  virtual std::string_view name() const = 0;
  virtual const Taxonomy& taxonomy() const = 0;
  // No allocation, except that the first call on a taxonomy builds its ancestor index.
  virtual double distance(ConceptId a, ConceptId b) const = 0;
  // For people: walks up from both; needs no index.
  virtual Explanation explain(ConceptId a, ConceptId b) const = 0;
  // out[c] = distance(source, c) for every concept.
  virtual void from(ConceptId source, std::span<double> out) const = 0;
  // The distances from sources[i] to every concept as levels, for i = 0, 1, …; what is shown lives
  // until visit returns. Cost: for edge-counting measures a sweep over the taxonomy for 16 sources.
  virtual void levels(std::span<const ConceptId> sources,
                      const std::function<void(std::size_t, const Levels&)>& visit) const;
  // What levels() take from one source, in the steps of work_limits.h.
  virtual double level_steps() const;
  // The distances from sources[i] to targets[0 …], for i = 0, 1, …; the row lives until visit
  // returns. Cost: what lies above the targets, for every few sources.
  virtual void rows(std::span<const ConceptId> sources, std::span<const ConceptId> targets,
                    const VisitRow& visit) const = 0;
  void rows(std::span<const ConceptId> list, const VisitRow& visit) const {
    rows(list, list, visit);
  }

  // Distances closer than this are equal: 0 where equal quotients of integers give equal doubles.
  virtual double tie() const = 0;
  // Of a concept with exactly one parent. Least loss 0 or more holds to the last bit.
  virtual StepDown step_down(ConceptId c) const = 0;

  // Whether the formula as published tells a from b; distance() is then the mean of both ways.
  virtual bool is_symmetrised() const { return false; }
  // The formula as published, from a to b.
  virtual double directed(ConceptId a, ConceptId b) const { return distance(a, b); }

  DistanceMatrix among(std::span<const ConceptId> list) const;
};

enum class LcsRule : std::uint8_t {
  kDeepest,  // as in taxonomy.h
  kMica,     // greatest IC, then greatest depth, then smallest id; IC measures only
};

struct ConceptFeatures;  // names, gloss words and parts of a domain's concepts

// How much names, features and the neighbourhood weigh in rodriguez-egenhofer: w, u, v of its
// formula. Each from 0 to 1, together 1.
struct FeatureWeights {
  double names = 1.0 / 3, features = 1.0 / 3, neighbours = 1.0 / 3;
  bool operator==(const FeatureWeights&) const = default;
};
// From w, u, v as users write them: three of them, each from 0 to 1, whose sum is 1 up to 1e-6, so
// that 0.333333 may be written for a third; the weights are then divided by their sum.
Result<FeatureWeights> feature_weights(std::span<const double> w_u_v);

struct MeasureOptions {
  std::string name = "wu-palmer";
  LcsRule lcs = LcsRule::kDeepest;
  // For the IC measures; without it Seco's intrinsic one is computed.
  std::shared_ptr<const InformationContent> ic = nullptr;
  // For the measures that compare names or definitions; they cannot do without.
  std::shared_ptr<const ConceptFeatures> features = nullptr;
  FeatureWeights weights{};
};

// A measure as users write it.
struct MeasureChoice {
  std::string name = "wu-palmer";
  // seco | sanchez | a file of frequencies | corpus:FILE, a text | data, the column's records
  std::string ic = "seco";
  std::string lcs = "deepest";  // deepest | mica
  FeatureWeights weights{};     // of rodriguez-egenhofer alone
};
inline constexpr std::string_view kCorpusIc = "corpus:";
inline constexpr std::string_view kDataIc = "data";

// Computes or reads the information content and the features that the choice asks for. `ic`, where
// given, stands for what the choice names; that of a corpus or of data must be given (mapping.h
// counts them).
Result<MeasureOptions> choose_measure(const MeasureChoice& choice, const Domain& domain,
                                      const Names& names,
                                      std::shared_ptr<const InformationContent> ic = nullptr);

// An unknown name is a usage error that lists the known ones.
Result<std::unique_ptr<const Measure>> make_measure(std::shared_ptr<const Taxonomy> taxonomy,
                                                    const MeasureOptions& options = {});
std::span<const std::string_view> measure_names();
// Whether the measure is one on information content.
bool uses_information_content(std::string_view measure);

}  // namespace semveil
