#include "plan/plan_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mapping/edit_distance.h"
#include "plan/plan_keys.h"

namespace semveil {
namespace {

std::uint64_t line_of(const toml::source_region& region) { return region.begin.line; }

std::string_view found_name(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::string:
      return "a text";
    case toml::node_type::integer:
      return "a whole number";
    case toml::node_type::floating_point:
      return "a number with a fraction";
    case toml::node_type::boolean:
      return **node.as_boolean() ? "true" : "false";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::table:
      return "a table";
    default:
      return "a date or time";
  }
}

std::optional<double> number_in(const toml::node& node) {
  if (const auto* whole = node.as_integer()) return static_cast<double>(whole->get());
  if (const auto* number = node.as_floating_point()) return number->get();
  return std::nullopt;
}

// Nothing: no list of finite numbers.
std::optional<std::vector<double>> numbers_of(const toml::node& node) {
  const toml::array* list = node.as_array();
  if (list == nullptr || list->empty()) return std::nullopt;
  std::vector<double> numbers;
  for (const toml::node& element : *list) {
    const std::optional<double> value = number_in(element);
    if (!value || !std::isfinite(*value)) return std::nullopt;
    numbers.push_back(*value);
  }
  return numbers;
}

// Where an unknown key would be known: the commonest slip in TOML is a key below the wrong header.
// Names of tables are no keys in this sense: `column` in [mask] is a misspelt `columns`.
std::string home_of(std::string_view key) {
  for (const std::string_view name : {"ontology", "column", "mask", "csv"}) {
    if (key == name) return "";
  }
  for (const PlanSection& section : plan_sections()) {
    if (std::ranges::find(section.keys, key) == section.keys.end()) continue;
    return section.title.empty() ? "it belongs at the top, before the first [table]"
                                 : fmt::format("it belongs in {}", section.title);
  }
  return "";
}

}  // namespace

std::string_view nearest(std::string_view word, std::span<const std::string_view> words) {
  const EditDistance from(word);
  std::string_view best = words.front();
  unsigned least = std::numeric_limits<unsigned>::max();
  for (const std::string_view candidate : words) {
    const auto limit = static_cast<unsigned>(std::max(from.length(), candidate.size()));
    const bool begun = word.size() > 2 && candidate.starts_with(word);
    const unsigned edits = begun ? 1 : from.to(candidate, limit);
    if (edits < least) {
      least = edits;
      best = candidate;
    }
  }
  return best;
}

std::string undeclared_ontology(std::string_view name,
                                const std::map<std::string, std::string>& declared) {
  if (declared.empty()) {
    return fmt::format("no ontology is declared; add [ontology.{}] with its source", name);
  }
  std::vector<std::string_view> names;
  for (const auto& [other, source] : declared) names.push_back(other);
  return fmt::format("there is no [ontology.{}]; the nearest declared one is {}", name,
                     nearest(name, names));
}

std::string either(std::span<const std::string_view> words) {
  if (words.size() < 2) return fmt::format("{}", fmt::join(words, ""));
  return fmt::format("{} or {}", fmt::join(words.first(words.size() - 1), ", "), words.back());
}

void PlanNotes::add(Kind kind, Error error) {
  if (first_ && std::pair(kind_, first_->place.line) <= std::pair(kind, error.place.line)) return;
  kind_ = kind;
  first_ = std::move(error);
}

PlanTable::PlanTable(const toml::table& table, std::string title, Keys known, PlanNotes& notes,
                     std::string column, std::map<std::string, std::string, std::less<>> options)
    : table_(table),
      title_(std::move(title)),
      notes_(notes),
      column_(std::move(column)),
      options_(std::move(options)) {
  note_unknown(known);
}

void PlanTable::note_unknown(Keys known) {
  for (const auto& [key, node] : table_) {
    if (std::ranges::find(known, key.str()) != known.end()) continue;
    std::string message = fmt::format("unknown key {}", key.str());
    if (!title_.empty()) message += fmt::format(" in {}", title_);
    const std::string_view near = nearest(key.str(), known);
    const std::string home = home_of(key.str());
    // `columns` is a key of [mask], but [columns.a] is a slip for [column.a].
    const bool slip = key.str().size() > 3 && EditDistance(key.str()).to(near, 1) <= 1;
    message +=
        slip || home.empty() ? fmt::format("; the nearest valid one is {}", near) : "; " + home;
    note(PlanNotes::Kind::kForm, key.str(), std::move(message), "");
  }
}

std::uint64_t PlanTable::line() const { return line_of(table_.source()); }

bool PlanTable::is_text(std::string_view key) const {
  const toml::node* node = find(key);
  return node != nullptr && node->is_string();
}

