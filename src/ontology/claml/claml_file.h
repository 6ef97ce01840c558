// What a ClaML file says, before it is made into concepts. See claml_loader.cc.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ontology/source_files.h"

namespace semveil {

inline constexpr std::size_t kLongestClamlCode = 200;

enum class ClamlRubric : std::uint8_t {
  kPreferred,
  kPreferredLong,
  kSynonym,
  kInclusion,
  kDefinition,
};

struct ClamlReference {
  std::string code;
  std::uint64_t line;
};

struct ClamlModifiedBy {
  std::string modifier;
  unsigned position = 0;           // of its character in the code; 0: not said
  bool all = true;                 // else only those below
  std::vector<std::string> valid;  // modifier classes, ascending; empty with `all`: every one
  std::uint64_t line = 0;
};

struct ClamlClass {  // a <Class>, <Modifier> or <ModifierClass>
  std::string code;
  std::string kind;      // of a <Class>
  std::string modifier;  // of a <ModifierClass>
  std::uint64_t line = 0;
  std::vector<ClamlReference> above, below;  // <SuperClass>, <SubClass>
  std::vector<ClamlModifiedBy> modified_by;
  std::vector<std::string> excluded;  // modifiers, ascending
  // Modifier and class behind which a <ModifierClass> is not used, ascending.
  std::vector<std::pair<std::string, std::string>> not_behind;
  std::vector<std::pair<ClamlRubric, std::string>> texts;

  std::string_view first(ClamlRubric rubric) const;
  // Preferred, else the long form, else the code.
  std::string_view label() const;
};

struct ClamlFile {
  std::string name;  // for messages
  std::string version;
  std::vector<ClamlClass> classes, modifier_classes;
  std::set<std::string, std::less<>> modifiers;
  std::map<std::string, std::uint64_t> rubrics_left_out;  // by kind
  std::uint64_t labels_left_out = 0;                      // in other languages

  Error error(std::uint64_t line, std::string message, std::string_view value = {}) const;
};

// `language` as in xml:lang, without regard to case: "de" takes "de-AT" too. Empty: the title's, if
// there is a label in it, else that of the first label of a class.
Result<ClamlFile> read_claml_file(NamedStream input, const std::string& language);

}  // namespace semveil
