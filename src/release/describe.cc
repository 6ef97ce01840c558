// What a table says: statistics of its columns, their correlations, the classes of its
// quasi-identifiers.
#include <algorithm>

#include "figures/value_names.h"
#include "mechanisms/classes/closeness.h"
#include "release/analysis.h"
#include "release/privacy.h"
#include "release/survey.h"
#include "semveil/stop.h"
#include "statistics/numeric_summary.h"
#include "statistics/shown_mean.h"

namespace semveil {
namespace {

// A figure of a summary is not worth more work than this many looked-up distances.
constexpr std::uint64_t kMostWork = 200'000'000;

// Values that only left-out records had are no values.
ValueCounts present(const ValueCounts& values) {
  ValueCounts out;
  for (std::size_t i = 0; i < values.values.size(); ++i) {
    if (values.counts[i] == 0) continue;
    out.values.push_back(values.values[i]);
    out.counts.push_back(values.counts[i]);
  }
  return out;
}

std::optional<NumericSummary> describe_numbers(const Analysis::Column& column) {
  if (!column.numeric) return std::nullopt;
  std::vector<std::pair<double, std::uint64_t>> counts;
  for (std::size_t i = 0; i < column.numbers.size(); ++i) {
    counts.emplace_back(column.numbers[i], column.number_counts[i]);
  }
  std::optional<NumericSummary> summary = numeric_summary(std::move(counts));
  if (summary) summary->dates = column.dates;
  return summary;
}

ColumnDescription describe_column(const Analysis::Column& column, const WorkOptions& options) {
  ColumnDescription out;
  out.name = column.name;
  out.role = column.role;
  out.distinct = column.distinct;
  out.missing = column.missing;
  out.numeric = describe_numbers(column);
  if (!column.is_nominal()) return out;
  const Attribute& attribute = concepts_of(*column.attribute);
  out.unmapped = column.unmapped;
  out.domain = {
      named_concept(attribute, Taxonomy::root()),
      attribute.domain->concepts(),
      attribute.taxonomy().max_depth() - (attribute.taxonomy().has_virtual_root() ? 1 : 0),
      std::string(attribute.measure->name()),
      attribute.measure->is_symmetrised(),
      0,
      0};
  out.domain->candidates = attribute.candidates->count();
  out.domain->headings = attribute.candidates->headings();
  const ValueCounts values = present(column.values);
  const ValueCounts concepts = concept_counts(*column.attribute, values);
  const auto mean = semantic_mean(*attribute.measure, concepts, options.threads);
  if (!mean) return out;
  out.mean = named_concept(attribute, shown_mean(*attribute.measure, concepts, mean->concept_id,
                                                 attribute.candidates.get(), options.threads));
  out.variance = semantic_variance(*attribute.measure, concepts, mean->concept_id);
  const DistanceVariance variance =
      distance_variance(Space::nominal(column.attribute->measure, values.values), values.counts,
                        {.threads = options.threads, .most_work = kMostWork});
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

std::uint64_t least_of(const ClassSizes& classes) {
  return classes.sizes.empty() ? 0 : std::ranges::min(classes.sizes);
}

ClassDescription describe_classes(const CountedTuples& counted,
                                  std::span<const std::size_t> quasi_identifiers,
                                  MissingRule missing) {
  const ClassSizes classes = class_sizes(counted, quasi_identifiers, missing);
  ClassDescription out;
  out.count = classes.sizes.size();
  out.smallest = least_of(classes);
  out.uniques = classes.uniques;
  if (counted.persons == nullptr) return out;
  const ClassSizes records = class_sizes(counted.tuples, quasi_identifiers, missing);
  out.records = {least_of(records), records.uniques};
  return out;
}

// What the codes of a column mean, and how far apart they are. What is not mapped is kMissing.
struct Ground {
  std::shared_ptr<const Attribute> attribute;
  std::vector<ConceptId> values;
};

Ground ground_of(const Analysis::Column& column, std::span<const Code> codes) {
  Ground ground;
  ground.values.resize(codes.size(), kMissing);
  if (column.numeric) {
    auto line = std::make_shared<Attribute>();
    line->kind = Attribute::Kind::kNumeric;
    line->numbers = column.numbers;
    if (!line->numbers.empty()) line->unit = line->numbers.back() - line->numbers.front();
    ground.attribute = std::move(line);
    std::copy(codes.begin(), codes.end(), ground.values.begin());
    return ground;
  }
  ground.attribute = column.attribute;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (codes[i] < column.values.values.size()) ground.values[i] = column.values.values[codes[i]];
  }
  return ground;
}

SensitiveDescription describe_sensitive(const Analysis& analysis, const CountedTuples& counted,
                                        std::span<const std::size_t> quasi_identifiers,
                                        std::size_t sensitive) {
  const Analysis::Column& column = analysis.columns()[analysis.joined()[sensitive]];
  const ClassValues classes(counted, quasi_identifiers, sensitive);
  Ground ground = ground_of(column, classes.codes());
  const Closeness closeness(std::move(ground.attribute), std::move(ground.values), classes.whole());
  const SensitiveFigures figures = sensitive_figures(classes, closeness);
  SensitiveDescription out{column.name, figures.l, figures.entropy_l, figures.recursive_c,
                           figures.t};
  if (counted.persons != nullptr) {
    out.most_common = most_common_share(counted, quasi_identifiers, sensitive, column.empty());
  }
  return out;
}

// Classes, and what they tell of sensitive columns.
void describe_risk(const Analysis& analysis, Description& out) {
  out.sensitive.clear();
  std::vector<std::size_t> quasi_identifiers;
  for (std::size_t i = 0; i < analysis.joined().size(); ++i) {
    const Role role = analysis.columns()[analysis.joined()[i]].role;
    if (role == Role::kQuasiIdentifier) quasi_identifiers.push_back(i);
  }
  const PersonPairs persons = analysis.tells_persons() ? analysis.persons() : PersonPairs();
  const CountedTuples counted(analysis.tuples(), analysis.tells_persons() ? &persons : nullptr);
  if (analysis.tells_persons()) out.persons = count_persons(persons);
  if (!quasi_identifiers.empty()) {
    out.classes = describe_classes(counted, quasi_identifiers, out.missing_rule);
  }
  for (std::size_t i = 0; i < analysis.joined().size(); ++i) {
    if (analysis.columns()[analysis.joined()[i]].role != Role::kSensitive) continue;
    out.sensitive.push_back(describe_sensitive(analysis, counted, quasi_identifiers, i));
  }
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
  describe_risk(analysis, out);
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
                       .stands_in = column.stands_in,
                       .numeric = is_on_a_line(column.plan),
                       .numbers = column.numbers,
                       .dates = column.dates != nullptr});
  }
  return columns;
}

Description describe_survey(const Survey::Impl& survey, MissingRule missing,
                            const WorkOptions& options) {
  std::vector<CountedColumn> columns = counted_columns(survey);
  Description out = describe(
      Analysis(columns, survey.joined, survey.tuples, survey.records, {}, survey.told_persons()),
      missing, options);
  if (!survey.original) return out;
  const Survey::Impl::Original& original = *survey.original;
  for (const auto& [at, column] : original.columns) columns[at] = column;
  const Analysis came(std::move(columns), survey.joined, original.tuples, survey.records, {},
                      survey.person ? &original.persons : nullptr);
  describe_risk(came, out);
  for (const auto& [at, column] : original.columns) {
    out.columns[at].distinct = came.columns()[at].distinct;
    out.columns[at].missing = came.columns()[at].missing;
  }
  return out;
}

namespace {

Result<Description> described(const Survey& survey, const WorkOptions& options) {
  const Survey::Impl& found = survey.impl();
  Description out = describe_survey(found, found.missing, options);
  out.person_like = found.person_like;
  return out;
}

}  // namespace

Result<Description> describe(const Survey& survey, const WorkOptions& options) {
  return stoppable(options.stop, [&] { return described(survey, options); });
}

}  // namespace semveil
