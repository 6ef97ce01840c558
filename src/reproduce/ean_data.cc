#include "reproduce/ean_data.h"

#include <map>

#include "mechanisms/sets/categories.h"
#include "reproduce/public_data.h"

namespace semveil::reproduction {
namespace {

constexpr std::string_view kThree =
    "# offices, hands, services\n"
    "Prof-specialty, Exec-managerial, Adm-clerical, Sales, Tech-support\n"
    "Craft-repair, Machine-op-inspct, Transport-moving, Handlers-cleaners, Farming-fishing\n"
    "Other-service, Priv-house-serv, Protective-serv, Armed-Forces\n";
constexpr std::string_view kFive =
    "# knowledge, office, workshop, open air, services\n"
    "Prof-specialty, Exec-managerial, Tech-support\n"
    "Adm-clerical, Sales\n"
    "Craft-repair, Machine-op-inspct\n"
    "Transport-moving, Handlers-cleaners, Farming-fishing\n"
    "Other-service, Priv-house-serv, Protective-serv, Armed-Forces\n";
constexpr std::string_view kSeven =
    "# as five, with offices apart from shops and guards from servants\n"
    "Prof-specialty, Tech-support\n"
    "Exec-managerial, Adm-clerical\n"
    "Sales\n"
    "Craft-repair, Machine-op-inspct\n"
    "Transport-moving, Handlers-cleaners, Farming-fishing\n"
    "Other-service, Priv-house-serv\n"
    "Protective-serv, Armed-Forces\n";
constexpr std::string_view kTen =
    "# only the closest relatives together\n"
    "Prof-specialty, Tech-support\n"
    "Exec-managerial\n"
    "Adm-clerical\n"
    "Sales\n"
    "Craft-repair, Machine-op-inspct\n"
    "Transport-moving\n"
    "Handlers-cleaners\n"
    "Farming-fishing\n"
    "Other-service, Priv-house-serv\n"
    "Protective-serv, Armed-Forces\n";
constexpr std::array kCategoryLines{kThree, kFive, kSeven, kTen};  // by place in kSetSizes

}  // namespace

Status occupations_are_there(const std::string& folder) {
  constexpr std::array kFiles{kAdult, kArxOccupation};
  return data_is_there(folder, kFiles, "ean", "; part 1 does without");
}

Result<Records> occupations(const ReproduceOptions& options) {
  // The eight attributes of the paper: a record is complete if it has all of them.
  const auto rows = read_adult(options,
                               {kOccupationColumn, kAgeColumn, kWorkclassColumn, kEducationColumn,
                                kMaritalColumn, kRaceColumn, kSexColumn, kCountryColumn},
                               1);
  if (!rows) return fail(rows.error());
  const std::string hierarchy = path_of(options, kArxOccupation);
  auto coder = Coder::open("occupation", "vgh:" + hierarchy, "", "", options);
  if (!coder) return fail(coder.error());
  Records out;
  out.attributes.push_back(coder->attribute());
  std::vector<ConceptId>& cells = out.columns.emplace_back();
  for (const auto& row : *rows) {
    const auto value = coder->code(row.front());
    if (!value) {
      return fail(data_error("the hierarchy does not have a value of the column")
                      .at(hierarchy)
                      .quoting(row.front()));
    }
    cells.push_back(*value);
  }
  return out;
}

std::string_view occupation_categories(unsigned l) {
  for (std::size_t i = 0; i < kSetSizes.size(); ++i) {
    if (kSetSizes[i] == l) return kCategoryLines[i];
  }
  return {};
}

CategoryRule listed_values(std::string_view text, const std::string& name) {
  return [text, name](const FrequencyColumn& column) -> Result<Categories> {
    const auto lines = read_categories(text, name);
    if (!lines) return fail(lines.error());
    std::map<std::string, ConceptId, std::less<>> by_text;
    for (ConceptId c = 0; c < column.attribute->size(); ++c) {
      by_text.emplace(column.attribute->id(c), c);
    }
    const auto value_of = [&](std::string_view value) -> std::optional<ConceptId> {
      const auto at = by_text.find(value);
      return at == by_text.end() ? std::nullopt : std::optional(at->second);
    };
    return listed_categories(*lines, name, value_of, column);
  };
}

CategoryRule listed_occupations(unsigned l) {
  return listed_values(occupation_categories(l), "occupations.csv");
}

CategoryRule balanced_occupations(unsigned l) {
  return [l](const FrequencyColumn& column) { return balanced_categories(l, column); };
}

std::unique_ptr<const Mechanism> make_set_method(SetMethod method, unsigned l) {
  SetOptions options;
  options.l = l;
  if (method == kAdditive) return make_an(std::move(options));
  options.categories = {method == kEanBalanced ? balanced_occupations(l) : listed_occupations(l)};
  options.draw = method == kEanUniform ? SetDraw::kUniform : SetDraw::kFrequency;
  return make_ean(std::move(options));
}

Result<std::unique_ptr<const FittedMethod>> fit_sets(SetMethod method, unsigned l,
                                                     const FrequencyTable& table, unsigned number) {
  return make_set_method(method, l)->fit(table, stream_key(trial_key(number), table.digest(), ""));
}

std::vector<ConceptId> sets_of(const FittedMethod& plan, std::span<const ConceptId> cells) {
  RecordBatch in;
  in.rows = cells.size();
  in.columns = {cells};
  MaskedBatch out;
  out.counted = false;
  plan.apply(in, out);
  return std::move(out.columns.front());
}

}  // namespace semveil::reproduction
