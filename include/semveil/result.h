// How every function of semveil that can fail answers.
//
// The core never prints, exits or reads clocks: it returns a Result, and the caller decides what
// to show. An Error carries what a data steward needs to act on it: what is wrong, where, and what
// to do. A cell's text is kept apart from the message, because it may be shown on the steward's
// own terminal and nowhere else.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace [[gnu::visibility("default")]] semveil {

enum class ErrorCode : std::uint8_t {  // the values are the program's exit codes
  kData = 1,                           // the data, plan or ontology is wrong
  kUsage = 2,                          // the command line is wrong
  kGuarantee = 3,                      // a demanded guarantee cannot be met
  kSystem = 4,                         // disk full, no permission, …
  kCancelled = 130,                    // stopped from outside before it was done (stop.h)
};

struct Place {
  std::string file;
  std::uint64_t line = 0;  // physical line from 1, header included; 0: the file as a whole
  std::string column;
};

struct Error {
  ErrorCode code = ErrorCode::kData;
  std::string message;  // what is wrong and what to do; never holds a cell's text
  Place place;
  std::string value;  // the offending cell or token, shown only on the steward's terminal
  std::string hint;   // what may be meant instead: tells of the value, so it is shown with it

  Error at(Place where) && {
    place = std::move(where);
    return std::move(*this);
  }
  Error at(std::string file, std::uint64_t line = 0) && {
    place.file = std::move(file);
    place.line = line;
    return std::move(*this);
  }
  Error quoting(std::string text) && {
    value = std::move(text);
    return std::move(*this);
  }
  Error hinting(std::string text) && {
    hint = std::move(text);
    return std::move(*this);
  }
};

template <class T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

inline Error data_error(std::string message) {
  return {ErrorCode::kData, std::move(message), {}, {}, {}};
}
inline Error usage_error(std::string message) {
  return {ErrorCode::kUsage, std::move(message), {}, {}, {}};
}
inline Error system_error(std::string message) {
  return {ErrorCode::kSystem, std::move(message), {}, {}, {}};
}
inline tl::unexpected<Error> fail(Error error) { return tl::make_unexpected(std::move(error)); }

enum class Quote : bool { kHide, kShow };
// `file:line: column 'c': "value": message; hint`, without the parts that are not there.
std::string describe(const Error& error, Quote values);

// The text with control characters, direction marks and ill-formed bytes written as \xNN, so that
// a cell cannot move the cursor of the terminal it is shown on.
std::string printable(std::string_view text);
std::string printable_lines(std::string_view text);  // the same, but line ends stay

}  // namespace semveil
