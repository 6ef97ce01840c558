#include "semveil/mechanism.h"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace semveil {

std::size_t Attribute::size() const {
  switch (kind) {
    case Kind::kNumeric:
      return numbers.size();
    case Kind::kText:
      return texts.size();
    default:
      return taxonomy().size();
  }
}

std::string_view Attribute::id(ConceptId c) const {
  if (c >= size()) return "";
  if (is_numeric()) return digits[c];
  if (!is_nominal()) return texts[c];
  return taxonomy().is_virtual(c) ? "" : names->id(domain->in_ontology(c));
}

double Attribute::distance(ConceptId a, ConceptId b) const {
  if (a == b) return 0;
  if (a >= missing_value() || b >= missing_value()) return 1;
  if (is_nominal()) return measure->distance(a, b);
  if (!is_numeric()) return 1;
  return unit > 0 ? std::min(1.0, std::abs(numbers[a] - numbers[b]) / unit) : 0;
}

Attribute numeric_attribute(std::string name, std::vector<double> numbers, double unit) {
  Attribute attribute;
  attribute.name = std::move(name);
  attribute.kind = Attribute::Kind::kNumeric;
  for (const double number : numbers) attribute.digits.push_back(fmt::format("{}", number));
  attribute.numbers = std::move(numbers);
  attribute.unit = unit;
  return attribute;
}

Attribute text_attribute(std::string name, std::vector<std::string> texts) {
  Attribute attribute;
  attribute.name = std::move(name);
  attribute.kind = Attribute::Kind::kText;
  attribute.texts = std::move(texts);
  return attribute;
}

const Attribute& concepts_of(const Attribute& attribute) {
  return attribute.resolved ? *attribute.resolved->attribute : attribute;
}

ConceptId concept_of(const Attribute& attribute, ConceptId value) {
  if (!attribute.resolved || value == kMissing) return value;
  if (value < attribute.size()) return attribute.resolved->of[value];
  return value - attribute.missing_value() + concepts_of(attribute).missing_value();
}

ValueCounts concept_counts(const Attribute& attribute, const ValueCounts& values) {
  if (!attribute.resolved) return values;
  std::map<ConceptId, std::uint64_t> counts;
  for (std::size_t i = 0; i < values.values.size(); ++i) {
    const ConceptId c = concept_of(attribute, values.values[i]);
    if (c != kMissing) counts[c] += values.counts[i];
  }
  ValueCounts out;
  for (const auto& [c, count] : counts) {
    out.values.push_back(c);
    out.counts.push_back(count);
  }
  return out;
}

bool same_domain(const Attribute& a, const Attribute& b) {
  if (!a.is_nominal() || !b.is_nominal()) return false;
  if (a.names != b.names || a.taxonomy().size() != b.taxonomy().size()) return false;
  for (ConceptId c = 0; c < a.taxonomy().size(); ++c) {
    if (a.domain->in_ontology(c) != b.domain->in_ontology(c)) return false;
  }
  return true;
}

double ExactSum::value() const { return static_cast<double>(settled_ + recent_) / kScale; }

std::string_view to_string(Rule rule) {
  constexpr std::array<std::string_view, kRules> kNames{"zero",   "paper",    "truncated",
                                                        "nosign", "farthest", "alone"};
  return kNames[static_cast<std::size_t>(rule)];
}

std::uint64_t truncated_cells(const RuleCounts& rules) {
  std::uint64_t cells = 0;
  for (const Rule rule : {Rule::kTruncated, Rule::kNoSign, Rule::kFarthest}) {
    cells += rules[static_cast<std::size_t>(rule)];
  }
  return cells;
}

void ColumnTally::count(const Attribute& attribute, ConceptId x, ConceptId z) {
  ++cells;
  ++released[z];
  if (z == x) return;
  ++changed;
  filled += x == attribute.missing_value() ? 1 : 0;
  emptied += z == attribute.missing_value() ? 1 : 0;
  const double distance = attribute.distance(x, z);
  distances.add(distance);
  squared_distances.add(distance * distance);
}

void ColumnTally::add(const ColumnTally& other) {
  cells += other.cells;
  changed += other.changed;
  missing += other.missing;
  filled += other.filled;
  emptied += other.emptied;
  for (std::size_t i = 0; i < kRules; ++i) rules[i] += other.rules[i];
  errors.add(other.errors);
  squared_errors.add(other.squared_errors);
  distances.add(other.distances);
  squared_distances.add(other.squared_distances);
  posteriors.add(other.posteriors);
  guesses.add(other.guesses);
  worst_posterior = std::max(worst_posterior, other.worst_posterior);
  released.resize(std::max(released.size(), other.released.size()));
  for (std::size_t i = 0; i < other.released.size(); ++i) released[i] += other.released[i];
}

