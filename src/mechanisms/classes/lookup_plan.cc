#include "mechanisms/classes/lookup_plan.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "base/date_text.h"
#include "base/tuple_counter.h"
#include "mechanisms/common/saved.h"

namespace semveil {
namespace {

using Attributes = std::vector<std::shared_ptr<const Attribute>>;

// From a value of a column to one of the same column as it comes out.
double distance(const Attribute& before, ConceptId x, const Attribute& after, ConceptId z) {
  if (&before == &after) return before.distance(x, z);
  const bool was_missing = x == before.missing_value();
  const bool is_missing = z == after.missing_value();
  if (was_missing || is_missing) return was_missing == is_missing ? 0 : 1;
  if (before.unit <= 0) return 0;
  return std::min(1.0, std::abs(before.numbers[x] - after.numbers[z]) / before.unit);
}

bool is_same(const Attribute& before, ConceptId x, const Attribute& after, ConceptId z) {
  if (&before == &after) return x == z;
  const bool was_missing = x == before.missing_value();
  const bool is_missing = z == after.missing_value();
  if (was_missing || is_missing) return was_missing == is_missing;
  return before.numbers[x] == after.numbers[z];
}

class LookupPlan final : public FittedMethod {
 public:
  LookupPlan(Lookup lookup, ClassFit fit)
      : lookup_(std::move(lookup)), fit_(std::move(fit)), tuples_(lookup_.attributes.size()) {
    const std::size_t width = lookup_.attributes.size();
    std::vector<std::uint32_t> cells(width);
    for (std::size_t t = 0; t < lookup_.suppressed.size(); ++t) {
      for (std::size_t j = 0; j < width; ++j) {
        const ConceptId x = lookup_.values[j][lookup_.tuples[t * width + j]];
        const ConceptId z = lookup_.replacements[t * width + j];
        cells[j] = x;
        moves_.push_back({z, !is_same(*lookup_.attributes[j], x, *lookup_.released[j], z),
                          distance(*lookup_.attributes[j], x, *lookup_.released[j], z)});
      }
      tuples_.add(cells);
    }
  }

  const Attributes& attributes() const override { return lookup_.attributes; }
  const Attributes& released() const override { return lookup_.released; }
  bool needs_persons() const override { return false; }
  bool knows_origins() const override { return false; }
  const ClassFit& fit() const { return fit_; }

  void apply(const RecordBatch& in, MaskedBatch& out) const override {
    const std::size_t width = lookup_.attributes.size();
    out.columns.resize(width);
    out.tallies.resize(width);
    out.single_origin.assign(in.rows, false);
    out.suppressed.assign(in.rows, false);
    out.trace.clear();
    out.slots.clear();
    for (std::size_t j = 0; j < width; ++j) {
      out.columns[j].assign(in.rows, kMissing);
      out.tallies[j].released.resize(lookup_.released[j]->size() + 1);
    }
    std::vector<std::uint32_t> cells(width);
    for (std::size_t row = 0; row < in.rows; ++row) {
      bool takes_part = false;
      for (std::size_t j = 0; j < width; ++j) {
        cells[j] = value(j, in.columns[j][row]);
        takes_part |= in.columns[j][row] != kNoPart;
      }
      if (!takes_part) continue;
      const std::optional<std::size_t> t = tuples_.find(cells);
      if (!t) {
        ++out.strangers;
        continue;
      }
      out.suppressed[row] = lookup_.suppressed[*t];
      for (std::size_t j = 0; j < width; ++j) release(*t, j, cells[j], row, out);
    }
  }

  std::string save() const override {
    Json json{{"columns", Json::array()},
              {"tuples", lookup_.tuples},
              {"suppressed", Json::array()},
              {"k", fit_.k},
              {"suppressed_records", fit_.suppressed},
              {"suppresses_sensitive", fit_.suppresses_sensitive},
              {"levels", fit_.levels ? Json(*fit_.levels) : Json(nullptr)},
              {"loss", fit_.loss ? Json(*fit_.loss) : Json(nullptr)}};
    const std::size_t width = lookup_.attributes.size();
    for (std::size_t j = 0; j < width; ++j) {
      const Attribute& after = *lookup_.released[j];
      Json column{{"values", Json::array()}, {"to", Json::array()}};
      for (const ConceptId c : lookup_.values[j]) {
        column["values"].push_back(saved_id(*lookup_.attributes[j], c));
      }
      if (&after != lookup_.attributes[j].get()) column["numbers"] = after.digits;
      for (std::size_t t = 0; t < lookup_.suppressed.size(); ++t) {
        column["to"].push_back(saved_id(after, lookup_.replacements[t * width + j]));
      }
      json["columns"].push_back(std::move(column));
    }
    for (std::size_t t = 0; t < lookup_.suppressed.size(); ++t) {
      if (lookup_.suppressed[t]) json["suppressed"].push_back(t);
    }
    return json.dump();
  }

 private:
  struct Move {
    ConceptId to;
    bool changed;
    double distance;
  };

  // Missing is a value here, and what means nothing counts as missing. A row that is nothing but
  // kNoPart is left out.
  ConceptId value(std::size_t j, ConceptId cell) const {
    return cell == kMissing || cell == kNoPart ? lookup_.attributes[j]->missing_value() : cell;
  }

