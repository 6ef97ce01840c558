// The tabular list of ICD-10-CM in XML.
//
//   <ICD10CM.tabular>
//     <version>2021</version>
//     <chapter>
//       <name>1</name><desc>Certain infectious and parasitic diseases (A00-B99)</desc>
//       <section id="A00-A09">
//         <desc>Intestinal infectious diseases (A00-A09)</desc>
//         <diag>
//           <name>A00</name><desc>Cholera</desc>
//           <diag>
//             <name>A00.0</name><desc>Cholera due to Vibrio cholerae 01, biovar cholerae</desc>
//             <inclusionTerm><note>Classical cholera</note></inclusionTerm> …
//
// A diag is a concept: its name is the code, its desc the label, and the diag around it its parent.
// Inclusion terms are narrow synonyms: conditions that are classed there, not other names of it.
// Seventh characters make further codes (seventh_characters.h).
//
// A section's id is its range, A00-A09; one of a single category is written B20-B20, because B20 is
// the category. A chapter's id is "Chapter 1". Both are also known by their title without the range
// behind it. Chapters are roots. Both are headings: no code of their own.
//
// Left out and counted: sections without codes (they head the sections behind them); includes,
// excludes, code first and other notes.
//
// Cost:    one pass at the speed of expat. Memory: the draft, and 45,000 small records.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/one_line.h"
#include "base/text_hash.h"
#include "base/xml.h"
#include "ontology/icd/icd10cm.h"
#include "ontology/icd/icd10cm_elements.h"
#include "ontology/icd/seventh_characters.h"

namespace semveil {
namespace {

class TabularParser : public XmlEvents {
 public:
  explicit TabularParser(NamedStream input)
      : input_(std::move(input)), reader_(*input_.stream, input_.name) {
    lines_.reserve(kUsualCodes);
  }

  Result<OntologyDraft> parse() {
    if (const Status read = reader_.read(*this); !read) return fail(read.error());
    if (diagnoses_ == 0) {
      return fail(data_error("no diagnosis (<diag>) in it: is this the whole tabular list?")
                      .at(input_.name));
    }
    std::uint64_t seventh_codes = 0;
    const Status made = sevenths_.each(draft_, [&](const SeventhCharacters::Code& code) -> Status {
      const auto c = add(code.id, code.line);
      if (!c) return fail(c.error());
      draft_.add_term(*c, TermKind::kLabel, code.label);
      draft_.add_link(*c, code.parent);
      draft_.keep_beside(code.id.size() + OntologyDraft::kPerItem);
      if (draft_.is_full()) {
        return fail(data_error(OntologyDraft::kFull).at(input_.name, code.line));
      }
      ++seventh_codes;
      return {};
    });
    if (!made) return fail(made.error());
    OntologyInfo& info = draft_.info;
    info.format = "icd10cm";
    info.has_icd_codes = true;
    std::ranges::sort(info.headings);
    info.contents = {{"chapters", chapters_},
                     {"sections", sections_},
                     {"diagnoses", diagnoses_},
                     {"seventh-character definitions", sevenths_.definitions()},
                     {"seventh-character codes", seventh_codes},
                     {"inclusion terms", inclusion_terms_}};
    leave_out(info, "empty chapters", empty_chapters_);
    leave_out(info, "empty sections", empty_sections_);
    leave_out(info, "includes, excludes and other notes", notes_);
    leave_out(info, "seventh characters that a note rules out", sevenths_.ruled_out());
    leave_out(info, "seventh characters of codes that have seven", sevenths_.too_long());
    return std::move(draft_);
  }

  Status begin(std::string_view element, const XmlAttributes& attributes) override {
    const Kind outer = path_.empty() ? Kind::kNothing : path_.back();
    const Kind kind = tabular_element(outer, element);
    path_.push_back(kind);
    if (kind >= Kind::kVersion) text_.clear();
    switch (kind) {
      case Kind::kNothing:
        return fail(reader_.error(
            "not the tabular list of ICD-10-CM: its first element is <ICD10CM.tabular>", element));
      case Kind::kChapter:
        ++chapters_;
        open_.push_back({kind, reader_.line()});
        return {};
      case Kind::kSection:
        return begin_section(attributes);
      case Kind::kDiagnosis:
        open_.push_back({kind, reader_.line()});
        return {};
      case Kind::kExtension:
        return begin_extension(attributes);
      default:
        return {};
    }
  }

