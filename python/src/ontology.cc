#include "semveil/ontology.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "bind.h"
#include "semveil/json.h"
#include "semveil/term_distance.h"
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

struct OpenedOntology {
  std::string source;
  Ontology ontology;
};

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
            return OpenedOntology{source, run(nb::none(), About::kData, [&](const Working&) {
                                    return open_ontology(source);
                                  })};
          },
          nb::arg("source"))
      .def_prop_ro("source", [](const OpenedOntology& opened) { return opened.source; })
      .def(
          "distances",
          [](const OpenedOntology& opened, const std::string& root, const std::string& measure,
             const std::string& ic, const std::string& lcs,
             const std::optional<std::vector<double>>& weights, const std::string& senses) {
            TermDistanceOptions options;
            options.root = root;
            options.measure.name = measure;
            options.measure.ic = ic;
            options.measure.lcs = lcs;
            if (weights) options.measure.weights = value_of(feature_weights(*weights));
            options.senses = senses == "first" ? Senses::kFirst : Senses::kClosest;
            options.many = true;
            return Distances(run(nb::none(), About::kData, [&](const Working&) {
              return TermDistance::open(opened.ontology, options);
            }));
          },
          nb::arg("root"), nb::arg("measure"), nb::arg("ic"), nb::arg("lcs"), nb::arg("weights"),
          nb::arg("senses"));
}

}  // namespace semveil::python