std::uint64_t PlanTable::line_of_key(std::string_view key) const {
  const auto at = table_.find(key);
  return at == table_.end() ? line() : line_of(at->first.source());
}

void PlanTable::note(PlanNotes::Kind kind, std::string_view key, std::string message,
                     std::string value) {
  Error error = data_error(std::move(message)).quoting(std::move(value));
  if (const auto option = options_.find(key); option != options_.end()) {
    // A value that cannot be is the command line's fault; one that does not fit the plan, the
    // plan's.
    if (kind == PlanNotes::Kind::kForm) error.code = ErrorCode::kUsage;
    error.place.file = option->second;
  } else {
    error.place = {notes_.file(), line_of_key(key), column_};
  }
  notes_.add(kind, std::move(error));
}

void PlanTable::wrong_form(std::string_view key, std::string message, std::string value) {
  note(PlanNotes::Kind::kForm, key, std::move(message), std::move(value));
}
void PlanTable::wrong_meaning(std::string_view key, std::string message, std::string value) {
  note(PlanNotes::Kind::kMeaning, key, std::move(message), std::move(value));
}

void PlanTable::expected(std::string_view key, std::string_view what, const toml::node& found,
                         std::string_view where) {
  wrong_form(key, fmt::format("{}{}: expected {}, found {}", key, where, what, found_name(found)));
}

void PlanTable::text(std::string_view key, std::string& out) {
  const toml::node* node = find(key);
  if (node == nullptr) return;
  const auto* value = node->as_string();
  if (value == nullptr) return expected(key, "a text in quotes", *node);
  if (value->get().empty()) {
    return wrong_form(key,
                      fmt::format("{}: the text is empty; write one or leave the key out", key));
  }
  out = value->get();
}

void PlanTable::flag(std::string_view key, bool& out) {
  const toml::node* node = find(key);
  if (node == nullptr) return;
  const auto* value = node->as_boolean();
  if (value == nullptr) return expected(key, "true or false", *node);
  out = value->get();
}

void PlanTable::number(std::string_view key, std::string_view rule, const Rule& holds,
                       std::optional<double>& out) {
  const toml::node* node = find(key);
  if (node == nullptr) return;
  const std::optional<double> value = number_in(*node);
  if (!value) return expected(key, "a number", *node);
  if (!std::isfinite(*value) || !holds(*value)) {
    return wrong_form(key, fmt::format("{}: expected a number {}", key, rule),
                      fmt::format("{}", *value));
  }
  out = value;
}

void PlanTable::number(std::string_view key, std::string_view rule, const Rule& holds,
                       double& out) {
  std::optional<double> value;
  number(key, rule, holds, value);
  if (value) out = *value;
}

void PlanTable::whole(std::string_view key, unsigned low, unsigned high, unsigned& out) {
  const toml::node* node = find(key);
  if (node == nullptr) return;
  const auto* value = node->as_integer();
  if (value == nullptr) return expected(key, "a whole number", *node);
  if (value->get() < std::int64_t{low} || value->get() > std::int64_t{high}) {
    return wrong_form(key, fmt::format("{}: expected a whole number from {} to {}", key, low, high),
                      fmt::format("{}", value->get()));
  }
  out = static_cast<unsigned>(value->get());
}

