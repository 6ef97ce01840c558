#include "table/arrow/coded_pages.h"

#include <parquet/column_page.h>
#include <parquet/exception.h>
#include <parquet/size_statistics.h>
#include <parquet/statistics.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <vector>

namespace semveil {
namespace {

static_assert(std::endian::native == std::endian::little, "Parquet's numbers are little-endian");

constexpr std::size_t kPageRows = 20'000;
constexpr std::size_t kGroup = 8;  // codes are packed by eights

void append_number(std::uint32_t number, int bytes, std::string& out) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(number >> (8 * i));
}

void append_varint(std::uint32_t number, std::string& out) {
  constexpr std::uint32_t kMore = 0x80;
  for (; number >= kMore; number >>= 7) out += static_cast<char>(number | kMore);
  out += static_cast<char>(number);
}

void append_run(std::int32_t code, std::size_t length, int width, std::string& out) {
  append_varint(static_cast<std::uint32_t>(length) << 1, out);
  append_number(static_cast<std::uint32_t>(code), (width + 7) / 8, out);
}

// The last eight are filled up with zeros.
void append_packed(std::span<const std::int32_t> codes, int width, std::string& out) {
  if (codes.empty()) return;
  const std::size_t groups = (codes.size() + kGroup - 1) / kGroup;
  append_varint(static_cast<std::uint32_t>(groups) << 1 | 1, out);
  std::size_t at = out.size();
  const std::size_t end = at + groups * static_cast<std::size_t>(width);
  out.resize(end);
  std::uint64_t bits = 0;
  int filled = 0;
  for (const std::int32_t code : codes) {
    bits |= std::uint64_t{static_cast<std::uint32_t>(code)} << filled;
    filled += width;
    if (filled >= 32) {
      const auto word = static_cast<std::uint32_t>(bits);
      std::memcpy(out.data() + at, &word, sizeof word);
      at += sizeof word;
      bits >>= 32;
      filled -= 32;
    }
  }
  for (; at < end; ++at, bits >>= 8) out[at] = static_cast<char>(bits);
}

// Whether each cell is there: parquet's definition levels of a column that is not nested, after
// their length.
void append_levels(std::span<const std::int32_t> codes, bool some_null, std::string& out) {
  const std::size_t start = out.size();
  append_number(0, 4, out);
  if (some_null) {
    std::vector<std::int32_t> levels(codes.size());
    for (std::size_t i = 0; i < codes.size(); ++i) levels[i] = codes[i] != CodedColumn::kNull;
    append_codes(levels, 1, out);
  } else {
    append_run(1, codes.size(), 1, out);
  }
  const auto size = static_cast<std::uint32_t>(out.size() - start - 4);
  std::memcpy(out.data() + start, &size, sizeof size);
}

std::shared_ptr<arrow::Buffer> dictionary_bytes(const CodedColumn& column, bool texts) {
  std::string bytes;
  bytes.reserve(static_cast<std::size_t>(column.value_bytes()) + 4 * column.values());
  for (std::size_t code = 0; code < column.values(); ++code) {
    const std::string_view value = column.value(code);
    if (texts) append_number(static_cast<std::uint32_t>(value.size()), 4, bytes);
    bytes += value;
  }
  return arrow::Buffer::FromString(std::move(bytes));
}

template <class Type>
std::shared_ptr<parquet::Statistics> statistics_of(const CodedColumn& column,
                                                   const parquet::ColumnDescriptor* descriptor) {
  std::vector<typename Type::c_type> values(column.values());
  for (std::size_t code = 0; code < values.size(); ++code) {
    const std::string_view bytes = column.value(code);
    if constexpr (std::is_same_v<Type, parquet::ByteArrayType>) {
      // A text of no bytes may lie nowhere, which statistics take for a null.
      values[code] = parquet::ByteArray(bytes.empty() ? std::string_view("") : bytes);
    } else {
      std::memcpy(&values[code], bytes.data(), sizeof values[code]);
    }
  }
  auto statistics = parquet::MakeStatistics<Type>(descriptor);
  const auto distinct = std::ssize(values);
  statistics->Update(values.data(), distinct, column.nulls());
  statistics->IncrementNumValues(std::ssize(column.codes()) - column.nulls() - distinct);
  return statistics;
}

std::shared_ptr<parquet::Statistics> statistics_of(const CodedColumn& column,
                                                   const parquet::ColumnDescriptor* descriptor) {
  switch (descriptor->physical_type()) {
    case parquet::Type::INT32:
      return statistics_of<parquet::Int32Type>(column, descriptor);
    case parquet::Type::INT64:
      return statistics_of<parquet::Int64Type>(column, descriptor);
    case parquet::Type::FLOAT:
      return statistics_of<parquet::FloatType>(column, descriptor);
    case parquet::Type::DOUBLE:
      return statistics_of<parquet::DoubleType>(column, descriptor);
    case parquet::Type::BYTE_ARRAY:
      return statistics_of<parquet::ByteArrayType>(column, descriptor);
    default:
      throw parquet::ParquetException("a coded column has a type that it cannot have");
  }
}

void set_statistics(const CodedColumn& column, const parquet::WriterProperties& options,
                    parquet::ColumnChunkMetaDataBuilder& metadata) {
  const parquet::ColumnDescriptor* const descriptor = metadata.descr();
  if (column.codes().empty()) return;
  parquet::EncodedStatistics encoded = statistics_of(column, descriptor)->Encode();
  encoded.ApplyStatSizeLimits(options.max_statistics_size(descriptor->path()));
  encoded.set_is_signed(parquet::SortOrder::SIGNED == descriptor->sort_order());
  if (encoded.is_set()) metadata.SetStatistics(encoded);

  const auto sizes = parquet::SizeStatistics::Make(descriptor);
  if (descriptor->max_definition_level() > 0) {
    sizes->definition_level_histogram = {column.nulls(),
                                         std::ssize(column.codes()) - column.nulls()};
  }
  if (descriptor->physical_type() == parquet::Type::BYTE_ARRAY) {
    sizes->unencoded_byte_array_data_bytes = column.text_bytes();
  }
  if (sizes->is_set()) metadata.SetSizeStatistics(*sizes);
}

}  // namespace

