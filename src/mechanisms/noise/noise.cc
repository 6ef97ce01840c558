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
#include <mutex>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/by_lowest_bits.h"
#include "base/deviates.h"
#include "base/stop.h"
#include "mechanisms/noise/ladder_shelf.h"
#include "mechanisms/noise/noise_lines.h"
#include "mechanisms/noise/noise_model.h"
#include "mechanisms/noise/noise_spread.h"
#include "mechanisms/noise/number_noise.h"

namespace semveil {
namespace {

constexpr std::uint32_t kErrorDraw = 0;
constexpr std::uint32_t kTieDraw = 1;
// Beyond this many observed (value, partner) pairs possible origins are not counted: a ladder each.
constexpr std::size_t kMostPartnerPairs = 50'000;

// ---- One column ---------------------------------------------------------------------------------

class NoisyColumn {
 public:
  // `learned` outlives the column. `deviation` is that of errors drawn for this column alone.
  NoisyColumn(std::shared_ptr<const Attribute> attribute, const NoiseLearned& learned,
              double deviation, const NoiseOptions& options)
      : attribute_(std::move(attribute)),
        learned_(learned),
        options_(options),
        candidates_(*attribute_),
        keys_(deviation, options.distribution),
        pairs_(*attribute_, candidates_, options.ties == TieRule::kFirst) {
    if (options.reference != NoiseReference::kPair) {
      const bool at_mean = options.reference == NoiseReference::kMean;
      reference_ = at_mean ? learned.statistics.mean : Taxonomy::root();
      shelf_.emplace(*attribute_, candidates_, reference_,
                     at_mean ? AtReference::kFree : AtReference::kBound,
                     options.ties == TieRule::kFirst, has_own_errors() ? &keys_ : nullptr);
      shelf_->prepare(learned.values, options.threads);
    }
  }

  const Attribute& attribute() const { return *attribute_; }
  ConceptId missing() const { return missing_value(*attribute_->measure); }
  // Whether some value seen by the fit has no other concept to become.
  bool some_value_is_alone() const {
    if (candidates_.size() > 1) return false;
    const std::vector<ConceptId>& seen = learned_.values;
    return candidates_.size() == 0 ||
           std::find(seen.begin(), seen.end(), candidates_[0]) != seen.end();
  }

  // The concepts that only one of the values seen can have become, by concept: whoever sees one
  // knows that value, noise does not protect it. Empty: not known.
  const std::vector<bool>& single_origins() const {
    std::call_once(origins_counted_, [this] { count_origins(); });
    return single_;
  }

  ErrorLine line(ConceptId x, ConceptId partner) const {
    std::shared_ptr<const Ladder> ladder;
    if (shelf_) {
      ladder = {std::shared_ptr<const Ladder>(), &shelf_->of(x)};  // the shelf's
    } else {
      ladder = pairs_.of(x, as_reference(partner));
    }
    if (learned_.statistics.deviation == 0) ladder = nullptr;
    return {x, std::move(ladder), candidates_, options_.ties == TieRule::kFirst};
  }

  // Whether errors are drawn for this column alone.
  bool has_own_errors() const {
    return !options_.correlated && options_.reference != NoiseReference::kPair &&
           options_.ties == TieRule::kRandom;
  }

  // One column of a batch, given the errors.
  struct Job {
    const RecordBatch& in;
    std::uint32_t column;
    std::span<const double> errors;             // if empty, nobody counts them, and there are …
    std::span<const std::uint64_t> error_bits;  // … the bits they would be drawn from
    std::span<const std::uint64_t> ties;
    std::span<const ConceptId> partners;  // empty unless the reference is kPair
    MaskedBatch& out;
  };
  // Records are taken value by value, so that a ladder is mostly fetched once a batch.
  void mask(const Job& job) const {
    const std::span<const ConceptId> cells = job.in.columns[job.column];
    std::vector<std::uint32_t> rows =
        job.partners.empty() ? by_lowest_bits(cells) : by_pair(cells, job.partners);
    // Cells that take no part come out missing.
    const ConceptId none = attribute_->missing_is_value ? kNoPart : kMissing;
    if (std::find(cells.begin(), cells.end(), none) != cells.end()) {
      const auto takes_part = [&](std::uint32_t row) { return cells[row] != none; };
      const auto without = std::ranges::stable_partition(rows, takes_part);
      for (const std::uint32_t row : without) job.out.columns[job.column][row] = kMissing;
      job.out.tallies[job.column].missing += without.size();
      rows.erase(without.begin(), without.end());
    }
    mask_rows(job, rows);
  }

