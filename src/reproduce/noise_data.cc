// The framework paper's patients (1,350 with two diagnoses, 1,316 with a diagnosis and a procedure)
// are not public. In their place:
//
//   Synthea  two diseases found at the same visit, both in the Disease Ontology
//   Adult    how somebody belongs to a household, and marital status: both as persons of WordNet,
//            or the second in ARX's hierarchy; occupation and education
//
// Values are mapped by name, and by the decisions below where names differ.
#include "reproduce/noise_data.h"

#include <fmt/format.h>

#include <map>

#include "reproduce/noise_adult.h"
#include "semveil/mapping.h"
#include "semveil/table.h"

namespace semveil::reproduction {
namespace {

constexpr std::string_view kAdult = "adult/adult.data.gz";
constexpr std::string_view kEducation = "arx-hierarchies/adult_hierarchy_education.csv";
constexpr std::string_view kOccupation = "arx-hierarchies/adult_hierarchy_occupation.csv";
constexpr std::string_view kMarital = "arx-hierarchies/adult_hierarchy_marital-status.csv";
constexpr std::string_view kDiseases = "doid/doid-2024-01-31.obo.gz";
constexpr std::string_view kConditions = "synthea/california-2202/conditions.csv.gz";
constexpr const char* kArx = "data/ of github.com/arx-deidentifier/arx";
constexpr std::array kFiles{
    DataFile{kAdult, "adult.data of archive.ics.uci.edu, data set 2 (Adult), packed with gzip"},
    DataFile{kEducation, kArx},
    DataFile{kOccupation, kArx},
    DataFile{kMarital, kArx},
    DataFile{kDiseases,
             "doid.obo, release 2024-01-31, of github.com/DiseaseOntology/"
             "HumanDiseaseOntology, packed with gzip"},
    DataFile{kConditions,
             "conditions.csv of github.com/IBM/cpd-workshop-health-care (made with "
             "Synthea), packed with gzip"}};

// As many of Adult's records as the paper's data sets have: every so-manieth.
constexpr std::size_t kAdultStep = 24;
// Places in adult.data, which has no header.
constexpr std::size_t kEducationColumn = 3;
constexpr std::size_t kMaritalColumn = 5;
constexpr std::size_t kOccupationColumn = 6;
constexpr std::size_t kRelationshipColumn = 7;

// Synthea's names that the Disease Ontology does not know: the same disease, or the one it is a
// case of. Findings, injuries and pregnancies are no diseases there and stay unmapped.
constexpr std::string_view kDiseaseDecisions =
    "value,concept\n"
    "Viral sinusitis,DOID:0050127\n"
    "Acute bacterial sinusitis,DOID:0050127\n"
    "Chronic sinusitis,DOID:0050127\n"
    "Acute viral pharyngitis,DOID:2275\n"
    "Streptococcal sore throat,DOID:2275\n"
    "Body mass index 30+ - obesity,DOID:9970\n"
    "Body mass index 40+ - severely obese,DOID:11981\n"
    "Antepartum eclampsia,DOID:13593\n"
    "Hyperlipidemia,DOID:1168\n"
    "Hypertriglyceridemia,DOID:1172\n"
    "Escherichia coli urinary tract infection,DOID:0080784\n"
    "Recurrent urinary tract infection,DOID:0080784\n"
    "Child attention deficit disorder,DOID:1094\n"
    "Chronic intractable migraine without aura,DOID:12783\n"
    "Osteoarthritis of knee,DOID:8398\n"
    "Osteoarthritis of hip,DOID:8398\n"
    "Localized  primary osteoarthritis of the hand,DOID:8398\n"
    "Seizure disorder,DOID:1826\n"
    "Neuropathy due to type 2 diabetes mellitus,DOID:9743\n"
    "Diabetic renal disease,DOID:557\n"
    "Microalbuminuria due to type 2 diabetes mellitus,DOID:557\n"
    "Chronic kidney disease stage 1,DOID:784\n"
    "Chronic kidney disease stage 2,DOID:784\n"
    "Diabetic retinopathy associated with type II diabetes mellitus,DOID:8947\n"
    "Nonproliferative diabetic retinopathy due to type 2 diabetes mellitus,DOID:13208\n"
    "Proliferative diabetic retinopathy due to type II diabetes mellitus,DOID:13207\n"
    "Macular edema and retinopathy due to type 2 diabetes mellitus,DOID:9191\n"
    "Rupture of appendix,DOID:8337\n"
    "Neoplasm of prostate,DOID:10283\n"
    "Metastasis from malignant tumor of prostate,DOID:10283\n"
    "Overlapping malignant neoplasm of colon,DOID:219\n"
    "Malignant tumor of colon,DOID:219\n"
    "Primary malignant neoplasm of colon,DOID:219\n"
    "Secondary malignant neoplasm of colon,DOID:219\n"
    "Tubal pregnancy,DOID:0060329\n"
    "Perennial allergic rhinitis,DOID:4481\n"
    "Perennial allergic rhinitis with seasonal variation,DOID:4481\n"
    "Chronic congestive heart failure,DOID:6000\n"
    "Small cell carcinoma of lung,DOID:5409\n"
    "Non-small cell carcinoma of lung  TNM stage 1,DOID:3908\n"
    "Major depression  single episode,DOID:1470\n"
    "Chronic obstructive bronchitis,DOID:3083\n"
    "Brain damage - traumatic,DOID:0081292\n"
    "Concussion injury of brain,DOID:0081292\n"
    "Concussion with no loss of consciousness,DOID:0081292\n"
    "Concussion with loss of consciousness,DOID:0081292\n";

// Adult's words as persons of WordNet 3.0.
constexpr std::string_view kFamilyDecisions =
    "value,concept\n"
    "Husband,10193967-n\n"
    "Wife,10780632-n\n"
    "Own-child,09918248-n\n"
    "Other-relative,10235549-n\n"
    "Unmarried,10164605-n\n"      // head of household
    "Not-in-family,10269458-n\n"  // lodger
    "Married-civ-spouse,10640620-n\n"
    "Married-AF-spouse,10640620-n\n"
    "Married-spouse-absent,10640620-n\n"
    "Divorced,10074249-n\n"   // ex-spouse
    "Separated,10020366-n\n"  // divorcee, also of who is separated
    "Widowed,10780284-n\n"
    "Never-married,09829923-n\n";  // bachelor

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

using Rows = std::vector<std::vector<std::string>>;

Result<Rows> read_rows(const Table& table, const std::vector<std::size_t>& wanted) {
  auto source = table.read(wanted, Cells::kWanted);
  if (!source) return fail(source.error());
  std::vector<Dictionary> dictionaries(wanted.size());
  Rows rows;
  while (true) {
    const auto batch = (*source)->next(dictionaries);
    if (!batch) return fail(batch.error());
    if (*batch == nullptr) return rows;
    for (std::size_t row = 0; row < (*batch)->rows; ++row) {
      std::vector<std::string> cells;
      cells.reserve(wanted.size());
      for (std::size_t j = 0; j < wanted.size(); ++j) {
        const Code code = (*batch)->codes[j][row];
        cells.emplace_back(code == kMissing ? "" : trimmed(dictionaries[j].text(code)));
      }
      rows.push_back(std::move(cells));
    }
  }
}

// Every so-manieth record, without those that miss a value.
Result<Rows> read_adult(const ReproduceOptions& options, const std::vector<std::size_t>& wanted) {
  const auto table = Table::open(options.data + "/" + std::string(kAdult));
  if (!table) return fail(table.error());
  auto rows = read_rows(*table, wanted);
  if (!rows) return fail(rows.error());
  // The file has no header: its first record was taken for one.
  std::vector<std::string> first;
  first.reserve(wanted.size());
  for (const std::size_t column : wanted) first.emplace_back(trimmed(table->columns()[column]));
  rows->insert(rows->begin(), first);
  Rows out;
  for (std::size_t i = 0; i < rows->size(); i += kAdultStep) {
    const auto& row = (*rows)[i];
    if (std::find(row.begin(), row.end(), "?") == row.end()) out.push_back(row);
  }
  return out;
}

// A column's domain and how its texts find into it.
class Coder {
 public:
  static Result<Coder> open(const std::string& name, const std::string& source,
                            std::string_view decisions, std::string_view root,
                            const ReproduceOptions& options) {
    const auto ontology = open_ontology(source, {.use_cache = options.work.use_cache});
    if (!ontology) return fail(ontology.error());
    std::shared_ptr<const MappingFile> file;
    if (!decisions.empty()) {
      auto parsed = MappingFile::parse(decisions, name + ".csv", *ontology);
      if (!parsed) return fail(parsed.error());
      file = std::make_shared<const MappingFile>(*std::move(parsed));
    }
    auto mapper = Mapper::create(*ontology, file);
    if (!mapper) return fail(mapper.error());
    std::optional<ConceptId> top;
    if (!root.empty()) {
      const auto found = mapper->only(root);
      if (!found) return fail(found.error());
      top = *found;
    }
    auto attribute = make_attribute(name, *ontology, top);
    if (!attribute) return fail(attribute.error());
    return Coder(*std::move(attribute), *std::move(mapper));
  }

