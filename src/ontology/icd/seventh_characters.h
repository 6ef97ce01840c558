// The seventh characters of ICD-10-CM: codes that the tabular list describes and does not list.
//
//   <diag><name>S00</name> …
//     <sevenChrDef><extension char="A">initial encounter</extension> …</sevenChrDef>
//     <diag><name>S00.01</name><desc>Abrasion of scalp</desc></diag> …
//
// gives S00.01XA "Abrasion of scalp, initial encounter" below S00.01. A definition holds for the
// diagnosis it stands in and all below it, unless one of these has its own. Its characters go
// behind the codes without children, filled up with X to six characters; the dot stands behind the
// third. Labels are joined as the long titles of the order file are.
//
// Some of these codes do not exist. The list says so in a note that is read where it has this form:
//   7th characters D and S do not apply to codes in category S06 with 6th character 7 - death due
//   to …, or 8 - death due to …
//
// With both rules the codes of 2021 are those of the order file, no more and no less.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ontology/draft.h"

namespace semveil {

// Codes with one of these sixth characters take none of these seventh ones.
struct SeventhException {
  std::string sixth, seventh;
  static std::optional<SeventhException> from_note(std::string_view note);
};

// The code with this seventh character, with its dot; nothing where the code has seven already.
std::optional<std::string> with_seventh(std::string_view code, char seventh);

class SeventhCharacters {
 public:
  using Index = OntologyDraft::Index;
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  struct Code {
    std::string id, label;
    Index parent;
    std::uint64_t line;  // of the diagnosis
  };

  // Diagnoses come with those above them first.
  std::uint32_t add_diagnosis(Index concept_index, std::uint32_t above, std::uint64_t line);
  void set_label(std::uint32_t diagnosis, std::string_view label);
  void add_extension(std::uint32_t diagnosis, char seventh, std::string_view text);
  void add_exception(std::uint32_t diagnosis, SeventhException exception);

  // Calls add(Code) → Status for every code, until one fails.
  template <class Add>
  Status each(const OntologyDraft& draft, Add add);

  std::uint64_t definitions() const { return definitions_.size(); }
  std::uint64_t ruled_out() const { return ruled_out_; }  // known after each()
  std::uint64_t too_long() const { return too_long_; }

 private:
  struct Extension {
    char seventh;
    std::string text;
  };
  struct Diagnosis {
    Index concept_index;
    std::uint32_t above;  // or kNone
    std::uint32_t definition = kNone, exception = kNone;
    bool is_leaf = true;
    std::uint64_t line;
    std::string label;
  };

  void inherit();
  bool is_ruled_out(const Diagnosis& diagnosis, std::string_view code) const;

  std::vector<Diagnosis> diagnoses_;
  std::vector<std::vector<Extension>> definitions_;
  std::vector<SeventhException> exceptions_;
  std::uint64_t ruled_out_ = 0, too_long_ = 0;
};

template <class Add>
Status SeventhCharacters::each(const OntologyDraft& draft, Add add) {
  inherit();
  for (const Diagnosis& d : diagnoses_) {
    if (!d.is_leaf || d.definition == kNone) continue;
    const std::string code(draft.id(d.concept_index));
    for (const Extension& extension : definitions_[d.definition]) {
      std::optional<std::string> id = with_seventh(code, extension.seventh);
      if (!id) {
        ++too_long_;
      } else if (is_ruled_out(d, *id)) {
        ++ruled_out_;
      } else {
        Code made{*std::move(id), d.label.empty() ? code : d.label, d.concept_index, d.line};
        if (!extension.text.empty()) made.label += ", " + extension.text;
        if (const Status added = add(made); !added) return added;
      }
    }
  }
  return {};
}

}  // namespace semveil
