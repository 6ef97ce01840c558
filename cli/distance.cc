#include <fmt/format.h>

#include "semveil/table.h"
#include "session.h"

namespace semveil::cli {
namespace {

struct DistanceArguments {
  Common common;
  Work work;
  std::vector<std::string> sources;
  std::string root;
  MeasureChoice measure;
  std::string a, b, pairs;
  std::string senses = "closest";
};

// All ontologies that were named. A pair is answered by the one where it is closest, of several by
// the first.
class Askers {
 public:
  struct Best {
    const TermDistance* asker = nullptr;  // null: no ontology knows both terms
    std::size_t place = 0;
    TermDistance::Answer answer;
  };

  static Result<Askers> open(const DistanceArguments& options) {
    Askers out(options);
    for (const std::string& source : options.sources) {
      const Result<Ontology> ontology =
          open_ontology(source, {.use_cache = !options.common.no_cache});
      if (!ontology) return fail(ontology.error());
      TermDistanceOptions how;
      how.root = options.root;
      how.measure = options.measure;
      how.many = !options.pairs.empty();
      how.senses = options.senses == "first" ? Senses::kFirst : Senses::kClosest;
      Result<TermDistance> asker = TermDistance::open(*ontology, how);
      if (!asker) return fail(asker.error());
      out.askers_.push_back(*std::move(asker));
    }
    return out;
  }

  Result<Best> ask(std::string_view text_a, std::string_view text_b) const {
    Best best;
    const Result<TermSenses> senses_a = senses(text_a, "first");
    if (!senses_a) return fail(senses_a.error());
    const Result<TermSenses> senses_b = senses(text_b, "second");
    if (!senses_b) return fail(senses_b.error());
    for (std::size_t i = 0; i < askers_.size(); ++i) {
      if ((*senses_a)[i].empty() || (*senses_b)[i].empty()) continue;
      const TermDistance::Answer answer = askers_[i].explain((*senses_a)[i], (*senses_b)[i]);
      const bool closer =
          best.asker == nullptr || answer.explanation.distance < best.answer.explanation.distance;
      if (closer) best = {&askers_[i], i, answer};
    }
    return best;
  }

  ConceptDistance told(const Best& best, std::string_view text_a, std::string_view text_b) const {
    ConceptDistance out;
    if (best.asker != nullptr) {
      out = semveil::told(*best.asker, best.answer);
      out.ontology = options_.sources[best.place];
    } else {
      out.a.label = text_a;
      out.b.label = text_b;
      out.measure = options_.measure.name;
    }
    out.of_several = several();
    return out;
  }
  bool several() const { return askers_.size() > 1; }

 private:
  using TermSenses = std::vector<std::vector<ConceptId>>;  // by ontology

  explicit Askers(const DistanceArguments& options) : options_(options) {}

  // An error where no ontology knows the term; with one ontology it is that one's own.
  Result<TermSenses> senses(std::string_view text, const char* which) const {
    TermSenses out;
    bool known = false;
    std::optional<Error> first;
    for (const TermDistance& asker : askers_) {
      Result<std::vector<ConceptId>> found = asker.senses(text);
      if (!found && !first) first = found.error();
      known |= found.has_value();
      out.push_back(found ? *std::move(found) : std::vector<ConceptId>());
    }
    if (known) return out;
    first->place.column = options_.pairs.empty() ? "" : which;
    return fail(*std::move(first));
  }

