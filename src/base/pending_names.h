// Names and errors of files that are being written (files.h).
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "semveil/result.h"

namespace semveil {

// What an errno of opening, writing or renaming means for whoever asked for the file.
Error write_error(const std::string& target, int error);

// Whether what is written there goes out at once: to standard output, a pipe or a device.
bool goes_out_directly(const std::string& path);

std::string folder_of(const std::string& path);
// Leads to an open file, also to one without a name.
std::string path_of_open(int file);

// Whether the bytes are on the disk; else errno says why not.
bool sync_file(int file);
bool sync_folder(const std::string& folder);

// An open file without a name, for reading and writing; −1 where the file system has none.
int nameless_in(const std::string& folder, unsigned mode);
// The same, or in the folder for temporary files, as a container's own may be closed. Where there
// are no nameless files its name is gone at once.
int nameless_near(const std::string& folder, unsigned mode);

// Endings of our names: a file that is not complete, and one that makes room for another.
inline constexpr std::string_view kUnfinished = ".tmp", kReplaced = ".old";
// A hidden name in the same folder. Unpredictable, so that nobody can have put a link in its place.
// An errno where the system has no random bytes.
tl::expected<std::string, int> name_beside(const std::string& target, std::string_view ending);

// Whether something is mounted on this very file, so that nothing can be renamed over it.
bool is_mounted(const std::string& path);

// Removes what a killed run of this user left unfinished in the folder more than an hour ago. What
// was replaced in the middle of a commit is removed only where it has its old name, too: it may be
// the last copy of a key.
void remove_leftovers(const std::string& folder);

}  // namespace semveil
