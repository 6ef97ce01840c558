// One taxonomy written in every format there is a loader for.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "support/generate.h"

namespace semveil::test {

// Ids of ten digits: every format takes them, and their order stays when something is put in front.
struct Numbered {
  std::vector<std::string> ids;
  std::vector<std::vector<std::size_t>> parents;
  bool is_tree = true;

  // Child and parent of each link; `numbers`: 0, 1, 2, … in any order, one for each concept.
  Numbered(const std::vector<std::pair<std::size_t, std::size_t>>& links,
           const std::vector<std::size_t>& numbers) {
    for (const std::size_t n : numbers) ids.push_back(fmt::format("{}", 1000000000 + 37 * n));
    parents.resize(ids.size());
    for (const auto& [child, parent] : links) parents[child].push_back(parent);
    std::size_t roots = 0;
    for (std::vector<std::size_t>& some : parents) {
      std::sort(some.begin(), some.end());
      some.erase(std::unique(some.begin(), some.end()), some.end());
      roots += some.empty() ? 1 : 0;
      is_tree &= some.size() <= 1;
    }
    is_tree &= roots == 1;
  }
  static Numbered of(Shape shape, std::size_t size, std::uint64_t seed) {
    const GeneratedTaxonomy taxonomy = generate(shape, size, seed);
    std::vector<std::size_t> numbers(taxonomy.ids.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
    Random(seed).shuffle(numbers);
    return {taxonomy.links, numbers};
  }

  std::string label(std::size_t c) const { return "concept " + std::to_string(c); }
  // Parents before children.
  std::vector<std::size_t> in_order() const {
    std::vector<std::size_t> order;
    std::vector<bool> done(ids.size(), false);
    while (order.size() < ids.size()) {
      for (std::size_t c = 0; c < ids.size(); ++c) {
        const bool ready = std::ranges::all_of(parents[c], [&](std::size_t p) { return done[p]; });
        if (done[c] || !ready) continue;
        done[c] = true;
        order.push_back(c);
      }
    }
    return order;
  }
};

inline std::string as_edges(const Numbered& t) {
  std::string text = "child,parent,label\n";
  for (std::size_t c = 0; c < t.ids.size(); ++c) {
    if (t.parents[c].empty()) text += fmt::format("{},,{}\n", t.ids[c], t.label(c));
    for (const std::size_t p : t.parents[c]) {
      text += fmt::format("{},{},{}\n", t.ids[c], t.ids[p], t.label(c));
    }
  }
  return text;
}

inline std::string as_obo(const Numbered& t) {
  std::string text = "format-version: 1.2\n";
  for (std::size_t c = 0; c < t.ids.size(); ++c) {
    text += fmt::format("\n[Term]\nid: {}\nname: {}\n", t.ids[c], t.label(c));
    for (const std::size_t p : t.parents[c]) text += fmt::format("is_a: {}\n", t.ids[p]);
  }
  return text;
}

inline std::string as_skos(const Numbered& t) {
  std::string text = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n";
  for (std::size_t c = 0; c < t.ids.size(); ++c) {
    text += fmt::format("<http://x.org/{}> a skos:Concept ; skos:prefLabel \"{}\"@en", t.ids[c],
                        t.label(c));
    for (const std::size_t p : t.parents[c]) {
      text += fmt::format(" ; skos:broader <http://x.org/{}>", t.ids[p]);
    }
    text += " .\n";
  }
  return text;
}

inline std::string as_owl_triples(const Numbered& t) {
  constexpr std::string_view kRdfs = "http://www.w3.org/2000/01/rdf-schema#";
  std::string text;
  for (std::size_t c = 0; c < t.ids.size(); ++c) {
    const std::string iri = fmt::format("<http://x.org/{}>", t.ids[c]);
    text += fmt::format(
        "{} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> "
        "<http://www.w3.org/2002/07/owl#Class> "
        ".\n{} <{}label> \"{}\" .\n",
        iri, iri, kRdfs, t.label(c));
    for (const std::size_t p : t.parents[c]) {
      text += fmt::format("{} <{}subClassOf> <http://x.org/{}> .\n", iri, kRdfs, t.ids[p]);
    }
  }
  return text;
}

inline std::string as_owl_xml(const Numbered& t) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" "
      "xmlns:rdfs=\"http://www.w3.org/2000/01/rdf-schema#\" "
      "xmlns:owl=\"http://www.w3.org/2002/07/owl#\">\n";
  for (std::size_t c = 0; c < t.ids.size(); ++c) {
    text += fmt::format("<owl:Class rdf:about=\"http://x.org/{}\"><rdfs:label>{}</rdfs:label>",
                        t.ids[c], t.label(c));
    for (const std::size_t p : t.parents[c]) {
      text += fmt::format("<rdfs:subClassOf rdf:resource=\"http://x.org/{}\"/>", t.ids[p]);
    }
    text += "</owl:Class>\n";
  }
  return text + "</rdf:RDF>\n";
}

inline std::string as_claml(const Numbered& t) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ClaML version=\"2.0.0\">\n"
      "<Title name=\"T\" version=\"1\">T</Title>\n<ClassKinds><ClassKind name=\"category\"/>"
      "</ClassKinds>\n<RubricKinds><RubricKind name=\"preferred\"/></RubricKinds>\n";
  for (std::size_t c = 0; c < t.ids.size(); ++c) {
    text += fmt::format("<Class code=\"{}\" kind=\"category\">", t.ids[c]);
    for (const std::size_t p : t.parents[c]) {
      text += fmt::format("<SuperClass code=\"{}\"/>", t.ids[p]);
    }
    text += fmt::format(
        "<Rubric kind=\"preferred\"><Label xml:lang=\"en\">{}</Label></Rubric></Class>\n",
        t.label(c));
  }
  return text + "</ClaML>\n";
}