  void release(std::size_t t, std::size_t j, ConceptId x, std::size_t row, MaskedBatch& out) const {
    const Attribute& before = *lookup_.attributes[j];
    const Attribute& after = *lookup_.released[j];
    const Move& move = moves_[t * lookup_.attributes.size() + j];
    const bool is_missing = move.to == after.missing_value();
    out.columns[j][row] = is_missing ? kMissing : move.to;
    ColumnTally& tally = out.tallies[j];
    if (!out.counted) return;
    ++tally.cells;
    ++tally.released[move.to];
    if (!move.changed) return;
    ++tally.changed;
    tally.filled += x == before.missing_value() ? 1 : 0;
    tally.emptied += is_missing ? 1 : 0;
    tally.distances.add(move.distance);
    tally.squared_distances.add(move.distance * move.distance);
  }

  Lookup lookup_;
  ClassFit fit_;
  TupleCounter tuples_;      // of cells
  std::vector<Move> moves_;  // by tuple, then column
};

// The numbers that a column comes out with, where they are not those it came with.
std::shared_ptr<const Attribute> read_released(const Json& column,
                                               const std::shared_ptr<const Attribute>& before) {
  if (!column.contains("numbers")) return before;
  demand(before->is_numeric());
  std::vector<double> numbers;
  for (const Json& digits : column.at("numbers")) {
    const std::optional<double> number =
        cell_number(before->dates.get(), digits.get_ref<const std::string&>());
    demand(number && (numbers.empty() || *number > numbers.back()));
    numbers.push_back(*number);
  }
  Attribute after = numeric_attribute(before->name, std::move(numbers), before->unit);
  after.digits = column.at("numbers").get<std::vector<std::string>>();
  after.decimals = before->decimals;
  after.dates = before->dates;
  after.missing_is_value = before->missing_is_value;
  return std::make_shared<const Attribute>(std::move(after));
}

Lookup read_lookup(const Json& json, Attributes attributes) {
  Lookup lookup;
  lookup.attributes = std::move(attributes);
  const std::size_t width = lookup.attributes.size();
  demand(width > 0 && json.at("columns").size() == width);
  lookup.tuples = json.at("tuples").get<std::vector<Code>>();
  demand(lookup.tuples.size() % width == 0);
  const std::size_t tuples = lookup.tuples.size() / width;
  lookup.replacements.resize(lookup.tuples.size());
  for (std::size_t j = 0; j < width; ++j) {
    const Json& column = json.at("columns").at(j);
    lookup.released.push_back(read_released(column, lookup.attributes[j]));
    const SavedIds ids(*lookup.attributes[j]);
    std::vector<ConceptId>& values = lookup.values.emplace_back();
    for (const Json& id : column.at("values")) values.push_back(ids.concept_of(id));
    demand(std::ranges::adjacent_find(values, std::greater_equal<>()) == values.end());
    const SavedIds after(*lookup.released[j]);
    demand(column.at("to").size() == tuples);
    for (std::size_t t = 0; t < tuples; ++t) {
      demand(lookup.tuples[t * width + j] < values.size());
      lookup.replacements[t * width + j] = after.concept_of(column.at("to").at(t));
    }
  }
  for (std::size_t t = 1; t < tuples; ++t) {  // each once
    const auto tuple = [&](std::size_t i) {
      return std::span(lookup.tuples).subspan(i * width, width);
    };
    demand(std::ranges::lexicographical_compare(tuple(t - 1), tuple(t)));
  }
  lookup.suppressed.resize(tuples);
  for (const Json& t : json.at("suppressed")) {
    demand(t.get<std::size_t>() < tuples);
    lookup.suppressed[t.get<std::size_t>()] = true;
  }
  return lookup;
}

}  // namespace

std::unique_ptr<const FittedMethod> make_lookup_plan(Lookup lookup, ClassFit fit) {
  return std::make_unique<const LookupPlan>(std::move(lookup), std::move(fit));
}

Result<std::unique_ptr<const FittedMethod>> load_lookup(std::string_view saved,
                                                        Attributes attributes) {
  ClassFit fit;
  Result<Lookup> lookup = read_saved([&] {
    const Json json = Json::parse(saved);
    fit.k = json.at("k");
    fit.suppressed = json.at("suppressed_records");
    fit.suppresses_sensitive = json.at("suppresses_sensitive");
    if (!json.at("levels").is_null()) fit.levels = json.at("levels").get<std::vector<unsigned>>();
    if (!json.at("loss").is_null()) fit.loss = json.at("loss").get<double>();
    demand(fit.k > 0 && (!fit.levels || fit.levels->size() == attributes.size()));
    return read_lookup(json, std::move(attributes));
  });
  if (!lookup) return fail(lookup.error());
  return make_lookup_plan(*std::move(lookup), std::move(fit));
}

const ClassFit* class_fit(const FittedMethod& plan) {
  const auto* lookup = dynamic_cast<const LookupPlan*>(&plan);
  return lookup != nullptr ? &lookup->fit() : nullptr;
}

}  // namespace semveil
