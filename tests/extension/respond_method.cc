#include "extension/respond_method.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "semveil/channel.h"

namespace semveil::test {
namespace {

using Attributes = std::vector<std::shared_ptr<const Attribute>>;
using Json = nlohmann::ordered_json;

constexpr std::string_view kMechanism = "respond-1";

constexpr MethodKey kTruth{
    .name = "truth",
    .type = KeyType::kNumber,
    .help = "the chance of a cell to stay as it is",
    .low = 0,
    .high = 1,
    .usually = 0.5,
    .usual = "0.2 to 0.7",
};
constexpr MethodKey kNote{
    .name = "note",
    .type = KeyType::kText,
    .help = "anything",
    .told = Told::kNever,
    .stays = true,
};
constexpr std::array<MethodKey, 2> kKeys{kTruth, kNote};

constexpr MethodDescription kRespond{
    .name = "respond",
    .mechanism = kMechanism,
    .shape = MethodShape::kDrawsPerCell,
    .keys = kKeys,
    .promise = "Every cell may be a lie.",
    .no_promise = "Rare values that were no lie stand out.",
};

class RespondChannel final : public Channel {
 public:
  RespondChannel(const Attribute& attribute, const ValueCounts& prior, double truth,
                 const std::vector<ConceptId>& values)
      : attribute_(attribute), prior_(prior), truth_(truth), values_(values) {}
  const Attribute& attribute() const override { return attribute_; }
  const ValueCounts& prior() const override { return prior_; }
  void probabilities(ConceptId x, std::vector<double>& row) const override {
    row.assign(attribute_.size() + 1, 0);
    const double each = (1 - truth_) / static_cast<double>(values_.size());
    for (const ConceptId z : values_) row[z] = each;
    row[x] += truth_;
  }

 private:
  const Attribute& attribute_;
  const ValueCounts& prior_;
  double truth_;
  const std::vector<ConceptId>& values_;
};

class RespondPlan final : public FittedMethod {
 public:
  RespondPlan(RespondOptions options, Attributes attributes,
              std::vector<std::vector<ConceptId>> values, const Key& key)
      : options_(options), attributes_(std::move(attributes)), values_(std::move(values)) {
    for (const auto& attribute : attributes_) draws_.emplace_back(key, attribute->name);
  }

  const Attributes& attributes() const override { return attributes_; }
  bool needs_persons() const override { return options_.by_person; }
  bool knows_origins() const override { return true; }

  void apply(const RecordBatch& in, MaskedBatch& out) const override {
    out.columns.resize(attributes_.size());
    out.tallies.resize(attributes_.size());
    out.single_origin.assign(in.rows, options_.truth == 1);
    out.trace.clear();
    for (std::size_t j = 0; j < attributes_.size(); ++j) {
      out.columns[j].resize(in.rows);
      mask(in, j, out);
    }
  }

  std::unique_ptr<const Channel> channel(const FrequencyTable& table,
                                         std::size_t column) const override {
    return std::make_unique<const RespondChannel>(
        *attributes_[column], table.columns[column].values, options_.truth, values_[column]);
  }

  std::string save() const override {
    Json json{{"truth", options_.truth}, {"by_person", options_.by_person}};
    json["columns"] = Json::array();
    for (std::size_t j = 0; j < attributes_.size(); ++j) {
      Json ids = Json::array();
      for (const ConceptId v : values_[j]) {
        ids.push_back(v == attributes_[j]->missing_value() ? Json(nullptr)
                                                           : Json(attributes_[j]->id(v)));
      }
      json["columns"].push_back(std::move(ids));
    }
    return json.dump();
  }

 private:
  void mask(const RecordBatch& in, std::size_t j, MaskedBatch& out) const {
    const Attribute& attribute = *attributes_[j];
    const std::vector<ConceptId>& values = values_[j];
    ColumnTally& tally = out.tallies[j];
    tally.released.resize(attribute.size() + 1);
    const std::vector<std::uint64_t> lies = draw(in, j, 0), which = draw(in, j, 1);
    for (std::size_t row = 0; row < in.rows; ++row) {
      const ConceptId cell = in.columns[j][row];
      const bool takes_part = cell == kMissing ? attribute.missing_is_value : cell != kNoPart;
      if (!takes_part || values.empty()) {
        out.columns[j][row] = kMissing;
        ++tally.missing;
        continue;
      }
      const ConceptId x = cell == kMissing ? attribute.missing_value() : cell;
      const bool is_lie = std::ldexp(static_cast<double>(lies[row]), -64) >= options_.truth;
      const ConceptId z = is_lie ? values[which[row] % values.size()] : x;
      tally.count(attribute, x, z);
      out.columns[j][row] = z == attribute.missing_value() ? kMissing : z;
    }
  }