 private:
  // Rows grouped by value, or by value and partner.
  void mask_rows(const Job& job, std::span<const std::uint32_t> rows) const {
    if (job.errors.empty()) return mask_by_steps(job, rows);
    if (job.partners.empty()) {
      return mask_by_errors(job, rows, [&](ConceptId x) -> const Ladder& { return shelf_->of(x); });
    }
    const std::span<const ConceptId> cells = job.in.columns[job.column];
    while (!rows.empty()) {
      const ConceptId x = cells[rows[0]], partner = job.partners[rows[0]];
      const auto end = std::find_if(rows.begin(), rows.end(), [&](std::uint32_t row) {
        return cells[row] != x || job.partners[row] != partner;
      });
      const auto alike = static_cast<std::size_t>(end - rows.begin());
      const std::shared_ptr<const Ladder> ladder = pairs_.of(value(x), as_reference(partner));
      mask_by_errors(job, rows.first(alike), [&](ConceptId) -> const Ladder& { return *ladder; });
      rows = rows.subspan(alike);
    }
  }

  static constexpr std::size_t kTogether = 32;
  struct Chosen {
    const Ladder* ladder;
    Ladder::Pick pick;  // without a rung: the value stays
    std::uint32_t place;
  };

  // Some at a time: what slows records down is waiting for memory, and they need not wait for each
  // other's.
  template <class LadderOf>
  void mask_by_errors(const Job& job, std::span<const std::uint32_t> rows,
                      const LadderOf& ladder_of) const {
    const std::span<const ConceptId> cells = job.in.columns[job.column];
    const bool random = options_.ties == TieRule::kRandom;
    std::array<Chosen, kTogether> chosen;
    for (; !rows.empty(); rows = rows.subspan(std::min(kTogether, rows.size()))) {
      const std::size_t some = std::min(kTogether, rows.size());
      for (std::size_t i = 0; i < some; ++i) {
        const Ladder& ladder = ladder_of(value(cells[rows[i]]));
        chosen[i] = {&ladder, choose(ladder, job.errors[rows[i]]), 0};
        if (chosen[i].pick.rung == nullptr || !random) continue;
        chosen[i].place = Ladder::place(chosen[i].pick, job.ties[rows[i]]);
        __builtin_prefetch(ladder.block(chosen[i].place));
      }
      for (std::size_t i = 0; i < some && random; ++i) {
        if (chosen[i].pick.rung == nullptr) continue;
        __builtin_prefetch(chosen[i].ladder->near_block(chosen[i].place));
      }
      for (std::size_t i = 0; i < some; ++i) release(job, rows[i], chosen[i], random);
    }
  }

  // The same without computing errors.
  void mask_by_steps(const Job& job, std::span<const std::uint32_t> rows) const {
    constexpr std::uint32_t kStays = ~0U;
    const std::span<const ConceptId> cells = job.in.columns[job.column];
    ConceptId* const out = job.out.columns[job.column].data();
    const ConceptId empty = missing();
    struct {
      const Ladder* ladder;
      std::uint32_t place;
    } chosen[kTogether];
    // Rows of one value mostly stand together: its ladder is sought, and fetched, once.
    ConceptId later = kNoPart, soon = kNoPart, now = kNoPart;
    const Ladder* ladder = nullptr;
    for (; !rows.empty(); rows = rows.subspan(std::min(kTogether, rows.size()))) {
      const std::size_t some = std::min(kTogether, rows.size());
      for (std::size_t i = 2 * kTogether; i < std::min(3 * kTogether, rows.size()); ++i) {
        const ConceptId cell = cells[rows[i]];
        if (cell != std::exchange(later, cell)) shelf_->of(value(cell)).will_want();
      }
      for (std::size_t i = kTogether; i < std::min(2 * kTogether, rows.size()); ++i) {
        const ConceptId cell = cells[rows[i]];
        if (cell != std::exchange(soon, cell)) shelf_->of(value(cell)).steps().will_want();
      }
      for (std::size_t i = 0; i < some; ++i) {
        const std::uint32_t row = rows[i];
        if (cells[row] != now) {
          now = cells[row];
          ladder = &shelf_->of(value(now));
        }
        const std::uint64_t bits = job.error_bits[row];
        const LadderSteps::Step* const step =
            ladder->steps().empty() ? nullptr : ladder->steps().at(bits);
        if (step != nullptr) [[likely]] {
          chosen[i] = {ladder, Ladder::place(*step, job.ties[row])};
        } else {
          const Ladder::Pick pick = choose(*ladder, keys_.error(bits));
          const bool stays = pick.rung == nullptr;
          chosen[i] = {ladder, stays ? kStays : Ladder::place(pick, job.ties[row])};
          if (stays) continue;
        }
        __builtin_prefetch(ladder->block(chosen[i].place));
      }
      for (std::size_t i = 0; i < some; ++i) {
        if (chosen[i].place == kStays) continue;
        __builtin_prefetch(chosen[i].ladder->near_block(chosen[i].place));
      }
      for (std::size_t i = 0; i < some; ++i) {
        const auto [on, place] = chosen[i];
        const ConceptId z =
            place == kStays ? value(cells[rows[i]]) : candidates_[on->candidate(place)];
        out[rows[i]] = z == empty ? kMissing : z;
      }
    }
  }

