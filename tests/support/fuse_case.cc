// The generated tables that fusion and its twin run over.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "semveil/ontology.h"
#include "support/slow_fuse.h"

namespace semveil::test {
namespace {

constexpr double kDemandTolerance = 1e-9;

std::shared_ptr<const Attribute> generated_attribute(const FuseCaseShape& shape, std::size_t j,
                                                     Random& random) {
  const std::string name = "column " + std::to_string(j);
  if (j + shape.numeric >= shape.columns) {
    std::set<double> numbers;
    for (std::size_t v = 0; v < shape.distinct; ++v) {
      // Tenths: equal sums of differences differ in their last bits.
      double number = static_cast<double>(random.below(2 * shape.distinct)) / 10;
      if (shape.nearly_tied)
        number = std::floor(number) + 4e-10 * (number - std::floor(number)) * 10;
      numbers.insert(number);
    }
    const double range = random.one_in(8) ? 0 : *numbers.rbegin() - *numbers.begin();
    return std::make_shared<const Attribute>(
        numeric_attribute(name, {numbers.begin(), numbers.end()},
                          shape.nearly_tied && range > 0 ? std::max(range, 1.0) : range));
  }
  if (j + shape.numeric + shape.texts >= shape.columns) {
    std::vector<std::string> texts;
    for (std::size_t v = 0; v < shape.distinct; ++v) texts.push_back("text " + std::to_string(v));
    std::ranges::sort(texts);
    return std::make_shared<const Attribute>(text_attribute(name, std::move(texts)));
  }
  const Ontology ontology =
      to_ontology(generate(shape.shape, 2 * shape.distinct + 2, random.next()));
  Attribute out;
  out.name = name;
  const std::shared_ptr<const Taxonomy> taxonomy = *ontology.taxonomy();
  out.domain = std::make_shared<const Domain>(Domain::whole(taxonomy));
  out.names = *ontology.names();
  out.measure = *make_measure(taxonomy);
  return std::make_shared<const Attribute>(std::move(out));
}

// The twin's own words for the demands, on values of records.
bool has(const Demand& demand, const std::map<Code, double>& whole, double whole_records,
         const std::map<Code, double>& values) {
  double records = 0;
  for (const auto& [value, count] : values) records += count;
  if (records == 0) return true;
  if (demand.t) {
    double variation = 0;
    for (const auto& [value, count] : whole) {
      const auto found = values.find(value);
      const double here = found == values.end() ? 0 : found->second;
      variation += std::abs(here / records - count / whole_records) / 2;
    }
    if (variation > *demand.t + kDemandTolerance) return false;
  }
  if (!demand.l) return true;
  if (demand.kind == DiversityKind::kDistinct)
    return static_cast<double>(values.size()) >= *demand.l;
  if (demand.kind == DiversityKind::kEntropy) {
    double entropy = 0;
    for (const auto& [value, count] : values) {
      entropy -= count / records * std::log(count / records);
    }
    return std::exp(entropy) >= *demand.l - kDemandTolerance;
  }
  std::vector<double> counts;
  for (const auto& [value, count] : values) counts.push_back(count);
  std::ranges::sort(counts, std::greater<>());
  double rest = 0;
  for (auto i = static_cast<std::size_t>(*demand.l) - 1; i < counts.size(); ++i) rest += counts[i];
  return counts[0] < demand.c * rest;
}

void add_demand(const Demand& demand, Random& random, FuseCase& out) {
  if (!demand.l && !demand.t) return;
  SensitiveColumn column;
  column.name = "sensitive";
  column.demand = demand;
  column.values = {0, 1, 2, 3};
  column.whole.assign(4, 0);
  std::vector<std::map<Code, std::uint64_t>> by_tuple(out.table.size());
  for (std::size_t i = 0; i < out.tuple.size(); ++i) {
    const auto value = static_cast<Code>(std::min(random.below(4), random.below(4)));
    out.sensitive.push_back(value);
    ++column.whole[value];
    ++by_tuple[out.tuple[i]][value];
  }
  for (const auto& counts : by_tuple) {
    column.begin.push_back(column.counts.size());
    for (const auto& [place, count] : counts) column.counts.push_back({place, count});
  }
  column.begin.push_back(column.counts.size());
  out.table.sensitive.push_back(std::move(column));
  std::map<Code, double> whole;
  for (const Code value : out.sensitive) ++whole[value];
  out.slow.met = [demand, whole,
                  sensitive = out.sensitive](const std::vector<std::size_t>& class_) {
    std::map<Code, double> values;
    for (const std::size_t i : class_) ++values[sensitive[i]];
    return has(demand, whole, static_cast<double>(sensitive.size()), values);
  };
}

}  // namespace

FuseCase with_records(FuseCase from, std::vector<std::vector<Code>> records) {
  FuseCase out = std::move(from);
  std::ranges::sort(records);
  out.table.tuples.clear();
  out.table.counts.clear();
  out.table.sensitive.clear();
  out.sensitive.clear();
  out.tuple.clear();
  out.slow.met = nullptr;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (i == 0 || records[i] != records[i - 1]) {
      out.table.tuples.insert(out.table.tuples.end(), records[i].begin(), records[i].end());
      out.table.counts.push_back(0);
    }
    ++out.table.counts.back();
    out.tuple.push_back(out.table.counts.size() - 1);
  }
  out.slow.records = std::move(records);
  return out;
}

FuseCase make_fuse_case(const FuseCaseShape& shape, std::uint64_t seed) {
  Random random(seed);
  FuseCase out;
  for (std::size_t j = 0; j < shape.columns; ++j) {
    const std::shared_ptr<const Attribute> attribute = generated_attribute(shape, j, random);
    out.table.attributes.push_back(attribute);
    std::set<ConceptId> values;
    for (std::size_t v = 0; v < 4 * shape.distinct && values.size() < shape.distinct; ++v) {
      values.insert(static_cast<ConceptId>(random.below(attribute->size())));
    }
    if (shape.missing_one_in > 0) values.insert(attribute->missing_value());
    out.table.values.emplace_back(values.begin(), values.end());
    auto& texts = out.slow.texts.emplace_back();
    for (const ConceptId a : out.table.values.back()) {
      const bool has_label = attribute->is_nominal() && a != attribute->missing_value();
      texts.emplace_back(has_label ? attribute->names->label(a) : attribute->id(a));
    }
    auto& distances = out.slow.distances.emplace_back();
    for (const ConceptId a : out.table.values.back()) {
      auto& row = distances.emplace_back();
      for (const ConceptId b : out.table.values.back()) row.push_back(attribute->distance(a, b));
    }
  }
  std::vector<std::vector<Code>> records;
  for (std::size_t i = 0; i < shape.records; ++i) {
    std::vector<Code>& record = records.emplace_back();
    for (const std::vector<ConceptId>& values : out.table.values) {
      // Missing comes last, if at all.
      const std::size_t known = values.size() - (shape.missing_one_in > 0 ? 1 : 0);
      const bool missing = shape.missing_one_in > 0 && random.one_in(shape.missing_one_in);
      const std::size_t value = std::min(random.below(known), random.below(known));
      record.push_back(static_cast<Code>(missing ? known : value));
    }
  }
  out = with_records(std::move(out), std::move(records));
  add_demand(shape.demand, random, out);
  return out;
}

}  // namespace semveil::test
