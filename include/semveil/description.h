// What a table says: statistics of its columns, how they go together, its classes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "semveil/plan_file.h"

namespace [[gnu::visibility("default")]] semveil {

struct NamedConcept {
  std::optional<std::string> id;  // nothing: the virtual root
  std::string label;
};

// Of a column of numbers (statistics/numeric_summary.h defines the figures). What a public edition
// may not show of the original is left out of it.
inline constexpr std::array<unsigned, 5> kQuantilePercents{5, 25, 50, 75, 95};
struct NumericSummary {
  double mean = 0;
  std::optional<double> deviation;  // with n − 1
  std::optional<double> min, max;
  std::vector<double> quantiles;  // of kQuantilePercents; empty: not shown
  bool dates = false;             // the numbers are days since 1970-01-01; the deviation is in days

  // As people read it: of dates "2024-02-29", of moments with the time behind it.
  std::string written(double figure) const;
};

struct ColumnDescription {
  std::string name;
  Role role = Role::kOther;
  std::uint64_t distinct = 0, missing = 0;
  std::optional<std::uint64_t> unmapped;  // records; the following only with an ontology
  std::optional<NamedConcept> mean;
  std::optional<double> variance;
  std::optional<double> distance_variance;
  std::uint64_t sampled = 0;  // records that distance_variance was estimated from; 0: all
  struct DomainDescription {
    NamedConcept root;
    std::uint64_t concepts = 0;
    unsigned max_depth = 0;
    std::string measure = {};
    bool symmetrised = false;  // distances are the mean of both directions
    // Concepts that noise and microaggregate may put in a value's place, and how many they may not
    // because these have no code of their own.
    std::uint64_t candidates = 0, headings = 0;
  };
  std::optional<DomainDescription> domain;
  std::optional<NumericSummary> numeric;  // of columns of numbers

  // `variance` or, of numbers, their ordinary one.
  std::optional<double> any_variance() const {
    if (variance || !numeric || !numeric->deviation) return variance;
    return *numeric->deviation * *numeric->deviation;
  }
};

struct PairDescription {
  std::string a, b;
  double distance_covariance = 0, distance_correlation = 0;
  bool clamped = false;
  std::uint64_t sampled = 0;
};

struct ClassDescription {  // over all quasi-identifiers; nothing where there are none
  // In records or, where the plan tells them apart, in persons: a class has so many different ones,
  // and one who is alone in the class of some record is unique.
  std::uint64_t count = 0, smallest = 0, uniques = 0;
  struct Records {
    std::uint64_t smallest = 0, uniques = 0;
  };
  std::optional<Records> records;  // the same in records, where the others are persons
};

struct SensitiveDescription {
  std::string name;
  std::uint64_t l = 0;
  double entropy_l = 0;
  std::optional<double> recursive_c;  // nothing where l = 1
  std::optional<double> t;            // nothing: more work than a figure of a summary is worth
  // Where persons are told: the greatest share of a class's persons who have one value. 1: whoever
  // knows a person's class knows a value of theirs.
  std::optional<double> most_common = std::nullopt;
};

struct Description {
  std::uint64_t records = 0;
  std::optional<std::uint64_t> persons;    // where the plan tells them apart
  std::vector<ColumnDescription> columns;  // those the plan speaks of, in the table's order
  std::vector<PairDescription> pairs;      // of nominal and numeric columns
  std::optional<ClassDescription> classes;
  std::vector<SensitiveDescription> sensitive;
  MissingRule missing_rule = MissingRule::kKeep;
  // Where the plan names no person: a column that looks like one, how many of the first records
  // belong to somebody with several, and of how many.
  struct PersonLike {
    std::string column;
    std::uint64_t rows = 0, of = 0;
  };
  std::optional<PersonLike> person_like;
};

}  // namespace semveil
