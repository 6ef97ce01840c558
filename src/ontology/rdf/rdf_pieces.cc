#include "ontology/rdf/rdf_pieces.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/text.h"

namespace semveil {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
// No name or number goes on with one: a dot before it is the end of a statement.
bool begins_anew(char c) { return std::string_view("#<@[(").find(c) != std::string_view::npos; }

}  // namespace

Error RdfPieces::error(std::size_t at, std::string message) const {
  const auto lines =
      std::count(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  return data_error(std::move(message)).at(name_, line_ + static_cast<std::uint64_t>(lines));
}

Status RdfPieces::refill() {
  if (buffer_.size() - end_ < kPiece) buffer_.resize(std::max(2 * buffer_.size(), end_ + kPiece));
  const auto got = stream_.read(buffer_.data() + end_, kPiece);
  if (!got) return fail(got.error());
  at_end_ = *got == 0;
  end_ += *got;
  if (!is_first_) return {};
  if (end_ < kByteOrderMark.size() && !at_end_) return refill();
  is_first_ = false;
  if (std::string_view(buffer_.data(), end_).starts_with(kByteOrderMark)) {
    end_ -= kByteOrderMark.size();
    std::memmove(buffer_.data(), buffer_.data() + kByteOrderMark.size(), end_);
  }
  return {};
}

// A quote opens or closes a text: ", """, ', '''. False where more bytes are needed to tell.
bool RdfPieces::scan_quote(char c) {
  const char* at = buffer_.data() + scanned_;
  const std::size_t left = end_ - scanned_;
  if (inside_ == Inside::kText) {
    inside_ = Inside::kNothing;
    scanned_ += 1;
    return true;
  }
  if (left < 3 && !at_end_) return false;
  const bool three = left >= 3 && at[1] == c && at[2] == c;
  if (inside_ == Inside::kLongText) {
    if (three) inside_ = Inside::kNothing;
  } else {
    quote_ = c;
    inside_ = three ? Inside::kLongText : Inside::kText;
  }
  scanned_ += three ? 3 : 1;
  return true;
}

// A backslash and what belongs to it. False where more bytes are needed to tell.
Result<bool> RdfPieces::scan_escape() {
  const char* at = buffer_.data() + scanned_;
  const std::size_t left = end_ - scanned_;
  const std::size_t digits = left < 2 ? 0 : at[1] == 'u' ? 4 : at[1] == 'U' ? 8 : 0;
  if (left < digits + 2 && !at_end_) return false;
  scanned_ += std::min<std::size_t>(left, 2);
  if (digits == 0 || left < digits + 2) return true;
  std::uint32_t code = 0;
  const auto [end, failed] = std::from_chars(at + 2, at + 2 + digits, code, 16);
  if (failed != std::errc() || end != at + 2 + digits)
    return true;  // raptor will say what is wrong
  const bool is_iri = inside_ == Inside::kIri;
  if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000) ||
      (is_iri && (code <= ' ' || code == 0x7F))) {
    return fail(error(scanned_,
                      "an escape (\\u or \\U) for a character that may not be here: remove "
                      "it"));
  }
  return true;
}

// What a statement begins with: a directive, or not. False where more bytes are needed to tell.
bool RdfPieces::scan_directive() {
  constexpr std::size_t kLongestWord = 8;
  const std::string_view rest(buffer_.data() + scanned_, end_ - scanned_);
  if (rest.size() < kLongestWord && !at_end_) return false;
  at_statement_ = false;
  directive_ = Directive::kNone;
  directive_begin_ = scanned_;
  if (rest.starts_with("@prefix") || rest.starts_with("@base")) {
    directive_ = Directive::kTurtle;
    return true;
  }
  for (const std::string_view word : {"prefix", "base"}) {
    const bool same = rest.size() > word.size() && is_space(rest[word.size()]) &&
                      std::equal(word.begin(), word.end(), rest.begin(),
                                 [](char w, char c) { return w == static_cast<char>(c | 0x20); });
    if (same) directive_ = Directive::kSparql;
  }
  return true;
}

// Behind a directive's IRI, where its meaning ends.
void RdfPieces::end_directive() {
  const std::string_view text(buffer_.data() + directive_begin_, scanned_ + 1 - directive_begin_);
  const bool is_sparql = directive_ == Directive::kSparql;
  std::string plain(is_sparql ? "@" : "");
  plain += text;
  if (is_sparql) {
    for (std::size_t i = 1; !is_space(plain[i]); ++i) plain[i] = static_cast<char>(plain[i] | 0x20);
    at_statement_ = true;
    whole_ = scanned_ + 1;
  }
  found_.push_back({scanned_ + 1, plain + " .\n"});
  directive_ = Directive::kNone;
}

