// From the tables of an RF2 release to concepts, links and names; rf2_loader.cc says which.
#include "ontology/rf2/rf2_join.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "ontology/rf2/rf2_replacements.h"

namespace semveil {
namespace {

using Index = OntologyDraft::Index;
constexpr Index kInactive = 0xFFFFFFFFU;

// Orders ids by the bytes of their digits: those shifted to the left, then the shorter one.
struct ByDigits {
  std::uint64_t shifted, id;
  explicit ByDigits(std::uint64_t of) : shifted(of), id(of) {
    constexpr std::uint64_t kLeastOf18 = 100'000'000'000'000'000U;
    while (shifted != 0 && shifted < kLeastOf18) shifted *= 10;
  }
  auto operator<=>(const ByDigits&) const = default;
};

std::string_view without_tag(std::string_view full_name) {
  const std::size_t tag = full_name.rfind(" (");
  if (!full_name.ends_with(')') || tag == full_name.npos) return full_name;
  return full_name.substr(0, tag);
}

class Rf2Joiner {
 public:
  Rf2Joiner(const Rf2Tables& tables, const NameChoice& choice, std::span<const std::string> files)
      : tables_(tables), choice_(choice), files_(files) {}

  Result<OntologyDraft> join(const std::string& path) {
    number_concepts();
    if (live_.empty()) {
      return fail(data_error(tables_.concepts.size() == 0 ? "no concept in it"
                                                          : "all its concepts are inactive")
                      .at(path));
    }
    if (const Status linked = link(); !linked) return fail(linked.error());
    if (const Status grouped = group_descriptions(); !grouped) return fail(grouped.error());
    find_old_ids();
    add_concepts();
    draft_.info.format = "rf2";
    read("fully specified names", full_names_);
    read("synonyms", synonyms_);
    read("definitions", definitions_);
    draft_.info.contents.push_back({"preferred names (" + choice_.said + ")", preferred_});
    leave_out(draft_.info, "inactive concepts", tables_.concepts.size() - live_.size());
    leave_out(draft_.info, "inactive concepts that lead to their replacement", followed_);
    leave_out(draft_.info, "is-a links from or to inactive concepts", inactive_links_);
    leave_out(draft_.info, "inactive relationships", inactive_relationships_);
    leave_out(draft_.info, "relationships other than is-a", other_relationships_);
    leave_out(draft_.info, "inactive descriptions", inactive_descriptions_);
    leave_out(draft_.info, "descriptions of inactive concepts", descriptions_of_inactive_);
    leave_out(draft_.info, "descriptions of other languages, dialects or types",
              other_descriptions_);
    return std::move(draft_);
  }

 private:
  void read(const char* what, std::uint64_t count) {
    draft_.info.contents.push_back({what, count});
  }
  Error error(const RowPlace& place, std::string message, std::uint64_t id) const {
    return data_error(std::move(message))
        .at(files_[place.file], place.line)
        .quoting(std::to_string(id));
  }

  void number_concepts() {
    const auto& concepts = tables_.concepts;
    struct Keyed {
      ByDigits key;
      std::uint32_t row;
    };
    std::vector<Keyed> order;
    for (std::uint32_t row = 0; row < concepts.size(); ++row) {
      if (concepts[row].active) order.push_back({ByDigits(concepts[row].id), row});
    }
    std::ranges::sort(order, {}, &Keyed::key);
    index_of_.assign(concepts.size(), kInactive);
    live_.reserve(order.size());
    for (const Keyed& keyed : order) {
      index_of_[keyed.row] = static_cast<Index>(live_.size());
      live_.push_back(keyed.row);
    }
  }

  Status link() {
    const auto& concepts = tables_.concepts;
    for (const RelationshipRow& row : tables_.relationships.rows()) {
      if (!row.active || !row.is_a) {
        ++(row.active ? other_relationships_ : inactive_relationships_);
        continue;
      }
      std::array<Index, 2> ends{};
      for (std::size_t end = 0; end < 2; ++end) {
        const std::uint64_t id = end == 0 ? row.source : row.destination;
        const std::uint32_t at = concepts.find(id);
        if (at == concepts.kNone) {
          return fail(error(row.place,
                            "an is-a link with a concept that no file of the release declares: put "
                            "the edition that this one extends into the same folder",
                            id));
        }
        ends[end] = index_of_[at];
      }
      if (row.source == row.destination) {
        return fail(
            error(row.place, "a concept cannot be its own parent: remove this line", row.source));
      }
      if (ends[0] == kInactive || ends[1] == kInactive) {
        ++inactive_links_;
      } else {
        draft_.add_link(ends[0], ends[1]);
      }
    }
    return {};
  }

  // The descriptions that may be taken over, by concept; those of a concept in the order of
  // acceptance and id.
  Status group_descriptions() {
    const auto& concepts = tables_.concepts;
    const auto& rows = tables_.descriptions.rows;
    std::vector<Index> owner(rows.size(), kInactive);
    begin_.assign(live_.size() + 1, 0);
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      const DescriptionRow& row = rows[i];
      if (!row.active) {
        ++inactive_descriptions_;
        continue;
      }
      const std::uint32_t at = concepts.find(row.concept_id);
      if (at == concepts.kNone) {
        return fail(error(row.place,
                          "a description of a concept that no file of the release declares: put "
                          "the edition that this one extends into the same folder",
                          row.concept_id));
      }
      const Index c = index_of_[at];
      if (c == kInactive) {
        ++descriptions_of_inactive_;
        continue;
      }
      owner[i] = c;
      ++begin_[c + std::size_t{1}];
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    grouped_.resize(begin_.back());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      if (owner[i] != kInactive) grouped_[next[owner[i]]++] = i;
    }
    return {};
  }