int code_width(std::size_t values) {
  return static_cast<int>(values < 2 ? values : std::bit_width(values - 1));
}

void append_codes(std::span<const std::int32_t> codes, int width, std::string& out) {
  std::size_t packed = 0;  // from here on
  for (std::size_t i = 0; i < codes.size();) {
    std::size_t end = i + 1;
    while (end < codes.size() && codes[end] == codes[i]) ++end;
    if (end - i >= kGroup) {
      append_packed(codes.subspan(packed, i - packed), width, out);
      append_run(codes[i], end - i, width, out);
      i = packed = end;
    } else {
      i += kGroup;  // packed codes come by eights
    }
  }
  append_packed(codes.subspan(std::min(packed, codes.size())), width, out);
}

std::int64_t write_coded_chunk(const CodedColumn& column, const parquet::WriterProperties& options,
                               parquet::ColumnChunkMetaDataBuilder& metadata,
                               parquet::PageWriter& pages) {
  const parquet::ColumnDescriptor& descriptor = *metadata.descr();
  const bool optional = descriptor.max_definition_level() > 0;
  if (!optional && column.nulls() > 0) {
    throw parquet::ParquetException("Column '" + descriptor.name() +
                                    "' declared non-nullable contains nulls");
  }
  const bool texts = descriptor.physical_type() == parquet::Type::BYTE_ARRAY;
  std::int64_t written = pages.WriteDictionaryPage(parquet::DictionaryPage(
      dictionary_bytes(column, texts), static_cast<std::int32_t>(column.values()),
      options.dictionary_page_encoding()));

  const std::span<const std::int32_t> codes = column.codes();
  std::vector<std::int32_t> there;
  std::string bytes;
  PARQUET_ASSIGN_OR_THROW(std::shared_ptr<arrow::ResizableBuffer> compressed,
                          arrow::AllocateResizableBuffer(0));
  for (std::size_t first = 0; first < codes.size(); first += kPageRows) {
    std::span<const std::int32_t> page =
        codes.subspan(first, std::min(kPageRows, codes.size() - first));
    const auto rows = static_cast<std::int32_t>(page.size());
    bytes.clear();
    if (optional) append_levels(page, column.nulls() > 0, bytes);
    if (column.nulls() > 0) {
      there.clear();
      std::copy_if(page.begin(), page.end(), std::back_inserter(there),
                   [](std::int32_t code) { return code != CodedColumn::kNull; });
      page = there;
    }
    // Values are numbered as they come: the first pages need fewer bits.
    const std::int32_t most = page.empty() ? CodedColumn::kNull : std::ranges::max(page);
    const int width = code_width(static_cast<std::size_t>(std::int64_t{most} + 1));
    bytes += static_cast<char>(width);
    append_codes(page, width, bytes);
    std::shared_ptr<arrow::Buffer> buffer = std::make_shared<arrow::Buffer>(bytes);
    if (pages.has_compressor()) {
      pages.Compress(*buffer, compressed.get());
      buffer = compressed;
    }
    written += pages.WriteDataPage(parquet::DataPageV1(
        buffer, rows, options.dictionary_index_encoding(), parquet::Encoding::RLE,
        parquet::Encoding::RLE, std::ssize(bytes), {}, static_cast<std::int64_t>(first)));
  }
  set_statistics(column, options, metadata);
  pages.Close(/*has_dictionary=*/true, /*fallback=*/false);
  return written;
}

}  // namespace semveil