  void release(const Job& job, std::uint32_t row, const Chosen& how, bool random) const {
    const ConceptId x = value(job.in.columns[job.column][row]);
    ConceptId z = x;
    if (how.pick.rung != nullptr) {
      z = candidates_[random ? how.ladder->candidate(how.place) : how.ladder->first(how.pick)];
    }
    MaskedBatch& out = job.out;
    out.columns[job.column][row] = z == missing() ? kMissing : z;
    if (out.counted) {
      count(x, z, job.errors[row], how.pick, out.tallies[job.column]);
      const std::vector<bool>& single = single_origins();
      if (!single.empty() && single[z]) out.single_origin[row] = true;
    }
    if (out.traced) {
      const ConceptId partner = job.partners.empty() ? kMissing : job.partners[row];
      out.trace.push_back({job.in.first_row + row, job.column, x, job.errors[row],
                           reference(x, partner), z, how.pick.rule});
    }
  }

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
        return as_reference(partner);
    }
    return std::nullopt;
  }
  static std::optional<ConceptId> as_reference(ConceptId partner) {
    return partner == kMissing || partner == kNoPart ? std::nullopt : std::optional(partner);
  }

  static Ladder::Pick choose(const Ladder& ladder, double error) {
    if (error == 0) return {nullptr, Rule::kZero, ErrorSide::kAny};
    if (ladder.alone()) return {nullptr, Rule::kAlone, ErrorSide::kAny};
    return ladder.choose(error);
  }

  // Rows by value, then partner.
  static std::vector<std::uint32_t> by_pair(std::span<const ConceptId> cells,
                                            std::span<const ConceptId> partners) {
    std::vector<std::uint32_t> order(cells.size());
    std::iota(order.begin(), order.end(), 0);
    const auto pair = [&](std::uint32_t row) { return std::tuple(cells[row], partners[row], row); };
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return pair(a) < pair(b); });
    return order;
  }

  void count(ConceptId x, ConceptId z, double error, const Ladder::Pick& pick,
             ColumnTally& tally) const {
    const double distance = pick.rung != nullptr ? pick.rung->distance : 0;
    ++tally.cells;
    ++tally.rules[static_cast<std::size_t>(pick.rule)];
    ++tally.released[z];
    if (z != x) {
      ++tally.changed;
      tally.filled += x == missing() ? 1 : 0;
      tally.emptied += z == missing() ? 1 : 0;
    }
    tally.errors.add(std::abs(error));
    tally.squared_errors.add(error * error);
    tally.distances.add(distance);
    tally.squared_distances.add(distance * distance);
  }

  void count_origins() const {
    if (learned_.values.empty() || learned_.partners.size() > kMostPartnerPairs) return;
    std::vector<std::uint32_t> origins(attribute_->taxonomy().size() + 1, 0);  // by concept
    std::vector<std::int32_t> change(candidates_.size() + 1, 0);
    bool stays = false;
    const auto mark = [&](const Ladder& ladder) {
      const auto add = [&](std::uint32_t first, std::uint32_t last) {
        ++change[first];
        --change[last];
      };
      if (ladder.alone() || learned_.statistics.deviation == 0) {
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
      for (const ConceptId x : learned_.values) {
        check_stop();
        mark(shelf_->of(x));
        close_value(x);
      }
    } else {
      for (std::size_t i = 0; i < learned_.partners.size(); ++i) {
        check_stop();
        const auto [x, partner] = learned_.partners[i];
        mark(*pairs_.of(x, as_reference(partner)));
        const bool last_of_x =
            i + 1 == learned_.partners.size() || learned_.partners[i + 1].first != x;
        if (last_of_x) close_value(x);
      }
    }
    single_.resize(origins.size());
    for (std::size_t c = 0; c < origins.size(); ++c) single_[c] = origins[c] == 1;
  }

  std::shared_ptr<const Attribute> attribute_;
  const NoiseLearned& learned_;
  NoiseOptions options_;
  CandidateList candidates_;
  ErrorKeys keys_;
  ConceptId reference_ = kMissing;  // not for kPair
  std::optional<LadderShelf> shelf_;
  PairShelf pairs_;
  mutable std::once_flag origins_counted_;
  mutable std::vector<bool> single_;
};

