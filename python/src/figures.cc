// describe, advise, audit and compare: figures of tables, as JSON, as pages and as findings.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <optional>

#include "bind.h"
#include "plan.h"
#include "release_of.h"
#include "semveil/compare.h"
#include "semveil/json.h"
#include "semveil/plan_table.h"
#include "semveil/report_facts.h"
#include "table.h"
#include "work_options.h"

namespace semveil::python {
namespace {

// ---- describe -----------------------------------------------------------------------------------

struct Described {
  Description description;
  std::vector<Finding> findings;
};

Described describe_table(const nb::object& table, const std::string& name, const Plan& plan,
                         unsigned threads, const nb::object& progress) {
  GivenTable given(table, name);
  return run(progress, plan.about(), [&](const Working& working) -> Result<Described> {
    const Result<Table> opened = given.open(table_options(plan.file));
    if (!opened) return fail(opened.error());
    WorkOptions work = work_options(threads, working);
    work.every_column = true;
    const Result<Survey> surveyed =
        survey(*opened, without_absent_identifiers(plan.file, {&*opened}), work);
    if (!surveyed) return fail(surveyed.error());
    Result<Description> description = describe(*surveyed, work);
    if (!description) return fail(description.error());
    std::vector<Finding> findings = findings_of(*surveyed, plan.file, *description);
    return Described{*std::move(description), std::move(findings)};
  });
}

// ---- advise -------------------------------------------------------------------------------------

std::optional<Keep> keep_named(const std::string& name) {
  constexpr std::array<std::pair<std::string_view, Keep>, 3> kAll{
      {{"means", Keep::kMeans},
       {"correlation", Keep::kCorrelation},
       {"distributions", Keep::kDistributions}}};
  for (const auto& [text, keep] : kAll) {
    if (text == name) return keep;
  }
  return std::nullopt;
}

KeepKind kind_of(Keep keep) {
  switch (keep) {
    case Keep::kMeans:
      return KeepKind::kMean;
    case Keep::kCorrelation:
      return KeepKind::kCorrelation;
    case Keep::kDistributions:
      return KeepKind::kDistribution;
  }
  return KeepKind::kMean;
}

struct Advised {
  Proposals proposals;
  std::string keep;
};

// Nothing is released: without a seed the same advice is given every time.
Result<Key> advising_key(const KeyChoice& choice) {
  if (choice.seed) return choice.make();
  constexpr std::array<unsigned char, Key::kSize> kFixed{'a', 'd', 'v', 'i', 'c', 'e'};
  return Key::from_bytes(kFixed);
}

Advised advise_on(const nb::object& table, const std::string& name, const Plan& plan,
                  const std::string& keep, const std::optional<std::string>& seed, unsigned threads,
                  const nb::object& progress) {
  const std::optional<Keep> kept = keep_named(keep);
  if (!kept) {
    raise(usage_error("keep: write means, correlation or distributions").quoting(keep));
  }
  const KeyChoice choice = choose_key(seed, plan.file);
  GivenTable given(table, name);
  return run(progress, plan.about(), [&](const Working& working) -> Result<Advised> {
    const Result<Table> opened = given.open(table_options(plan.file));
    if (!opened) return fail(opened.error());
    const Result<Key> key = advising_key(choice);
    if (!key) return fail(key.error());
    Result<Proposals> proposals =
        propose(*opened, plan.file, *key, kind_of(*kept), work_options(threads, working));
    if (!proposals) return fail(proposals.error());
    return Advised{*std::move(proposals), keep};
  });
}

// ---- audit --------------------------------------------------------------------------------------

struct Audited {
  Audit audit;
  PlanFile plan;
  ReportFiles files;

