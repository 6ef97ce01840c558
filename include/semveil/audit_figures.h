// The figures of an audit: what a masked table kept of the original, and what risk it leaves.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semveil/channel.h"
#include "semveil/description.h"
#include "semveil/finding.h"

namespace [[gnu::visibility("default")]] semveil {

struct BeforeAfter {  // nothing where undefined
  std::optional<double> original, masked;
};

// ---- What was kept ------------------------------------------------------------------------------

// How often a value occurs before and after. In a public edition rare ones are pooled.
struct ValueShare {
  std::string label;
  double original = 0, masked = 0;     // shares of the records with a value
  std::uint64_t original_records = 0;  // that rare values are pooled by; 0 in a public edition
  bool in_release = true;
  bool pooled = false;       // several values, none named
  std::uint64_t values = 1;  // that it stands for
};

struct AuditedColumn {
  std::string name;
  Role role = Role::kOther;
  bool is_masked = false;   // some paired record changed, or the plan says so
  bool is_recoded = false;  // by the plan, before all steps: most cells may stay as they are
  std::uint64_t original_distinct = 0, masked_distinct = 0;
  std::uint64_t original_missing = 0, masked_missing = 0;
  std::uint64_t original_unmapped = 0, masked_unmapped = 0;  // records whose text means nothing
  std::uint64_t left_unmapped = 0;  // released records with such a text of the original
  std::optional<NamedConcept> mean_original, mean_masked;  // of concepts
  BeforeAfter number_mean;                                 // of numbers
  std::optional<NumericSummary> numeric_original, numeric_masked;
  std::optional<double> mean_shift;  // sd of the two means
  BeforeAfter variance;
  std::optional<double> expected_variance;  // what the plan's noise should bring it to
  std::optional<double> drawn_variance;     // of correlated noise: what its errors have
  std::optional<double> rmse, mean_distance, target_rmse;  // paired records
  std::optional<double> unchanged;                         // share of them
  std::optional<double> total_variation, hellinger;
  std::optional<double> semantic_quality;
  std::optional<double> ic_loss;           // local loss of information content, in nats
  std::optional<double> information_loss;  // of sets: (l − 1) / l
  std::vector<ValueShare> distribution;    // most frequent of either first, then by label
  std::vector<std::uint64_t> distances;  // histogram of sd(before, after): kDistanceBins of [0, 1]
};
inline constexpr std::size_t kDistanceBins = 20;

struct AuditedPair {
  std::string a, b;
  BeforeAfter correlation, covariance;
  // Where noise masks both: (1 + α) sdCov(A, B), and how far sdCov(A*, B*) is from it.
  std::optional<double> expected_covariance, covariance_error;
  std::uint64_t sampled = 0;  // records that they were estimated from; 0: all
};

// A classifier that learns a column from the others: naive Bayes, tested on original records.
struct Downstream {
  std::string target;
  double original = 0, masked = 0, majority = 0;  // share of right answers by what it learned from
  std::uint64_t tested = 0;
};

struct ClusterNode {                  // of a dendrogram; leaves first
  std::uint32_t left = 0, right = 0;  // nodes; equal: a leaf, a cluster of the cut
  double height = 0;
  std::uint64_t records = 0;
  std::string label;  // of a leaf: its most frequent tuple; the heights are √D, as SciPy's
};
// A number of clusters: as many as part the records best (ward.h), of each table on its own.
inline constexpr std::size_t kBestClusters = ~std::size_t{0};
struct Clusters {
  std::size_t count = 0;
  double partition_distance = 0;
  std::uint64_t sampled = 0;  // records; 0: all
  std::vector<ClusterNode> original, masked;
};

// ---- What risk is left --------------------------------------------------------------------------

struct ClassRisk {  // of one table's classes over all quasi-identifiers
  std::uint64_t classes = 0, smallest = 0, uniques = 0, suppressed = 0;
  // Greatest and mean over the records of 1 / |class|; over the persons of the greatest 1 /
  // persons(class) of theirs. Of a release by noise or swaps, whose
  // classes hide nobody: finding oneself (Linkage::own_among_alike, own_among_alike_mean), nothing
  // where records are not paired.
  std::optional<double> prosecutor, marketer;
  // Where the plan names a person, smallest and uniques are persons, and these the records.
  struct Records {
    std::uint64_t smallest = 0, uniques = 0;
  };
  std::optional<Records> records = std::nullopt;
};

struct Interval {
  double low = 0, high = 1;
};
// An attack on records of the original and, as a control, on others of the population.
struct Attack {
  std::string name;            // singling-out, linkability, inference
  std::string about;           // of an inference: the column guessed
  std::uint64_t tried = 0;     // records; singling out: guesses made
  std::optional<double> rate;  // right guesses, ties shared; nothing where no guess was possible
  Interval interval;
  std::optional<double> control;   // the same attack on records that were not released
  std::optional<double> baseline;  // of somebody who guesses without the release
  // (rate − c) / (1 − c), c the control's or the baseline's rate, ≥ 0; nothing where there is none.
  std::optional<double> risk;
  Interval risk_interval;
  // Singling out alone.
  std::size_t columns = 0;           // that a guess is about; 0: all quasi-identifiers
  std::optional<double> pointed_at;  // share of the originals that a right guess points at
  std::vector<Attack> by_columns;    // guesses about 1, 2, 3 of the quasi-identifiers
};

// Combinations that somebody has, and nobody else: k copies of one person are no crowd.
struct OneOrigin {
  std::uint64_t released = 0;      // different combinations
  double share = 0;                // of them: exactly one original fits
  std::optional<double> shuffled;  // the same share with the columns shuffled independently
};

// Whether a release resists an attack: what it tells, beside what somebody believes who knows the
// frequencies alone. EAN's Table I, measured.
enum class Protection : std::uint8_t { kNo, kOnAverage, kYes };
std::string_view to_string(Protection protection);
// At most so far above, on average and at worst.
inline constexpr double kMostDisclosed = 0.05;
struct Disclosure {
  std::string attack;  // identity, membership, attribute, skewness, similarity, sensitivity
  std::string about;   // the sensitive column; empty: the record itself
  double mean = 0, baseline = 0;
  std::optional<double> worst, baseline_worst;
  std::optional<double> in, control;    // membership: of whom it is said that they are in
  std::optional<std::uint64_t> fewest;  // values, categories, levels in one class or set
  Protection protects = Protection::kNo;
};

struct Linkage {  // fractions of the records, ties shared
  std::optional<double> equality, semantic;
  std::optional<double> window;  // rank swapping with its k
  std::optional<double> worst;   // the surest link by meaning, from either side
  std::optional<double>
      own_among_alike;             // someone looks themselves up: greatest chance to be right
  std::optional<double> baseline;  // 1 / records
  std::optional<double> own_among_alike_mean;  // the same chance, mean over the originals
};

// Why records are at risk: what semantic linkage would lose without a column, and the values whose
// records are found most easily.
struct ColumnContribution {
  std::string column;
  double linkage_without = 0;  // semantic linkage by all other columns
  double uniques_without = 0;  // share of released records that are unique without it
};
struct RiskyValue {  // confidential
  std::string column, label;
  std::uint64_t records = 0;
  double linked = 0;  // mean over its records
};

struct ChannelFigures {
  ChannelRisk risk;
  // By original value, likeliest to be found first; confidential.
  struct Named {
    std::string label;
    ChannelRisk::Value value;
  };
  std::vector<Named> values;
  // By released value, the most frequent first: what it may have been, likeliest first;
  // confidential. Of exact channels of one column.
  struct Origin {
    std::string label;
    double posterior = 0;
  };
  struct Released {
    std::string label;
    std::uint64_t records = 0;
    std::vector<Origin> origins;
  };
  std::vector<Released> released;
};

struct PrivacyFigures {
  std::optional<std::uint64_t> k;
  std::uint64_t uniques = 0;
  bool is_known = true;  // false: figures are of persons, and whose records they are is not known
  std::vector<SensitiveDescription> sensitive;
};

struct Audit {
  // A public edition: figures of the original, and those beside them, have three digits.
  bool is_rounded = false;
  std::string method;                             // of the plan; empty: it has no [mask]
  std::map<std::string, std::string> parameters;  // as TOML values, in no way secret
  std::uint64_t original_records = 0, masked_records = 0;
  std::uint64_t paired = 0;  // records whose counterpart is known
  // Of the original, where the plan names a person: then k, uniques, risks, linkage and attacks are
  // of persons. Those of the release need pairs of all its records.
  std::optional<std::uint64_t> persons;
  std::string pairing;             // position | key | row-map | masking | none
  std::string unpaired_why;        // where none
  std::vector<std::string> notes;  // what a reader must know; no cell of a table
  std::vector<Finding> findings;   // the most severe first

