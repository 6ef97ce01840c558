// What a table says: statistics of its columns, their correlations, the classes of its
// quasi-identifiers.
#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "release/analysis.h"
#include "release/survey.h"

namespace semveil {
namespace {

// A figure of a summary is not worth more work than this many looked-up distances.
constexpr std::uint64_t kMostWork = 200'000'000;

NamedConcept named(const Attribute& attribute, ConceptId c) {
  const Taxonomy& taxonomy = attribute.taxonomy();
  NamedConcept concept_name;
  if (!taxonomy.is_virtual(c)) concept_name.id = attribute.id(c);
  concept_name.label = attribute.names->label(attribute.domain->in_ontology(c));
  return concept_name;
}

ColumnDescription describe_column(const Analysis::Column& column, const WorkOptions& options) {
  ColumnDescription out;
  out.name = column.name;
  out.role = column.role;
  out.distinct = column.distinct;
  out.missing = column.missing;
  if (!column.is_nominal()) return out;
  const Attribute& attribute = *column.attribute;
  out.unmapped = column.unmapped;
  out.domain = {
      named(attribute, Taxonomy::root()), attribute.domain->concepts(),
      attribute.taxonomy().max_depth() - (attribute.taxonomy().has_virtual_root() ? 1 : 0)};
  const auto mean = semantic_mean(*attribute.measure, column.values, options.threads);
  if (!mean) return out;
  out.mean = named(attribute, mean->concept_id);
  out.variance = semantic_variance(*attribute.measure, column.values, mean->concept_id);
  const DistanceVariance variance =
      distance_variance(Space::nominal(attribute.measure, column.values.values),
                        column.values.counts, {.threads = options.threads, .most_work = kMostWork});
  out.distance_variance = variance.value;
  out.sampled = variance.sampled;
  return out;
}

Space space_of(const Analysis::Column& column) {
  return column.numeric ? Space::numeric(column.numbers)
                        : Space::nominal(column.attribute->measure, column.values.values);
}

std::vector<PairDescription> describe_pairs(const Analysis& analysis, const WorkOptions& options) {
  std::vector<std::size_t> places;  // in joined()
  for (std::size_t i = 0; i < analysis.joined().size(); ++i) {
    const Analysis::Column& column = analysis.columns()[analysis.joined()[i]];
    if (column.is_nominal() || column.numeric) places.push_back(i);
  }
  std::vector<PairDescription> pairs;
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = i + 1; j < places.size(); ++j) {
      const Analysis::Column& a = analysis.columns()[analysis.joined()[places[i]]];
      const Analysis::Column& b = analysis.columns()[analysis.joined()[places[j]]];
      const DistanceStatistics found =
          distance_statistics(space_of(a), space_of(b), analysis.joint(places[i], places[j]),
                              {.threads = options.threads, .most_work = kMostWork});
      pairs.push_back(
          {a.name, b.name, found.covariance, found.correlation, found.clamped, found.sampled});
    }
  }
  return pairs;
}

// ---- Classes ------------------------------------------------------------------------------------

// Tuples of some of the joined columns.
TupleCounter project(const Analysis& analysis, std::span<const std::size_t> places) {
  TupleCounter projected(places.size());
  std::vector<Code> tuple(places.size());
  for (std::size_t t = 0; t < analysis.tuples().size(); ++t) {
    for (std::size_t i = 0; i < places.size(); ++i)
      tuple[i] = analysis.tuples().tuple(t)[places[i]];
    projected.add(tuple, analysis.tuples().count(t));
  }
  return projected;
}

bool has_missing(std::span<const Code> tuple) {
  return std::find(tuple.begin(), tuple.end(), kMissing) != tuple.end();
}

bool match(std::span<const Code> a, std::span<const Code> b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i] && a[i] != kMissing && b[i] != kMissing) return false;
  }
  return true;
}

// Records that share each class's values; a missing cell that is a wildcard shares every value.
std::vector<std::uint64_t> class_sizes(const TupleCounter& classes, MissingRule missing) {
  std::vector<std::uint64_t> sizes;
  for (std::size_t i = 0; i < classes.size(); ++i) sizes.push_back(classes.count(i));
  if (missing != MissingRule::kWildcard) return sizes;
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (has_missing(classes.tuple(i))) open.push_back(i);
  }
  for (const std::size_t i : open) {
    for (std::size_t j = 0; j < classes.size(); ++j) {
      if (j == i || !match(classes.tuple(i), classes.tuple(j))) continue;
      sizes[i] += classes.count(j);
      if (!has_missing(classes.tuple(j))) sizes[j] += classes.count(i);
    }
  }
  return sizes;
}

ClassDescription describe_classes(const TupleCounter& classes, MissingRule missing) {
  const std::vector<std::uint64_t> sizes = class_sizes(classes, missing);
  ClassDescription out;
  out.count = classes.size();
  out.smallest = sizes.empty() ? 0 : *std::min_element(sizes.begin(), sizes.end());
  out.uniques = static_cast<std::uint64_t>(std::count(sizes.begin(), sizes.end(), 1U));
  return out;
}

// The sensitive values of one class: l, entropy l, recursive c, and their distance to the whole.
struct Distribution {
  std::vector<std::pair<Code, std::uint64_t>> counts;
};

class Diversity {
 public:
  explicit Diversity(std::vector<std::uint64_t> whole) : whole_(std::move(whole)) {
    for (const std::uint64_t count : whole_) records_ += count;
  }

