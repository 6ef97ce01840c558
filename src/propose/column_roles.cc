// In this order, the first that answers:
//   0. no cell says anything: other, unless the name says an identifier
//   1. the cells are built like keys, mail or official numbers: identifier
//   2. the name says what it is
//   3. codes of illnesses: sensitive
//   4. nearly every cell another, and no amount or date: identifier
//   5. one value: other
//   6. dates, postcodes, countries: quasi-identifier
//   7. another column tells it, as an industry tells its class: that one's role
//   8. sentences, amounts with decimals, words of which there are many: sensitive
//   9. quasi-identifier: nothing says that others do not know it
#include "propose/column_roles.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/stop.h"
#include "propose/column_kinds.h"

namespace semveil {
namespace {

constexpr double kNearlyUnique = 0.95;
constexpr std::uint64_t kEnoughRecords = 20;  // to speak of uniqueness

struct RoleChoice {
  Role role = Role::kOther;
  std::string why;
};

bool is_nearly_unique(const FormCounts& forms) {
  return forms.records >= kEnoughRecords && forms.variety() >= kNearlyUnique;
}

// Amounts with decimals, whether or not they are read as numbers.
bool is_measured(const ColumnFacts& column, ColumnKind kind) {
  return (kind == ColumnKind::kNumeric && column.forms.fractions > 0) ||
         column.forms.are_comma_numbers();
}

struct MeaningRole {
  NameMeaning meaning;
  Role role;
  std::string_view why;  // the name says …
};
// Of meanings that have one role whatever the cells are.
constexpr MeaningRole kMeaningRoles[] = {
    {NameMeaning::kPersonName, Role::kIdentifier, "a person's name"},
    {NameMeaning::kAddress, Role::kIdentifier, "an address"},
    {NameMeaning::kContact, Role::kIdentifier, "a way to reach a person"},
    {NameMeaning::kOfficialNumber, Role::kIdentifier, "a number that stands for one person"},
    {NameMeaning::kPerson, Role::kIdentifier, "who the record is about"},
    {NameMeaning::kKey, Role::kIdentifier, "a key"},
    {NameMeaning::kTitle, Role::kQuasiIdentifier,
     "a title, which tells sex, marriage or schooling"},
    {NameMeaning::kDate, Role::kQuasiIdentifier, "when something happened, which others remember"},
    {NameMeaning::kAge, Role::kQuasiIdentifier, "an age, which others know"},
    {NameMeaning::kSex, Role::kQuasiIdentifier, "a sex, which others know"},
    {NameMeaning::kOrigin, Role::kQuasiIdentifier, "an origin, which others see or hear"},
    {NameMeaning::kMarital, Role::kQuasiIdentifier,
     "whether somebody is married, which others know"},
    {NameMeaning::kCountry, Role::kQuasiIdentifier, "a country, which others know"},
    {NameMeaning::kPlace, Role::kQuasiIdentifier, "a place, which others know"},
    {NameMeaning::kPostcode, Role::kQuasiIdentifier, "a postcode, which others know"},
    {NameMeaning::kWork, Role::kQuasiIdentifier, "work, which colleagues and neighbours know"},
    {NameMeaning::kEducation, Role::kQuasiIdentifier, "schooling, which others know"},
    {NameMeaning::kHousehold, Role::kQuasiIdentifier, "a household, which neighbours know"},
    {NameMeaning::kRelative, Role::kQuasiIdentifier, "a relative, whom others know"},
    {NameMeaning::kLeisure, Role::kQuasiIdentifier,
     "what somebody does for pleasure, which others see"},
    {NameMeaning::kBelief, Role::kSensitive, "what somebody believes or stands for"},
    {NameMeaning::kHealth, Role::kSensitive, "health"},
    {NameMeaning::kMoney, Role::kSensitive, "money"},
    {NameMeaning::kScore, Role::kSensitive, "how somebody was judged"},
    {NameMeaning::kAnswer, Role::kSensitive, "what somebody answered"},
    {NameMeaning::kWeight, Role::kOther, "a weight of the survey, which few can know of a person"},
    {NameMeaning::kSequence, Role::kOther, "how the data were gathered"},
};

std::optional<RoleChoice> role_by_form(const ColumnFacts& column, ColumnKind kind) {
  const FormCounts& forms = column.forms;
  const bool is_built_so = forms.nearly_all(forms.uuids) || forms.nearly_all(forms.emails) ||
                           forms.nearly_all(forms.ssns) || forms.nearly_all(forms.web);
  // The key of an institution that many have been to is no key of a person.
  const bool is_of_many =
      column.hint.meaning == NameMeaning::kOrganisation && forms.variety() < 0.5;
  if (kind == ColumnKind::kOpaque && is_built_so && !is_of_many) {
    return RoleChoice{Role::kIdentifier, "keys of this form lead to one person, record or place"};
  }
  const bool may_be_phone = column.hint.meaning == NameMeaning::kNone && forms.values >= 3;
  if (may_be_phone && forms.nearly_all(forms.phones)) {
    return RoleChoice{Role::kIdentifier, "built like telephone numbers"};
  }
  return std::nullopt;
}

// Names of keys and of what has keys: a date is none of them, whatever its column is called.
bool says_no_date(NameMeaning meaning) {
  switch (meaning) {
    case NameMeaning::kPerson:
    case NameMeaning::kRecord:
    case NameMeaning::kOrganisation:
    case NameMeaning::kPersonName:
    case NameMeaning::kAddress:
    case NameMeaning::kContact:
    case NameMeaning::kOfficialNumber:
    case NameMeaning::kKey:
      return true;
    default:
      return false;
  }
}

std::optional<RoleChoice> role_by_name(const ColumnFacts& column, ColumnKind kind) {
  const NameMeaning meaning = column.hint.meaning;
  const FormCounts& forms = column.forms;
  if (kind == ColumnKind::kDate && says_no_date(meaning)) return std::nullopt;
  const bool is_amount = is_measured(column, kind);
  const bool repeats = forms.variety() < 0.5;
  if (meaning == NameMeaning::kCoordinate) {
    // A house is found by four decimals.
    const bool is_house = kind != ColumnKind::kNumeric || forms.most_decimals >= 4;
    return is_house ? RoleChoice{Role::kIdentifier,
                                 "the name says a place on the map, and the "
                                 "cells say it to the house"}
                    : RoleChoice{Role::kQuasiIdentifier, "the name says a place on the map"};
  }
  if (meaning == NameMeaning::kOrganisation) {
    return kind == ColumnKind::kOpaque && !repeats
               ? RoleChoice{Role::kIdentifier, "the name says an institution, the cells are keys"}
               : RoleChoice{Role::kQuasiIdentifier,
                            "the name says an institution, which others know"};
  }
  if (meaning == NameMeaning::kRecord) {
    if (is_amount) return std::nullopt;
    const bool is_key = kind == ColumnKind::kOpaque || column.hint.says_key || !repeats;
    return is_key ? RoleChoice{Role::kIdentifier, "the name says a record elsewhere"}
                  : RoleChoice{Role::kSensitive, "the name says what was done with somebody"};
  }
  if (is_health_code(kind)) return std::nullopt;
  // "person_height" is no person.
  const bool is_no_key = meaning == NameMeaning::kPerson && is_amount;
  if (is_no_key) return std::nullopt;
  for (const MeaningRole& known : kMeaningRoles) {
    if (known.meaning != meaning) continue;
    return RoleChoice{known.role, fmt::format("the name says {}", known.why)};
  }
  return std::nullopt;
}

std::optional<RoleChoice> role_by_cells(const ColumnFacts& column, ColumnKind kind) {
  if (is_health_code(kind)) return RoleChoice{Role::kSensitive, "codes of health"};
  const bool is_amount = is_measured(column, kind);
  const bool can_be_key = kind != ColumnKind::kDate && kind != ColumnKind::kText && !is_amount;
  if (can_be_key && is_nearly_unique(column.forms)) {
    return RoleChoice{Role::kIdentifier, "nearly every record has a value of its own"};
  }
  if (kind == ColumnKind::kOpaque) return RoleChoice{Role::kIdentifier, "keys or numbers"};
  if (column.forms.values == 1 && column.missing + column.marked() == 0) {
    return RoleChoice{Role::kOther, "all records have the same value"};
  }
  if (kind == ColumnKind::kDate) {
    return RoleChoice{Role::kQuasiIdentifier, "dates, which others remember"};
  }
  if (kind == ColumnKind::kPostcode || kind == ColumnKind::kCountry) {
    return RoleChoice{Role::kQuasiIdentifier, "places, which others know"};
  }
  return std::nullopt;
}

// A column without a value: nothing can be masked, asked for or learned there. What its name says
// is dropped stays so; where a place on the map is told by its cells, none tells one.
RoleChoice role_of_empty(const ColumnFacts& column, ColumnKind kind) {
  RoleChoice out{Role::kOther, "no cell says anything"};
  if (column.hint.meaning == NameMeaning::kCoordinate) return out;
  std::optional<RoleChoice> named = role_by_name(column, kind);
  if (!named || named->role == Role::kOther) return out;
  if (named->role == Role::kIdentifier) return *std::move(named);
  out.why += fmt::format(". With values it would be {}, as {}", to_string(named->role), named->why);
  return out;
}

// Among records that share their value of `by` with another one, that value says which value of
// `told` they have, but for 1 of 100. Such are 20 records and half of all at least, so that a key
// tells nothing; and guessing the most frequent value is wrong about 5 records or more.
bool tells(const ColumnFacts& by, const ColumnFacts& told) {
  constexpr std::uint64_t kFewestShared = 20, kFewestWrong = 5;
  constexpr double kRight = 0.99;
  std::map<std::pair<Code, Code>, std::uint64_t> pairs;
  std::map<Code, std::uint64_t> tolds;
  StopCheck check(1024);
  for (std::size_t row = 0; row < by.codes->size(); ++row) {
    check();
    ++pairs[{(*by.codes)[row], (*told.codes)[row]}];
    ++tolds[(*told.codes)[row]];
  }
  std::uint64_t shared = 0, right = 0, of_value = 0, most = 0, most_told = 0;
  for (auto at = pairs.begin(); at != pairs.end(); ++at) {
    of_value += at->second;
    most = std::max(most, at->second);
    const auto next = std::next(at);
    if (next != pairs.end() && next->first.first == at->first.first) continue;
    if (of_value > 1) {
      shared += of_value;
      right += most;
    }
    of_value = most = 0;
  }
  for (const auto& [code, count] : tolds) most_told = std::max(most_told, count);
  const std::uint64_t records = by.codes->size();
  return shared >= kFewestShared && shared * 2 >= records && records - most_told >= kFewestWrong &&
         static_cast<double>(right) >= kRight * static_cast<double>(shared);
}

RoleChoice last_resort(const ColumnFacts& column, ColumnKind kind) {
  constexpr std::uint64_t kManyWords = 50;
  constexpr double kOpenAnswers = 0.05;
  if (kind == ColumnKind::kText) {
    return {Role::kSensitive, "texts in somebody's own words may tell anything"};
  }
  if (is_measured(column, kind)) {
    return {Role::kSensitive, "amounts with decimals are measured, and seldom known to others"};
  }
  const bool is_open = column.forms.values >= kManyWords ||
                       (column.forms.values >= 10 && column.forms.variety() >= kOpenAnswers);
  if (kind == ColumnKind::kNominal && column.forms.numbers == 0 && is_open) {
    return {Role::kSensitive, "many different texts: answers rather than features others know"};
  }
  return {Role::kQuasiIdentifier, "nothing says that others do not know it"};
}

// The columns of a series, each with two or more.
std::map<std::string, std::vector<std::size_t>> find_series(
    const std::vector<ProposedColumn>& columns) {
  std::map<std::string, std::vector<std::size_t>> out;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string series = series_of(columns[i].name);
    if (!series.empty()) out[series].push_back(i);
  }
  std::erase_if(out, [](const auto& entry) { return entry.second.size() < 2; });
  return out;
}

// What most of a series are, all are; of as many the one with the most records decides.
void agree_in_series(const std::vector<ColumnFacts>& facts, std::vector<ProposedColumn>& columns) {
  for (const auto& [series, members] : find_series(columns)) {
    std::map<std::pair<Role, ColumnKind>, std::pair<std::uint64_t, std::uint64_t>> votes;
    std::pair<std::uint64_t, std::uint64_t> most{0, 0};
    std::size_t chosen = members.front();
    for (const std::size_t i : members) {
      if (facts[i].forms.values == 0) continue;
      auto& vote = votes[{columns[i].role, columns[i].kind}];
      vote.first += 1;
      vote.second = std::max(vote.second, facts[i].forms.records);
      if (vote <= most) continue;
      most = vote;
      chosen = i;
    }
    const ProposedColumn like = columns[chosen];
    for (const std::size_t i : members) {
      ProposedColumn& column = columns[i];
      // Numbers must be numbers, whatever others are.
      const bool can_be =
          like.kind != ColumnKind::kNumeric || facts[i].forms.numbers == facts[i].forms.values;
      // What is dropped stays so, and who is alone in a kind of their own says what that is; what
      // says nothing is told by no other.
      if (column.role == Role::kIdentifier || facts[i].forms.values == 0) continue;
      if (column.kind != like.kind && can_be) {
        column.kind = like.kind;
        column.kind_why = fmt::format("as {}, of the same series", like.name);
      }
      if (column.role == like.role) continue;
      column.role = like.role;
      column.role_why = fmt::format("as {}, of the same series", like.name);
    }
  }
}

}  // namespace

