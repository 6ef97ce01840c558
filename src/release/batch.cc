#include "release/batch.h"

#include <algorithm>
#include <utility>

#include "base/byte_form.h"
#include "release/kept_texts.h"
#include "release/outcome_counts.h"
#include "semveil/memory_table.h"

namespace semveil {

Occurrences::Occurrences() : impl_(std::make_unique<Impl>()) {}
Occurrences::~Occurrences() = default;
Occurrences::Occurrences(Occurrences&&) noexcept = default;
Occurrences& Occurrences::operator=(Occurrences&&) noexcept = default;

Status Occurrences::add(const Occurrences& other) {
  const std::vector<TupleCounter>& theirs = other.impl_->steps;
  std::vector<TupleCounter>& ours = impl_->steps;
  if (theirs.empty()) return {};
  if (ours.empty()) {
    for (const TupleCounter& tuples : theirs) ours.emplace_back(tuples.width());
  }
  if (!std::ranges::equal(ours, theirs, {}, &TupleCounter::width, &TupleCounter::width)) {
    return fail(usage_error("the occurrences are of different models"));
  }
  for (std::size_t s = 0; s < ours.size(); ++s) {
    for (std::size_t i = 0; i < theirs[s].size(); ++i) {
      ours[s].add(theirs[s].tuple(i), theirs[s].count(i));
    }
  }
  return {};
}

constexpr static ByteForm kOccurrencesForm{
    .name = "occurrences of values", .magic = "semvOCCU", .version = 2};

std::string Occurrences::to_bytes() const {
  ByteWriter out;
  out.number(impl_->steps.size());
  for (const TupleCounter& tuples : impl_->steps) {
    out.number(tuples.width());
    write_tuples(tuples, out);
  }
  return sealed(kOccurrencesForm, std::move(out).take());
}

Result<Occurrences> Occurrences::from_bytes(std::string_view bytes) {
  const Result<std::string_view> body = unsealed(kOccurrencesForm, bytes);
  if (!body) return fail(body.error());
  ByteReader in(*body);
  Occurrences out;
  for (std::size_t left = in.count(); left > 0 && in.is_sound(); --left) {
    const std::uint64_t width = in.number();
    if (width > body->size() + 1) return fail(not_understood(kOccurrencesForm));
    out.impl_->steps.push_back(read_tuples(width, in));
  }
  if (!in.is_done()) return fail(not_understood(kOccurrencesForm));
  return out;
}

constexpr static ByteForm kOutcomeForm{
    .name = "a part of an outcome", .magic = "semvOUTC", .version = 3};

OutcomePart::OutcomePart(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
OutcomePart::~OutcomePart() = default;
OutcomePart::OutcomePart(OutcomePart&&) noexcept = default;
OutcomePart& OutcomePart::operator=(OutcomePart&&) noexcept = default;
std::uint64_t OutcomePart::records() const { return impl_->counts.records; }
std::uint64_t OutcomePart::dropped_records() const { return impl_->counts.dropped_records; }
Status OutcomePart::merge(const OutcomePart& other) { return impl_->add(*other.impl_); }

std::string OutcomePart::to_bytes() const {
  ByteWriter out;
  impl_->write(out);
  return sealed(kOutcomeForm, std::move(out).take());
}

Result<OutcomePart> OutcomePart::from_bytes(std::string_view bytes) {
  const Result<std::string_view> body = unsealed(kOutcomeForm, bytes);
  if (!body) return fail(body.error());
  ByteReader in(*body);
  auto part = std::make_unique<Impl>(Impl::read(in));
  if (!in.is_done()) return fail(not_understood(kOutcomeForm));
  return OutcomePart(std::move(part));
}

namespace {

// A batch stays one.
TableOptions batch_options(const Model::Impl& model) {
  TableOptions options = model.table;
  options.batch_rows = std::uint64_t{1} << 31U;
  return options;
}

constexpr const char* kBatch = "the batch";

}  // namespace

Result<OutcomePart> Model::mask(ArrowSchema* schema, ArrowArray* batch, const BatchOptions& options,
                                ArrowSchema* masked_schema, ArrowArray* masked) const {
  const Result<Table> table = table_from(schema, batch, batch_options(*impl_), kBatch);
  if (!table) return fail(table.error());
  MemoryOutput output;
  ApplyOptions apply_options;
  apply_options.memory = &output;
  apply_options.first_row = options.first_row;
  apply_options.release = options.release;
  Result<OutcomePart> counted = mask_part(*impl_, *table, apply_options, options);
  if (!counted) return counted;
  if (const Status status = output.batch(masked_schema, masked); !status) {
    return fail(status.error());
  }
  return counted;
}

Result<Occurrences> Model::occurrences(ArrowSchema* schema, ArrowArray* batch) const {
  const Result<Table> table = table_from(schema, batch, batch_options(*impl_), kBatch);
  if (!table) return fail(table.error());
  Result<std::vector<TupleCounter>> tuples = count_tuples(*impl_, *table);
  if (!tuples) return fail(tuples.error());
  Occurrences counted;
  counted.impl().steps = *std::move(tuples);
  return counted;
}

}  // namespace semveil
