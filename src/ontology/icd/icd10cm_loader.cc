// ICD-10-CM, the clinical modification of ICD-10 that the United States use (CMS and NCHS), in
// either of the forms it is published in: the tabular list in XML, which has chapters and sections
// (icd10cm_tabular.cc), or the order file, a plain list of the codes (icd10cm_order.cc). A file
// that begins with < is XML.
#include "base/peeked.h"
#include "ontology/icd/icd10cm.h"
#include "ontology/loaders.h"

namespace semveil {
Result<OntologyDraft> read_icd10cm(NamedStream input) {
  constexpr std::size_t kEnough = 64;
  auto stream = std::make_unique<PeekedStream>(std::move(input.stream));
  const auto first = stream->peek(kEnough);
  if (!first) return fail(first.error());
  const bool is_xml = begins_like_xml(*first);
  NamedStream whole{std::move(stream), std::move(input.name)};
  return is_xml ? read_icd10cm_tabular(std::move(whole)) : read_icd10cm_order(std::move(whole));
}

Result<OntologyDraft> load_icd10cm(const std::string& path) {
  auto input = open_source_file(path, {".xml", ".txt"});
  if (!input) return fail(input.error());
  return read_icd10cm(*std::move(input));
}

}  // namespace semveil
