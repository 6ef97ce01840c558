// Files that appear whole or not at all.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "semveil/result.h"

namespace semveil {

// Writes a file beside its target and renames it there; nothing appears if anything fails. A
// target that is a device or pipe is written directly; a symlink is followed first.
Status write_file(const std::string& path, std::string_view content, unsigned mode = 0644);
// The same for content in pieces.
Status write_file(const std::string& path, std::span<const std::string_view> pieces,
                  unsigned mode = 0644);

}  // namespace semveil
