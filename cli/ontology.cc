#include "verb.h"

namespace semveil::cli {

void add_ontology(CLI::App& app, Action& chosen) {
  CLI::App* ontology =
      add_verb(app, "ontology",
               "Look at ontologies, find concepts, make snapshots, convert, compare releases",
               "  semveil ontology info wordnet\n"
               "  semveil ontology search wordnet nurse\n"
               "  semveil ontology tree doid.obo.gz DOID:9351\n"
               "  semveil ontology snapshot wordnet -o wordnet.svo\n"
               "  semveil ontology convert mesh:desc2026.zip -o mesh.obo.gz\n"
               "  semveil ontology diff doid-2016.obo.gz doid-2024.obo.gz");
  ontology->require_subcommand(1);
  add_ontology_info(*ontology, chosen);
  add_ontology_search(*ontology, chosen);
  add_ontology_tree(*ontology, chosen);
  add_ontology_snapshot(*ontology, chosen);
  add_ontology_convert(*ontology, chosen);
  add_ontology_diff(*ontology, chosen);
}

}  // namespace semveil::cli
