// Model files (docs/formats/model.md): two lines of text, a description in JSON, and a snapshot of
// every ontology the model needs.
#include <fmt/format.h>
#include <sodium.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/bytes.h"
#include "base/hex.h"
#include "base/text.h"
#include "mechanisms/lookup_plan.h"
#include "mechanisms/saved.h"
#include "ontology/snapshot.h"
#include "release/model.h"

namespace semveil {
namespace {

constexpr std::string_view kHead = "semveil model 5\nsecret: holds the key and original values\n";
constexpr std::size_t kAlignment = 64;

struct Sizes {
  std::uint64_t description, checksum;
};

std::size_t padding(std::size_t size) { return (kAlignment - size % kAlignment) % kAlignment; }

std::string unhex(const std::string& text) {
  std::string bytes(text.size() / 2, '\0');
  std::size_t size = 0;
  const int failed = sodium_hex2bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(),
                                    text.data(), text.size(), nullptr, &size, nullptr);
  if (failed != 0 || size * 2 != text.size()) throw std::out_of_range("hexadecimal digits");
  return bytes;
}

std::span<const unsigned char> as_bytes(std::string_view text) {
  return {reinterpret_cast<const unsigned char*>(text.data()), text.size()};
}

// The triangle below the diagonal, row by row, as the bytes of the numbers.
Json to_json(const DistanceMatrix& matrix) {
  std::string below;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    const std::span<const double> row = matrix.row(i).first(i);
    below.append(reinterpret_cast<const char*>(row.data()), row.size_bytes());
  }
  return {{"size", matrix.size()}, {"below", hex(as_bytes(below))}};
}

std::shared_ptr<const DistanceMatrix> matrix_from(const Json& json, std::size_t units) {
  const auto size = json.at("size").get<std::size_t>();
  const std::string below = unhex(json.at("below").get_ref<const std::string&>());
  if (size != units || below.size() != size * (size - 1) / 2 * sizeof(double)) {
    throw std::out_of_range("distances");
  }
  auto matrix = std::make_shared<DistanceMatrix>(size);
  const char* next = below.data();
  for (std::size_t i = 0; i < size; ++i) {
    matrix->row(i)[i] = 0;
    for (std::size_t j = 0; j < i; ++j, next += sizeof(double)) {
      double distance = 0;
      std::memcpy(&distance, next, sizeof distance);
      if (!(distance >= 0 && distance <= 1)) throw std::out_of_range("distances");
      matrix->row(i)[j] = matrix->row(j)[i] = distance;
    }
  }
  return matrix;
}

Json to_json(const ModelColumn& column) {
  const ColumnPlan& plan = column.plan.column;
  Json texts = Json::array();
  for (const auto& [text, known] : column.texts) {
    texts.push_back(
        {text, saved_id(*column.attribute, known.concept_id), known.count, known.is_mapped});
  }
  if (column.attribute->kind == Attribute::Kind::kText) {
    return {{"name", column.plan.name},
            {"role", plan.role},
            {"missing_is_value", column.attribute->missing_is_value},
            {"words", column.attribute->texts},
            {"texts", std::move(texts)}};
  }
  if (column.attribute->is_numeric()) {
    return {{"name", column.plan.name},
            {"role", plan.role},
            {"numbers", column.attribute->digits},
            {"unit", column.attribute->unit},
            {"decimals", column.attribute->decimals},
            {"missing_is_value", column.attribute->missing_is_value},
            {"texts", std::move(texts)}};
  }
  Json members = Json::array();
  if (plan.domain == DomainKind::kBranches) {
    for (const ConceptId c : column.plan.members) members.push_back(column.attribute->names->id(c));
  }
  const ConceptId root = column.attribute->domain->in_ontology(Taxonomy::root());
  Json json{{"name", column.plan.name},
            {"role", plan.role},
            {"ontology", plan.ontology},
            {"root", column.attribute->names->id(root)},  // "" for the virtual root
            {"root_was_named", !plan.root.empty()},
            {"domain", plan.domain},
            {"members", std::move(members)},
            {"measure", plan.measure},
            {"ic", column.plan.ic ? "seco" : plan.ic},
            {"lcs", plan.lcs},
            {"weights", {plan.weights.names, plan.weights.features, plan.weights.neighbours}},
            {"senses", plan.senses},
            {"unmapped", plan.unmapped},
            {"deny", plan.deny},
            {"leaves_only", plan.leaves_only},
            {"min_depth", plan.min_depth},
            {"missing_is_value", column.plan.missing_is_value},
            {"write", column.write},
            {"decisions", column.mapping.sources.decisions},
            {"decisions_name", column.mapping.sources.decisions_name},
            {"via", column.mapping.sources.via},
            {"references", column.mapping.sources.references},
            {"texts", std::move(texts)}};
  if (column.plan.ic)
    json["ic_values"] = {{"of", column.plan.ic->of}, {"max", column.plan.ic->max}};
  if (column.plan.distances) {
    json["distances"] = to_json(*column.plan.distances);
    json["symmetrised"] = column.plan.symmetrised;
  }
  return json;
}