  std::string json(bool is_public) const {
    return is_public ? to_json(shown_to(audit, Edition::kPublic, plan), "public")
                     : to_json(audit, "steward");
  }
  std::string html(bool is_public) const {
    const Edition edition = is_public ? Edition::kPublic : Edition::kSteward;
    const Audit shown = shown_to(audit, edition, plan);
    return report_html(
        shown, value_of(report_facts(plan, files, edition, shown.method, shown.parameters)));
  }
};

struct AuditHow {
  std::string key, row_map, target;
  std::size_t clusters = 14;
  bool attacks = true, unpaired = false;
  unsigned threads = 1;
};

Audited audit_tables(const nb::object& original, const std::string& original_name,
                     const nb::object& masked, const std::string& masked_name, const Plan& plan,
                     const nb::object& control, const AuditHow& how, const nb::object& progress) {
  GivenTable given_original(original, original_name);
  GivenTable given_masked(masked, masked_name);
  std::optional<GivenTable> given_control;
  if (!control.is_none()) given_control.emplace(control, "the control table");
  return run(progress, plan.about(), [&](const Working& working) -> Result<Audited> {
    const TableOptions read = table_options(plan.file);
    const Result<Table> opened_original = given_original.open(read);
    if (!opened_original) return fail(opened_original.error());
    const Result<Table> opened_masked = given_masked.open(read);
    if (!opened_masked) return fail(opened_masked.error());
    std::optional<Table> opened_control;
    if (given_control) {
      Result<Table> opened = given_control->open(read);
      if (!opened) return fail(opened.error());
      opened_control.emplace(*std::move(opened));
    }
    PairOptions pairing;
    pairing.work = work_options(how.threads, working);
    pairing.key = how.key;
    pairing.row_map = how.row_map;
    pairing.unpaired = how.unpaired;
    pairing.control = opened_control ? &*opened_control : nullptr;
    const Result<TablePair> pair = pair_tables(
        *opened_original, *opened_masked,
        without_absent_identifiers(plan.file, {&*opened_original, &*opened_masked}), pairing);
    if (!pair) return fail(pair.error());
    AuditOptions options;
    options.work = pairing.work;
    options.clusters = how.clusters;
    options.attacks = how.attacks;
    options.target = how.target;
    Result<Audit> found = audit(*pair, options);
    if (!found) return fail(found.error());
    ReportFiles files{.original = given_original.name(),
                      .masked = given_masked.name(),
                      .masked_bytes = "",
                      .version = SEMVEIL_VERSION,
                      .command = "",
                      .seeded = false,
                      .is_audit = true};
    return Audited{*std::move(found), plan.file, std::move(files)};
  });
}

// The audit that the report of a release shows: paired by what the release itself knows.
Audited audit_release(const Release& release, const nb::object& original, const nb::object& masked,
                      const Plan& plan, unsigned threads, const nb::object& progress) {
  GivenTable given_original(original, release.facts.table);
  GivenTable given_masked(masked, release.facts.output);
  return run(progress, plan.about(), [&](const Working& working) -> Result<Audited> {
    const TableOptions read = table_options(plan.file);
    const Result<Table> opened_original = given_original.open(read);
    if (!opened_original) return fail(opened_original.error());
    const Result<Table> opened_masked = given_masked.open(read);
    if (!opened_masked) return fail(opened_masked.error());
    PairOptions pairing;
    pairing.work = work_options(threads, working);
    pairing.model = release.fitted.model.get();
    if (!release.rows.empty()) pairing.rows = &release.rows;
    const Result<TablePair> pair = pair_tables(
        *opened_original, *opened_masked,
        without_absent_identifiers(plan.file, {&*opened_original, &*opened_masked}), pairing);
    if (!pair) return fail(pair.error());
    AuditOptions options;
    options.work = pairing.work;
    Result<Audit> found = audit(*pair, options);
    if (!found) return fail(found.error());
    add_findings_of_masking(findings_of(release.result, release.facts), *found);
    ReportFiles files{.original = release.facts.table,
                      .masked = release.facts.output,
                      .masked_bytes = "",
                      .version = SEMVEIL_VERSION,
                      .command = "",
                      .seeded = release.facts.key == KeyOrigin::kSeed,
                      .is_audit = false};
    return Audited{*std::move(found), plan.file, std::move(files)};
  });
}

// ---- compare ------------------------------------------------------------------------------------

struct Compared {
  Comparison comparison;
  PlanFile plan;
  ReportFiles files;

