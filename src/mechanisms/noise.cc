// Masking with semantic noise (semveil/noise.h).
//
// Errors of a row: with z_k the k-th column's deviates and L a root of α Σ, ε_j = Σ_k≤j L_jk z_k.
// Uncorrelated noise has a diagonal L.
//
// Draws: number 0 of a column is its deviate, number 1 its choice among ties. By person, both are
// addressed by (person, value); where errors or references join columns, by (person, values of all
// joined columns), as the error belongs to all of them.
#include "semveil/noise.h"

#include <algorithm>
#include <cmath>

#include "base/deviates.h"
#include "base/radix_order.h"
#include "mechanisms/ladder_shelf.h"
#include "mechanisms/noise_model.h"

namespace semveil {
namespace {

constexpr std::uint32_t kErrorDraw = 0;
constexpr std::uint32_t kTieDraw = 1;
// Beyond this many observed (value, partner) pairs possible origins are not counted: a ladder each.
constexpr std::size_t kMostPairs = 50'000;

// ---- One column ---------------------------------------------------------------------------------

class NoisyColumn {
 public:
  NoisyColumn(std::shared_ptr<const Attribute> attribute, const NoiseLearned& learned,
              const NoiseOptions& options)
      : attribute_(std::move(attribute)),
        options_(options),
        candidates_(*attribute_),
        pairs_(*attribute_, candidates_, options.ties == TieRule::kFirst) {
    if (options.reference != NoiseReference::kPair) {
      const bool at_mean = options.reference == NoiseReference::kMean;
      reference_ = at_mean ? learned.statistics.mean : Taxonomy::root();
      shelf_.emplace(*attribute_, candidates_, reference_,
                     at_mean ? AtReference::kFree : AtReference::kBound,
                     options.ties == TieRule::kFirst);
      shelf_->prepare(learned.values, options.threads);
    }
    count_origins(learned);
  }

  const Attribute& attribute() const { return *attribute_; }
  ConceptId missing() const { return missing_value(*attribute_->measure); }
  bool knows_origins() const { return !single_.empty(); }
  bool has_single_origin(ConceptId z) const { return !single_.empty() && single_[z]; }
  bool some_value_is_alone() const { return some_value_is_alone_; }

  // Column j of `in`, given the errors; `partners` is empty unless the reference is kPair.
  //
  // Records are taken value by value: what slows them down is waiting for memory, and so a ladder
  // is fetched once a batch.
  void mask(const RecordBatch& in, std::uint32_t j, std::span<const double> errors,
            std::span<const std::uint64_t> ties, std::span<const ConceptId> partners,
            MaskedBatch& out) const {
    const std::span<const ConceptId> cells = in.columns[j];
    std::vector<Chosen> chosen(in.rows);
    std::vector<ConceptId>& released = out.columns[j];
    const bool random = options_.ties == TieRule::kRandom;
    const auto release = [&](std::uint32_t row, ConceptId x, const Ladder& ladder) {
      const Ladder::Pick& pick = chosen[row].pick;
      released[row] =
          pick.rung == nullptr
              ? x
              : candidates_[random ? ladder.random(pick, ties[row]) : ladder.first(pick)];
    };
    if (partners.empty()) {
      const std::vector<std::uint32_t> order = radix_order(cells);
      // Two loops: in each, the records do not wait for each other's memory.
      for (const std::uint32_t row : order) {
        const ConceptId x = value(cells[row]);
        if (x != kMissing) chosen[row] = choose(shelf_->of(x), errors[row]);
      }
      for (const std::uint32_t row : order) {
        const ConceptId x = value(cells[row]);
        if (x != kMissing) release(row, x, shelf_->of(x));
      }
    } else {
      for_each_pair(cells, partners, [&](std::uint32_t row, ConceptId x, const Ladder& ladder) {
        chosen[row] = choose(ladder, errors[row]);
        release(row, x, ladder);
      });
    }
    for (std::size_t row = 0; row < in.rows; ++row) {
      if (!chosen[row].takes_part) {
        released[row] = kMissing;
        ++out.tallies[j].missing;
        continue;
      }
      const ConceptId x = value(cells[row]);
      const ConceptId z = released[row];
      count(x, z, errors[row], chosen[row], out.tallies[j]);
      if (has_single_origin(z)) out.single_origin[row] = true;
      if (out.traced) {
        out.trace.push_back({in.first_row + row, j, x, errors[row],
                             reference(x, partners.empty() ? kMissing : partners[row]), z,
                             chosen[row].pick.rule});
      }
      if (z == missing()) released[row] = kMissing;
    }
  }

