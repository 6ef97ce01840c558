// What the texts of two tables mean: values of attributes that both have in common, the classes of
// each table, and pairs of tuples of texts as pairs of tuples of values.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "audit/drawn_model.h"
#include "audit/pair_columns.h"
#include "audit/secret_groups.h"
#include "audit/table_pair.h"
#include "release/table_rows.h"

namespace semveil {

class MeantTables {
 public:
  static constexpr std::size_t kOriginal = 0, kMasked = 1, kControl = 2;

  // All outlive it; `columns` and `drawn` are filled in before understand().
  struct About {
    const Table& original;
    const Table& masked;
    const PlanFile& plan;
    const PairOptions& options;
    const PairColumns& columns;
    const DrawnModel& drawn;
  };
  MeantTables(const About& about, TablePair::Impl& out) : about_(about), out_(out) {}

  Status open_ontologies();
  // What was counted of the original and the masked table. The control, if there is one, is read.
  Status take(TableRows original, TableRows masked);
  // Fills the columns, sets and classes of both tables.
  Status understand();
  // Pairs of places of tuples of texts, original and masked, in the order of their first records.
  // By pair: the place of what it became in TablePair::Impl::pairs.
  std::vector<std::uint32_t> keep_pairs(const TupleCounter& pairs);
  // A record of the control that masking would have left out: the tuple that it has.
  static constexpr std::uint32_t kLeftOut = ~std::uint32_t{0};
  // The class of a tuple of texts.
  std::uint32_t class_of(std::size_t table, std::size_t tuple) const {
    return class_of_tuple_[table][tuple];
  }

  const TableRows& rows(std::size_t table) const { return rows_[table]; }
  // Of a tuple of texts.
  ConceptId value(std::size_t table, std::size_t tuple, std::size_t j) const;
  // Of what the method drew for records with this masked tuple, but for sets.
  std::uint64_t released_hash(std::size_t tuple) const;

 private:
  Status understand(std::size_t j);
  Status map(std::size_t j, const Dictionary& listed);
  Status group(std::size_t j, const GroupFiles& files, const Dictionary& listed);
  void count_unmapped(std::size_t j);
  void use_fitted(std::size_t j);
  ConceptId fitted_value(const std::string& column, std::string_view text) const;
  const ModelColumn& fitted_column(const std::string& name) const;
  Status read_sets(std::size_t i);
  std::vector<std::shared_ptr<const Attribute>> attributes() const;
  Classes side(std::size_t table) const;
  void count_sides();
  void drop_incomplete(TableRows& rows) const;

  const About about_;
  TablePair::Impl& out_;
  Ontologies ontologies_;
  std::vector<TableRows> rows_;                              // by table
  std::vector<std::vector<std::vector<ConceptId>>> values_;  // by column, table, code
  std::vector<std::vector<std::uint32_t>> class_of_tuple_;   // by table, then tuple of texts
};

}  // namespace semveil
