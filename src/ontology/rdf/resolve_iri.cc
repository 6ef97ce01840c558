#include "ontology/rdf/resolve_iri.h"

#include <algorithm>
#include <optional>

namespace semveil {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// `http` of http://…; empty where there is none.
std::string_view scheme_of(std::string_view iri) {
  if (iri.empty() || !is_letter(iri.front())) return {};
  const auto end = std::ranges::find_if(iri, [](char c) {
    return !is_letter(c) && !(c >= '0' && c <= '9') && c != '+' && c != '-' && c != '.';
  });
  return end != iri.end() && *end == ':' ? std::string_view(iri.begin(), end) : std::string_view();
}

struct Reference {  // without its scheme
  std::optional<std::string_view> authority, query, fragment;
  std::string_view path;

  explicit Reference(std::string_view rest) {
    const auto cut = [&rest](char at) -> std::optional<std::string_view> {
      const std::size_t begin = rest.find(at);
      if (begin == std::string_view::npos) return std::nullopt;
      const std::string_view part = rest.substr(begin + 1);
      rest = rest.substr(0, begin);
      return part;
    };
    fragment = cut('#');
    query = cut('?');
    if (rest.starts_with("//")) {
      const std::size_t end = std::min(rest.find('/', 2), rest.size());
      authority = rest.substr(2, end - 2);
      rest.remove_prefix(end);
    }
    path = rest;
  }
};

// RFC 3986, section 5.2.4. What is before `begin` is no path.
void append_without_dots(std::string_view path, std::string& out, std::size_t begin) {
  const auto drop_segment = [&] {
    const std::size_t slash = out.rfind('/');
    out.resize(slash == std::string::npos ? begin : std::max(slash, begin));
  };
  while (!path.empty()) {
    if (path.starts_with("../")) {
      path.remove_prefix(3);
    } else if (path.starts_with("./") || path.starts_with("/./")) {
      path.remove_prefix(2);
    } else if (path == "/.") {
      path = "/";
    } else if (path.starts_with("/../")) {
      path.remove_prefix(3);
      drop_segment();
    } else if (path == "/..") {
      path = "/";
      drop_segment();
    } else if (path == "." || path == "..") {
      path = {};
    } else {
      const std::size_t end = std::min(path.find('/', 1), path.size());
      out += path.substr(0, end);
      path.remove_prefix(end);
    }
  }
}

}  // namespace

void resolve_iri(std::string_view reference, std::string_view base, std::string& out) {
  if (!scheme_of(reference).empty()) {
    out = reference;
    return;
  }
  const std::string_view scheme = scheme_of(base);
  const Reference from(base.substr(scheme.size() + 1)), to(reference);
  out.assign(scheme).append(":");
  const std::optional<std::string_view> authority = to.authority ? to.authority : from.authority;
  if (authority) out.append("//").append(*authority);
  const std::size_t begin = out.size();
  std::optional<std::string_view> query = to.query;
  if (to.authority || to.path.starts_with('/')) {
    append_without_dots(to.path, out, begin);
  } else if (to.path.empty()) {
    out += from.path;
    if (!query) query = from.query;
  } else {
    std::string merged;
    if (from.authority && from.path.empty()) {
      merged = "/";
    } else {
      merged = from.path.substr(0, from.path.rfind('/') + 1);
    }
    append_without_dots(merged.append(to.path), out, begin);
  }
  if (query) out.append("?").append(*query);
  if (to.fragment) out.append("#").append(*to.fragment);
}

}  // namespace semveil
