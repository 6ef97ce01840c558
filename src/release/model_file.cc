// Model files (docs/formats/model.md): two lines of text, a description in JSON, and a snapshot of
// every ontology the model needs.
#include <fmt/format.h>
#include <sodium.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <new>
#include <nlohmann/json.hpp>

#include "base/bytes.h"
#include "base/hex.h"
#include "base/text.h"
#include "mechanisms/common/saved.h"
#include "ontology/snapshot/snapshot.h"
#include "release/model_columns.h"
#include "semveil/method.h"
#include "semveil/stop.h"

namespace semveil {
namespace {

constexpr std::string_view kModelName = "semveil model ";
constexpr std::string_view kHead = "semveil model 9\nsecret: holds the key and original values\n";
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

Json saved_step(const ModelStep& step) {
  Json json{{"method", step.method},
            {"mechanism", step.mechanism},
            {"parameters", step.parameters},
            {"draw_by", step.draw_by},
            {"columns", step.columns},
            {"digest", hex(as_bytes(step.digest))},
            {"frequencies", hex(as_bytes(step.frequencies))},
            {"sets", nullptr},
            {"saved", step.saved()}};
  if (step.sets) {
    json["sets"] = {{"kind", step.sets->kind},
                    {"separator", step.sets->separator},
                    {"categories", hex(as_bytes(step.categories))}};
  }
  return json;
}

Json saved_recoded(const RecodedModelColumn& column) {
  Json recodings = Json::array();
  for (const ColumnRecoding& recoding : column.recodings) {
    recodings.push_back(
        {{"method", recoding.method},
         {"parameters", recoding.parameters},
         {"step", recoding.step},
         {"saved", recoding.recoding->save()},
         {"meaning", recoding.meaning ? saved_column(*recoding.meaning) : Json(nullptr)}});
  }
  return {
      {"column", column.name}, {"numbers", column.numbers}, {"recodings", std::move(recodings)}};
}

Json to_json(const Model::Impl& model, Model::KeyIn key_in) {
  Json json{{"recoded", Json::array()},
            {"steps", Json::array()},
            {"release", model.release},
            {"digest", hex(as_bytes(model.digest))},
            {"frequencies", hex(as_bytes(model.frequencies))},
            {"orders", Json::array()},
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
            {"columns", Json::array()},
            {"ontologies", Json::array()}};
  if (!model.person.empty()) json["person"] = model.person;
  if (model.allow_linked_rows) json["allow_linked_rows"] = true;
  for (const std::string& order : model.orders) json["orders"].push_back(hex(as_bytes(order)));
  for (const RecodedModelColumn& column : model.recoded) {
    json["recoded"].push_back(saved_recoded(column));
  }
  for (const ModelStep& step : model.steps) json["steps"].push_back(saved_step(step));
  json["separator"] =
      model.table.separator ? Json(std::string(1, *model.table.separator)) : Json(nullptr);
  json["quote"] = model.table.quote ? Json(std::string(1, *model.table.quote)) : Json(nullptr);
  json["key"] = key_in == Model::KeyIn::kYes && model.key ? Json(model.key->hex()) : Json(nullptr);
  json["key_fingerprint"] = model.key ? model.key->fingerprint() : model.key_fingerprint;
  for (const ModelColumn& column : model.columns) json["columns"].push_back(saved_column(column));
  for (const ModelColumn& column : model.demanded) {
    const Demand& demand = model.demands.at(column.plan.name);
    json["demands"].push_back({{"l", demand.l ? Json(*demand.l) : Json(nullptr)},
                               {"kind", demand.kind},
                               {"c", demand.c},
                               {"t", demand.t ? Json(*demand.t) : Json(nullptr)},
                               {"column", saved_column(column)}});
  }
  return json;
}

std::optional<char> one_character(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return json.get_ref<const std::string&>().at(0);
}

// For plans that draw nothing.
Key no_key() { return Key::from_bytes(std::array<unsigned char, Key::kSize>{}); }

Error damaged(const std::string& path) {
  return data_error(
             "this is no model of this version of semveil, or it is damaged: get the file again, "
             "or fit it anew")
      .at(path);
}

// Draws follow from the digest of the table, and other versions had another.
Error other_version(const std::string& path) {
  return data_error(
             "the model was fitted by another version of semveil, whose draws were others: "
             "fit it again")
      .at(path);
}

Status read_demand(const Json& json, Model::Impl& model) {
  Result<ModelColumn> column =
      read_saved_column(json.at("column"), model, {model.looks_up(), false});
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

// Throws, as `saved.h` says.
ModelStep read_step(const Json& json) {
  ModelStep step;
  step.method = json.at("method");
  step.mechanism = json.at("mechanism");
  step.read_saved = json.at("saved");
  step.parameters = json.at("parameters").get<std::map<std::string, std::string>>();
  step.draw_by = json.at("draw_by");
  step.columns = json.at("columns").get<std::vector<std::size_t>>();
  step.digest = unhex(json.at("digest"));
  step.frequencies = unhex(json.at("frequencies"));
  if (const Json& sets = json.at("sets"); !sets.is_null()) {
    step.sets.emplace().kind = sets.at("kind");
    step.sets->separator = sets.at("separator");
    step.categories = unhex(sets.at("categories"));
    demand(step.sets->kind <= SetForm::Kind::kColumns && !step.sets->separator.empty());
  }
  const Method* const method = find_method(step.method);
  demand(method != nullptr && step.mechanism == method->about().mechanism &&
         !step.read_saved.empty() &&  // empty would say that the step was fitted just now
         step.sets.has_value() == method->about().releases_sets && !step.columns.empty());
  return step;
}

// Every masked column has one step.
void check_places(const Model::Impl& model, std::size_t columns) {
  std::vector<bool> seen(columns, false);
  for (const ModelStep& step : model.steps) {
    for (std::size_t i = 0; i < step.columns.size(); ++i) {
      const std::size_t at = step.columns[i];
      demand(at < columns && !seen[at] && (i == 0 || step.columns[i - 1] < at));
      seen[at] = true;
    }
  }
  demand(std::ranges::find(seen, false) == seen.end());
}

Result<ColumnRecoding> read_recoding(const Json& json, const Model::Impl& model) {
  ColumnRecoding out;
  out.method = json.at("method");
  out.parameters = json.at("parameters").get<std::map<std::string, std::string>>();
  out.step = json.at("step");
  if (const Json& saved = json.at("meaning"); !saved.is_null()) {
    Result<ModelColumn> column = read_saved_column(saved, model, {});
    if (!column) return fail(column.error());
    auto meaning = std::make_shared<ModelColumn>(*std::move(column));
    spell(*meaning, *meaning->attribute, {model.table.missing_values});
    out.meaning = std::move(meaning);
  }
  const Method* const method = find_method(out.method);
  demand(method != nullptr && method->about().recodes());
  auto recoding = method->load_recoding(json.at("saved").get<std::string>(),
                                        out.meaning ? column_meaning(out.meaning) : nullptr);
  if (!recoding) return fail(recoding.error());
  out.recoding = *std::move(recoding);
  return out;
}

Status read_recoded(const Json& json, Model::Impl& model) {
  RecodedModelColumn& column = model.recoded.emplace_back();
  column.name = json.at("column");
  column.numbers = json.at("numbers");
  for (const Json& entry : json.at("recodings")) {
    Result<ColumnRecoding> recoding = read_recoding(entry, model);
    if (!recoding) return fail(recoding.error());
    column.recodings.push_back(*std::move(recoding));
  }
  return {};
}

Result<std::unique_ptr<Model::Impl>> read_model(std::string_view bytes,
                                                const std::shared_ptr<const void>& owner,
                                                const std::string& path) {
  Sizes sizes{};
  if (bytes.starts_with(kModelName) && !bytes.starts_with(kHead.substr(0, kHead.find('\n') + 1))) {
    return fail(other_version(path));
  }
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
    if (!ontology || !ontology->verify()) return fail(damaged(path));
    model->ontologies.emplace(entry.at("name"), *std::move(ontology));
    at += size;
  }
  for (const Json& step : json.at("steps")) model->steps.push_back(read_step(step));
  check_places(*model, json.at("columns").size());
  model->release = json.at("release");
  if (json.contains("person")) model->person = json.at("person");
  if (json.contains("allow_linked_rows")) {
    model->allow_linked_rows = json.at("allow_linked_rows");
  }
  model->digest = unhex(json.at("digest"));
  model->frequencies = unhex(json.at("frequencies"));
  for (const Json& order : json.at("orders")) model->orders.push_back(unhex(order));
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
  for (const Json& entry : json.at("recoded")) {
    if (const Status status = read_recoded(entry, *model); !status) return fail(status.error());
  }
  if (model->steps.empty() && model->recoded.empty()) return fail(damaged(path));
  for (const Json& entry : json.at("columns")) {
    const ModelStep& step = model->step_of(model->columns.size());
    Result<ModelColumn> column =
        read_saved_column(entry, *model, {step.looks_up(), step.sets.has_value()});
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
  model->key_fingerprint = json.at("key_fingerprint").get<std::string>();
  return model;
}

// The bytes of a model file, in pieces.
struct ModelBytes {
  std::vector<std::string> scratch;  // of snapshots
  std::string description;
  std::array<char, sizeof(Sizes)> sizes{};
  std::vector<std::string_view> pieces;
};

Result<std::unique_ptr<const ModelBytes>> model_bytes(const Model::Impl& model,
                                                      Model::KeyIn key_in) {
  static constexpr std::array<char, kAlignment> kZeros{};
  auto bytes = std::make_unique<ModelBytes>();
  bytes->scratch.resize(model.ontologies.size());
  std::vector<std::vector<std::string_view>> snapshots;
  Json json = to_json(model, key_in);
  for (const auto& [name, ontology] : model.ontologies) {
    Result<std::vector<std::string_view>> snapshot =
        snapshot_pieces(ontology, bytes->scratch[snapshots.size()]);
    if (!snapshot) return fail(snapshot.error());
    std::size_t size = 0;
    for (const std::string_view piece : *snapshot) size += piece.size();
    json["ontologies"].push_back({{"name", name}, {"size", size}});
    snapshots.push_back(*std::move(snapshot));
  }
  bytes->description = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const std::string& description = bytes->description;
  const Sizes sizes{description.size(), XXH3_64bits(description.data(), description.size())};
  std::memcpy(bytes->sizes.data(), &sizes, sizeof sizes);
  std::vector<std::string_view>& pieces = bytes->pieces;
  pieces = {kHead, {bytes->sizes.data(), bytes->sizes.size()}, description};
  std::size_t at = kHead.size() + sizeof sizes + description.size();
  for (const std::vector<std::string_view>& snapshot : snapshots) {
    pieces.emplace_back(kZeros.data(), padding(at));
    at += padding(at);
    for (const std::string_view piece : snapshot) {
      pieces.push_back(piece);
      at += piece.size();
    }
  }
  return bytes;
}

Result<std::unique_ptr<Model::Impl>> finished_model(std::string_view bytes,
                                                    const std::shared_ptr<const void>& owner,
                                                    const std::string& path,
                                                    const std::optional<Key>& key) {
  auto read = read_saved([&] { return read_model(bytes, owner, path); });
  if (!read) return fail(damaged(path));
  if (!*read) return fail(read->error());
  std::unique_ptr<Model::Impl> model = *std::move(*read);
  if (key && model->key) {
    return fail(
        usage_error("the model holds its key: leave the key file and the seed out").at(path));
  }
  if (key) model->key = key;
  if (model->key && model->key->fingerprint() != model->key_fingerprint) {
    return fail(data_error("this is not the key that the model was fitted with: give the one that "
                           "was written, or the seed that was given, when it was fitted")
                    .at(path));
  }
  std::vector<std::shared_ptr<const FittedMethod>> any_key;  // by step
  for (ModelStep& step : model->steps) {
    std::vector<std::shared_ptr<const Attribute>> attributes;
    for (const std::size_t j : step.columns) attributes.push_back(model->columns[j].attribute);
    // A plan of any key knows what numbers come out.
    const bool draws_numbers =
        step.about().draws_per_cell() &&
        std::ranges::any_of(attributes, [](const auto& one) { return one->is_numeric(); });
    any_key.push_back(nullptr);
    if (!step.looks_up() && !draws_numbers) continue;
    auto plan = find_method(step.method)->load(step.read_saved, std::move(attributes), no_key());
    if (!plan) return fail(Error(plan.error()).at(path));
    if (const Status status = check_shape(**plan, step.about()); !status) {
      return fail(Error(status.error()).at(path));
    }
    any_key.back() = *std::move(plan);
    if (step.looks_up()) step.plan = any_key.back();  // nothing is drawn: it needs no key
  }
  model->finish_columns(any_key);
  return model;
}

// A copy whose beginning lies as that of a mapped file does: snapshots are read where they are.
std::shared_ptr<const char> aligned_copy(std::string_view bytes) {
  constexpr std::align_val_t kAt{kAlignment};
  auto* const copy = static_cast<char*>(::operator new(bytes.size(), kAt));
  if (!bytes.empty()) std::memcpy(copy, bytes.data(), bytes.size());
  return std::shared_ptr<char>(copy, [](char* given) { ::operator delete(given, kAt); });
}

}  // namespace

Result<PendingFile> Model::prepare(const std::string& path, KeyIn key_in) const {
  const auto bytes = model_bytes(*impl_, key_in);
  if (!bytes) return fail(bytes.error());
  constexpr unsigned kOwnerOnly = 0600;
  return PendingFile::write(path, (*bytes)->pieces, kOwnerOnly);
}

Result<std::string> Model::to_bytes(KeyIn key_in) const {
  const auto bytes = model_bytes(*impl_, key_in);
  if (!bytes) return fail(bytes.error());
  std::string joined;
  for (const std::string_view piece : (*bytes)->pieces) joined += piece;
  return joined;
}

Result<Model> Model::read(const std::string& path, const std::optional<Key>& key,
                          const WorkOptions& options) {
  return stoppable(options.stop, [&]() -> Result<Model> {
    const Result<FileBytes> file = FileBytes::read(path, Unpack::kNo);
    if (!file) return fail(file.error());
    auto model = finished_model(file->view(), file->owner(), path, key);
    if (!model) return fail(model.error());
    return Model(*std::move(model));
  });
}

Result<Model> Model::from_bytes(std::string_view bytes, const std::optional<Key>& key) {
  const std::shared_ptr<const char> copy = aligned_copy(bytes);
  auto model = finished_model({copy.get(), bytes.size()}, copy, "the model", key);
  if (!model) return fail(model.error());
  return Model(*std::move(model));
}

}  // namespace semveil
