// MeSH descriptors in NLM's ASCII form (dYYYY.bin).
//
//   *NEWRECORD
//   RECTYPE = D
//   MH = Calcimycin
//   ENTRY = A-23187|T109|T195|LAB|NRW|NLM (1991)|900308|abbcdef
//   MN = D03.633.100.221.173
//   MS = An ionophorous, polyether antibiotic …
//   UI = D000001
//
// Read are MH (the name), ENTRY and PRINT ENTRY (up to the first bar), MN, MS and UI. The letters
// in an entry's last field say what its fields are; the one named d is the relation to the heading:
// NRW narrower, BRD broader, REL related, EQV the same. Entries without it are forms of the heading
// and so exact synonyms.
//
// Left out and counted: records of other types (RECTYPE = C, Q). Other elements are not read.
#include "base/lines.h"
#include "base/trimmed.h"
#include "ontology/mesh/mesh_records.h"

namespace semveil {
namespace {

// "a|b|…|ab…": the field whose letter is `letter`, or nothing.
std::string_view field_of(std::string_view entry, char letter) {
  const std::size_t bar = entry.rfind('|');
  if (bar == entry.npos) return {};
  const std::size_t place = entry.find(letter, bar + 1);
  if (place == entry.npos) return {};
  entry.remove_suffix(entry.size() - bar);
  for (std::size_t skipped = bar + 1; skipped < place; ++skipped) {
    const std::size_t end = entry.find('|');
    if (end == entry.npos) return {};
    entry.remove_prefix(end + 1);
  }
  return entry.substr(0, entry.find('|'));
}

TermKind kind_of(std::string_view entry) {
  const std::string_view relation = field_of(entry, 'd');
  if (relation == "NRW") return TermKind::kNarrowSynonym;
  if (relation == "BRD") return TermKind::kBroadSynonym;
  if (relation == "REL") return TermKind::kRelatedSynonym;
  return TermKind::kExactSynonym;
}

class MeshAsciiParser {
 public:
  explicit MeshAsciiParser(NamedStream input)
      : lines_(std::move(input.stream), input.name), mesh_(input.name) {}

  Result<OntologyDraft> parse() {
    for (;;) {
      const auto line = lines_.next();
      if (!line) return fail(line.error());
      if (!*line) break;
      if (const Status done = read_line(trimmed(**line)); !done) return fail(done.error());
    }
    if (const Status done = end_record(); !done) return fail(done.error());
    leave_out(mesh_.info(), "records other than descriptors", others_);
    return std::move(mesh_).finish("no record of a descriptor (RECTYPE = D)");
  }

 private:
  Status read_line(std::string_view line) {
    if (line.empty()) return {};
    if (line == "*NEWRECORD") {
      if (const Status done = end_record(); !done) return done;
      record_.line = lines_.line();
      return {};
    }
    const std::size_t equals = line.find('=');
    if (equals == line.npos || record_.line == 0) {
      return fail(lines_.error(
          record_.line == 0 ? "*NEWRECORD was expected before anything else"
                            : "a line \"ELEMENT = text\" was expected, and this one has no ="));
    }
    const std::string_view element = trimmed(line.substr(0, equals));
    const std::string_view value = trimmed(line.substr(equals + 1));
    if (element == "RECTYPE") {
      type_ = value;
    } else if (element == "MH") {
      record_.name = value;
    } else if (element == "UI") {
      record_.ui = value;
    } else if (element == "MS") {
      record_.note = value;
    } else if (element == "MN") {
      record_.positions.push_back({std::string(value), lines_.line()});
      return mesh_.keep(value.size(), lines_.line());
    } else if (element == "ENTRY" || element == "PRINT ENTRY") {
      const std::string_view text = trimmed(value.substr(0, value.find('|')));
      record_.terms.push_back({kind_of(value), std::string(text)});
      return mesh_.keep(text.size(), lines_.line());
    }
    return {};
  }

  Status end_record() {
    if (record_.line == 0) return {};
    Status done;
    if (type_ == "D") {
      done = mesh_.add(record_);
    } else if (type_.empty()) {
      done = fail(
          data_error("a record without its type: add RECTYPE = D").at(lines_.name(), record_.line));
    } else {
      ++others_;
    }
    record_ = {};
    type_.clear();
    return done;
  }

  LineReader lines_;
  MeshDraft mesh_;
  MeshRecord record_;
  std::string type_;
  std::uint64_t others_ = 0;
};

}  // namespace

Result<OntologyDraft> read_mesh_ascii(NamedStream input) {
  return MeshAsciiParser(std::move(input)).parse();
}

}  // namespace semveil
