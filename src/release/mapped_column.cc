#include "release/mapped_column.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.h"

namespace semveil {

Result<const Ontology*> Ontologies::open(const std::string& name, const std::string& source,
                                         bool use_cache) {
  if (const auto known = ontologies_.find(name); known != ontologies_.end()) return &known->second;
  Result<Ontology> opened = open_ontology(source, {.use_cache = use_cache});
  if (!opened) return fail(opened.error());
  return &ontologies_.emplace(name, *std::move(opened)).first->second;
}

Status Ontologies::open_for(const PlanFile& plan, const ColumnPlan& column, bool use_cache) {
  const auto opened = open(column.ontology, plan.ontologies.at(column.ontology), use_cache);
  if (opened) return {};
  Error error = opened.error();
  if (error.code == ErrorCode::kUsage) {  // the plan asks for it, not the command line
    error.code = ErrorCode::kData;
    error.place.file = plan.path;
  }
  return fail(std::move(error));
}

void Ontologies::add(const std::string& name, Ontology ontology) {
  ontologies_.emplace(name, std::move(ontology));
}

Result<TextMapping> make_text_mapping(const Ontology& ontology, std::string decisions,
                                      std::string name) {
  std::shared_ptr<const MappingFile> file;
  if (!name.empty()) {
    Result<MappingFile> parsed = MappingFile::parse(decisions, name, ontology);
    if (!parsed) return fail(parsed.error());
    file = std::make_shared<const MappingFile>(*std::move(parsed));
  }
  Result<Mapper> mapper = Mapper::create(ontology, file);
  if (!mapper) return fail(mapper.error());
  return TextMapping{std::make_shared<const Mapper>(*std::move(mapper)), std::move(file),
                     std::move(decisions), std::move(name)};
}

Result<std::shared_ptr<const Attribute>> make_attribute(AttributePlan& plan,
                                                        const Ontology& ontology,
                                                        const Mapper& mapper) {
  const auto taxonomy = ontology.taxonomy();
  if (!taxonomy) return fail(taxonomy.error());
  const auto names = ontology.names();
  if (!names) return fail(names.error());
  const Place place{.file = {}, .line = 0, .column = plan.name};

  Attribute attribute;
  attribute.name = plan.name;
  attribute.names = *names;
  attribute.missing_is_value = plan.missing_is_value;
  attribute.domain =
      std::make_shared<const Domain>(plan.column.domain == DomainKind::kBranches
                                         ? Domain::branches(*taxonomy, plan.root, plan.members)
                                         : Domain::subtree(*taxonomy, plan.root));

  const MeasureChoice choice{plan.column.measure, plan.column.ic, plan.column.lcs};
  MeasureOptions options{choice.name, choice.lcs == "mica" ? LcsRule::kMica : LcsRule::kDeepest,
                         plan.ic};
  if (!options.ic) {
    Result<MeasureOptions> chosen = choose_measure(choice, *attribute.domain, **names);
    if (!chosen) return fail(chosen.error());
    options = *std::move(chosen);
    if (choice.ic != "seco" && choice.ic != "sanchez") plan.ic = options.ic;
  }
  Result<std::unique_ptr<const Measure>> measure =
      make_measure(attribute.domain->taxonomy(), options);
  if (!measure) return fail(data_error(measure.error().message).at(place));
  attribute.measure = *std::move(measure);

  CandidateRules rules{
      .deny = {}, .leaves_only = plan.column.leaves_only, .min_depth = plan.column.min_depth};
  for (const std::string& text : plan.column.deny) {
    const Result<ConceptId> denied = mapper.only(text);
    if (!denied) return fail(Error(denied.error()).at(place));
    if (const auto c = attribute.domain->in_domain(*denied)) rules.deny.push_back(*c);
  }
  Result<Candidates> candidates = Candidates::of(attribute.taxonomy(), rules);
  if (!candidates) return fail(std::move(candidates.error()).at(place));
  attribute.candidates = std::make_shared<const Candidates>(*std::move(candidates));
  return std::make_shared<const Attribute>(std::move(attribute));
}

Result<MappedColumn> map_column(const ColumnPlan& plan, const Ontology& ontology,
                                std::vector<std::pair<std::string, std::uint64_t>> values,
                                bool missing_is_value, unsigned threads) {
  MappedColumn column;
  std::string decisions;
  if (!plan.mapping.empty()) {
    const Result<FileBytes> file = FileBytes::read(plan.mapping);
    if (!file) return fail(file.error());
    decisions = file->view();
  }
  Result<TextMapping> mapping = make_text_mapping(ontology, std::move(decisions), plan.mapping);
  if (!mapping) return fail(mapping.error());
  column.mapping = *std::move(mapping);
  const Mapper& mapper = *column.mapping.mapper;
  const auto taxonomy = ontology.taxonomy();
  if (!taxonomy) return fail(taxonomy.error());

  MappingOptions options;
  options.senses = plan.senses == "first" ? Senses::kFirst : Senses::kClosest;
  options.threads = threads;
  if (!plan.root.empty()) {
    const Result<ConceptId> root = mapper.only(plan.root);
    if (!root) {
      return fail(Error(root.error()).at(Place{.file = {}, .line = 0, .column = plan.name}));
    }
    options.root = *root;
  }
  const Domain whole =
      options.root ? Domain::subtree(*taxonomy, *options.root) : Domain::whole(*taxonomy);
  Result<MeasureOptions> measure =
      choose_measure({plan.measure, plan.ic, plan.lcs}, whole, mapper.names());
  if (!measure) return fail(measure.error());
  options.measure = *std::move(measure);
  Result<ColumnMapping> mapped = map_values(std::move(values), mapper, ontology, options);
  if (!mapped) return fail(mapped.error());
  column.values = std::move(mapped->values);

  AttributePlan attribute{.name = plan.name,
                          .members = {},
                          .root = Taxonomy::root(),
                          .column = plan,
                          .missing_is_value = missing_is_value,
                          .ic = nullptr};
  std::uint64_t by_id = 0;
  std::uint64_t records = 0;
  for (const MappedValue& value : column.values) {
    if (!value.concept_id || !is_mapped(value.how)) continue;
    attribute.members.push_back(*value.concept_id);
    records += value.count;
    by_id += value.how == How::kId ? value.count : 0;
  }
  column.came_as_ids = by_id * 2 > records;
  if (options.root) {
    attribute.root = *options.root;
  } else if (!attribute.members.empty() && ontology.info().format != "vgh") {
    // A hierarchy made for a column is its domain as it stands.
    attribute.root = (*taxonomy)->lcs(attribute.members);
  }
  Result<std::shared_ptr<const Attribute>> made = make_attribute(attribute, ontology, mapper);
  if (!made) return fail(made.error());
  column.attribute = *std::move(made);
  column.plan = std::move(attribute);
  return column;
}

std::optional<ConceptId> place_of_number(const Attribute& attribute, double number) {
  const auto& numbers = attribute.numbers;
  const auto at = std::lower_bound(numbers.begin(), numbers.end(), number);
  if (at == numbers.end() || *at != number) return std::nullopt;
  return static_cast<ConceptId>(at - numbers.begin());
}

std::optional<ConceptId> place_of_text(const Attribute& attribute, std::string_view text) {
  const auto at = std::ranges::lower_bound(attribute.texts, text);
  if (at == attribute.texts.end() || *at != text) return std::nullopt;
  return static_cast<ConceptId>(at - attribute.texts.begin());
}

}  // namespace semveil
