// Tables written, read and masked for the tests of the Arrow backend.
#pragma once

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/ipc/api.h>
#include <arrow/json/from_string.h>
#include <arrow/util/compression.h>
#include <gtest/gtest.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/writer.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "table/backend.h"

namespace semveil::test {

inline std::string star(std::string_view text) { return "masked " + std::to_string(text.size()); }

using arrow::Compression;

inline std::shared_ptr<arrow::Array> json(const std::shared_ptr<arrow::DataType>& type,
                                          const std::string& cells) {
  return arrow::json::ArrayFromJSONString(type, cells).ValueOrDie();
}

inline std::string name_of(ArrowFormat format) {
  switch (format) {
    case ArrowFormat::kParquet:
      return "parquet";
    case ArrowFormat::kIpcFile:
      return "ipc_file";
    case ArrowFormat::kIpcStream:
      return "ipc_stream";
  }
  return "unknown";
}

struct Written {
  ArrowFormat format = ArrowFormat::kParquet;
  Compression::type compression = Compression::UNCOMPRESSED;
  std::int64_t rows = 4;  // of a row group or batch: small, so that a column is in several pieces
};

inline void write_table(const arrow::Table& table, const std::string& path,
                        const Written& how = {}) {
  const auto out = arrow::io::FileOutputStream::Open(path).ValueOrDie();
  if (how.format == ArrowFormat::kParquet) {
    const auto options = parquet::WriterProperties::Builder().compression(how.compression)->build();
    const auto arrow_options = parquet::ArrowWriterProperties::Builder().store_schema()->build();
    ASSERT_TRUE(parquet::arrow::WriteTable(table, arrow::default_memory_pool(), out, how.rows,
                                           options, arrow_options)
                    .ok());
  } else {
    auto options = arrow::ipc::IpcWriteOptions::Defaults();
    options.codec = arrow::util::Codec::Create(how.compression).ValueOrDie();
    options.emit_dictionary_deltas = how.format == ArrowFormat::kIpcFile;
    const auto writer = (how.format == ArrowFormat::kIpcFile
                             ? arrow::ipc::MakeFileWriter(out, table.schema(), options)
                             : arrow::ipc::MakeStreamWriter(out, table.schema(), options))
                            .ValueOrDie();
    ASSERT_TRUE(writer->WriteTable(table, how.rows).ok() && writer->Close().ok());
  }
  ASSERT_TRUE(out->Close().ok());
}

inline std::shared_ptr<arrow::Table> read_table(const std::string& path, ArrowFormat format) {
  const auto file = arrow::io::ReadableFile::Open(path).ValueOrDie();
  std::shared_ptr<arrow::Table> table;
  if (format == ArrowFormat::kParquet) {
    const auto reader = parquet::arrow::OpenFile(file, arrow::default_memory_pool()).ValueOrDie();
    table = reader->ReadTable().ValueOrDie();
  } else if (format == ArrowFormat::kIpcFile) {
    const auto reader = arrow::ipc::RecordBatchFileReader::Open(file).ValueOrDie();
    table = reader->ToTable().ValueOrDie();
  } else {
    const auto reader = arrow::ipc::RecordBatchStreamReader::Open(file).ValueOrDie();
    table = reader->ToTable().ValueOrDie();
  }
  EXPECT_TRUE(table->ValidateFull().ok());
  return table->CombineChunks().ValueOrDie();
}

inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// What is done to a table: each text of a column is replaced by what `masks` makes of it.
struct Masking {
  using Mask = std::function<std::string(std::string_view)>;
  std::vector<std::pair<std::string, Mask>> masks = {};
  std::vector<std::string> drops = {};
  std::vector<std::string> also_wanted = {};  // read, but left as they are
  std::optional<Key> shuffle = {};
};

inline std::size_t place_of(const std::vector<std::string>& columns, const std::string& name) {
  return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) -
                                  columns.begin());
}

// Both passes over the table, as a program runs them: first every distinct text is read, then the
// cells are replaced.
inline Status mask_table(const std::string& in, const std::string& out, ArrowFormat format,
                         const Masking& masking, const TableOptions& options = {}) {
  const auto backend = table_backend();
  if (!backend) return fail(backend.error());
  const auto table = (*backend)->open(in, options);
  if (!table) return fail(table.error());
  const auto& columns = (*table)->columns();

  // A damaged file may have lost a name.
  const auto is_there = [&](const std::string& name) {
    return place_of(columns, name) < columns.size();
  };
  for (const auto& [name, mask] : masking.masks) {
    if (!is_there(name)) return fail(data_error("the column is not there").at(in));
  }
  std::vector<std::size_t> wanted;
  for (const auto& [name, mask] : masking.masks) wanted.push_back(place_of(columns, name));
  for (const auto& name : masking.also_wanted) wanted.push_back(place_of(columns, name));
  std::vector<Dictionary> dictionaries(wanted.size());
  const auto first = (*table)->read(wanted, Cells::kWanted);
  if (!first) return fail(first.error());
  for (;;) {
    const auto batch = (*first)->next(dictionaries);
    if (!batch) return fail(batch.error());
    if (*batch == nullptr) break;
  }

  std::vector<std::vector<std::string>> texts(masking.masks.size());
  Edits edits;
  edits.shuffle = masking.shuffle;
  for (std::size_t i = 0; i < masking.masks.size(); ++i) {
    for (Code code = 0; code < dictionaries[i].size(); ++code) {
      texts[i].push_back(masking.masks[i].second(dictionaries[i].text(code)));
    }
    edits.replace.push_back({wanted[i], {texts[i].begin(), texts[i].end()}});
  }
  for (const auto& name : masking.drops) edits.drop.push_back(place_of(columns, name));

  const auto second = (*table)->read(wanted);
  if (!second) return fail(second.error());
  const auto sink = (*backend)->write(out, format, columns, table->get(), edits, options);
  if (!sink) return fail(sink.error());
  for (;;) {
    const auto batch = (*second)->next(dictionaries);
    if (!batch) return fail(batch.error());
    if (*batch == nullptr) break;
    std::vector<std::span<const Code>> cells;
    for (std::size_t i = 0; i < masking.masks.size(); ++i) {
      cells.emplace_back((*batch)->codes[i]);
    }
    auto rendered = (*sink)->render(**batch, cells);
    if (!rendered) return fail(rendered.error());
    if (const Status status = (*sink)->write(std::move(*rendered)); !status) return status;
  }
  if (const Status status = (*sink)->finish(); !status) return status;
  return (*sink)->commit();
}

}  // namespace semveil::test
