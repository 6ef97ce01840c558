// One table of a plan, asked key by key. What is wrong is noted and reading goes on, so that in the
// end the error of the first line can be told, whichever key was asked first.
//
//   PlanTable csv(table, "[csv]", kKeys, notes);   // notes unknown keys
//   csv.flag("shuffle", shuffle);                  // sets it, or notes what is wrong, or neither
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/choices.h"
#include "base/toml.h"
#include "semveil/nearest_word.h"
#include "semveil/result.h"

namespace semveil {

using Keys = std::span<const std::string_view>;

// Why there is no ontology of this name, and what may be meant.
std::string undeclared_ontology(std::string_view name,
                                const std::map<std::string, std::string>& declared);
// "a, b or c"
std::string either(std::span<const std::string_view> words);

// Errors of form come before errors of meaning: a misspelt `ontology` is told before the column
// that lacks one. Among equals the first line, and what the command line says before any line.
class PlanNotes {
 public:
  enum class Kind : std::uint8_t { kForm, kMeaning };
  explicit PlanNotes(std::string file) : file_(std::move(file)) {}
  const std::string& file() const { return file_; }
  void add(Kind kind, Error error);
  std::optional<Error> take() && { return std::move(first_); }

 private:
  std::string file_;
  Kind kind_{};
  std::optional<Error> first_;
};

// Rules of numbers, and a limit of whole ones.
inline bool is_positive(double x) { return x > 0; }
inline bool is_share(double x) { return x >= 0 && x <= 1; }
inline constexpr unsigned kMostDepth = 65535;

class PlanTable {
 public:
  // `title` stands in messages. `column`: which column of the data it speaks of. `options`: the
  // keys that the command line set, with the option's name; errors then name it instead of a line.
  // All but the table live longer than this.
  PlanTable(const toml::table& table, std::string title, Keys known, PlanNotes& notes,
            std::string column = "", std::map<std::string, std::string, std::less<>> options = {});

  bool has(std::string_view key) const { return table_.contains(key); }
  bool is_text(std::string_view key) const;  // there, and a text
  std::uint64_t line_of_key(std::string_view key) const;
  std::uint64_t line() const;  // of the table

  void text(std::string_view key, std::string& out);  // never empty
  void flag(std::string_view key, bool& out);
  using Rule = std::function<bool(double)>;
  // A finite number that `holds`; `rule` says in words what must hold.
  void number(std::string_view key, std::string_view rule, const Rule& holds, double& out);
  void number(std::string_view key, std::string_view rule, const Rule& holds,
              std::optional<double>& out);
  void whole(std::string_view key, unsigned low, unsigned high, unsigned& out);
  void character(std::string_view key, std::optional<char>& out);
  void matrix(std::string_view key, std::vector<std::vector<double>>& out);
  void numbers(std::string_view key, std::vector<double>& out);  // finite ones
  // A table of a finite number for each name, all of which hold.
  void numbers_by_column(std::string_view key, std::string_view rule, const Rule& holds,
                         std::map<std::string, double>& out);
  enum class Empty : bool { kNo, kYes };  // may a text be empty?
  void texts(std::string_view key, Empty empty, std::vector<std::string>& out);
  // Lists of two texts each.
  void pairs(std::string_view key, std::vector<std::pair<std::string, std::string>>& out);
  void choice(std::string_view key, Keys choices, std::string& out);
  template <class Enum, std::size_t kSize, class Out>
  void choice(std::string_view key, const Choices<Enum, kSize>& choices, Out& out) {
    std::vector<std::string_view> names;
    for (const auto& [name, value] : choices) names.push_back(name);
    std::string chosen;
    choice(key, names, chosen);
    for (const auto& [name, value] : choices) {
      if (name == chosen) out = value;
    }
  }
  // nullptr: not there, or not a table.
  const toml::table* table(std::string_view key, std::string_view example);
  struct Entry {
    std::string name;
    const toml::table* table;
  };
  // The tables of a table, in the order of the file.
  std::vector<Entry> tables(std::string_view key);

  // Notes that something is wrong with a key that is there.
  void wrong_form(std::string_view key, std::string message, std::string value = "");
  void wrong_meaning(std::string_view key, std::string message, std::string value = "");

 private:
  const toml::node* find(std::string_view key) const { return table_.get(key); }
  void expected(std::string_view key, std::string_view what, const toml::node& found,
                std::string_view where = "");
  void note(PlanNotes::Kind kind, std::string_view key, std::string message, std::string value);
  void note_unknown(Keys known);

  const toml::table& table_;
  std::string title_;
  PlanNotes& notes_;
  std::string column_;
  std::map<std::string, std::string, std::less<>> options_;
};

}  // namespace semveil
