#include "mapping/name_texts.h"

#include "base/stop.h"
#include "base/text.h"

namespace semveil {

NameTexts::NameTexts(const Names& names) {
  terms_.reserve(names.terms());
  begin_.reserve(names.terms() + 1);
  begin_.push_back(0);
  text_.reserve(names.arrays().text.size());
  StopCheck check;
  for (TermId t = 0; t < names.terms(); ++t) {
    check();
    const Term term = names.term(t);
    if (!is_name(term.kind) || is_virtual(names, term.concept_id)) continue;
    text_ += normalise(term.text);
    if (text_.size() == begin_.back()) continue;  // nothing but hyphens
    terms_.push_back(t);
    begin_.push_back(text_.size());
  }
}

}  // namespace semveil
