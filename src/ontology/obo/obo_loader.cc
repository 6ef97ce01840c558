// Ontologies in OBO format, versions 1.0 to 1.4 (owlcollab.github.io/oboformat).
//
//   format-version: 1.2
//   data-version: releases/2024-01-31
//
//   [Term]
//   id: DOID:9351
//   name: diabetes mellitus
//   synonym: "diabetes" EXACT []
//   xref: MESH:D003920
//   is_a: DOID:4194 ! glucose metabolism disease
//
// Read are the [Term] stanzas: id, name, alt_id, def, xref (xref_analog), is_a, synonym and its
// older forms exact_synonym, narrow_synonym, broad_synonym, related_synonym. A synonym without a
// scope is a related one. A term without a name is labelled by its id; a second name is a synonym.
//
// Left out and counted: obsolete terms; is_a links to them; other stanzas ([Typedef], [Instance]).
// An obsolete term with one live replacement (replaced_by) leaves its id there as another id.
// Relations other than is_a, subsets, comments and the like are not read.
//
// Syntax: a line is "tag: value {modifiers} ! comment". A backslash at the end of a line joins the
// next one; elsewhere it makes a character plain, or stands for a blank (\W), tab (\t) or line end
// (\n). An exclamation mark outside quotes begins a comment. Braces at the end of a value are
// modifiers only behind a blank and with a = inside: names of chemicals are full of braces.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/text.h"
#include "base/trimmed.h"
#include "ontology/loaders.h"

namespace semveil {
namespace {

// The first `c` that is neither escaped nor, if `skip_quoted`, between quotes; npos if there is
// none.
std::size_t find_plain(std::string_view text, char c, bool skip_quoted) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == c && !quoted) {
      return i;
    } else if (text[i] == '"' && skip_quoted) {
      quoted = !quoted;
    }
  }
  return std::string_view::npos;
}

// A value without quotes, up to its modifiers, comment or quoted description.
std::string_view plain_value(std::string_view text) {
  text = text.substr(0, find_plain(text, '!', true));
  text = trimmed(text);
  if (text.ends_with('}')) {
    const std::size_t brace = text.rfind(" {");
    if (brace != std::string_view::npos && text.find('=', brace) != std::string_view::npos) {
      text = trimmed(text.substr(0, brace));
    }
  }
  return text;
}

std::string unescaped(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      c = text[++i];
      if (c == 'n') c = '\n';
      if (c == 't') c = '\t';
      if (c == 'W') c = ' ';
    }
    plain += c;
  }
  return plain;
}

struct Quoted {
  std::string_view text;  // between the quotes, escapes as they stand
  std::string_view rest;
};

class OboParser {
 public:
  OboParser(std::string_view text, std::string name) : rest_(text), name_(std::move(name)) {}

