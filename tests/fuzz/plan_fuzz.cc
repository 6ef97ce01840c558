// Plans of any bytes, as a file, as an option's value and as a seed: what is refused is refused
// with a place, what is accepted keeps the promises that the masking relies on, and a seed is not
// told.
#include <set>
#include <string>

#include "fuzz/touch.h"
#include "semveil/plan_file.h"

namespace {

using namespace semveil;
using fuzz::require;

void check(const Result<PlanFile>& plan) {
  if (!plan) {
    require(!plan.error().message.empty() && !plan.error().place.file.empty());
    static_cast<void>(describe(plan.error(), Quote::kShow));
    return;
  }
  std::set<std::string> names;
  for (const ColumnSettings& column : plan->columns) {
    require(names.insert(column.name).second && plan->find(column.name) == &column);
    require(column.ontology.empty() || plan->ontologies.contains(column.ontology));
    require(!column.demand || column.demand->l || column.demand->t);
  }
  for (const auto& [name, source] : plan->ontologies) require(!source.empty());
  if (plan->steps.empty()) return;
  require(plan->steps.at(0).method != nullptr);
  const auto said = [&](std::string_view key) { return plan->steps.at(0).settings.find(key); };
  require(said("alpha") == nullptr || std::get<double>(*said("alpha")) > 0);
  for (const std::string& column : plan->steps.at(0).columns) require(names.contains(column));
  if (said("pairs") == nullptr) return;
  for (const auto& [a, b] : std::get<ColumnPairs>(*said("pairs"))) {
    require(a != b && names.contains(a));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text_of(data, size));
  check(PlanFile::parse(text, "p.toml"));
  const std::string columns =
      "[ontology.d]\nsource = 'd.obo'\n[column]\na = {ontology = 'd'}\nb = {ontology = 'd'}\n";
  for (const char* key : {"alpha", "columns", "pairs", "method"}) {
    check(PlanFile::parse(columns + "[mask]\nmethod = 'noise'\nreference = 'pair'", "p.toml",
                          {{key, text}}));
  }
  // Eight letters or digits in a row are long enough not to stand in a message by chance.
  const bool secret = size >= 8 && text.find_first_not_of("0123456789qxzQXZ") == text.npos;
  if (!secret) return 0;
  for (const char* before : {"seed = ", "seed = '", "seed = true", "seed = [", "seed = {a = ",
                             "seed = 1\nseed = ", "seed.a = 1\nseed = ", "seed = 'x' "}) {
    const Result<PlanFile> plan = PlanFile::parse(before + text, "p.toml");
    require(!plan && describe(plan.error(), Quote::kShow).find(text) == std::string::npos);
  }
  return 0;
}
