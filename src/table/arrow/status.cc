#include "table/arrow/status.h"

#include <arrow/util/io_util.h>

#include <cerrno>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

#include "base/memory_error.h"

namespace semveil {

Error refused_error(const std::string& what) {
  return data_error("Apache Arrow refuses the table (" + what +
                    "): if the file is damaged, get it or write it again; else use CSV");
}

namespace {

constexpr const char* kDetail = "semveil::Error";

class ErrorDetail final : public arrow::StatusDetail {
 public:
  explicit ErrorDetail(Error error) : error_(std::move(error)) {}
  const char* type_id() const override { return kDetail; }
  std::string ToString() const override { return error_.message; }
  const Error& error() const { return error_; }

 private:
  Error error_;
};

}  // namespace

arrow::Status to_arrow(Error error) {
  std::string message = error.message;
  return {arrow::StatusCode::Invalid, std::move(message),
          std::make_shared<ErrorDetail>(std::move(error))};
}

arrow::Status to_arrow(const Status& status) {
  return status ? arrow::Status::OK() : to_arrow(status.error());
}

Error to_error(const arrow::Status& status) {
  if (const auto& detail = status.detail();
      detail != nullptr && std::string_view(detail->type_id()) == kDetail) {
    return static_cast<const ErrorDetail&>(*detail).error();
  }
  const bool no_thread = status.message().starts_with("Failed to launch worker thread");
  if (status.IsOutOfMemory() || no_thread) return memory_error("for the table");
  switch (const int number = arrow::internal::ErrnoFromStatus(status)) {
    case 0:
      return refused_error(status.message());
    case ENOENT:
    case ENOTDIR:
      return data_error("no such file: check the path");
    default:
      return system_error("the file cannot be read: " + std::generic_category().message(number) +
                          "; look at the disk, or read a copy");
  }
}

}  // namespace semveil
