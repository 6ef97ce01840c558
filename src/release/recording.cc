#include "release/recording.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <filesystem>
#include <new>

#include "base/hex.h"
#include "base/pending_names.h"
#include "base/stop.h"

namespace semveil {
namespace {

constexpr std::size_t kDrawsBytes = 16;  // of 32: to tell some models of one file apart

bool may_write(const std::string& path, int how) {
  return ::faccessat(AT_FDCWD, path.c_str(), how, AT_EACCESS) == 0;
}

std::string keyed_digest(const Key& key, std::string_view purpose,
                         const std::vector<std::string>& texts, std::size_t size) {
  const std::vector<std::string_view> parts(texts.begin(), texts.end());
  std::array<unsigned char, Key::kSize> bytes = key.derived_bytes(purpose, parts);
  return hex(std::span(bytes).first(size));
}

}  // namespace

// Of the file that links lead to: a model has one record, whatever it is called.
std::string releases_beside(const std::string& model_file) {
  std::error_code failed;
  std::filesystem::path model = model_file;
  if (!std::filesystem::is_regular_file(model, failed)) return "";
  if (std::filesystem::is_symlink(model, failed)) {
    model = std::filesystem::canonical(model, failed);
    if (failed) return "";  // it has no name any more
  }
  return model.string() + ".releases";
}

std::unique_ptr<Recording> Recording::of(const Model::Impl& model, const ApplyOptions& options,
                                         const std::string& release) {
  const bool shares_draws = model.needs_release() || model.shuffle;
  if (options.model_file.empty() || !shares_draws || !model.key) return nullptr;
  const bool may_go_on = !model.deals() && !model.looks_up();
  return std::unique_ptr<Recording>(
      new Recording(options, release, *model.key, model.digest, may_go_on));
}

Recording::Recording(const ApplyOptions& options, const std::string& release, const Key& key,
                     const std::string& digest, bool may_go_on)
    : key_(key),
      path_(releases_beside(options.model_file)),
      draws_(keyed_digest(key, "recorded draws", {digest}, kDrawsBytes)),
      release_(release),
      first_row_(options.first_row),
      again_(options.again),
      may_go_on_(may_go_on) {}

Recording::~Recording() {
  if (!is_open_) return;
  const Unstoppable to_the_end;
  try {
    end_stream(std::string(kUnknownTable));
  } catch (const std::bad_alloc&) {  // the rows ahead stay reserved
  }
}

std::string Recording::digest(const std::vector<ColumnOrder>& columns) const {
  std::vector<std::string> parts;
  for (const ColumnOrder& column : columns) {
    parts.push_back(column.column);
    parts.push_back(column.order.digest());
  }
  return keyed_digest(key_, "recorded table", parts, Key::kSize);
}

MaskedRows Recording::masked(std::uint64_t rows, const std::string& table) const {
  return {draws_, release_, {first_row_, first_row_ + rows}, table, line_};
}

bool Recording::can_be_written() const {
  std::error_code ignored;
  if (std::filesystem::exists(path_, ignored)) return may_write(path_, W_OK);
  constexpr std::size_t kLongestName = NAME_MAX;
  return std::filesystem::path(path_).filename().string().size() <= kLongestName &&
         may_write(folder_of(path_), W_OK | X_OK);
}

Error Recording::refusal(const RowRange& known) const {
  const std::string name =
      release_.empty() ? "the release without a name" : fmt::format("the release '{}'", release_);
  const std::string go_on =
      may_go_on_
          ? fmt::format(", or go on behind them by the number of the first row: {}", known.end)
          : "";
  return {ErrorCode::kGuarantee,
          fmt::format("{} of this model has the rows {} to {} already, of another table or of a "
                      "stream: two tables must never share their errors. Give this one a new "
                      "release name{}; if these are known to be the same rows, say that they are "
                      "released again",
                      name, known.first, known.end - 1, go_on),
          {.file = path_, .line = 0, .column = {}},
          {},
          {}};
}

Result<Releases> Recording::known_if_allowed(const std::vector<std::string>& lines,
                                             const MaskedRows& rows) const {
  Result<Releases> known = Releases::of(lines, path_);
  if (!known || again_ || known->has(rows)) return known;
  const std::optional<RowRange> shared = known->shared_with(rows);
  if (shared) return fail(refusal(*shared));
  return known;
}

Result<bool> Recording::check(std::uint64_t rows, const std::string& table) {
  if (path_.empty()) return false;
  const auto lines = read_sealed_lines(path_, kReleasesForm);
  if (!lines) return fail(lines.error());
  const MaskedRows wanted = masked(rows, table);
  const Result<Releases> known =
      known_if_allowed(lines->value_or(std::vector<std::string>()), wanted);
  if (!known) return fail(known.error());
  if (rows == 0 || known->has(wanted)) return true;
  if (!can_be_written()) return false;
  checked_ = wanted;
  return true;
}

Result<bool> Recording::record(std::uint64_t rows, const std::string& table) {
  const Result<bool> checked = check(rows, table);
  if (!checked || !checked_) return checked;
  const Status recorded = commit(Sync::kYes, [] { return Status(); });
  checked_.reset();
  if (!recorded) return fail(recorded.error());
  return true;
}

Status Recording::commit(Sync sync, const std::function<Status()>& files) const {
  if (!checked_) return files();
  Result<LockedLines> lines = LockedLines::open(path_, kReleasesForm);
  if (!lines) return fail(lines.error());
  // Others may have come since it was checked.
  const Result<Releases> known = known_if_allowed(lines->lines(), *checked_);
  if (!known) return fail(known.error());
  if (!known->has(*checked_)) {
    if (Status added = lines->append(line_of(*checked_), sync); !added) return added;
  }
  Status named = files();
  if (named) lines->keep();
  return named;
}

// ---- Streams ------------------------------------------------------------------------------------

Result<bool> Recording::begin_stream() {
  const Result<bool> can_begin = check(1, std::string(kUnknownTable));
  is_open_ = checked_.has_value();
  checked_.reset();
  return can_begin;
}

Status Recording::reserve(std::uint64_t rows) {
  if (!is_open_) return {};
  if (rows > reserved_) {
    Result<LockedLines> lines = locked();
    if (!lines) return fail(lines.error());
    const std::string unknown(kUnknownTable);
    const Result<Releases> known = known_if_allowed(lines->lines(), masked(rows, unknown));
    if (!known) return fail(known.error());
    MaskedRows ahead = masked(reserved_ == 0 ? rows : std::max(rows, 2 * reserved_), unknown);
    // Not what others have: they may be behind where this stream ends.
    const std::optional<RowRange> others = known->shared_with(ahead);
    if (others && !again_) ahead.rows.end = others->first;
    if (Status added = lines->append(line_of(ahead), Sync::kYes); !added) return added;
    lines->keep();
    if (line_ == 0) line_ = lines->lines().size() + 1;
    reserved_ = ahead.rows.end - ahead.rows.first;
  }
  left_ = rows;
  return {};
}

// What cannot be given back stays reserved.
void Recording::end_stream(const std::string& table) {
  is_open_ = false;
  if (line_ == 0) return;
  Result<LockedLines> lines = locked();
  if (lines && lines->append(line_of(masked(left_, table)), Sync::kYes)) lines->keep();
}

Result<LockedLines> Recording::locked() {
  Result<LockedLines> lines = LockedLines::open(path_, kReleasesForm);
  if (lines && line_ > lines->lines().size() + 1) line_ = 0;  // somebody took the file away
  return lines;
}

}  // namespace semveil
