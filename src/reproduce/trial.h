// One run of a mechanism over a table that is in memory, and what came out of it.
#pragma once

#include "semveil/noise.h"
#include "semveil/ontology.h"
#include "semveil/reproduce.h"

namespace semveil::reproduction {

// An attribute over everything at or below `root` (nothing: the whole ontology), Wu-Palmer, every
// concept a candidate.
Result<std::shared_ptr<const Attribute>> make_attribute(const std::string& name,
                                                        const Ontology& ontology,
                                                        std::optional<ConceptId> root);

struct Records {
  std::vector<std::shared_ptr<const Attribute>> attributes;
  std::vector<std::vector<ConceptId>> columns;  // concepts of the domains; none is missing
  std::size_t size() const { return columns.front().size(); }
};
FrequencyTable count(const Records& records);
Records first_columns(Records records, std::size_t columns);

struct ColumnFacts {
  ConceptId mean = 0;
  double variance = 0;
};
// What is known of a table before it is masked.
struct Original {
  Records records;
  FrequencyTable table;
  std::vector<ColumnFacts> columns;
  double correlation = 0;  // sdCor of the first two columns, where there are two
};
Result<Original> analyse(Records records);

// A column after masking. Averages over several trials are of the same form.
struct ColumnOutcome {
  ConceptId mean = 0;
  double mean_shift = 0;               // sd(mean after, mean before)
  double mean_kept = 0;                // 1 where they are the same
  double variance = 0;                 // after
  double mean_distance = 0, rmse = 0;  // original to masked
  double mean_error = 0, target_rmse = 0;
  double no_candidate = 0;   // share of the cells with rule truncated, nosign or farthest
  double errors_beyond = 0;  // share of errors beyond 1
  double capped_mean_distance = 0, capped_mean_error = 0;  // of the cells with errors up to 1
};
struct Outcome {
  std::vector<ColumnOutcome> columns;
  double correlation = 0;
};

// Which figures are wanted: some cost more than the masking itself.
struct Wanted {
  bool means = true;    // mean, mean_shift, variance
  bool capped = false;  // errors_beyond and the capped figures
};
// `number` tells trials apart: each has a key of its own, always the same. Not a secret: nothing
// but the papers' examples is masked with it.
Key trial_key(unsigned number);
Result<Outcome> run(const Mechanism& mechanism, const Original& original, unsigned number,
                    const Wanted& wanted);
struct Averages {
  Outcome average;                 // `mean` is the most frequent one, ties: smallest id
  std::vector<double> mean_share;  // of the trials that have this mean, by column
  // Standard errors of the averages.
  double correlation_error = 0;
  std::vector<double> mean_shift_error;  // by column
};
// The trials 0, 1, … of one mechanism; their order does not change with threads.
Result<Averages> run_trials(const Mechanism& mechanism, const Original& original, unsigned trials,
                            const Wanted& wanted, unsigned threads);

}  // namespace semveil::reproduction
