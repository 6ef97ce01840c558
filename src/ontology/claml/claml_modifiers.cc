#include "ontology/claml/claml_modifiers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "ontology/claml/claml_terms.h"

namespace semveil {
namespace {

using Index = OntologyDraft::Index;

constexpr std::uint64_t kMostCodes = 1'000'000;
constexpr std::uint64_t kMostTries = 200'000'000;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 28;
constexpr std::size_t kMostModifiers = 16;  // of one class

// A modifier's classes, those above before those below.
struct Modifier {
  struct Item {
    const ClamlClass* own;
    std::size_t above;  // place of the item it stands below, or kTop
    bool is_leaf = true;
  };
  static constexpr std::size_t kTop = static_cast<std::size_t>(-1);
  std::vector<Item> items;
  bool has_dots = false;
};

class ModifiedCodes {
 public:
  ModifiedCodes(const ClamlFile& file, const std::vector<std::vector<Index>>& parents,
                ClamlCodes& codes, OntologyDraft& draft)
      : file_(file), parents_(parents), codes_(codes), draft_(draft) {}

  Result<ClamlMade> make() {
    if (const Status read = read_modifiers(); !read) return fail(read.error());
    if (const Status handed = hand_down(); !handed) return fail(handed.error());
    for (Index c = 0; c < file_.classes.size(); ++c) {
      const std::string& kind = file_.classes[c].kind;
      if (held_[c].empty() || has_children_[c] || kind == "chapter" || kind == "block") continue;
      if (const Status made = make_below(c); !made) return fail(made.error());
    }
    return made_;
  }

 private:
  struct Base {  // what gets another character
    Index concept_index;
    std::string code, label;
    std::vector<std::pair<std::string_view, std::string_view>> appended;  // modifier, class
  };
  using Held = std::vector<const ClamlModifiedBy*>;

  Status read_modifiers() {
    std::map<std::string_view, std::vector<const ClamlClass*>> by_modifier;
    for (const std::string& code : file_.modifiers) by_modifier[code];
    for (const ClamlClass& c : file_.modifier_classes) by_modifier[c.modifier].push_back(&c);
    for (const auto& [code, classes] : by_modifier) {
      if (const Status done = read_modifier(code, classes, modifiers_[code]); !done) return done;
    }
    return {};
  }

  Status read_modifier(std::string_view code, const std::vector<const ClamlClass*>& classes,
                       Modifier& modifier) const {
    std::map<std::string_view, std::size_t> place;
    for (std::size_t i = 0; i < classes.size(); ++i) {
      const auto [at, is_new] = place.emplace(classes[i]->code, i);
      if (!is_new) {
        return fail(file_.error(classes[i]->line,
                                fmt::format("this modifier class was already declared on line {}: "
                                            "remove one of the two",
                                            classes[at->second]->line),
                                classes[i]->code));
      }
    }
    std::vector<std::vector<std::size_t>> below(classes.size());
    std::vector<bool> is_below(classes.size());
    const auto link = [&](std::size_t child, std::size_t parent) {
      if (is_below[child]) return;  // one place is enough for a code
      below[parent].push_back(child);
      is_below[child] = true;
    };
    for (std::size_t i = 0; i < classes.size(); ++i) {
      for (const auto* list : {&classes[i]->above, &classes[i]->below}) {
        for (const ClamlReference& other : *list) {
          if (other.code == code) continue;  // the modifier itself
          const auto at = place.find(other.code);
          if (at == place.end()) {
            return fail(file_.error(other.line,
                                    "no class of this modifier has this code: add it, or correct "
                                    "the code",
                                    other.code));
          }
          if (list == &classes[i]->above) {
            link(i, at->second);
          } else {
            link(at->second, i);
          }
        }
      }
    }
    modifier.has_dots = !classes.empty() && std::ranges::all_of(classes, [](const ClamlClass* c) {
      return c->code.starts_with('.');
    });
    std::vector<std::size_t> item_of(classes.size(), Modifier::kTop);
    const auto append = [&](std::size_t c, std::size_t above) {
      item_of[c] = modifier.items.size();
      modifier.items.push_back({classes[c], above, below[c].empty()});
    };
    for (std::size_t c = 0; c < classes.size(); ++c) {
      if (!is_below[c]) append(c, Modifier::kTop);
    }
    for (std::size_t i = 0; i < modifier.items.size(); ++i) {
      for (const std::size_t c : below[place[modifier.items[i].own->code]]) append(c, i);
    }
    for (std::size_t c = 0; c < classes.size(); ++c) {
      if (item_of[c] == Modifier::kTop) {
        return fail(file_.error(classes[c]->line,
                                "the classes of this modifier stand below each other in a circle: "
                                "remove one of the links",
                                classes[c]->code));
      }
    }
    return {};
  }