Json to_json(const Model::Impl& model, Model::KeyIn key_in) {
  Json json{{"method", model.method},
            {"mechanism", model.mechanism},
            {"parameters", model.parameters},
            {"draw_by", model.draw_by},
            {"release", model.release},
            {"digest", hex(as_bytes(model.digest))},
            {"frequencies", hex(as_bytes(model.frequencies))},
            {"missing", model.missing},
            {"missing_values", model.table.missing_values},
            {"undeclared", model.undeclared},
            {"shuffle", model.shuffle},
            {"declared", model.declared},
            {"identifiers", model.identifiers},
            {"masks_every_quasi_identifier", model.masks_every_quasi_identifier},
            {"drop_if_missing", model.drop_if_missing},
            {"quasi_identifiers", model.quasi_identifiers},
            {"sensitive", model.sensitive},
            {"demands", Json::array()},
            {"sets", nullptr},
            {"saved", model.saved},
            {"columns", Json::array()},
            {"ontologies", Json::array()}};
  if (model.sets) {
    json["sets"] = {{"kind", model.sets->kind},
                    {"separator", model.sets->separator},
                    {"categories", hex(as_bytes(model.categories))}};
  }
  json["separator"] =
      model.table.separator ? Json(std::string(1, *model.table.separator)) : Json(nullptr);
  json["quote"] = model.table.quote ? Json(std::string(1, *model.table.quote)) : Json(nullptr);
  json["key"] = key_in == Model::KeyIn::kYes && model.key ? Json(model.key->hex()) : Json(nullptr);
  for (const ModelColumn& column : model.columns) json["columns"].push_back(to_json(column));
  for (const ModelColumn& column : model.demanded) {
    const Demand& demand = model.demands.at(column.plan.name);
    json["demands"].push_back({{"l", demand.l ? Json(*demand.l) : Json(nullptr)},
                               {"kind", demand.kind},
                               {"c", demand.c},
                               {"t", demand.t ? Json(*demand.t) : Json(nullptr)},
                               {"column", to_json(column)}});
  }
  return json;
}

std::optional<char> one_character(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return json.get_ref<const std::string&>().at(0);
}

Error damaged(const std::string& path) {
  return data_error("this is no model of this version of semveil, or it is damaged: fit it anew")
      .at(path);
}

void read_texts(const Json& json, bool unmapped_is_missing, ModelColumn& column) {
  const SavedIds ids(*column.attribute);
  for (const Json& entry : json.at("texts")) {
    const ConceptId c = entry.at(1).is_null() ? kMissing : ids.concept_of(entry.at(1));
    const bool is_mapped = entry.at(3);
    const bool stands_for_missing =
        c == kMissing && !is_mapped && unmapped_is_missing && column.attribute->missing_is_value;
    column.texts.emplace(
        entry.at(0), ModelColumn::Known{stands_for_missing ? column.attribute->missing_value() : c,
                                        entry.at(2), is_mapped});
  }
}

void read_name(const Json& json, ModelColumn& column) {
  column.plan.column.name = column.plan.name = json.at("name");
  column.plan.column.role = json.at("role");
  if (column.plan.column.role > Role::kOther) throw std::out_of_range("choice");
}

