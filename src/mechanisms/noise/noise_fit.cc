// Fitting noise: references, spread of the errors, pairs of columns.
//
// Paper:   semantic noise eq 10-12; framework eq 13-18 and 22 (Σ), Algorithm 2 (pairs).
// Choice:  uncorrelated errors have the variance α · sVar, correlated ones α · sdVar, as printed.
//          Numbers are ours: semveil/noise.h.
// Cost:    the statistics of the distinct values and tuples.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mechanisms/noise/noise_correlation.h"
#include "mechanisms/noise/noise_model.h"
#include "mechanisms/noise/noise_spread.h"
#include "statistics/nearest_correlation.h"

namespace semveil {

std::string_view to_string(NoiseReference reference) {
  constexpr std::array<std::string_view, 3> kNames{"mean", "pair", "root"};
  return kNames[static_cast<std::size_t>(reference)];
}

std::string_view to_string(NoiseDistribution distribution) {
  return distribution == NoiseDistribution::kNormal ? "normal" : "laplace";
}

namespace {

class NoiseFitting {
 public:
  NoiseFitting(const NoiseOptions& options, const FrequencyTable& table)
      : table_(table), statistics_{.threads = options.threads} {
    model_.options = options;
  }

  Result<NoiseModel> run() && {
    if (const Status status = check_options(); !status) return fail(status.error());
    if (const Status status = check_work(); !status) return fail(status.error());
    if (const Status status = learn_columns(); !status) return fail(status.error());
    if (const Status status = pair_up(); !status) return fail(status.error());
    spread();
    if (const Status status = lay_out_numbers(); !status) return fail(status.error());
    return std::move(model_);
  }

 private:
  std::size_t width() const { return table_.columns.size(); }
  const NoiseStatistics* declared() const {
    return model_.options.declared ? &*model_.options.declared : nullptr;
  }

  Status check_options() const {
    const NoiseOptions& options = model_.options;
    constexpr double kMostAlpha = 1000;  // far beyond any use: every error leads to the farthest
    if (!(options.alpha > 0) || options.alpha > kMostAlpha) {
      return fail(
          data_error("alpha must be a number above 0 (at most 1000); usual are 0.1 to 0.5"));
    }
    if (options.correlated && options.distribution == NoiseDistribution::kLaplace) {
      return fail(data_error(
          "correlated errors are normal: leave out distribution = \"laplace\" or correlated"));
    }
    if (width() == 0) return fail(data_error("noise needs a column to mask"));
    const bool fits =
        !declared() ||
        (declared()->means.size() == width() && declared()->variances.size() == width() &&
         (!options.correlated || declared()->covariance.size() == width() * width()));
    if (!fits) return fail(data_error("the declared statistics are those of other columns"));
    return {};
  }

  // The mean, a ladder and its origins: about the candidates' number for each value and each.
  Status check_work() const {
    double steps = 0;
    std::size_t values = 0, concepts = 0;
    for (const FrequencyColumn& column : table_.columns) {
      if (!column.attribute->is_nominal()) continue;
      const Attribute& attribute = *column.attribute;
      constexpr double kStepsOfACandidate = 4;
      const double of_value = attribute.measure->level_steps() +
                              kStepsOfACandidate * static_cast<double>(attribute.taxonomy().size());
      steps += of_value * static_cast<double>(column.values.values.size());
      values = std::max(values, column.values.values.size());
      concepts = std::max(concepts, attribute.taxonomy().size());
    }
    return semveil::check_work(
        steps, model_.options.most_hours,
        fmt::format("noise over {} different values in a domain of {} concepts", values, concepts),
        "give the column a narrower root, domain = \"branches\" or fewer different values");
  }

  Status learn_columns() {
    for (const FrequencyColumn& column : table_.columns) {
      NoiseLearned learned;
      learned.values = column.values.values;
      if (column.attribute->is_numeric()) {
        if (const Status status = learn_numbers(column, learned); !status) return status;
      } else if (declared()) {
        learned.statistics.mean = declared()->means[model_.columns.size()];
        learned.statistics.variance = declared()->variances[model_.columns.size()];
      } else {
        const Measure& measure = *column.attribute->measure;
        const auto mean = semantic_mean(measure, column.values, model_.options.threads);
        learned.statistics.mean = mean ? mean->concept_id : Taxonomy::root();
        learned.statistics.variance =
            mean ? semantic_variance(measure, column.values, mean->concept_id) : 0;
      }
      if (learned.statistics.variance == 0 && !model_.options.allow_unmasked) {
        return fail(Error{
            ErrorCode::kGuarantee,
            column.values.values.empty()
                ? "the column has no values to learn from: leave it out of `columns`, or set "
                  "allow_unmasked = true"
                : "all values are equal (variance 0), so noise would leave them as they are: leave "
                  "the column out of `columns`, or set allow_unmasked = true",
            {.file = {}, .line = 0, .column = column.attribute->name},
            {},
            {}});
      }
      model_.columns.push_back(std::move(learned));
    }
    return {};
  }

