#include "base/sealed_lines.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <xxhash.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "base/bytes.h"
#include "base/limits.h"
#include "base/pending_names.h"
#include "base/stop.h"

namespace semveil {
namespace {

constexpr int kEitherWay = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
constexpr std::size_t kChecksumDigits = 16;

std::string sealed_line(std::string_view line) {
  return fmt::format("{:016x} {}\n", XXH3_64bits(line.data(), line.size()), line);
}

// `line` without its end.
std::optional<std::string_view> unsealed_line(std::string_view line) {
  if (line.size() <= kChecksumDigits) return std::nullopt;
  const std::string_view text = line.substr(kChecksumDigits + 1);
  const std::string whole = sealed_line(text);
  if (std::string_view(whole).substr(0, whole.size() - 1) != line) return std::nullopt;
  return text;
}

Error not_one(const std::string& path, const SealedForm& form) {
  return data_error(fmt::format("this is not {}: move it away", form.name)).at(path);
}

Error too_many_lines(const std::string& path, const SealedForm& form) {
  return data_error(fmt::format("{} has {} MiB at most: fit a new model, which begins a new one",
                                form.name, kMostSealedBytes >> 20U))
      .at(path);
}

struct ReadLines {
  std::vector<std::string> lines;
  std::size_t whole = 0;
  bool lacks_end = false;
};

// Whether it can be the beginning of a first line that was never finished. Some file systems show
// zeros where a power cut came before the bytes.
bool is_unfinished(std::string_view content, const std::string& first_line) {
  return first_line.starts_with(content) || content.find_first_not_of('\0') == content.npos;
}

Result<ReadLines> lines_of(std::string_view content, const std::string& path,
                           const SealedForm& form) {
  const std::string first_line = fmt::format("{}\n", form.first_line);
  ReadLines out;
  if (is_unfinished(content, first_line) && content != first_line) return out;
  if (!content.starts_with(first_line)) return fail(not_one(path, form));
  for (out.whole = first_line.size(); out.whole < content.size();) {
    const std::size_t end = content.find('\n', out.whole);
    const auto text = unsealed_line(content.substr(out.whole, end - out.whole));
    if (!text && end == content.npos) return out;
    if (!text) {
      return fail(data_error("this line is damaged: bring back a whole file from a backup, or fit "
                             "a new model")
                      .at(path, out.lines.size() + 2));
    }
    out.lines.emplace_back(*text);
    out.lacks_end = end == content.npos;
    out.whole = out.lacks_end ? content.size() : end + 1;
  }
  return out;
}

Result<std::string> content_of(int file, const std::string& path, const SealedForm& form) {
  struct stat about{};
  if (::fstat(file, &about) != 0) return fail(read_error(path, errno));
  if (!S_ISREG(about.st_mode)) return fail(not_one(path, form));
  if (static_cast<std::uint64_t>(about.st_size) > kMostSealedBytes) {
    return fail(too_many_lines(path, form));
  }
  std::string content(static_cast<std::size_t>(about.st_size), '\0');
  for (std::size_t got = 0; got < content.size();) {
    const ssize_t some =
        ::pread(file, content.data() + got, content.size() - got, static_cast<off_t>(got));
    if (some < 0 && errno == EINTR) continue;
    if (some < 0) return fail(read_error(path, errno));
    if (some == 0) content.resize(got);
    got += static_cast<std::size_t>(some);
  }
  return content;
}

// Nothing: somebody took the name away while we waited, and there is another file now.
Result<bool> locked_under_its_name(int file, const std::string& path) {
  constexpr auto kPause = std::chrono::milliseconds(10);
  while (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return fail(write_error(path, errno));
    check_stop();
    std::this_thread::sleep_for(kPause);
  }
  struct stat ours{};
  struct stat there{};
  if (::fstat(file, &ours) != 0) return fail(write_error(path, errno));
  return ::lstat(path.c_str(), &there) == 0 && there.st_ino == ours.st_ino &&
         there.st_dev == ours.st_dev;
}

}  // namespace

Result<std::optional<std::vector<std::string>>> read_sealed_lines(const std::string& path,
                                                                  const SealedForm& form) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | kEitherWay));
  if (file.get() < 0) {
    if (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG) {
      return std::optional<std::vector<std::string>>();
    }
    return fail(errno == ELOOP ? not_one(path, form) : read_error(path, errno));
  }
  const Result<std::string> content = content_of(file.get(), path, form);
  if (!content) return fail(content.error());
  Result<ReadLines> read = lines_of(*content, path, form);
  if (!read) return fail(read.error());
  return std::optional(std::move(read->lines));
}

