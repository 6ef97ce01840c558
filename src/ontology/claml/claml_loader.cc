// Classifications in ClaML 2.0 and 3.0 (ISO 13120): ICD-10 of WHO and its national versions, OPS,
// ICD-O.
//
//   <ClaML version="2.0.0">
//     <Title name="ICD-10" version="2019" date="2019-01-01"/>
//     <Class code="E10-E14" kind="block"> <SuperClass code="IV"/> <SubClass code="E10"/> …
//     <Class code="E10" kind="category">
//       <SuperClass code="E10-E14"/>
//       <ModifiedBy code="S04E10_4"/>
//       <Rubric kind="preferred"><Label xml:lang="en">Type 1 diabetes mellitus</Label></Rubric>
//     </Class>
//
// Concepts are the classes of every kind and the codes made from modifiers (claml_modifiers.h).
// Links are what <SuperClass> and <SubClass> say, together; a link that only one side states
// counts. Rubrics: preferred is the label, preferredLong and synonym are exact synonyms, inclusion
// narrow ones (ICD lists there what else belongs to a class), definition is the definition. Labels
// come in one language: `lang=` (of `lang=de-AT` de, where no label is in de-AT), else the title's
// if there are any, else that of the first label; labels that name none are taken.
//
// Headings are the classes of another kind than category: chapters, blocks; none where no class is
// a category.
//
// Left out and counted: rubrics of other kinds (exclusions, coding hints, notes, …), labels in
// other languages, codes made from modifiers that are declared as well. Usage (dagger, asterisk),
// meta data, variants and links between modifiers are not read.
//
// Cost: one pass over the file; memory for its classes and their texts.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ontology/claml/claml_modifiers.h"
#include "ontology/claml/claml_terms.h"
#include "ontology/loaders.h"

namespace semveil {
namespace {

using Index = OntologyDraft::Index;

class ClamlBuilder {
 public:
  explicit ClamlBuilder(const ClamlFile& file) : file_(file) {}

  Result<OntologyDraft> build() {
    draft_.info.format = "claml";
    draft_.info.version = file_.version;
    draft_.info.has_icd_codes = true;
    for (const auto step : {&ClamlBuilder::add_classes, &ClamlBuilder::link}) {
      if (const Status done = (this->*step)(); !done) return fail(done.error());
    }
    const auto made = make_modified_codes(file_, parents_, codes_, draft_);
    if (!made) return fail(made.error());
    tell(*made);
    return std::move(draft_);
  }

 private:
  Status add_classes() {
    for (const ClamlClass& c : file_.classes) {
      const auto [at, is_new] = codes_.try_emplace(c.code, static_cast<Index>(draft_.concepts()));
      if (!is_new) {
        return fail(file_.error(c.line,
                                fmt::format("this code was already declared on line {}: remove one "
                                            "of the two classes",
                                            file_.classes[at->second].line),
                                c.code));
      }
      add_claml_terms(c, {}, draft_.add_concept(c.code), draft_);
    }
    const auto is_category = [](const ClamlClass& c) { return c.kind == "category"; };
    if (std::ranges::none_of(file_.classes, is_category)) return {};
    for (const ClamlClass& c : file_.classes) {
      if (!is_category(c) && !c.kind.empty()) draft_.info.headings.push_back(c.code);
    }
    std::ranges::sort(draft_.info.headings);
    return {};
  }

  Result<Index> find(Index own, const ClamlReference& other, std::string_view element) const {
    const auto at = codes_.find(other.code);
    if (at == codes_.end()) {
      return fail(file_.error(other.line,
                              fmt::format("<{}> names a code that no <Class> of this file has: add "
                                          "the class, or remove the link",
                                          element),
                              other.code));
    }
    if (at->second == own) {
      return fail(file_.error(other.line, "a class cannot stand below itself: remove this link",
                              other.code));
    }
    return at->second;
  }