  // Which modifiers hold for each class: its parents' and its own, without those it excludes. On a
  // cycle nothing is handed down: finish() reports it.
  Status hand_down() {
    const std::size_t size = file_.classes.size();
    held_.resize(size);
    has_children_.resize(size);
    std::vector<std::vector<Index>> children(size);
    std::vector<std::size_t> waiting(size);
    std::vector<Index> ready;
    for (Index c = 0; c < size; ++c) {
      waiting[c] = parents_[c].size();
      if (waiting[c] == 0) ready.push_back(c);
      for (const Index p : parents_[c]) {
        children[p].push_back(c);
        has_children_[p] = true;
      }
    }
    for (std::size_t i = 0; i < ready.size(); ++i) {
      const Index c = ready[i];
      if (const Status done = gather(c); !done) return done;
      for (const Index child : children[c]) {
        if (--waiting[child] == 0) ready.push_back(child);
      }
    }
    return {};
  }

  Status gather(Index c) {
    const ClamlClass& own = file_.classes[c];
    Held& held = held_[c];
    const auto hold = [&](const ClamlModifiedBy& by) {
      const bool excluded = std::ranges::binary_search(own.excluded, by.modifier);
      const bool known = std::ranges::any_of(
          held, [&](const ClamlModifiedBy* other) { return other->modifier == by.modifier; });
      if (!excluded && !known) held.push_back(&by);
      return held.size() <= kMostModifiers;
    };
    for (const ClamlModifiedBy& by : own.modified_by) {
      if (!modifiers_.contains(by.modifier)) {
        return fail(file_.error(by.line,
                                "no <Modifier> or <ModifierClass> of this file has this code: add "
                                "it, or remove the <ModifiedBy>",
                                by.modifier));
      }
      if (!hold(by)) return fail(too_many(own));
    }
    for (const Index p : parents_[c]) {
      for (const ClamlModifiedBy* by : held_[p]) {
        if (!hold(*by)) return fail(too_many(own));
      }
    }
    return {};
  }
  Error too_many(const ClamlClass& own) const {
    return file_.error(own.line,
                       fmt::format("more than {} modifiers hold for this class: exclude those that "
                                   "are not meant",
                                   kMostModifiers),
                       own.code);
  }

  unsigned position(const ClamlModifiedBy& by) const {
    if (by.position != 0) return by.position;
    if (modifiers_.at(by.modifier).has_dots) return 4;
    const std::string_view code = by.modifier;
    unsigned number = 0;
    const char* behind = code.data() + (code.rfind('_') + 1);  // npos + 1 = 0
    const auto read = std::from_chars(behind, code.data() + code.size(), number);
    const bool is_number = behind != code.data() && read.ec == std::errc() &&
                           read.ptr == code.data() + code.size() && number > 0;
    return is_number ? number : 5;
  }

  // Empty where the place is taken.
  static std::string joined(std::string_view code, std::string_view behind, unsigned position) {
    const bool has_dot = code.find('.') != code.npos;
    if (behind.starts_with('.')) {
      return has_dot ? std::string() : std::string(code) + std::string(behind);
    }
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const bool is_category = code.size() == 3 && code[0] >= 'A' && code[0] <= 'Z' &&
                             is_digit(code[1]);  // ICD's three characters
    return fmt::format("{}{}{}", code, is_category ? (position == 5 ? ".X" : ".") : "", behind);
  }

