// The head of the report: what the release is, the four figures that matter, what to look at.
//
// The page says what was measured and never "safe": whether a risk can be borne is for its reader
// to decide.
#include <fmt/format.h>

#include <algorithm>

#include "report/sections.h"
#include "semveil/compare.h"

namespace semveil::report {
namespace {

struct Tile {
  std::string_view figure;  // name of its explanation
  std::string large;
  std::string than;  // what to compare it with
};

Html tile_html(const Tile& tile, Glossary& words) {
  Html out;
  out << "<div class=\"tile\"><p class=\"name\">" << words.term(tile.figure) << "</p><b>"
      << text(tile.large) << "</b>";
  if (!tile.than.empty()) out << "<p class=\"than\">" << text(tile.than, 2 * kLongest) << "</p>";
  out << "<p class=\"soft\">" << words.sentence(tile.figure) << "</p></div>\n";
  return out;
}

std::string plural(std::uint64_t count, std::string_view word) {
  return fmt::format("{} {}{}", grouped(count), word, count == 1 ? "" : "s");
}

Tile class_tile(const Audit& audit) {
  if (!audit.classes) return {"classes.smallest", "–", "the plan has no quasi-identifiers"};
  const ClassRisk& now = *audit.classes;
  std::string than = fmt::format("{} unique", plural(now.uniques, "record"));
  if (audit.classes_original) {
    than += fmt::format("; before {}", grouped(audit.classes_original->uniques));
  }
  return {"classes.smallest", plural(now.smallest, "record"), than};
}

Tile linkage_tile(const Audit& audit) {
  if (!audit.linkage.semantic) {
    return {"linkage.semantic", "–",
            audit.paired == 0 ? "nobody knows which records belong together" : "not measured"};
  }
  std::string than;
  if (audit.linkage.baseline) {
    than = fmt::format("by chance {}", percent(audit.linkage.baseline));
  }
  return {"linkage.semantic", percent(audit.linkage.semantic), than};
}

Tile channel_tile(const Audit& audit) {
  const auto worst = std::max_element(audit.channels.begin(), audit.channels.end(),
                                      [](const ChannelFigures& a, const ChannelFigures& b) {
                                        return a.risk.vulnerability < b.risk.vulnerability;
                                      });
  if (worst == audit.channels.end()) return {"channels.vulnerability", "–", "not measured"};
  std::string than = fmt::format("without the release {}", percent(worst->risk.prior));
  if (worst->risk.columns.size() == 1) than += " · " + worst->risk.columns.front();
  return {"channels.vulnerability", percent(worst->risk.vulnerability), than};
}

Tile loss_tile(const Audit& audit) {
  if (audit.semantic_quality) {
    std::string than;
    double most = -1;
    for (const AuditedPair& pair : audit.pairs) {
      if (!pair.correlation.original || !pair.correlation.masked) continue;
      const double moved = *pair.correlation.masked - *pair.correlation.original;
      most = std::max(most, moved < 0 ? -moved : moved);
    }
    if (most >= 0) than = fmt::format("correlations moved by up to {}", digits(most));
    return {"semantic_quality", percent(audit.semantic_quality), than};
  }
  std::optional<double> most;
  for (const AuditedColumn& column : audit.columns) {
    if (column.total_variation) most = std::max(most.value_or(0), *column.total_variation);
  }
  return {"columns.total_variation", percent(most), most ? "the most of any column" : ""};
}

// What nobody should sign without having seen.
std::vector<Html> to_look_at(const Audit& audit) {
  std::vector<Html> items;
  for (const Finding& finding : audit.findings) items.push_back(text(finding.text));
  for (const std::string& note : audit.notes) items.push_back(text(note));
  const auto say = [&](const std::string& words) { items.push_back(text(words)); };
  if (audit.classes && audit.classes->uniques > 0 && audit.masked_records > 0) {
    const double share =
        static_cast<double>(audit.classes->uniques) / static_cast<double>(audit.masked_records);
    say(fmt::format("{} of the release ({}) can be told from all others by the quasi-identifiers.",
                    plural(audit.classes->uniques, "record"), percent(share)));
  }
  for (const std::string& name : audit.unmasked) {
    Html item;
    item << "Column " << value(name) << " came through as it was.";
    items.push_back(item);
  }
  for (const AuditedColumn& column : audit.columns) {
    if (column.left_unmapped == 0) continue;
    Html item;
    item << number(column.left_unmapped)
         << (column.left_unmapped == 1 ? Html(" record shows") : Html(" records show"))
         << " in column " << value(column.name)
         << " a text of the original that means nothing to the ontology.";
    items.push_back(item);
  }
  for (const ChannelFigures& channel : audit.channels) {
    if (channel.risk.worst < 0.9995) continue;
    Html item;
    item << "Some released value of ";
    for (std::size_t i = 0; i < channel.risk.columns.size(); ++i) {
      if (i > 0) item << " and ";
      item << value(channel.risk.columns[i]);
    }
    item << " can have come from one original value only.";
    items.push_back(item);
  }
  for (const Attack& attack : audit.attacks) {
    if (attack.risk_interval.low <= 0) continue;
    Html item;
    item << "The attack “" << text(attack.name) << "”";
    if (!attack.about.empty()) item << " on " << value(attack.about);
    item << " succeeds more often than without the release: risk " << text(percent(attack.risk))
         << ".";
    items.push_back(item);
  }
  if (!audit.attacks.empty() && !audit.has_control) {
    say("The attacks had no control group: they are compared with guessing alone.");
  }
  if (audit.paired == 0) {
    say("It is not known which record became which: figures of single records are left out.");
  }
  return items;
}

}  // namespace

Html verdict(Context& context) {
  const Audit& audit = context.audit;
  const ReportFacts& facts = context.facts;
  Html out;
  out << "<header><p class=\"edition\">"
      << (context.is_steward() ? Html("Steward’s edition · confidential") : Html("Public edition"))
      << "</p><h1>Audit of "
      << (facts.masked.name.empty() ? Html("a release") : value(facts.masked.name)) << "</h1>\n";
  const auto masked = static_cast<std::uint64_t>(
      std::count_if(audit.columns.begin(), audit.columns.end(),
                    [](const AuditedColumn& column) { return column.is_masked; }));
  Html what;
  what << number(audit.masked_records)
       << (audit.masked_records == 1 ? Html(" record") : Html(" records")) << "; " << number(masked)
       << " of " << text(plural(audit.columns.size(), "column")) << " changed";
  if (!facts.method.empty()) {
    what << (facts.seed == SeedState::kUnknown ? Html(", according to the plan") : Html())
         << " by the method <b>" << text(facts.method) << "</b>";
  }
  what << ". The figures below compare the release with the table that it was made from.";
  out << paragraph(what) << "<div class=\"tiles\">\n";
  for (const Tile& tile :
       {class_tile(audit), linkage_tile(audit), channel_tile(audit), loss_tile(audit)}) {
    out << tile_html(tile, context.words);
  }
  out << "</div>\n";
  const std::vector<Html> items = to_look_at(audit);
  if (!items.empty()) {
    out << "<div class=\"look\"><h3>To look at before signing</h3>" << list_of(items) << "</div>\n";
  }
  out << "</header>\n";
  return out;
}

}  // namespace semveil::report
