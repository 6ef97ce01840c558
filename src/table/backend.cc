#include "table/backend.h"

#include <dlfcn.h>
#include <sys/mman.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "base/memory_error.h"
#include "base/own_folder.h"

namespace semveil {
namespace {

namespace fs = std::filesystem;

constexpr const char* kModule = "libsemveil_arrow.so";

std::vector<fs::path> candidates() {
  if (const char* chosen = std::getenv("SEMVEIL_BACKEND"); chosen != nullptr && *chosen != '\0') {
    return {fs::absolute(chosen)};  // without a slash, dlopen would search the system's folders
  }
  const fs::path folder = own_folder();
  if (folder.empty()) return {};
  return {folder / kModule, folder / "semveil" / kModule,
          folder.parent_path() / "lib" / "semveil" / kModule};
}

std::string last_loader_message() {
  const char* message = dlerror();
  return message != nullptr ? message : "unknown reason";
}

// Arrow and its allocator set themselves up when they are loaded and first used, in places where
// they or the loader end the program if there is no memory. So there must be some before: 75 MiB
// for the libraries, and a part for what they do with it.
bool has_memory_left() {
  constexpr std::size_t kNeeded = std::size_t{112} << 20;
  void* const some = ::mmap(nullptr, kNeeded, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (some == MAP_FAILED) return false;
  ::munmap(some, kNeeded);
  return true;
}

Result<const TableBackend*> load(const fs::path& module) {
  if (!has_memory_left()) {
    return fail(memory_error("for Parquet and Arrow tables").at(module.string()));
  }
  // Never closed: Arrow's threads and static state do not outlive an unloaded library.
  void* handle = dlopen(module.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    return fail(system_error("cannot load the module for Parquet and Arrow tables (" +
                             last_loader_message() + "): " + std::string(kMoreMemory) +
                             ", install semveil again, or convert the table to CSV")
                    .at(module.string()));
  }
  const auto entry = reinterpret_cast<TableBackendEntry>(dlsym(handle, kTableBackendSymbol));
  const TableBackend* backend = entry != nullptr ? entry(kTableBackendAbi, &stop_slot) : nullptr;
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
