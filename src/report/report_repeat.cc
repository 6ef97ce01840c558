// How to repeat what a page tells of: the files by their hashes, and the command.
#include "report/sections.h"

namespace semveil::report {
namespace {

Html hash_cell(const NamedHash& hash, Markup untold) {
  Html out;
  if (hash.sha256.empty()) {
    out << "<span class=\"soft\">" << untold << "</span>";
  } else {
    out << "<span class=\"hash\">" << text(hash.sha256) << "</span>";
  }
  return out;
}

}  // namespace

Html seed_words(SeedState seed) {
  switch (seed) {
    case SeedState::kFresh:
      return Html("a fresh key, kept nowhere");
    case SeedState::kSecret:
      return text("<secret>");
    case SeedState::kUnknown:
      break;
  }
  return Html("not known to an audit");
}

Html how_to_repeat(const ReportFacts& facts) {
  Html out;
  HtmlTable table({{"File", Align::kLeft}, {"Name", Align::kLeft}, {"SHA-256", Align::kLeft}});
  const bool is_steward = facts.edition == Edition::kSteward;
  if (!facts.original.name.empty() || !facts.original.sha256.empty()) {
    NamedHash original = facts.original;
    if (!is_steward) original.sha256.clear();
    table.add({Html("Original"), value(original.name),
               is_steward ? hash_cell(original, "not told")
                          : hash_cell(original, "in the steward's edition alone")});
  }
  if (!facts.masked.name.empty() || !facts.masked.sha256.empty()) {
    table.add({Html("Release"), value(facts.masked.name), hash_cell(facts.masked, "not told")});
  }
  for (const ReportFacts::OntologyFacts& ontology : facts.ontologies) {
    Html what;
    what << "Ontology " << value(ontology.name);
    Html name = value(ontology.source.name);
    for (std::size_t i = 0; i < ontology.columns.size(); ++i) {
      name << (i == 0 ? Html(" <span class=\"soft\">for ") : Html(", "))
           << value(ontology.columns[i]);
    }
    if (!ontology.columns.empty()) name << "</span>";
    table.add({what, name, hash_cell(ontology.source, "not told")});
  }
  out << table.html();
  if (!facts.command.empty()) {
    out << paragraph(Html("This command repeats it. Secrets are left out.")) << "<pre><code>"
        << text(facts.command) << "</code></pre>\n";
  }
  return out;
}

}  // namespace semveil::report
