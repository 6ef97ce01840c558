#include <fmt/format.h>

#include <chrono>

#include "semveil/json.h"
#include "verb.h"

namespace semveil::cli {
namespace {

struct OntologyInfoArguments {
  Common common;
  std::string source;
};

OntologyFigures count(const Taxonomy& taxonomy, const Names& names) {
  OntologyFigures f;
  const bool joined = taxonomy.has_virtual_root();
  f.concepts = taxonomy.size() - (joined ? 1 : 0);
  f.max_depth = taxonomy.max_depth() - (joined ? 1 : 0);
  f.roots = joined ? taxonomy.children(Taxonomy::root()).size() : 1;
  f.links = taxonomy.arrays().parents.size() - (joined ? f.roots : 0);
  for (ConceptId c = joined ? 1 : 0; c < taxonomy.size(); ++c) {
    f.multi_parent += taxonomy.parents(c).size() > 1 ? 1 : 0;
    f.leaves += taxonomy.is_leaf(c) ? 1 : 0;
  }
  for (TermId t = 0; t < names.terms(); ++t) {
    const TermKind kind = names.term(t).kind;
    f.labels += is_name(kind) ? 1 : 0;
    f.synonyms += is_name(kind) && kind != TermKind::kLabel ? 1 : 0;
    f.xrefs += kind == TermKind::kXref ? 1 : 0;
  }
  return f;
}

std::string ontology_info_text(const std::string& source, const OntologyInfo& info,
                               const OntologyFigures& f, double load_ms) {
  std::string out = fmt::format("{}  ({}{}{})\n\n", source, info.format,
                                info.version.empty() ? "" : ", ", info.version);
  const auto line = [&](std::string_view what, std::uint64_t number, const std::string& more = "") {
    out += fmt::format("  {:<18}{:>12}{}\n", what, grouped(number), more);
  };
  const double share =
      100.0 * static_cast<double>(f.multi_parent) / static_cast<double>(f.concepts);
  line("concepts", f.concepts);
  line("is-a links", f.links);
  line("roots", f.roots);
  line("depth", f.max_depth, "   nodes on the longest way from a root");
  line("several parents", f.multi_parent, fmt::format("   {:.1f} %", share));
  line("leaves", f.leaves);
  line("labels", f.labels, fmt::format("   {} of them synonyms", grouped(f.synonyms)));
  line("cross-references", f.xrefs);
  for (const Counted& c : info.contents) line("read", c.count, "   " + c.what);
  for (const Counted& l : info.left_out) line("left out", l.count, "   " + l.what);
  return out + fmt::format("\n  loaded and checked in {:.1f} ms\n", load_ms);
}

Status run_ontology_info(const OntologyInfoArguments& options) {
  const auto start = std::chrono::steady_clock::now();
  const Result<Ontology> ontology =
      open_ontology(options.source, {.use_cache = !options.common.no_cache});
  if (!ontology) return fail(ontology.error());
  if (const Status status = ontology->verify(); !status) return status;
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
  const auto taxonomy = ontology->taxonomy();
  const auto names = ontology->names();
  if (!taxonomy) return fail(taxonomy.error());
  if (!names) return fail(names.error());
  const OntologyFigures figures = count(**taxonomy, **names);
  if (options.common.json) return print_json(to_json(ontology->info(), figures, taken.count()));
  if (options.common.quiet) return {};
  return print_text(ontology_info_text(options.source, ontology->info(), figures, taken.count()));
}

}  // namespace

void add_ontology_info(CLI::App& ontology, Action& chosen) {
  const auto options = std::make_shared<OntologyInfoArguments>();
  CLI::App* verb =
      add_verb(ontology, "info", "What is in an ontology; checks a snapshot's every byte",
               "  semveil ontology info wordnet\n"
               "  semveil ontology info obo:doid.obo.gz --json");
  verb->add_option("SRC", options->source, "The ontology")->required();
  add_common(*verb, options->common);
  verb->callback(
      [options, &chosen] { chosen = [options] { return run_ontology_info(*options); }; });
}

}  // namespace semveil::cli