ModelColumn read_numeric_column(const Json& json) {
  ModelColumn column;
  read_name(json, column);
  column.plan.column.type = ColumnType::kNumeric;
  column.write = WriteAs::kData;
  std::vector<double> numbers;
  for (const Json& digits : json.at("numbers")) {
    const std::optional<double> number = number_of(digits.get_ref<const std::string&>());
    if (!number || (!numbers.empty() && *number <= numbers.back())) {
      throw std::out_of_range("numbers");
    }
    numbers.push_back(*number);
  }
  Attribute attribute =
      numeric_attribute(column.plan.name, std::move(numbers), json.at("unit").get<double>());
  attribute.decimals = json.at("decimals");
  attribute.missing_is_value = json.at("missing_is_value");
  column.attribute = std::make_shared<const Attribute>(std::move(attribute));
  read_texts(json, false, column);
  return column;
}

ModelColumn read_text_column(const Json& json, bool trims) {
  ModelColumn column;
  read_name(json, column);
  column.plan.column.type = ColumnType::kText;
  column.write = WriteAs::kData;
  auto words = json.at("words").get<std::vector<std::string>>();
  if (std::ranges::adjacent_find(words, std::greater_equal<>()) != words.end()) {
    throw std::out_of_range("words");
  }
  Attribute attribute = text_attribute(column.plan.name, std::move(words));
  attribute.missing_is_value = json.at("missing_is_value");
  column.attribute = std::make_shared<const Attribute>(std::move(attribute));
  column.trims = trims;
  read_texts(json, false, column);
  return column;
}

Result<ModelColumn> read_nominal_column(const Json& json, const Model::Impl& model) {
  const auto found = model.ontologies.find(json.at("ontology").get<std::string>());
  if (found == model.ontologies.end()) throw std::out_of_range("ontology");
  const Ontology& ontology = found->second;
  ModelColumn column;
  read_name(json, column);
  ColumnPlan& plan = column.plan.column;
  plan.ontology = json.at("ontology");
  plan.domain = json.at("domain");
  plan.measure = json.at("measure");
  plan.ic = json.at("ic");
  plan.lcs = json.at("lcs");
  plan.weights = {json.at("weights").at(0), json.at("weights").at(1), json.at("weights").at(2)};
  plan.senses = json.at("senses");
  plan.unmapped = json.at("unmapped");
  plan.deny = json.at("deny").get<std::vector<std::string>>();
  plan.leaves_only = json.at("leaves_only");
  plan.min_depth = json.at("min_depth");
  column.plan.missing_is_value = json.at("missing_is_value");
  column.write = json.at("write");
  if (plan.domain > DomainKind::kBranches || plan.unmapped > UnmappedRule::kKeep ||
      column.write > WriteAs::kId) {
    throw std::out_of_range("choice");
  }
  if (json.contains("ic_values")) {
    InformationContent ic;
    ic.of = json.at("ic_values").at("of").get<std::vector<double>>();
    ic.max = json.at("ic_values").at("max");
    column.plan.ic = std::make_shared<const InformationContent>(std::move(ic));
  }
  if (json.contains("distances")) {
    const auto taxonomy = ontology.taxonomy();
    if (!taxonomy) return fail(taxonomy.error());
    if (!(*taxonomy)->has_virtual_root() || (*taxonomy)->max_depth() != 2) {
      throw std::out_of_range("distances");
    }
    column.plan.distances = matrix_from(json.at("distances"), (*taxonomy)->size() - 1);
    column.plan.symmetrised = json.at("symmetrised");
  }
  Result<TextMapping> mapping =
      make_text_mapping(ontology, {.decisions = json.at("decisions"),
                                   .decisions_name = json.at("decisions_name"),
                                   .via = json.at("via"),
                                   .references = json.at("references")});
  if (!mapping) return fail(mapping.error());
  column.mapping = *std::move(mapping);
  const Names& names = column.mapping.mapper->names();
  const auto concept_of = [&](const Json& id) -> ConceptId {
    const std::string& text = id.get_ref<const std::string&>();
    for (const std::uint64_t entry : names.lookup(squeeze(text))) {
      const Term term = names.term(Names::term_of(entry));
      if (term.kind == TermKind::kId && term.text == text) return term.concept_id;
    }
    throw std::out_of_range("id");
  };
  if (const std::string root = json.at("root"); !root.empty()) {
    column.plan.root = concept_of(json.at("root"));
    if (json.at("root_was_named").get<bool>()) plan.root = root;
  }
  for (const Json& id : json.at("members")) column.plan.members.push_back(concept_of(id));
  Result<std::shared_ptr<const Attribute>> attribute =
      make_attribute(column.plan, ontology, *column.mapping.mapper);
  if (!attribute) return fail(attribute.error());
  column.attribute = *std::move(attribute);
  read_texts(json, model.looks_up, column);
  return column;
}

