#include "ontology/rdf/write_skos.h"

#include <fmt/format.h>
#include <raptor2.h>

#include <algorithm>

#include "base/text.h"
#include "ontology/rdf/raptor_world.h"
#include "ontology/rdf/rdf_vocabulary.h"

namespace semveil {
namespace {

// No concept can be called so: of an id skos_iri() writes a slash as %2F.
constexpr const char* kScheme = "urn:semveil:concept/scheme";

std::string in(std::string_view space, std::string_view name) {
  return std::string(space).append(name);
}

bool is_its_own_iri(std::string_view id) {
  const auto forbidden = [](char c) {
    return static_cast<unsigned char>(c) <= 0x20 ||
           std::string_view("<>\"{}|^`\\").find(c) != std::string_view::npos;
  };
  const bool known = id.starts_with("http://") || id.starts_with("https://") ||
                     (id.starts_with("urn:") && !id.starts_with(kOwnIris));
  return known && std::ranges::none_of(id, forbidden);
}

const unsigned char* bytes(const std::string& text) {
  return reinterpret_cast<const unsigned char*>(text.c_str());
}

}  // namespace

std::string skos_iri(std::string_view id) {
  if (is_its_own_iri(id)) return std::string(id);
  std::string iri(kOwnIris);
  for (const char c : id) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~:").find(c) != std::string_view::npos;
    if (plain) {
      iri += c;
    } else {
      iri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return iri;
}

std::string skos_id(std::string_view iri) {
  if (!iri.starts_with(kOwnIris)) return std::string(iri);
  const std::string_view coded = iri.substr(kOwnIris.size());
  const auto digit = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
  };
  std::string id;
  for (std::size_t i = 0; i < coded.size(); ++i) {
    const bool escaped = coded[i] == '%' && i + 2 < coded.size() && digit(coded[i + 1]) >= 0 &&
                         digit(coded[i + 2]) >= 0;
    id += escaped ? static_cast<char>(digit(coded[i + 1]) * 16 + digit(coded[i + 2])) : coded[i];
    i += escaped ? 2 : 0;
  }
  // Only what skos_iri() would write so: two IRIs must not become one id.
  const bool is_ours = !id.empty() && id.find('\0') == id.npos &&
                       find_invalid_utf8(id) == id.npos && skos_iri(id) == iri;
  return is_ours ? id : std::string(iri);
}

struct SkosWriter::Impl {
  RaptorWorld raptor;
  raptor_world* world = raptor.get();
  void* out = nullptr;
  std::size_t size = 0;
  std::unique_ptr<raptor_serializer, FreeSerializer> serializer;  // writes to `out`
  bool failed = false;
  std::string subject;

  Impl() = default;
  ~Impl() {
    serializer.reset();
    if (out != nullptr) raptor_free_memory(out);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void put(const std::string& predicate, raptor_term* object) {
    raptor_statement statement;
    raptor_statement_init(&statement, world);
    statement.subject = raptor_new_term_from_uri_string(world, bytes(subject));
    statement.predicate = raptor_new_term_from_uri_string(world, bytes(predicate));
    statement.object = object;
    const bool whole = statement.subject != nullptr && statement.predicate != nullptr &&
                       statement.object != nullptr;
    failed |= !whole || raptor_serializer_serialize_statement(serializer.get(), &statement) != 0;
    raptor_statement_clear(&statement);
  }
  void link(const std::string& predicate, const std::string& iri) {
    put(predicate, raptor_new_term_from_uri_string(world, bytes(iri)));
  }
};

SkosWriter::SkosWriter(const char* syntax) : impl_(std::make_unique<Impl>()) {
  impl_->failed = !impl_->raptor.open();
  if (impl_->failed) return;
  impl_->serializer.reset(raptor_new_serializer(impl_->world, syntax));
  impl_->failed = impl_->serializer == nullptr ||
                  raptor_serializer_start_to_string(impl_->serializer.get(), nullptr, &impl_->out,
                                                    &impl_->size) != 0;
  if (impl_->failed) return;
  const std::unique_ptr<raptor_uri, FreeUri> skos(
      raptor_new_uri(impl_->world, bytes(std::string(kSkosSpace))));
  raptor_serializer_set_namespace(impl_->serializer.get(), skos.get(),
                                  reinterpret_cast<const unsigned char*>("skos"));
  impl_->subject = kScheme;
  impl_->link(in(kRdf, "type"), in(kSkosSpace, "ConceptScheme"));
}

SkosWriter::~SkosWriter() = default;

void SkosWriter::begin(const std::string& iri, bool is_top) {
  if (impl_->failed) return;
  impl_->subject = iri;
  impl_->link(in(kRdf, "type"), in(kSkosSpace, "Concept"));
  if (is_top) impl_->link(in(kSkosSpace, "topConceptOf"), kScheme);
}

void SkosWriter::text(const char* property, std::string_view value) {
  if (impl_->failed) return;
  impl_->put(in(kSkosSpace, property),
             raptor_new_term_from_counted_literal(
                 impl_->world, reinterpret_cast<const unsigned char*>(value.data()), value.size(),
                 nullptr, nullptr, 0));
}

void SkosWriter::link(const char* property, const std::string& iri) {
  if (!impl_->failed) impl_->link(in(kSkosSpace, property), iri);
}

Result<std::string> SkosWriter::finish() && {
  if (!impl_->failed) impl_->failed = raptor_serializer_serialize_end(impl_->serializer.get()) != 0;
  if (impl_->failed || impl_->out == nullptr) {
    return fail(system_error(
        "the RDF library could not write the ontology: make room, or choose another place"));
  }
  return std::string(static_cast<const char*>(impl_->out), impl_->size);
}

}  // namespace semveil