void JointTally::add(const JointTally& other) {
  records += other.records;
  posteriors.add(other.posteriors);
  worst = std::max(worst, other.worst);
  columns.resize(std::max(columns.size(), other.columns.size()));
  for (std::size_t j = 0; j < other.columns.size(); ++j) {
    columns[j].posteriors.add(other.columns[j].posteriors);
    columns[j].worst = std::max(columns[j].worst, other.columns[j].worst);
  }
}

// ---- Persons ------------------------------------------------------------------------------------

PersonLists PersonLists::from(std::span<const std::uint64_t> pairs, std::size_t things) {
  PersonLists out;
  out.begin.reserve(things + 1);
  out.persons.reserve(pairs.size());
  for (const std::uint64_t pair : pairs) {
    out.begin.resize((pair >> 32U) + 1, out.persons.size());
    out.persons.push_back(static_cast<std::uint32_t>(pair));
  }
  out.begin.resize(things + 1, out.persons.size());
  return out;
}

std::uint64_t PersonLists::different() const {
  std::vector<std::uint32_t> all = persons;
  std::ranges::sort(all);
  return static_cast<std::uint64_t>(std::unique(all.begin(), all.end()) - all.begin());
}

// ---- Frequency tables ---------------------------------------------------------------------------

std::vector<JointCount> merged(std::vector<JointCount> joint) {
  std::sort(joint.begin(), joint.end(), [](const JointCount& x, const JointCount& y) {
    return x.a != y.a ? x.a < y.a : x.b < y.b;
  });
  std::size_t kept = 0;
  for (const JointCount& cell : joint) {
    if (kept > 0 && joint[kept - 1].a == cell.a && joint[kept - 1].b == cell.b) {
      joint[kept - 1].count += cell.count;
    } else {
      joint[kept++] = cell;
    }
  }
  joint.resize(kept);
  return joint;
}

std::vector<JointCount> FrequencyTable::joint(std::size_t a, std::size_t b) const {
  const std::size_t width = columns.size();
  std::vector<JointCount> joint;
  for (std::size_t t = 0; t < tuple_counts.size(); ++t) {
    const Code of_a = tuples[t * width + a];
    const Code of_b = tuples[t * width + b];
    if (of_a != kMissing && of_b != kMissing) joint.push_back({of_a, of_b, tuple_counts[t]});
  }
  return merged(std::move(joint));
}

namespace {

class Digest {
 public:
  Digest() { crypto_generichash_init(&state_, nullptr, 0, kSize); }
  void add(std::uint64_t number) { crypto_generichash_update(&state_, bytes(&number), 8); }
  void add(std::string_view text) {
    add(text.size());
    crypto_generichash_update(&state_, bytes(text.data()), text.size());
  }
  std::string finish() {
    std::string digest(kSize, '\0');
    crypto_generichash_final(&state_, reinterpret_cast<unsigned char*>(digest.data()), kSize);
    return digest;
  }

 private:
  static constexpr std::size_t kSize = 32;
  static const unsigned char* bytes(const void* p) { return static_cast<const unsigned char*>(p); }
  crypto_generichash_state state_;
};

}  // namespace

std::string FrequencyTable::digest() const {
  Digest digest;
  digest.add(records);
  for (const FrequencyColumn& column : columns) {
    digest.add(column.attribute->name);
    digest.add(column.missing);
    digest.add(column.values.values.size());
    for (std::size_t i = 0; i < column.values.values.size(); ++i) {
      digest.add(column.attribute->id(column.values.values[i]));
      digest.add(column.values.counts[i]);
    }
  }
  for (const Code code : tuples) digest.add(code);
  for (const std::uint64_t count : tuple_counts) digest.add(count);
  for (const SensitiveColumn& column : sensitive) {
    digest.add(column.name);
    for (const ConceptId value : column.values) {
      digest.add(column.attribute && value != kMissing ? column.attribute->id(value) : "");
    }
    for (const std::size_t begin : column.begin) digest.add(begin);
    for (const PlaceCount& of : column.counts) {
      digest.add(of.place);
      digest.add(of.count);
    }
  }
  return digest.finish();
}

}  // namespace semveil
