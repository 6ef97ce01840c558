// A table of forty records, its ontology and its plans: what damaged models and parts are tried on.
#pragma once

#include <array>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/small_table.h"
#include "semveil/plan_file.h"
#include "semveil/release.h"
#include "support/temporary_folder.h"

namespace semveil::fuzz {

inline constexpr std::size_t kClinicRows = 40;

inline std::vector<TextColumn> clinic() {
  std::vector<TextColumn> columns{{"id", {}}, {"a", {}}, {"age", {}}, {"day", {}}, {"ill", {}}};
  for (std::size_t row = 0; row < kClinicRows; ++row) {
    const auto number = [](std::size_t n) { return std::to_string(n); };
    columns[0].cells.emplace_back("p" + number(row / 2));
    columns[1].cells.emplace_back("d" + number(row * 7 % 5));
    if (row % 13 == 5) columns[1].cells.back().reset();
    columns[2].cells.emplace_back(number(20 + row * 3 % 4 * 10));
    columns[3].cells.emplace_back("2024-0" + number(1 + row % 3) + "-11");
    columns[4].cells.emplace_back("ill " + number(row % 4));
  }
  return columns;
}

// Of a method, with further keys. Columns that it cannot mask play no part.
inline PlanFile clinic_plan(std::string_view mask) {
  static const test::TemporaryFolder folder;
  static const std::string ontology = [] {
    const std::string path = folder.path() + "/d.csv";
    std::ofstream(path) << "child,parent\ng0,d\ng1,d\nd0,g0\nd1,g0\nd2,g1\nd3,g1\nd4,g1\n";
    return path;
  }();
  return PlanFile::parse("[ontology.d]\nsource = 'edges:" + ontology +
                             "'\n[column]\nid = {role = 'identifier'}\n"
                             "a = {role = 'quasi-identifier', ontology = 'd', root = 'd'}\n"
                             "age = {role = 'quasi-identifier', type = 'numeric'}\n"
                             "day = {role = 'other', type = 'date'}\n"
                             "ill = {role = 'sensitive'}\n" +
                             std::string(mask),
                         "p.toml")
      .value();
}

inline constexpr std::array kClinicMasks{
    "[mask]\nmethod = 'noise'\nalpha = 0.3\n",
    "[mask]\nmethod = 'noise'\nalpha = 0.3\ncolumns = ['a', 'age']\ncorrelated = true\n",
    "[mask]\nmethod = 'swap'\nk = 5\n",
    "[mask]\nmethod = 'random-swap'\ncolumns = ['a', 'age']\n",
    "[mask]\nmethod = 'fuse'\nk = 3\n",
    "[mask]\nmethod = 'recode'\nk = 3\ncolumns = ['a']\n",
    "[mask]\nmethod = 'generalize'\nk = 3\nsuppression = 0.1\n",
    "[mask]\nmethod = 'generalize'\nk = 3\nsuppress = 'cells'\n",
    "[mask]\nmethod = 'microaggregate'\nk = 3\n",
    "[mask]\nmethod = 'an'\nl = 2\n",
    "[mask]\nmethod = 'probabilistic'\n",
    "[[mask]]\nmethod = 'round'\ncolumns = ['age']\nbase = 20\n[[mask]]\nmethod = 'naive'\n",
    "[[mask]]\nmethod = 'code'\ncolumns = ['age']\ntop = 40\nas = 'text'\n"
    "[[mask]]\nmethod = 'noise'\ncolumns = ['a']\nalpha = 0.2\ndraw_by = 'id'\n"};

inline Key some_key() { return Key::from_bytes(std::array<unsigned char, Key::kSize>{7}); }

inline WorkOptions quiet_work(unsigned threads = 1) {
  WorkOptions work;
  work.threads = threads;
  work.use_cache = false;
  return work;
}

inline Model clinic_model(std::string_view mask) {
  const PlanFile plan = clinic_plan(mask);
  const Table table = table_of(clinic()).value();
  const Survey surveyed = survey(table, plan, quiet_work()).value();
  return Model::fit(surveyed, plan, some_key(), quiet_work()).value();
}

// The release's cells; an error where it is refused.
inline Result<std::vector<TextColumn>> released(const Model& model, const Table& table,
                                                ApplyOptions options) {
  MemoryOutput out;
  options.memory = &out;
  auto release = apply(model, table, options);
  if (!release) return fail(release.error());
  if (const Status named = release->commit(); !named) return fail(named.error());
  ArrowArrayStream stream{};
  require(out.stream(&stream).has_value());
  const auto masked = table_from(&stream);
  require(masked.has_value());
  return cells_of(*masked);
}

}  // namespace semveil::fuzz
