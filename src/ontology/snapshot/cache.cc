#include "ontology/snapshot/cache.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <future>

#include "base/bytes.h"
#include "base/memory_error.h"
#include "base/stop.h"
#include "ontology/part.h"
#include "ontology/snapshot/snapshot.h"

namespace semveil {
namespace {

namespace fs = std::filesystem;

// Raised whenever a loader reads more, or differently, than before.
constexpr int kLoaderVersion = 4;

std::string cache_folder() {
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  if (std::string own = set("SEMVEIL_CACHE_DIR"); !own.empty()) return own;
  if (const std::string cache = set("XDG_CACHE_HOME"); !cache.empty()) return cache + "/semveil";
  if (const std::string home = set("HOME"); !home.empty()) return home + "/.cache/semveil";
  return "";
}

// Entries are believed, so nobody else may have written them. A folder yet to be made is ours.
bool is_private(const std::string& folder) {
  struct stat s{};
  if (::stat(folder.c_str(), &s) != 0) return true;
  return s.st_uid == ::geteuid() && (s.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::string absolute(const std::string& path) {
  std::error_code ignored;
  const fs::path canonical = fs::weakly_canonical(path, ignored);
  return canonical.empty() ? path : canonical.string();
}

std::string looks_of(const Source& source) {
  std::string looks;
  for (const std::string& file : source.files()) {
    struct stat s{};
    if (::stat(file.c_str(), &s) != 0) continue;
    looks += fmt::format("file {} {}.{:09} {} {}\n", s.st_size, s.st_mtim.tv_sec, s.st_mtim.tv_nsec,
                         s.st_ino, absolute(file));
  }
  return looks;
}

// The digest in a key file that belongs to this source and program; empty otherwise.
std::string digest_in(std::string_view key, std::string_view first_line) {
  constexpr std::string_view kDigest = "digest ";
  if (!key.starts_with(first_line)) return "";
  key.remove_prefix(first_line.size());
  if (!key.starts_with(kDigest)) return "";
  key.remove_prefix(kDigest.size());
  return std::string(key.substr(0, key.find('\n')));
}

std::string first_line(const Source& source) {
  return fmt::format("semveil-cache {} {} {}\n", kLoaderVersion, source.text,
                     absolute(source.path));
}

}  // namespace

bool has_regular_files(const Source& source) {
  const std::vector<std::string> files = source.files();
  return std::all_of(files.begin(), files.end(), [](const std::string& file) {
    std::error_code ignored;
    return fs::is_regular_file(file, ignored) || !fs::exists(file, ignored);
  });
}

namespace {

// The size of a file and its bytes as they lie there, piece by piece: it may be of any size.
Status add_file(const std::string& path, XXH3_state_t& state) {
  std::error_code unknown;
  const std::uint64_t size = fs::file_size(path, unknown);
  if (unknown) return fail(read_error(path, unknown.value()));
  XXH3_128bits_update(&state, &size, sizeof size);
  const auto stream = InputStream::open(path, Unpack::kNo);
  if (!stream) return fail(stream.error());
  std::vector<char> piece(std::size_t{1} << 18);
  for (;;) {
    const auto got = (*stream)->read(piece.data(), piece.size());
    if (!got) return fail(got.error());
    if (*got == 0) return {};
    XXH3_128bits_update(&state, piece.data(), *got);
  }
}

// The names of a release's files tell its date and what each of them is.
void add_name(const Source& source, const std::string& file, XXH3_state_t& state) {
  const std::string name = fs::path(file).lexically_relative(source.path).generic_string();
  XXH3_128bits_update(&state, name.c_str(), name.size() + 1);
}

}  // namespace

Result<std::string> digest_of(const Source& source) {
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(),
                                                                              &XXH3_freeState);
  if (!state) return fail(memory_error("to hash files"));
  XXH3_128bits_reset(state.get());
  for (const std::string& file : source.files()) {
    std::error_code ignored;
    if (!fs::exists(file, ignored)) continue;
    if (source.format == SourceFormat::kRf2 && file != source.path) {
      add_name(source, file, *state);
    }
    if (const Status added = add_file(file, *state); !added) return fail(added.error());
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

CacheEntry::CacheEntry(const Source& source) : source_(source), looks_(looks_of(source)) {
  const std::string folder = cache_folder();
  if (folder.empty() || !is_private(folder)) return;
  const std::string identity = first_line(source);
  const std::string stem =
      fmt::format("{}/{:016x}", folder, XXH3_64bits(identity.data(), identity.size()));
  snapshot_ = stem + ".svo";
  key_ = stem + ".key";
}

std::string CacheEntry::key_text(std::string_view digest) const {
  return fmt::format("{}digest {}\n{}", first_line(source_), digest, looks_);
}

std::optional<Ontology> CacheEntry::open() const {
  if (snapshot_.empty() || looks_.empty()) return std::nullopt;
  const Result<FileBytes> key = FileBytes::read(key_);
  if (!key) return std::nullopt;
  const std::string digest = digest_in(key->view(), first_line(source_));
  if (digest.empty()) return std::nullopt;
  if (key->view() != key_text(digest)) {
    const Result<std::string> now = digest_of(source_);
    if (!now || *now != digest) return std::nullopt;
    (void)write_file(key_, key_text(digest), 0600, Sync::kNo);
  }
  Result<Ontology> ontology = open_snapshot(snapshot_);
  // Every verb needs both parts, so checking them here costs nothing and a damaged entry heals.
  if (!ontology || ontology->info().digest != digest || !ontology->verify()) return std::nullopt;
  return *std::move(ontology);
}

void CacheEntry::keep(const Ontology& ontology) const {
  // A source that changed while it was read is not kept.
  if (snapshot_.empty() || looks_.empty() || looks_of(source_) != looks_) return;
  const fs::path folder = fs::path(snapshot_).parent_path();
  std::error_code ignored;
  if (fs::create_directories(folder, ignored)) {
    fs::permissions(folder, fs::perms::owner_all, ignored);
  }
  if (write_snapshot(ontology, snapshot_, 0600, Sync::kNo)) {
    (void)write_file(key_, key_text(ontology.info().digest), 0600, Sync::kNo);
  }
}

namespace {

// The source of a key's first line, `semveil-cache 4 obo:doid.obo /data/doid.obo`, by its absolute
// path: `obo:/data/doid.obo`. Nothing where there is no such file any more, or it needs no name.
std::optional<std::string> source_in(std::string_view key) {
  const std::string head = fmt::format("semveil-cache {} ", kLoaderVersion);
  key = key.substr(0, key.find('\n'));
  const std::size_t path = key.rfind(" /");
  if (!key.starts_with(head) || path == key.npos || path < head.size()) return std::nullopt;
  const std::string absolute_path(key.substr(path + 1));
  const std::string_view written = key.substr(head.size(), path - head.size());
  std::error_code ignored;
  if (written == "wordnet" || !fs::exists(absolute_path, ignored)) return std::nullopt;
  const std::size_t colon = written.find(':');
  const std::size_t choices = written.rfind('?');
  std::string out;
  if (colon != written.npos) out = std::string(written.substr(0, colon + 1));
  out += absolute_path;
  if (choices != written.npos && absolute_path.find('?') == absolute_path.npos) {
    out += written.substr(choices);
  }
  const Result<Source> source = parse_source(out);
  return source ? std::optional(out) : std::nullopt;
}

}  // namespace

std::vector<std::string> cached_sources() {
  std::vector<std::string> out;
  const std::string folder = cache_folder();
  if (folder.empty() || !is_private(folder)) return out;
  std::error_code ended;
  for (fs::directory_iterator at(folder, ended), end; !ended && at != end; at.increment(ended)) {
    if (at->path().extension() != ".key") continue;
    const Result<FileBytes> key = FileBytes::read(at->path().string());
    if (!key) continue;
    if (auto source = source_in(key->view())) out.push_back(*std::move(source));
  }
  std::ranges::sort(out);
  const auto repeated = std::ranges::unique(out);
  out.erase(repeated.begin(), repeated.end());
  return out;
}

Result<std::vector<std::string>> ontology_files(std::string_view text) {
  const Result<Source> source = parse_source(text);
  if (!source) return fail(source.error());
  return source->files();
}

namespace {

Result<Ontology> open_source(const Source& source, const OpenOptions& options);

// A part is kept beside the whole, so that the next run sees nothing of the rest.
Result<Ontology> open_part(const Source& source, const OpenOptions& options) {
  Source all = source;
  all.root.clear();
  all.text.resize(all.text.rfind('?'));
  if (!all.language.empty()) all.text += "?lang=" + all.language;
  Result<Ontology> whole = open_source(all, options);
  if (!whole) return whole;
  const auto names = whole->names();
  if (!names) return fail(names.error());
  const Result<ConceptId> root = concept_called(**names, source.root);
  if (!root) return fail(Error(root.error()).at(source.path));
  return part_of(*whole, *root);
}

Result<Ontology> open_source(const Source& source, const OpenOptions& options) {
  const bool is_snapshot = source.format == SourceFormat::kSnapshot;
  if (is_snapshot && source.root.empty()) return open_snapshot(source.path);
  const bool use_cache = options.use_cache && has_regular_files(source);
  const CacheEntry entry(source);
  if (use_cache) {
    if (std::optional<Ontology> cached = entry.open()) return *std::move(cached);
  }
  if (!source.root.empty()) {
    Result<Ontology> part = open_part(source, options);
    if (part && use_cache) entry.keep(*part);
    return part;
  }
  // Hashing and parsing read the same bytes, so together they take little longer than parsing. What
  // can be read only once, a pipe, is not hashed.
  std::future<Result<std::string>> hashing =
      std::async(std::launch::async | std::launch::deferred,
                 [&, stop = current_stop()]() -> Result<std::string> {
                   const StopScope scope(stop);
                   return has_regular_files(source) ? digest_of(source) : Result<std::string>("");
                 });
  Result<OntologyDraft> draft = source.load();
  Result<std::string> digest = hashing.get();
  if (!draft) return fail(draft.error());
  if (!digest) return fail(digest.error());
  draft->info.digest = *std::move(digest);
  Result<Ontology> ontology = std::move(*draft).finish(source.path);
  if (ontology && use_cache) entry.keep(*ontology);
  return ontology;
}

}  // namespace

Result<Ontology> open_ontology(std::string_view text, const OpenOptions& options) {
  const Result<Source> source = parse_source(text);
  if (!source) return fail(source.error());
  return open_source(*source, options);
}

}  // namespace semveil