  Status text(std::string_view piece) override {
    if (path_.back() >= Kind::kVersion && !append_text(text_, piece)) {
      return fail(reader_.error(kTextTooLong));
    }
    return {};
  }

  Status end(std::string_view) override {
    const Kind kind = path_.back();
    path_.pop_back();
    if (kind < Kind::kVersion) return end_group(kind);
    const std::string said = one_line(text_);
    text_.clear();
    if (const Status kept = keep(said.size()); !kept) return kept;
    switch (kind) {
      case Kind::kVersion:
        draft_.info.version = said;
        return {};
      case Kind::kName:
        return name(said);
      case Kind::kLabel:
        return label(said);
      case Kind::kInclusionNote:
        return inclusion_term(said);
      case Kind::kNote:
        return note(said);
      default:
        return extension(said);
    }
  }

 private:
  using Kind = TabularElement;
  using Index = OntologyDraft::Index;
  static constexpr Index kNone = 0xFFFFFFFFU;
  static constexpr std::size_t kUsualCodes = 100'000;

  struct Open {  // a chapter, section or diagnosis
    Kind kind;
    std::uint64_t line;
    std::string id = {};     // of a chapter or section
    std::string label = {};  // of a chapter or section that is no concept yet …
    std::vector<std::string> inclusion_terms = {};  // … and these as well
    Index concept_index = kNone;
    std::uint32_t diagnosis = SeventhCharacters::kNone;
  };

  // Counts what is kept beside the draft.
  Status keep(std::size_t bytes) {
    draft_.keep_beside(bytes + OntologyDraft::kPerItem);
    if (draft_.is_full()) return fail(reader_.error(OntologyDraft::kFull));
    return {};
  }

  Result<Index> add(const std::string& id, std::uint64_t line) {
    const auto [known, is_new] = lines_.try_emplace(id, line);
    if (!is_new) {
      return fail(data_error(fmt::format("this code or section was already on line {}: remove one "
                                         "of them",
                                         known->second))
                      .at(input_.name, line)
                      .quoting(id));
    }
    return draft_.add_concept(id);
  }

  // Chapters and sections become concepts when the first code in them comes.
  Result<Index> concept_of(std::size_t place) {
    Open& open = open_[place];
    if (open.concept_index != kNone) return open.concept_index;
    if (open.id.empty()) {
      return fail(data_error(open.kind == Kind::kChapter
                                 ? "a chapter without number: its <name> comes first"
                                 : "a diagnosis without code: its <name> comes first")
                      .at(input_.name, open.line));
    }
    const auto c = add(open.id, open.line);
    if (!c) return fail(c.error());
    open.concept_index = *c;
    if (open.kind != Kind::kDiagnosis) draft_.info.headings.push_back(open.id);
    if (!open.label.empty()) add_title(*c, open.label);
    for (const std::string& term : open.inclusion_terms) {
      draft_.add_term(*c, TermKind::kNarrowSynonym, term);
    }
    if (place > 0) {
      const auto above = concept_of(place - 1);
      if (!above) return fail(above.error());
      draft_.add_link(*c, *above);
    }
    return *c;
  }

  // "Neoplasms (C00-D49)", and also "Neoplasms".
  void add_title(Index c, std::string_view title) {
    draft_.add_term(c, TermKind::kLabel, title);
    const std::size_t bracket = title.rfind(" (");
    if (bracket == title.npos || bracket == 0 || !title.ends_with(')')) return;
    draft_.add_term(c, TermKind::kExactSynonym, title.substr(0, bracket));
  }

  Status begin_section(const XmlAttributes& attributes) {
    ++sections_;
    const std::string id = one_line(attributes.get("id"));
    if (id.empty()) return fail(reader_.error("a section without id: add id=\"A00-A09\""));
    open_.push_back({Kind::kSection, reader_.line(),
                     id.find('-') == id.npos ? fmt::format("{0}-{0}", id) : id});
    return {};
  }

