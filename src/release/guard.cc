#include "release/guard.h"

#include <fmt/format.h>

#include <numeric>

#include "base/text.h"
#include "mechanisms/generalize/generalize_loss.h"
#include "release/verify.h"
#include "semveil/method.h"

namespace semveil {
namespace {

double parameter(const Model::Impl& model, const std::string& name, double otherwise) {
  const auto at = model.parameters.find(name);
  return at == model.parameters.end() ? otherwise : number_of(at->second).value_or(otherwise);
}

}  // namespace

Guard::Guard(const Model::Impl& model, const Plan& plan, const ReadColumns& columns)
    : model_(model),
      fit_(*class_fit(plan)),
      columns_(columns),
      k_(static_cast<std::uint64_t>(parameter(model, "k", static_cast<double>(fit_.k)))),
      released_(model.columns.size() + model.demanded.size()),
      suppressed_(released_.width()),
      sensitive_(model.demanded.size()) {}

// Of a cell; kMissing: it takes no part. Texts that mean nothing are values of their own.
Code Guard::code_of(std::size_t demanded, Code text) {
  const ReadColumns::Masked& column = columns_.demanded()[demanded];
  const Attribute& attribute = *column.model->attribute;
  if (text == kMissing && !attribute.missing_is_value) return kMissing;
  const ConceptId meant = text == kMissing ? attribute.missing_value() : column.concepts[text];
  const Code value = meant == kMissing ? attribute.missing_value() + 1 + text : meant;
  Sensitive& sensitive = sensitive_[demanded];
  const auto [at, is_new] =
      sensitive.codes.try_emplace(value, static_cast<Code>(sensitive.values.size()));
  if (is_new) {
    sensitive.values.push_back(meant);
    sensitive.whole.push_back(0);
  }
  return at->second;
}

void Guard::add(const ReleasedBatch& released) {
  const TableBatch& batch = *released.batch;
  const std::size_t width = released.values.size();
  std::vector<Code> tuple(released_.width());
  for (std::size_t row = 0; row < batch.rows; ++row) {
    if (!batch.dropped.empty() && batch.dropped[row]) continue;
    const bool is_suppressed = !released.suppressed.empty() && released.suppressed[row];
    ++records_;
    suppressed_records_ += is_suppressed ? 1 : 0;
    for (std::size_t j = 0; j < width; ++j) tuple[j] = released.values[j][row];
    for (std::size_t i = 0; i < sensitive_.size(); ++i) {
      const Code code = code_of(i, batch.codes[columns_.demanded()[i].place][row]);
      if (code != kMissing) ++sensitive_[i].whole[code];
      tuple[width + i] = is_suppressed && fit_.suppresses_sensitive ? kMissing : code;
    }
    (is_suppressed ? suppressed_ : released_).add(tuple);
  }
}

Status Guard::verify() const {
  if (!method_named(model_.method).forms_classes) return verify_columns();
  if (const Status status = verify_suppressed(); !status) return status;
  VerifiedTable all{.released = released_,
                    .quasi_identifiers = std::vector<std::size_t>(model_.columns.size()),
                    .sensitive = {},
                    .missing = model_.missing,
                    .k = k_,
                    .suppressed = &suppressed_};
  std::iota(all.quasi_identifiers.begin(), all.quasi_identifiers.end(), std::size_t{0});
  for (std::size_t i = 0; i < model_.demanded.size(); ++i) {
    const ModelColumn& column = model_.demanded[i];
    VerifiedColumn& verified = all.sensitive.emplace_back();
    verified.name = column.plan.name;
    verified.place = model_.columns.size() + i;
    verified.demand = model_.demands.at(column.plan.name);
    verified.attribute = column.attribute;
    verified.values = sensitive_[i].values;
    verified.whole = sensitive_[i].whole;
  }
  return verify_classes(all);
}

Status Guard::verify_suppressed() const {
  const double share = parameter(model_, "suppression", 0);
  const std::uint64_t limit = suppression_limit(share, records_);
  if (suppressed_records_ > limit) {
    return fail(Error{ErrorCode::kGuarantee,
                      fmt::format("{} of {} records would be suppressed, and suppression = {} lets "
                                  "go of {}: fit it again on this table",
                                  suppressed_records_, records_, share, limit),
                      {},
                      {},
                      {}});
  }
  const bool told = suppressed_records_ > 0 && suppressed_records_ < k_ &&
                    !fit_.suppresses_sensitive && !model_.sensitive.empty();
  if (!told) return {};
  return fail(
      Error{ErrorCode::kGuarantee,
            fmt::format("{} record{} suppressed, fewer than k = {}, and would show "
                        "sensitive cells: fit it again on this table",
                        suppressed_records_, suppressed_records_ == 1 ? " is" : "s are", k_),
            {},
            {},
            {}});
}

Status Guard::verify_columns() const {
  for (std::size_t j = 0; j < model_.columns.size(); ++j) {
    TupleCounter values(1);
    for (std::size_t t = 0; t < released_.size(); ++t) {
      const Code value = released_.tuple(t)[j];
      const bool takes_part = value != kMissing || model_.columns[j].attribute->missing_is_value;
      if (takes_part) values.add({&value, 1}, released_.count(t));
    }
    const Status status = verify_classes({.released = values,
                                          .quasi_identifiers = {0},
                                          .sensitive = {},
                                          .missing = MissingRule::kCategory,
                                          .k = k_,
                                          .suppressed = nullptr});
    if (status) continue;
    Error error = status.error();
    error.place.column = model_.columns[j].plan.name;
    return fail(std::move(error));
  }
  return {};
}

}  // namespace semveil
