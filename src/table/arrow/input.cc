#include "table/arrow/input.h"

#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "table/arrow/ipc_input.h"
#include "table/arrow/parquet_input.h"
#include "table/arrow/status.h"

namespace semveil {

arrow::Result<std::unique_ptr<Input>> Input::open(
    std::shared_ptr<arrow::io::RandomAccessFile> file) {
  std::array<char, 6> start{};
  ARROW_ASSIGN_OR_RAISE(const std::int64_t size, file->ReadAt(0, std::ssize(start), start.data()));
  const std::string_view magic(start.data(), static_cast<std::size_t>(size));
  if (magic.starts_with("PAR1")) return open_parquet(std::move(file));
  if (magic.starts_with("ARROW1")) return open_ipc(std::move(file), ArrowFormat::kIpcFile);
  if (magic.starts_with("\xFF\xFF\xFF\xFF")) {
    return open_ipc(std::move(file), ArrowFormat::kIpcStream);
  }
  if (magic.starts_with("FEA1")) {
    return to_arrow(data_error("this is a Feather file of version 1; write it again as version 2"));
  }
  if (magic.starts_with("PARE")) {
    return to_arrow(data_error("the Parquet file is encrypted; decrypt it first"));
  }
  return to_arrow(
      data_error("this is neither a Parquet nor an Arrow file: name it by what it is, as .csv"));
}

}  // namespace semveil
