// What the three forms of MeSH have in common: descriptors with positions in the tree.
//
// A tree number is a path: the parent of C14.280.067 is the descriptor at C14.280. A descriptor at
// several positions is one concept with several parents. A number without a dot is a top position.
//
// Left out and counted: descriptors without a tree number, which have no place in a taxonomy, and
// positions of a descriptor directly below itself, which say nothing.
//
// Cost: one look-up per position; memory for the tree numbers and the draft.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/text_hash.h"
#include "ontology/draft.h"
#include "ontology/source_files.h"

namespace semveil {

struct MeshRecord {  // a descriptor, as XML and ASCII have it
  struct Term {
    TermKind kind;
    std::string text;
  };
  struct Position {
    std::string number;
    std::uint64_t line;
  };
  std::string ui, name, note;
  std::vector<Position> positions;
  std::vector<Term> terms;
  std::uint64_t line = 0;  // where it begins
};

class MeshDraft {
 public:
  explicit MeshDraft(std::string file) : file_(std::move(file)) { draft_.info.format = "mesh"; }

  // A whole descriptor.
  Status add(const MeshRecord& record);
  // A row of the tree: one position of a descriptor.
  Status add_position(std::string_view number, std::string_view ui, std::string_view name,
                      std::uint64_t line);
  // Counts what the parser holds of a record that has not ended; it fails where all that was kept
  // is too much.
  Status keep(std::size_t bytes, std::uint64_t line);
  OntologyInfo& info() { return draft_.info; }
  // `what` stands where nothing was read: "no <DescriptorRecord>".
  Result<OntologyDraft> finish(std::string_view what) &&;

 private:
  using Index = OntologyDraft::Index;
  static constexpr Index kNowhere = 0xFFFFFFFFU;  // a descriptor without a tree number
  struct Descriptor {
    Index concept_index;
    std::uint64_t line;
    std::string name;  // of the tree's rows, which repeat it
  };
  struct Position {
    Index concept_index;
    std::uint64_t line;
  };
  using Positions = std::unordered_map<std::string, Position, TextHash, std::equal_to<>>;

  Error error(std::uint64_t line, std::string message, std::string_view value = {}) const;
  Status place(Index concept_index, std::string_view number, std::uint64_t line);
  Status link();

  std::string file_;
  OntologyDraft draft_;
  std::unordered_map<std::string, Descriptor, TextHash, std::equal_to<>> descriptors_;
  Positions positions_;
  std::vector<Positions::const_pointer> in_order_;  // nodes of positions_ do not move
  std::uint64_t nowhere_ = 0, below_themselves_ = 0;
};

Result<OntologyDraft> read_mesh_xml(NamedStream input);
Result<OntologyDraft> read_mesh_ascii(NamedStream input);
Result<OntologyDraft> read_mesh_tree(NamedStream input);

}  // namespace semveil