  std::vector<AuditedColumn> columns;
  std::vector<AuditedPair> pairs;
  std::optional<double> semantic_quality;
  std::optional<double> discernibility, discernibility_original, c_avg;
  std::optional<double> lm, ncp, lm_original, ncp_original;
  std::optional<double> information_loss;  // EAN paper, of a record, where there are sets
  std::optional<Clusters> clusters;
  std::optional<Downstream> downstream;

  std::optional<ClassRisk> classes_original, classes;
  std::optional<double> journalist;  // greatest chance to name a person of a released record
  std::optional<OneOrigin> one_origin;
  PrivacyFigures privacy_original, privacy;
  std::optional<double> category_diversity;  // the least categories in a set or class
  std::vector<Disclosure> disclosures;
  Linkage linkage;
  std::vector<Attack> attacks;
  bool has_control = false;
  MissingRule missing_rule = MissingRule::kKeep;
  std::vector<std::string> identifiers;  // columns that identify, and are in the release
  std::vector<ColumnContribution> contributions;
  std::vector<RiskyValue> risky_values;
  std::vector<ChannelFigures> channels;
  std::vector<std::string> unmasked;  // columns that came through as they were, in every byte
  struct Changed {
    std::string column;
    double share = 0;  // of the paired records
  };
  std::vector<Changed> changed;  // columns that should have come through, and did not
};

// ---- One word on each figure --------------------------------------------------------------------

struct FigureExplanation {
  std::string_view name;     // as in the JSON: linkage.semantic
  std::string_view title;    // Semantic record linkage
  std::string_view plain;    // a sentence for whoever signs
  std::string_view formula;  // and for whoever checks
  std::string_view source;   // paper, equation
  std::string_view range;    // 0 … 1, lower is safer
};
std::span<const FigureExplanation> figure_explanations();
const FigureExplanation* explain_figure(std::string_view name);  // null: no such figure

}  // namespace semveil
