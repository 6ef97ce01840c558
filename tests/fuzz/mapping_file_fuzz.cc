// Mapping files of any bytes, as CSV and as TOML: what is read can be written and read again, and
// the decisions stay the same. The bytes themselves are mapped and looked for as a value, too.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/text.h"
#include "ontology/draft.h"
#include "semveil/mapping.h"

namespace {

using namespace semveil;

Ontology small_ontology() {
  OntologyDraft draft;
  draft.info.format = "wordnet";
  draft.info.names_are_equal = true;
  const auto root = draft.add_concept("00000001-n");
  draft.add_term(root, TermKind::kLabel, "animal", 1);
  const auto dog = draft.add_concept("00000002-n");
  draft.add_term(dog, TermKind::kLabel, "dog", 1);
  draft.add_term(dog, TermKind::kExactSynonym, "guinea-pig", 1);
  const auto mouse = draft.add_concept("00000003-n");
  draft.add_term(mouse, TermKind::kLabel, "mouse", 1);
  draft.add_term(mouse, TermKind::kExactSynonym, "dog", 2);
  draft.add_term(mouse, TermKind::kExactSynonym, "éléphant", 1);
  draft.add_exception("mice", "mouse");
  draft.add_link(dog, root);
  draft.add_link(mouse, root);
  return *std::move(draft).finish("small");
}

void check(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Ontology ontology = small_ontology();
  static const Mapper mapper = *Mapper::create(ontology);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(MappingFile::parse(text, "f.csv", ontology));
  static_cast<void>(MappingFile::parse(text, "f.toml", ontology));
  static_cast<void>(mapper.only(text));

  // A value that a table can hold (its reader refuses NUL and invalid UTF-8) survives the files.
  if (text.find('\0') != text.npos || find_invalid_utf8(text) != text.npos) return 0;
  const auto mapping = map_values({{std::string(text), 1}}, mapper, ontology, {});
  check(mapping.has_value());
  const MappedValue& value = mapping->values.front();
  const auto csv = MappingFile::parse(mapping_csv(*mapping, mapper.names()), "f.csv", ontology);
  const auto toml = MappingFile::parse(mapping_toml(*mapping, mapper.names()), "f.toml", ontology);
  check(csv && csv->find(text) != nullptr && *csv->find(text) == value.concept_id);
  check(toml && toml->find(text) != nullptr && *toml->find(text) == value.concept_id);
  return 0;
}
