// The head of the report: what the release is, the verdict (report_findings.cc), the four figures
// that matter, the lines to sign on.
#include <fmt/format.h>

#include <algorithm>

#include "figures/guess_gain.h"
#include "report/sections.h"
#include "semveil/compare.h"
#include "semveil/method.h"

namespace semveil::report {
namespace {

constexpr std::size_t kShort = 12;  // columns that fit in large letters

struct Tile {
  std::string_view figure;  // name of its explanation
  std::string large;
  std::string than;  // what to compare it with
};

Html tile_html(const Tile& tile, Glossary& words) {
  Html out;
  out << "<div class=\"tile\"><p class=\"name\">" << words.term(tile.figure) << "</p>"
      << (columns_of(tile.large) > kShort ? Html("<b class=\"long\">") : Html("<b>"))
      << text(tile.large) << "</b>";
  if (!tile.than.empty()) out << "<p class=\"than\">" << text(tile.than, 2 * kLongest) << "</p>";
  out << "<p class=\"soft\">" << words.sentence(tile.figure) << "</p></div>\n";
  return out;
}

std::string plural(std::uint64_t count, std::string_view word) {
  return fmt::format("{} {}{}", grouped(count), word, count == 1 ? "" : "s");
}

std::string about(const Audit& audit, std::uint64_t count) {
  return (audit.is_rounded && count >= 1000 ? "≈ " : "") + grouped(count);
}

// Where values are changed, a class says nothing of anybody: how sure somebody can be does.
bool changes_values(const Audit& audit) {
  const MethodDescription& method = method_named(audit.method);
  return !audit.method.empty() && !method.looks_up() && !method.recodes() && !method.releases_sets;
}

Tile class_tile(const Audit& audit) {
  if (changes_values(audit) && audit.linkage.own_among_alike) {
    return {"linkage.own_among_alike", percent(audit.linkage.own_among_alike),
            "the greatest of all"};
  }
  if (!audit.classes && audit.persons) {
    return {"classes.smallest", "–", "whose the released records are is not known"};
  }
  if (!audit.classes) return {"classes.smallest", "–", "the plan has no quasi-identifiers"};
  const ClassRisk& now = *audit.classes;
  std::string than = fmt::format("{} {}{} unique", about(audit, now.uniques),
                                 now.records ? "person" : "record", now.uniques == 1 ? "" : "s");
  if (audit.classes_original) {
    than += fmt::format("; before {}", about(audit, audit.classes_original->uniques));
  }
  if (now.records) {
    return {"classes.smallest",
            fmt::format("{}, {}", plural(now.smallest, "person"),
                        plural(now.records->smallest, "record")),
            than};
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

// What a release gives away is the change: who guesses the most frequent race is mostly right.
Tile channel_tile(const Audit& audit) {
  const auto worst = std::max_element(audit.channels.begin(), audit.channels.end(),
                                      [](const ChannelFigures& a, const ChannelFigures& b) {
                                        return guess_gain(a.risk) < guess_gain(b.risk);
                                      });
  if (worst == audit.channels.end()) return {"channels.vulnerability", "–", "not measured"};
  const ChannelRisk& risk = worst->risk;
  const std::string of = risk.columns.size() == 1
                             ? risk.columns.front()
                             : fmt::format("{} columns together", risk.columns.size());
  return {"channels.vulnerability",
          fmt::format("{} → {}", percent(risk.prior), percent(risk.vulnerability)),
          fmt::format("by the most frequent value → by the release · {}", of)};
}

// Of classes: what they show of a secret. A quasi-identifier that many share is no secret.
Tile secret_tile(const Audit& audit) {
  if (!method_named(audit.method).looks_up() || audit.privacy.sensitive.empty())
    return channel_tile(audit);
  const SensitiveDescription& worst =
      *std::ranges::min_element(audit.privacy.sensitive, {}, &SensitiveDescription::l);
  std::string than = worst.name;
  for (const SensitiveDescription& before : audit.privacy_original.sensitive) {
    if (before.name == worst.name) than = fmt::format("before {} · {}", before.l, worst.name);
  }
  return {"privacy.sensitive.l", plural(worst.l, "value"), than};
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

}  // namespace

Html Context::count(std::uint64_t count) const { return text(report::about(audit, count)); }

Html head(Context& context) {
  const Audit& audit = context.audit;
  const ReportFacts& facts = context.facts;
  Html out;
  out << "<header><p class=\"edition\">"
      << (context.is_steward() ? Html("Steward’s edition · confidential") : Html("Public edition"))
      << "</p><h1>Audit of "
      << (facts.masked.name.empty() ? Html("a release") : value(facts.masked.name)) << "</h1>\n";
  const auto masked = static_cast<std::uint64_t>(
      std::ranges::count_if(audit.columns, [&](const AuditedColumn& column) {
        const auto came_through = std::ranges::find(audit.unmasked, column.name);
        return column.is_masked && came_through == audit.unmasked.end();
      }));
  Html what;
  what << number(audit.masked_records)
       << (audit.masked_records == 1 ? Html(" record") : Html(" records")) << "; " << number(masked)
       << " of " << text(plural(audit.columns.size(), "column"))
       << " that the plan describes changed";
  if (!facts.method.empty()) {
    what << (facts.seed == SeedState::kUnknown ? Html(", according to the plan") : Html())
         << " by the method <b>" << text(facts.method) << "</b>";
  }
  what << ". The figures below compare the release with the table that it was made from.";
  out << paragraph(what) << findings(context) << "<div class=\"tiles\">\n";
  for (const Tile& tile :
       {class_tile(audit), linkage_tile(audit), secret_tile(audit), loss_tile(audit)}) {
    out << tile_html(tile, context.words);
  }
  out << "</div>\n";
  out << to_sign(context);
  out << "</header>\n";
  return out;
}

}  // namespace semveil::report
