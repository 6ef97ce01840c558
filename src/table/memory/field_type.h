// The type of a column as the Arrow C data interface tells it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "semveil/arrow_c.h"
#include "semveil/result.h"
#include "table/memory/time_zone.h"

namespace semveil {

// How the buffers of an array lie.
enum class ArrayLayout : std::uint8_t {
  kNull,
  kBits,
  kFixed,    // `width` bytes a cell
  kBytes32,  // offsets of 32 bits into bytes
  kBytes64,
  kViews,   // 16 bytes a cell, of which some point into buffers
  kList32,  // offsets into the child; maps, too
  kList64,
  kListView32,  // offsets and sizes
  kListView64,
  kFixedList,  // `width` cells of the child
  kStruct,
  kSparseUnion,
  kDenseUnion,
  kRunEnds,
};

// What the cells are, as far as texts are made of them.
enum class CellMeaning : std::uint8_t {
  kOther,  // has no text
  kNull,
  kBoolean,
  kSigned,
  kUnsigned,
  kFloat,
  kDecimal,
  kDate,       // kFixed of 4 bytes: days; of 8: milliseconds
  kTime,       // since midnight
  kTimestamp,  // since 1970
  kDuration,
  kText,
  kBytes,
  kListOfTexts,
};

struct FieldType {
  std::string name, format;
  std::int64_t flags = 0;
  std::string metadata;  // the bytes as they are; empty: none
  ArrayLayout layout = ArrayLayout::kNull;
  CellMeaning meaning = CellMeaning::kOther;
  std::size_t width = 0;
  std::int64_t per_second = 1;            // of times
  std::string zone_name;                  // of timestamps; empty: none
  std::shared_ptr<const TimeZone> zone;   // null where nobody knows it
  int scale = 0;                          // of decimals
  std::vector<std::int8_t> union_places;  // by type id: the child, or -1
  std::vector<FieldType> children;
  std::vector<FieldType> dictionary;  // the type of the values, or nothing

  bool is_dictionary() const { return !dictionary.empty(); }
  // That of the cells, also where they are told by a dictionary.
  const FieldType& values() const { return is_dictionary() ? dictionary.front() : *this; }
  bool has_text() const;
  bool is_number() const;
  bool has_validity() const;

  // An error for formats that nobody knows and structs that lack something.
  static Result<FieldType> read(const ArrowSchema& schema);
  bool equals(const FieldType& other) const;  // but for metadata and flags
};

// A schema of its own, released by whoever has it then.
void write_schema(const FieldType& type, ArrowSchema* out);

// A name of the type for messages: the format as it is.
Error no_text_error(const FieldType& type);

}  // namespace semveil
