// A PendingFile whose name decides how it is packed: .gz, .zst, else not at all.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "semveil/files.h"
#include "semveil/result.h"

namespace semveil {

class PackedFile {
 public:
  static Result<PackedFile> create(const std::string& path, unsigned mode = 0644);
  ~PackedFile();
  PackedFile(const PackedFile&) = delete;
  PackedFile& operator=(const PackedFile&) = delete;
  PackedFile(PackedFile&&) noexcept;
  PackedFile& operator=(PackedFile&&) = delete;

  Status append(std::string_view bytes);
  Status flush();   // all that was appended can be unpacked by whoever reads along
  Status finish();  // once, behind the last byte
  std::optional<std::string> readable_path() const { return file_.readable_path(); }
  bool in_place() const { return file_.in_place(); }
  PendingFile take() && { return std::move(file_); }  // finished, not yet committed

  class Packer;

 private:
  PackedFile(PendingFile file, std::unique_ptr<Packer> packer);

  PendingFile file_;
  std::unique_ptr<Packer> packer_;  // null: as it is
};

}  // namespace semveil
