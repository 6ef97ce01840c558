// Adult's complete records over the twelve quasi-identifiers that mu-ANT uses: eight nominal, four
// numeric (population standard deviations as units, no decimals).
#pragma once

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "mechanisms/classes/class_table.h"
#include "semveil/ontology.h"

namespace semveil::bench {

struct AdultColumn {
  std::size_t place;  // in adult.data
  const char* name;   // as in the names of the hierarchies
  bool numeric = false;
  bool hierarchy = true;  // there is one
};
inline constexpr std::array<AdultColumn, 12> kAdultColumns{{{0, "age", true},
                                                            {1, "workclass"},
                                                            {3, "education"},
                                                            {5, "marital-status"},
                                                            {6, "occupation"},
                                                            {7, "relationship", false, false},
                                                            {8, "race"},
                                                            {9, "sex"},
                                                            {10, "capital-gain", true},
                                                            {11, "capital-loss", true},
                                                            {12, "hours-per-week", true},
                                                            {13, "native-country"}}};

// By record, then column; empty where the file cannot be read.
inline std::vector<std::vector<std::string>> adult_records(const std::string& data_folder) {
  std::string text;
  const gzFile file = gzopen((data_folder + "/adult/adult.data.gz").c_str(), "rb");
  if (file == nullptr) return {};
  std::array<char, 65536> some{};
  for (int got = 0; (got = gzread(file, some.data(), some.size())) > 0;) {
    text.append(some.data(), static_cast<std::size_t>(got));
  }
  gzclose(file);
  std::vector<std::vector<std::string>> out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    const std::string line = text.substr(begin, end - begin);
    begin = end == std::string::npos ? text.size() : end + 1;
    if (line.empty() || line.find('?') != std::string::npos) continue;
    std::vector<std::string> cells;
    for (std::size_t from = 0; from < line.size();) {
      const std::size_t comma = std::min(line.size(), line.find(',', from));
      cells.push_back(line.substr(from, comma - from));
      from = comma + 2;  // a blank follows
    }
    std::vector<std::string> record;
    for (const AdultColumn& column : kAdultColumns) record.push_back(cells.at(column.place));
    out.push_back(std::move(record));
  }
  return out;
}

// `semantic`: words by Wu-Palmer over their hierarchies, else 0 or 1. Empty where data is missing.
inline ClassTable adult_table(const std::string& data_folder, bool semantic) {
  const auto records = adult_records(data_folder);
  ClassTable table;
  if (records.empty()) return table;
  std::vector<std::map<std::string, ConceptId>> codes(kAdultColumns.size());
  for (std::size_t j = 0; j < kAdultColumns.size(); ++j) {
    const AdultColumn& column = kAdultColumns[j];
    std::set<std::string> texts;
    for (const auto& record : records) texts.insert(record[j]);
    Attribute attribute;
    if (column.numeric) {
      std::map<double, std::string> numbers;
      for (const std::string& text : texts) numbers.emplace(std::stod(text), text);
      std::vector<double> values;
      for (const auto& [number, text] : numbers) {
        codes[j][text] = static_cast<ConceptId>(values.size());
        values.push_back(number);
      }
      double sum = 0;
      double squares = 0;
      for (const auto& record : records) {
        const double x = values[codes[j][record[j]]];
        sum += x;
        squares += x * x;
      }
      const auto n = static_cast<double>(records.size());
      attribute =
          numeric_attribute(column.name, values, std::sqrt(squares / n - (sum / n) * (sum / n)));
    } else if (semantic && column.hierarchy) {
      const auto ontology = open_ontology(
          "vgh:" + data_folder + "/arx-hierarchies/adult_hierarchy_" + column.name + ".csv",
          {.use_cache = false});
      if (!ontology) return {};
      const std::shared_ptr<const Taxonomy> taxonomy = *ontology->taxonomy();
      attribute.name = column.name;
      attribute.names = *ontology->names();
      attribute.domain = std::make_shared<const Domain>(Domain::whole(taxonomy));
      attribute.measure = *make_measure(taxonomy);
      attribute.candidates = std::make_shared<const Candidates>(*Candidates::of(*taxonomy, {}));
      for (ConceptId c = 0; c < taxonomy->size(); ++c) {
        if (!taxonomy->is_virtual(c)) codes[j].emplace(attribute.names->id(c), c);
      }
    } else {
      std::vector<std::string> list(texts.begin(), texts.end());
      for (std::size_t i = 0; i < list.size(); ++i) codes[j][list[i]] = static_cast<ConceptId>(i);
      attribute = text_attribute(column.name, std::move(list));
    }
    std::set<ConceptId> values;
    for (const std::string& text : texts) values.insert(codes[j].at(text));
    table.values.emplace_back(values.begin(), values.end());
    table.attributes.push_back(std::make_shared<const Attribute>(std::move(attribute)));
  }
  std::map<std::vector<Code>, std::uint64_t> tuples;
  for (const auto& record : records) {
    std::vector<Code> tuple;
    for (std::size_t j = 0; j < record.size(); ++j) {
      const auto& values = table.values[j];
      const auto at = std::ranges::lower_bound(values, codes[j].at(record[j]));
      tuple.push_back(static_cast<Code>(at - values.begin()));
    }
    ++tuples[tuple];
  }
  for (const auto& [tuple, count] : tuples) {
    table.tuples.insert(table.tuples.end(), tuple.begin(), tuple.end());
    table.counts.push_back(count);
  }
  return table;
}

}  // namespace semveil::bench
