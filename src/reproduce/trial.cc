#include "reproduce/trial.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/parallel.h"
#include "base/share.h"

namespace semveil::reproduction {
namespace {

ValueCounts counted(std::span<const std::uint64_t> by_concept) {
  ValueCounts counts;
  for (std::size_t c = 0; c < by_concept.size(); ++c) {
    if (by_concept[c] == 0) continue;
    counts.values.push_back(static_cast<ConceptId>(c));
    counts.counts.push_back(by_concept[c]);
  }
  return counts;
}

ValueCounts counted(const Attribute& attribute, std::span<const ConceptId> cells) {
  std::vector<std::uint64_t> by_concept(attribute.taxonomy().size());
  for (const ConceptId c : cells) ++by_concept[c];
  return counted(by_concept);
}

std::uint32_t place(const ValueCounts& counts, ConceptId c) {
  const auto at = std::lower_bound(counts.values.begin(), counts.values.end(), c);
  return static_cast<std::uint32_t>(at - counts.values.begin());
}

double correlation(const std::vector<std::shared_ptr<const Attribute>>& attributes,
                   std::span<const std::vector<ConceptId>> columns) {
  const ValueCounts a = counted(*attributes[0], columns[0]);
  const ValueCounts b = counted(*attributes[1], columns[1]);
  std::vector<JointCount> joint;
  joint.reserve(columns[0].size());
  for (std::size_t row = 0; row < columns[0].size(); ++row) {
    joint.push_back({place(a, columns[0][row]), place(b, columns[1][row]), 1});
  }
  return distance_statistics(Space::nominal(attributes[0]->measure, a.values),
                             Space::nominal(attributes[1]->measure, b.values),
                             merged(std::move(joint)))
      .correlation;
}

void tell_errors(const ColumnTally& tally, ColumnOutcome& out) {
  const auto cells = static_cast<double>(tally.cells);
  out.mean_distance = tally.distances.value() / cells;
  out.rmse = std::sqrt(tally.squared_distances.value() / cells);
  out.mean_error = tally.errors.value() / cells;
  out.target_rmse = std::sqrt(tally.squared_errors.value() / cells);
  std::uint64_t without = 0;
  for (const Rule rule : {Rule::kTruncated, Rule::kNoSign, Rule::kFarthest}) {
    without += tally.rules[static_cast<std::size_t>(rule)];
  }
  out.no_candidate = share_of(without, tally.cells);
}

void tell_capped(std::span<const TraceLine> trace, std::uint32_t column, const Measure& measure,
                 ColumnOutcome& out) {
  ExactSum errors;
  ExactSum distances;
  std::uint64_t lines = 0;
  std::uint64_t kept = 0;
  for (const TraceLine& line : trace) {
    if (line.column != column) continue;
    ++lines;
    if (std::abs(line.error) > 1) continue;
    ++kept;
    errors.add(std::abs(line.error));
    distances.add(measure.distance(line.value, line.replacement));
  }
  if (kept == 0) return;
  out.errors_beyond = share_of(lines - kept, lines);
  out.capped_mean_error = errors.value() / static_cast<double>(kept);
  out.capped_mean_distance = distances.value() / static_cast<double>(kept);
}

// Of the average over the trials.
template <class Figure>
double standard_error(std::span<const Result<Outcome>> outcomes, const Figure& figure) {
  const auto n = static_cast<double>(outcomes.size());
  if (n < 2) return 0;
  double sum = 0;
  for (const Result<Outcome>& outcome : outcomes) sum += figure(*outcome);
  double squares = 0;
  for (const Result<Outcome>& outcome : outcomes) {
    const double off = figure(*outcome) - sum / n;
    squares += off * off;
  }
  return std::sqrt(squares / (n * (n - 1)));
}

}  // namespace

Key trial_key(unsigned number) {
  constexpr std::array<unsigned char, Key::kSize> kOpen{'r', 'e', 'p', 'r', 'o',
                                                        'd', 'u', 'c', 'e'};
  const std::string text = std::to_string(number);
  const std::string_view part = text;
  return Key::from_bytes(kOpen).derive("trial", std::span(&part, 1));
}

Result<std::shared_ptr<const Attribute>> make_attribute(const std::string& name,
                                                        const Ontology& ontology,
                                                        std::optional<ConceptId> root) {
  const auto taxonomy = ontology.taxonomy();
  if (!taxonomy) return fail(taxonomy.error());
  const auto names = ontology.names();
  if (!names) return fail(names.error());
  Attribute attribute;
  attribute.name = name;
  attribute.names = *names;
  attribute.domain = std::make_shared<const Domain>(root ? Domain::subtree(*taxonomy, *root)
                                                         : Domain::whole(*taxonomy));
  auto measure = make_measure(attribute.domain->taxonomy());
  if (!measure) return fail(measure.error());
  attribute.measure = *std::move(measure);
  Result<Candidates> candidates = Candidates::of(attribute.taxonomy(), {});
  if (!candidates) return fail(candidates.error());
  attribute.candidates = std::make_shared<const Candidates>(*std::move(candidates));
  return std::make_shared<const Attribute>(std::move(attribute));
}

FrequencyTable count(const Records& records) {
  FrequencyTable table;
  table.records = records.size();
  for (std::size_t j = 0; j < records.columns.size(); ++j) {
    table.columns.push_back({.attribute = records.attributes[j],
                             .values = counted(*records.attributes[j], records.columns[j]),
                             .missing = 0});
  }
  if (records.columns.size() < 2) return table;
  std::map<std::vector<Code>, std::uint64_t> tuples;
  for (std::size_t row = 0; row < records.size(); ++row) {
    std::vector<Code> tuple;
    tuple.reserve(records.columns.size());
    for (std::size_t j = 0; j < records.columns.size(); ++j) {
      tuple.push_back(place(table.columns[j].values, records.columns[j][row]));
    }
    ++tuples[tuple];
  }
  for (const auto& [tuple, n] : tuples) {
    table.tuples.insert(table.tuples.end(), tuple.begin(), tuple.end());
    table.tuple_counts.push_back(n);
  }
  return table;
}

Records first_columns(Records records, std::size_t columns) {
  records.attributes.resize(columns);
  records.columns.resize(columns);
  return records;
}

Result<Original> analyse(Records records) {
  Original out{std::move(records), {}, {}, 0};
  out.table = count(out.records);
  for (const FrequencyColumn& column : out.table.columns) {
    const Measure& measure = *column.attribute->measure;
    const auto mean = semantic_mean(measure, column.values);
    if (!mean) {
      return fail(data_error("no record is left to run the experiment on")
                      .at(Place{.file = {}, .line = 0, .column = column.attribute->name}));
    }
    out.columns.push_back(
        {mean->concept_id, semantic_variance(measure, column.values, mean->concept_id)});
  }
  if (out.columns.size() > 1) {
    out.correlation = correlation(out.records.attributes, out.records.columns);
  }
  return out;
}

Result<Outcome> run(const Mechanism& mechanism, const Original& original, unsigned number,
                    const Wanted& wanted) {
  const Key stream = stream_key(trial_key(number), original.table.digest(), "");
  const auto plan = mechanism.fit(original.table, stream);
  if (!plan) return fail(plan.error());
  const Records& records = original.records;
  RecordBatch in;
  in.rows = records.size();
  for (const auto& cells : records.columns) in.columns.emplace_back(cells);
  MaskedBatch masked;
  masked.traced = wanted.capped;
  (*plan)->apply(in, masked);

  Outcome out;
  for (std::size_t j = 0; j < records.columns.size(); ++j) {
    const Measure& measure = *records.attributes[j]->measure;
    ColumnOutcome column;
    tell_errors(masked.tallies[j], column);
    if (wanted.capped) tell_capped(masked.trace, static_cast<std::uint32_t>(j), measure, column);
    if (wanted.means) {
      const ValueCounts after = counted(*records.attributes[j], masked.columns[j]);
      const auto mean = semantic_mean(measure, after);
      if (!mean) return fail(data_error("masking left no value"));
      column.mean = mean->concept_id;
      column.mean_shift = measure.distance(column.mean, original.columns[j].mean);
      column.mean_kept = column.mean == original.columns[j].mean ? 1 : 0;
      column.variance = semantic_variance(measure, after, column.mean);
    }
    out.columns.push_back(column);
  }
  if (out.columns.size() > 1) out.correlation = correlation(records.attributes, masked.columns);
  return out;
}

Result<Averages> run_trials(const Mechanism& mechanism, const Original& original, unsigned trials,
                            const Wanted& wanted, unsigned threads) {
  std::vector<Result<Outcome>> outcomes(trials, Outcome{});
  in_parallel(threads, trials, [&](std::size_t i) {
    outcomes[i] = run(mechanism, original, static_cast<unsigned>(i), wanted);
  });
  Averages out;
  out.average.columns.resize(original.columns.size());
  out.mean_share.resize(original.columns.size());
  std::vector<std::map<ConceptId, unsigned>> means(original.columns.size());
  const double weight = 1.0 / trials;
  for (const Result<Outcome>& outcome : outcomes) {
    if (!outcome) return fail(outcome.error());
    out.average.correlation += weight * outcome->correlation;
    for (std::size_t j = 0; j < outcome->columns.size(); ++j) {
      for (double ColumnOutcome::* figure :
           {&ColumnOutcome::mean_shift, &ColumnOutcome::mean_kept, &ColumnOutcome::variance,
            &ColumnOutcome::mean_distance, &ColumnOutcome::rmse, &ColumnOutcome::mean_error,
            &ColumnOutcome::target_rmse, &ColumnOutcome::no_candidate,
            &ColumnOutcome::errors_beyond, &ColumnOutcome::capped_mean_distance,
            &ColumnOutcome::capped_mean_error}) {
        out.average.columns[j].*figure += weight * (outcome->columns[j].*figure);
      }
      ++means[j][outcome->columns[j].mean];
    }
  }
  out.correlation_error =
      standard_error(outcomes, [](const Outcome& outcome) { return outcome.correlation; });
  for (std::size_t j = 0; j < means.size(); ++j) {
    out.mean_shift_error.push_back(standard_error(
        outcomes, [j](const Outcome& outcome) { return outcome.columns[j].mean_shift; }));
  }
  for (std::size_t j = 0; j < means.size(); ++j) {
    const auto most =
        std::max_element(means[j].begin(), means[j].end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    out.average.columns[j].mean = most->first;
    out.mean_share[j] = weight * most->second;
  }
  return out;
}

}  // namespace semveil::reproduction