Result<LockedLines> LockedLines::open(const std::string& path, const SealedForm& form) {
  constexpr unsigned kOfOwner = 0600;
  for (;;) {
    LockedLines out(
        path, form,
        Descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | kEitherWay, kOfOwner)));
    out.is_kept_ = true;  // nothing to take back yet
    if (out.file_.get() < 0) {
      return fail(errno == ELOOP ? not_one(path, form) : write_error(path, errno));
    }
    const Result<bool> locked = locked_under_its_name(out.file_.get(), path);
    if (!locked) return fail(locked.error());
    if (!*locked) continue;
    if (const Status status = out.read(); !status) return fail(status.error());
    out.is_kept_ = false;
    return out;
  }
}

LockedLines::LockedLines(LockedLines&& other) noexcept
    : path_(std::move(other.path_)),
      form_(other.form_),
      file_(std::move(other.file_)),
      lines_(std::move(other.lines_)),
      size_(other.size_),
      found_(other.found_),
      whole_(other.whole_),
      lacks_end_(other.lacks_end_),
      is_kept_(other.is_kept_),
      is_changed_(other.is_changed_) {}

LockedLines::~LockedLines() {
  if (file_.get() >= 0 && !is_kept_) take_back();
}

Status LockedLines::read() {
  const Result<std::string> content = content_of(file_.get(), path_, form_);
  if (!content) return fail(content.error());
  Result<ReadLines> read = lines_of(*content, path_, form_);
  if (!read) return fail(read.error());
  lines_ = std::move(read->lines);
  size_ = content->size();
  found_ = whole_ = read->whole;
  lacks_end_ = read->lacks_end;
  return {};
}

Status LockedLines::append(std::string_view line, Sync sync) {
  std::string bytes = whole_ == 0 ? fmt::format("{}\n", form_.first_line) : "";
  if (lacks_end_) bytes = "\n";
  bytes += sealed_line(line);
  if (whole_ + bytes.size() > kMostSealedBytes) return fail(too_many_lines(path_, form_));
  // What was never finished makes room.
  if (!is_changed_ && whole_ < size_ && ::ftruncate(file_.get(), static_cast<off_t>(whole_)) != 0) {
    return fail(write_error(path_, errno));
  }
  is_changed_ = true;
  for (std::string_view left = bytes; !left.empty();) {
    const ssize_t put = ::write(file_.get(), left.data(), left.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return fail(write_error(path_, errno));
    left.remove_prefix(static_cast<std::size_t>(put));
  }
  whole_ += bytes.size();
  lacks_end_ = false;
  lines_.emplace_back(line);
  if (sync == Sync::kNo) return {};
  if (!sync_file(file_.get()) || (found_ == 0 && !sync_folder(folder_of(path_)))) {
    return fail(write_error(path_, errno));
  }
  return {};
}

// Who waits for a file that loses its name sees that, and makes another.
void LockedLines::take_back() {
  if (found_ == 0) {
    ::unlink(path_.c_str());
  } else if (is_changed_) {
    [[maybe_unused]] const int cut = ::ftruncate(file_.get(), static_cast<off_t>(found_));
  }
}

}  // namespace semveil
