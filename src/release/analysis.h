// A table reduced to what statistics need: distinct values with counts, and distinct tuples.
//
// Both sides of a release are looked at in this form: the original from a survey, the masked one
// from what was counted while it was written.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/person_pairs.h"
#include "base/tuple_counter.h"
#include "semveil/frequency_table.h"
#include "semveil/release.h"

namespace semveil {

// A column as it was counted, by codes of the counting's own.
struct CountedColumn {
  std::string name;
  Role role = Role::kOther;
  std::vector<std::uint64_t> counts;  // by code
  std::uint64_t missing = 0;
  std::shared_ptr<const Attribute> attribute;  // of nominal columns, and of others in masking
  std::vector<ConceptId> concepts;  // what each code means to the attribute; kMissing: nothing
  // By code: the concept stands for a text that means nothing; empty: for none.
  std::vector<bool> stands_in;
  // Of numeric columns.
  bool numeric = false;
  std::vector<double> numbers;
  bool dates = false;  // they are days
};

class Analysis {
 public:
  // `joined`: places of the columns that `tuples` is over. A single joined column needs no tuples.
  // `drop`: whether a record that misses a column's cell is left out, by column; empty: never.
  // `persons`: whose records have each tuple, or each code of a single joined column (kMissing: no
  // cell); null: nobody knows. They must outlive it.
  Analysis(std::vector<CountedColumn> columns, std::vector<std::size_t> joined,
           const TupleCounter& tuples, std::uint64_t records, std::vector<bool> drop = {},
           const PersonPairs* persons = nullptr);

  struct Column {
    std::string name;
    Role role = Role::kOther;
    std::uint64_t distinct = 0, missing = 0, unmapped = 0;
    std::shared_ptr<const Attribute> attribute;
    ValueCounts values;  // of the attribute, unless numeric; with missing_value() if it is a value
    bool numeric = false, dates = false;
    std::vector<double> numbers;  // ascending, each once
    std::vector<std::uint64_t> number_counts;
    // The code of missing cells, where they count as a value; else kMissing.
    Code empty() const {
      const bool is_value = attribute != nullptr && attribute->missing_is_value &&
                            !values.values.empty() &&
                            values.values.back() == attribute->missing_value();
      return is_value ? static_cast<Code>(values.values.size() - 1) : kMissing;
    }
    bool is_nominal() const { return attribute != nullptr && attribute->is_nominal(); }
  };
  std::uint64_t records() const { return records_; }
  const std::vector<Column>& columns() const { return columns_; }
  // Codes of a column are places in its values or numbers; what is not mapped comes after them.
  const std::vector<std::size_t>& joined() const { return joined_; }
  const TupleCounter& tuples() const { return tuples_; }
  bool tells_persons() const { return raw_persons_ != nullptr; }
  PersonPairs persons() const;  // of tuples(); made when it is asked for

  std::vector<JointCount> joint(std::size_t a, std::size_t b) const;  // places in joined()
  // `demands`: by name of a joined column.
  FrequencyTable frequencies(const std::vector<std::string>& names,
                             const std::map<std::string, Demand>& demands = {}) const;

 private:
  std::vector<SensitiveColumn> sensitive(const std::vector<std::size_t>& places,
                                         const std::map<std::string, Demand>& demands) const;
  // Whose records have each of some things. `thing_of`: by tuple.
  PersonPairs persons_by(std::span<const std::uint32_t> thing_of) const;
  std::vector<std::uint32_t> rows_of(const std::vector<std::size_t>& places,
                                     const std::vector<std::vector<Code>>& place_of,
                                     const FrequencyTable& table) const;
  void count_persons(std::span<const std::uint32_t> entry_of, SensitiveColumn& column) const;
  void map_raw(Code raw, std::size_t tuple);

  std::vector<Column> columns_;
  std::vector<std::size_t> joined_;
  TupleCounter tuples_;
  std::uint64_t records_;
  static constexpr std::uint32_t kLeftOut = ~std::uint32_t{0};
  const PersonPairs* raw_persons_ = nullptr;
  // By raw tuple or code: the tuple it became, or kLeftOut. The last: missing cells of a single
  // column.
  std::vector<std::uint32_t> became_;
};

Description describe(const Analysis& analysis, MissingRule missing, const WorkOptions& options);

}  // namespace semveil
