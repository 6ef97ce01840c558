// Where an ontology's files lie: in a folder, in a zip archive, or one file by itself; each may be
// packed with gzip or zstd.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/zip.h"

namespace semveil {

// A stream and the name that stands for it in messages.
struct NamedStream {
  std::unique_ptr<InputStream> stream;
  std::string name;
};

class SourceFiles {
 public:
  // A folder with all that lies below it, or a zip archive.
  static Result<SourceFiles> open(const std::string& path);
  // Paths inside it, with slashes, ascending.
  std::span<const std::string> names() const { return names_; }
  Result<NamedStream> read(const std::string& name) const;
  const std::string& path() const { return path_; }
  bool is_archive() const { return archive_.has_value(); }

 private:
  std::string path_;
  std::vector<std::string> names_;
  std::optional<ZipArchive> archive_;
};

struct NamedBytes {
  FileBytes bytes;
  std::string name;  // stands for the file in messages
};

// A source that is one file. Of a zip archive it is the only file whose name has one of `endings`
// (in any case, .gz or .zst behind it); where there are several, the error names them.
Result<NamedStream> open_source_file(const std::string& path,
                                     std::initializer_list<std::string_view> endings);
// The same, whole.
Result<NamedBytes> read_source_file(const std::string& path,
                                    std::initializer_list<std::string_view> endings);

}  // namespace semveil