// Those of the piece that was given go before the pieces to come.
Status RdfPieces::take_directives() {
  std::size_t taken = 0;
  for (; taken < found_.size() && found_[taken].end <= given_; ++taken) {
    const std::string& text = found_[taken].text;
    directives_ += text;
    directive_lines_ += static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
  }
  found_.erase(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(taken));
  for (Found& found : found_) found.end -= given_;
  directive_begin_ -= std::min(directive_begin_, given_);
  if (directives_.size() > kMostDirectives) {
    return fail(error(given_, "more than 256 KiB of @prefix lines: is this the right file?"));
  }
  return {};
}

Status RdfPieces::scan() {
  while (scanned_ < end_) {
    const char c = buffer_[scanned_];
    switch (inside_) {
      case Inside::kComment:
        if (c == '\n' || c == '\r') inside_ = Inside::kNothing;
        break;
      case Inside::kIri:
        if (c == '>') {
          inside_ = Inside::kNothing;
          if (directive_ != Directive::kNone) end_directive();
        } else if (c == '\\') {
          const auto known = scan_escape();
          if (!known) return fail(known.error());
          if (!*known) return {};
          continue;
        } else if (static_cast<unsigned char>(c) < ' ' || c == 0x7F) {
          return fail(error(scanned_,
                            "an IRI with a control character, or one that never ends: "
                            "close it with a >"));
        }
        break;
      case Inside::kText:
        if (c == '\n') inside_ = Inside::kNothing;  // raptor will say what is wrong
        [[fallthrough]];
      case Inside::kLongText:
      case Inside::kNothing:
        if (at_statement_ && c != '#' && !is_space(c) && !scan_directive()) return {};
        if (c == '\\') {
          const auto known = scan_escape();
          if (!known) return fail(known.error());
          if (!*known) return {};
          continue;
        }
        if (inside_ == Inside::kNothing ? c == '"' || c == '\'' : c == quote_) {
          if (!scan_quote(c)) return {};
          continue;
        }
        if (inside_ != Inside::kNothing) break;
        if (c == '#') inside_ = Inside::kComment;
        if (c == '<') inside_ = Inside::kIri;
        if (c == '{' || c == '}') {  // raptor 2.0.15 leaks what stands before one
          return fail(
              error(scanned_, "a brace: this is TriG or N3, not Turtle; save it as Turtle"));
        }
        if (c == '[' || c == '(') {
          if (++depth_ > kDeepest) {
            return fail(
                error(scanned_, "brackets nested more than 1000 deep: is this the right file?"));
          }
        }
        if ((c == ']' || c == ')') && depth_ > 0) --depth_;
        if (c == '.' && depth_ == 0) {
          if (scanned_ + 1 == end_) {
            if (!at_end_) return {};
          } else if (const char next = buffer_[scanned_ + 1]; is_space(next) || begins_anew(next)) {
            whole_ = scanned_ + (is_space(next) ? 2 : 1);
            at_statement_ = true;
          }
        }
        break;
    }
    ++scanned_;
  }
  return {};
}

Result<std::string_view> RdfPieces::next() {
  line_ += static_cast<std::uint64_t>(
      std::count(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(given_), '\n'));
  if (const Status taken = take_directives(); !taken) return fail(taken.error());
  std::memmove(buffer_.data(), buffer_.data() + given_, end_ - given_);
  end_ -= given_;
  scanned_ -= std::min(scanned_, given_);
  given_ = whole_ = 0;
  do {
    if (end_ > kLongest) {
      return fail(error(0, "a statement of more than 16 MiB: is this the right file?"));
    }
    if (const Status more = refill(); !more) return fail(more.error());
    if (cut_ == Cut::kBehindStatements) {
      if (const Status done = scan(); !done) return fail(done.error());
    } else {
      whole_ = end_;  // but for a character that is not complete yet
      std::size_t lead = end_;
      while (lead > 0 && end_ - lead < 4 && (buffer_[lead - 1] & 0xC0) == 0x80) --lead;
      if (lead > 0 && (buffer_[lead - 1] & 0xC0) == 0xC0) whole_ = lead - 1;
    }
  } while (whole_ == 0 && !at_end_);
  given_ = at_end_ ? end_ : whole_;

  const std::string_view piece(buffer_.data(), given_);
  if (const std::size_t at = piece.find('\0'); at != std::string_view::npos) {
    return fail(error(at, "a NUL byte: this is no text file, or one in UTF-16; save it as UTF-8"));
  }
  if (const std::size_t at = find_invalid_utf8(piece); at != std::string_view::npos) {
    return fail(error(at, "the text is not valid UTF-8: save it as UTF-8"));
  }
  return piece;
}

}  // namespace semveil
