// Reads the tables of an RF2 release, several at a time.
//
// A table is read by one thread, its files one after the other by name, so that no row depends on
// how many threads there are. An id that stands twice in one Snapshot file is an error: there it
// has one state. Columns are found by their names.
//
// Source:  SNOMED CT Release File Specifications, 4 (components) and 5.2 (reference sets).
// Cost:    one pass over each file; a row is some 40 bytes, and the terms of active descriptions
//          are kept as they are.
#include "ontology/rf2/rf2_tables.h"

#include <algorithm>
#include <array>
#include <optional>
#include <thread>

#include "base/parallel.h"
#include "ontology/rf2/rf2_reader.h"

namespace semveil {
namespace {

constexpr std::string_view kIsA = "116680003";
constexpr std::string_view kStated = "900000000000010007";
constexpr std::string_view kFullName = "900000000000003001";
constexpr std::string_view kSynonym = "900000000000013009";
constexpr std::string_view kDefinition = "900000000000550004";
constexpr std::string_view kPreferred = "900000000000548007";
constexpr std::string_view kAcceptable = "900000000000549004";

// Reference sets that lead from an inactive concept to what stands for it, the closest first. MOVED
// TO names a namespace, WAS A what the concept was a kind of, REFERS TO belongs to descriptions:
// none of them is a replacement.
constexpr std::array<std::uint64_t, 6> kReplacements{
    900000000000527005U,  // SAME AS
    900000000000526001U,  // REPLACED BY
    900000000000523009U,  // POSSIBLY EQUIVALENT TO
    1186921001U,          // POSSIBLY REPLACED BY
    900000000000530003U,  // ALTERNATIVE
    1186924009U,          // PARTIALLY EQUIVALENT TO
};

constexpr std::size_t kMostKinds = 255;  // of languages and of language reference sets

// The place of an item in a short list, where it is put if it is new; nothing where the list is
// full.
template <class List, class Item>
std::optional<std::uint8_t> listed(List& list, const Item& item) {
  const auto found = std::find(list.begin(), list.end(), item);
  const auto place = static_cast<std::uint8_t>(found - list.begin());
  if (found != list.end()) return place;
  if (list.size() == kMostKinds) return std::nullopt;
  list.emplace_back(item);
  return place;
}

template <class Row>
void append(const Row& row, NewestRows<Row>& rows, Rf2Reader& in) {
  if (rows.is_full()) {
    in.refuse("more rows than any release has; load a part of it");
  } else {
    rows.append(row);
  }
}

Status read_concepts(Rf2Reader& in, Rf2Tables& tables) {
  while (in.next()) {
    const ConceptRow row{in.id(0), in.time(1), in.place(), in.flag(2)};
    append(row, tables.concepts, in);
  }
  return in.status();
}

Status read_relationships(Rf2Reader& in, Rf2Tables& tables) {
  while (in.next()) {
    const bool is_a = in.text(5) == kIsA && in.text(6) != kStated;
    const RelationshipRow row{in.id(0),   in.id(3),   in.id(4), in.time(1),
                              in.place(), in.flag(2), is_a};
    append(row, tables.relationships, in);
  }
  return in.status();
}

DescriptionType type_of(std::string_view id) {
  if (id == kFullName) return DescriptionType::kFullName;
  if (id == kSynonym) return DescriptionType::kSynonym;
  return id == kDefinition ? DescriptionType::kDefinition : DescriptionType::kOther;
}

Status read_descriptions(Rf2Reader& in, Rf2Tables& tables) {
  Descriptions& all = tables.descriptions;
  while (in.next()) {
    const bool active = in.flag(2);
    const std::string_view term = active ? in.text(6) : std::string_view();
    const std::optional<std::uint8_t> language = listed(all.languages, in.text(4));
    if (!language) in.refuse("more than 255 languages: is this the right file?", in.text(4));
    if (all.text.size() + term.size() > OntologyDraft::most_bytes()) {
      in.refuse(OntologyDraft::kFull);
      break;
    }
    const DescriptionRow row{in.id(0),
                             in.id(3),
                             all.text.size(),
                             static_cast<std::uint32_t>(term.size()),
                             in.time(1),
                             in.place(),
                             active,
                             type_of(in.text(5)),
                             language.value_or(0)};
    all.text += term;
    append(row, all.rows, in);
  }
  return in.status();
}

Acceptance acceptance_of(std::string_view id) {
  if (id == kPreferred) return Acceptance::kPreferred;
  return id == kAcceptable ? Acceptance::kAcceptable : Acceptance::kNone;
}

Status read_languages(Rf2Reader& in, Rf2Tables& tables) {
  Languages& all = tables.languages;
  while (in.next()) {
    const std::optional<std::uint8_t> set = listed(all.reference_sets, in.id(3));
    if (!set) {
      in.refuse("more than 255 language reference sets: is this the right file?", in.text(3));
    }
    const bool active = in.flag(2);
    const LanguageRow row{in.member_id(0), in.id(4),
                          in.time(1),      in.place(),
                          set.value_or(0), active ? acceptance_of(in.text(5)) : Acceptance::kNone};
    append(row, all.rows, in);
  }
  return in.status();
}

Status read_associations(Rf2Reader& in, Rf2Tables& tables) {
  while (in.next()) {
    const auto* set = std::find(kReplacements.begin(), kReplacements.end(), in.id(3));
    if (set == kReplacements.end()) continue;
    const auto preference = static_cast<std::uint8_t>(set - kReplacements.begin());
    const AssociationRow row{in.member_id(0), in.id(4),   in.id(5),  in.time(1),
                             in.place(),      preference, in.flag(2)};
    append(row, tables.associations, in);
  }
  return in.status();
}

// Room for the rows of a file of so many bytes, should they be as long as they are in releases. A
// size is not believed beyond what the largest releases have.
void reserve(Rf2Kind kind, std::uint64_t bytes, Rf2Tables& tables) {
  const auto rows = static_cast<std::size_t>(std::min(bytes, std::uint64_t{1} << 30));
  switch (kind) {
    case Rf2Kind::kConcept:
      return tables.concepts.reserve(rows / 56);
    case Rf2Kind::kRelationship:
      return tables.relationships.reserve(rows / 104);
    case Rf2Kind::kDescription:
      return tables.descriptions.rows.reserve(rows / 120);
    case Rf2Kind::kLanguage:
      return tables.languages.rows.reserve(rows / 112);
    case Rf2Kind::kAssociation:
      return tables.associations.reserve(rows / 104);
  }
}

// The rows of a kind, all read, to the newest of each component.
Status settle(Rf2Kind kind, const Rf2Release& release, std::span<const Rf2File> files,
              Rf2Tables& tables) {
  const auto is_full = [&](std::uint16_t file) { return files[file].is_full; };
  const auto twice = [&]() -> std::optional<RowPlace> {
    switch (kind) {
      case Rf2Kind::kConcept:
        return tables.concepts.settle(is_full);
      case Rf2Kind::kRelationship:
        return tables.relationships.settle(is_full);
      case Rf2Kind::kDescription:
        return tables.descriptions.rows.settle(is_full);
      case Rf2Kind::kLanguage:
        return tables.languages.rows.settle(is_full);
      case Rf2Kind::kAssociation:
        return tables.associations.settle(is_full);
    }
    return std::nullopt;
  }();
  if (!twice) return {};
  return fail(data_error("the id of this row stands in the file already: a Snapshot has one row of "
                         "each; fetch the release again")
                  .at(release.place_of(files[twice->file].name), twice->line));
}

Status read_file(NamedStream input, const Rf2File& file, std::uint16_t number, Rf2Tables& tables) {
  const auto reader = [&](std::initializer_list<std::string_view> columns) {
    return Rf2Reader(std::move(input), number, columns);
  };
  switch (file.kind) {
    case Rf2Kind::kConcept: {
      Rf2Reader in = reader({"id", "effectiveTime", "active"});
      return read_concepts(in, tables);
    }
    case Rf2Kind::kRelationship: {
      Rf2Reader in = reader({"id", "effectiveTime", "active", "sourceId", "destinationId", "typeId",
                             "characteristicTypeId"});
      return read_relationships(in, tables);
    }
    case Rf2Kind::kDescription: {
      Rf2Reader in =
          reader({"id", "effectiveTime", "active", "conceptId", "languageCode", "typeId", "term"});
      return read_descriptions(in, tables);
    }
    case Rf2Kind::kLanguage: {
      Rf2Reader in = reader({"id", "effectiveTime", "active", "refsetId", "referencedComponentId",
                             "acceptabilityId"});
      return read_languages(in, tables);
    }
    case Rf2Kind::kAssociation: {
      Rf2Reader in = reader({"id", "effectiveTime", "active", "refsetId", "referencedComponentId",
                             "targetComponentId"});
      return read_associations(in, tables);
    }
  }
  return {};
}

}  // namespace

Result<Rf2Tables> read_rf2_tables(const Rf2Release& release, std::span<const Rf2File> files) {
  constexpr std::size_t kMostFiles = 65535;
  if (files.size() > kMostFiles) {
    return fail(data_error("more than 65535 release files in it: give the folder of one release")
                    .at(release.path));
  }
  // The largest first, so that threads end at about the same time.
  constexpr std::array<Rf2Kind, kRf2Kinds> kOrder{Rf2Kind::kLanguage, Rf2Kind::kDescription,
                                                  Rf2Kind::kRelationship, Rf2Kind::kConcept,
                                                  Rf2Kind::kAssociation};
  Rf2Tables tables;
  std::array<Status, kRf2Kinds> read;
  in_parallel(std::max(1U, std::thread::hardware_concurrency()), kRf2Kinds, [&](std::size_t i) {
    for (std::size_t f = 0; f < files.size() && read[i]; ++f) {
      if (files[f].kind != kOrder[i]) continue;
      Result<NamedStream> input = release.open(files[f].name);
      if (input) {
        if (release.size) reserve(files[f].kind, release.size(files[f].name), tables);
        read[i] = read_file(*std::move(input), files[f], static_cast<std::uint16_t>(f), tables);
      } else {
        read[i] = fail(input.error());
      }
    }
    if (read[i]) read[i] = settle(kOrder[i], release, files, tables);
  });
  for (const Status& status : read) {
    if (!status) return fail(status.error());
  }
  return tables;
}

}  // namespace semveil
