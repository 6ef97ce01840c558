#include "semveil/report_facts.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "semveil/files.h"
#include "semveil/plan_text.h"

namespace semveil {
namespace {

using Json = nlohmann::ordered_json;

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

// Of a file that can be read again; of a folder (WordNet) or standard input there is none.
Result<NamedHash> hashed(const std::string& name, const std::string& path) {
  NamedHash out{file_name(name), ""};
  std::error_code ignored;
  if (path.empty() || path == "-" || !std::filesystem::is_regular_file(path, ignored)) return out;
  Result<std::string> hash = sha256_of(path);
  if (!hash) return fail(hash.error());
  out.sha256 = *std::move(hash);
  return out;
}

}  // namespace

std::uint64_t pool_of(const PlanFile& plan) {
  std::uint64_t most = 0;
  for (const MaskStep& step : plan.steps) most = std::max(most, step.k());
  return most > 1 ? most : kUsualPool;
}

Audit shown_to(const Audit& audit, Edition edition, const PlanFile& plan) {
  return edition == Edition::kPublic ? public_edition(audit, pool_of(plan)) : audit;
}

Comparison shown_to(const Comparison& comparison, Edition edition, const PlanFile& plan) {
  return edition == Edition::kPublic ? public_edition(comparison, pool_of(plan)) : comparison;
}

Result<ReportFacts> report_facts(const PlanFile& plan, const ReportFiles& files, Edition edition,
                                 const std::string& method,
                                 const std::map<std::string, std::string>& parameters) {
  ReportFacts facts;
  facts.edition = edition;
  facts.version = files.version;
  facts.method = method;
  facts.parameters = parameters;
  facts.command = files.command;
  facts.seed = files.is_audit ? SeedState::kUnknown
               : files.seeded ? SeedState::kSecret
                              : SeedState::kFresh;
  if (edition == Edition::kPublic) {
    facts.original.name = file_name(files.original);
    const auto categories = facts.parameters.find("categories");
    if (categories != facts.parameters.end()) {
      const Json parsed = Json::parse(categories->second, nullptr, false);
      if (parsed.is_string())
        categories->second = Json(file_name(parsed.get<std::string>())).dump();
    }
  } else {
    Result<NamedHash> original = hashed(files.original, files.original);
    if (!original) return fail(original.error());
    facts.original = *std::move(original);
  }
  Result<NamedHash> masked =
      hashed(files.masked, files.masked_bytes.empty() ? files.masked : files.masked_bytes);
  if (!masked) return fail(masked.error());
  facts.masked = *std::move(masked);
  for (const auto& [name, source] : plan.ontologies) {
    Result<NamedHash> hash = hashed(source_path(source), source_path(source));
    if (!hash) return fail(hash.error());
    ReportFacts::OntologyFacts& ontology = facts.ontologies.emplace_back();
    ontology.name = name;
    ontology.source = *std::move(hash);
    for (const ColumnSettings& column : plan.columns) {
      if (column.ontology == name) ontology.columns.push_back(column.name);
    }
  }
  return facts;
}

}  // namespace semveil