 private:
  struct Chosen {
    bool takes_part = false;  // the cell is not missing
    double distance = 0;
    Ladder::Pick pick;  // without a rung: the value stays
  };

  ConceptId value(ConceptId cell) const {
    return cell == kMissing && attribute_->missing_is_value ? missing() : cell;
  }

  // What decided about the sign, for the trace.
  std::optional<ConceptId> reference(ConceptId x, ConceptId partner) const {
    switch (options_.reference) {
      case NoiseReference::kMean:
        return x == reference_ ? std::nullopt : std::optional(reference_);
      case NoiseReference::kRoot:
        return reference_;
      case NoiseReference::kPair:
        return partner == kMissing ? std::nullopt : std::optional(partner);
    }
    return std::nullopt;
  }

  static Chosen choose(const Ladder& ladder, double error) {
    if (error == 0) return {true, 0, {nullptr, Rule::kZero, Side::kAny}};
    if (ladder.alone()) return {true, 0, {nullptr, Rule::kAlone, Side::kAny}};
    const Ladder::Pick pick = ladder.choose(error);
    return {true, pick.rung->distance, pick};
  }

  // Calls replace(row, x, ladder) for records that have a value, those of one pair together.
  template <class Replace>
  void for_each_pair(std::span<const ConceptId> cells, std::span<const ConceptId> partners,
                     const Replace& replace) const {
    std::vector<std::uint32_t> order;
    for (std::uint32_t row = 0; row < cells.size(); ++row) {
      if (value(cells[row]) != kMissing) order.push_back(row);
    }
    const auto pair = [&](std::uint32_t row) { return std::pair(cells[row], partners[row]); };
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return pair(a) < pair(b); });
    std::shared_ptr<const Ladder> ladder;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::uint32_t row = order[i];
      const ConceptId x = value(cells[row]);
      if (i == 0 || pair(order[i - 1]) != pair(row)) {
        const ConceptId partner = partners[row];
        ladder = pairs_.of(x, partner == kMissing ? std::nullopt : std::optional(partner));
      }
      replace(row, x, *ladder);
    }
  }

  void count(ConceptId x, ConceptId z, double error, const Chosen& how, ColumnTally& tally) const {
    ++tally.cells;
    ++tally.rules[static_cast<std::size_t>(how.pick.rule)];
    ++tally.released[z];
    if (z != x) {
      ++tally.changed;
      tally.filled += x == missing() ? 1 : 0;
      tally.emptied += z == missing() ? 1 : 0;
    }
    tally.errors.add(std::abs(error));
    tally.squared_errors.add(error * error);
    tally.distances.add(how.distance);
    tally.squared_distances.add(how.distance * how.distance);
  }

  // A released value that only one of the values seen can have become tells that value: noise does
  // not protect it.
  void count_origins(const NoiseLearned& learned) {
    if (learned.partners.size() > kMostPairs) return;
    std::vector<std::uint32_t> origins(attribute_->taxonomy().size() + 1, 0);  // by concept
    std::vector<std::int32_t> change(candidates_.size() + 1, 0);
    bool stays = false;
    const auto mark = [&](const Ladder& ladder) {
      some_value_is_alone_ |= ladder.alone();
      const auto add = [&](std::uint32_t first, std::uint32_t last) {
        ++change[first];
        --change[last];
      };
      if (ladder.alone() || learned.statistics.deviation == 0) {
        stays = true;
      } else if (options_.ties == TieRule::kRandom) {
        ladder.for_each_reachable(add);
      } else {
        ladder.for_each_first(add);
      }
    };
    const auto close_value = [&](ConceptId x) {
      origins[x] += stays ? 1 : 0;
      stays = false;
      std::int32_t ways = 0;
      for (std::size_t i = 0; i < candidates_.size(); ++i) {
        ways += change[i];
        origins[candidates_[i]] += ways > 0 ? 1 : 0;
      }
      std::fill(change.begin(), change.end(), 0);
    };
    if (shelf_) {
      for (const ConceptId x : learned.values) {
        mark(shelf_->of(x));
        close_value(x);
      }
    } else {
      for (std::size_t i = 0; i < learned.partners.size(); ++i) {
        const auto [x, partner] = learned.partners[i];
        mark(*pairs_.of(x, partner == kMissing ? std::nullopt : std::optional(partner)));
        const bool last_of_x =
            i + 1 == learned.partners.size() || learned.partners[i + 1].first != x;
        if (last_of_x) close_value(x);
      }
    }
    single_.resize(origins.size());
    for (std::size_t c = 0; c < origins.size(); ++c) single_[c] = origins[c] == 1;
  }

  std::shared_ptr<const Attribute> attribute_;
  NoiseOptions options_;
  CandidateList candidates_;
  ConceptId reference_ = kMissing;  // not for kPair
  std::optional<LadderShelf> shelf_;
  PairShelf pairs_;
  std::vector<bool> single_;  // by concept; empty: not known
  bool some_value_is_alone_ = false;
};

