// The channel of several columns of noise together: P(z1 … zm | x1 … xm), and what follows from it.
//
// Prior: the records complete in all the columns, by tuple. A source is what a column's errors are
// looked up with: its value, or its value and the partner's where that is the reference; it cuts
// the line of errors into steps (noise_lines.h), and a tuple has one source for each column.
// Released values that every source leads to by the same steps have the same probability in every
// row, so they are put into one class: of 10,297 persons of WordNet 163 classes are left for
// the 14 occupations of Adult, and the sums over z1 … zm run over classes.
//
// Errors of different columns:
//   independent              P(z | x) is the product of the columns'            exact
//   correlated, two columns  bivariate normal rectangles (bivariate.h)          exact, 1e-12
//   correlated, more         conditionally independent errors                   simulated
//
// Cost:  exact O(tuples · Π classes) time, at most kMostJointWork, else simulated.
#pragma once

#include <optional>

#include "mechanisms/noise/noise_lines.h"
#include "semveil/channel.h"

namespace semveil {

inline constexpr double kMostJointWork = 2e9;

// Tuples of some columns, each once, ascending; records that miss one of the cells are left out.
struct JointTuples {
  std::vector<std::size_t> columns;  // of the table
  std::vector<Code> places;          // by tuple, then column
  std::vector<std::uint64_t> counts;
  std::vector<double> shares;  // of the records here

  JointTuples(const FrequencyTable& table, std::vector<std::size_t> columns);
  std::size_t size() const { return counts.size(); }
  double greatest_share() const;
};

// One column of them, as the plan looks at it.
class JointColumn {
 public:
  struct Step {
    double from, to;
    std::uint32_t count;
  };
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  struct Ways {  // the steps of a source that lead to a class; at most one for each sign
    std::uint32_t down = kNone, up = kNone;
  };

  // `j`: place among the tuples' columns.
  JointColumn(const NoiseLines& lines, const FrequencyTable& table, const JointTuples& tuples,
              std::size_t j);

  std::size_t sources() const { return steps_.size(); }
  std::size_t source(std::size_t tuple) const { return of_tuple_[tuple]; }
  const std::vector<Step>& steps(std::size_t source) const { return steps_[source]; }
  ErrorLine line(std::size_t source) const;
  ConceptId value(std::size_t source) const { return keys_[source].first; }
  std::size_t most_steps() const;

  // Makes classes of all values that are led to. False: there would be more than `most`.
  bool make_classes(std::size_t most);
  // Or only of these values, each its own; sorted, each once.
  void make_classes_of(const std::vector<ConceptId>& values);
  std::size_t classes() const { return sizes_.size(); }
  double size(std::size_t c) const { return static_cast<double>(sizes_[c]); }
  std::uint32_t class_of(ConceptId value) const { return class_of_[value]; }  // kNone: no source's
  Ways ways(std::size_t source, std::size_t c) const { return ways_[source * classes() + c]; }

 private:
  void find_ways();

  const NoiseLines& lines_;
  std::size_t column_, values_;
  std::vector<std::pair<ConceptId, ConceptId>> keys_;  // by source: value, partner's cell
  std::vector<std::vector<Step>> steps_;
  std::vector<std::uint32_t> of_tuple_;
  std::vector<std::uint32_t> class_of_;  // by value
  std::vector<std::uint64_t> sizes_;     // by class: values
  std::vector<Ways> ways_;               // by source and class
};

// Nothing where it would be too much work.
std::optional<ChannelRisk> exact_joint_risk(const NoiseLines& lines, const FrequencyTable& table,
                                            const JointTuples& tuples,
                                            const ChannelOptions& options);
std::optional<ChannelRisk> simulated_joint_risk(const NoiseLines& lines,
                                                const FrequencyTable& table,
                                                const JointTuples& tuples,
                                                const ChannelOptions& options);

// Names, prior and leakage of a joint risk whose other figures are there.
void finish_joint(const FrequencyTable& table, const JointTuples& tuples, ChannelRisk& risk);

}  // namespace semveil
