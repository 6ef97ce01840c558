#include "semveil/information_content.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/bytes.h"
#include "base/math.h"
#include "base/stop.h"
#include "base/text.h"
#include "ontology/ancestor_index.h"

namespace semveil {
namespace {

struct Below {  // without the concept itself
  std::vector<std::uint32_t> hyponyms, leaves, subsumers;
  std::uint32_t all_leaves = 0;
};

// Every concept reports to each of its ancestors once.
Below count_below(const Taxonomy& taxonomy) {
  const std::size_t size = taxonomy.size();
  Below below{std::vector<std::uint32_t>(size), std::vector<std::uint32_t>(size),
              std::vector<std::uint32_t>(size), 0};
  const AncestorIndex& index = taxonomy.ancestor_index();
  StopCheck check;
  for (ConceptId c = 0; c < size; ++c) {
    check();
    const bool leaf = taxonomy.is_leaf(c);
    below.all_leaves += leaf ? 1 : 0;
    const auto report = [&](ConceptId a, unsigned /*links*/) {
      ++below.subsumers[c];
      if (a == c) return;
      ++below.hyponyms[a];
      below.leaves[a] += leaf ? 1 : 0;
    };
    if (index.usable()) {
      index.for_each_ancestor(c, report);
    } else {
      for (const Ancestor& a : taxonomy.ancestors(c)) report(a.concept_id, a.path);
    }
  }
  return below;
}

}  // namespace

InformationContent InformationContent::seco(const Taxonomy& taxonomy) {
  const std::size_t size = taxonomy.size();
  InformationContent ic{std::vector<double>(size, 0.0), size > 1 ? 1.0 : 0.0};
  if (size == 1) return ic;
  const Below below = count_below(taxonomy);
  const double ln_n = ln(static_cast<double>(size));
  for (ConceptId c = 0; c < size; ++c) ic.of[c] = 1 - ln(below.hyponyms[c] + 1.0) / ln_n;
  return ic;
}

InformationContent InformationContent::sanchez(const Taxonomy& taxonomy) {
  const std::size_t size = taxonomy.size();
  InformationContent ic{std::vector<double>(size, 0.0), 0.0};
  if (size == 1) return ic;
  const Below below = count_below(taxonomy);
  ic.max = ln(below.all_leaves + 1.0);
  for (ConceptId c = 0; c < size; ++c) {
    const double share = static_cast<double>(below.leaves[c]) / below.subsumers[c] + 1;
    ic.of[c] = ic.max - ln(share);  // so that a leaf has max to the last bit, and the root 0
  }
  return ic;
}

namespace {

// Digits and a letter for the part of speech, as in `1740n`.
bool is_offset(std::string_view id, char part_of_speech) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return id.size() > 1 && id.size() <= 9 && id.back() == part_of_speech &&
         std::all_of(id.begin(), id.end() - 1, digit);
}

// `1740n` of WordNet::Similarity is `00001740-n`.
std::string wordnet_id(std::string_view offset) {
  return fmt::format("{:0>8}-n", offset.substr(0, offset.size() - 1));
}

std::optional<ConceptId> concept_with_id(const Names& names, std::string_view id) {
  for (const std::uint64_t entry : names.lookup(squeeze(id))) {
    const Term term = names.term(Names::term_of(entry));
    const bool is_id = term.kind == TermKind::kId || term.kind == TermKind::kAltId;
    if (is_id && term.text == id) return term.concept_id;
  }
  return std::nullopt;
}

// −ln of each one's share of the root's; what has none gets the greatest.
InformationContent of_frequencies(const std::vector<double>& frequency) {
  const double total = frequency[Taxonomy::root()];
  InformationContent ic{std::vector<double>(frequency.size(), 0.0), 0.0};
  for (std::size_t c = 0; c < frequency.size(); ++c) {
    if (frequency[c] > 0) {
      const double share = std::max(frequency[c] / total, std::numeric_limits<double>::min());
      ic.of[c] = std::max(0.0, -ln(share));
    }
    ic.max = std::max(ic.max, ic.of[c]);
  }
  for (std::size_t c = 0; c < frequency.size(); ++c) {
    if (frequency[c] == 0) ic.of[c] = ic.max;
  }
  return ic;
}

constexpr std::string_view kBlanks = " \t\r";

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
  const std::size_t end = text.find_last_not_of(kBlanks) + 1;
  return text.substr(begin, std::max(begin, end) - begin);
}

// Cuts off the last word: ids may hold blanks, the numbers behind them do not.
std::string_view take_last_word(std::string_view& line) {
  line = without_blanks(line);
  const std::size_t blank = line.find_last_of(kBlanks);
  const std::size_t begin = blank == std::string_view::npos ? 0 : blank + 1;
  const std::string_view word = line.substr(begin);
  line = without_blanks(line.substr(0, begin));
  return word;
}

}  // namespace

Result<InformationContent> InformationContent::from_file(const std::string& path,
                                                         const Domain& domain, const Names& names) {
  const Result<FileBytes> bytes = FileBytes::read(path);
  if (!bytes) return fail(bytes.error());
  const std::size_t size = domain.taxonomy()->size();
  std::vector<double> frequency(size, 0.0);
  std::string_view rest = bytes->view();
  for (std::uint64_t line_number = 1; !rest.empty(); ++line_number) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    line = without_blanks(line);
    if (line.empty() || line.starts_with("wnver::") || line.starts_with("#")) continue;
    if (line.ends_with(" ROOT") || line.ends_with("\tROOT")) take_last_word(line);
    const std::string_view number = take_last_word(line);
    const std::string_view id = line;
    double count = -1;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), count);
    if (error != std::errc() || end != number.data() + number.size() || !(count >= 0) ||
        count > 1e300) {
      return fail(data_error("expected a frequency of 0 or more after the concept's id")
                      .at(path, line_number)
                      .quoting(std::string(number)));
    }
    std::optional<ConceptId> found = concept_with_id(names, id);
    if (!found && is_offset(id, 'n')) found = concept_with_id(names, wordnet_id(id));
    if (!found && is_offset(id, 'v')) continue;  // WordNet's verbs, which are not loaded
    if (!found) {
      return fail(data_error("the ontology has no concept with this id; is the file made for "
                             "another version of it?")
                      .at(path, line_number)
                      .quoting(std::string(id)));
    }
    if (const auto c = domain.in_domain(*found)) frequency[*c] = count;
  }

  // Under a virtual root the real ones share it.
  double& total = frequency[Taxonomy::root()];
  if (domain.taxonomy()->has_virtual_root()) {
    for (const ConceptId c : domain.taxonomy()->children(Taxonomy::root())) total += frequency[c];
  }
  if (total == 0) {
    return fail(data_error("the root of the domain has no frequency in this file; add a line for "
                           "it (its count includes all concepts below)")
                    .at(path));
  }
  return of_frequencies(frequency);
}

Result<InformationContent> InformationContent::from_counts(const Domain& domain,
                                                           std::span<const double> counts) {
  const Taxonomy& taxonomy = *domain.taxonomy();
  std::vector<double> frequency(taxonomy.size(), 0.0);
  for (ConceptId c = 0; c < taxonomy.size(); ++c) {
    const double count = counts[domain.in_ontology(c)];
    if (!(count > 0)) continue;
    for (const Ancestor& a : taxonomy.ancestors(c)) frequency[a.concept_id] += count;
  }
  if (frequency[Taxonomy::root()] == 0) {
    return fail(
        data_error("nothing was counted at any concept of the domain: information content "
                   "needs at least one occurrence"));
  }
  return of_frequencies(frequency);
}

}  // namespace semveil
