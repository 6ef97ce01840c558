#include <algorithm>

#include "json/json.h"
#include "semveil/propose.h"

namespace semveil {
namespace {

using json::Json;
using json::or_null;
using json::written;

constexpr std::size_t kMostSets = 200;

Json coverage_json(const std::optional<OntologyCoverage>& coverage) {
  if (!coverage) return nullptr;
  return {{"ontology", coverage->ontology},
          {"root", coverage->root.empty() ? Json(nullptr) : Json(coverage->root)},
          {"root_label", coverage->root.empty() ? Json(nullptr) : Json(coverage->root_label)},
          {"records", coverage->records},
          {"values", coverage->values}};
}

// Without a root: of one value that is known, it would be that value.
Json nearly_json(const std::optional<OntologyCoverage>& coverage) {
  if (!coverage) return nullptr;
  return {{"ontology", coverage->ontology},
          {"records", coverage->records},
          {"values", coverage->values}};
}

Json proposed_columns(const PlanProposal& proposal) {
  Json out = Json::array();
  for (const ProposedColumn& column : proposal.columns) {
    out.push_back({{"name", column.name},
                   {"role", to_string(column.role)},
                   {"role_why", column.role_why},
                   {"type", plan_type(column.kind)},
                   {"kind", to_string(column.kind)},
                   {"kind_why", column.kind_why},
                   {"distinct", column.distinct},
                   {"missing", column.missing},
                   {"ontology", coverage_json(column.ontology)},
                   {"nearly", nearly_json(column.nearly)},
                   {"wanted", column.wanted.empty() ? Json(nullptr) : Json(column.wanted)}});
  }
  return out;
}

Json uniques_json(const PlanProposal& proposal) {
  const MinimalUniques& found = proposal.uniques;
  Json sets = Json::array();
  for (const UniqueSet& set : std::span(found.sets).first(std::min(kMostSets, found.sets.size()))) {
    Json columns = Json::array();
    for (const std::size_t column : set.columns) {
      columns.push_back(proposal.quasi_identifiers[column]);
    }
    sets.push_back({{"columns", std::move(columns)}, {"persons", set.persons}});
  }
  const auto greatest = std::ranges::max_element(found.scores);
  return {{"quasi_identifiers", proposal.quasi_identifiers},
          {"largest", found.largest},
          {"persons", found.persons},
          {"uniques", found.uniques},
          {"greatest_score", greatest == found.scores.end() ? 0 : *greatest},
          {"found", found.sets.size()},
          {"sets", std::move(sets)}};
}

Json method_json(const PlanProposal& proposal) {
  if (!proposal.chosen) return nullptr;
  const Proposal& chosen = proposal.tried->proposed[*proposal.chosen];
  return {{"method", chosen.advice.method},
          {"parameters", json::parameters_of(chosen.advice.parameters)},
          {"why", chosen.advice.why},
          {"tried_on", proposal.tried->tried_on},
          {"risk", chosen.trial ? or_null(chosen.trial->risk) : Json(nullptr)},
          {"loss", chosen.trial ? or_null(chosen.trial->loss) : Json(nullptr)},
          {"unmasked_quasi_identifiers", chosen.unmasked}};
}

}  // namespace

std::string to_json(const PlanProposal& proposal, const std::string& plan,
                    const std::string& file) {
  Json out{{"table", proposal.table},
           {"records", proposal.records},
           {"header_is_data", proposal.header_is_data},
           {"columns", proposed_columns(proposal)},
           {"missing_markers", Json::array()},
           {"ontologies", Json::array()},
           {"person", nullptr},
           {"uniques", uniques_json(proposal)},
           {"method", method_json(proposal)},
           {"no_method_why", proposal.chosen ? Json(nullptr) : Json(proposal.no_method_why)},
           {"plan", plan},
           {"file", file.empty() ? Json(nullptr) : Json(file)}};
  for (const MissingMarker& marker : proposal.markers) {
    out["missing_markers"].push_back({{"text", marker.text},
                                      {"cells", marker.cells},
                                      {"columns", marker.columns},
                                      {"why", marker.why},
                                      {"proposed", marker.proposed}});
  }
  for (const OntologySource& source : proposal.ontologies) {
    out["ontologies"].push_back(
        {{"name", source.name}, {"source", source.source}, {"origin", to_string(source.origin)}});
  }
  if (proposal.person) {
    out["person"] = {{"column", proposal.person->column},
                     {"persons", proposal.person->persons},
                     {"why", proposal.person->why}};
  }
  return written(out);
}

std::string to_json(std::span<const PlanSentence> sentences, const std::string& plan) {
  Json out{{"plan", plan}, {"sentences", Json::array()}};
  for (const PlanSentence& sentence : sentences) {
    out["sentences"].push_back({{"about", sentence.about}, {"text", sentence.text}});
  }
  return written(out);
}

}  // namespace semveil
