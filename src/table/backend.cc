#include "table/backend.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace semveil {
namespace {

namespace fs = std::filesystem;

constexpr const char* kModule = "libsemveil_arrow.so";

std::vector<fs::path> candidates() {
  if (const char* chosen = std::getenv("SEMVEIL_BACKEND"); chosen != nullptr && *chosen != '\0') {
    return {fs::absolute(chosen)};  // without a slash, dlopen would search the system's folders
  }
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path folder = program.parent_path();
  return {folder / kModule, folder.parent_path() / "lib" / "semveil" / kModule};
}

std::string last_loader_message() {
  const char* message = dlerror();
  return message != nullptr ? message : "unknown reason";
}

Result<const TableBackend*> load(const fs::path& module) {
  // Never closed: Arrow's threads and static state do not outlive an unloaded library.
  void* handle = dlopen(module.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    return fail(system_error("cannot load the module for Parquet and Arrow tables: " +
                             last_loader_message())
                    .at(module.string()));
  }
  const auto entry = reinterpret_cast<TableBackendEntry>(dlsym(handle, kTableBackendSymbol));
  const TableBackend* backend = entry != nullptr ? entry(kTableBackendAbi) : nullptr;
  if (backend == nullptr) {
    return fail(
        system_error("this module belongs to another version of semveil; install both again")
            .at(module.string()));
  }
  return backend;
}

Result<const TableBackend*> find_and_load() {
  const std::vector<fs::path> places = candidates();
  std::string looked_at;
  for (const fs::path& place : places) {
    std::error_code ignored;
    if (fs::exists(place, ignored)) return load(place);
    looked_at += (looked_at.empty() ? "" : ", ") + place.string();
  }
  return fail(system_error(std::string("Parquet and Arrow tables need the module ") + kModule +
                           ", which is not there (looked at " + looked_at +
                           "); install semveil again, or convert the table to CSV"));
}

}  // namespace

Result<const TableBackend*> table_backend() {
  static const Result<const TableBackend*> loaded = find_and_load();
  return loaded;
}

}  // namespace semveil