  std::string json(bool is_public) const {
    const std::string json =
        to_json(shown_to(comparison, is_public ? Edition::kPublic : Edition::kSteward, plan),
                files.original, std::nullopt);
    return is_public ? public_json("compare", json) : json;
  }
  std::string html(bool is_public) const {
    const Edition edition = is_public ? Edition::kPublic : Edition::kSteward;
    return comparison_html(shown_to(comparison, edition, plan),
                           value_of(report_facts(plan, files, edition, "", {})));
  }
};

template <class Kind>
Kind kind_named(const std::string& name, const char* key, std::initializer_list<Kind> all) {
  std::string names;
  for (const Kind kind : all) {
    if (to_string(kind) == name) return kind;
    names += (names.empty() ? "" : ", ") + std::string(to_string(kind));
  }
  raise(usage_error(std::string(key) + ": write one of " + names).quoting(name));
}

struct CompareHow {
  std::vector<std::string> tries;
  std::string risk = "greatest", keep = "correlation";
  std::optional<double> most;
  std::size_t clusters = 0;
  double holdout = 0;
  unsigned threads = 1;
};

Compared compare_on(const nb::object& table, const std::string& name, const Plan& plan,
                    const std::optional<std::string>& seed, const CompareHow& how,
                    const nb::object& progress) {
  CompareOptions options;
  for (const std::string& text : how.tries) {
    const auto some = value_of(parse_configurations(text), About::kPlan);
    options.configurations.insert(options.configurations.end(), some.begin(), some.end());
  }
  options.risk = kind_named(
      how.risk, "risk",
      {RiskKind::kGreatest, RiskKind::kProsecutor, RiskKind::kLinkage, RiskKind::kVulnerability});
  options.keep = kind_named(
      how.keep, "keep",
      {KeepKind::kMean, KeepKind::kVariance, KeepKind::kCorrelation, KeepKind::kDistribution});
  options.most = how.most;
  options.clusters = how.clusters;
  options.holdout = how.holdout;
  const KeyChoice choice = choose_key(seed, plan.file);
  GivenTable given(table, name);
  return run(progress, plan.about(), [&](const Working& working) -> Result<Compared> {
    const Result<Table> opened = given.open(table_options(plan.file));
    if (!opened) return fail(opened.error());
    const Result<Key> key = choice.make();
    if (!key) return fail(key.error());
    options.work = work_options(how.threads, working);
    Result<Comparison> comparison = compare(*opened, plan.file, *key, options);
    if (!comparison) return fail(comparison.error());
    ReportFiles files{.original = given.name(),
                      .masked = "",
                      .masked_bytes = "",
                      .version = SEMVEIL_VERSION,
                      .command = "",
                      .seeded = choice.seed.has_value(),
                      .is_audit = false};
    return Compared{*std::move(comparison), plan.file, std::move(files)};
  });
}

}  // namespace

void bind_figures(nb::module_& core) {
  nb::class_<Described>(core, "Described")
      .def(
          "json",
          [](const Described& d, bool is_public) {
            const std::string json = to_json(d.description, d.findings);
            return is_public ? public_json("describe", json) : json;
          },
          nb::arg("is_public"));
  core.def("describe", &describe_table, nb::arg("table"), nb::arg("name"), nb::arg("plan"),
           nb::arg("threads"), nb::arg("progress").none());

  nb::class_<Advised>(core, "Advised").def("json", [](const Advised& a) {
    return to_json(a.proposals, a.keep);
  });
  core.def("advise", &advise_on, nb::arg("table"), nb::arg("name"), nb::arg("plan"),
           nb::arg("keep"), nb::arg("seed").none(), nb::arg("threads"), nb::arg("progress").none());

  nb::class_<Audited>(core, "Audited")
      .def("json", &Audited::json, nb::arg("is_public"))
      .def("html", &Audited::html, nb::arg("is_public"));
  nb::class_<AuditHow>(core, "AuditOptions")
      .def(nb::init<>())
      .def_rw("key", &AuditHow::key)
      .def_rw("row_map", &AuditHow::row_map)
      .def_rw("target", &AuditHow::target)
      .def_rw("clusters", &AuditHow::clusters)
      .def_rw("attacks", &AuditHow::attacks)
      .def_rw("unpaired", &AuditHow::unpaired)
      .def_rw("threads", &AuditHow::threads);
  core.def("audit", &audit_tables, nb::arg("original"), nb::arg("original_name"), nb::arg("masked"),
           nb::arg("masked_name"), nb::arg("plan"), nb::arg("control").none(), nb::arg("options"),
           nb::arg("progress").none());
  core.def("audit_release", &audit_release, nb::arg("release"), nb::arg("original"),
           nb::arg("masked"), nb::arg("plan"), nb::arg("threads"), nb::arg("progress").none());

  nb::class_<Compared>(core, "Compared")
      .def("json", &Compared::json, nb::arg("is_public"))
      .def("html", &Compared::html, nb::arg("is_public"))
      .def("verdict", [](const Compared& c) { return verdict(c.comparison); });
  nb::class_<CompareHow>(core, "CompareOptions")
      .def(nb::init<>())
      .def_rw("tries", &CompareHow::tries)
      .def_rw("risk", &CompareHow::risk)
      .def_rw("keep", &CompareHow::keep)
      .def_rw("most", &CompareHow::most)
      .def_rw("clusters", &CompareHow::clusters)
      .def_rw("holdout", &CompareHow::holdout)
      .def_rw("threads", &CompareHow::threads);
  core.def("compare", &compare_on, nb::arg("table"), nb::arg("name"), nb::arg("plan"),
           nb::arg("seed").none(), nb::arg("options"), nb::arg("progress").none());
}

}  // namespace semveil::python
