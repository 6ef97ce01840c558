#include <fmt/format.h>

#include <algorithm>

#include "session.h"

namespace semveil::cli {
namespace {

struct OntologyTreeArguments {
  Common common;
  std::string source, concept_text;
  unsigned levels = 1;
  std::size_t limit = 40;
};

std::string name_of(const Session& session, ConceptId c) {
  if (session.taxonomy()->is_virtual(c)) return "(top)";
  return fmt::format("{} ({})", session.names().label(c), session.names().id(c));
}

void draw_below(const Session& session, const OntologyTreeArguments& options, ConceptId c,
                unsigned levels, const std::string& indent, std::string& out) {
  if (levels == 0) return;
  const std::vector<ConceptId> children = concept_facts(c, session.named()).children;
  const std::size_t shown = std::min(children.size(), options.limit);
  for (std::size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == children.size();
    const std::size_t below = session.taxonomy()->children(children[i]).size();
    out += fmt::format("{}{} {}{}\n", indent, last ? "└─" : "├─", name_of(session, children[i]),
                       below > 0 && levels == 1 ? fmt::format("  … {} right below", below) : "");
    draw_below(session, options, children[i], levels - 1, indent + (last ? "   " : "│  "), out);
  }
  if (shown < children.size()) {
    out += fmt::format("{}└─ … {} more; --limit N shows them\n", indent, children.size() - shown);
  }
}

std::string ontology_tree_text(const Session& session, const OntologyTreeArguments& options,
                               ConceptId c) {
  const Taxonomy& taxonomy = *session.taxonomy();
  std::string out;
  // One way to the root in full (a longest one: what depth counts), the other parents named.
  std::vector<ConceptId> way{c};
  while (!taxonomy.parents(way.back()).empty()) {
    const auto parents = taxonomy.parents(way.back());
    way.push_back(*std::max_element(parents.begin(), parents.end(), [&](ConceptId a, ConceptId b) {
      if (taxonomy.depth(a) != taxonomy.depth(b)) return taxonomy.depth(a) < taxonomy.depth(b);
      return taxonomy.id_rank(a) > taxonomy.id_rank(b);
    }));
  }
  std::string indent;
  for (auto at = way.rbegin(); at != way.rend(); ++at) {
    const bool target = *at == c;
    out += fmt::format("{}{}{}{}\n", indent, at == way.rbegin() ? "" : "└─ ", name_of(session, *at),
                       target ? fmt::format("   depth {}", taxonomy.depth(c)) : "");
    if (at != way.rbegin()) indent += "   ";
  }
  draw_below(session, options, c, options.levels, indent, out);
  const auto line = [&](std::string_view what, const std::string& text) {
    if (!text.empty()) out += fmt::format("{:<14}{}\n", what, text);
  };
  out += "\n";
  line("definition", std::string(session.names().definition(c)));
  std::string synonyms;
  for (const std::string_view s : concept_facts(c, session.named()).synonyms) {
    synonyms += (synonyms.empty() ? "" : ", ") + std::string(s);
  }
  line("synonyms", synonyms);
  std::string others;
  for (const ConceptId p : taxonomy.parents(c)) {
    if (way.size() > 1 && p != way[1]) others += (others.empty() ? "" : ", ") + name_of(session, p);
  }
  line("other parents", others);
  line("all below", grouped(taxonomy.descendants(c).size() - 1));
  return out;
}

Status run_ontology_tree(const OntologyTreeArguments& options) {
  const Result<Session> session = Session::open(options.source, options.common);
  if (!session) return fail(session.error());
  const Result<ConceptId> c = session->mapper().only(options.concept_text);
  if (!c) return fail(c.error());
  if (options.common.json) {
    return print_json(to_json(concept_facts(*c, session->named()), session->named()));
  }
  return options.common.quiet ? Status() : print_text(ontology_tree_text(*session, options, *c));
}

}  // namespace

void add_ontology_tree(CLI::App& ontology, Action& chosen) {
  const auto options = std::make_shared<OntologyTreeArguments>();
  CLI::App* verb = add_verb(ontology, "tree", "A concept with what is above and below it",
                            "  semveil ontology tree wordnet nurse.n.01\n"
                            "  semveil ontology tree doid.obo.gz 'diabetes mellitus' --levels 2");
  verb->add_option("SRC", options->source, "The ontology")->required();
  verb->add_option("CONCEPT", options->concept_text, "An id, or a name with one meaning")
      ->required();
  verb->add_option("--levels", options->levels, "Levels below the concept")
      ->check(CLI::Range(0U, 100U).description(""))
      ->capture_default_str();
  verb->add_option("--limit", options->limit, "Most children to show of one concept")
      ->check(CLI::Range(1, 1000000).description(""))
      ->capture_default_str();
  add_common(*verb, options->common);
  verb->callback(
      [options, &chosen] { chosen = [options] { return run_ontology_tree(*options); }; });
}

}  // namespace semveil::cli