  static tl::unexpected<Error> wrong_numbers(const FrequencyColumn& column, std::string message) {
    return fail(data_error(std::move(message))
                    .at({.file = {}, .line = 0, .column = column.attribute->name}));
  }

  Status learn_numbers(const FrequencyColumn& column, NoiseLearned& learned) const {
    const Attribute& attribute = *column.attribute;
    if (attribute.is_date()) {
      return wrong_numbers(column,
                           "noise is not drawn for dates: leave the column out of `columns`");
    }
    if (declared()) {
      return wrong_numbers(column,
                           "statistics that are declared stand for words alone: name the table");
    }
    const auto records = static_cast<double>(column.values.total());
    double mean = 0, variance = 0;
    for (std::size_t i = 0; i < column.values.values.size(); ++i) {
      mean += static_cast<double>(column.values.counts[i]) / records *
              attribute.numbers[column.values.values[i]];
    }
    for (std::size_t i = 0; i < column.values.values.size(); ++i) {
      const double off = attribute.numbers[column.values.values[i]] - mean;
      variance += static_cast<double>(column.values.counts[i]) / records * (off * off);
    }
    if (!std::isfinite(variance)) {
      return wrong_numbers(column,
                           "the numbers are too large for their variance: write them in "
                           "another unit");
    }
    NoiseColumn& statistics = learned.statistics;
    statistics.mean = nearest_place(attribute, mean);
    statistics.average = mean;
    statistics.variance = variance;
    statistics.per_unit = attribute.unit > 0 ? 1 / attribute.unit : 0;
    learned.numbers.emplace();
    if (column.values.values.empty()) return {};
    learned.numbers->low = attribute.numbers[column.values.values.front()];
    learned.numbers->high = attribute.numbers[column.values.values.back()];
    return {};
  }

  static ConceptId nearest_place(const Attribute& attribute, double number) {
    const std::vector<double>& numbers = attribute.numbers;
    std::size_t best = 0;
    for (std::size_t i = 1; i < numbers.size(); ++i) {
      if (std::abs(numbers[i] - number) < std::abs(numbers[best] - number)) best = i;
    }
    return static_cast<ConceptId>(best);
  }

  // What can be released, once it is known how far errors reach.
  Status lay_out_numbers() {
    for (std::size_t j = 0; j < width(); ++j) {
      if (!model_.columns[j].numbers) continue;
      NoiseLearned::Numbers& numbers = *model_.columns[j].numbers;
      const double reach = model_.options.range == NoiseRange::kFree ? reach_of(model_, j) : 0;
      const FrequencyColumn& column = table_.columns[j];
      const auto grid =
          number_grid(numbers.low - reach, numbers.high + reach, column.attribute->decimals);
      if (!grid) {
        return wrong_numbers(column,
                             fmt::format("no number with {} decimals lies between the column's "
                                         "ends: write more decimals",
                                         column.attribute->decimals));
      }
      numbers.grid = *grid;
    }
    return {};
  }

  Status pair_up() {
    if (model_.options.reference != NoiseReference::kPair) return {};
    for (const FrequencyColumn& column : table_.columns) {
      if (!column.attribute->is_numeric()) continue;
      return wrong_numbers(column,
                           "reference = \"pair\" is for words: leave the column out of `columns`, "
                           "or use reference = \"mean\" or \"root\"");
    }
    auto& pairs = model_.options.pairs;
    if (pairs.empty()) {
      if (width() % 2 != 0) {
        return fail(data_error(
            "reference = \"pair\" needs an even number of columns: add or leave out one"));
      }
      for (std::size_t j = 0; j < width(); j += 2) pairs.emplace_back(j, j + 1);
    }
    model_.partner.assign(width(), width());
    for (const auto& [a, b] : pairs) {
      if (a >= width() || b >= width() || a == b || model_.partner[a] != width() ||
          model_.partner[b] != width()) {
        return fail(data_error("pairs must name every masked column once"));
      }
      const Attribute& left = *table_.columns[a].attribute;
      const Attribute& right = *table_.columns[b].attribute;
      if (!same_domain(left, right)) {
        return fail(data_error(fmt::format(
            "reference = \"pair\" needs both columns in one domain, but '{}' and '{}' have "
            "different ones: give both the same ontology and root, or use reference = \"root\"",
            left.name, right.name)));
      }
      model_.partner[a] = b;
      model_.partner[b] = a;
    }
    if (std::find(model_.partner.begin(), model_.partner.end(), width()) != model_.partner.end()) {
      return fail(data_error("pairs must name every masked column once"));
    }
    for (std::size_t j = 0; j < width(); ++j) observe_partners(j);
    return {};
  }