// A position below one position of each parent says all there is to say.
inline std::vector<std::pair<std::string, std::size_t>> tree_positions(const Numbered& t) {
  std::vector<std::string> first(t.ids.size());
  std::vector<std::pair<std::string, std::size_t>> positions;
  std::size_t next = 0;
  for (const std::size_t c : t.in_order()) {
    const auto place = [&](const std::string& position) {
      if (first[c].empty()) first[c] = position;
      positions.emplace_back(position, c);
    };
    if (t.parents[c].empty()) place(fmt::format("A{:03}", next++));
    for (const std::size_t p : t.parents[c]) place(fmt::format("{}.{:03}", first[p], next++));
  }
  return positions;
}

inline std::string as_mesh_tree(const Numbered& t) {
  std::string text = "Tree Number\tDesc Ui\tTerm\n";
  for (const auto& [position, c] : tree_positions(t)) {
    text += fmt::format("{}\t{}\t{}\n", position, t.ids[c], t.label(c));
  }
  return text;
}

inline std::string as_mesh_xml(const Numbered& t) {
  std::vector<std::string> numbers(t.ids.size());
  for (const auto& [position, c] : tree_positions(t)) {
    numbers[c] += fmt::format("<TreeNumber>{}</TreeNumber>", position);
  }
  std::string text = "<?xml version=\"1.0\"?>\n<DescriptorRecordSet LanguageCode=\"eng\">\n";
  for (std::size_t c = 0; c < t.ids.size(); ++c) {
    text += fmt::format(
        "<DescriptorRecord><DescriptorUI>{}</DescriptorUI><DescriptorName><String>{}</String>"
        "</DescriptorName><TreeNumberList>{}</TreeNumberList></DescriptorRecord>\n",
        t.ids[c], t.label(c), numbers[c]);
  }
  return text + "</DescriptorRecordSet>\n";
}

inline std::string as_mesh_ascii(const Numbered& t) {
  std::vector<std::string> numbers(t.ids.size());
  for (const auto& [position, c] : tree_positions(t)) numbers[c] += "MN = " + position + "\n";
  std::string text;
  for (std::size_t c = 0; c < t.ids.size(); ++c) {
    text += fmt::format("*NEWRECORD\nRECTYPE = D\nMH = {}\n{}UI = {}\n\n", t.label(c), numbers[c],
                        t.ids[c]);
  }
  return text;
}

inline std::string as_icd9_tree(const Numbered& t) {
  std::string text = "node_id,parent_id,level,label\n";
  for (const std::size_t c : t.in_order()) {
    text += fmt::format("{},{},category,{}\n", t.ids[c],
                        t.parents[c].empty() ? "" : t.ids[t.parents[c][0]], t.label(c));
  }
  return text;
}

// A snapshot folder with one module.
inline void write_rf2(const Numbered& t, const std::string& folder) {
  const std::string terminology = folder + "/Snapshot/Terminology";
  std::filesystem::create_directories(terminology);
  std::ofstream concepts(terminology + "/sct2_Concept_Snapshot_INT_20260101.txt");
  std::ofstream names(terminology + "/sct2_Description_Snapshot-en_INT_20260101.txt");
  std::ofstream links(terminology + "/sct2_Relationship_Snapshot_INT_20260101.txt");
  concepts << "id\teffectiveTime\tactive\tmoduleId\tdefinitionStatusId\r\n";
  names << "id\teffectiveTime\tactive\tmoduleId\tconceptId\tlanguageCode\ttypeId\tterm\t"
           "caseSignificanceId\r\n";
  links
      << "id\teffectiveTime\tactive\tmoduleId\tsourceId\tdestinationId\trelationshipGroup\ttypeId\t"
         "characteristicTypeId\tmodifierId\r\n";
  std::uint64_t next = 2000000000;
  for (std::size_t c = 0; c < t.ids.size(); ++c) {
    concepts << t.ids[c] << "\t20260101\t1\t900000000000207008\t900000000000074008\r\n";
    names << next++ << "\t20260101\t1\t900000000000207008\t" << t.ids[c]
          << "\ten\t900000000000003001\t" << t.label(c) << "\t900000000000448009\r\n";
    for (const std::size_t p : t.parents[c]) {
      links << next++ << "\t20260101\t1\t900000000000207008\t" << t.ids[c] << "\t" << t.ids[p]
            << "\t0\t116680003\t900000000000011006\t900000000000451002\r\n";
    }
  }
}

}  // namespace semveil::test
