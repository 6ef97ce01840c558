#include "ontology/source_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/limits.h"

namespace semveil {
namespace {

namespace fs = std::filesystem;

bool has_ending(std::string name, std::initializer_list<std::string_view> endings) {
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const std::string_view unpacked = unpacked_name(name);
  return std::ranges::any_of(endings,
                             [&](std::string_view end) { return unpacked.ends_with(end); });
}

}  // namespace

Result<SourceFiles> SourceFiles::open(const std::string& path) {
  SourceFiles files;
  files.path_ = path;
  std::error_code error;
  if (fs::is_directory(path, error)) {
    for (fs::recursive_directory_iterator at(path, error), end; !error && at != end;
         at.increment(error)) {
      std::error_code ignored;
      if (at->is_regular_file(ignored)) {
        files.names_.push_back(fs::path(at->path()).lexically_relative(path).generic_string());
      }
    }
    if (error) {
      return fail(system_error("the folder cannot be read: " + error.message() +
                               "; look at the disk and at who may read it")
                      .at(path));
    }
  } else if (is_zip(path)) {
    Result<ZipArchive> archive = ZipArchive::open(path);
    if (!archive) return fail(archive.error());
    files.names_ = archive->names();
    files.archive_ = *std::move(archive);
  } else if (!fs::exists(path, error) && error != std::errc::permission_denied) {
    return fail(data_error("no such folder or file: check the path").at(path));
  } else {
    // An archive that may not be read does not look like one.
    std::error_code ignored;
    if (error || fs::is_regular_file(path, ignored)) {
      if (const auto file = InputStream::open(path, Unpack::kNo); !file) return fail(file.error());
    }
    return fail(data_error("a folder or a zip archive was expected").at(path));
  }
  std::ranges::sort(files.names_);
  return files;
}

Result<NamedStream> SourceFiles::read(const std::string& name) const {
  const std::string place = path_ + (path_.ends_with('/') ? "" : "/") + name;
  auto stream = archive_ ? archive_->read(name) : InputStream::open(place);
  if (!stream) return fail(stream.error());
  return NamedStream{*std::move(stream), place};
}

Result<NamedStream> open_source_file(const std::string& path,
                                     std::initializer_list<std::string_view> endings) {
  if (!is_zip(path)) {
    auto stream = open_bounded(path);
    if (!stream) return fail(stream.error());
    return NamedStream{*std::move(stream), path};
  }
  const Result<SourceFiles> files = SourceFiles::open(path);
  if (!files) return fail(files.error());
  std::vector<std::string> fitting;
  for (const std::string& name : files->names()) {
    if (has_ending(name, endings)) fitting.push_back(name);
  }
  if (fitting.size() == 1) return files->read(fitting.front());
  constexpr std::size_t kMostListed = 10;
  std::string listed;
  const auto& shown =
      fitting.empty() ? std::vector(files->names().begin(), files->names().end()) : fitting;
  for (std::size_t i = 0; i < std::min(shown.size(), kMostListed); ++i) {
    listed += "\n  " + printable(shown[i]);
  }
  return fail(data_error(fmt::format("the archive holds {} that could be meant: unpack it and name "
                                     "the file{}",
                                     fitting.empty() ? "no file" : "several files", listed))
                  .at(path));
}

Result<NamedBytes> read_source_file(const std::string& path,
                                    std::initializer_list<std::string_view> endings) {
  if (!is_zip(path)) {
    Result<FileBytes> bytes = FileBytes::read(path);
    if (!bytes) return fail(bytes.error());
    return NamedBytes{*std::move(bytes), path};
  }
  const Result<NamedStream> file = open_source_file(path, endings);
  if (!file) return fail(file.error());
  Result<FileBytes> bytes = FileBytes::read_all(*file->stream, file->name);
  if (!bytes) return fail(bytes.error());
  return NamedBytes{*std::move(bytes), file->name};
}

}  // namespace semveil
