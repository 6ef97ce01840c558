// How much is read of files that may come from anybody.
//
// A small packed file may hold gigabytes, and a device or a pipe need not end. Tables may be as
// long as the disk; everything else is read into memory, so it has limits. They all stand here.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/bytes.h"
#include "semveil/result.h"

namespace semveil {

// Packed data, once they have given kFreelyUnpacked bytes, may be so many times their size.
// Releases of ontologies stay below 50; what is made to fill a memory has several hundreds.
inline constexpr std::uint64_t kMostTimesUnpacked = 200;
inline constexpr std::uint64_t kFreelyUnpacked = std::uint64_t{32} << 20;
// Of pipes and devices that are read whole.
inline constexpr std::uint64_t kMostPipedBytes = std::uint64_t{48} << 20;
// Of a plan.
inline constexpr std::uint64_t kMostPlanBytes = std::uint64_t{16} << 20;
// Of a record of releases: a line has some 150 bytes.
inline constexpr std::uint64_t kMostSealedBytes = std::uint64_t{16} << 20;
// Of a first line that comes through a pipe: of a million columns.
inline constexpr std::uint64_t kMostFirstLine = std::uint64_t{64} << 20;
// Columns of a table, by its header.
inline constexpr std::size_t kMostColumns = 1'000'000;

// A stream that may give what `packed` bytes can hold; `path` stands in the error.
std::unique_ptr<InputStream> bounded_by(std::unique_ptr<InputStream> stream, std::uint64_t packed,
                                        std::string path);
// A stream that may give so many bytes and no more, as it comes from something that is not a file.
std::unique_ptr<InputStream> bounded_pipe(std::unique_ptr<InputStream> stream, std::string path);
// Opens an ontology's file, unpacked: a stream that ends.
Result<std::unique_ptr<InputStream>> open_bounded(const std::string& path);

// As InputStream::unpack, for a table.
Result<std::unique_ptr<InputStream>> unpack_any_length(std::unique_ptr<InputStream> packed,
                                                       std::string path);

}  // namespace semveil
