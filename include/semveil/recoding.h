// Cell recodings: functions of a cell that are done before anything is fitted.
//
//   table ──recodings, in the written order──▶ the table that every other step is fitted on
//
// A recoding is a pure function of a cell's text and, where it asks for it, of its record's person:
// the same cell comes out the same in every record, batch, part and release of a model. Nothing is
// promised of it; how many cells came out changed is told. A cell that is missing stays missing.
//
// What the function needs to know of the column (the mean of all cells beyond a bound, what a text
// means to an ontology) it learns once, from the column's distinct texts after the recodings before
// it: make_recoding() gets them with their counts. A model keeps what was learned, and recodes
// texts that the fitted table did not have.
//
// How a recoding is added:
//
//   1. A class with recode() and save(), and a Method of shape kRecodes (method.h) whose
//      make_recoding() and load_recoding() make it; as src/mechanisms/cells/round_method.cc. A line
//      in src/methods/builtin.cc. It may be asked by several threads at once.
//   2. One that works on concepts (a level of a hierarchy) asks RecodedColumn::meaning, which is
//      there for columns with an ontology: text → concept → text; as
//      src/mechanisms/generalize/level_method.cc.
//   3. One that needs its record's person says so (needs_person), and recode() gets the person's
//      text beside the cell; as src/mechanisms/dates/shift_method.cc. A survey counts the column as
//      it is, so no step can be fitted on what comes out: it stands in no other.
//   4. One that draws gives itself a key (with_key), without which it recodes nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semveil/frequency_table.h"
#include "semveil/key.h"
#include "semveil/result.h"

namespace [[gnu::visibility("default")]] semveil {

struct ColumnSettings;

// What the texts of a column mean, and how its concepts are written.
class ColumnMeaning {  // immutable, thread-safe
 public:
  virtual ~ColumnMeaning() = default;
  virtual const Attribute& attribute() const = 0;
  virtual ConceptId concept_of(std::string_view text) const = 0;  // kMissing: none
  virtual std::string_view text_of(ConceptId c) const = 0;        // maps back to it
};

struct RecodedColumn {
  struct Text {
    std::string_view text;
    std::uint64_t count = 0;
    std::uint64_t line = 0;  // where it was first seen; 0: nobody knows
  };
  const ColumnSettings& plan;
  std::vector<Text> texts;                                 // each once, as they came
  std::shared_ptr<const ColumnMeaning> meaning = nullptr;  // of a column with an ontology
};

class Recoding {  // immutable, thread-safe
 public:
  virtual ~Recoding() = default;
  virtual bool needs_person() const { return false; }
  virtual bool draws() const { return false; }               // by a key
  virtual bool depends_on_release() const { return false; }  // another draws others
  // Of one that draws: the same with a model's key; without it nothing is recoded.
  virtual std::shared_ptr<const Recoding> with_key(const Key& /*key*/,
                                                   std::string_view /*release*/) const {
    return nullptr;
  }
  // Whether two cells never become the same, without persons; that is checked.
  virtual bool is_one_to_one() const { return false; }
  // What to say where two of these would; of one that is one to one.
  virtual Error same_text_error(std::span<const std::string_view> /*cells*/) const {
    return data_error("two values would come out as the same");
  }
  virtual bool empties() const { return false; }  // whether cells may become missing
  // The text that a cell gets; nothing: it becomes missing. Errors hold for the cell alone, without
  // a place. `person`: "" where it is not asked for.
  virtual Result<std::optional<std::string>> recode(std::string_view cell,
                                                    std::string_view person) const = 0;
  // What was learned and the options, as JSON; load_recoding() of the same method understands it.
  virtual std::string save() const = 0;
};

}  // namespace semveil
