#include "support/slow_rf2.h"

#include <algorithm>
#include <sstream>

namespace semveil::test {
namespace {

using Row = std::map<std::string, std::string>;  // by column

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, '\t');) fields.push_back(field);
  return fields;
}

// The newest row of each id.
std::map<std::string, Row> newest(const std::string& text) {
  std::map<std::string, Row> rows;
  std::istringstream in(text);
  std::vector<std::string> columns;
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with('\r')) line.pop_back();
    const std::vector<std::string> fields = split(line);
    if (columns.empty()) {
      columns = fields;
      continue;
    }
    Row row;
    for (std::size_t i = 0; i < columns.size(); ++i) row[columns[i]] = fields[i];
    Row& known = rows[row["id"]];
    if (known.empty() || known["effectiveTime"] <= row["effectiveTime"]) known = row;
  }
  return rows;
}

bool by_number(const std::string& a, const std::string& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

const std::vector<std::string> kReplacements{"900000000000527005", "900000000000526001",
                                             "900000000000523009", "1186921001",
                                             "900000000000530003", "1186924009"};

}  // namespace

SlowRf2::SlowRf2(const Files& files, const std::string& reference_set,
                 const std::string& language) {
  std::map<std::string, Row> all = newest(files.concepts);
  for (auto& [id, row] : all) {
    if (row["active"] == "1") {
      concepts[id].label = id;
    } else {
      ++inactive;
    }
  }

  for (auto& [id, row] : newest(files.relationships)) {
    Row r = row;
    if (r["active"] == "1" && r["typeId"] == "116680003" && concepts.contains(r["sourceId"]) &&
        concepts.contains(r["destinationId"])) {
      concepts[r["sourceId"]].parents.insert(r["destinationId"]);
    }
  }

  std::map<std::string, int> acceptance;  // 2: preferred, 1: acceptable
  for (auto& [id, row] : newest(files.languages)) {
    Row r = row;
    if (r["active"] != "1" || r["refsetId"] != reference_set) continue;
    int& known = acceptance[r["referencedComponentId"]];
    known = std::max(known, r["acceptabilityId"] == "900000000000548007" ? 2 : 1);
  }
  std::map<std::string, std::vector<Row>> described;  // by concept
  for (const std::string* text : {&files.descriptions, &files.definitions}) {
    for (auto& [id, row] : newest(*text)) {
      Row r = row;
      if (r["active"] == "1") described[r["conceptId"]].push_back(r);
    }
  }
  for (auto& [id, c] : concepts) {
    std::vector<Row> rows = described[id];
    std::sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
      const int x = acceptance[a.at("id")], y = acceptance[b.at("id")];
      return x != y ? x > y : by_number(a.at("id"), b.at("id"));
    });
    const auto is_name = [&](Row& r) {
      return language.empty() ? acceptance[r["id"]] > 0 : r["languageCode"] == language;
    };
    std::string preferred, full_name, foreign_full_name;
    std::vector<std::string> synonyms;
    for (Row& r : rows) {
      if (r["typeId"] == "900000000000003001") {
        std::string& name = is_name(r) ? full_name : foreign_full_name;
        if (name.empty()) name = r["term"];
      } else if (is_name(r) && r["typeId"] == "900000000000013009") {
        if (preferred.empty() && acceptance[r["id"]] == 2) preferred = r["term"];
        synonyms.push_back(r["term"]);
      } else if (is_name(r) && c.definition.empty()) {
        c.definition = r["term"];
      }
    }
    if (full_name.empty()) full_name = foreign_full_name;
    if (!preferred.empty()) {
      c.label = preferred;
    } else if (!full_name.empty()) {
      c.label = full_name;
    } else if (!synonyms.empty()) {
      c.label = synonyms.front();
    }
    if (!full_name.empty()) {
      synonyms.push_back(full_name);
      synonyms.push_back(full_name.substr(0, full_name.rfind(" (")));
    }
    for (const std::string& name : synonyms) {
      if (name != c.label) c.others.emplace(TermKind::kExactSynonym, name);
    }
  }

  std::map<std::string, std::map<std::size_t, std::set<std::string>>> leads;  // by kind
  for (auto& [id, row] : newest(files.associations)) {
    Row r = row;
    const auto kind = std::find(kReplacements.begin(), kReplacements.end(), r["refsetId"]);
    if (r["active"] != "1" || kind == kReplacements.end()) continue;
    leads[r["referencedComponentId"]][static_cast<std::size_t>(kind - kReplacements.begin())]
        .insert(r["targetComponentId"]);
  }
  for (auto& [old, row] : all) {
    if (row["active"] == "1") continue;
    std::set<std::string> met{old};
    for (bool more = true; more;) {  // until nothing is new
      more = false;
      for (const std::string& at : std::set<std::string>(met)) {
        if (concepts.contains(at) || !leads.contains(at)) continue;
        for (const std::string& to : leads[at].begin()->second) more |= met.insert(to).second;
      }
    }
    bool found = false;
    for (const std::string& at : met) {
      if (!concepts.contains(at)) continue;
      concepts[at].others.emplace(TermKind::kAltId, old);
      found = true;
    }
    followed += found ? 1 : 0;
  }
}

}  // namespace semveil::test
