// What mechanisms learn from: the distinct values and tuples of a table's columns, with counts.
//
// Costs follow distinct values, so this is all that a fit ever sees of a table, however many
// records it has.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semveil/code.h"
#include "semveil/demand.h"
#include "semveil/domain.h"
#include "semveil/measure.h"
#include "semveil/names.h"
#include "semveil/statistics.h"

namespace [[gnu::visibility("default")]] semveil {

// What each concept of a domain is on each level of the VGH file it comes from.
struct LevelTable {
  unsigned levels = 0;
  std::vector<ConceptId> of;  // by concept, then level
  ConceptId at(ConceptId c, unsigned level) const { return of[c * levels + level]; }
};

class DateForm;  // src/base/date_text.h

// A column as mechanisms know it: the values a cell can have, and how far apart they are.
struct Attribute {
  enum class Kind : std::uint8_t { kNominal, kNumeric, kText };

  std::string name;
  Kind kind = Kind::kNominal;
  // Nominal: a cell is a concept of the domain.
  std::shared_ptr<const Domain> domain;
  std::shared_ptr<const Names> names;            // of the ontology the domain is part of
  std::shared_ptr<const Measure> measure;        // over the domain's taxonomy
  std::shared_ptr<const Candidates> candidates;  // what may be put in a value's place
  std::shared_ptr<const LevelTable> levels;      // of a VGH; null: levels are depths
  // By concept, what a cell loses: of intervals their width by the range. Null: by the leaves
  // below.
  std::shared_ptr<const std::vector<double>> shares = nullptr;
  bool missing_is_value = false;  // missing = "category": missing_value() is one more value
  // Numeric: a cell is the place of its number.
  std::vector<double> numbers;      // ascending, each once
  std::vector<std::string> digits;  // of each number, the fewest that give it back
  double unit = 0;                  // numbers this far apart are at distance 1; 0: all at 0
  unsigned decimals = 0;            // the most that a number of the column has
  // Of dates, which are numbers of days: how they are written, in `digits`, too. Null: no dates.
  std::shared_ptr<const DateForm> dates = nullptr;
  // Of a nominal column whose cells are values with several senses each: its concepts stand for
  // values, and this tells the one concept that each is settled on, for what needs one (a mean, how
  // general a value is). Null: a cell is one concept, or no concept stands for it.
  struct Resolved {
    std::shared_ptr<const Attribute> attribute;
    std::vector<ConceptId> of;  // by value; kMissing: outside that attribute's domain
  };
  std::shared_ptr<const Resolved> resolved = nullptr;
  // Text: a cell is the place of its text. Different texts are at distance 1.
  std::vector<std::string> texts;  // ascending, each once

  bool is_nominal() const { return kind == Kind::kNominal; }
  bool is_numeric() const { return kind == Kind::kNumeric; }
  bool is_date() const { return dates != nullptr; }
  const Taxonomy& taxonomy() const { return *domain->taxonomy(); }  // nominal
  std::size_t size() const;
  ConceptId missing_value() const { return static_cast<ConceptId>(size()); }
  // At most 1. missing_value() and what is beyond it, texts that mean nothing, lie at 1 from all
  // others.
  double distance(ConceptId a, ConceptId b) const;
  // The source's id of a concept of the domain, "" for the virtual root; the digits of a number; a
  // text; "" for missing_value().
  std::string_view id(ConceptId c) const;
};
// `unit`: what a distance of 1 is.
Attribute numeric_attribute(std::string name, std::vector<double> numbers, double unit);
Attribute text_attribute(std::string name, std::vector<std::string> texts);

// The attribute over one concept per value, and what values of `attribute` are to it: the same
// where cells are concepts.
const Attribute& concepts_of(const Attribute& attribute);
ConceptId concept_of(const Attribute& attribute, ConceptId value);
ValueCounts concept_counts(const Attribute& attribute, const ValueCounts& values);

// Whether concepts of one are concepts of the other, under the same numbers.
bool same_domain(const Attribute& a, const Attribute& b);

struct FrequencyColumn {
  std::shared_ptr<const Attribute> attribute;
  ValueCounts values;         // of the domain; with missing_value() where missing is a value
  std::uint64_t missing = 0;  // cells that take no part
};

struct PlaceCount {
  Code place;
  std::uint64_t count;
  bool operator==(const PlaceCount&) const = default;
};

// Whose records have each of several things, persons being numbers: each once, ascending.
struct PersonLists {
  std::vector<std::size_t> begin;      // by thing: its first; one more at the end. Empty: not told
  std::vector<std::uint32_t> persons;  // one list behind the other

  bool are_told() const { return !begin.empty(); }
  std::span<const std::uint32_t> of(std::size_t i) const {
    return std::span(persons).subspan(begin[i], begin[i + 1] - begin[i]);
  }
  // Of pairs of thing and person, each once, ascending by (thing, person): the thing in the upper
  // half.
  static PersonLists from(std::span<const std::uint64_t> pairs, std::size_t things);
  std::uint64_t different() const;  // of all of them together
};

// A sensitive column of which something is demanded: the values of the records of each tuple.
struct SensitiveColumn {
  std::string name;
  Demand demand;
  // By place. The attribute is null where different values are simply different; a value that means
  // nothing to it is kMissing, and lies at distance 1 from all others.
  std::shared_ptr<const Attribute> attribute;
  std::vector<ConceptId> values;
  std::vector<std::uint64_t> whole;  // records by place, or persons
  std::vector<std::size_t> begin;    // by tuple: its first in `counts`; one more at the end
  std::vector<PlaceCount> counts;    // of each tuple, ascending by place: records, or persons
  PersonLists persons;               // by place in `counts`, where persons are told

  std::span<const PlaceCount> of(std::size_t tuple) const {
    return std::span(counts).subspan(begin[tuple], begin[tuple + 1] - begin[tuple]);
  }
};

struct FrequencyTable {
  std::uint64_t records = 0;
  std::vector<FrequencyColumn> columns;
  // Distinct tuples over all columns, one after the other in ascending order: for each column the
  // place of its value, or kMissing. Empty for a single column.
  std::vector<Code> tuples;
  std::vector<std::uint64_t> tuple_counts;
  // For methods that form classes; by tuple or, for a single column, by place of its value. A
  // single column's missing cells come last.
  std::vector<SensitiveColumn> sensitive;
  // The same, where the plan names a person: then k and what is demanded count persons. The digest
  // does not know of them: whoever has one record is masked as if nobody had asked.
  PersonLists persons;

  // The records complete in both columns, ascending by (a, b).
  std::vector<JointCount> joint(std::size_t a, std::size_t b) const;
  // Of names, ids and counts: two tables with one digest are masked with one stream of draws.
  std::string digest() const;
};

// The same counts in order, each pair once.
std::vector<JointCount> merged(std::vector<JointCount> joint);

}  // namespace semveil
