#include "ontology/snapshot/snapshot.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/bytes.h"
#include "base/saved_json.h"
#include "ontology/parts.h"
#include "ontology/snapshot/snapshot_checks.h"

namespace semveil {
namespace {

static_assert(std::endian::native == std::endian::little, "snapshots are little-endian");

constexpr std::array<char, 8> kMagic{'s', 'e', 'm', 'v', 'e', 'i', 'l', '\n'};
constexpr std::uint32_t kVersion = 2;
constexpr std::size_t kAlignment = 64;
constexpr std::uint32_t kVirtualRootFlag = 1;
// Of WordNet alone: its named instances are marked (ontology/instances.h).
constexpr std::uint32_t kInstancesFlag = 2;

bool tells_instances(const OntologyInfo& info) { return info.format == "wordnet"; }

enum Section : std::uint32_t {  // NOLINT(performance-enum-size): as in the file
  kInfo,
  kDepth,
  kParentBegin,
  kParents,
  kIdRank,
  kTermBegin,
  kTextBegin,
  kTermConcept,
  kTermSense,
  kTermKind,
  kText,
  kIndex,
  kDefinitionBegin,
  kDefinitions,
  kExceptionBegin,
  kExceptions,
  kWholeBegin,
  kWholes,
  kSections,
};

struct SectionEntry {
  std::uint64_t offset, size, checksum;
};

struct Header {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t flags;
  std::uint64_t file_size;
  std::uint64_t checksum;  // of the header with 0 here
  std::array<SectionEntry, kSections> sections;
};
static_assert(sizeof(Header) == 32 + 24 * kSections);

std::uint64_t checksum_of(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::uint64_t header_checksum(Header header) {
  header.checksum = 0;
  return XXH3_64bits(&header, sizeof header);
}

constexpr std::uint64_t aligned(std::uint64_t offset) {
  return (offset + kAlignment - 1) / kAlignment * kAlignment;
}

Error damaged(const std::string& name, std::string_view what) {
  return data_error(
             fmt::format("this snapshot is damaged ({}); make it anew with `semveil ontology "
                         "snapshot SRC -o FILE.svo`",
                         what))
      .at(name);
}

nlohmann::json to_json(const std::vector<Counted>& counts) {
  nlohmann::json json = nlohmann::json::array();
  for (const Counted& c : counts) json.push_back({{"what", c.what}, {"count", c.count}});
  return json;
}

nlohmann::json to_json(const OntologyInfo& info) {
  nlohmann::json json{{"format", info.format},
                      {"version", info.version},
                      {"digest", info.digest},
                      {"contents", to_json(info.contents)},
                      {"left_out", to_json(info.left_out)},
                      {"names_are_equal", info.names_are_equal},
                      {"has_icd_codes", info.has_icd_codes}};
  if (!info.headings.empty()) json["headings"] = info.headings;
  return json;
}

std::vector<Counted> counts_in(const SavedJson& json) {
  std::vector<Counted> counts;
  for (const SavedJson& c : json) counts.push_back({c.at("what"), c.at("count")});
  return counts;
}

std::optional<OntologyInfo> info_from_json(std::string_view text) {
  const SavedJson json = SavedJson::parse(text, nullptr, false);
  try {
    OntologyInfo info;
    json.at("format").get_to(info.format);
    json.at("version").get_to(info.version);
    json.at("digest").get_to(info.digest);
    json.at("names_are_equal").get_to(info.names_are_equal);
    info.left_out = counts_in(json.at("left_out"));
    // Snapshots made before these existed are of formats that have none, or know no headings.
    if (json.contains("contents")) info.contents = counts_in(json.at("contents"));
    info.has_icd_codes = json.value("has_icd_codes", false);
    if (json.contains("headings")) {
      json.at("headings").get_to(info.headings);
      std::ranges::sort(info.headings);  // as they are looked up
    }
    return info;
  } catch (const SavedJson::exception&) {
    return std::nullopt;
  }
}

class SnapshotParts final : public OntologyParts {
 public:
  static Result<Ontology> open(std::string_view bytes, std::shared_ptr<const void> owner,
                               const std::string& name) {
    auto parts = std::make_shared<SnapshotParts>();
    parts->bytes_ = bytes;
    parts->owner_ = std::move(owner);
    parts->name_ = name;
    if (const Status status = parts->read_header(); !status) return fail(status.error());
    return Ontology(std::move(parts));
  }

  const OntologyInfo& info() const override { return info_; }

  Result<std::shared_ptr<const Taxonomy>> taxonomy() const override {
    std::call_once(taxonomy_once_, [this] { taxonomy_ = make_taxonomy(); });
    return taxonomy_;
  }

  Result<std::shared_ptr<const Names>> names() const override {
    std::call_once(names_once_, [this] { names_ = make_names(); });
    return names_;
  }

  Status verify() const override {
    // Between them the two use every section but kInfo, which was checked on opening.
    if (const auto taxonomy = this->taxonomy(); !taxonomy) return fail(taxonomy.error());
    if (const auto names = this->names(); !names) return fail(names.error());
    return {};
  }

 private:
  Status read_header() {
    if (reinterpret_cast<std::uintptr_t>(bytes_.data()) % alignof(std::uint64_t) != 0) {
      return fail(usage_error("a snapshot in memory must begin at a multiple of eight").at(name_));
    }
    constexpr std::size_t kBegin = offsetof(Header, flags);  // the same in every format
    if (bytes_.size() < kBegin) return fail(damaged(name_, "shorter than its header"));
    std::memcpy(&header_, bytes_.data(), kBegin);
    if (header_.magic != kMagic) {
      return fail(data_error("not a semveil snapshot; make one with `semveil ontology snapshot SRC "
                             "-o FILE.svo`")
                      .at(name_));
    }
    if (header_.version != kVersion) {
      return fail(data_error(fmt::format("a snapshot of format {}, this program reads format {}; "
                                         "make it anew from its source",
                                         header_.version, kVersion))
                      .at(name_));
    }
    if (bytes_.size() < sizeof(Header)) return fail(damaged(name_, "shorter than its header"));
    std::memcpy(&header_, bytes_.data(), sizeof header_);
    if (header_.checksum != header_checksum(header_)) {
      return fail(damaged(name_, "the header's checksum is wrong"));
    }
    if (header_.file_size != bytes_.size()) {
      return fail(
          damaged(name_, fmt::format("{} bytes instead of {}", bytes_.size(), header_.file_size)));
    }
    std::uint64_t end = sizeof(Header);
    for (const SectionEntry& s : header_.sections) {
      if (s.offset != aligned(end) || s.offset > bytes_.size() ||
          s.size > bytes_.size() - s.offset) {
        return fail(damaged(name_, "a section lies outside the file"));
      }
      end = s.offset + s.size;
    }
    if (end != bytes_.size() || header_.flags > (kVirtualRootFlag | kInstancesFlag)) {
      return fail(damaged(name_, "the header contradicts itself"));
    }
    const Result<std::string_view> text = section(kInfo);
    if (!text) return fail(text.error());
    std::optional<OntologyInfo> info = info_from_json(*text);
    if (!info) return fail(damaged(name_, "its description cannot be read"));
    info_ = *std::move(info);
    const bool has_instances = (header_.flags & kInstancesFlag) != 0;
    if (has_instances != tells_instances(info_)) {
      return fail(has_instances
                      ? damaged(name_, "the header contradicts its description")
                      : data_error("a snapshot of WordNet that was made before its named "
                                   "instances were kept apart; make it anew from its source")
                            .at(name_));
    }
    return {};
  }

  bool virtual_root() const { return (header_.flags & kVirtualRootFlag) != 0; }

  // A section after its checksum and the zero padding before it have been checked.
  Result<std::string_view> section(Section which) const {
    const SectionEntry& entry = header_.sections[which];
    const std::uint64_t before =
        which == 0 ? sizeof(Header)
                   : header_.sections[which - 1].offset + header_.sections[which - 1].size;
    const std::string_view padding = bytes_.substr(before, entry.offset - before);
    const std::string_view content = bytes_.substr(entry.offset, entry.size);
    const bool zero = std::all_of(padding.begin(), padding.end(), [](char c) { return c == 0; });
    if (!zero || checksum_of(content) != entry.checksum) {
      return fail(damaged(
          name_, fmt::format("the checksum of section {} is wrong", static_cast<unsigned>(which))));
    }
    return content;
  }

  template <class T>
  Status read(Section which, std::span<const T>& out) const {
    const Result<std::string_view> content = section(which);
    if (!content) return fail(content.error());
    if (content->size() % sizeof(T) != 0) return fail(damaged(name_, "a section is cut"));
    // Sections begin at multiples of 64 behind a beginning that open() has checked.
    out = {reinterpret_cast<const T*>(content->data()), content->size() / sizeof(T)};
    return {};
  }
  Status read(Section which, std::string_view& out) const {
    const Result<std::string_view> content = section(which);
    if (!content) return fail(content.error());
    out = *content;
    return {};
  }

  Result<std::shared_ptr<const Taxonomy>> make_taxonomy() const {
    Taxonomy::Arrays a;
    a.virtual_root = virtual_root();
    for (const Status& status : {read(kDepth, a.depth), read(kParentBegin, a.parent_begin),
                                 read(kParents, a.parents), read(kIdRank, a.id_rank)}) {
      if (!status) return fail(status.error());
    }
    if (!is_sound(a)) return fail(damaged(name_, "its taxonomy contradicts itself"));
    return std::make_shared<const Taxonomy>(a, owner_);
  }

  Result<std::shared_ptr<const Names>> make_names() const {
    Names::Arrays a;
    a.virtual_root = virtual_root();
    for (const Status& status :
         {read(kIdRank, a.row), read(kTermBegin, a.term_begin), read(kTextBegin, a.text_begin),
          read(kTermConcept, a.term_concept), read(kTermSense, a.term_sense),
          read(kTermKind, a.term_kind), read(kText, a.text), read(kIndex, a.index),
          read(kDefinitionBegin, a.definition_begin), read(kDefinitions, a.definitions),
          read(kExceptionBegin, a.exception_begin), read(kExceptions, a.exceptions),
          read(kWholeBegin, a.whole_begin), read(kWholes, a.wholes)}) {
      if (!status) return fail(status.error());
    }
    if (!is_sound(a)) return fail(damaged(name_, "its names contradict themselves"));
    return std::make_shared<const Names>(a, owner_);
  }

  std::string_view bytes_;
  std::shared_ptr<const void> owner_;
  std::string name_;
  Header header_{};
  OntologyInfo info_;
  mutable std::once_flag taxonomy_once_, names_once_;
  mutable Result<std::shared_ptr<const Taxonomy>> taxonomy_;
  mutable Result<std::shared_ptr<const Names>> names_;
};

template <class T>
std::string_view bytes_of(std::span<const T> array) {
  return {reinterpret_cast<const char*>(array.data()), array.size_bytes()};
}

}  // namespace

Result<Ontology> open_snapshot(std::string_view bytes, std::shared_ptr<const void> owner,
                               const std::string& name) {
  return SnapshotParts::open(bytes, std::move(owner), name);
}

Result<Ontology> open_snapshot(const std::string& path) {
  const Result<FileBytes> file = FileBytes::read(path);
  if (!file) return fail(file.error());
  return open_snapshot(file->view(), file->owner(), path);
}

Result<std::vector<std::string_view>> snapshot_pieces(const Ontology& ontology,
                                                      std::string& scratch) {
  const auto taxonomy = ontology.taxonomy();
  if (!taxonomy) return fail(taxonomy.error());
  const auto names = ontology.names();
  if (!names) return fail(names.error());
  const Taxonomy::Arrays& t = (*taxonomy)->arrays();
  const Names::Arrays& n = (*names)->arrays();
  const std::string info =
      to_json(ontology.info()).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::array<std::string_view, kSections> content{
      info,
      bytes_of(t.depth),
      bytes_of(t.parent_begin),
      bytes_of(t.parents),
      bytes_of(t.id_rank),
      bytes_of(n.term_begin),
      bytes_of(n.text_begin),
      bytes_of(n.term_concept),
      bytes_of(n.term_sense),
      bytes_of(n.term_kind),
      n.text,
      bytes_of(n.index),
      bytes_of(n.definition_begin),
      n.definitions,
      bytes_of(n.exception_begin),
      n.exceptions,
      bytes_of(n.whole_begin),
      bytes_of(n.wholes),
  };
  const std::uint32_t flags = (t.virtual_root ? kVirtualRootFlag : 0) |
                              (tells_instances(ontology.info()) ? kInstancesFlag : 0);
  Header header{kMagic, kVersion, flags, 0, 0, {}};
  std::uint64_t end = sizeof header;
  for (std::size_t s = 0; s < kSections; ++s) {
    header.sections[s] = {aligned(end), content[s].size(), checksum_of(content[s])};
    end = header.sections[s].offset + content[s].size();
  }
  header.file_size = end;
  header.checksum = header_checksum(header);

  // Scratch holds the header, the description and the zeros of the padding.
  scratch.assign(reinterpret_cast<const char*>(&header), sizeof header);
  scratch += info;
  scratch.append(kAlignment, '\0');
  const std::string_view kept = scratch;
  content[kInfo] = kept.substr(sizeof header, info.size());
  const std::string_view zeros = kept.substr(kept.size() - kAlignment);
  std::vector<std::string_view> pieces{kept.substr(0, sizeof header)};
  end = sizeof header;
  for (std::size_t s = 0; s < kSections; ++s) {
    pieces.push_back(zeros.substr(0, header.sections[s].offset - end));
    pieces.push_back(content[s]);
    end = header.sections[s].offset + content[s].size();
  }
  return pieces;
}

Result<PendingFile> prepare_snapshot(const Ontology& ontology, const std::string& path,
                                     unsigned mode) {
  std::string scratch;
  const Result<std::vector<std::string_view>> pieces = snapshot_pieces(ontology, scratch);
  if (!pieces) return fail(pieces.error());
  return PendingFile::write(path, *pieces, mode);
}

Status write_snapshot(const Ontology& ontology, const std::string& path, unsigned mode, Sync sync) {
  Result<PendingFile> pending = prepare_snapshot(ontology, path, mode);
  if (!pending) return fail(pending.error());
  return pending->commit(sync);
}

}  // namespace semveil
