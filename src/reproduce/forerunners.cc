#include "reproduce/forerunners.h"

#include <algorithm>
#include <random>
#include <set>

#include "base/parallel.h"
#include "figures/column_figures.h"
#include "figures/utility.h"
#include "mechanisms/common/random_choices.h"

namespace semveil::reproduction {
namespace {

// A child of the concept, or another child of one of its parents; nothing where there is none.
std::optional<ConceptId> draw_neighbour(const Taxonomy& taxonomy, ConceptId c,
                                        std::mt19937& random) {
  std::vector<ConceptId> beside(taxonomy.children(c).begin(), taxonomy.children(c).end());
  for (const ConceptId parent : taxonomy.parents(c)) {
    for (const ConceptId child : taxonomy.children(parent)) {
      if (child != c) beside.push_back(child);
    }
  }
  if (beside.empty()) return std::nullopt;
  std::ranges::sort(beside, {}, [&](ConceptId x) { return taxonomy.id_rank(x); });
  return beside[random() % beside.size()];
}

// IPMU, section 5: "each word is replaced by a random one which accomplishes the desired
// k-anonymity"; of all others while there is none.
Paired substitute_at_random(const FrequencyTable& table, std::uint64_t k, unsigned number) {
  Paired out;
  out.attributes = {table.columns[0].attribute};
  out.before = table.columns[0].values.values;
  out.counts = table.columns[0].values.counts;
  std::vector<std::size_t> goes_to(out.size());
  std::vector<std::uint64_t> size = out.counts;
  RandomChoices random(trial_key(number), "random substitution", {});
  for (std::size_t i = 0; i < goes_to.size(); ++i) goes_to[i] = i;
  for (std::size_t i = 0; i < goes_to.size(); ++i) {
    while (size[goes_to[i]] < k) {
      const std::size_t from = goes_to[i];
      std::vector<std::size_t> targets;
      for (const std::uint64_t least : {k, std::uint64_t{1}}) {
        for (std::size_t t = 0; t < size.size(); ++t) {
          if (t != from && size[t] >= least) targets.push_back(t);
        }
        if (!targets.empty()) break;
      }
      if (targets.empty()) break;
      const std::size_t to = targets[random.one_of(targets.size())];
      size[to] += size[from];
      size[from] = 0;
      std::ranges::replace(goes_to, from, to);
    }
  }
  for (const std::size_t to : goes_to) out.after.push_back(out.before[to]);
  return out;
}

struct ForerunnerMethod {
  std::string_view name, measure;
  bool recodes;
  FuseGuide guide;
};
constexpr std::array<ForerunnerMethod, kForerunnerPlaces> kMethods{{
    {"Wu-Palmer", kThesisWuPalmer, true, FuseGuide::kSemantic},
    {"path", "path", true, FuseGuide::kSemantic},
    {"Leacock-Chodorow", "leacock-chodorow", true, FuseGuide::kSemantic},
    {"random", kThesisWuPalmer, false, FuseGuide::kRandom},
    {"naive", kThesisWuPalmer, false, FuseGuide::kRandomRecord},
    {"Wu-Palmer", kThesisWuPalmer, false, FuseGuide::kSemantic},
    {"path", "path", false, FuseGuide::kSemantic},
    {"Leacock-Chodorow", "leacock-chodorow", false, FuseGuide::kSemantic},
    {"discernibility", kThesisWuPalmer, false, FuseGuide::kDiscernibility},
}};

std::unique_ptr<const Mechanism> mechanism_of(const ForerunnerMethod& method, std::uint64_t k) {
  if (method.recodes) {
    return make_recode({.k = k, .algorithm = RecodeAlgorithm::kRecoding});
  }
  return make_fuse({.k = k, .guide = method.guide});
}

class ForerunnerBench {
 public:
  static Result<ForerunnerBench> open(const ReproduceOptions& options) {
    ForerunnerBench out;
    const auto wordnet = SurveySpace::wordnet(options);
    if (!wordnet) return fail(wordnet.error());
    for (const std::string_view measure :
         {std::string_view(kThesisWuPalmer), std::string_view("path"),
          std::string_view("leacock-chodorow")}) {
      const auto space = wordnet->measured_by(std::string(measure));
      if (!space) return fail(space.error());
      out.attributes_[std::string(measure)] = space->first_reason();
    }
    for (unsigned s = 1; s <= kSurveys; ++s) out.answers_.push_back(draw_answers(*wordnet, s));
    return out;
  }