  void add(const Distribution& in_class) {
    std::vector<std::uint64_t> sorted;
    double total = 0;
    for (const auto& [code, count] : in_class.counts) {
      sorted.push_back(count);
      total += static_cast<double>(count);
    }
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    l_ = std::min<std::uint64_t>(l_, sorted.size());
    double entropy = 0;
    for (const std::uint64_t count : sorted) {
      const double share = static_cast<double>(count) / total;
      entropy -= share * ln(share);
    }
    entropy_ = std::min(entropy_, entropy);
    sorted_.push_back(std::move(sorted));

    double nearest = 0;  // half of Σ |p − q|, over all values of the whole
    double seen = 0;
    for (const auto& [code, count] : in_class.counts) {
      const double q = static_cast<double>(whole_[code]) / static_cast<double>(records_);
      nearest += std::abs(static_cast<double>(count) / total - q);
      seen += q;
    }
    t_ = std::max(t_, (nearest + (1 - seen)) / 2);
  }

  SensitiveDescription finish(std::string name, bool taxonomy) const {
    SensitiveDescription out;
    out.name = std::move(name);
    if (sorted_.empty()) return out;
    out.l = l_;
    out.entropy_l = std::exp(entropy_);
    if (!taxonomy) out.t = t_;
    if (l_ > 1) {  // r1 / (r_l + … + r_m), the greatest over the classes
      double greatest = 0;
      for (const std::vector<std::uint64_t>& sorted : sorted_) {
        double tail = 0;
        for (std::size_t i = l_ - 1; i < sorted.size(); ++i) tail += static_cast<double>(sorted[i]);
        greatest = std::max(greatest, static_cast<double>(sorted.front()) / tail);
      }
      out.recursive_c = greatest;
    }
    return out;
  }

 private:
  std::vector<std::uint64_t> whole_;
  std::uint64_t records_ = 0;
  std::uint64_t l_ = ~std::uint64_t{0};
  double entropy_ = HUGE_VAL;
  double t_ = 0;
  std::vector<std::vector<std::uint64_t>> sorted_;
};

SensitiveDescription describe_sensitive(const Analysis& analysis,
                                        std::span<const std::size_t> quasi_identifiers,
                                        std::size_t sensitive) {
  std::vector<std::size_t> places(quasi_identifiers.begin(), quasi_identifiers.end());
  places.push_back(sensitive);
  const TupleCounter tuples = project(analysis, places);
  std::vector<std::size_t> order;
  std::vector<std::uint64_t> whole;
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    const Code code = tuples.tuple(i).back();
    if (code == kMissing) continue;
    order.push_back(i);
    whole.resize(std::max<std::size_t>(whole.size(), code + std::size_t{1}));
    whole[code] += tuples.count(i);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto x = tuples.tuple(a);
    const auto y = tuples.tuple(b);
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
  });
  const auto same_class = [&](std::size_t a, std::size_t b) {
    const auto x = tuples.tuple(a);
    return std::equal(x.begin(), x.end() - 1, tuples.tuple(b).begin());
  };
  Diversity diversity(std::move(whole));
  Distribution distribution;
  for (std::size_t i = 0; i < order.size(); ++i) {
    distribution.counts.emplace_back(tuples.tuple(order[i]).back(), tuples.count(order[i]));
    if (i + 1 < order.size() && same_class(order[i], order[i + 1])) continue;
    diversity.add(distribution);
    distribution.counts.clear();
  }
  const Analysis::Column& column = analysis.columns()[analysis.joined()[sensitive]];
  return diversity.finish(column.name, column.is_nominal());
}

}  // namespace

Description describe(const Analysis& analysis, MissingRule missing, const WorkOptions& options) {
  Description out;
  out.records = analysis.records();
  out.missing_rule = missing;
  for (const Analysis::Column& column : analysis.columns()) {
    out.columns.push_back(describe_column(column, options));
  }
  out.pairs = describe_pairs(analysis, options);
  std::vector<std::size_t> quasi_identifiers;
  for (std::size_t i = 0; i < analysis.joined().size(); ++i) {
    const Role role = analysis.columns()[analysis.joined()[i]].role;
    if (role == Role::kQuasiIdentifier) quasi_identifiers.push_back(i);
  }
  if (!quasi_identifiers.empty()) {
    out.classes = describe_classes(project(analysis, quasi_identifiers), missing);
  }
  for (std::size_t i = 0; i < analysis.joined().size(); ++i) {
    if (analysis.columns()[analysis.joined()[i]].role != Role::kSensitive) continue;
    out.sensitive.push_back(describe_sensitive(analysis, quasi_identifiers, i));
  }
  return out;
}

std::vector<CountedColumn> counted_columns(const Survey::Impl& survey) {
  std::vector<CountedColumn> columns;
  for (const SurveyColumn& column : survey.columns) {
    columns.push_back({.name = column.plan.name,
                       .role = column.plan.role,
                       .counts = column.counts,
                       .missing = column.missing,
                       .attribute = column.attribute,
                       .concepts = column.concepts,
                       .numeric = column.plan.type == ColumnType::kNumeric,
                       .numbers = column.numbers});
  }
  return columns;
}

Result<Description> describe(const Survey& survey, const WorkOptions& options) {
  const Survey::Impl& found = survey.impl();
  const Analysis analysis(counted_columns(found), found.joined, found.tuples, found.records);
  return describe(analysis, found.missing, options);
}

}  // namespace semveil
