#include <fmt/format.h>

#include "semveil/convert.h"
#include "semveil/json.h"
#include "verb.h"

namespace semveil::cli {
namespace {

struct OntologyConvertArguments {
  Common common;
  std::string source, output;
};

std::string ontology_convert_text(const OntologyConvertArguments& options,
                                  const Converted& converted, std::uint64_t size) {
  std::string out = fmt::format("{}: {} bytes\n", options.output, grouped(size));
  for (const Counted& c : converted.left_out) {
    out += fmt::format("  left out {:>12}   {}\n", grouped(c.count), c.what);
  }
  return out;
}

Status run_ontology_convert(const OntologyConvertArguments& options) {
  const std::optional<OntologyFormat> format = format_of(options.output);
  if (!format) {
    return fail(usage_error(fmt::format(
        "'{}' does not tell the format: end it with .csv (links), .obo, .ttl, .nt or .rdf (SKOS)",
        options.output)));
  }
  if (const Status status = refuse_overwriting(options.output, {}, options.source); !status) {
    return status;
  }
  const Result<Ontology> ontology =
      open_ontology(options.source, {.use_cache = !options.common.no_cache});
  if (!ontology) return fail(ontology.error());
  const Result<Converted> converted = convert(*ontology, *format);
  if (!converted) return fail(converted.error());
  Result<PendingFile> pending = prepare_conversion(*converted, options.output);
  if (!pending) return fail(pending.error());
  // Said before it is committed: if it cannot be printed, no file appears.
  Status said;
  if (options.common.json) {
    said = print_json(to_json(*converted, options.output, pending->size()));
  } else if (!options.common.quiet) {
    said = print_text(ontology_convert_text(options, *converted, pending->size()));
  }
  return said ? pending->commit(options.common.sync) : said;
}

}  // namespace

void add_ontology_convert(CLI::App& ontology, Action& chosen) {
  const auto options = std::make_shared<OntologyConvertArguments>();
  CLI::App* verb = add_verb(
      ontology, "convert", "Write an ontology in another format",
      "  semveil ontology convert mesh:desc2026.zip -o mesh.obo.gz\n"
      "  semveil ontology convert 'rf2:SnomedCT_InternationalRF2?root=404684003' -o findings.csv\n"
      "  semveil ontology convert icd10cm:icd10cm_tabular.xml -o icd.ttl\n"
      "The ending decides: .csv (child,parent,label), .obo, and SKOS as .ttl, .nt or .rdf; .gz "
      "and\n"
      ".zst pack it. Loaded again, it gives the same distances (by measures on\n"
      "names only if the format keeps them). Memory: the ontology and the "
      "text.");
  verb->add_option("SRC", options->source, "The ontology")->required();
  verb->add_option("-o,--output", options->output, "The file to write")
      ->type_name("FILE")
      ->required();
  add_no_sync(*verb, options->common);
  add_common(*verb, options->common);
  verb->callback(
      [options, &chosen] { chosen = [options] { return run_ontology_convert(*options); }; });
}

}  // namespace semveil::cli
