#include "release/mapped_column.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.h"
#include "mapping/corpus.h"
#include "measures/concept_features.h"
#include "release/made_column.h"
#include "release/value_column.h"

namespace semveil {

Result<const Ontology*> Ontologies::open(const std::string& name, const std::string& source,
                                         bool use_cache) {
  if (const auto known = ontologies_.find(name); known != ontologies_.end()) return &known->second;
  Result<Ontology> opened = open_ontology(source, {.use_cache = use_cache});
  if (!opened) return fail(opened.error());
  return &ontologies_.emplace(name, *std::move(opened)).first->second;
}

Status Ontologies::open_for(const PlanFile& plan, const ColumnSettings& column, bool use_cache) {
  for (const std::string& name : column.ontology_names()) {
    const auto opened = open(name, plan.ontologies.at(name), use_cache);
    if (opened) continue;
    Error error = opened.error();
    if (error.code == ErrorCode::kUsage) {  // the plan asks for it, not the command line
      error.code = ErrorCode::kData;
      error.place.file = plan.path;
    }
    return fail(std::move(error));
  }
  return {};
}

void Ontologies::add(const std::string& name, Ontology ontology) {
  ontologies_.emplace(name, std::move(ontology));
}

namespace {

Result<std::string> content_of(const std::string& path) {
  const Result<FileBytes> file = FileBytes::read(path);
  if (!file) return fail(file.error());
  return std::string(file->view());
}

Result<MappingSources> read_sources(const ColumnSettings& plan) {
  MappingSources sources{
      .decisions = {}, .decisions_name = plan.mapping, .via = plan.via, .references = {}};
  if (!plan.mapping.empty()) {
    Result<std::string> text = content_of(plan.mapping);
    if (!text) return fail(text.error());
    sources.decisions = *std::move(text);
  }
  if (CrossReferences::is_file(plan.via)) {
    Result<std::string> text = content_of(plan.via);
    if (!text) return fail(text.error());
    sources.references = *std::move(text);
  }
  return sources;
}

}  // namespace

Result<TextMapping> make_text_mapping(const Ontology& ontology, MappingSources sources) {
  std::shared_ptr<const MappingFile> file;
  if (!sources.decisions_name.empty()) {
    Result<MappingFile> parsed =
        MappingFile::parse(sources.decisions, sources.decisions_name, ontology);
    if (!parsed) return fail(parsed.error());
    file = std::make_shared<const MappingFile>(*std::move(parsed));
  }
  auto references = CrossReferences::choose(sources.via, sources.references, ontology);
  if (!references) return fail(references.error());
  Result<Mapper> mapper = Mapper::create(ontology, file, *std::move(references));
  if (!mapper) return fail(mapper.error());
  return TextMapping{std::make_shared<const Mapper>(*std::move(mapper)), std::move(file),
                     std::move(sources)};
}

namespace {

// Counts mean nothing to a measure without information content.
MeasureChoice choice_of(const ColumnSettings& plan) {
  const bool counts = plan.ic == kDataIc || plan.ic.starts_with(kCorpusIc);
  return {plan.measure, counts && !uses_information_content(plan.measure) ? "seco" : plan.ic,
          plan.lcs, plan.weights};
}

// Headings order a classification's codes; a column of headings, though, is one of them.
CandidateKind usual_candidates(std::span<const MappedValue> values, const OntologyInfo& info,
                               const Names& names) {
  if (info.headings.empty()) return CandidateKind::kAll;
  std::uint64_t records = 0;
  std::uint64_t on_headings = 0;
  for (const MappedValue& value : values) {
    if (!value.concept_id || !is_mapped(value.how)) continue;
    records += value.count;
    const std::string_view id = names.id(*value.concept_id);
    if (std::ranges::binary_search(info.headings, id)) on_headings += value.count;
  }
  return on_headings * 2 > records ? CandidateKind::kAll : CandidateKind::kCodes;
}

// The headings of a domain. An error where the ontology does not tell them from codes.
Result<std::vector<ConceptId>> headings_of(const Attribute& attribute, const OntologyInfo& info) {
  if (info.headings.empty() && !info.has_icd_codes) {
    return fail(
        data_error("candidates = \"codes\" needs a classification (icd9cm:, icd10cm:, claml:), "
                   "whose chapters and sections have no code of their own; leave it out, or "
                   "use deny, leaves_only or min_depth"));
  }
  std::vector<ConceptId> headings;
  for (ConceptId c = 0; c < attribute.taxonomy().size(); ++c) {
    if (attribute.taxonomy().is_virtual(c)) continue;
    if (std::ranges::binary_search(info.headings, attribute.id(c))) headings.push_back(c);
  }
  return headings;
}

std::vector<double> count_records(std::span<const MappedValue> values, std::size_t concepts) {
  std::vector<double> counts(concepts, 0.0);
  for (const MappedValue& value : values) {
    if (!value.concept_id || !is_mapped(value.how)) continue;
    counts[*value.concept_id] += static_cast<double>(value.count);
  }
  return counts;
}

}  // namespace

Result<ConceptSpace> make_space(AttributeRecipe& plan, const Ontology& ontology,
                                Features features) {
  const auto taxonomy = ontology.taxonomy();
  if (!taxonomy) return fail(taxonomy.error());
  const auto names = ontology.names();
  if (!names) return fail(names.error());
  const Place place{.file = {}, .line = 0, .column = plan.name};
  ConceptSpace space;
  space.domain =
      std::make_shared<const Domain>(plan.column.domain == DomainKind::kBranches
                                         ? Domain::branches(*taxonomy, plan.root, plan.members)
                                         : Domain::subtree(*taxonomy, plan.root));

  const MeasureChoice choice = choice_of(plan.column);
  if (!plan.ic && !plan.counts.empty()) {
    Result<InformationContent> counted =
        InformationContent::from_counts(*space.domain, plan.counts);
    if (!counted) return fail(std::move(counted.error()).at(place));
    plan.ic = std::make_shared<const InformationContent>(*std::move(counted));
    plan.counts.clear();
  }
  Result<MeasureOptions> options = choose_measure(choice, *space.domain, **names, plan.ic);
  if (!options) return fail(options.error());
  if (features == Features::kNeeded) {
    if (Status usable = check_features(*options); !usable) {
      return fail(std::move(usable.error()).at(place));
    }
  }
  if (choice.ic != "seco" && choice.ic != "sanchez") plan.ic = options->ic;
  Result<std::unique_ptr<const Measure>> measure = make_measure(space.domain->taxonomy(), *options);
  if (!measure) return fail(data_error(measure.error().message).at(place));
  space.measure = *std::move(measure);
  return space;
}

Result<std::shared_ptr<const Attribute>> make_attribute(AttributeRecipe& plan,
                                                        const Ontology& ontology,
                                                        const Mapper& mapper) {
  const auto names = ontology.names();
  if (!names) return fail(names.error());
  const Place place{.file = {}, .line = 0, .column = plan.name};
  Result<ConceptSpace> space = make_space(plan, ontology, Features::kNeeded);
  if (!space) return fail(space.error());
  Attribute attribute;
  attribute.name = plan.name;
  attribute.names = *names;
  attribute.missing_is_value = plan.missing_is_value;
  attribute.domain = space->domain;
  attribute.measure = space->measure;

  CandidateRules rules{
      .deny = {}, .leaves_only = plan.column.leaves_only, .min_depth = plan.column.min_depth};
  for (const std::string& text : plan.column.deny) {
    const Result<ConceptId> denied = mapper.only(text);
    if (!denied) return fail(Error(denied.error()).at(place));
    if (const auto c = attribute.domain->in_domain(*denied)) rules.deny.push_back(*c);
  }
  if (plan.column.candidates == CandidateKind::kCodes) {
    Result<std::vector<ConceptId>> headings = headings_of(attribute, ontology.info());
    if (!headings) return fail(std::move(headings.error()).at(place));
    rules.headings = *std::move(headings);
  }
  Result<Candidates> candidates = Candidates::of(attribute.taxonomy(), rules);
  if (!candidates) return fail(std::move(candidates.error()).at(place));
  attribute.candidates = std::make_shared<const Candidates>(*std::move(candidates));
  return std::make_shared<const Attribute>(std::move(attribute));
}

namespace {

// Where senses are chosen: below the root that the plan names, else in the whole ontology.
Domain domain_of_senses(const std::shared_ptr<const Taxonomy>& taxonomy,
                        const std::optional<ConceptId>& root) {
  return root ? Domain::subtree(taxonomy, *root) : Domain::whole(taxonomy);
}

// And what measures there. `ic`: of that domain, where it was found before.
Result<MeasureOptions> measure_of_senses(const ColumnSettings& plan, const Domain& domain,
                                         const Names& names,
                                         std::shared_ptr<const InformationContent> ic) {
  MeasureChoice choice = choice_of(plan);
  if (choice.ic == kDataIc) choice.ic = "seco";  // records have no concepts before that
  return choose_measure(choice, domain, names, std::move(ic));
}

// Concepts that records have one by one, or with all their senses.
std::vector<ConceptId> every_sense(const std::vector<MappedValue>& values) {
  std::vector<ConceptId> all;
  for (const MappedValue& value : values) {
    if (is_mapped(value.how)) all.insert(all.end(), value.senses.begin(), value.senses.end());
  }
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
}

bool has_several_senses(const std::vector<MappedValue>& values) {
  return std::ranges::any_of(values, [](const MappedValue& value) {
    return is_mapped(value.how) && value.senses.size() > 1;
  });
}

}  // namespace

Result<SenseChoice> sense_choice(const AttributeRecipe& plan, const Ontology& ontology,
                                 const Mapper& mapper,
                                 std::vector<std::pair<std::string, std::uint64_t>> counted) {
  const auto taxonomy = ontology.taxonomy();
  if (!taxonomy) return fail(taxonomy.error());
  const bool is_named = !plan.column.root.empty();
  const Domain domain =
      domain_of_senses(*taxonomy, is_named ? std::optional(plan.root) : std::nullopt);
  const auto options = measure_of_senses(plan.column, domain, mapper.names(), plan.sense_ic);
  if (!options) return fail(options.error());
  auto measure = make_measure(domain.taxonomy(), *options);
  if (!measure) return fail(measure.error());
  std::ranges::sort(counted, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  std::vector<MappedValue> values;
  for (const auto& [text, count] : counted) {
    values.push_back(match_value(text, count, mapper, is_named ? &domain : nullptr));
  }
  auto names = ontology.names();
  if (!names) return fail(names.error());
  return SenseChoice(values, domain, *std::move(names), *std::move(measure));
}

Result<MappedColumn> map_column(const ColumnSettings& plan, const Ontologies& ontologies,
                                ColumnTexts texts, bool missing_is_value, Unit unit,
                                unsigned threads) {
  if (plan.has_several_ontologies()) {
    return map_to_several(plan, ontologies, std::move(texts), missing_is_value, threads);
  }
  if (has_made_ontology(plan)) {
    return map_to_made(plan, std::move(texts), missing_is_value, threads);
  }
  const Ontology& ontology = ontologies.at(plan.ontology);
  MappedColumn column;
  Result<MappingSources> sources = read_sources(plan);
  if (!sources) return fail(sources.error());
  Result<TextMapping> mapping = make_text_mapping(ontology, *std::move(sources));
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
  const Domain whole = domain_of_senses(*taxonomy, options.root);
  const std::string ic = choice_of(plan).ic;
  std::shared_ptr<const InformationContent> content;
  std::vector<double> counts;
  if (ic.starts_with(kCorpusIc)) {
    Result<CorpusContent> counted =
        content_of_corpus(ic.substr(kCorpusIc.size()), whole, mapper.names());
    if (!counted) return fail(counted.error());
    counts = std::move(counted->counts);
    content = counted->content;
  }
  Result<MeasureOptions> measure = measure_of_senses(plan, whole, mapper.names(), content);
  if (!measure) return fail(measure.error());
  options.measure = *std::move(measure);
  Result<ColumnMapping> mapped = map_values(std::move(texts.counted), mapper, ontology, options);
  if (!mapped) return fail(mapped.error());
  column.values = std::move(mapped->values);
  const bool counts_records = ic == kDataIc;
  if (counts_records) counts = count_records(column.values, (*taxonomy)->size());
  const bool is_read = ic != "seco" && ic != "sanchez" && !counts_records;

  AttributeRecipe attribute{.name = plan.name,
                            .members = {},
                            .root = Taxonomy::root(),
                            .column = plan,
                            .missing_is_value = missing_is_value,
                            .ic = nullptr,
                            .sense_ic = is_read ? options.measure.ic : nullptr,
                            .values = nullptr,
                            .rule = nullptr,
                            .counts = std::move(counts)};
  std::uint64_t by_id = 0;
  std::uint64_t records = 0;
  for (const MappedValue& value : column.values) {
    if (!value.concept_id || !is_mapped(value.how)) continue;
    attribute.members.push_back(*value.concept_id);
    records += value.count;
    by_id += is_code(value.how) ? value.count : 0;
  }
  column.came_as_ids = by_id * 2 > records;
  if (!plan.candidates) {
    attribute.column.candidates = usual_candidates(column.values, ontology.info(), mapper.names());
  }
  // A hierarchy made for a column is its domain as it stands.
  const bool has_root = options.root || ontology.info().format == "vgh";
  attribute.root = options.root.value_or(Taxonomy::root());
  if (!has_root && !attribute.members.empty()) {
    attribute.root = (*taxonomy)->lcs(attribute.members);
  }
  // No record is mapped: what is reported of the column needs no content of its records.
  const auto is_none = [](double count) { return count == 0; };
  if (counts_records && std::ranges::all_of(attribute.counts, is_none)) {
    attribute.column.ic = "seco";
    attribute.counts.clear();
  }
  AttributeRecipe of_senses = attribute;
  Result<std::shared_ptr<const Attribute>> made = make_attribute(attribute, ontology, mapper);
  if (!made) return fail(made.error());
  column.attribute = *std::move(made);
  column.plan = std::move(attribute);
  const bool several = plan.senses == "closest" && has_several_senses(column.values);
  if (unit == Unit::kConcept || !several) return column;
  of_senses.members = every_sense(column.values);
  if (!has_root) of_senses.root = (*taxonomy)->lcs(of_senses.members);
  return by_value(std::move(column), std::move(of_senses), ontology, texts.further);
}

std::optional<ConceptId> place_of_number(const Attribute& attribute, double number) {
  const auto& numbers = attribute.numbers;
  const auto at = std::lower_bound(numbers.begin(), numbers.end(), number);
  if (at == numbers.end() || *at != number) return std::nullopt;
  return static_cast<ConceptId>(at - numbers.begin());
}

ConceptId nearest_number(const Attribute& attribute, double number) {
  const auto& numbers = attribute.numbers;
  const auto at = std::lower_bound(numbers.begin(), numbers.end(), number);
  if (at == numbers.begin()) return 0;
  const auto place = static_cast<ConceptId>(at - numbers.begin());
  if (at == numbers.end()) return place - 1;
  const double above = *at - number, below = number - *(at - 1);
  if (above != below) return above < below ? place : place - 1;
  return place % 2 == 0 ? place : place - 1;
}

std::optional<ConceptId> place_of_text(const Attribute& attribute, std::string_view text) {
  const auto at = std::ranges::lower_bound(attribute.texts, text);
  if (at == attribute.texts.end() || *at != text) return std::nullopt;
  return static_cast<ConceptId>(at - attribute.texts.begin());
}

}  // namespace semveil