  // Nothing where the text has no concept of the domain.
  std::optional<ConceptId> code(const std::string& text) {
    const auto [at, fresh] = known_.try_emplace(text);
    if (fresh) {
      const Match match = mapper_.match(text);
      if (is_mapped(match.how)) at->second = attribute_->domain->in_domain(match.senses.front());
    }
    return at->second;
  }
  const std::shared_ptr<const Attribute>& attribute() const { return attribute_; }
  // The same domain for another column.
  std::shared_ptr<const Attribute> attribute(const std::string& name) const {
    Attribute other = *attribute_;
    other.name = name;
    return std::make_shared<const Attribute>(std::move(other));
  }

 private:
  Coder(std::shared_ptr<const Attribute> attribute, Mapper mapper)
      : attribute_(std::move(attribute)), mapper_(std::move(mapper)) {}

  std::shared_ptr<const Attribute> attribute_;
  Mapper mapper_;
  std::map<std::string, std::optional<ConceptId>> known_;
};

std::string occupation_decisions() {
  std::string out = "value,concept\n";
  for (const Occupation& value : kOccupations) {
    out += fmt::format("{},{}\n", value.adult, value.sense);
  }
  return out;
}

std::string without_kind(std::string text) {
  for (const std::string_view kind : {"(disorder)", "(finding)", "(situation)"}) {
    if (text.ends_with(kind)) text.resize(text.size() - kind.size());
  }
  return std::string(trimmed(text));
}

// Two different diseases of one visit, in the order of the file; of more than two, each with the
// next.
Result<Pairs> visits(const ReproduceOptions& options) {
  const auto table = Table::open(options.data + "/" + std::string(kConditions));
  if (!table) return fail(table.error());
  std::vector<std::size_t> wanted;
  for (const std::string_view name : {"ENCOUNTER", "DESCRIPTION"}) {
    const auto column = table->column(name);
    if (!column) return fail(column.error());
    wanted.push_back(*column);
  }
  const auto rows = read_rows(*table, wanted);
  if (!rows) return fail(rows.error());
  auto coder = Coder::open("first disease", options.data + "/" + std::string(kDiseases),
                           kDiseaseDecisions, "", options);
  if (!coder) return fail(coder.error());

  Pairs out;
  out.title = "Synthea: two diseases found at one visit, both in the Disease Ontology";
  out.records.attributes = {coder->attribute(), coder->attribute("second disease")};
  out.records.columns.resize(2);
  std::map<std::string, ConceptId> last;  // by visit
  std::size_t mapped = 0;
  for (const auto& row : *rows) {
    const auto disease = coder->code(without_kind(row[1]));
    if (!disease) continue;
    ++mapped;
    const auto [before, first] = last.try_emplace(row[0], *disease);
    if (first || before->second == *disease) continue;
    out.records.columns[0].push_back(before->second);
    out.records.columns[1].push_back(*disease);
    before->second = *disease;
  }
  out.notes.push_back(fmt::format(
      "{} of {} conditions ({:.0f} %) are diseases of the ontology.", mapped, rows->size(),
      100.0 * static_cast<double>(mapped) / static_cast<double>(rows->size())));
  return out;
}

Result<Pairs> adult_pairs(const std::string& title, const std::vector<std::size_t>& wanted,
                          Coder& a, Coder& b, const ReproduceOptions& options) {
  const auto rows = read_adult(options, wanted);
  if (!rows) return fail(rows.error());
  Pairs out;
  out.title = title;
  out.records.attributes = {a.attribute(),
                            &a == &b ? a.attribute("marital-status") : b.attribute()};
  out.records.columns.resize(2);
  for (const auto& row : *rows) {
    const auto first = a.code(row[0]);
    const auto second = b.code(row[1]);
    if (!first || !second) continue;
    out.records.columns[0].push_back(*first);
    out.records.columns[1].push_back(*second);
  }
  out.notes.push_back(fmt::format("Every {}th record of Adult; {} of {} complete ones mapped.",
                                  kAdultStep, out.records.size(), rows->size()));
  return out;
}

Result<Coder> family(const ReproduceOptions& options) {
  return Coder::open("relationship", "wordnet", kFamilyDecisions, kPerson, options);
}

Result<Coder> hierarchy(const std::string& name, std::string_view file,
                        const ReproduceOptions& options) {
  return Coder::open(name, "vgh:" + options.data + "/" + std::string(file), "", "", options);
}

}  // namespace

std::span<const DataFile> pairs_files() { return kFiles; }

Result<std::vector<Pairs>> pairs_of_one_domain(const ReproduceOptions& options) {
  auto diseases = visits(options);
  if (!diseases) return fail(diseases.error());
  auto persons = family(options);
  if (!persons) return fail(persons.error());
  auto adult = adult_pairs("Adult: relationship and marital status, both as persons of WordNet",
                           {kRelationshipColumn, kMaritalColumn}, *persons, *persons, options);
  if (!adult) return fail(adult.error());
  return std::vector{*std::move(diseases), *std::move(adult)};
}

Result<std::vector<Pairs>> pairs_of_two_domains(const ReproduceOptions& options) {
  auto persons = family(options);
  if (!persons) return fail(persons.error());
  auto marital = hierarchy("marital-status", kMarital, options);
  if (!marital) return fail(marital.error());
  auto belonging = adult_pairs("Adult: relationship (WordNet) and marital status (ARX)",
                               {kRelationshipColumn, kMaritalColumn}, *persons, *marital, options);
  if (!belonging) return fail(belonging.error());

  auto words = Coder::open("occupation", "wordnet", occupation_decisions(), kPerson, options);
  if (!words) return fail(words.error());
  auto education = hierarchy("education", kEducation, options);
  if (!education) return fail(education.error());
  auto work = adult_pairs("Adult: occupation (WordNet) and education (ARX)",
                          {kOccupationColumn, kEducationColumn}, *words, *education, options);
  if (!work) return fail(work.error());

  auto occupation = hierarchy("occupation", kOccupation, options);
  if (!occupation) return fail(occupation.error());
  auto flat = adult_pairs("Adult: occupation and education (both ARX)",
                          {kOccupationColumn, kEducationColumn}, *occupation, *education, options);
  if (!flat) return fail(flat.error());
  return std::vector{*std::move(belonging), *std::move(work), *std::move(flat)};
}

}  // namespace semveil::reproduction
