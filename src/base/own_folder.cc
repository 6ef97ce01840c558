#include "base/own_folder.h"

#include <dlfcn.h>
#include <link.h>

#include <system_error>

namespace semveil {

std::filesystem::path own_folder() {
  Dl_info found{};
  link_map* loaded = nullptr;
  if (::dladdr1(reinterpret_cast<const void*>(&own_folder), &found,
                reinterpret_cast<void**>(&loaded), RTLD_DL_LINKMAP) == 0) {
    return {};
  }
  std::error_code ignored;
  const std::filesystem::path file = *loaded->l_name == '\0'
                                         ? std::filesystem::read_symlink("/proc/self/exe", ignored)
                                         : std::filesystem::path(loaded->l_name);
  return file.is_absolute() ? std::filesystem::canonical(file, ignored).parent_path()
                            : std::filesystem::path();
}

}  // namespace semveil
