// A fixed level of generalisation as a cell recoding: the values of a column are lifted to `level`
// (semveil/generalize.h says what levels are: counted from the deepest value, not from each). No
// classes are formed, and no k is promised.
//
// Choice:  a value that the fitted table did not have is lifted as if it had been there, but for
//          the greatest depth, which stays that of the fitted values. A text that means nothing is
//          treated as the column's `unmapped` says.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "mechanisms/cells/recoding_method.h"
#include "mechanisms/common/saved.h"
#include "mechanisms/generalize/generalize_method.h"
#include "mechanisms/generalize/hierarchy.h"

namespace semveil {
namespace {

constexpr std::array<MethodKey, 1> kLevelKeys{kGeneralizeLevelKey};

constexpr MethodDescription kLevel{
    .name = "level",
    .mechanism = "level 1",
    .shape = MethodShape::kRecodes,
    .draws = false,
    .keys = kLevelKeys,
    .promise =
        "The values of a column come out on one level, which is counted from its deepest value (of "
        "a hierarchy in a file, by the file's columns): a deeper value becomes the broader term "
        "that stands there, and one that stands higher already stays as it is.",
    .no_promise = "Nobody is hidden by it: whoever is alone with a broader term stays alone.",
};

class LevelRecoding final : public Recoding {
 public:
  // `by_file`: by concept, what it becomes, where a file has the levels; empty: by depths, down to
  // `depth`.
  LevelRecoding(std::vector<ConceptId> by_file, unsigned depth, UnmappedRule unmapped,
                std::shared_ptr<const ColumnMeaning> meaning)
      : by_file_(std::move(by_file)),
        depth_(depth),
        unmapped_(unmapped),
        meaning_(std::move(meaning)) {}

  bool empties() const override { return unmapped_ == UnmappedRule::kSuppress; }

  Result<std::optional<std::string>> recode(std::string_view cell,
                                            std::string_view /*person*/) const override {
    const ConceptId value = meaning_->concept_of(cell);
    if (value != kMissing) return std::string(meaning_->text_of(lifted(value)));
    switch (unmapped_) {
      case UnmappedRule::kSuppress:
        return std::nullopt;
      case UnmappedRule::kGeneralize:
        return std::string(meaning_->text_of(Taxonomy::root()));
      case UnmappedRule::kKeep:
        return std::string(cell);
      case UnmappedRule::kError:
        break;
    }
    return fail(data_error("the value means no concept of the domain, so nothing stands above it: "
                           "correct it in a mapping file, or set unmapped = \"suppress\", "
                           "\"generalize\" or \"keep\" for the column")
                    .quoting(std::string(cell)));
  }

  std::string save() const override {
    const Attribute& attribute = meaning_->attribute();
    Json lifted = Json::array();
    for (ConceptId c = 0; c < by_file_.size(); ++c) {
      lifted.push_back({saved_id(attribute, c), saved_id(attribute, by_file_[c])});
    }
    return Json{{"lifted", std::move(lifted)}, {"depth", depth_}, {"unmapped", unmapped_}}.dump();
  }

 private:
  ConceptId lifted(ConceptId value) const {
    if (!by_file_.empty()) return by_file_[value];
    const Taxonomy& taxonomy = meaning_->attribute().taxonomy();
    while (taxonomy.depth(value) > depth_) value = generalizing_parent(taxonomy, value);
    return value;
  }

  std::vector<ConceptId> by_file_;
  unsigned depth_;
  UnmappedRule unmapped_;
  std::shared_ptr<const ColumnMeaning> meaning_;
};

class LevelMethod final : public RecodingMethod {
 public:
  const MethodDescription& about() const override { return kLevel; }

  Result<std::unique_ptr<const Recoding>> make_recoding(
      const MaskStep& mask, const RecodedColumn& column) const override {
    const auto level = static_cast<unsigned>(setting_of<std::uint64_t>(mask, kGeneralizeLevelKey));
    const Attribute& attribute = column.meaning->attribute();
    std::vector<ConceptId> by_file;
    if (attribute.levels != nullptr) {
      const unsigned top = std::min(level, attribute.levels->levels - 1);
      for (ConceptId c = 0; c < attribute.size(); ++c) {
        by_file.push_back(attribute.levels->at(c, top));
      }
    }
    unsigned deepest = 1;
    for (const RecodedColumn::Text& text : column.texts) {
      const ConceptId value = column.meaning->concept_of(text.text);
      if (value != kMissing) deepest = std::max(deepest, attribute.taxonomy().depth(value));
    }
    return std::make_unique<LevelRecoding>(std::move(by_file),
                                           deepest > level ? deepest - level : 1,
                                           column.plan.unmapped, column.meaning);
  }

  Result<std::unique_ptr<const Recoding>> load_recoding(
      std::string_view saved, std::shared_ptr<const ColumnMeaning> meaning) const override {
    auto read = read_saved([&] {
      const Json json = Json::parse(saved);
      const unsigned depth = json.at("depth");
      const UnmappedRule unmapped = json.at("unmapped");
      demand(meaning != nullptr && depth > 0 && unmapped <= UnmappedRule::kKeep);
      const Attribute& attribute = meaning->attribute();
      const SavedIds ids(attribute);
      std::vector<ConceptId> by_file(json.at("lifted").empty() ? 0 : attribute.size(),
                                     Taxonomy::root());
      for (const Json& one : json.at("lifted")) {
        by_file.at(ids.concept_of(one.at(0))) = ids.concept_of(one.at(1));
      }
      return std::make_unique<LevelRecoding>(std::move(by_file), depth, unmapped,
                                             std::move(meaning));
    });
    if (!read) return fail(read.error());
    return *std::move(read);
  }
};

}  // namespace

const Method& level_method() {
  static const LevelMethod kMethod;
  return kMethod;
}

}  // namespace semveil
