#include "base/zip.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/descriptor.h"
#include "base/limits.h"
#include "base/memory_error.h"

namespace semveil {
namespace {

// What libzip says, in words for the archive's user.
Error unpack_error(const std::string& path, zip_error_t* error) {
  switch (zip_error_code_zip(error)) {
    case ZIP_ER_NOPASSWD:
    case ZIP_ER_WRONGPASSWD:
    case ZIP_ER_ENCRNOTSUPP:
      return data_error(
                 "the archive is encrypted: unpack it with its password, and give what was in "
                 "it")
          .at(path);
    case ZIP_ER_NOENT:
      return read_error(path, ENOENT);
    case ZIP_ER_MEMORY:
      return memory_error("to unpack the archive").at(path);
    default:
      break;
  }
  const int system = zip_error_code_system(error);
  if (zip_error_system_type(error) == ZIP_ET_SYS && system != 0) return read_error(path, system);
  return data_error("the archive cannot be unpacked (" + std::string(zip_error_strerror(error)) +
                    "): fetch it again, or check it with `unzip -t`")
      .at(path);
}

// What file managers put into archives beside the files that were meant: __MACOSX/._x, .DS_Store.
bool is_hidden(std::string_view name) {
  for (;;) {
    const std::size_t slash = name.find('/');
    const std::string_view part = name.substr(0, slash);
    if (part == "__MACOSX" || (part.starts_with('.') && part != "." && part != "..")) return true;
    if (slash == name.npos) return false;
    name.remove_prefix(slash + 1);
  }
}

class ZipStream : public InputStream {
 public:
  ZipStream(std::shared_ptr<void> archive, zip_file_t* file, std::string path)
      : archive_(std::move(archive)), file_(file, &zip_fclose), path_(std::move(path)) {}

  Result<std::size_t> read(char* buffer, std::size_t size) override {
    const zip_int64_t got = zip_fread(file_.get(), buffer, size);
    if (got < 0) return fail(unpack_error(path_, zip_file_get_error(file_.get())));
    position_ += static_cast<std::uint64_t>(got);
    return static_cast<std::size_t>(got);
  }
  std::uint64_t position() const override { return position_; }

 private:
  std::shared_ptr<void> archive_;
  std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file_;
  std::string path_;
  std::uint64_t position_ = 0;
};

}  // namespace

bool is_zip(const std::string& path) {
  // A pipe can be read only once.
  struct stat about{};
  if (::stat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) return false;
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 4> first{};
  if (file.get() < 0) return false;
  for (std::size_t used = 0; used < first.size();) {  // a read may give fewer bytes than there are
    const ssize_t got = ::read(file.get(), first.data() + used, first.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    used += static_cast<std::size_t>(got);
  }
  const std::string_view bytes(first.data(), first.size());
  return bytes == "PK\x03\x04" || bytes == "PK\x05\x06";  // the latter: an empty archive
}

Result<ZipArchive> ZipArchive::open(const std::string& path) {
  int code = 0;
  zip_t* opened = zip_open(path.c_str(), ZIP_RDONLY, &code);
  if (opened == nullptr) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);  // keeps errno where the system is to blame
    const Error why = unpack_error(path, &error);
    zip_error_fini(&error);
    return fail(why);
  }
  ZipArchive archive;
  archive.path_ = path;
  archive.archive_ =
      std::shared_ptr<void>(opened, [](void* zip) { zip_discard(static_cast<zip_t*>(zip)); });
  for (zip_int64_t i = 0; i < zip_get_num_entries(opened, 0); ++i) {
    const char* name = zip_get_name(opened, static_cast<zip_uint64_t>(i), 0);
    if (name == nullptr || *name == '\0' || std::string_view(name).ends_with('/')) continue;
    if (is_hidden(name)) continue;
    archive.names_.emplace_back(name);
  }
  return archive;
}

Result<std::unique_ptr<InputStream>> ZipArchive::read(const std::string& name) const {
  auto* zip = static_cast<zip_t*>(archive_.get());
  const std::string place = path_ + "/" + name;
  zip_file_t* file = zip_fopen(zip, name.c_str(), 0);
  if (file == nullptr) return fail(unpack_error(place, zip_get_error(zip)));
  // What was packed before it was put into the archive is unpacked too.
  std::unique_ptr<InputStream> stream = std::make_unique<ZipStream>(archive_, file, place);
  zip_stat_t about;
  zip_stat_init(&about);
  const bool told =
      zip_stat(zip, name.c_str(), 0, &about) == 0 && (about.valid & ZIP_STAT_COMP_SIZE) != 0;
  struct stat whole{};
  const bool there = ::stat(path_.c_str(), &whole) == 0;
  // An archive may lie of what it holds, but not beyond its own size.
  const auto size = static_cast<std::uint64_t>(there ? whole.st_size : 0);
  const std::uint64_t packed = told ? std::min<std::uint64_t>(about.comp_size, size) : size;
  return InputStream::unpack(bounded_by(std::move(stream), packed, place), place);
}

}  // namespace semveil
