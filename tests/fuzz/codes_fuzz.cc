// Codes of any bytes: a code is found by its id, in any case and without its dot; what a column
// writes for a concept is read as that concept again. Lines up to an empty one are the ids of
// concepts, each below the first; the others are cells.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "fuzz/touch.h"
#include "mapping/codes.h"
#include "release/id_form.h"

namespace {

using namespace semveil;
using fuzz::require;

bool has(const std::vector<ConceptId>& all, ConceptId c) {
  return std::ranges::find(all, c) != all.end();
}

void check_id(const CodeIndex& index, const Names& names, ConceptId c) {
  const std::string plain = plain_code(names.id(c));
  require(plain_code(plain) == plain && plain.size() <= 8);
  if (plain.empty()) return;
  require(has(index.find(plain), c));
  require(is_written_for(plain, names.id(c)));
  require(index.category_size(plain) >= 3);
}

void check_text(const CodeIndex& index, const Names& names, std::string_view text) {
  const std::vector<ConceptId> found = index.find(text);
  require(std::set<ConceptId>(found.begin(), found.end()).size() == found.size());
  for (const ConceptId c : found) require(is_written_for(text, names.id(c)));
  for (const CodeIndex::Guess& guess : index.guesses(text)) {
    require(guess.edits > 0 && !plain_code(names.id(guess.concept_id)).empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest = fuzz::text_of(data, size);
  constexpr std::size_t kMost = 40;
  OntologyDraft draft;
  draft.info.format = "icd10cm";
  draft.info.has_icd_codes = true;
  std::set<std::string_view> ids;
  std::vector<std::string_view> texts;
  for (bool are_ids = true; !rest.empty() && ids.size() + texts.size() < kMost;) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    if (!are_ids) {
      texts.push_back(line);
    } else if (line.empty()) {
      are_ids = false;
    } else if (find_invalid_utf8(line) == line.npos && ids.insert(line).second) {
      const auto c = draft.add_concept(line);
      if (c > 0) draft.add_link(c, 0);
    }
  }
  if (ids.empty()) return 0;
  const auto ontology = std::move(draft).finish("input");
  if (!ontology) return 0;
  const auto names = ontology->names().value();
  const CodeIndex index(*names);
  const auto concepts = static_cast<ConceptId>(ids.size());
  for (ConceptId c = 0; c < concepts; ++c) check_id(index, *names, c);
  std::vector<IdForm::Cell> cells;
  for (const std::string_view text : texts) {
    check_text(index, *names, text);
    const std::vector<ConceptId> found = index.find(text);
    if (found.size() == 1) cells.push_back({text, found.front(), cells.size() + 1});
  }
  const auto form = IdForm::of(cells, ontology->info(), *names);
  if (!form) return 0;
  for (ConceptId c = 0; c < concepts; ++c) {
    const std::string written = form->written(c, *names);
    require(!written.empty());
    if (!plain_code(names->id(c)).empty()) require(plain_code(written) == plain_code(names->id(c)));
  }
  return 0;
}