  Result<OntologyDraft> parse() {
    draft_.info.format = "obo";
    if (auto valid = check(); !valid) return fail(valid.error());
    if (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
    for (auto line = next_line(); line; line = next_line()) {
      if (auto done = read_line(*line); !done) return fail(done.error());
    }
    for (const auto step : {&OboParser::end_stanza, &OboParser::link, &OboParser::replace}) {
      if (auto done = (this->*step)(); !done) return fail(done.error());
    }
    if (draft_.concepts() == 0) {
      return fail(data_error(obsolete_.empty() ? "no [Term] in it: is this an OBO file?"
                                               : "all its terms are obsolete: nothing is left")
                      .at(name_));
    }
    if (draft_.info.version.empty()) draft_.info.version = date_;
    leave_out(draft_.info, "obsolete terms", obsolete_.size());
    leave_out(draft_.info, "obsolete ids that lead to their replacement", replaced_);
    leave_out(draft_.info, "is_a links to obsolete terms", links_to_obsolete_);
    leave_out(draft_.info, "relations other than is_a", other_relations_);
    leave_out(draft_.info, "stanzas other than [Term]", other_stanzas_);
    return std::move(draft_);
  }

 private:
  using Index = OntologyDraft::Index;
  static constexpr Index kObsolete = 0xFFFFFFFFU;

  struct Tag {
    std::string_view name, value;
    std::uint64_t line;
  };
  struct Declared {  // an id
    Index concept_index;
    std::uint64_t line;
  };
  struct IsA {
    Index child;
    std::string parent;
    std::uint64_t line;
  };
  struct ObsoleteTerm {
    std::string id;
    std::vector<std::string> replaced_by;
  };

  Error error(std::uint64_t line, std::string message, std::string_view value = {}) const {
    return data_error(std::move(message)).at(name_, line).quoting(std::string(value));
  }

  Status check() const {
    const auto line_of = [this](std::size_t at) {
      return 1 + static_cast<std::uint64_t>(std::count(
                     rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    };
    if (const std::size_t at = find_invalid_utf8(rest_); at != std::string_view::npos) {
      return fail(error(line_of(at), "the text is not valid UTF-8: save it as UTF-8"));
    }
    if (const std::size_t at = rest_.find('\0'); at != std::string_view::npos) {
      return fail(error(line_of(at), "a NUL byte: this is no OBO file, or it is damaged"));
    }
    return {};
  }

  std::string_view next_physical_line() {
    const std::size_t end = rest_.find('\n');
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    ++physical_line_;
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }
  static bool is_continued(std::string_view line) {
    const std::size_t last = line.find_last_not_of('\\');
    const std::size_t backslashes = line.size() - (last == std::string_view::npos ? 0 : last + 1);
    return backslashes % 2 == 1;
  }
  // The next line with those that continue it; line_ is where it begins.
  std::optional<std::string_view> next_line() {
    if (rest_.empty()) return std::nullopt;
    std::string_view line = next_physical_line();
    line_ = physical_line_;
    if (!is_continued(line) || rest_.empty()) return line;
    std::string& joined = joined_.emplace_back();
    for (;;) {
      const bool more = is_continued(line) && !rest_.empty();
      joined += line.substr(0, line.size() - (more ? 1 : 0));
      if (!more) return joined;
      line = next_physical_line();
    }
  }

  Status read_line(std::string_view line) {
    line = trimmed(line);
    if (line.empty() || line.front() == '!') return {};
    if (line.front() == '[') {
      if (auto done = end_stanza(); !done) return done;
      return begin_stanza(line);
    }
    const std::size_t colon = find_plain(line, ':', false);
    if (colon == std::string_view::npos) {
      return fail(error(line_, "a line \"tag: value\" was expected, and this one has no colon"));
    }
    const Tag tag{trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1)), line_};
    if (stanza_ == Stanza::kTerm) {
      tags_.push_back(tag);
    } else if (stanza_ == Stanza::kHeader && tag.name == "data-version") {
      draft_.info.version = unescaped(plain_value(tag.value));
    } else if (stanza_ == Stanza::kHeader && tag.name == "date") {
      date_ = unescaped(plain_value(tag.value));
    }
    return {};
  }

  Status begin_stanza(std::string_view line) {
    const std::size_t end = line.find(']');
    if (end == std::string_view::npos) {
      return fail(error(line_, "a stanza's name ends with a ]: [Term]", line));
    }
    stanza_line_ = line_;
    stanza_ = line.substr(0, end + 1) == "[Term]" ? Stanza::kTerm : Stanza::kOther;
    if (stanza_ == Stanza::kOther) ++other_stanzas_;
    return {};
  }

  Status end_stanza() {
    if (stanza_ != Stanza::kTerm) return {};
    std::string id;
    bool obsolete = false;
    for (const Tag& tag : tags_) {
      if (tag.name == "is_obsolete") obsolete = plain_value(tag.value) == "true";
      if (tag.name != "id") continue;
      if (!id.empty())
        return fail(error(tag.line, "a second id in one [Term]: begin a new [Term]"));
      id = unescaped(plain_value(tag.value));
      if (id.empty()) return fail(error(tag.line, "an id was expected behind \"id:\""));
    }
    if (id.empty()) return fail(error(stanza_line_, "a [Term] without id: add an \"id:\" line"));
    const auto [place, is_new] = declared_.try_emplace(id, Declared{kObsolete, stanza_line_});
    if (!is_new) {
      return fail(error(stanza_line_,
                        fmt::format("this id was already declared in the [Term] on line {}: remove "
                                    "one of them",
                                    place->second.line),
                        id));
    }
    Status done;
    if (obsolete) {
      read_obsolete(id);
    } else {
      place->second.concept_index = draft_.add_concept(id);
      for (const Tag& tag : tags_) {
        done = read_tag(tag, place->second.concept_index);
        if (!done) break;
      }
    }
    tags_.clear();
    if (done && draft_.is_full()) return fail(error(stanza_line_, OntologyDraft::kFull));
    return done;
  }

  void read_obsolete(const std::string& id) {
    ObsoleteTerm& term = obsolete_.emplace_back(ObsoleteTerm{id, {}});
    for (const Tag& tag : tags_) {
      if (tag.name != "replaced_by") continue;
      std::string other = unescaped(plain_value(tag.value));
      if (std::find(term.replaced_by.begin(), term.replaced_by.end(), other) ==
          term.replaced_by.end()) {
        term.replaced_by.push_back(std::move(other));
      }
    }
  }

  Status read_tag(const Tag& tag, Index term) {
    const auto add = [&](TermKind kind, std::string_view value) {
      if (!value.empty()) draft_.add_term(term, kind, unescaped(value));
    };
    if (tag.name == "is_a") {
      links_.push_back({term, unescaped(plain_value(tag.value)), tag.line});
    } else if (tag.name == "relationship" || tag.name == "intersection_of") {
      ++other_relations_;
    } else if (tag.name == "name") {
      add(TermKind::kLabel, plain_value(tag.value));  // only the first one becomes the label
    } else if (tag.name == "alt_id") {
      add(TermKind::kAltId, plain_value(tag.value));
    } else if (tag.name == "xref" || tag.name == "xref_analog") {
      const std::string_view value = plain_value(tag.value);
      add(TermKind::kXref, trimmed(value.substr(0, find_plain(value, '"', false))));
    } else if (tag.name == "def") {
      const auto definition = quoted(tag);
      if (!definition) return fail(definition.error());
      draft_.set_definition(term, unescaped(definition->text));
    } else if (tag.name.ends_with("synonym")) {
      const std::optional<TermKind> kind = synonym_tag(tag.name);
      if (!kind) return {};
      const auto synonym = quoted(tag);
      if (!synonym) return fail(synonym.error());
      add(tag.name == "synonym" ? scope(synonym->rest) : *kind, synonym->text);
    }
    return {};
  }

  Result<Quoted> quoted(const Tag& tag) const {
    if (!tag.value.starts_with('"')) {
      return fail(error(tag.line,
                        fmt::format("a text in quotes was expected behind \"{}:\"", tag.name),
                        tag.value));
    }
    const std::string_view inside = tag.value.substr(1);
    const std::size_t end = find_plain(inside, '"', false);
    if (end == std::string_view::npos) {
      return fail(error(tag.line, "a quoted text that never ends: close it with a quote"));
    }
    return Quoted{inside.substr(0, end), trimmed(inside.substr(end + 1))};
  }

  static std::optional<TermKind> synonym_tag(std::string_view tag) {
    if (tag == "synonym" || tag == "related_synonym") return TermKind::kRelatedSynonym;
    if (tag == "exact_synonym") return TermKind::kExactSynonym;
    if (tag == "narrow_synonym") return TermKind::kNarrowSynonym;
    if (tag == "broad_synonym") return TermKind::kBroadSynonym;
    return std::nullopt;
  }
  static TermKind scope(std::string_view behind_text) {
    const std::string_view word = behind_text.substr(0, behind_text.find_first_of(" \t[{!"));
    if (word == "EXACT") return TermKind::kExactSynonym;
    if (word == "NARROW") return TermKind::kNarrowSynonym;
    if (word == "BROAD") return TermKind::kBroadSynonym;
    return TermKind::kRelatedSynonym;
  }

  Status link() {
    for (const IsA& link : links_) {
      const auto parent = declared_.find(link.parent);
      if (parent == declared_.end()) {
        return fail(error(link.line,
                          "is_a leads to an id that no [Term] of this file declares: add the term, "
                          "or remove the link",
                          link.parent));
      }
      const Index index = parent->second.concept_index;
      if (index == link.child) {
        return fail(error(link.line, "a term cannot be its own parent: remove this is_a line",
                          link.parent));
      }
      if (index == kObsolete) {
        ++links_to_obsolete_;
      } else {
        draft_.add_link(link.child, index);
      }
    }
    return {};
  }

  Status replace() {
    for (const ObsoleteTerm& term : obsolete_) {
      if (term.replaced_by.size() != 1) continue;
      const auto replacement = declared_.find(term.replaced_by.front());
      if (replacement == declared_.end() || replacement->second.concept_index == kObsolete)
        continue;
      draft_.add_term(replacement->second.concept_index, TermKind::kAltId, term.id);
      ++replaced_;
    }
    return {};
  }

  std::string_view rest_;  // not yet read
  std::string name_;
  std::uint64_t physical_line_ = 0, line_ = 0;
  std::deque<std::string> joined_;  // lines that were continued; tags look into them

  enum class Stanza : std::uint8_t { kHeader, kTerm, kOther } stanza_ = Stanza::kHeader;
  std::uint64_t stanza_line_ = 0;
  std::vector<Tag> tags_;  // of the present [Term]

  OntologyDraft draft_;
  std::string date_;
  std::unordered_map<std::string, Declared> declared_;
  std::vector<IsA> links_;
  std::vector<ObsoleteTerm> obsolete_;
  std::uint64_t replaced_ = 0, links_to_obsolete_ = 0, other_stanzas_ = 0;
  std::uint64_t other_relations_ = 0;
};

}  // namespace

Result<OntologyDraft> parse_obo(std::string_view text, const std::string& name) {
  return OboParser(text, name).parse();
}

Result<OntologyDraft> load_obo(const std::string& path) {
  const auto file = read_source_file(path, {".obo"});
  if (!file) return fail(file.error());
  return parse_obo(file->bytes.view(), file->name);
}

}  // namespace semveil
