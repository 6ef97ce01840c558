#include "ontology/claml/claml_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/one_line.h"
#include "base/xml.h"
#include "ontology/claml/claml_label.h"
#include "ontology/draft.h"
#include "ontology/language_tag.h"

namespace semveil {
namespace {

std::optional<ClamlRubric> rubric_of(std::string_view kind) {
  if (kind == "preferred") return ClamlRubric::kPreferred;
  if (kind == "preferredLong") return ClamlRubric::kPreferredLong;
  if (kind == "synonym") return ClamlRubric::kSynonym;
  if (kind == "inclusion") return ClamlRubric::kInclusion;
  if (kind == "definition") return ClamlRubric::kDefinition;
  return std::nullopt;
}

class ClamlParser : public XmlEvents {
 public:
  ClamlParser(NamedStream input, const std::string& language)
      : stream_(std::move(input.stream)),
        xml_(*stream_, input.name),
        wanted_(lower(language)),
        language_(wanted_),
        second_language_(without_region(wanted_)) {
    file_.name = input.name;
  }

  Result<ClamlFile> parse() {
    if (const Status read = xml_.read(*this); !read) return fail(read.error());
    if (file_.classes.empty()) {
      return fail(data_error("no <Class> in it: is this a ClaML file?").at(file_.name));
    }
    if (labels_ == 0) take_second_language();
    if (!wanted_.empty() && !languages_.empty() && labels_ == 0) {
      return fail(no_label_in(wanted_, languages_, file_.name));
    }
    return std::move(file_);
  }

  Status begin(std::string_view element, const XmlAttributes& attributes) override {
    element.remove_prefix(element.rfind(':') + 1);  // a name space's; npos + 1 = 0
    const bool outermost = depth_++ == 0;
    if (outermost && element != "ClaML") {
      return fail(xml_.error("the first element is not <ClaML>: is this a ClaML file?", element));
    }
    if (in_label_) {
      if (!label_.begin(element)) return fail(xml_.error(kTextTooLong));
      return {};
    }
    if (element == "Title" && open_ == nullptr) {
      const std::string_view version = attributes.get("version");
      file_.version = one_line(version.empty() ? attributes.get("date") : version);
      if (language_.empty()) language_ = lower(attributes.get("xml:lang"));
    } else if (element == "Class" || element == "ModifierClass" || element == "Modifier") {
      return begin_class(element, attributes);
    } else if (open_ != nullptr) {
      return begin_part(element, attributes);
    }
    return {};
  }

  Status end(std::string_view element) override {
    element.remove_prefix(element.rfind(':') + 1);
    --depth_;
    if (in_label_) {
      if (depth_ == label_depth_) {
        in_label_ = false;
        return end_label();
      }
      if (!label_.end(element)) return fail(xml_.error(kTextTooLong));
    } else if (open_ != nullptr && depth_ == open_depth_) {
      end_class();
    } else if (element == "Rubric") {
      in_rubric_ = false;
    }
    return {};
  }

  Status text(std::string_view piece) override {
    if (in_label_ && !label_.add(piece)) return fail(xml_.error(kTextTooLong));
    return {};
  }

 private:
  struct OtherLabel {  // in the second language
    bool of_modifier;  // its class is in ClamlFile::modifier_classes, else in ::classes
    std::size_t place;
    ClamlRubric rubric;
    std::string text;
  };

  // Counts what is kept of the file.
  Status keep(std::size_t bytes) {
    kept_ += bytes + OntologyDraft::kPerItem;
    if (kept_ > OntologyDraft::most_bytes()) return fail(xml_.error(OntologyDraft::kFull));
    return {};
  }

  // The code an element must have.
  Result<std::string> code(std::string_view element, const XmlAttributes& attributes,
                           std::string_view name = "code") const {
    std::string value = one_line(attributes.get(name));
    if (value.empty()) {
      return fail(
          xml_.error(fmt::format("a <{}> without the attribute {}: add it", element, name)));
    }
    if (value.size() > kLongestClamlCode) {
      return fail(xml_.error(
          fmt::format("a code of more than {} bytes: is this the right file?", kLongestClamlCode)));
    }
    return value;
  }

  Status begin_class(std::string_view element, const XmlAttributes& attributes) {
    if (open_ != nullptr) {
      return fail(xml_.error(fmt::format(
          "a <{}> inside another class: classes stand side by side and name each other by "
          "<SuperClass>",
          element)));
    }
    Result<std::string> own = code(element, attributes);
    if (!own) return fail(own.error());
    if (element == "Modifier") {
      file_.modifiers.insert(*own);
      modifier_ = {};
      open_ = &modifier_;
    } else if (element == "Class") {
      open_ = &file_.classes.emplace_back();
      open_->kind = attributes.get("kind");
    } else {
      Result<std::string> modifier = code(element, attributes, "modifier");
      if (!modifier) return fail(modifier.error());
      open_ = &file_.modifier_classes.emplace_back();
      open_->modifier = *std::move(modifier);
    }
    open_->code = *std::move(own);
    open_->line = xml_.line();
    open_depth_ = depth_ - 1;
    in_rubric_ = false;
    return keep(sizeof(ClamlClass) + open_->code.size() + open_->kind.size());
  }

