#include "semveil/ontology_diff.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "semveil/json.h"
#include "verb.h"

namespace semveil::cli {
namespace {

struct OntologyDiffArguments {
  Common common;
  std::string before, after, mapping;
  std::size_t show = 20;
};

class DiffText {
 public:
  explicit DiffText(std::size_t show) : show_(show) {}

  template <class List, class Tell>
  void section(std::string_view title, const List& list, Tell tell) {
    if (list.empty()) return;
    text_ += fmt::format("\n{}\n", title);
    for (std::size_t i = 0; i < std::min(show_, list.size()); ++i) {
      text_ += "  " + tell(list[i]) + "\n";
    }
    if (list.size() > show_) {
      text_ += fmt::format("  … {} more; --show N for more, --json for all\n",
                           grouped(list.size() - show_));
    }
  }
  void add(const std::string& text) { text_ += text; }
  const std::string& text() const { return text_; }

 private:
  std::size_t show_;
  std::string text_;
};

std::string instead(const std::vector<std::string>& replaced_by) {
  return replaced_by.empty() ? "" : fmt::format("  → {}", fmt::join(replaced_by, ", "));
}

std::string ontology_diff_text(const OntologyDiffArguments& options, const OntologyDiff& changes,
                               const std::vector<TouchedValue>* touched) {
  DiffText out(options.show);
  const auto line = [&](std::string_view what, std::size_t count) {
    out.add(fmt::format("  {:<12}{:>12}\n", what, grouped(count)));
  };
  out.add(fmt::format("{}  →  {}\n\n", options.before, options.after));
  line("concepts", changes.concepts_before);
  line("now", changes.concepts_after);
  line("new", changes.fresh.size());
  line("gone", changes.gone.size());
  line("moved", changes.moved.size());
  line("renamed", changes.renamed.size());
  line("unchanged", changes.unchanged);
  const auto named = [](const ConceptChange& c) {
    return fmt::format("{}  {}", padded(c.id, 14), c.label);
  };
  // What touches the steward's own values comes first.
  if (touched != nullptr) {
    line("touched", touched->size());
    out.section(fmt::format("values of {} that are touched", options.mapping), *touched,
                [](const TouchedValue& t) {
                  return fmt::format("{}  {}  {}{}", padded(shortened(t.value, 40), 40),
                                     padded(t.what, 8), t.id, instead(t.replaced_by));
                });
  }
  out.section("gone", changes.gone,
              [&](const ConceptChange& c) { return named(c) + instead(c.replaced_by); });
  out.section("moved", changes.moved, [&](const ConceptChange& c) {
    return fmt::format("{}: {} → {}", named(c), fmt::join(c.parents_before, ", "),
                       fmt::join(c.parents_after, ", "));
  });
  out.section("renamed", changes.renamed, [&](const ConceptChange& c) {
    return fmt::format("{} → {}", named(c), c.label_after);
  });
  out.section("new", changes.fresh, named);
  return out.text();
}

Status run_ontology_diff(const OntologyDiffArguments& options) {
  const OpenOptions opening{.use_cache = !options.common.no_cache};
  const Result<Ontology> before = open_ontology(options.before, opening);
  if (!before) return fail(before.error());
  const Result<Ontology> after = open_ontology(options.after, opening);
  if (!after) return fail(after.error());
  const Result<OntologyDiff> changes = diff(*before, *after);
  if (!changes) return fail(changes.error());
  std::optional<std::vector<TouchedValue>> touched;
  if (!options.mapping.empty()) {
    const Result<MappingFile> mapping = MappingFile::read(options.mapping, *before);
    if (!mapping) return fail(mapping.error());
    Result<std::vector<TouchedValue>> found = touched_values(*changes, *mapping, *before);
    if (!found) return fail(found.error());
    touched = *std::move(found);
  }
  const std::vector<TouchedValue>* const values = touched ? &*touched : nullptr;
  if (options.common.json) return print_json(to_json(*changes, values));
  return options.common.quiet ? Status()
                              : print_text(ontology_diff_text(options, *changes, values));
}

}  // namespace

void add_ontology_diff(CLI::App& ontology, Action& chosen) {
  const auto options = std::make_shared<OntologyDiffArguments>();
  CLI::App* verb = add_verb(
      ontology, "diff", "What next year's release changes: new, gone, moved, renamed concepts",
      "  semveil ontology diff doid-2016.obo.gz doid-2024.obo.gz\n"
      "  semveil ontology diff mesh:desc2025.xml mesh:desc2026.xml --mapping diagnosis.map.csv\n"
      "With --mapping it says which of the file's values are touched. A concept that is gone is\n"
      "followed to its replacement where the new release names one.");
  verb->add_option("BEFORE", options->before, "The old release")->required();
  verb->add_option("AFTER", options->after, "The new release")->required();
  verb->add_option("--mapping", options->mapping, "A mapping file made with the old release")
      ->type_name("FILE");
  verb->add_option("--show", options->show, "Most concepts of a kind to show")
      ->check(CLI::Range(0, 1000000).description(""))
      ->capture_default_str();
  add_common(*verb, options->common);
  verb->callback(
      [options, &chosen] { chosen = [options] { return run_ontology_diff(*options); }; });
}

}  // namespace semveil::cli