  const DistanceArguments& options_;
  std::vector<TermDistance> askers_;
};

// "dog → andiron  02710044-n  metal supports for logs…": the label only where it is another word.
std::string describe_concept(const TermDistance& asker, const std::string& typed, ConceptId c) {
  const ConceptId o = asker.domain().in_ontology(c);
  const Names& names = asker.names();
  const std::string_view label = names.label(o);
  const std::string name = typed == label || typed == names.id(o)
                               ? std::string(label)
                               : fmt::format("{} → {}", typed, label);
  const std::string_view definition = names.definition(o);
  return fmt::format("{}  {}{}{}", padded(name, 14), names.id(o), definition.empty() ? "" : "  ",
                     shortened(definition, 60));
}

// For measures that are not symmetric as published.
std::string both_ways(const TermDistance& asker, const TermDistance::Answer& answer) {
  const Measure& measure = asker.measure();
  if (!measure.is_symmetrised()) return "";
  return fmt::format("the mean of {:.6g} from the first to the second and {:.6g} back\n",
                     measure.directed(answer.a, answer.b), measure.directed(answer.b, answer.a));
}

std::string distance_text(const DistanceArguments& options, const Askers& askers,
                          const Askers::Best& best) {
  if (best.asker == nullptr) {
    return fmt::format("{}\n{}\n\ndistance 1   similarity 0   (no ontology knows both)\n",
                       options.a, options.b);
  }
  const TermDistance& asker = *best.asker;
  const TermDistance::Answer& answer = best.answer;
  return fmt::format("{}\n{}\n\ndistance {:.6g}   similarity {:.6g}   ({}{})\n{}\n{}\n",
                     describe_concept(asker, options.a, answer.a),
                     describe_concept(asker, options.b, answer.b), answer.explanation.distance,
                     1 - answer.explanation.distance, asker.measure().name(),
                     askers.several() ? ", closest in " + options.sources[best.place] : "",
                     both_ways(asker, answer), asker.drawing(answer));
}

Status answer_pairs(const DistanceArguments& options, const Askers& askers) {
  // Everything is answered before anything is printed: a bad line leaves no half result.
  std::string out;
  if (!options.common.json) {
    out = fmt::format("{:>10}  {}  {}  {}\n", "distance", padded("a", 28), padded("b", 28),
                      "common subsumer");
  }
  Status status = for_each_row(
      options.pairs, 2, [&](std::uint64_t line, std::span<const std::string_view> row) -> Status {
        Result<Askers::Best> answer = askers.ask(row[0], row[1]);
        if (!answer) {
          answer.error().place = {options.pairs, line, answer.error().place.column};
          return fail(answer.error());
        }
        if (options.common.json) {
          out += to_json(askers.told(*answer, row[0], row[1])) + "\n";
          return {};
        }
        std::string_view subsumer = "(no ontology knows both)";
        if (answer->asker != nullptr) {
          const TermDistance& asker = *answer->asker;
          subsumer = asker.names().label(
              asker.domain().in_ontology(answer->answer.explanation.subsumer.concept_id));
        }
        out += fmt::format("{:>10.6f}  {}  {}  {}\n",
                           answer->asker == nullptr ? 1 : answer->answer.explanation.distance,
                           padded(shortened(printable(row[0]), 28), 28),
                           padded(shortened(printable(row[1]), 28), 28), subsumer);
        return {};
      });
  if (!status) return status;
  return options.common.quiet && !options.common.json ? Status() : print_text(out);
}

Status run_distance(const DistanceArguments& options) {
  const bool two_terms = !options.a.empty() && !options.b.empty();
  if (two_terms == !options.pairs.empty() || options.a.empty() != options.b.empty()) {
    return fail(usage_error("give two terms, or --pairs FILE.csv; see `semveil distance --help`"));
  }
  if (options.sources.size() > 1 && !options.root.empty()) {
    return fail(
        usage_error("--root belongs to one ontology: write it behind its source, "
                    "SRC?root=CONCEPT"));
  }
  const Result<Askers> askers = Askers::open(options);
  if (!askers) return fail(askers.error());
  if (!options.pairs.empty()) return answer_pairs(options, *askers);
  const Result<Askers::Best> answer = askers->ask(options.a, options.b);
  if (!answer) return fail(answer.error());
  if (options.common.json) return print_json(to_json(askers->told(*answer, options.a, options.b)));
  return options.common.quiet ? Status() : print_text(distance_text(options, *askers, *answer));
}

}  // namespace

void add_distance(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<DistanceArguments>();
  CLI::App* verb = add_verb(
      app, "distance", "How far apart two terms are in meaning, and why",
      "  semveil distance dog cat --ontology wordnet\n"
      "  semveil distance dog.n.01 cat.n.01 --ontology wordnet --root animal.n.01\n"
      "  semveil distance DOID:9352 DOID:9744 --ontology doid.obo.gz --measure lin --json\n"
      "  semveil distance --pairs pairs.csv --ontology wordnet   # a header, then two terms a "
      "line\n"
      "  semveil distance diabetes cat --ontology doid.obo.gz --ontology wordnet\n"
      "A term with several senses counts with the closest one; of several ontologies the one "
      "counts\n"
      "where the pair is closest, and a pair that none knows is at distance 1. With --pairs and "
      "--json there is "
      "one\n"
      "JSON object a line. Memory: the ontology, and with --pairs the answers.");
  verb->add_option("A", options->a, "First term or concept id");
  verb->add_option("B", options->b, "Second term or concept id");
  verb->add_option("--pairs", options->pairs, "CSV with a header and two terms per line")
      ->type_name("FILE");
  add_senses_option(*verb, options->senses);
  verb->add_option("--ontology", options->sources,
                   "The ontology: wordnet, obo:FILE, FILE.svo, …; may be repeated")
      ->type_name("SRC")
      ->required()
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_root_option(*verb, options->root);
  add_measure_options(*verb, options->measure);
  add_work(*verb, options->work);
  add_common(*verb, options->common);
  verb->callback([options, &chosen] { chosen = [options] { return run_distance(*options); }; });
}

}  // namespace semveil::cli
