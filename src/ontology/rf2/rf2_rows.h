// The components of an RF2 release as rows of numbers, one table a kind, each with the newest state
// of every component: where an id comes again, in another file or in a file that holds all states,
// the row of the greatest effectiveTime stands; of equal ones the last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ontology/draft.h"

namespace semveil {

// Where a row was read.
struct RowPlace {
  std::uint32_t line;
  std::uint16_t file;  // among the files chosen
};

struct ConceptRow {
  std::uint64_t id;
  std::uint32_t time;
  RowPlace place;
  bool active;
};

struct RelationshipRow {
  std::uint64_t id, source, destination;
  std::uint32_t time;
  RowPlace place;
  bool active;
  bool is_a;  // and inferred
};

enum class DescriptionType : std::uint8_t { kFullName, kSynonym, kDefinition, kOther };

struct DescriptionRow {
  std::uint64_t id, concept_id;
  std::uint64_t text_begin;  // in Descriptions::text; nothing is kept of inactive ones
  std::uint32_t text_size;
  std::uint32_t time;
  RowPlace place;
  bool active;
  DescriptionType type;
  std::uint8_t language;  // in Descriptions::languages
};

struct MemberId {  // a hash of 128 bits of the UUID
  std::uint64_t high, low;
  bool operator==(const MemberId&) const = default;
};

enum class Acceptance : std::uint8_t { kNone, kAcceptable, kPreferred };

struct LanguageRow {
  MemberId id;
  std::uint64_t description;
  std::uint32_t time;
  RowPlace place;
  std::uint8_t reference_set;  // in Languages::reference_sets
  Acceptance acceptance;       // none: inactive
};

struct AssociationRow {
  MemberId id;
  std::uint64_t from, to;
  std::uint32_t time;
  RowPlace place;
  std::uint8_t preference;  // 0: the closest replacement
  bool active;
};

inline std::uint64_t hash_of(std::uint64_t id) {  // the finaliser of splitmix64
  id = (id ^ (id >> 30)) * 0xbf58476d1ce4e5b9U;
  id = (id ^ (id >> 27)) * 0x94d049bb133111ebU;
  return id ^ (id >> 31);
}
inline std::uint64_t hash_of(const MemberId& id) { return id.low; }

// Rows by id: gathered as they come, then settled, after which they can be found. The index is an
// open hash table of 32 bits of the hash and a row number, at most half full. It is filled when all
// rows are there, so that the memory a row needs can be fetched while rows before it are put in: a
// large release loads in half the time it takes with one row at a time, each waiting for its slot.
template <class Row>
class NewestRows {
 public:
  using Id = decltype(Row::id);
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  void reserve(std::size_t rows) {  // a guess, for the first file
    if (rows_.empty()) rows_.reserve(rows);
  }
  void append(const Row& row) { rows_.push_back(row); }
  // Row numbers have 32 bits, and rows come from files that may be endless.
  bool is_full() const { return rows_.size() >= OntologyDraft::most_items(); }

  // Keeps the newest row of each id, in the order of first appearances. Returns the place of a row
  // whose id stands in the same file already, unless is_full(file): that is an error.
  template <class IsFull>
  std::optional<RowPlace> settle(const IsFull& is_full) {
    std::size_t slots = 16;
    while (slots < rows_.size() * 2) slots *= 2;
    slots_.assign(slots, 0);
    constexpr std::size_t kAhead = 24;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (i + kAhead < rows_.size()) {
        __builtin_prefetch(&slots_[hash_of(rows_[i + kAhead].id) & (slots - 1)], 1);
      }
      const std::uint64_t hash = hash_of(rows_[i].id);
      std::uint64_t& slot = slots_[slot_of(hash, rows_[i].id)];
      if (slot == 0) {
        slot = (hash & 0xFFFFFFFF00000000U) | (kept + 1);
        rows_[kept++] = rows_[i];
        continue;
      }
      Row& known = rows_[row_number(slot)];
      const RowPlace place = rows_[i].place;
      if (known.place.file == place.file && !is_full(place.file)) return place;
      if (rows_[i].time >= known.time) known = rows_[i];
    }
    rows_.resize(kept);
    return std::nullopt;
  }

  std::uint32_t find(const Id& id) const {
    if (slots_.empty()) return kNone;
    const std::uint64_t slot = slots_[slot_of(hash_of(id), id)];
    return slot == 0 ? kNone : row_number(slot);
  }
  const Row& operator[](std::size_t i) const { return rows_[i]; }
  std::span<const Row> rows() const { return rows_; }
  std::size_t size() const { return rows_.size(); }

 private:
  static std::uint32_t row_number(std::uint64_t slot) {
    return static_cast<std::uint32_t>(slot) - 1;
  }
  // Of the id, or the free one where it belongs.
  std::size_t slot_of(std::uint64_t hash, const Id& id) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
      const std::uint64_t slot = slots_[at];
      if (slot == 0) return at;
      if (slot >> 32 == hash >> 32 && rows_[row_number(slot)].id == id) return at;
    }
  }

  std::vector<Row> rows_;
  std::vector<std::uint64_t> slots_;
};

struct Descriptions {
  NewestRows<DescriptionRow> rows;
  std::string text;
  std::vector<std::string> languages;  // codes, by first appearance
  std::string_view text_of(const DescriptionRow& row) const {
    return std::string_view(text).substr(row.text_begin, row.text_size);
  }
};

struct Languages {
  NewestRows<LanguageRow> rows;
  std::vector<std::uint64_t> reference_sets;  // by first appearance
};

struct Rf2Tables {
  NewestRows<ConceptRow> concepts;
  NewestRows<RelationshipRow> relationships;
  Descriptions descriptions;
  Languages languages;
  NewestRows<AssociationRow> associations;
};

}  // namespace semveil
