// Codes that a ClaML classification leaves to be made from modifiers: the 4th and 5th characters of
// ICD-10.
//
//   E10 modified by S04E10_4 with the classes .0 "with coma", .1 "with ketoacidosis"
//   → E10.0 "Type 1 diabetes: with coma", E10.1 …, children of E10
//
// ISO 13120: <ModifiedBy> holds for a class and all below it, except where <ExcludeModifier> takes
// it away again (from that class and all below). Codes are made for classes with nothing declared
// below them, chapters and blocks excepted; so M00, which has M00.0 …, hands its 5th character down
// to them. Modifiers of one class work one after the other, by position: E10 → E10.0 → E10.01;
// those of one position stand beside each other. The position is what the <ModifiedBy> says; else 4
// if the classes begin with a dot, else what stands behind the last _ of the modifier's code, else
// 5.
//
// The code is the class's code and the modifier class's behind it. A code that has a dot takes no
// second one: the place is taken. Three characters without a dot get the dot first (W00 + 0 →
// W00.0) and, for a 5th character, an X in the empty place (M45 + 0 → M45.X0), as WHO writes it. A
// code that the file declares itself stays as it is declared.
//
// Of a modifier only the classes are used that <ValidModifierClass> names, where it names any, and
// not those whose <Meta name="excludeOnPrecedingModifier"> names what was appended before. Modifier
// classes may stand below each other. Names are joined: "class: modifier class".
//
// Cost: the codes that are made; at most kMostCodes of them and kMostBytes of names, found in at
// most kMostTries, so that a file of a few lines cannot fill the memory.
#pragma once

#include <unordered_map>
#include <vector>

#include "base/text_hash.h"
#include "ontology/claml/claml_file.h"
#include "ontology/draft.h"

namespace semveil {

using ClamlCodes = std::unordered_map<std::string, OntologyDraft::Index, TextHash, std::equal_to<>>;

struct ClamlMade {
  std::uint64_t codes = 0;
  std::uint64_t declared = 0;  // that were there already
};

// The file's classes are the draft's concepts, in the same order; `parents` are theirs, by class.
Result<ClamlMade> make_modified_codes(const ClamlFile& file,
                                      const std::vector<std::vector<OntologyDraft::Index>>& parents,
                                      ClamlCodes& codes, OntologyDraft& draft);

}  // namespace semveil