void choose_roles(const std::vector<ColumnFacts>& facts, std::vector<ProposedColumn>& columns) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    std::optional<RoleChoice> choice;
    if (facts[i].forms.values == 0) choice = role_of_empty(facts[i], columns[i].kind);
    if (!choice) choice = role_by_form(facts[i], columns[i].kind);
    if (!choice) choice = role_by_name(facts[i], columns[i].kind);
    if (!choice) choice = role_by_cells(facts[i], columns[i].kind);
    if (!choice) {
      open.push_back(i);
      continue;
    }
    columns[i].role = choice->role;
    columns[i].role_why = std::move(choice->why);
  }
  for (const std::size_t i : open) {
    RoleChoice choice = last_resort(facts[i], columns[i].kind);
    std::optional<std::size_t> teller;
    for (std::size_t by = 0; by < facts.size(); ++by) {
      const bool is_settled = std::ranges::find(open, by) == open.end();
      const bool matters =
          columns[by].role == Role::kSensitive || columns[by].role == Role::kQuasiIdentifier;
      // What is secret decides before what is known.
      const bool is_better = !teller || (columns[*teller].role != Role::kSensitive &&
                                         columns[by].role == Role::kSensitive);
      const bool can_tell = columns[by].kind != ColumnKind::kDate;
      if (is_settled && matters && is_better && can_tell && tells(facts[by], facts[i])) teller = by;
    }
    if (teller) {
      choice = {columns[*teller].role, fmt::format("{} tells it, and is {}", columns[*teller].name,
                                                   to_string(columns[*teller].role))};
    }
    columns[i].role = choice.role;
    columns[i].role_why = std::move(choice.why);
  }
  agree_in_series(facts, columns);
}