  Status begin_part(std::string_view element, const XmlAttributes& attributes) {
    if (element == "Rubric") {
      in_rubric_ = true;
      rubric_kind_ = attributes.get("kind");
      rubric_ = rubric_of(rubric_kind_);
      if (rubric_ || open_ == &modifier_) return {};
      const auto [kind, is_new] = file_.rubrics_left_out.try_emplace(rubric_kind_.substr(0, 40));
      ++kind->second;
      return is_new ? keep(kind->first.size()) : Status();
    }
    if (element == "Label" && in_rubric_) {
      begin_label(attributes);
      return {};
    }
    if (in_rubric_) return {};
    if (element == "Meta") {
      return read_meta(attributes);
    }
    const bool super = element == "SuperClass";
    if (!super && element != "SubClass" && element != "ModifiedBy" &&
        element != "ExcludeModifier" && element != "ValidModifierClass") {
      return {};
    }
    Result<std::string> other = code(element, attributes);
    if (!other) return fail(other.error());
    if (const Status kept = keep(other->size()); !kept) return kept;
    if (super || element == "SubClass") {
      (super ? open_->above : open_->below).push_back({*std::move(other), xml_.line()});
    } else if (element == "ExcludeModifier") {
      open_->excluded.push_back(*std::move(other));
    } else if (element == "ValidModifierClass") {
      if (!open_->modified_by.empty()) {
        open_->modified_by.back().valid.push_back(*std::move(other));
      }
    } else {
      ClamlModifiedBy& by = open_->modified_by.emplace_back();
      by.modifier = *std::move(other);
      by.line = xml_.line();
      by.all = attributes.get("all") != "false";
      const std::string_view position = attributes.get("position");
      std::from_chars(position.data(), position.data() + position.size(), by.position);
    }
    return {};
  }

  void end_class() {
    std::ranges::sort(open_->excluded);
    std::ranges::sort(open_->not_behind);
    for (ClamlModifiedBy& by : open_->modified_by) std::ranges::sort(by.valid);
    open_ = nullptr;
  }

  // "MODIFIER CLASS" of the 4th character behind which this 5th is not used.
  Status read_meta(const XmlAttributes& attributes) {
    if (attributes.get("name") != "excludeOnPrecedingModifier") return {};
    const std::string value = one_line(attributes.get("value"));
    const std::size_t blank = value.find(' ');
    if (blank == value.npos) return {};
    open_->not_behind.emplace_back(value.substr(0, blank), value.substr(blank + 1));
    return keep(value.size());
  }

  void begin_label(const XmlAttributes& attributes) {
    const std::string own = lower(attributes.get("xml:lang"));
    // For a message.
    if (!own.empty() && languages_.size() <= kMostListedLanguages) languages_.insert(own);
    if (language_.empty()) language_ = own;
    if (wanted_.empty() && second_language_.empty()) second_language_ = own;
    is_second_ =
        own == second_language_ || (!wanted_.empty() && is_language(own, second_language_));
    is_wanted_ = own.empty() || is_language(own, language_);
    in_label_ = true;
    label_depth_ = depth_ - 1;
    label_.clear();
  }

  Status end_label() {
    if (!rubric_ || open_ == &modifier_) return {};
    std::string text = label_.text();
    if (is_wanted_) {
      ++labels_;
      others_ = {};
      if (text.empty()) return {};
      const std::size_t size = text.size();
      open_->texts.emplace_back(*rubric_, std::move(text));
      return keep(size);
    }
    ++file_.labels_left_out;
    if (labels_ > 0 || !is_second_) return {};
    const bool of_modifier = !open_->modifier.empty();
    const auto& classes = of_modifier ? file_.modifier_classes : file_.classes;
    const std::size_t size = text.size();
    others_.push_back({of_modifier, classes.size() - 1, *rubric_, std::move(text)});
    return keep(size);
  }

  // No label is in the language that was wanted, or that the title names.
  void take_second_language() {
    for (OtherLabel& other : others_) {
      auto& classes = other.of_modifier ? file_.modifier_classes : file_.classes;
      if (!other.text.empty()) {
        classes[other.place].texts.emplace_back(other.rubric, std::move(other.text));
      }
      --file_.labels_left_out;
      ++labels_;
    }
  }

  std::unique_ptr<InputStream> stream_;
  XmlReader xml_;
  ClamlFile file_;
  std::string wanted_;              // as the user said
  std::string language_;            // in use; empty until a label says one
  std::string second_language_;     // the wanted one without region; else that of the first label
  std::vector<OtherLabel> others_;  // until a label is in the language in use
  std::set<std::string> languages_;
  std::size_t kept_ = 0;      // bytes
  std::uint64_t labels_ = 0;  // that were taken

  unsigned depth_ = 0;
  ClamlClass modifier_;         // the open <Modifier>, of which only the code is kept
  ClamlClass* open_ = nullptr;  // the class that is read
  unsigned open_depth_ = 0;
  bool in_rubric_ = false;
  std::string rubric_kind_;
  std::optional<ClamlRubric> rubric_;
  bool in_label_ = false, is_wanted_ = true, is_second_ = false;
  unsigned label_depth_ = 0;
  ClamlLabel label_;
};

}  // namespace

std::string_view ClamlClass::first(ClamlRubric rubric) const {
  for (const auto& [own, text] : texts) {
    if (own == rubric) return text;
  }
  return {};
}

std::string_view ClamlClass::label() const {
  for (const ClamlRubric rubric : {ClamlRubric::kPreferred, ClamlRubric::kPreferredLong}) {
    if (const std::string_view text = first(rubric); !text.empty()) return text;
  }
  return code;
}

Error ClamlFile::error(std::uint64_t line, std::string message, std::string_view value) const {
  return data_error(std::move(message)).at(name, line).quoting(std::string(value));
}

Result<ClamlFile> read_claml_file(NamedStream input, const std::string& language) {
  return ClamlParser(std::move(input), language).parse();
}

}  // namespace semveil
