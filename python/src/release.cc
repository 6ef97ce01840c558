// mask, fit, apply, and what comes of them.
#include "semveil/release.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <memory>
#include <optional>

#include "bind.h"
#include "plan.h"
#include "release_of.h"
#include "semveil/files.h"
#include "semveil/json.h"
#include "semveil/memory_table.h"
#include "semveil/plan_table.h"
#include "table.h"
#include "work_options.h"

namespace semveil::python {
namespace {

using Clock = std::chrono::steady_clock;

struct ReleaseOptions {
  std::string release, output, trace, row_map, model_file;
  unsigned threads = 1;
  bool keep_rows = false, recheck = false, again = false;
  std::uint64_t first_row = 0;
};

WorkOptions work_options(const ReleaseOptions& options, const Working& working) {
  WorkOptions out = python::work_options(options.threads, working);
  out.traced = !options.trace.empty();
  return out;
}

std::vector<std::string> ontologies_of(const PlanFile& plan) {
  std::vector<std::string> out;
  for (const auto& [name, source] : plan.ontologies) out.push_back(name + ": " + source);
  return out;
}

Result<Release> released(const FittedModelOf& fitted, const Table& table, const Survey* survey,
                         const ReleaseOptions& options, const WorkOptions& work,
                         Clock::time_point began) {
  auto memory = std::make_shared<MemoryOutput>();
  ApplyOptions how;
  how.work = work;
  how.output = options.output;
  if (options.output.empty()) how.memory = memory.get();
  how.trace = options.trace;
  how.row_map = options.row_map;
  how.release = options.release;
  how.first_row = options.first_row;
  how.recheck = options.recheck;
  how.model_file = options.model_file;
  how.again = options.again;
  how.keep_rows = options.keep_rows;
  how.survey = survey;
  Result<PendingRelease> pending = apply(*fitted.model, table, how);
  if (!pending) return fail(pending.error());
  if (const Status kept = pending->commit(); !kept) return fail(kept.error());
  ReleaseFacts facts = facts_of(*fitted.model);
  facts.table = table.name();
  facts.output = options.output.empty() ? "memory" : options.output;
  facts.trace = options.trace;
  if (!options.model_file.empty()) facts.releases = releases_beside(options.model_file);
  facts.ontologies = fitted.ontologies;
  facts.key = fitted.key;
  if (!options.release.empty()) facts.release = options.release;
  facts.seconds = std::chrono::duration<double>(Clock::now() - began).count();
  return Release{pending->result(), std::move(facts),
                 options.output.empty() ? std::move(memory) : nullptr, pending->input_rows(),
                 fitted};
}

Result<FittedModelOf> fitted_on(const Survey& survey, const PlanFile& plan, const KeyChoice& choice,
                                const WorkOptions& work) {
  const Result<Key> key = choice.make();
  if (!key) return fail(key.error());
  Result<Model> model = Model::fit(survey, plan, *key, work);
  if (!model) return fail(model.error());
  return FittedModelOf{std::make_shared<const Model>(*std::move(model)), choice.origin(),
                       ontologies_of(plan)};
}

PlanFile masking_plan(const Plan& plan, const std::string& release) {
  if (!plan.file.masks()) {
    raise(data_error("the plan has no [mask]: write one, or give the method and its keys")
              .at(plan.file.path),
          plan.about());
  }
  PlanFile out = plan.file;
  if (!release.empty()) out.release = release;
  return out;
}

Release mask(const nb::object& table, const std::string& name, const Plan& plan,
             const std::optional<std::string>& seed, const ReleaseOptions& options,
             const nb::object& progress) {
  const PlanFile file = masking_plan(plan, options.release);
  const KeyChoice key = choose_key(seed, file);
  GivenTable given(table, name);
  return run(progress, plan.about(), [&](const Working& working) -> Result<Release> {
    const Clock::time_point began = Clock::now();
    const WorkOptions work = work_options(options, working);
    const Result<Table> opened = given.open(table_options(file));
    if (!opened) return fail(opened.error());
    const Result<Survey> surveyed = survey(*opened, file, work);
    if (!surveyed) return fail(surveyed.error());
    const Result<FittedModelOf> fitted = fitted_on(*surveyed, file, key, work);
    if (!fitted) return fail(fitted.error());
    return released(*fitted, *opened, &*surveyed, options, work, began);
  });
}

FittedModelOf fit(const nb::object& table, const std::string& name, const Plan& plan,
                  const std::optional<std::string>& seed, const ReleaseOptions& options,
                  const nb::object& progress) {
  const PlanFile file = masking_plan(plan, options.release);
  const KeyChoice key = choose_key(seed, file);
  std::optional<GivenTable> given;
  if (!table.is_none()) given.emplace(table, name);
  return run(progress, plan.about(), [&](const Working& working) -> Result<FittedModelOf> {
    WorkOptions work = work_options(options, working);
    work.figures = false;  // nothing is described
    if (!given) {
      const Result<Survey> declared = survey_of_statistics(file, work);
      if (!declared) return fail(declared.error());
      return fitted_on(*declared, file, key, work);
    }
    const Result<Table> opened = given->open(table_options(file));
    if (!opened) return fail(opened.error());
    const Result<Survey> surveyed = survey(*opened, file, work);
    if (!surveyed) return fail(surveyed.error());
    return fitted_on(*surveyed, file, key, work);
  });
}

Release apply_to(const FittedModelOf& fitted, const nb::object& table, const std::string& name,
                 const ReleaseOptions& options, const nb::object& progress) {
  GivenTable given(table, name);
  return run(progress, About::kData, [&](const Working& working) -> Result<Release> {
    const Clock::time_point began = Clock::now();
    const Result<Table> opened = given.open(fitted.model->table_options());
    if (!opened) return fail(opened.error());
    FittedModelOf as_model = fitted;
    as_model.key = KeyOrigin::kModel;
    return released(as_model, *opened, nullptr, options, work_options(options, working), began);
  });
}

Model::KeyIn key_in(bool key) { return key ? Model::KeyIn::kYes : Model::KeyIn::kNo; }

void save(const FittedModelOf& fitted, const std::string& path, bool key) {
  run(nb::none(), About::kData, [&](const Working&) -> Status {
    Result<PendingFile> file = fitted.model->prepare(path, key_in(key));
    if (!file) return fail(file.error());
    return file->commit();
  });
}

std::optional<Key> key_of(const std::optional<std::string>& file) {
  if (!file) return std::nullopt;
  return value_of(Key::read(*file));
}

FittedModelOf loaded(Model model) { return {std::make_shared<const Model>(std::move(model))}; }

FittedModelOf load(const std::string& path, const std::optional<std::string>& key_file) {
  const std::optional<Key> key = key_of(key_file);
  return loaded(
      run(nb::none(), About::kData, [&](const Working&) { return Model::read(path, key); }));
}

nb::bytes to_bytes(const FittedModelOf& fitted, bool key) {
  const std::string bytes = value_of(fitted.model->to_bytes(key_in(key)));
  return nb::bytes(bytes.data(), bytes.size());
}

FittedModelOf from_bytes(const nb::bytes& data, const std::optional<std::string>& key_file) {
  const std::optional<Key> key = key_of(key_file);
  const std::string_view bytes(data.c_str(), data.size());
  return loaded(
      run(nb::none(), About::kData, [&](const Working&) { return Model::from_bytes(bytes, key); }));
}

std::vector<std::string> changed_columns(const Release& release) {
  std::vector<std::string> out = release.fitted.model->masked_columns();
  for (const auto& recoded : release.result.recoded) out.push_back(recoded.column);
  return out;
}

}  // namespace

void bind_release(nb::module_& core) {
  nb::class_<ReleaseOptions>(core, "ReleaseOptions")
      .def(nb::init<>())
      .def_rw("release", &ReleaseOptions::release)
      .def_rw("output", &ReleaseOptions::output)
      .def_rw("trace", &ReleaseOptions::trace)
      .def_rw("row_map", &ReleaseOptions::row_map)
      .def_rw("threads", &ReleaseOptions::threads)
      .def_rw("keep_rows", &ReleaseOptions::keep_rows)
      .def_rw("recheck", &ReleaseOptions::recheck)
      .def_rw("again", &ReleaseOptions::again)
      .def_rw("model_file", &ReleaseOptions::model_file)
      .def_rw("first_row", &ReleaseOptions::first_row);
  nb::class_<FittedModelOf>(core, "Model")
      .def_prop_ro("method", [](const FittedModelOf& m) { return m.model->method(); })
      .def_prop_ro("parameters", [](const FittedModelOf& m) { return m.model->parameters(); })
      .def_prop_ro("masked_columns",
                   [](const FittedModelOf& m) { return m.model->masked_columns(); })
      .def_prop_ro("release", [](const FittedModelOf& m) { return m.model->release(); })
      .def_prop_ro("shuffles", [](const FittedModelOf& m) { return m.model->shuffles(); })
      .def_prop_ro("has_key", [](const FittedModelOf& m) { return m.model->has_key(); })
      .def_prop_ro("named_columns", [](const FittedModelOf& m) { return named_columns(*m.model); })
      .def_prop_ro("drops_records", [](const FittedModelOf& m) { return drops_records(*m.model); })
      .def("save", &save, nb::arg("path"), nb::arg("key"))
      .def_static("load", &load, nb::arg("path"), nb::arg("key_file").none())
      .def("to_bytes", &to_bytes, nb::arg("key"))
      .def_static("from_bytes", &from_bytes, nb::arg("data"), nb::arg("key_file").none());
  nb::class_<Release>(core, "Release")
      .def(
          "json",
          [](const Release& release, bool is_public) {
            const std::string json = to_json(release.result, release.facts);
            return is_public ? public_json("mask", json) : json;
          },
          nb::arg("is_public"))
      .def_prop_ro("in_memory", [](const Release& release) { return release.memory != nullptr; })
      .def_prop_ro("model", [](const Release& release) { return release.fitted; })
      .def_prop_ro("changed_columns", &changed_columns)
      .def_prop_ro("dropped_records",
                   [](const Release& release) { return release.result.dropped_records; })
      .def_prop_ro("rows",
                   [](const Release& release) {
                     return nb::steal(PyByteArray_FromStringAndSize(
                         reinterpret_cast<const char*>(release.rows.data()),
                         static_cast<Py_ssize_t>(release.rows.size() * sizeof(std::uint64_t))));
                   })
      .def(
          "__arrow_c_stream__",
          [](const Release& release, const nb::object&) {
            return stream_capsule(
                [&](ArrowArrayStream* out) { return release.memory->stream(out); });
          },
          nb::arg("requested_schema") = nb::none());
  core.def("mask", &mask, nb::arg("table"), nb::arg("name"), nb::arg("plan"),
           nb::arg("seed").none(), nb::arg("options"), nb::arg("progress").none());
  core.def("fit", &fit, nb::arg("table").none(), nb::arg("name"), nb::arg("plan"),
           nb::arg("seed").none(), nb::arg("options"), nb::arg("progress").none());
  core.def("apply", &apply_to, nb::arg("model"), nb::arg("table"), nb::arg("name"),
           nb::arg("options"), nb::arg("progress").none());
}

}  // namespace semveil::python