  Status make_below(Index c) {
    Held held = held_[c];
    std::ranges::stable_sort(held, {}, [&](const ClamlModifiedBy* by) { return position(*by); });
    const ClamlClass& own = file_.classes[c];
    std::vector<Base> bases{{c, own.code, std::string(own.label()), {}}};
    for (std::size_t first = 0; first < held.size();) {
      std::size_t last = first;
      while (last < held.size() && position(*held[last]) == position(*held[first])) ++last;
      std::vector<Base> next;
      for (Base& base : bases) {
        const std::size_t before = next.size();
        for (std::size_t i = first; i < last; ++i) {
          if (const Status done = append(base, *held[i], next); !done) return done;
        }
        if (next.size() == before) next.push_back(std::move(base));
      }
      bases = std::move(next);
      first = last;
    }
    return {};
  }

  static bool is_valid(const ClamlModifiedBy& by, const ClamlClass& item) {
    return by.valid.empty() ? by.all : std::ranges::binary_search(by.valid, item.code);
  }
  static bool may_follow(const ClamlClass& item, const Base& base) {
    using Views = std::pair<std::string_view, std::string_view>;
    const auto smaller = [](const Views& a, const Views& b) { return a < b; };
    return std::ranges::none_of(base.appended, [&](const Views& appended) {
      return std::binary_search(item.not_behind.begin(), item.not_behind.end(), appended, smaller);
    });
  }

  // The base with each class of the modifier behind it.
  Status append(const Base& base, const ClamlModifiedBy& by, std::vector<Base>& next) {
    const Modifier& modifier = modifiers_.at(by.modifier);
    constexpr Index kNone = 0xFFFFFFFFU;
    std::vector<Index> made(modifier.items.size(), kNone);
    const unsigned at = position(by);
    tries_ += modifier.items.size();
    if (tries_ > kMostTries) return fail(too_much(by));
    for (std::size_t i = 0; i < modifier.items.size(); ++i) {
      const Modifier::Item& item = modifier.items[i];
      if (!is_valid(by, *item.own) || !may_follow(*item.own, base)) continue;
      std::string code = joined(base.code, item.own->code, at);
      if (code.empty() || code.size() > kLongestClamlCode) continue;
      if (codes_.contains(code)) {
        ++made_.declared;
        continue;
      }
      made[i] = draft_.add_concept(code);
      codes_.emplace(code, made[i]);
      bytes_ += code.size() + add_claml_terms(*item.own, base.label, made[i], draft_);
      if (++made_.codes > kMostCodes || bytes_ > kMostBytes) return fail(too_much(by));
      const bool is_nested = item.above != Modifier::kTop && made[item.above] != kNone;
      draft_.add_link(made[i], is_nested ? made[item.above] : base.concept_index);
      if (!item.is_leaf) continue;
      Base& child = next.emplace_back(Base{made[i], std::move(code),
                                           fmt::format("{}: {}", base.label, item.own->label()),
                                           base.appended});
      child.appended.emplace_back(by.modifier, item.own->code);
    }
    return {};
  }

  Error too_much(const ClamlModifiedBy& by) const {
    return file_.error(by.line,
                       "the modifiers make more codes than a classification has: is this the right "
                       "file?",
                       by.modifier);
  }

  const ClamlFile& file_;
  const std::vector<std::vector<Index>>& parents_;
  ClamlCodes& codes_;
  OntologyDraft& draft_;
  std::map<std::string_view, Modifier> modifiers_;
  std::vector<Held> held_;  // by class
  std::vector<bool> has_children_;
  std::uint64_t bytes_ = 0, tries_ = 0;
  ClamlMade made_;
};

}  // namespace

Result<ClamlMade> make_modified_codes(const ClamlFile& file,
                                      const std::vector<std::vector<Index>>& parents,
                                      ClamlCodes& codes, OntologyDraft& draft) {
  return ModifiedCodes(file, parents, codes, draft).make();
}

}  // namespace semveil
