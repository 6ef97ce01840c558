// Enhanced additive noise on Adult's occupations: the records, their categories and the methods
// that the experiment compares.
#pragma once

#include <array>

#include "figures/set_attacks.h"
#include "reproduce/claims.h"
#include "reproduce/experiment.h"
#include "reproduce/trial.h"
#include "semveil/ean.h"

namespace semveil::reproduction {

inline constexpr std::array kSetSizes{3.0, 5.0, 7.0, 10.0};  // l, as in figures 3 and 4

// The files that parts 2 and 3 need.
Status occupations_are_there(const std::string& folder);
// Of the complete records, in their order; one column.
Result<Records> occupations(const ReproduceOptions& options);

// The 14 occupations in l categories, by kind of work; in the form of a categories file. `l` is one
// of kSetSizes.
std::string_view occupation_categories(unsigned l);
// The values of a text in the form of a categories file, which must outlive the rule.
CategoryRule listed_values(std::string_view text, const std::string& name);
CategoryRule listed_occupations(unsigned l);
CategoryRule balanced_occupations(unsigned l);

enum SetMethod : std::size_t { kEanUniform, kEanFrequency, kAdditive, kEanBalanced };
inline constexpr std::array kSetMethods{"EAN", "EAN by frequency", "AN", "EAN balanced"};
std::unique_ptr<const Mechanism> make_set_method(SetMethod method, unsigned l);

// Fitted on the whole column. `number` tells releases apart: each has a key of its own.
Result<std::unique_ptr<const FittedMethod>> fit_sets(SetMethod method, unsigned l,
                                                     const FrequencyTable& table, unsigned number);
// The sets of the records, one after the other.
std::vector<ConceptId> sets_of(const FittedMethod& plan, std::span<const ConceptId> cells);

Result<ReproducedPart> sets_timed(const ReproduceOptions& options, const Records& records,
                                  Runs& runs);
std::uint64_t timed_runs(const ReproduceOptions& options);
Result<ReproducedPart> sets_attacked(const Records& records, Runs& runs);
std::uint64_t attacked_runs();

}  // namespace semveil::reproduction
