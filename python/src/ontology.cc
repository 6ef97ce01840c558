#include "semveil/ontology.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "bind.h"
#include "semveil/json.h"
#include "semveil/search.h"
#include "semveil/term_distance.h"
#include "semveil/why_unmapped.h"
#include "work.h"

namespace semveil::python {
namespace {

nb::object bytes_of(const std::vector<double>& values) {
  return nb::steal(
      PyByteArray_FromStringAndSize(reinterpret_cast<const char*>(values.data()),
                                    static_cast<Py_ssize_t>(values.size() * sizeof(double))));
}

// One ontology with a domain and a measure.
class Distances {
 public:
  explicit Distances(TermDistance distance) : distance_(std::move(distance)) {}

  // JSON as of `semveil distance`, and the drawing.
  nb::tuple explain(const std::string& a, const std::string& b) const {
    const TermDistance::Answer answer =
        distance_.explain(value_of(distance_.senses(a)), value_of(distance_.senses(b)));
    return nb::make_tuple(to_json(told(distance_, answer)), distance_.drawing(answer));
  }

  // From each of `sources` to each of `targets`, row by row, as bytes of doubles.
  nb::object rows(const std::vector<std::string>& sources, const std::vector<std::string>& targets,
                  const nb::object& progress) const {
    const std::vector<double> found = run(progress, About::kData, [&](const Working& working) {
      return all(sources, targets, working);
    });
    return bytes_of(found);
  }

 private:
  using Senses = std::vector<std::vector<ConceptId>>;

  Result<Senses> senses(const std::vector<std::string>& texts) const {
    Senses out;
    for (const std::string& text : texts) {
      Result<std::vector<ConceptId>> found = distance_.senses(text);
      if (!found) return fail(found.error());
      out.push_back(*std::move(found));
    }
    return out;
  }

  Result<std::vector<double>> all(const std::vector<std::string>& sources,
                                  const std::vector<std::string>& targets,
                                  const Working& working) const {
    const Result<Senses> from = senses(sources);
    if (!from) return fail(from.error());
    const Result<Senses> to = senses(targets);
    if (!to) return fail(to.error());
    std::vector<double> out;
    for (const auto& a : *from) {
      for (const auto& b : *to) out.push_back(distance_.distance(a, b));
      if (working.progress) working.progress("measuring", out.size(), from->size() * to->size());
      if (stop_requested()) return fail(Error{ErrorCode::kCancelled, "stopped", {}, {}, {}});
    }
    return out;
  }

  TermDistance distance_;
};

// An opened ontology with what is asked of it.
class OpenedOntology {
 public:
  static Result<OpenedOntology> open(const std::string& source) {
    Result<Ontology> ontology = open_ontology(source);
    if (!ontology) return fail(ontology.error());
    Result<std::shared_ptr<const Taxonomy>> taxonomy = ontology->taxonomy();
    if (!taxonomy) return fail(taxonomy.error());
    Result<std::shared_ptr<const Names>> names = ontology->names();
    if (!names) return fail(names.error());
    Result<Mapper> mapper = Mapper::create(*ontology);
    if (!mapper) return fail(mapper.error());
    OpenedOntology out(source, *std::move(ontology));
    out.taxonomy_ = *std::move(taxonomy);
    out.names_ = *std::move(names);
    out.mapper_ = std::make_shared<const Mapper>(*std::move(mapper));
    return out;
  }

  const std::string& source() const { return source_; }
  const Ontology& ontology() const { return ontology_; }

  std::string search(const std::string& text, std::size_t most) const {
    return to_json(text, search_names(*mapper_, *taxonomy_, text, most), named());
  }
  std::string tree(const std::string& text) const {
    const ConceptId c = value_of(mapper_->only(text));
    return to_json(concept_facts(c, named()), named());
  }

  struct MapHow {
    std::string root, mapping, via, senses = "closest";
    MeasureChoice measure;
    unsigned threads = 1;
  };
  // JSON as of `semveil map`, and the mapping file.
  nb::tuple map(std::vector<std::pair<std::string, std::uint64_t>> counts, std::uint64_t missing,
                const std::string& column, const MapHow& how) const {
    struct Mapped {
      std::string json, csv;
    };
    const Mapped mapped = run(nb::none(), About::kData, [&](const Working&) -> Result<Mapped> {
      const Result<ColumnMapping> found = map_counts(counts, missing, how);
      if (!found) return fail(found.error());
      const Result<WhyUnmapped> why = why_unmapped(*found, column, ontology_);
      if (!why) return fail(why.error());
      return Mapped{to_json(*found, *why, named()), mapping_csv(*found, *names_)};
    });
    return nb::make_tuple(mapped.json, mapped.csv);
  }

 private:
  OpenedOntology(std::string source, Ontology ontology)
      : source_(std::move(source)), ontology_(std::move(ontology)) {}

