#include <fmt/format.h>

#include "semveil/search.h"
#include "session.h"

namespace semveil::cli {
namespace {

struct OntologySearchArguments {
  Common common;
  std::string source, text;
  std::size_t limit = 20;
};

std::string describe_hit(const Session& session, const Hit& hit) {
  const Names& names = session.names();
  const std::string_view label = names.label(hit.concept_id);
  const std::string also =
      hit.matched == label ? "" : fmt::format("  [{}]", shortened(hit.matched, 30));
  return fmt::format("{}  {}{}  {}\n", padded(names.id(hit.concept_id), 12), label, also,
                     shortened(names.definition(hit.concept_id), 60));
}

Status run_ontology_search(const OntologySearchArguments& options) {
  const Result<Session> session = Session::open(options.source, options.common);
  if (!session) return fail(session.error());
  const std::vector<Hit> hits =
      search_names(session->mapper(), *session->taxonomy(), options.text, options.limit);
  if (options.common.json) {
    return print_json(to_json(options.text, hits, session->named()));
  }
  if (options.common.quiet) return {};
  std::string out;
  for (const Hit& hit : hits) out += describe_hit(*session, hit);
  if (hits.empty()) {
    out = fmt::format("no name in {} holds '{}'", options.source, options.text);
    std::string_view joint = "; near it are: ";
    for (const Suggestion& s : session->mapper().suggest(options.text, 5)) {
      out += fmt::format("{}{} ({})", joint, s.text, session->names().id(s.concept_id));
      joint = ", ";
    }
    out += "\n";
  } else if (hits.size() == options.limit) {
    out += fmt::format("… at most {} shown; --limit N for more\n", options.limit);
  }
  return print_text(out);
}

}  // namespace

void add_ontology_search(CLI::App& ontology, Action& chosen) {
  const auto options = std::make_shared<OntologySearchArguments>();
  CLI::App* verb = add_verb(
      ontology, "search", "Find concepts by name: equal first, then beginning, then inside",
      "  semveil ontology search wordnet nurse\n"
      "  semveil ontology search doid.obo.gz 'heart attack' --limit 5 --json");
  verb->add_option("SRC", options->source, "The ontology")->required();
  verb->add_option("TEXT", options->text, "Part of a name, or an id")->required();
  verb->add_option("--limit", options->limit, "Most concepts to show")
      ->check(CLI::Range(1, 1000000).description(""))
      ->capture_default_str();
  add_common(*verb, options->common);
  verb->callback(
      [options, &chosen] { chosen = [options] { return run_ontology_search(*options); }; });
}

}  // namespace semveil::cli
