#include "semveil/pair_part.h"

#include <optional>
#include <utility>

#include "audit/pair_part_impl.h"
#include "base/stop.h"
#include "semveil/memory_table.h"
#include "semveil/stop.h"

namespace semveil {
namespace {

TableOptions options_of(const PlanFile& plan) {
  TableOptions options;
  options.missing_values = plan.missing_values;
  return options;
}

}  // namespace

PairPart::PairPart() : impl_(std::make_unique<Impl>()) {}
PairPart::~PairPart() = default;
PairPart::PairPart(PairPart&&) noexcept = default;
PairPart& PairPart::operator=(PairPart&&) noexcept = default;

Result<PairPart> PairPart::count(ArrowSchema* original_schema, ArrowArray* original,
                                 ArrowSchema* masked_schema, ArrowArray* masked,
                                 const PlanFile& plan, const PairedRows& rows,
                                 const WorkOptions& options) {
  // Both first: whatever is wrong with the one, the other is moved from.
  const Result<Table> before =
      table_from(original_schema, original, options_of(plan), "the batch of the original table");
  const Result<Table> after =
      table_from(masked_schema, masked, options_of(plan), "the batch of the masked table");
  if (!before) return fail(before.error());
  if (!after) return fail(after.error());
  return count(*before, *after, plan, rows, options);
}

Result<PairPart> PairPart::count(const Table& original, const Table& masked, const PlanFile& plan,
                                 const PairedRows& rows, const WorkOptions& options) {
  Result<PairCounts> counted =
      stoppable(options.stop, [&] { return count_pairs(original, masked, plan, rows, options); });
  if (!counted) return fail(counted.error());
  PairPart out;
  out.impl_->counts = *std::move(counted);
  return out;
}

Status PairPart::merge(const PairPart& other) {
  if (!other.impl_->counts) return {};
  if (!impl_->counts) {
    impl_->counts = other.impl_->counts->settled();
    return {};
  }
  const Unstoppable whole;  // half a merge is none
  return impl_->counts->merge(*other.impl_->counts);
}

std::string PairPart::to_bytes() const {
  return bytes_of(impl_->counts ? std::optional(impl_->counts->settled()) : std::nullopt);
}

Result<PairPart> PairPart::from_bytes(std::string_view bytes) {
  Result<std::optional<PairCounts>> counts = counts_from(bytes);
  if (!counts) return fail(counts.error());
  PairPart out;
  out.impl_->counts = *std::move(counts);
  return out;
}

}  // namespace semveil