  struct Run {
    MaskedAnswers figures;
    bool alike = true;
  };
  Result<Run> run(std::size_t answers, std::uint64_t k, unsigned key) const {
    Run out;
    std::array<Paired, kForerunnerPlaces> masked;
    for (std::size_t m = 0; m < kMethods.size(); ++m) {
      const FrequencyTable table = count(records(answers_[answers], kMethods[m].measure));
      if (m == kRandomAnonymous) {
        masked[m] = substitute_at_random(table, k, key);
      } else {
        auto pairs = mask_tuples(*mechanism_of(kMethods[m], k), table, key);
        if (!pairs) return fail(pairs.error());
        masked[m] = *std::move(pairs);
      }
      out.figures[m] = figures(masked[m]);
    }
    out.alike = masked[kRecodePath].after == masked[kRecodeLeacock].after &&
                masked[kFusePath].after == masked[kFuseLeacock].after;
    return out;
  }

 private:
  const std::shared_ptr<const Attribute>& by(std::string_view measure) const {
    return attributes_.find(measure)->second;
  }
  Records records(const Answers& answers, std::string_view measure) const {
    Records out;
    out.attributes = {by(measure)};
    std::vector<ConceptId>& column = out.columns.emplace_back();
    for (std::size_t i = 0; i < answers.values.size(); ++i) {
      column.insert(column.end(), answers.counts[i], answers.values[i]);
    }
    return out;
  }
  ForerunnerFigures figures(const Paired& pairs) const {
    // Of the measure path a distance of 1 is the longest way there can be, over the root.
    const double longest = 2.0 * (by("path")->taxonomy().max_depth() - 1);
    ForerunnerFigures out;
    out.quality = semantic_quality(pairs.with({by(kThesisWuPalmer)}));
    out.links = (1 - semantic_quality(pairs.with({by("path")}))) * longest;
    AuditedColumn column;
    audit_distribution(*pairs.attributes[0], column_counts(classes_of(pairs, Side::kBefore), 0),
                       column_counts(classes_of(pairs, Side::kAfter), 0), 1, column);
    out.ic_loss = column.ic_loss.value_or(0);
    return out;
  }

  std::map<std::string, std::shared_ptr<const Attribute>, std::less<>> attributes_;
  std::vector<Answers> answers_;
};

}  // namespace

std::string_view name_of(ForerunnerPlace place) { return kMethods[place].name; }

Answers draw_answers(const SurveySpace& space, unsigned seed) {
  std::size_t wanted = 0;
  for (const Repetition& repetition : kForerunnerRepetitions) wanted += repetition.answers;
  std::mt19937 random(seed);  // the standard's own, whose numbers are fixed
  Answers out;
  std::set<ConceptId> seen;
  for (std::size_t r = 0; r < space.size() && out.values.size() < wanted; ++r) {
    if (seen.insert(space.concept_of(r)).second) out.values.push_back(space.concept_of(r));
  }
  const Taxonomy& taxonomy = space.first_reason()->taxonomy();
  while (out.values.size() < wanted) {
    const ConceptId reason = space.concept_of(random() % space.size());
    const std::optional<ConceptId> drawn = draw_neighbour(taxonomy, reason, random);
    if (drawn && seen.insert(*drawn).second) out.values.push_back(*drawn);
  }
  for (auto repetition = kForerunnerRepetitions.rbegin();
       repetition != kForerunnerRepetitions.rend(); ++repetition) {
    out.counts.insert(out.counts.end(), repetition->answers, repetition->records);
  }
  return out;
}

CurveOverK MeasuredForerunners::curve(ForerunnerPlace place, ForerunnerFigure figure) const {
  CurveOverK out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = by_k[i][place].*figure;
  return out;
}

Result<MeasuredForerunners> measure_forerunners(const ReproduceOptions& options, Runs& runs) {
  const auto bench = ForerunnerBench::open(options);
  if (!bench) return fail(bench.error());
  MeasuredForerunners out;
  constexpr unsigned kRuns = kSurveys * kFuseKeys;
  for (std::size_t i = 0; i < kFuseKs.size(); ++i) {
    std::vector<Result<ForerunnerBench::Run>> trials(kRuns, ForerunnerBench::Run{});
    in_parallel(options.work.threads, kRuns, [&](std::size_t t) {
      trials[t] = bench->run(t / kFuseKeys, static_cast<std::uint64_t>(kFuseKs[i]),
                             static_cast<unsigned>(t % kFuseKeys));
    });
    for (const auto& trial : trials) {
      if (!trial) return fail(trial.error());
      out.alike = out.alike && trial->alike;
      for (std::size_t m = 0; m < kForerunnerPlaces; ++m) {
        for (const ForerunnerFigure figure :
             {&ForerunnerFigures::quality, &ForerunnerFigures::links,
              &ForerunnerFigures::ic_loss}) {
          out.by_k[i][m].*figure += trial->figures[m].*figure / kRuns;
        }
      }
    }
    runs.done();
  }
  return out;
}

}  // namespace semveil::reproduction