  Status link() {
    parents_.resize(file_.classes.size());
    for (Index c = 0; c < file_.classes.size(); ++c) {
      for (const ClamlReference& above : file_.classes[c].above) {
        const auto p = find(c, above, "SuperClass");
        if (!p) return fail(p.error());
        parents_[c].push_back(*p);
      }
    }
    for (Index p = 0; p < file_.classes.size(); ++p) {
      for (const ClamlReference& below : file_.classes[p].below) {
        const auto c = find(p, below, "SubClass");
        if (!c) return fail(c.error());
        parents_[*c].push_back(p);
      }
    }
    for (Index c = 0; c < parents_.size(); ++c) {
      std::ranges::sort(parents_[c]);
      const auto repeated = std::ranges::unique(parents_[c]);
      parents_[c].erase(repeated.begin(), repeated.end());
      for (const Index p : parents_[c]) draft_.add_link(c, p);
    }
    return {};
  }

  void tell(const ClamlMade& made) {
    std::map<std::string, std::uint64_t> kinds;
    for (const ClamlClass& c : file_.classes) ++kinds[c.kind];
    const auto count = [&](const char* what, std::uint64_t number) {
      count_some(draft_.info.contents, what, number);
    };
    count("chapters", kinds["chapter"]);
    count("blocks", kinds["block"]);
    count("categories", kinds["category"]);
    std::uint64_t others = 0;
    for (const auto& [kind, number] : kinds) {
      if (kind != "chapter" && kind != "block" && kind != "category") others += number;
    }
    count("classes of other kinds", others);
    count("codes made from modifiers", made.codes);
    // Their names come from the file: the first kinds are told, the rest counted together.
    constexpr std::size_t kMostKinds = 20;
    std::size_t told = 0;
    std::uint64_t rest = 0;
    for (const auto& [kind, number] : file_.rubrics_left_out) {
      if (told++ < kMostKinds) {
        leave_out(draft_.info, fmt::format("rubrics of the kind '{}'", printable(kind)), number);
      } else {
        rest += number;
      }
    }
    leave_out(draft_.info, "rubrics of other kinds", rest);
    leave_out(draft_.info, "labels in other languages", file_.labels_left_out);
    leave_out(draft_.info, "codes made from modifiers that are declared as well", made.declared);
  }

  const ClamlFile& file_;
  OntologyDraft draft_;
  ClamlCodes codes_;
  std::vector<std::vector<Index>> parents_;  // by class, ascending
};

}  // namespace

std::size_t add_claml_terms(const ClamlClass& source, std::string_view front, Index concept_index,
                            OntologyDraft& draft) {
  std::size_t bytes = 0;
  const auto text_of = [&](std::string_view text) {
    std::string joined = front.empty() ? std::string(text) : fmt::format("{}: {}", front, text);
    bytes += joined.size();
    return joined;
  };
  const bool has_label = source.label().data() != source.code.data();
  if (has_label || !front.empty()) {
    draft.add_term(concept_index, TermKind::kLabel, text_of(source.label()));
  }
  bool is_label = true;  // the text that was just added is not added again
  for (const auto& [rubric, text] : source.texts) {
    if (is_label && text.data() == source.label().data()) {
      is_label = false;
    } else if (rubric == ClamlRubric::kDefinition) {
      draft.set_definition(concept_index, text);
      bytes += text.size();
    } else {
      draft.add_term(
          concept_index,
          rubric == ClamlRubric::kInclusion ? TermKind::kNarrowSynonym : TermKind::kExactSynonym,
          text_of(text));
    }
  }
  return bytes;
}

Result<OntologyDraft> read_claml(NamedStream input, const std::string& language) {
  const Result<ClamlFile> file = read_claml_file(std::move(input), language);
  if (!file) return fail(file.error());
  return ClamlBuilder(*file).build();
}

Result<OntologyDraft> load_claml(const std::string& path, const std::string& language) {
  Result<NamedStream> input = open_source_file(path, {".xml", ".claml"});
  if (!input) return fail(input.error());
  return read_claml(*std::move(input), language);
}

}  // namespace semveil
