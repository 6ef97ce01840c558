// XML of any size as a stream of events (expat).
//
// Entities other than the five of XML itself are neither declared nor fetched: a file that declares
// one is refused, so nothing can be expanded, and nothing is ever read but the file itself. One
// that declares attributes is refused too: they would be given to tags that do not have them. A
// reference to an external DTD is passed over; an entity it might have declared is refused where it
// stands in text and dropped by the parser where it stands in an attribute. Elements nested deeper
// than kDeepest and texts or tags of more than kLongest bytes are refused as well: memory stays
// bounded whatever comes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace semveil {

class XmlAttributes {
 public:
  explicit XmlAttributes(const char** pairs) : pairs_(pairs) {}
  std::optional<std::string_view> find(std::string_view name) const;
  std::string_view get(std::string_view name) const { return find(name).value_or(""); }
  // visit(name, value), in the order of the file.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const char** pair = pairs_; *pair != nullptr; pair += 2) {
      visit(std::string_view(pair[0]), std::string_view(pair[1]));
    }
  }

 private:
  const char** pairs_;  // name, value, …, null
};

class XmlEvents {
 public:
  virtual ~XmlEvents() = default;
  virtual Status begin(std::string_view element, const XmlAttributes& attributes) = 0;
  virtual Status end(std::string_view element) = 0;
  // Part of the text since the last tag; line ends are LF.
  virtual Status text(std::string_view piece) = 0;
};

class XmlReader {
 public:
  static constexpr std::size_t kLongest = std::size_t{1} << 24;
  static constexpr unsigned kDeepest = 1000;

  // `name` stands in error messages. The stream must outlive the reader.
  XmlReader(InputStream& stream, std::string name);
  ~XmlReader();
  XmlReader(const XmlReader&) = delete;
  XmlReader& operator=(const XmlReader&) = delete;

  // To the end of the document, or to the first error: of the XML, the stream or the events.
  Status read(XmlEvents& events);
  std::uint64_t line() const;  // of the event
  const std::string& name() const;
  // An error at this line.
  Error error(std::string message, std::string_view value = {}) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace semveil
