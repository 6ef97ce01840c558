// Arrow's errors as semveil's, and the other way round.
//
// Inside the module an arrow::Status carries every error: ours travel in its detail and come out
// as they went in. Parquet's own reader throws, too; nothing that throws leaves the module, but for
// a stop (base/stop.h).
#pragma once

#include <arrow/result.h>
#include <arrow/status.h>
#include <parquet/exception.h>

#include <exception>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "base/memory_error.h"
#include "base/stop.h"
#include "semveil/result.h"

namespace semveil {

arrow::Status to_arrow(Error error);
arrow::Status to_arrow(const Status& status);
Error to_error(const arrow::Status& status);
// In the words of Arrow or Parquet, which say what is wrong and never what to do.
Error refused_error(const std::string& what);

template <class T>
arrow::Result<T> to_arrow(Result<T> result) {
  if (!result) return to_arrow(std::move(result).error());
  return *std::move(result);
}

namespace internal {
template <class Answer>
struct OurAnswer;
template <>
struct OurAnswer<arrow::Status> {
  using type = Status;
};
template <class T>
struct OurAnswer<arrow::Result<T>> {
  using type = Result<T>;
};
}  // namespace internal

// Runs `work`, which answers with an arrow::Status or an arrow::Result. Errors that do not say
// where they are get `place`.
template <class Work>
auto guarded(const Place& place, const Work& work) {
  using Answer = decltype(work());
  using Out = typename internal::OurAnswer<Answer>::type;
  const auto failed = [&](Error error) {
    if (error.code == ErrorCode::kCancelled) throw_stopped();
    if (error.place.file.empty()) error.place = place;
    return Out(fail(std::move(error)));
  };
  try {
    Answer answer = work();
    if constexpr (std::is_same_v<Answer, arrow::Status>) {
      return answer.ok() ? Out() : failed(to_error(answer));
    } else {
      return answer.ok() ? Out(std::move(answer).ValueUnsafe()) : failed(to_error(answer.status()));
    }
  } catch (const std::bad_alloc&) {
    return failed(memory_error("for the table"));
  } catch (const parquet::ParquetStatusException& e) {
    check_stop();
    return failed(to_error(e.status()));  // a file that cannot be read is not a damaged one
  } catch (const std::exception& e) {
    check_stop();  // Parquet's exceptions keep nothing of a stop but its words
    return failed(refused_error(e.what()));
  }
}

}  // namespace semveil
