#include "base/xml.h"

#include <expat.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/memory_error.h"

namespace semveil {

struct XmlReader::Impl {
  InputStream& stream;
  std::string name;
  XML_Parser parser;
  XmlEvents* events = nullptr;
  unsigned depth = 0;
  std::size_t text_size = 0;  // since the last tag
  std::optional<Error> error;

  Impl(InputStream& s, std::string n)
      : stream(s), name(std::move(n)), parser(XML_ParserCreate(nullptr)) {
    if (parser == nullptr) return;
    XML_SetUserData(parser, this);
    XML_SetElementHandler(parser, &begin, &end);
    XML_SetCharacterDataHandler(parser, &text);
    XML_SetEntityDeclHandler(parser, &entity);
    XML_SetAttlistDeclHandler(parser, &attributes);
    XML_SetSkippedEntityHandler(parser, &skipped);
  }
  ~Impl() {
    if (parser != nullptr) XML_ParserFree(parser);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  std::uint64_t line() const { return XML_GetCurrentLineNumber(parser); }
  Error here(std::string message) const { return data_error(std::move(message)).at(name, line()); }
  void stop(Error why) {
    if (!error) error = std::move(why);
    XML_StopParser(parser, XML_FALSE);
  }
  void accept(const Status& status) {
    if (!status) stop(status.error());
  }

  static Impl& of(void* data) { return *static_cast<Impl*>(data); }

  static void begin(void* data, const char* element, const char** attributes) {
    Impl& self = of(data);
    if (self.error) return;
    self.text_size = 0;
    if (static_cast<std::size_t>(XML_GetCurrentByteCount(self.parser)) > kLongest) {
      self.stop(self.here("a tag of more than 16 MiB: is this the right file?"));
    } else if (++self.depth > kDeepest) {
      self.stop(self.here(
          fmt::format("elements nested more than {} deep: is this the right file?", kDeepest)));
    } else {
      self.accept(self.events->begin(element, XmlAttributes(attributes)));
    }
  }

  static void end(void* data, const char* element) {
    Impl& self = of(data);
    if (self.error) return;
    --self.depth;
    self.text_size = 0;
    self.accept(self.events->end(element));
  }

  static void text(void* data, const char* piece, int size) {
    Impl& self = of(data);
    if (self.error) return;
    self.text_size += static_cast<std::size_t>(size);
    if (self.text_size > kLongest) {
      self.stop(self.here("a text of more than 16 MiB: is this the right file?"));
    } else {
      self.accept(self.events->text({piece, static_cast<std::size_t>(size)}));
    }
  }

  static void entity(void* data, const char*, int, const char*, int, const char*, const char*,
                     const char*, const char*) {
    Impl& self = of(data);
    self.stop(
        self.here("the file declares an entity (<!ENTITY …>); entities are never expanded. "
                  "Save the file without them, written out in full (OWL: as Turtle)"));
  }

  // Every tag would be filled up with them: a few kilobytes of names cost hours.
  static void attributes(void* data, const char*, const char*, const char*, const char*, int) {
    Impl& self = of(data);
    self.stop(
        self.here("the file declares attributes (<!ATTLIST …>), which could be many for every "
                  "tag. Save the file without these declarations"));
  }

  // Behind a reference to an external DTD the parser passes over entities it does not know.
  static void skipped(void* data, const char*, int) {
    Impl& self = of(data);
    self.stop(self.undefined_entity());
  }

  Error undefined_entity() const {
    return here("an entity that XML itself does not define; entities are never expanded");
  }
  Error parse_error() const {
    const XML_Error code = XML_GetErrorCode(parser);
    if (code == XML_ERROR_NO_MEMORY) return memory_error("to read XML").at(name);
    if (code == XML_ERROR_UNDEFINED_ENTITY) return undefined_entity();
    if (code == XML_ERROR_UNKNOWN_ENCODING) {
      return here(
          "an encoding other than UTF-8, UTF-16, ISO-8859-1 and US-ASCII: save the file as "
          "UTF-8");
    }
    return here(fmt::format("this is not well-formed XML ({}): is the file complete?",
                            XML_ErrorString(code)));
  }

  // Whole pieces, however little the stream gives at a time: the parser reads a tag that has not
  // ended again with every piece.
  Result<std::size_t> fill(char* buffer, std::size_t size) {
    std::size_t filled = 0;
    while (filled < size) {
      const auto got = stream.read(buffer + filled, size - filled);
      if (!got) return fail(got.error());
      if (*got == 0) break;
      filled += *got;
    }
    return filled;
  }

  Status read() {
    if (parser == nullptr) return fail(memory_error("to read XML"));
    constexpr std::size_t kPiece = std::size_t{1} << 18;
    std::uint64_t fed = 0, parsed = 0;
    for (bool at_end = false; !at_end;) {
      void* buffer = XML_GetBuffer(parser, static_cast<int>(kPiece));
      if (buffer == nullptr) return fail(parse_error());
      const auto got = fill(static_cast<char*>(buffer), kPiece);
      if (!got) return fail(got.error());
      at_end = *got < kPiece;
      fed += *got;
      const XML_Status status =
          XML_ParseBuffer(parser, static_cast<int>(*got), at_end ? XML_TRUE : XML_FALSE);
      if (error) return fail(*error);
      if (status != XML_STATUS_OK) return fail(parse_error());
      // What the parser keeps because a tag or comment has not ended yet. It may put off looking
      // until twice as much is there, and then does not say where it stands.
      if (const XML_Index at = XML_GetCurrentByteIndex(parser); at >= 0) {
        parsed = std::max(parsed, static_cast<std::uint64_t>(at));
      }
      if (fed - parsed > 2 * kLongest) {
        return fail(here("a tag or comment of more than 16 MiB: is this the right file?"));
      }
    }
    return {};
  }
};

std::optional<std::string_view> XmlAttributes::find(std::string_view name) const {
  for (const char** pair = pairs_; *pair != nullptr; pair += 2) {
    if (name == *pair) return pair[1];
  }
  return std::nullopt;
}

XmlReader::XmlReader(InputStream& stream, std::string name)
    : impl_(std::make_unique<Impl>(stream, std::move(name))) {}
XmlReader::~XmlReader() = default;

Status XmlReader::read(XmlEvents& events) {
  impl_->events = &events;
  return impl_->read();
}
std::uint64_t XmlReader::line() const { return impl_->line(); }
const std::string& XmlReader::name() const { return impl_->name; }
Error XmlReader::error(std::string message, std::string_view value) const {
  return impl_->here(std::move(message)).quoting(std::string(value));
}

}  // namespace semveil