// ---- The plan -----------------------------------------------------------------------------------

class NoisePlan final : public FittedMethod, public NoiseLines {
 public:
  NoisePlan(Attributes attributes, NoiseModel model, const Key& key)
      : attributes_(std::move(attributes)), model_(std::move(model)), released_(attributes_) {
    for (std::size_t j = 0; j < attributes_.size(); ++j) {
      if (model_.columns[j].numbers) {
        columns_.push_back(nullptr);
        numbers_.push_back(std::make_unique<NumberNoise>(
            attributes_[j], model_.columns[j], model_.options.range, reach_of(model_, j)));
        released_[j] = numbers_.back()->released();
      } else {
        columns_.push_back(std::make_unique<NoisyColumn>(attributes_[j], model_.columns[j],
                                                         model_.root[j * attributes_.size() + j],
                                                         model_.options));
        numbers_.push_back(nullptr);
      }
      draws_.emplace_back(key, attributes_[j]->name);
      fit_.columns.push_back(model_.columns[j].statistics);
    }
    fit_.alpha = model_.options.alpha;
    fit_.covariance = model_.covariance;
    fit_.psd_shift = model_.psd_shift;
  }

  const Attributes& attributes() const override { return attributes_; }
  const Attributes& released() const override { return released_; }
  bool needs_persons() const override { return model_.options.by_person; }
  bool knows_origins() const override {
    for (std::size_t j = 0; j < attributes_.size(); ++j) {
      const bool unknown = numbers_[j] ? numbers_[j]->single_origins().empty()
                                       : columns_[j]->single_origins().empty();
      if (unknown) return false;
    }
    return true;
  }
  const NoiseFit& fit() const { return fit_; }
  const NoiseModel& model() const override { return model_; }
  ErrorLine line(std::size_t column, ConceptId x, ConceptId partner) const override {
    return columns_[column]->line(x, partner);
  }
  const NumberNoise* numbers(std::size_t column) const override { return numbers_[column].get(); }
  bool some_value_is_alone(std::size_t j) const {
    return numbers_[j] ? numbers_[j]->has_no_choice() : columns_[j]->some_value_is_alone();
  }