  void observe_partners(std::size_t j) {
    const auto concept_at = [&](std::size_t column, Code place) {
      const FrequencyColumn& of = table_.columns[column];
      const ConceptId c = place == kMissing ? kMissing : of.values.values[place];
      return c == missing_value(*of.attribute->measure) ? kMissing : c;
    };
    std::vector<std::pair<ConceptId, ConceptId>>& seen = model_.columns[j].partners;
    for (std::size_t t = 0; t < table_.tuple_counts.size(); ++t) {
      const Code own = table_.tuples[t * width() + j];
      if (own == kMissing) continue;
      seen.emplace_back(
          table_.columns[j].values.values[own],
          concept_at(model_.partner[j], table_.tuples[t * width() + model_.partner[j]]));
    }
    std::sort(seen.begin(), seen.end());
    seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  }

  bool joined(std::size_t a, std::size_t b) const {
    return model_.options.reference != NoiseReference::kPair || model_.partner[a] == b;
  }

  std::vector<double> measured_covariance() const {
    std::vector<Space> spaces;
    for (const FrequencyColumn& column : table_.columns) {
      spaces.push_back(Space::nominal(column.attribute->measure, column.values.values));
    }
    std::vector<double> sigma(width() * width(), 0);
    for (std::size_t a = 0; a < width(); ++a) {
      sigma[a * width() + a] =
          distance_variance(spaces[a], table_.columns[a].values.counts, statistics_).value;
      for (std::size_t b = a + 1; b < width(); ++b) {
        if (!joined(a, b)) continue;
        sigma[a * width() + b] = sigma[b * width() + a] =
            distance_statistics(spaces[a], spaces[b], table_.joint(a, b), statistics_).covariance;
      }
    }
    return sigma;
  }

  // Between columns of different pairs it plays no part.
  std::vector<double> declared_covariance() const {
    std::vector<double> sigma = declared()->covariance;
    for (std::size_t a = 0; a < width(); ++a) {
      for (std::size_t b = 0; b < width(); ++b) {
        if (a != b && !joined(a, b)) sigma[a * width() + b] = 0;
      }
    }
    return sigma;
  }

  // L: the errors' deviations, or a root of α Σ. Each pair has a Σ of its own.
  void spread() {
    model_.root.assign(width() * width(), 0);
    if (!model_.options.correlated) {
      for (std::size_t j = 0; j < width(); ++j) {
        model_.root[j * width() + j] =
            std::sqrt(model_.options.alpha * model_.columns[j].statistics.variance);
      }
    } else if (has_numbers()) {
      spread_by_correlation();
    } else {
      std::vector<double>& sigma = model_.covariance;
      sigma = declared() ? declared_covariance() : measured_covariance();
      PsdMatrix psd = nearest_psd(width(), sigma);
      const double scale = std::sqrt(model_.options.alpha);
      for (std::size_t i = 0; i < psd.root.size(); ++i) model_.root[i] = scale * psd.root[i];
      model_.psd_shift = psd.shift;
      sigma = std::move(psd.values);
    }
    for (std::size_t j = 0; j < width(); ++j) {
      double variance = 0;
      for (std::size_t k = 0; k <= j; ++k) {
        variance += model_.root[j * width() + k] * model_.root[j * width() + k];
      }
      model_.columns[j].statistics.deviation = std::sqrt(variance);
    }
  }

  bool has_numbers() const {
    return std::ranges::any_of(
        model_.columns, [](const NoiseLearned& learned) { return learned.numbers.has_value(); });
  }

  // ε = √α D u, u ~ N(0, R): Σ is D R D.
  void spread_by_correlation() {
    const NoiseCorrelation found =
        noise_correlation(table_, model_.columns, model_.options.reference, statistics_);
    const PsdMatrix nearest = nearest_correlation(width(), found.values);
    const double scale = std::sqrt(model_.options.alpha);
    model_.covariance.resize(width() * width());
    for (std::size_t a = 0; a < width(); ++a) {
      for (std::size_t b = 0; b < width(); ++b) {
        const std::size_t at = a * width() + b;
        model_.covariance[at] = found.deviations[a] * nearest.values[at] * found.deviations[b];
        model_.root[at] = scale * found.deviations[a] * nearest.root[at];
      }
    }
    model_.psd_shift = nearest.shift;
  }

  const FrequencyTable& table_;
  StatisticsOptions statistics_;
  NoiseModel model_;
};

}  // namespace

Result<NoiseModel> fit_noise(const NoiseOptions& options, const FrequencyTable& table) {
  return NoiseFitting(options, table).run();
}

}  // namespace semveil
