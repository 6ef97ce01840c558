// The proposal as commented TOML. A comment stands above what it speaks of.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "plan/plan_column.h"
#include "propose/plan_choices.h"
#include "semveil/propose.h"

namespace semveil {
namespace {

constexpr std::size_t kLineWidth = 100;
constexpr std::size_t kSetsShown = 12;

// A column's name may be anything, and a comment ends with its line.
std::string shown_name(const std::string& name) { return printable(name); }

std::string counted_text(std::uint64_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

std::string percent_text(std::uint64_t part, std::uint64_t whole) {
  const double share = whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  return fmt::format("{:.0f} %", 100 * share);
}

struct Terminology {
  std::string_view kind, title, source;
};
constexpr Terminology kTerminologies[] = {
    {"snomed", "SNOMED CT", "rf2:DIR"},
    {"icd-10", "ICD-10", "icd10cm:FILE or claml:FILE"},
    {"icd-9", "ICD-9", "icd9cm:FILE"},
    {"mesh", "MeSH", "mesh:FILE"},
};
const Terminology& terminology(std::string_view kind) {
  const auto* const at = std::ranges::find(kTerminologies, kind, &Terminology::kind);
  return at == std::end(kTerminologies) ? kTerminologies[0] : *at;
}

// With a capital and a full stop.
std::string sentence(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  return text + ".";
}

class CommentedPlan {
 public:
  CommentedPlan(const PlanProposal& proposal, const std::string& folder)
      : proposal_(proposal), folder_(folder) {}

  std::string text() && {
    write_head();
    write_uniques();
    write_top();
    for (const OntologySource& source : proposal_.ontologies) write_ontology(source);
    for (const ProposedColumn& column : proposal_.columns) write_column(column);
    write_mask();
    return std::move(out_);
  }

 private:
  // In lines of the page's width.
  void comment(std::string_view raw, std::string_view indent = "") {
    const std::string shown = printable(raw);  // names may have line ends
    std::string_view text = shown;
    std::string line = fmt::format("#{}", indent);
    const std::size_t empty = line.size();
    while (!text.empty()) {
      const std::size_t end = std::min(text.find(' '), text.size());
      const std::string_view word = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (line.size() > empty && line.size() + 1 + word.size() > kLineWidth) {
        out_ += line + "\n";
        line.resize(empty);
      }
      line += fmt::format(" {}", word);
    }
    out_ += line + "\n";
  }
  void put(std::string_view key, std::string_view value) {
    out_ += fmt::format("{} = {}\n", key, value);
  }

  void write_head() {
    comment(fmt::format("A plan to start from, for {}: {}.", shown_name(proposal_.table),
                        counted_text(proposal_.records, "record", "records")));
    comment(
        "It goes by the names of the columns, by what their cells look like, and by methods that "
        "were tried. Nobody was asked what others know: read every reason, and correct it.");
    comment(
        proposal_.header_is_data
            ? "Beware: the first line looks like a record and not like names, so that its cells "
              "stand here as names of columns. Write a line of names in front of the table, "
              "throw this plan away, and propose again."
            : "The names of the columns are what the first line holds. No other cell is quoted "
              "here but those that stand for nothing.");
  }

  std::string whom(std::uint64_t number) const {
    return proposal_.person ? counted_text(number, "person", "persons")
                            : counted_text(number, "record", "records");
  }

  void write_uniques() {
    const MinimalUniques& found = proposal_.uniques;
    out_ += "#\n";
    if (proposal_.quasi_identifiers.size() < 2) {
      comment("Fewer than two quasi-identifiers: there are no sets of them to look at.");
      return;
    }
    const bool is_one = found.uniques == 1;
    comment(fmt::format(
        "{} of {} {} alone by some set of at most {} of the {} quasi-identifiers: "
        "nobody else has the same values in it.{}",
        found.uniques, whom(found.persons), is_one ? "is" : "are", found.largest, found.columns,
        found.sets.empty() ? "" : " The sets of which no part does it:"));
    for (std::size_t i = 0; i < std::min(kSetsShown, found.sets.size()); ++i) {
      std::vector<std::string> names;
      for (const std::size_t column : found.sets[i].columns) {
        names.push_back(shown_name(proposal_.quasi_identifiers[column]));
      }
      comment(fmt::format("{}: {}", whom(found.sets[i].persons), fmt::join(names, ", ")), "  ");
    }
    if (found.sets.size() > kSetsShown) {
      comment(fmt::format("and {} more sets", found.sets.size() - kSetsShown), "  ");
    }
    if (found.uniques > 0) {
      std::vector<std::uint64_t> scores;
      std::ranges::copy_if(found.scores, std::back_inserter(scores),
                           [](std::uint64_t score) { return score > 0; });
      std::ranges::sort(scores);
      comment(
          fmt::format("The more and the smaller somebody's sets, the greater their score "
                      "(special uniques): half of those who are alone have {} or more, the "
                      "greatest is {}.",
                      scores[scores.size() / 2], scores.back()));
    }
    if (found.largest < largest_unique(found.columns)) {
      comment(
          "Larger sets were not looked at: there are too many of them in a table of this size.");
    }
  }

  void write_top() {
    out_ += "\n";
    std::vector<std::string> texts{toml_text("")};
    for (const MissingMarker& marker : proposal_.markers) {
      const std::string where =
          marker.columns.size() <= 6
              ? fmt::format("{}", fmt::join(marker.columns, ", "))
              : fmt::format("{} and {} more columns",
                            fmt::join(marker.columns.begin(), marker.columns.begin() + 5, ", "),
                            marker.columns.size() - 5);
      const std::string what =
          fmt::format("{} in {} of {}: {}.", toml_text(marker.text),
                      counted_text(marker.cells, "cell", "cells"), printable(where), marker.why);
      if (marker.proposed) {
        comment(what);
        texts.push_back(toml_text(marker.text));
      } else {
        comment(what +
                " Not taken for missing: other columns have it as a value, and one list "
                "holds for all.");
      }
    }
    comment(texts.size() == 1 ? "Only empty cells seem to be missing."
                              : "These cells are missing, as empty ones are:");
    put("missing_values", fmt::format("[{}]", fmt::join(texts, ", ")));
    comment("A column that is not named here must not be released unseen.");
    put("undeclared", toml_text("error"));
    if (!proposal_.person) return;
    const ProposedPerson& person = *proposal_.person;
    comment(fmt::format("{}: {} persons have {} records: {}.{}", shown_name(person.column),
                        person.persons, proposal_.records, person.why, " So k counts persons."));
    put("person", toml_text(person.column));
  }

  void write_ontology(const OntologySource& source) {
    out_ += fmt::format("\n[ontology.{}]\n", toml_key(source.name));
    comment(source.origin == OntologySource::Origin::kGiven       ? "As given."
            : source.origin == OntologySource::Origin::kInstalled ? "It is installed."
                                                                  : "It was used before.");
    put("source", toml_text(source_from(folder_, source.source)));
  }

  void write_column(const ProposedColumn& column) {
    out_ += fmt::format("\n[column.{}]\n", toml_key(column.name));
    comment(column.distinct == 0
                ? std::string("No cell says anything: all of them are missing.")
                : fmt::format("{}: {}; {} missing.",
                              counted_text(column.distinct, "different value", "different values"),
                              column.kind_why,
                              counted_text(column.missing, "cell is", "cells are")));
    comment(fmt::format("{}: {}.{}", to_string(column.role), column.role_why,
                        column.role == Role::kIdentifier ? " It is dropped." : ""));
    // Of such a column the masking warns: that nobody knows its values would be too much said.
    const bool finds_records = column.distinct * 2 > proposal_.records;
    if (column.role == Role::kOther && finds_records) {
      comment(
          "It is released as it is, and more than half of its values are different: whoever does "
          "know one finds the record, and the masking will warn of it. If it is not needed, "
          "identifier drops it.");
    }
    put("role", toml_text(to_string(column.role)));
    if (column.role == Role::kIdentifier || column.distinct == 0) return;
    write_type(column);
    write_meaning(column);
    if (column.role == Role::kSensitive) {
      comment("Classes could be asked for two different values or more: demand = {l = 2}");
    }
  }

  void write_type(const ProposedColumn& column) {
    const bool is_date = column.kind == ColumnKind::kDate;
    const bool is_read = !is_date || column.date_format;
    const std::string_view type = keys_of(column.kind).type;
    if (!type.empty() && is_read) put("type", toml_text(type));
    if (!is_read) {
      comment(
          "Dates are compared as texts here, equal or not: they are not all written in one way, "
          "or days and months cannot be told apart. With type = \"date\" and a format they are "
          "compared as days.");
    } else if (is_date && !column.date_format->empty()) {
      put("format", toml_text(*column.date_format));
    }
    const bool is_lifted = column.role == Role::kQuasiIdentifier && !column.ontology;
    if (is_lifted) put("hierarchy", column.hierarchy);
  }

  void write_meaning(const ProposedColumn& column) {
    const std::uint64_t cells = proposal_.records - column.missing;
    if (column.ontology) {
      const OntologyCoverage& known = *column.ontology;
      comment(fmt::format(
          "{} knows {} of the cells and {} of {} different values{}.", known.ontology,
          percent_text(known.records, cells), known.values, column.distinct,
          known.root.empty() ? "" : fmt::format(", below {}", printable(known.root_label))));
      put("ontology", toml_text(known.ontology));
      if (!known.root.empty()) put("root", toml_text(known.root));
      if (known.is_whole) return;
      comment("What it does not know becomes the root; a mapping file can say more.");
      put("unmapped", toml_text("generalize"));
    } else if (!column.wanted.empty()) {
      comment(
          fmt::format("These are codes or names of {}, which is not among the ontologies here; "
                      "with it, as {}, words could be compared by their meaning.",
                      terminology(column.wanted).title, terminology(column.wanted).source));
    } else if (column.nearly) {
      comment(
          fmt::format("No ontology that is known here has enough of it; {} has {} of the cells "
                      "and {} of {} different values.",
                      column.nearly->ontology, percent_text(column.nearly->records, cells),
                      column.nearly->values, column.distinct));
    }
  }

  void write_trial(const Proposal& proposal) {
    if (!proposal.trial || !proposal.trial->audit) return;
    const ComparedRelease& trial = *proposal.trial;
    if (!trial.risk || !trial.loss) return;
    comment(fmt::format("Tried on {}: risk {:.3g} ({}), loss {:.3g}.",
                        counted_text(proposal_.tried->tried_on, "record", "records"), *trial.risk,
                        trial.risk_name, *trial.loss));
  }

  void write_mask() {
    out_ += "\n";
    if (!proposal_.chosen) {
      comment(fmt::format("No method is proposed: {}.", proposal_.no_method_why));
      if (proposal_.tried) write_others(proposal_.tried->proposed);
      return;
    }
    const std::vector<Proposal>& proposed = proposal_.tried->proposed;
    const Proposal& chosen = proposed[*proposal_.chosen];
    out_ += "[mask]\n";
    comment(sentence(chosen.advice.why));
    write_trial(chosen);
    if (!chosen.unmasked.empty()) {
      comment(fmt::format("It leaves as they are: {}.",
                          printable(fmt::format("{}", fmt::join(chosen.unmasked, ", ")))));
    }
    put("method", toml_text(chosen.advice.method));
    for (const auto& [key, value] : chosen.advice.parameters) {
      if (key != "method") put(key, value);
    }
    write_others(proposed);
  }

  // Two proposals of one method differ by what they set.
  static std::string told_method(const Advice& advice) {
    std::vector<std::string> set;
    for (const auto& [key, value] : advice.parameters) {
      if (key != kMethodKey) set.push_back(fmt::format("{} = {}", key, value));
    }
    return set.empty() ? advice.method
                       : fmt::format("{} with {}", advice.method, fmt::join(set, ", "));
  }

  void write_others(const std::vector<Proposal>& proposed) {
    bool is_first = true;
    const auto tell = [&](const Proposal& other, const std::string& why) {
      if (std::exchange(is_first, false)) {
        out_ += "\n";
        comment("What else was looked at:");
      }
      comment(fmt::format("{}: {}", told_method(other.advice), why), "  ");
    };
    for (std::size_t i = 0; i < proposed.size(); ++i) {
      if (proposal_.chosen == i) continue;
      const Proposal& other = proposed[i];
      const bool is_measured = other.trial && other.trial->risk && other.trial->loss;
      tell(other,
           is_measured
               ? fmt::format(
                     "risk {:.3g}, loss {:.3g}{}", *other.trial->risk, *other.trial->loss,
                     other.unmasked.empty() ? "" : "; it leaves quasi-identifiers as they are")
               : "not tried, as a file of categories is still to be written");
    }
    for (const Proposal& other : proposal_.tried->passed_over) tell(other, other.why_not);
  }

  const PlanProposal& proposal_;
  const std::string& folder_;
  std::string out_;
};

}  // namespace

std::string to_toml(const PlanProposal& proposal, const std::string& folder) {
  return CommentedPlan(proposal, folder).text();
}

}  // namespace semveil