Result<ModelColumn> read_column(const Json& json, const Model::Impl& model) {
  if (json.contains("numbers")) return read_numeric_column(json);
  if (json.contains("words")) return read_text_column(json, model.sets.has_value());
  return read_nominal_column(json, model);
}

Status read_demand(const Json& json, Model::Impl& model) {
  Result<ModelColumn> column = read_column(json.at("column"), model);
  if (!column) return fail(column.error());
  Demand demand;
  if (!json.at("l").is_null()) demand.l = json.at("l").get<double>();
  if (!json.at("t").is_null()) demand.t = json.at("t").get<double>();
  demand.kind = json.at("kind");
  demand.c = json.at("c");
  const bool sound = demand.kind <= DiversityKind::kRecursive && demand.l.value_or(1) >= 1 &&
                     demand.c > 0 && demand.t.value_or(0) >= 0;
  if (!sound) throw std::out_of_range("demand");
  model.demands.emplace(column->plan.name, demand);
  model.demanded.push_back(*std::move(column));
  return {};
}

Result<std::unique_ptr<Model::Impl>> read_model(std::string_view bytes,
                                                const std::shared_ptr<const void>& owner,
                                                const std::string& path) {
  Sizes sizes{};
  if (!bytes.starts_with(kHead) || bytes.size() < kHead.size() + sizeof sizes) {
    return fail(damaged(path));
  }
  std::memcpy(&sizes, bytes.data() + kHead.size(), sizeof sizes);
  const std::size_t begin = kHead.size() + sizeof sizes;
  if (sizes.description > bytes.size() - begin) return fail(damaged(path));
  const std::string_view description = bytes.substr(begin, sizes.description);
  if (XXH3_64bits(description.data(), description.size()) != sizes.checksum) {
    return fail(damaged(path));
  }
  const Json json = Json::parse(description);
  auto model = std::make_unique<Model::Impl>();
  std::size_t at = begin + sizes.description;
  for (const Json& entry : json.at("ontologies")) {
    at += padding(at);
    const std::size_t size = entry.at("size");
    if (at > bytes.size() || size > bytes.size() - at) return fail(damaged(path));
    Result<Ontology> ontology = open_snapshot(bytes.substr(at, size), owner, path);
    if (!ontology) return fail(ontology.error());
    model->ontologies.emplace(entry.at("name"), *std::move(ontology));
    at += size;
  }
  model->method = json.at("method");
  model->mechanism = json.at("mechanism");
  model->saved = json.at("saved");
  model->parameters = json.at("parameters").get<std::map<std::string, std::string>>();
  model->draw_by = json.at("draw_by");
  model->by_person = !model->draw_by.empty();
  model->deals = is_swap(model->method);
  model->looks_up = looks_up(model->method);
  if (const Json& sets = json.at("sets"); !sets.is_null()) {
    model->sets.emplace().kind = sets.at("kind");
    model->sets->separator = sets.at("separator");
    model->categories = unhex(sets.at("categories"));
    if (model->sets->kind > SetForm::Kind::kColumns || model->sets->separator.empty()) {
      return fail(damaged(path));
    }
  }
  if (model->deals != model->mechanism.starts_with("swap-") ||
      model->looks_up != model->mechanism.starts_with("lookup-") ||
      model->sets.has_value() != releases_sets(model->method)) {
    return fail(damaged(path));
  }
  model->release = json.at("release");
  model->digest = unhex(json.at("digest"));
  model->frequencies = unhex(json.at("frequencies"));
  model->missing = json.at("missing");
  model->table.missing_values = json.at("missing_values").get<std::vector<std::string>>();
  model->table.separator = one_character(json.at("separator"));
  model->table.quote = one_character(json.at("quote"));
  model->undeclared = json.at("undeclared");
  if (model->missing > MissingRule::kError || model->undeclared > UndeclaredRule::kError) {
    return fail(damaged(path));
  }
  model->shuffle = json.at("shuffle");
  model->declared = json.at("declared").get<std::vector<std::string>>();
  model->identifiers = json.at("identifiers").get<std::vector<std::string>>();
  model->masks_every_quasi_identifier = json.at("masks_every_quasi_identifier");
  model->drop_if_missing = json.at("drop_if_missing").get<std::vector<std::string>>();
  model->quasi_identifiers = json.at("quasi_identifiers").get<std::vector<std::string>>();
  model->sensitive = json.at("sensitive").get<std::vector<std::string>>();
  for (const Json& entry : json.at("columns")) {
    Result<ModelColumn> column = read_column(entry, *model);
    if (!column) return fail(column.error());
    model->columns.push_back(*std::move(column));
  }
  for (const Json& entry : json.at("demands")) {
    if (const Status status = read_demand(entry, *model); !status) return fail(status.error());
  }
  if (!json.at("key").is_null()) {
    const std::string key = unhex(json.at("key"));
    if (key.size() != Key::kSize) return fail(damaged(path));
    model->key = Key::from_bytes(as_bytes(key).first<Key::kSize>());
  }
  return model;
}

}  // namespace