  void apply(const RecordBatch& in, MaskedBatch& out) const override {
    const std::size_t width = attributes_.size();
    out.columns.resize(width);
    out.tallies.resize(width);
    out.single_origin.assign(in.rows, false);
    out.trace.clear();
    std::vector<std::vector<std::uint64_t>> addresses(width);
    for (std::size_t k = 0; k < width && needs_persons(); ++k) addresses[k] = persons(in, k);
    const bool asked_for = out.counted || out.traced;
    const bool by_bits = !asked_for && std::all_of(columns_.begin(), columns_.end(), [](auto& c) {
      return c != nullptr && c->has_own_errors();
    });
    std::vector<std::vector<double>> deviates(width);
    for (std::size_t k = 0; k < width && !by_bits; ++k)
      deviates[k] = draw_deviates(in, k, addresses[k]);
    const auto errors = std::make_unique_for_overwrite<double[]>(by_bits ? 0 : in.rows);
    const auto bits = std::make_unique_for_overwrite<std::uint64_t[]>(in.rows);
    const auto ties = std::make_unique_for_overwrite<std::uint64_t[]>(in.rows);
    for (std::uint32_t j = 0; j < width; ++j) {
      out.columns[j].resize(in.rows);
      out.tallies[j].released.resize(released_[j]->size() + 1);
      if (by_bits) draw(in, j, kErrorDraw, addresses[j], {bits.get(), in.rows});
      if (!by_bits) sum_errors(deviates, j, {errors.get(), in.rows});
      if (numbers_[j]) {
        numbers_[j]->mask(in, j, {errors.get(), in.rows}, out);
        continue;
      }
      draw(in, j, kTieDraw, addresses[j], {ties.get(), in.rows});
      const bool paired = model_.options.reference == NoiseReference::kPair;
      columns_[j]->mask({in,
                         j,
                         {errors.get(), by_bits ? 0 : in.rows},
                         {bits.get(), in.rows},
                         {ties.get(), in.rows},
                         paired ? in.columns[model_.partner[j]] : std::span<const ConceptId>(),
                         out});
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

  std::vector<double> draw_deviates(const RecordBatch& in, std::size_t column,
                                    std::span<const std::uint64_t> addresses) const {
    std::vector<std::uint64_t> bits(in.rows);
    draw(in, column, kErrorDraw, addresses, bits);
    std::vector<double> deviates(in.rows);
    const bool normal = model_.options.distribution == NoiseDistribution::kNormal;
    for (std::size_t row = 0; row < in.rows; ++row) {
      deviates[row] = normal ? normal_deviate(bits[row]) : laplace_deviate(bits[row]);
    }
    return deviates;
  }

  void sum_errors(const std::vector<std::vector<double>>& deviates, std::size_t column,
                  std::span<double> errors) const {
    std::fill(errors.begin(), errors.end(), 0);
    for (std::size_t k = 0; k <= column; ++k) {
      const double weight = model_.root[column * attributes_.size() + k];
      if (weight == 0) continue;
      for (std::size_t row = 0; row < errors.size(); ++row) {
        errors[row] += weight * deviates[k][row];
      }
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
        if (cell != kMissing)
          values += numbers_[j] ? numbers_[j]->id(cell) : attributes_[j]->id(cell);
        values += '\n';  // in no id
      }
      addresses[row] = draws_[column].address(in.persons[row], values);
    }
    return addresses;
  }

  Attributes attributes_;
  NoiseModel model_;
  Attributes released_;
  std::vector<std::unique_ptr<const NoisyColumn>> columns_;  // null: numbers
  std::vector<std::unique_ptr<const NumberNoise>> numbers_;  // null: words
  std::vector<Draws> draws_;
  NoiseFit fit_;
};

// ---- The mechanism ------------------------------------------------------------------------------

class Noise final : public Mechanism {
 public:
  explicit Noise(NoiseOptions options) : options_(std::move(options)) {}
  std::string_view name() const override { return kNoiseName; }

  Result<std::unique_ptr<const FittedMethod>> fit(const FrequencyTable& table,
                                                  const Key& key) const override {
    Result<NoiseModel> model = fit_noise(options_, table);
    if (!model) return fail(model.error());
    Attributes attributes;
    for (const FrequencyColumn& column : table.columns) attributes.push_back(column.attribute);
    auto plan = std::make_unique<const NoisePlan>(std::move(attributes), *std::move(model), key);
    for (std::size_t j = 0; j < table.columns.size() && !options_.allow_unmasked; ++j) {
      if (!plan->some_value_is_alone(j)) continue;
      return fail(Error{ErrorCode::kGuarantee,
                        table.columns[j].attribute->is_numeric()
                            ? "with these decimals there is one number that could be released: "
                              "write more decimals, or set allow_unmasked = true"
                            : "a value has no other concept that could replace it: widen the "
                              "domain, loosen deny, leaves_only and min_depth, or set "
                              "allow_unmasked = true",
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

std::unique_ptr<const FittedMethod> make_noise_plan(Attributes attributes, NoiseModel model,
                                                    const Key& key) {
  return std::make_unique<const NoisePlan>(std::move(attributes), std::move(model), key);
}

const NoiseLines* noise_lines(const FittedMethod& plan) {
  return dynamic_cast<const NoiseLines*>(&plan);
}

const NoiseFit* noise_fit(const FittedMethod& plan) {
  const auto* noise = dynamic_cast<const NoisePlan*>(&plan);
  return noise != nullptr ? &noise->fit() : nullptr;
}

}  // namespace semveil
