#include "figures/value_distances.h"

#include <algorithm>
#include <numeric>

#include "base/parallel.h"

namespace semveil {
namespace {

constexpr std::size_t kRowsOfAPiece = 64;

}  // namespace

ValueDistances::ValueDistances(std::shared_ptr<const Attribute> attribute,
                               std::vector<ConceptId> sources, std::vector<ConceptId> targets,
                               unsigned bits, unsigned threads, std::size_t most_kept)
    : attribute_(std::move(attribute)),
      sources_(std::move(sources)),
      targets_(std::move(targets)),
      unit_(static_cast<double>(std::uint64_t{1} << bits)) {
  for (std::size_t t = 0; attribute_->is_nominal() && t < targets_.size(); ++t) {
    if (targets_[t] >= attribute_->size()) continue;
    named_.push_back(targets_[t]);
    named_targets_.push_back(static_cast<std::uint32_t>(t));
  }
  if (targets_.empty() || sources_.size() > most_kept / targets_.size()) return;
  kept_.resize(sources_.size() * targets_.size());
  const std::size_t pieces = (sources_.size() + kRowsOfAPiece - 1) / kRowsOfAPiece;
  in_parallel(threads, pieces, [&](std::size_t piece) {
    const std::size_t first = piece * kRowsOfAPiece;
    std::vector<std::uint32_t> some(std::min(kRowsOfAPiece, sources_.size() - first));
    std::iota(some.begin(), some.end(), static_cast<std::uint32_t>(first));
    compute(some, kept_.data() + first * targets_.size());
  });
}

void ValueDistances::rows(std::span<const std::uint32_t> sources, Rows& out) const {
  out.of.assign(sources_.size(), nullptr);
  if (kept_.empty()) {
    out.buffer.resize(sources.size() * targets_.size());
    compute(sources, out.buffer.data());
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    out.of[sources[i]] = kept_.empty() ? out.buffer.data() + i * targets_.size()
                                       : kept_.data() + sources[i] * targets_.size();
  }
}

void ValueDistances::compute(std::span<const std::uint32_t> sources, std::uint64_t* out) const {
  const auto in_units = [&](double distance) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(distance * unit_ + 0.5));
  };
  const auto whole = static_cast<std::uint64_t>(unit_);
  std::vector<ConceptId> named;  // sources that a measure knows
  std::vector<std::uint64_t*> named_rows;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const ConceptId source = sources_[sources[i]];
    std::uint64_t* const row = out + i * targets_.size();
    if (attribute_->is_nominal() && source < attribute_->size()) {
      named.push_back(source);
      named_rows.push_back(row);
      std::fill_n(row, targets_.size(), whole);
      continue;
    }
    for (std::size_t t = 0; t < targets_.size(); ++t) {
      row[t] = in_units(attribute_->distance(source, targets_[t]));
    }
  }
  if (named.empty() || named_.empty()) return;
  attribute_->measure->rows(named, named_, [&](std::size_t i, std::span<const double> row) {
    for (std::size_t t = 0; t < row.size(); ++t) {
      named_rows[i][named_targets_[t]] = in_units(row[t]);
    }
  });
}

}  // namespace semveil