  Status begin_extension(const XmlAttributes& attributes) {
    const std::string_view character = attributes.get("char");
    constexpr std::string_view kAllowed = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if (character.size() != 1 || kAllowed.find(character) == kAllowed.npos) {
      return fail(reader_.error(
          "a seventh character is one capital or digit: <extension char=\"A\">", character));
    }
    seventh_ = character.front();
    return {};
  }

  Status end_group(Kind kind) {
    if (kind < Kind::kChapter || kind > Kind::kDiagnosis) return {};
    const Open& open = open_.back();
    if (open.concept_index == kNone) {
      if (kind == Kind::kDiagnosis) {
        return fail(
            data_error("a diagnosis without code: add its <name>").at(input_.name, open.line));
      }
      ++(kind == Kind::kChapter ? empty_chapters_ : empty_sections_);
    }
    open_.pop_back();
    return {};
  }

  Status name(const std::string& said) {
    Open& open = open_.back();
    if (said.empty() || said.find(' ') != said.npos) {
      return fail(reader_.error("a code or a chapter's number was expected in <name>", said));
    }
    if (!open.id.empty()) return fail(reader_.error("a second <name> in one element", said));
    open.id = open.kind == Kind::kChapter ? "Chapter " + said : said;
    if (open.kind == Kind::kChapter) return {};
    open.line = reader_.line();
    const auto c = concept_of(open_.size() - 1);
    if (!c) return fail(c.error());
    open.diagnosis = sevenths_.add_diagnosis(
        *c, open_.size() > 1 ? open_[open_.size() - 2].diagnosis : SeventhCharacters::kNone,
        open.line);
    ++diagnoses_;
    return {};
  }

  // The diagnosis that an element belongs to.
  Result<Open*> diagnosis() {
    if (open_.back().concept_index != kNone) return &open_.back();
    return fail(reader_.error("this stands before the code of its diagnosis: <name> comes first"));
  }

  Status label(const std::string& said) {
    Open& open = open_.back();
    if (open.kind != Kind::kDiagnosis) {
      open.label = said;
      if (open.concept_index != kNone) add_title(open.concept_index, said);
      return {};
    }
    const auto d = diagnosis();
    if (!d) return fail(d.error());
    if (said.empty()) return {};
    draft_.add_term((*d)->concept_index, TermKind::kLabel, said);
    sevenths_.set_label((*d)->diagnosis, said);
    return {};
  }

  Status inclusion_term(const std::string& said) {
    ++inclusion_terms_;
    Open& open = open_.back();
    if (open.kind != Kind::kDiagnosis && open.concept_index == kNone) {
      if (!said.empty()) open.inclusion_terms.push_back(said);
      return {};
    }
    const auto d = diagnosis();
    if (!d) return fail(d.error());
    if (!said.empty()) draft_.add_term((*d)->concept_index, TermKind::kNarrowSynonym, said);
    return {};
  }

  Status note(const std::string& said) {
    if (open_.empty()) return {};  // of the introduction
    ++notes_;
    if (open_.back().kind != Kind::kDiagnosis) return {};
    const auto exception = SeventhException::from_note(said);
    if (!exception) return {};
    const auto d = diagnosis();
    if (!d) return fail(d.error());
    sevenths_.add_exception((*d)->diagnosis, *exception);
    return {};
  }

  Status extension(const std::string& said) {
    const auto d = diagnosis();
    if (!d) return fail(d.error());
    sevenths_.add_extension((*d)->diagnosis, seventh_, said);
    return {};
  }

  NamedStream input_;
  XmlReader reader_;
  OntologyDraft draft_;
  SeventhCharacters sevenths_;
  std::vector<Kind> path_;  // of open elements
  std::vector<Open> open_;
  std::string text_;
  char seventh_ = 0;
  std::unordered_map<std::string, std::uint64_t, TextHash, std::equal_to<>> lines_;  // by id
  std::uint64_t chapters_ = 0, sections_ = 0, diagnoses_ = 0, inclusion_terms_ = 0, notes_ = 0;
  std::uint64_t empty_chapters_ = 0, empty_sections_ = 0;
};

}  // namespace

Result<OntologyDraft> read_icd10cm_tabular(NamedStream input) {
  return TabularParser(std::move(input)).parse();
}

}  // namespace semveil
