// The table of [mask] in docs/formats/plan.md says what the methods' descriptions say.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "semveil/method.h"

namespace semveil {
namespace {

struct DocumentedKey {
  std::string key, type, usually;
  std::vector<std::string> methods;
  std::string meaning;
};

std::string without_blanks(std::string text) {
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

// The cells between the bars of a line; one behind a backslash is none.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells{""};
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|') {
      cells.back() += line[++i];
    } else if (line[i] == '|') {
      cells.emplace_back();
    } else {
      cells.back() += line[i];
    }
  }
  cells.pop_back();
  for (std::string& cell : cells) cell = without_blanks(cell);
  return cells;
}

std::vector<std::string> listed(const std::string& cell) {
  std::vector<std::string> out;
  std::istringstream in(cell);
  for (std::string part; std::getline(in, part, ',');) out.push_back(without_blanks(part));
  return out;
}

// A row without a key goes on with the last one's.
std::vector<DocumentedKey> documented() {
  std::ifstream in("docs/formats/plan.md");
  std::vector<DocumentedKey> rows;
  bool is_inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("| key |")) is_inside = line.find("| methods |") != std::string::npos;
    if (!is_inside || !line.starts_with("| ") || line.starts_with("| key |")) continue;
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() != 5) continue;
    const std::string key =
        cells[0].empty() ? rows.back().key : cells[0].substr(1, cells[0].size() - 2);
    rows.push_back({key, cells[1], cells[2], listed(cells[3]), cells[4]});
  }
  return rows;
}

std::string number_text(double number) {
  return number == 4e9 ? "4·10⁹" : fmt::format("{}", number);
}

std::string type_text(const MethodKey& key) {
  switch (key.type) {
    case KeyType::kFlag:
      return "true, false";
    case KeyType::kWhole:
      return fmt::format("{} … {}", number_text(key.low), number_text(key.high));
    case KeyType::kNumber:
      if (key.low < -1e300) return "number";
      if (!key.above) return fmt::format("number {} … {}", key.low, key.high);
      return key.high > 1e300 ? fmt::format("number above {}", key.low)
                              : fmt::format("number above {}, at most {}", key.low, key.high);
    case KeyType::kChoice:
      return fmt::format("`{}`", fmt::join(key.choices, "` `"));
    case KeyType::kText:
      return key.name == "digest" ? "64 hexadecimal digits" : "text";
    case KeyType::kPairs:
      return "list of pairs";
    case KeyType::kRows:
      return "list of rows of numbers";
    case KeyType::kByColumn:
      return "table of numbers";
    case KeyType::kCategories:
      return "text or table";
  }
  return "";
}

std::string default_cell(const MethodKey& key) {
  const auto* const text = std::get_if<std::string_view>(&key.usually);
  return fmt::format("`{}`", text != nullptr ? std::string(*text) : default_text(key));
}

TEST(MaskTable, HasEveryKeyOfEveryMethodOnceWithItsTypeAndDefault) {
  std::multiset<std::string> expected, found;
  for (const Method* const method : methods()) {
    for (const MethodKey& key : method->about().keys) {
      expected.insert(fmt::format("{} {}", method->name(), key.name));
    }
    if (method->about().draws_per_cell())
      expected.insert(fmt::format("{} draw_by", method->name()));
  }
  const std::vector<DocumentedKey> rows = documented();
  ASSERT_GT(rows.size(), 20U) << "run from the repository's root";
  for (const DocumentedKey& row : rows) {
    if (row.key == "method" || row.key == "columns") continue;
    SCOPED_TRACE(row.key);
    EXPECT_NE(row.meaning, "");
    for (const std::string& name : row.methods) {
      found.insert(fmt::format("{} {}", name, row.key));
      const MethodKey* const key = method_named(name).key(row.key);
      if (key == nullptr) continue;  // told below
      EXPECT_EQ(row.type, type_text(*key)) << name;
      if (key->usually.index() > 0) {
        EXPECT_EQ(row.usually, default_cell(*key)) << name;
      } else {
        EXPECT_THAT(row.usually, testing::Not(testing::StartsWith("`"))) << name;
      }
      if (!key->usual.empty()) {
        EXPECT_THAT(row.meaning, testing::HasSubstr(fmt::format("{} is usual", key->usual)));
      }
    }
  }
  EXPECT_EQ(found, expected);
}

TEST(MaskTable, NamesTheMethodsThatThereAre) {
  std::set<std::string> expected, found;
  for (const Method* const method : methods()) expected.emplace(method->name());
  const std::string meaning = documented().front().meaning;
  for (std::size_t at = meaning.find('`'); at != std::string::npos; at = meaning.find('`', at)) {
    const std::size_t end = meaning.find('`', at + 1);
    found.insert(meaning.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  EXPECT_EQ(found, expected);
}

// ---- README -------------------------------------------------------------------------------------

TEST(MethodTable, OfTheReadmePromisesWhatTheDescriptionsDo) {
  std::ifstream in("README.md");
  std::size_t rows = 0;
  bool is_inside = false;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with('|')) is_inside = false;
    if (line.starts_with("| method | what it promises |")) is_inside = true;
    if (!is_inside || !line.starts_with("| `")) continue;
    std::erase(line, '`');  // words of plans
    const std::vector<std::string> cells = cells_of(line);
    const MethodDescription& about = method_named(cells[0]);
    EXPECT_EQ(cells[1], about.promise) << cells[0];
    EXPECT_EQ(cells[2], about.no_promise) << cells[0];
    ++rows;
  }
  EXPECT_GE(rows, 8U) << "run from the repository's root";
}

// ---- What descriptions hold ---------------------------------------------------------------------

TEST(MethodDescriptions, AreComplete) {
  std::set<std::string_view> names;
  for (const Method* const method : methods()) {
    const MethodDescription& about = method->about();
    SCOPED_TRACE(about.name);
    EXPECT_TRUE(names.insert(about.name).second);
    EXPECT_NE(about.shape, MethodShape::kNone);
    EXPECT_FALSE(about.mechanism.empty());
    EXPECT_TRUE(about.promise.ends_with('.'));
    EXPECT_TRUE(about.no_promise.ends_with('.'));
    EXPECT_EQ(about.searched.empty(), about.usual.empty());
    EXPECT_TRUE(about.searched.empty() || about.key(about.searched) != nullptr);
    EXPECT_TRUE(std::ranges::is_sorted(about.usual));
    EXPECT_FALSE(about.forms_classes && !about.looks_up());
    EXPECT_EQ(method->trials(2).empty(), about.recodes());  // recodings promise nothing to compare
    std::set<std::string_view> keys;
    for (const MethodKey& key : about.keys) {
      EXPECT_TRUE(keys.insert(key.name).second) << key.name;
      EXPECT_FALSE(key.help.empty()) << key.name;
      EXPECT_EQ(key.type == KeyType::kChoice, !key.choices.empty()) << key.name;
      EXPECT_TRUE(key.instead.empty() || about.key(key.instead) != nullptr) << key.name;
    }
  }
}

TEST(MethodDescriptions, SayOneThingOfAKeyOnTheCommandLine) {
  std::map<std::string_view, const MethodKey*> first;
  for (const Method* const method : methods()) {
    for (const MethodKey& key : method->about().keys) {
      const MethodKey& known = *first.emplace(key.name, &key).first->second;
      EXPECT_EQ(known.type, key.type) << key.name;
      EXPECT_EQ(option_of(known), option_of(key)) << key.name;
      EXPECT_EQ(known.stays, key.stays) << key.name;
    }
  }
}

}  // namespace
}  // namespace semveil
