// The baselines that noise is compared with: a random value of the column instead of a near one.
//
// Paper:  semantic noise §IV, framework §5: `naive` draws uniformly among the distinct values,
//         `probabilistic` by their frequency.
#include "mechanisms/common/baseline.h"

#include <algorithm>

#include "base/deviates.h"
#include "mechanisms/common/saved.h"

namespace semveil {
namespace {

using Attributes = std::vector<std::shared_ptr<const Attribute>>;

using Urn = BaselineUrn;

class BaselinePlan final : public FittedMethod {
 public:
  BaselinePlan(Attributes attributes, std::vector<Urn> urns, bool by_person, const Key& key)
      : attributes_(std::move(attributes)), urns_(std::move(urns)), by_person_(by_person) {
    for (const auto& attribute : attributes_) draws_.emplace_back(key, attribute->name);
  }

  const Attributes& attributes() const override { return attributes_; }
  const std::vector<Urn>& urns() const { return urns_; }
  bool needs_persons() const override { return by_person_; }
  bool knows_origins() const override { return true; }  // any value can become any other

  void apply(const RecordBatch& in, MaskedBatch& out) const override {
    out.columns.resize(attributes_.size());
    out.tallies.resize(attributes_.size());
    out.single_origin.assign(in.rows, false);
    out.trace.clear();
    std::vector<std::uint64_t> bits(in.rows);
    for (std::size_t j = 0; j < attributes_.size(); ++j) {
      draw(in, j, bits);
      out.columns[j].resize(in.rows);
      mask(in, j, bits, out);
    }
  }

  std::string save() const override {
    Json json{{"by_person", by_person_}, {"columns", Json::array()}};
    for (std::size_t j = 0; j < attributes_.size(); ++j) {
      Json values = Json::array();
      for (const ConceptId c : urns_[j].values) values.push_back(saved_id(*attributes_[j], c));
      json["columns"].push_back({{"values", std::move(values)}, {"upto", urns_[j].upto}});
    }
    return json.dump();
  }

 private:
  void draw(const RecordBatch& in, std::size_t j, std::span<std::uint64_t> bits) const {
    if (!by_person_) return draws_[j].of_rows(in.first_row, 0, bits);
    std::vector<std::uint64_t> addresses(in.rows);
    for (std::size_t row = 0; row < in.rows; ++row) {
      const ConceptId cell = in.columns[j][row];
      addresses[row] =
          draws_[j].address(in.persons[row], cell == kMissing ? "" : attributes_[j]->id(cell));
    }
    draws_[j].of_addresses(addresses, 0, bits);
  }

  void mask(const RecordBatch& in, std::size_t j, std::span<const std::uint64_t> bits,
            MaskedBatch& out) const {
    const Attribute& attribute = *attributes_[j];
    const ConceptId missing = attribute.missing_value();
    const Urn& urn = urns_[j];
    ColumnTally& tally = out.tallies[j];
    tally.released.resize(attribute.size() + 1);
    for (std::size_t row = 0; row < in.rows; ++row) {
      const bool is_missing = in.columns[j][row] == kMissing;
      const bool takes_part =
          is_missing ? attribute.missing_is_value : in.columns[j][row] != kNoPart;
      if (!takes_part || urn.values.empty()) {
        out.columns[j][row] = kMissing;
        ++tally.missing;
        continue;
      }
      const ConceptId x = is_missing ? missing : in.columns[j][row];
      const auto at =
          std::upper_bound(urn.upto.begin(), urn.upto.end(), below(urn.upto.back(), bits[row])) -
          urn.upto.begin();
      const ConceptId z = urn.values[static_cast<std::size_t>(at)];
      tally.count(attribute, x, z);
      out.columns[j][row] = z == missing ? kMissing : z;
    }
  }

  Attributes attributes_;
  std::vector<Urn> urns_;
  bool by_person_;
  std::vector<Draws> draws_;
};

class BaselineMechanism final : public Mechanism {
 public:
  BaselineMechanism(Baseline baseline, bool by_person)
      : baseline_(baseline), by_person_(by_person) {}

  std::string_view name() const override {
    return baseline_ == Baseline::kNaive ? kNaiveName : kProbabilisticName;
  }

  Result<std::unique_ptr<const FittedMethod>> fit(const FrequencyTable& table,
                                                  const Key& key) const override {
    Attributes attributes;
    std::vector<Urn> urns;
    for (const FrequencyColumn& column : table.columns) {
      if (column.values.values.size() < 2) {
        return fail(Error{ErrorCode::kGuarantee,
                          "the column has fewer than two values, so every cell would stay as it "
                          "is: leave it out of `columns`",
                          {.file = {}, .line = 0, .column = column.attribute->name},
                          {},
                          {}});
      }
      Urn urn{.values = column.values.values, .upto = {}};
      std::uint64_t sum = 0;
      for (const std::uint64_t count : column.values.counts) {
        sum += baseline_ == Baseline::kNaive ? 1 : count;
        urn.upto.push_back(sum);
      }
      urns.push_back(std::move(urn));
      attributes.push_back(column.attribute);
    }
    return std::make_unique<const BaselinePlan>(std::move(attributes), std::move(urns), by_person_,
                                                key);
  }

 private:
  Baseline baseline_;
  bool by_person_;
};

}  // namespace

std::unique_ptr<const Mechanism> make_baseline(Baseline baseline, bool by_person) {
  return std::make_unique<const BaselineMechanism>(baseline, by_person);
}

const BaselineUrn* baseline_urn(const FittedMethod& plan, std::size_t column) {
  const auto* baseline = dynamic_cast<const BaselinePlan*>(&plan);
  return baseline != nullptr ? &baseline->urns()[column] : nullptr;
}

Result<std::unique_ptr<const FittedMethod>> load_baseline(std::string_view saved,
                                                          Attributes attributes, const Key& key) {
  return read_saved([&]() -> std::unique_ptr<const FittedMethod> {
    const Json json = Json::parse(saved);
    std::vector<Urn> urns;
    if (json.at("columns").size() != attributes.size()) throw std::out_of_range("saved baseline");
    for (std::size_t j = 0; j < attributes.size(); ++j) {
      const SavedIds ids(*attributes[j]);
      const Json& column = json.at("columns").at(j);
      Urn urn{.values = {}, .upto = column.at("upto").get<std::vector<std::uint64_t>>()};
      for (const Json& id : column.at("values")) urn.values.push_back(ids.concept_of(id));
      if (urn.values.empty() || !are_values(*attributes[j], urn.values) ||
          urn.values.size() != urn.upto.size() ||
          !std::is_sorted(urn.upto.begin(), urn.upto.end()) || urn.upto.back() == 0) {
        throw std::out_of_range("saved baseline");
      }
      urns.push_back(std::move(urn));
    }
    return std::make_unique<const BaselinePlan>(std::move(attributes), std::move(urns),
                                                json.at("by_person").get<bool>(), key);
  });
}

}  // namespace semveil