Result<PendingFile> Model::prepare(const std::string& path, KeyIn key_in) const {
  std::vector<std::string_view> pieces{kHead};
  std::vector<std::string> scratch(impl_->ontologies.size());
  std::vector<std::vector<std::string_view>> snapshots;
  Json json = to_json(*impl_, key_in);
  for (const auto& [name, ontology] : impl_->ontologies) {
    Result<std::vector<std::string_view>> snapshot =
        snapshot_pieces(ontology, scratch[snapshots.size()]);
    if (!snapshot) return fail(snapshot.error());
    std::size_t size = 0;
    for (const std::string_view piece : *snapshot) size += piece.size();
    json["ontologies"].push_back({{"name", name}, {"size", size}});
    snapshots.push_back(*std::move(snapshot));
  }
  const std::string description =
      json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const Sizes sizes{description.size(), XXH3_64bits(description.data(), description.size())};
  const std::string zeros(kAlignment, '\0');
  pieces.emplace_back(reinterpret_cast<const char*>(&sizes), sizeof sizes);
  pieces.emplace_back(description);
  std::size_t at = kHead.size() + sizeof sizes + description.size();
  for (const std::vector<std::string_view>& snapshot : snapshots) {
    pieces.push_back(std::string_view(zeros).substr(0, padding(at)));
    at += padding(at);
    for (const std::string_view piece : snapshot) {
      pieces.push_back(piece);
      at += piece.size();
    }
  }
  constexpr unsigned kOwnerOnly = 0600;
  return PendingFile::write(path, pieces, kOwnerOnly);
}

Result<Model> Model::read(const std::string& path, const std::optional<Key>& key,
                          const WorkOptions&) {
  const Result<FileBytes> file = FileBytes::read(path, Unpack::kNo);
  if (!file) return fail(file.error());
  auto read = read_saved([&] { return read_model(file->view(), file->owner(), path); });
  if (!read) return fail(damaged(path));
  if (!*read) return fail(read->error());
  std::unique_ptr<Impl> model = *std::move(*read);
  if (key && model->key) {
    return fail(usage_error("the model holds its key: leave --key-file and the seed out").at(path));
  }
  if (key) model->key = key;
  if (model->looks_up) {  // nothing is drawn: the plan needs no key, and knows what comes out
    std::vector<std::shared_ptr<const Attribute>> attributes;
    for (const ModelColumn& column : model->columns) attributes.push_back(column.attribute);
    auto plan = load_lookup(model->saved, std::move(attributes));
    if (!plan) return fail(Error(plan.error()).at(path));
    model->plan = *std::move(plan);
  }
  model->finish_columns();
  return Model(std::move(model));
}

}  // namespace semveil