  void find_old_ids() {
    const Replacements found = find_replacements(tables_);
    followed_ = found.followed;
    for (const Replacements::Pair& pair : found.pairs) {
      old_ids_.push_back({index_of_[pair.live], ByDigits(tables_.concepts[pair.old].id)});
    }
    std::ranges::sort(old_ids_);
  }

  void add_concepts() {
    draft_.reserve(live_.size(), 2 * live_.size() + grouped_.size() + old_ids_.size(),
                   tables_.descriptions.text.size() + 20 * live_.size());
    auto old = old_ids_.begin();
    for (Index c = 0; c < live_.size(); ++c) {
      draft_.add_concept(fmt::format_int(tables_.concepts[live_[c]].id).c_str());
      add_names(c);
      for (; old != old_ids_.end() && old->concept_index == c; ++old) {
        draft_.add_term(c, TermKind::kAltId, fmt::format_int(old->id.id).c_str());
      }
    }
  }

  void add_names(Index c) {
    const auto& rows = tables_.descriptions.rows;
    const std::span<std::uint32_t> own =
        std::span(grouped_).subspan(begin_[c], begin_[c + 1] - begin_[c]);
    std::ranges::sort(own, [&](std::uint32_t a, std::uint32_t b) {
      const Acceptance x = choice_.acceptance[a];
      const Acceptance y = choice_.acceptance[b];
      return x != y ? x > y : rows[a].id < rows[b].id;
    });
    const std::uint32_t full_name = first(own, DescriptionType::kFullName);
    const std::uint32_t synonym = first(own, DescriptionType::kSynonym);
    const bool prefers = synonym != kNone && choice_.acceptance[synonym] == Acceptance::kPreferred;
    preferred_ += prefers ? 1 : 0;
    const std::uint32_t label = prefers || full_name == kNone ? synonym : full_name;
    if (label != kNone) draft_.add_term(c, TermKind::kLabel, text(label));
    if (full_name != kNone) {
      ++full_names_;
      if (label != full_name) draft_.add_term(c, TermKind::kExactSynonym, text(full_name));
      const std::string_view plain = without_tag(text(full_name));
      if (!plain.empty() && plain != text(label))
        draft_.add_term(c, TermKind::kExactSynonym, plain);
    }
    bool defined = false;
    for (const std::uint32_t i : own) {
      const bool is_name = choice_.is_name(i, rows[i]);
      if (rows[i].type == DescriptionType::kSynonym && is_name) {
        ++synonyms_;
        if (i != label && rows[i].text_size > 0)
          draft_.add_term(c, TermKind::kExactSynonym, text(i));
      } else if (rows[i].type == DescriptionType::kDefinition && is_name && !defined) {
        ++definitions_;
        defined = true;
        draft_.set_definition(c, text(i));
      } else if (i != full_name) {
        ++other_descriptions_;
      }
    }
  }

  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  std::string_view text(std::uint32_t description) const {
    return tables_.descriptions.text_of(tables_.descriptions.rows[description]);
  }
  // The first name of this type; of fully specified names else the first that is none here.
  std::uint32_t first(std::span<const std::uint32_t> own, DescriptionType type) const {
    const auto& rows = tables_.descriptions.rows;
    std::uint32_t foreign = kNone;
    for (const std::uint32_t i : own) {
      if (rows[i].type != type || rows[i].text_size == 0) continue;
      if (choice_.is_name(i, rows[i])) return i;
      if (foreign == kNone && type == DescriptionType::kFullName) foreign = i;
    }
    return foreign;
  }

  struct OldId {
    Index concept_index;
    ByDigits id;
    auto operator<=>(const OldId&) const = default;
  };

  const Rf2Tables& tables_;
  const NameChoice& choice_;
  std::span<const std::string> files_;
  OntologyDraft draft_;
  std::vector<std::uint32_t> live_;             // rows of the active concepts, by id
  std::vector<Index> index_of_;                 // by row
  std::vector<std::uint32_t> begin_, grouped_;  // descriptions by concept
  std::vector<OldId> old_ids_;
  std::uint64_t full_names_ = 0, synonyms_ = 0, definitions_ = 0, preferred_ = 0, followed_ = 0;
  std::uint64_t inactive_links_ = 0, inactive_relationships_ = 0, other_relationships_ = 0;
  std::uint64_t inactive_descriptions_ = 0, descriptions_of_inactive_ = 0;
  std::uint64_t other_descriptions_ = 0;
};

}  // namespace

Result<OntologyDraft> join_rf2_tables(const Rf2Tables& tables, const NameChoice& choice,
                                      std::span<const std::string> files, const std::string& path) {
  return Rf2Joiner(tables, choice, files).join(path);
}

}  // namespace semveil