  NamedOntology named() const { return {taxonomy_.get(), names_.get()}; }

  Result<ColumnMapping> map_counts(const std::vector<std::pair<std::string, std::uint64_t>>& counts,
                                   std::uint64_t missing, const MapHow& how) const {
    std::shared_ptr<const MappingFile> file;
    if (!how.mapping.empty()) {
      Result<MappingFile> read = MappingFile::read(how.mapping, ontology_);
      if (!read) return fail(read.error());
      file = std::make_shared<const MappingFile>(*std::move(read));
    }
    auto references = CrossReferences::read(how.via, ontology_);
    if (!references) return fail(references.error());
    const Result<Mapper> mapper = Mapper::create(ontology_, file, *std::move(references));
    if (!mapper) return fail(mapper.error());
    MappingOptions options;
    options.senses = how.senses == "first" ? Senses::kFirst : Senses::kClosest;
    options.threads = how.threads;
    Domain domain = Domain::whole(taxonomy_);
    if (!how.root.empty()) {
      const Result<ConceptId> root = mapper_->only(how.root);
      if (!root) return fail(root.error());
      options.root = *root;
      domain = Domain::subtree(taxonomy_, *root);
    }
    Result<MeasureOptions> measure = choose_measure(how.measure, domain, *mapper_);
    if (!measure) return fail(measure.error());
    options.measure = *std::move(measure);
    Result<ColumnMapping> mapped = map_values(counts, *mapper, ontology_, options);
    if (!mapped) return fail(mapped.error());
    mapped->missing = missing;
    mapped->records = missing;
    for (const auto& [value, count] : counts) mapped->records += count;
    return mapped;
  }

  std::string source_;
  Ontology ontology_;
  std::shared_ptr<const Taxonomy> taxonomy_;
  std::shared_ptr<const Names> names_;
  std::shared_ptr<const Mapper> mapper_;
};

MeasureChoice measure_choice(const std::string& measure, const std::string& ic,
                             const std::string& lcs,
                             const std::optional<std::vector<double>>& weights) {
  MeasureChoice out;
  out.name = measure;
  out.ic = ic;
  out.lcs = lcs;
  if (weights) out.weights = value_of(feature_weights(*weights));
  return out;
}

}  // namespace

void bind_ontology(nb::module_& core) {
  nb::class_<Distances>(core, "Distances")
      .def("explain", &Distances::explain, nb::arg("a"), nb::arg("b"))
      .def("rows", &Distances::rows, nb::arg("sources"), nb::arg("targets"),
           nb::arg("progress") = nb::none());
  nb::class_<OpenedOntology>(core, "Ontology")
      .def_static(
          "open",
          [](const std::string& source) {
            return run(nb::none(), About::kData,
                       [&](const Working&) { return OpenedOntology::open(source); });
          },
          nb::arg("source"))
      .def_prop_ro("source", &OpenedOntology::source)
      .def("search", &OpenedOntology::search, nb::arg("text"), nb::arg("most"))
      .def("tree", &OpenedOntology::tree, nb::arg("text"))
      .def(
          "map",
          [](const OpenedOntology& opened,
             std::vector<std::pair<std::string, std::uint64_t>> counts, std::uint64_t missing,
             const std::string& column, const std::string& mapping, const std::string& via,
             const std::string& root, const std::string& measure, const std::string& ic,
             const std::string& lcs, const std::optional<std::vector<double>>& weights,
             const std::string& senses) {
            OpenedOntology::MapHow how;
            how.root = root;
            how.mapping = mapping;
            how.via = via;
            how.senses = senses;
            how.measure = measure_choice(measure, ic, lcs, weights);
            return opened.map(std::move(counts), missing, column, how);
          },
          nb::arg("counts"), nb::arg("missing"), nb::arg("column"), nb::arg("mapping"),
          nb::arg("via"), nb::arg("root"), nb::arg("measure"), nb::arg("ic"), nb::arg("lcs"),
          nb::arg("weights").none(), nb::arg("senses"))
      .def(
          "distances",
          [](const OpenedOntology& opened, const std::string& root, const std::string& measure,
             const std::string& ic, const std::string& lcs,
             const std::optional<std::vector<double>>& weights, const std::string& senses) {
            TermDistanceOptions options;
            options.root = root;
            options.measure = measure_choice(measure, ic, lcs, weights);
            options.senses = senses == "first" ? Senses::kFirst : Senses::kClosest;
            options.many = true;
            return Distances(run(nb::none(), About::kData, [&](const Working&) {
              return TermDistance::open(opened.ontology(), options);
            }));
          },
          nb::arg("root"), nb::arg("measure"), nb::arg("ic"), nb::arg("lcs"),
          nb::arg("weights").none(), nb::arg("senses"));
}

}  // namespace semveil::python