// ---- The plan -----------------------------------------------------------------------------------

class NoisePlan final : public Plan {
 public:
  NoisePlan(Attributes attributes, NoiseModel model, const Key& key)
      : attributes_(std::move(attributes)), model_(std::move(model)) {
    for (std::size_t j = 0; j < attributes_.size(); ++j) {
      columns_.push_back(
          std::make_unique<NoisyColumn>(attributes_[j], model_.columns[j], model_.options));
      draws_.emplace_back(key, attributes_[j]->name);
      fit_.columns.push_back(model_.columns[j].statistics);
    }
    fit_.covariance = model_.covariance;
    fit_.psd_shift = model_.psd_shift;
  }

  const Attributes& attributes() const override { return attributes_; }
  bool needs_persons() const override { return model_.options.by_person; }
  bool knows_origins() const override {
    return std::all_of(columns_.begin(), columns_.end(),
                       [](const auto& column) { return column->knows_origins(); });
  }
  const NoiseFit& fit() const { return fit_; }
  bool some_value_is_alone(std::size_t j) const { return columns_[j]->some_value_is_alone(); }

  void apply(const RecordBatch& in, MaskedBatch& out) const override {
    const std::size_t width = attributes_.size();
    out.columns.resize(width);
    out.tallies.resize(width);
    out.single_origin.assign(in.rows, false);
    out.trace.clear();
    std::vector<std::vector<double>> deviates(width);
    std::vector<std::vector<std::uint64_t>> addresses(width);
    std::vector<std::uint64_t> bits(in.rows);
    for (std::size_t k = 0; k < width; ++k) {
      if (needs_persons()) addresses[k] = persons(in, k);
      draw(in, k, kErrorDraw, addresses[k], bits);
      deviates[k].resize(in.rows);
      const bool normal = model_.options.distribution == NoiseDistribution::kNormal;
      for (std::size_t row = 0; row < in.rows; ++row) {
        deviates[k][row] = normal ? normal_deviate(bits[row]) : laplace_deviate(bits[row]);
      }
    }
    std::vector<double> errors(in.rows);
    for (std::uint32_t j = 0; j < width; ++j) {
      out.columns[j].resize(in.rows);
      out.tallies[j].released.resize(attributes_[j]->taxonomy().size() + 1);
      std::fill(errors.begin(), errors.end(), 0);
      for (std::size_t k = 0; k <= j; ++k) {
        const double weight = model_.root[j * width + k];
        if (weight == 0) continue;
        for (std::size_t row = 0; row < in.rows; ++row) errors[row] += weight * deviates[k][row];
      }
      draw(in, j, kTieDraw, addresses[j], bits);
      const bool paired = model_.options.reference == NoiseReference::kPair;
      columns_[j]->mask(in, j, errors, bits,
                        paired ? in.columns[model_.partner[j]] : std::span<const ConceptId>(), out);
    }
    std::sort(out.trace.begin(), out.trace.end(), [](const TraceLine& a, const TraceLine& b) {
      return a.row != b.row ? a.row < b.row : a.column < b.column;
    });
  }