  std::vector<std::uint64_t> draw(const RecordBatch& in, std::size_t j,
                                  std::uint32_t number) const {
    std::vector<std::uint64_t> out(in.rows);
    if (!options_.by_person) {
      draws_[j].of_rows(in.first_row, number, out);
      return out;
    }
    std::vector<std::uint64_t> addresses;
    for (std::size_t row = 0; row < in.rows; ++row) {
      const ConceptId cell = in.columns[j][row];
      const bool has_id = cell < attributes_[j]->size();
      addresses.push_back(
          draws_[j].address(in.persons[row], has_id ? attributes_[j]->id(cell) : ""));
    }
    draws_[j].of_addresses(addresses, number, out);
    return out;
  }

  RespondOptions options_;
  Attributes attributes_;
  std::vector<std::vector<ConceptId>> values_;
  std::vector<Draws> draws_;
};

class RespondMechanism final : public Mechanism {
 public:
  explicit RespondMechanism(RespondOptions options) : options_(options) {}
  std::string_view name() const override { return kMechanism; }

  Result<std::unique_ptr<const FittedMethod>> fit(const FrequencyTable& table,
                                                  const Key& key) const override {
    Attributes attributes;
    std::vector<std::vector<ConceptId>> values;
    for (const FrequencyColumn& column : table.columns) {
      attributes.push_back(column.attribute);
      values.push_back(column.values.values);
    }
    return std::make_unique<const RespondPlan>(options_, std::move(attributes), std::move(values),
                                               key);
  }

 private:
  RespondOptions options_;
};

ConceptId concept_of(const Attribute& attribute, const Json& id) {
  if (id.is_null()) {
    if (!attribute.missing_is_value) throw std::out_of_range("missing");
    return attribute.missing_value();
  }
  const auto& text = id.get_ref<const std::string&>();
  for (ConceptId c = 0; c < attribute.size(); ++c) {
    if (attribute.id(c) == text && !attribute.taxonomy().is_virtual(c)) return c;
  }
  throw std::out_of_range("id");
}

std::unique_ptr<const FittedMethod> read_plan(std::string_view saved, Attributes attributes,
                                              const Key& key) {
  const Json json = Json::parse(saved);
  const RespondOptions options{json.at("truth").get<double>(), json.at("by_person").get<bool>()};
  const Json& columns = json.at("columns");
  const bool is_sound = columns.is_array() && columns.size() == attributes.size() &&
                        options.truth >= 0 && options.truth <= 1;
  if (!is_sound) throw std::out_of_range("columns");
  std::vector<std::vector<ConceptId>> values;
  for (std::size_t j = 0; j < attributes.size(); ++j) {
    std::vector<ConceptId>& all = values.emplace_back();
    if (!columns.at(j).is_array()) throw std::out_of_range("values");
    for (const Json& id : columns.at(j)) all.push_back(concept_of(*attributes[j], id));
    if (!std::ranges::is_sorted(all)) throw std::out_of_range("order");
  }
  return std::make_unique<const RespondPlan>(options, std::move(attributes), std::move(values),
                                             key);
}

class RespondMethod final : public Method {
 public:
  const MethodDescription& about() const override { return kRespond; }

  Result<std::unique_ptr<const Mechanism>> make(const MaskStep& mask,
                                                MechanismInputs /*inputs*/) const override {
    return make_respond(
        {.truth = setting_of<double>(mask, kTruth), .by_person = !mask.draw_by.empty()});
  }

  Result<std::unique_ptr<const FittedMethod>> load(std::string_view saved, Attributes attributes,
                                                   const Key& key) const override {
    try {
      return read_plan(saved, std::move(attributes), key);
    } catch (const nlohmann::json::exception&) {
    } catch (const std::out_of_range&) {
    }
    return fail(data_error("the saved plan is damaged: fit it anew"));
  }

  void check(PlanCheck& check) const override {
    if (setting_of<std::string>(check.mask, kNote) == "refuse me") {
      check.wrong(kNote.name, "this note is refused");
    }
  }

  std::vector<Trial> trials(std::size_t /*masked_columns*/) const override {
    return {{{"truth", "0.3"}}};
  }
};

}  // namespace

std::unique_ptr<const Mechanism> make_respond(RespondOptions options) {
  return std::make_unique<const RespondMechanism>(options);
}

std::unique_ptr<const Method> respond_method() { return std::make_unique<const RespondMethod>(); }

}  // namespace semveil::test
