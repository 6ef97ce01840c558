// Adult's complete records with the hierarchies of ARX, as generalisation sees them.
#pragma once

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "mechanisms/classes/class_table.h"
#include "mechanisms/generalize/level_table.h"
#include "semveil/ontology.h"

namespace semveil::test {

// In the order in which ARX's figures were measured.
inline const std::vector<std::string> kAdultQuasiIdentifiers = {
    "sex",       "age",       "race", "marital-status", "education", "native-country",
    "workclass", "occupation"};

template <class T>
T adult_value(Result<T> result) {
  if (!result) throw std::runtime_error(describe(result.error(), Quote::kShow));
  return *std::move(result);
}

// The values of a hierarchy; the ontology is read from the file itself.
struct AdultColumn {
  std::shared_ptr<const Attribute> attribute;
  std::map<std::string, ConceptId> concept_of;
};
inline AdultColumn adult_column(const std::string& hierarchies, const std::string& name) {
  const std::string path = hierarchies + "/adult_hierarchy_" + name + ".csv";
  OpenOptions options;
  options.use_cache = false;
  const Ontology ontology = adult_value(open_ontology("vgh:" + path, options));
  auto attribute = std::make_shared<Attribute>();
  attribute->name = name;
  attribute->names = adult_value(ontology.names());
  attribute->domain =
      std::make_shared<const Domain>(Domain::whole(adult_value(ontology.taxonomy())));
  attribute->levels = adult_value(read_levels(path, *attribute->names, *attribute->domain));
  AdultColumn out{attribute, {}};
  for (ConceptId c = 0; c < attribute->size(); ++c) {
    out.concept_of.emplace(attribute->names->id(c), c);
  }
  return out;
}

// The lines of adult.data without a missing cell, as texts by column.
inline std::vector<std::vector<std::string>> adult_records(const std::string& data,
                                                           const std::vector<std::string>& names) {
  static const std::vector<std::string> kColumns = {"age",
                                                    "workclass",
                                                    "fnlwgt",
                                                    "education",
                                                    "education-num",
                                                    "marital-status",
                                                    "occupation",
                                                    "relationship",
                                                    "race",
                                                    "sex",
                                                    "capital-gain",
                                                    "capital-loss",
                                                    "hours-per-week",
                                                    "native-country",
                                                    "income"};
  const FileBytes bytes = adult_value(FileBytes::read(data));
  std::istringstream text{std::string(bytes.view())};
  std::vector<std::vector<std::string>> out(names.size());
  for (std::string line; std::getline(text, line);) {
    if (line.empty() || line.find('?') != std::string::npos) continue;
    std::map<std::string, std::string> cells;
    std::istringstream fields(line);
    for (const std::string& column : kColumns) {
      std::string cell;
      std::getline(fields >> std::ws, cell, ',');
      cells[column] = cell;
    }
    for (std::size_t j = 0; j < names.size(); ++j) out[j].push_back(cells.at(names[j]));
  }
  return out;
}

// Records as concepts, by column.
inline ClassTable table_of(const std::vector<std::shared_ptr<const Attribute>>& attributes,
                           const std::vector<std::vector<ConceptId>>& columns) {
  ClassTable out;
  out.attributes = attributes;
  for (const std::vector<ConceptId>& column : columns) {
    std::vector<ConceptId> values = column;
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    out.values.push_back(std::move(values));
  }
  std::vector<std::vector<Code>> records(columns.front().size());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    for (std::size_t i = 0; i < records.size(); ++i) {
      const auto& values = out.values[j];
      records[i].push_back(static_cast<Code>(
          std::lower_bound(values.begin(), values.end(), columns[j][i]) - values.begin()));
    }
  }
  std::sort(records.begin(), records.end());
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (i == 0 || records[i] != records[i - 1]) {
      out.tuples.insert(out.tuples.end(), records[i].begin(), records[i].end());
      out.counts.push_back(0);
    }
    ++out.counts.back();
  }
  return out;
}

// The first so many quasi-identifiers. `folder` holds adult/ and arx-hierarchies/.
inline ClassTable adult_table(const std::string& folder, std::size_t columns) {
  const std::vector<std::string> names(
      kAdultQuasiIdentifiers.begin(),
      kAdultQuasiIdentifiers.begin() + static_cast<std::ptrdiff_t>(columns));
  const auto records = adult_records(folder + "/adult/adult.data.gz", names);
  std::vector<std::shared_ptr<const Attribute>> attributes;
  std::vector<std::vector<ConceptId>> cells;
  for (std::size_t j = 0; j < columns; ++j) {
    const AdultColumn column = adult_column(folder + "/arx-hierarchies", names[j]);
    attributes.push_back(column.attribute);
    std::vector<ConceptId>& own = cells.emplace_back();
    for (const std::string& cell : records[j]) own.push_back(column.concept_of.at(cell));
  }
  return table_of(attributes, cells);
}

}  // namespace semveil::test
