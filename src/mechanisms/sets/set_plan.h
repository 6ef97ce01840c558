// Plans of sets: enhanced additive noise and its baseline.
#pragma once

#include <optional>

#include "mechanisms/sets/set_draws.h"
#include "mechanisms/sets/set_joint.h"
#include "semveil/ean.h"

namespace semveil {

inline constexpr std::string_view kEanName = "ean-1";
inline constexpr std::string_view kAnName = "an-1";

class SetPlan final : public FittedMethod {
 public:
  using Attributes = std::vector<std::shared_ptr<const Attribute>>;

  // Columns are checked (set_column.h); `joint` where there are several.
  SetPlan(Attributes attributes, SetFit fit, std::optional<SetJoint> joint, bool by_person,
          const Key& key);

  const Attributes& attributes() const override { return attributes_; }
  std::size_t width(std::size_t column) const override { return fit_.columns[column].l; }
  bool needs_persons() const override { return by_person_; }
  bool knows_origins() const override { return true; }
  void apply(const RecordBatch& in, MaskedBatch& out) const override;
  std::string save() const override;

  const SetFit& fit() const { return fit_; }

 private:
  struct Column {
    SetDraws sets;
    Draws draws;
    std::vector<double> weights;  // by value
    bool some_unseen = false;     // values of sets that no record has
  };
  void draw(const RecordBatch& in, std::size_t j, std::size_t first, std::size_t rows,
            std::vector<std::uint64_t>& words) const;
  void find_single_origins(const RecordBatch& in, std::size_t j, std::size_t first,
                           std::size_t rows, MaskedBatch& out) const;
  void count(const RecordBatch& in, std::size_t j, std::size_t first, std::size_t rows,
             MaskedBatch& out) const;

  Attributes attributes_;
  SetFit fit_;
  std::vector<Column> columns_;
  std::optional<SetJoint> joint_;
  bool by_person_;
};

Result<std::unique_ptr<const FittedMethod>> load_sets(
    std::string_view saved, bool by_category,
    std::vector<std::shared_ptr<const Attribute>> attributes, const Key& key);

}  // namespace semveil
