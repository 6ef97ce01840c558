// Tables of concepts made from a seed, and what a fit and a plan see of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "semveil/mechanism.h"
#include "support/generate.h"
#include "support/slow_measures.h"
#include "support/slow_noise.h"

namespace semveil::test {

// One domain with its twin; columns may share it.
struct TwinDomain {
  explicit TwinDomain(const GeneratedTaxonomy& taxonomy);
  // The largest part below a concept other than the root: numbers and depths of its own.
  static std::unique_ptr<const TwinDomain> part_of(const GeneratedTaxonomy& taxonomy);
  TwinDomain(const TwinDomain&) = delete;
  TwinDomain& operator=(const TwinDomain&) = delete;

  Twins twins;
  std::shared_ptr<const Domain> domain;

  // Between the engine's numbers and the twin's; missing is the number after the last in both, and
  // kMissing is understood.
  SlowTaxonomy::Node node(ConceptId c) const {
    return c < twins.fast->size() ? twins.node[c] : twins.slow.size();
  }

 private:
  TwinDomain(Twins all, std::shared_ptr<const Domain> part)
      : twins(std::move(all)), domain(std::move(part)) {}
};

std::shared_ptr<const Attribute> make_attribute(const std::string& name, const TwinDomain& domain,
                                                const MeasureCase& measure,
                                                const SlowCandidateRules& rules = {},
                                                bool missing_is_value = false);

struct TableColumn {
  std::shared_ptr<const Attribute> attribute;
  std::vector<ConceptId> cells;  // concepts of the domain, places of numbers, or kMissing
};

struct GeneratedTable {
  std::vector<TableColumn> columns;
  std::vector<std::string> persons;  // by row; may be empty

  std::size_t rows() const { return columns.front().cells.size(); }
  FrequencyTable frequencies() const;
  // All rows, as they stand at `offset` in a longer table. The table must outlive it.
  RecordBatch whole(std::uint64_t offset = 0) const;
  RecordBatch batch(std::size_t first, std::size_t rows, std::uint64_t offset = 0) const;
};

// Rows `first` … `first` + `rows` − 1 of a batch.
RecordBatch part_of(const RecordBatch& whole, std::size_t first, std::size_t rows);

// Values of a column: at most `distinct` concepts of the domain, the virtual root left out, some
// far more frequent than others; one cell in `missing_one_in` is missing (0: none).
std::vector<ConceptId> draw_cells(const Taxonomy& taxonomy, std::size_t rows, std::size_t distinct,
                                  std::size_t missing_one_in, Random& random);
// The same for a column that goes along with another of the same domain: in two rows of three the
// other's value, or the concept with the next number.
std::vector<ConceptId> draw_related_cells(const Taxonomy& taxonomy,
                                          const std::vector<ConceptId>& other,
                                          std::size_t missing_one_in, Random& random);
// The same for numbers: their places.
std::vector<ConceptId> draw_numbers(std::size_t numbers, std::size_t rows,
                                    std::size_t missing_one_in, Random& random);

}  // namespace semveil::test
