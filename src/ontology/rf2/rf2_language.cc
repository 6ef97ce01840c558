// The language of an RF2 release's names.
//
// A language reference set lists the descriptions that a dialect accepts, and of each concept the
// preferred one. It is chosen by its id, or as en-US or en-GB: names are then what it accepts. A
// language code (en, sv) takes every active description in that language, whatever the dialect; so
// does one with a region that no reference set stands for (sv-SE). Preferred is then what the
// language's reference set prefers: of English en-US's, then en-GB's; of others the one with most
// members in that language.
//
// Choice:  with nothing wanted, en-US's reference set where the release has it, else en-GB's, else
//          the one with most members (of equal ones the least id); without any reference set all
//          English descriptions, and without these the language with most descriptions.
#include "ontology/rf2/rf2_language.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "ontology/language_tag.h"

namespace semveil {
namespace {

struct Dialect {
  std::uint64_t id;
  std::string_view name;
};
constexpr std::array<Dialect, 2> kDialects{
    {{900000000000509007U, "en-US"}, {900000000000508004U, "en-GB"}}};

std::string set_named(std::uint64_t id) {
  for (const Dialect& dialect : kDialects) {
    if (dialect.id == id) return fmt::format("{} ({})", id, dialect.name);
  }
  return std::to_string(id);
}

class Chooser {
 public:
  Chooser(const Rf2Tables& tables, const std::string& path) : tables_(tables), path_(path) {
    members_.resize(sets().size(), 0);
    for (const LanguageRow& row : tables.languages.rows.rows()) {
      members_[row.reference_set] += row.acceptance != Acceptance::kNone ? 1 : 0;
    }
    speakers_.resize(codes().size(), 0);
    for (const DescriptionRow& row : tables.descriptions.rows.rows()) {
      speakers_[row.language] += row.active ? 1 : 0;
    }
  }

  Result<NameChoice> choose(const std::string& wanted) const {
    if (wanted.empty()) return choose_default();
    const bool is_id = std::ranges::all_of(wanted, [](char c) { return c >= '0' && c <= '9'; });
    for (std::size_t set = 0; set < sets().size(); ++set) {
      if (members_[set] == 0) continue;
      if (is_id && std::to_string(sets()[set]) == wanted) return by_set(set);
      for (const Dialect& dialect : kDialects) {
        if (dialect.id == sets()[set] && lower(dialect.name) == lower(wanted)) return by_set(set);
      }
    }
    const std::string whole = lower(wanted);
    for (const std::string_view tag : {std::string_view(whole), without_region(whole)}) {
      for (std::size_t code = 0; code < codes().size(); ++code) {
        if (speakers_[code] > 0 && lower(codes()[code]) == tag) return by_code(code);
      }
    }
    return fail(data_error("the release has no names for this lang=; it has " + offers())
                    .at(path_)
                    .quoting(wanted));
  }

 private:
  std::span<const std::uint64_t> sets() const { return tables_.languages.reference_sets; }
  std::span<const std::string> codes() const { return tables_.descriptions.languages; }

  NameChoice choose_default() const {
    if (const auto set = best_set(members_)) return by_set(*set);
    std::optional<std::size_t> best;
    for (std::size_t code = 0; code < codes().size(); ++code) {
      if (speakers_[code] == 0) continue;
      if (codes()[code] == "en") return by_code(code);
      if (!best || speakers_[code] > speakers_[*best] ||
          (speakers_[code] == speakers_[*best] && codes()[code] < codes()[*best])) {
        best = code;
      }
    }
    return best ? by_code(*best) : NameChoice{{}, accepted_by(std::nullopt), "no language"};
  }

  // The set of a known dialect, else that with most members.
  std::optional<std::size_t> best_set(std::span<const std::uint64_t> members) const {
    std::optional<std::size_t> best;
    for (std::size_t set = 0; set < sets().size(); ++set) {
      if (members[set] > 0 && (!best || rank(set, members) < rank(*best, members))) best = set;
    }
    return best;
  }
  std::tuple<std::size_t, std::uint64_t, std::uint64_t> rank(
      std::size_t set, std::span<const std::uint64_t> members) const {
    const auto* known = std::ranges::find(kDialects, sets()[set], &Dialect::id);
    return {known - kDialects.begin(), ~members[set], sets()[set]};
  }

  NameChoice by_set(std::size_t set) const {
    return {{}, accepted_by(set), "language reference set " + set_named(sets()[set])};
  }

  NameChoice by_code(std::size_t code) const {
    std::vector<std::uint64_t> members(sets().size(), 0);  // of this language
    const auto& descriptions = tables_.descriptions.rows;
    for (const LanguageRow& row : tables_.languages.rows.rows()) {
      if (row.acceptance == Acceptance::kNone) continue;
      const std::uint32_t description = descriptions.find(row.description);
      if (description != descriptions.kNone && descriptions[description].active &&
          descriptions[description].language == code) {
        ++members[row.reference_set];
      }
    }
    const auto set = best_set(members);
    std::string said = "language " + printable(codes()[code]);
    if (set) said += ", preferred by language reference set " + set_named(sets()[*set]);
    return {static_cast<std::uint8_t>(code), accepted_by(set), said};
  }

  std::vector<Acceptance> accepted_by(std::optional<std::size_t> set) const {
    const auto& descriptions = tables_.descriptions.rows;
    std::vector<Acceptance> acceptance(descriptions.size(), Acceptance::kNone);
    if (!set) return acceptance;
    for (const LanguageRow& row : tables_.languages.rows.rows()) {
      if (row.reference_set != *set || row.acceptance == Acceptance::kNone) continue;
      const std::uint32_t description = descriptions.find(row.description);
      if (description == descriptions.kNone) continue;
      acceptance[description] = std::max(acceptance[description], row.acceptance);
    }
    return acceptance;
  }

  std::string offers() const {
    std::vector<std::string> languages, ids;
    for (std::size_t code = 0; code < codes().size(); ++code) {
      if (speakers_[code] > 0) languages.push_back(printable(codes()[code]));
    }
    for (std::size_t set = 0; set < sets().size(); ++set) {
      if (members_[set] > 0) ids.push_back(set_named(sets()[set]));
    }
    const auto joined = [](std::vector<std::string> list) {
      constexpr std::size_t kMostListed = 10;
      std::ranges::sort(list);
      const bool more = list.size() > kMostListed;
      if (more) list.resize(kMostListed);
      return list.empty() ? "none" : fmt::format("{}{}", fmt::join(list, ", "), more ? ", …" : "");
    };
    return fmt::format("languages: {}; language reference sets: {}", joined(languages),
                       joined(ids));
  }

  const Rf2Tables& tables_;
  const std::string& path_;
  std::vector<std::uint64_t> members_;   // active ones, by reference set
  std::vector<std::uint64_t> speakers_;  // active descriptions, by language
};

}  // namespace

Result<NameChoice> choose_names(const Rf2Tables& tables, const std::string& wanted,
                                const std::string& path) {
  return Chooser(tables, path).choose(wanted);
}

}  // namespace semveil