  std::string save() const override { return save_noise(model_, attributes_); }

 private:
  void draw(const RecordBatch& in, std::size_t column, std::uint32_t number,
            std::span<const std::uint64_t> addresses, std::span<std::uint64_t> bits) const {
    if (addresses.empty()) {
      draws_[column].of_rows(in.first_row, number, bits);
    } else {
      draws_[column].of_addresses(addresses, number, bits);
    }
  }

  std::vector<std::uint64_t> persons(const RecordBatch& in, std::size_t column) const {
    std::vector<std::size_t> joined;
    if (model_.options.reference == NoiseReference::kPair) {
      joined = {std::min(column, model_.partner[column]), std::max(column, model_.partner[column])};
    } else if (model_.options.correlated) {
      for (std::size_t j = 0; j < attributes_.size(); ++j) joined.push_back(j);
    } else {
      joined = {column};
    }
    std::vector<std::uint64_t> addresses(in.rows);
    std::string values;
    for (std::size_t row = 0; row < in.rows; ++row) {
      values.clear();
      for (const std::size_t j : joined) {
        const ConceptId cell = in.columns[j][row];
        if (cell != kMissing) values += attributes_[j]->id(cell);
        values += '\n';  // in no id
      }
      addresses[row] = draws_[column].address(in.persons[row], values);
    }
    return addresses;
  }

  Attributes attributes_;
  NoiseModel model_;
  std::vector<std::unique_ptr<const NoisyColumn>> columns_;
  std::vector<Draws> draws_;
  NoiseFit fit_;
};

// ---- The mechanism ------------------------------------------------------------------------------

class Noise final : public Mechanism {
 public:
  explicit Noise(NoiseOptions options) : options_(std::move(options)) {}
  std::string_view name() const override { return kNoiseName; }

  Result<std::unique_ptr<const Plan>> fit(const FrequencyTable& table,
                                          const Key& key) const override {
    Result<NoiseModel> model = fit_noise(options_, table);
    if (!model) return fail(model.error());
    Attributes attributes;
    for (const FrequencyColumn& column : table.columns) attributes.push_back(column.attribute);
    auto plan = std::make_unique<const NoisePlan>(std::move(attributes), *std::move(model), key);
    for (std::size_t j = 0; j < table.columns.size() && !options_.allow_unmasked; ++j) {
      if (!plan->some_value_is_alone(j)) continue;
      return fail(Error{ErrorCode::kGuarantee,
                        "a value has no other concept that could replace it: widen the domain, "
                        "loosen deny, leaves_only and min_depth, or set allow_unmasked = true",
                        {.file = {}, .line = 0, .column = table.columns[j].attribute->name},
                        {},
                        {}});
    }
    return plan;
  }

 private:
  NoiseOptions options_;
};

}  // namespace

std::unique_ptr<const Mechanism> make_noise(NoiseOptions options) {
  return std::make_unique<const Noise>(std::move(options));
}

std::unique_ptr<const Plan> make_noise_plan(Attributes attributes, NoiseModel model,
                                            const Key& key) {
  return std::make_unique<const NoisePlan>(std::move(attributes), std::move(model), key);
}

const NoiseFit* noise_fit(const Plan& plan) {
  const auto* noise = dynamic_cast<const NoisePlan*>(&plan);
  return noise != nullptr ? &noise->fit() : nullptr;
}

}  // namespace semveil