void find_wanted(const std::vector<ColumnFacts>& facts, std::vector<ProposedColumn>& columns) {
  for (ProposedColumn& column : columns) {
    if (is_health_code(column.kind) && !column.ontology) column.wanted = to_string(column.kind);
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    ProposedColumn& column = columns[i];
    if (column.kind != ColumnKind::kNominal || column.role != Role::kSensitive) continue;
    if (column.ontology || facts[i].forms.words <= facts[i].forms.values) continue;
    for (std::size_t by = 0; by < columns.size() && column.wanted.empty(); ++by) {
      const bool are_as_many = facts[by].forms.values * 2 >= facts[i].forms.values &&
                               facts[i].forms.values * 2 >= facts[by].forms.values;
      if (!is_health_code(columns[by].kind) || !are_as_many) continue;
      // A code may have several names, and a name several codes.
      if (tells(facts[by], facts[i]) || tells(facts[i], facts[by])) {
        column.wanted = columns[by].wanted;
      }
    }
  }
}

std::optional<std::size_t> person_column(const std::vector<ColumnFacts>& facts,
                                         const std::vector<ProposedColumn>& columns) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const FormCounts& forms = facts[i].forms;
    const bool is_whole = facts[i].missing + facts[i].marked() == 0 && forms.values > 1;
    const bool is_key = columns[i].role == Role::kIdentifier && is_whole;
    if (!is_key || facts[i].hint.meaning != NameMeaning::kPerson) continue;
    // Everybody has one row: rows are persons.
    if (forms.values == forms.records) return std::nullopt;
    if (!found) found = i;
  }
  return found;
}

}  // namespace semveil
