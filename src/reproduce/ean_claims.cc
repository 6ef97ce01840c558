#include "reproduce/ean_claims.h"

#include <fmt/format.h>

#include <algorithm>

namespace semveil::reproduction {
namespace {

constexpr double kRoundingOfMeans = 1e-9;  // which are 2^-36 fine
constexpr double kChance = 0.005;          // three standard errors of a mean over the records

using Of = const AttackedSets&;
constexpr SetFigure kWorst = [](Of of) { return of.disclosure.worst; };
constexpr SetFigure kGuessed = [](Of of) { return of.skewness.right; };
constexpr SetFigure kSkewed = [](Of of) { return of.skewness.mean; };
constexpr SetFigure kCounted = [](Of of) { return of.similarity.counted.mean; };
constexpr SetFigure kMostCounted = [](Of of) { return of.similarity.counted.greatest; };
constexpr SetFigure kWeighted = [](Of of) { return of.similarity.weighted.mean; };
constexpr SetFigure kCategoryGuessed = [](Of of) { return of.similarity.weighted.right; };

class AttackClaims {
 public:
  AttackClaims(const AttackedByMethod& attacked, ReproducedPart& part)
      : attacked_(attacked), part_(part) {}

  void check() const {
    disclosure();
    skewness();
    similarity();
    repeated();
    beyond();
  }

 private:
  // How much more than 1/l at each l.
  Verdict bounded(SetMethod method, SetFigure figure) const {
    Verdict out{true, ""};
    for (std::size_t i = 0; i < kSetSizes.size(); ++i) {
      out.holds = out.holds && figure(attacked_[method][i]) <= 1 / kSetSizes[i] + kRoundingOfMeans;
    }
    out.figures = listed("l", kSetSizes, [&](std::size_t i) {
      const double found = figure(attacked_[method][i]);
      return fmt::format("{:.3f}, {:.2f} times 1/l", found, found * kSetSizes[i]);
    });
    return out;
  }
  Verdict exceeds(SetMethod method, SetFigure figure) const {
    Verdict out{true, ""};
    for (std::size_t i = 0; i < kSetSizes.size(); ++i) {
      out.holds = out.holds && figure(attacked_[method][i]) > 1 / kSetSizes[i] + kRoundingOfMeans;
    }
    out.figures = bounded(method, figure).figures;
    return out;
  }
  // By more than chance at every l.
  Verdict less(SetMethod a, SetMethod b, SetFigure figure) const {
    Verdict out{true, ""};
    for (std::size_t i = 0; i < kSetSizes.size(); ++i) {
      out.holds = out.holds && figure(attacked_[a][i]) < figure(attacked_[b][i]) - kChance;
    }
    out.figures = listed("l", kSetSizes, [&](std::size_t i) {
      return fmt::format("{:.3f} and {:.3f}", figure(attacked_[a][i]), figure(attacked_[b][i]));
    });
    return out;
  }
  // The shares of records that an attacker believes more than 1/l of.
  std::string above(SetMethod method) const {
    return listed("l", kSetSizes, [&](std::size_t i) {
      return fmt::format("{:.0f} %", 100 * attacked_[method][i].disclosure.above);
    });
  }

  void disclosure() const {
    const Claims claims("Attribute disclosure", part_);
    claims.add("EAN: no more than 1/l is believed of a true value", bounded(kEanUniform, kWorst),
               "a value is believed by its frequency times the size of its category: frequent "
               "values of large categories stand out. Above 1/l are, of the records, " +
                   above(kEanUniform));
    claims.add(
        "AN: no more than 1/l is believed of a true value", bounded(kAdditive, kWorst),
        "a value is believed by its frequency. Above 1/l are, of the records, " + above(kAdditive));
  }
  void skewness() const {
    const Claims claims("Skewness", part_);
    claims.add(
        "EAN resists: the likeliest value is right for no more than 1/l of the records",
        bounded(kEanUniform, kGuessed),
        "categories say nothing of frequencies: someone who knows them guesses the frequent value");
    claims.add("AN does not resist", exceeds(kAdditive, kGuessed),
               "frequencies are too equal to tell");
    claims.add("EAN resists better than AN: the likeliest value is believed less",
               less(kEanUniform, kAdditive, kSkewed),
               "a value's frequency counts times the size of its category, and a set of EAN always "
               "has rare categories in it");
  }
  void similarity() const {
    const Claims claims("Similarity", part_);
    claims.add("EAN resists as the paper counts: no category has more than 1/l of a set",
               bounded(kEanUniform, kMostCounted), "an error of the program");
    claims.add("AN does not resist as the paper counts", exceeds(kAdditive, kCounted),
               "sets of AN rarely hold relatives");
    claims.add("EAN resists someone who knows frequencies: the likeliest category has 1/l",
               bounded(kEanUniform, kWeighted),
               "a category stands in a set by one value, which is believed as in the skewness "
               "attack");
    claims.add("EAN resists better than AN: the category is guessed less often",
               less(kEanUniform, kAdditive, kCategoryGuessed),
               "with 10 categories of 14 values AN has few relatives in a set, and EAN always the "
               "rare values");
  }
  void repeated() const {
    const Claims claims("Repeated release", part_);
    claims.add("EAN: nothing more is known of any value, released once or twice",
               {std::all_of(attacked_[kEanUniform].begin(), attacked_[kEanUniform].end(),
                            [](Of of) { return of.repeated.single == 0; }),
                listed("l", kSetSizes,
                       [&](std::size_t i) {
                         const RepeatedRelease& of = attacked_[kEanUniform][i].repeated;
                         return fmt::format("{:.2f} values left, one for {:.1f} %", of.mean_size,
                                            100 * of.single);
                       })},
               "the other values are drawn anew, the true one is in both sets. Draws by person and "
               "value (draw_by) give the same set again");
  }

  void beyond() const {
    const Claims claims("Beyond the paper", part_);
    claims.add("the worst belief in a true value is lower if values are drawn by frequency",
               less(kEanFrequency, kEanUniform, kWorst),
               "the counts of the categories differ more than the weights of the values");
    claims.add("over balanced categories it is lower still",
               less(kEanBalanced, kEanFrequency, kWorst), "they are not balanced enough");
    claims.add("over balanced categories it is 1/l", bounded(kEanBalanced, kWorst),
               "14 values do not add up to categories of equal counts, but they come near: above "
               "1/l are, of the records, " +
                   above(kEanBalanced));
    claims.add("drawn by frequency, the likeliest value is believed less",
               less(kEanFrequency, kEanUniform, kSkewed),
               "the counts of the categories differ more than the weights of the values");
    claims.add("over balanced categories it is believed less than with AN",
               less(kEanBalanced, kAdditive, kSkewed), "they are not balanced enough");
  }

  const AttackedByMethod& attacked_;
  ReproducedPart& part_;
};

}  // namespace

void check_attacks(const AttackedByMethod& attacked, ReproducedPart& part) {
  AttackClaims(attacked, part).check();
}

}  // namespace semveil::reproduction