void PlanTable::character(std::string_view key, std::optional<char>& out) {
  const toml::node* node = find(key);
  if (node == nullptr) return;
  const auto* value = node->as_string();
  if (value == nullptr) return expected(key, "a text of one character", *node);
  const std::string& text = value->get();
  const bool fits =
      text.size() == 1 && (text == "\t" || (text[0] >= ' ' && text[0] < '\x7f')) &&
      std::string_view("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
              .find(text[0]) == std::string_view::npos;
  if (!fits) {
    return wrong_form(key,
                      fmt::format("{}: expected one ASCII character that is no letter, digit or "
                                  "line end, as \",\" or \"\\t\"",
                                  key),
                      text);
  }
  out = text[0];
}

void PlanTable::numbers(std::string_view key, std::vector<double>& out) {
  const toml::node* node = find(key);
  if (node == nullptr) return;
  std::optional<std::vector<double>> numbers = numbers_of(*node);
  if (!numbers) return expected(key, "a list of numbers, as [0.5, 0, 0.5]", *node);
  out = *std::move(numbers);
}

void PlanTable::numbers_by_column(std::string_view key, std::string_view rule, const Rule& holds,
                                  std::map<std::string, double>& out) {
  const toml::node* node = find(key);
  if (node == nullptr) return;
  const std::string shape = fmt::format("a table of numbers {}, as {{age = 1, town = 2}}", rule);
  const toml::table* const table = node->as_table();
  if (table == nullptr) return expected(key, shape, *node);
  std::map<std::string, double> numbers;
  for (const auto& [name, value] : *table) {
    const std::optional<double> number = value.value<double>();
    const bool is_sound = value.is_number() && number && std::isfinite(*number) && holds(*number);
    if (!is_sound) return expected(key, shape, value, " (in the table)");
    numbers.emplace(std::string(name.str()), *number);
  }
  out = std::move(numbers);
}

void PlanTable::matrix(std::string_view key, std::vector<std::vector<double>>& out) {
  const toml::node* node = find(key);
  if (node == nullptr) return;
  constexpr std::string_view kShape = "a list of rows, as [[0.2, 0.1], [0.1, 0.3]]";
  const toml::array* list = node->as_array();
  if (list == nullptr || list->empty()) return expected(key, kShape, *node);
  std::vector<std::vector<double>> rows;
  for (const toml::node& element : *list) {
    std::optional<std::vector<double>> row = numbers_of(element);
    if (!row) return expected(key, kShape, element, " (in the list)");
    rows.push_back(*std::move(row));
  }
  out = std::move(rows);
}

void PlanTable::texts(std::string_view key, Empty empty, std::vector<std::string>& out) {
  const toml::node* node = find(key);
  if (node == nullptr) return;
  const toml::array* list = node->as_array();
  if (list == nullptr) return expected(key, "a list of texts", *node);
  std::vector<std::string> texts;
  for (const toml::node& element : *list) {
    const auto* value = element.as_string();
    if (value == nullptr) return expected(key, "a list of texts", element, " (in the list)");
    if (value->get().empty() && empty == Empty::kNo) {
      return wrong_form(key, fmt::format("{}: a text in the list is empty", key));
    }
    texts.push_back(value->get());
  }
  out = std::move(texts);
}

void PlanTable::pairs(std::string_view key, std::vector<std::pair<std::string, std::string>>& out) {
  const toml::node* node = find(key);
  if (node == nullptr) return;
  constexpr std::string_view kShape = "a list of pairs, as [[\"a\", \"b\"], [\"c\", \"d\"]]";
  const toml::array* list = node->as_array();
  if (list == nullptr) return expected(key, kShape, *node);
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const toml::node& element : *list) {
    const toml::array* pair = element.as_array();
    if (pair == nullptr) return expected(key, kShape, element, " (in the list)");
    if (pair->size() != 2) {
      return wrong_form(
          key, fmt::format("{}: a pair has two columns, this one has {}", key, pair->size()));
    }
    const auto* a = pair->get(0)->as_string();
    const auto* b = pair->get(1)->as_string();
    if (a == nullptr || b == nullptr) {
      return expected(key, "two texts", *pair->get(a == nullptr ? 0 : 1), " (in a pair)");
    }
    pairs.emplace_back(a->get(), b->get());
  }
  if (pairs.empty()) return wrong_form(key, fmt::format("{}: the list is empty", key));
  out = std::move(pairs);
}

void PlanTable::choice(std::string_view key, Keys choices, std::string& out) {
  const toml::node* node = find(key);
  if (node == nullptr) return;
  const auto* value = node->as_string();
  if (value == nullptr) return expected(key, "a text in quotes", *node);
  if (std::ranges::find(choices, value->get()) == choices.end()) {
    std::string message = fmt::format("{}: expected {}", key, either(choices));
    if (choices.size() > 1) {
      message += fmt::format("; the nearest is {}", nearest(value->get(), choices));
    }
    if (key == "demand") {
      message +=
          "; l, p and t are demanded of a sensitive column, as demand = {l = 3} below its "
          "[column.NAME]";
    }
    return wrong_form(key, std::move(message), value->get());
  }
  out = value->get();
}

const toml::table* PlanTable::table(std::string_view key, std::string_view example) {
  const toml::node* node = find(key);
  if (node == nullptr) return nullptr;
  if (node->is_table()) return node->as_table();
  expected(key, fmt::format("a table, as {}", example), *node);
  return nullptr;
}

std::vector<PlanTable::Entry> PlanTable::tables(std::string_view key) {
  const toml::table* parent = table(key, fmt::format("[{}.NAME]", key));
  if (parent == nullptr) return {};
  std::vector<std::pair<toml::source_position, Entry>> found;
  for (const auto& [name, node] : *parent) {
    const toml::source_region& region = name.source();
    if (!node.is_table()) {
      notes_.add(PlanNotes::Kind::kForm,
                 data_error(fmt::format("{0}.{1}: expected a table, as [{0}.NAME], found {2}", key,
                                        name.str(), found_name(node)))
                     .at(notes_.file(), line_of(region)));
      continue;
    }
    found.emplace_back(region.begin, Entry{std::string(name.str()), node.as_table()});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Entry> entries;
  for (auto& [position, entry] : found) entries.push_back(std::move(entry));
  return entries;
}

}  // namespace semveil
