// Medical Subject Headings of the US National Library of Medicine (nlm.nih.gov/mesh), in one of
// three forms that their first bytes tell apart: XML (mesh_xml.cc), ASCII (mesh_ascii.cc), the tree
// as a table (mesh_tree.cc). The same descriptors give the same taxonomy in all of them.
#include "base/peeked.h"
#include "ontology/loaders.h"
#include "ontology/mesh/mesh_records.h"

namespace semveil {
Result<OntologyDraft> read_mesh(NamedStream input) {
  constexpr std::size_t kEnough = 256;
  auto stream = std::make_unique<PeekedStream>(std::move(input.stream));
  const auto first = stream->peek(kEnough);
  if (!first) return fail(first.error());
  const std::string_view begin = begin_of_text(*first);
  const auto form = begins_like_xml(begin)                                       ? &read_mesh_xml
                    : begin.starts_with("*NEWRECORD")                            ? &read_mesh_ascii
                    : begin.substr(0, begin.find('\n')).find('\t') != begin.npos ? &read_mesh_tree
                                                                                 : nullptr;
  if (form == nullptr) {
    return fail(data_error("this is no form of MeSH that is read: descYYYY.xml, dYYYY.bin, or the "
                           "tree as a table with the columns Tree Number, Desc Ui and Term, "
                           "separated by tabs")
                    .at(input.name, 1));
  }
  return form({std::move(stream), std::move(input.name)});
}

Result<OntologyDraft> load_mesh(const std::string& path) {
  Result<NamedStream> input = open_source_file(path, {".xml", ".bin", ".txt", ".tsv"});
  if (!input) return fail(input.error());
  return read_mesh(*std::move(input));
}

}  // namespace semveil
