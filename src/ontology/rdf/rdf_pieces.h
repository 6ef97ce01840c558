// A text file cut for a parser that takes pieces: each piece valid UTF-8 without NUL, and, in
// Turtle, made of whole statements.
//
// Why whole statements: raptor 2.0.15 keeps a Turtle file in memory until its end, so each piece is
// parsed as a file of its own, behind the @prefix and @base of the pieces before it. A statement
// ends with a dot outside of quotes, brackets, IRIs and comments that a blank, a line end or what
// no name or number goes on with (# < @ [ and the opening parenthesis) follows. Escapes that stand
// for no character, and control characters in IRIs, are refused here as well: some of them raptor
// would pass over. Memory: one piece, which is one statement where that is longer, at most kLongest
// bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"

namespace semveil {

class RdfPieces {
 public:
  static constexpr std::size_t kLongest = std::size_t{1} << 24;
  static constexpr std::size_t kPiece = std::size_t{1} << 18;
  static constexpr std::size_t kMostDirectives = std::size_t{1} << 18;  // bytes
  static constexpr unsigned kDeepest = 1000;
  enum class Cut : bool { kAnywhere, kBehindStatements };

  // Both must outlive the pieces.
  RdfPieces(InputStream& stream, const std::string& name, Cut cut)
      : stream_(stream), name_(name), cut_(cut), buffer_(kPiece) {}

  // Empty at the end. The view lives until the next call.
  Result<std::string_view> next();
  std::uint64_t line() const { return line_; }  // in which the piece begins, from 1
  // The directives of the pieces before this one, a line each.
  const std::string& directives() const { return directives_; }
  std::uint64_t directive_lines() const { return directive_lines_; }

 private:
  enum class Inside : std::uint8_t { kNothing, kComment, kIri, kText, kLongText };

  Status refill();
  Status scan();
  bool scan_quote(char c);
  Result<bool> scan_escape();
  bool scan_directive();
  void end_directive();
  Status take_directives();
  Error error(std::size_t at, std::string message) const;

  InputStream& stream_;
  const std::string& name_;
  Cut cut_;
  std::vector<char> buffer_;
  std::size_t given_ = 0;    // bytes of the last piece, at the front
  std::size_t scanned_ = 0;  // up to here the state below holds
  std::size_t whole_ = 0;    // up to here there are whole statements
  std::size_t end_ = 0;
  bool at_end_ = false;   // of the file
  bool is_first_ = true;  // a byte order mark may stand there
  std::uint64_t line_ = 1;

  Inside inside_ = Inside::kNothing;
  char quote_ = 0;
  unsigned depth_ = 0;  // of brackets

  enum class Directive : std::uint8_t { kNone, kTurtle, kSparql };  // @prefix …, PREFIX …
  struct Found {
    std::size_t end;
    std::string text;
  };
  bool at_statement_ = true;  // nothing of the next one was seen
  Directive directive_ = Directive::kNone;
  std::size_t directive_begin_ = 0;
  std::vector<Found> found_;  // in the buffer
  std::string directives_;    // before it
  std::uint64_t directive_lines_ = 0;
};

}  // namespace semveil
