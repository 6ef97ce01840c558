// The verdict of a report and the lines to sign it on.
//
// A verdict is the findings of the audit, the worst first: what stands against signing, what has to
// be weighed, what was promised and is true of the release, what nobody promised or looked at. The
// page never says that a release may go out: that is for who signs. It holds no date, so that the
// same tables give the same bytes.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "report/sections.h"
#include "semveil/finding_display.h"
#include "semveil/finding_guide.h"

namespace semveil::report {
namespace {

using Findings = std::vector<const Finding*>;

bool is_limit(const Finding& finding) {
  const FindingGuide* const guide = finding_guide(finding.id);
  return guide != nullptr && guide->is_limit;
}

template <class Choice>
Findings chosen(const std::vector<Finding>& all, Choice choice) {
  Findings out;
  for (const Finding& finding : all) {
    if (choice(finding)) out.push_back(&finding);
  }
  return out;
}

// In brackets where the words come from: the figure behind them, and its paper.
Html source_of(const Finding& finding, Glossary& words) {
  const FindingGuide* const guide = finding_guide(finding.id);
  if (guide == nullptr || guide->figure.empty()) return {};
  const FigureExplanation* const figure = explain_figure(guide->figure);
  if (figure == nullptr) return {};
  Html out;
  out << " <span class=\"source\">[" << words.term(guide->figure);
  if (!figure->source.empty()) out << "; " << text(figure->source);
  out << "]</span>";
  return out;
}

Html item(const Finding& finding, const MaskedBy& masked_by, Glossary& words) {
  Html out;
  out << text(finding.text) << source_of(finding, words);
  const std::string remedy = remedy_of(finding, masked_by);
  if (!remedy.empty()) {
    out << "<span class=\"do\">What can be done: " << text(remedy) << "</span>";
  }
  return out;
}

Html group(Markup title, Markup style, const Findings& findings, const MaskedBy& masked_by,
           Glossary& words, const Html& more = {}) {
  if (findings.empty() && more.empty()) return {};
  std::vector<Html> items;
  for (const Finding* finding : findings) items.push_back(item(*finding, masked_by, words));
  if (!more.empty()) items.push_back(more);
  Html out;
  out << "<div class=\"findings " << style << "\"><h3>" << title << "</h3>" << list_of(items)
      << "</div>\n";
  return out;
}

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  constexpr std::array<std::string_view, 10> kWords{"No",   "One", "Two",   "Three", "Four",
                                                    "Five", "Six", "Seven", "Eight", "Nine"};
  const std::string number =
      count < kWords.size() ? std::string(kWords[count]) : grouped(std::uint64_t{count});
  return fmt::format("{} {}", number, count == 1 ? one : many);
}

// What was not looked at, so that a danger may stand that nobody has seen.
constexpr auto kLeavesOpen = std::to_array<std::string_view>(
    {"not-paired", "persons-not-known", "attacks-not-tried", "told-by-mask-alone", "sets-left-out",
     "channel-untold", "classes-not-counted"});
bool leaves_open(const Finding& finding) {
  return std::ranges::find(kLeavesOpen, finding.id) != kLeavesOpen.end();
}

Html headline(std::size_t against, std::size_t to_weigh, std::size_t open) {
  Html out;
  if (against > 0) {
    out << "<p class=\"headline\">"
        << text(counted(against, "finding stands against signing this release",
                        "findings stand against signing this release"))
        << ".</p>";
    return out;
  }
  out << "<p class=\"headline\">No finding stands against signing this release";
  if (to_weigh > 0) {
    std::string weighed =
        counted(to_weigh, "finding has to be weighed", "findings have to be weighed");
    weighed[0] = static_cast<char>(weighed[0] - 'A' + 'a');
    out << "; " << text(weighed);
  }
  out << ".";
  if (open > 0) {
    out << " This verdict is incomplete: "
        << text(open == 1 ? std::string("one thing was") : fmt::format("{} things were", open))
        << " not looked at, as told below.";
  }
  out << "</p>";
  return out;
}

// All of them in one line, however many.
Html came_through(const Audit& audit) {
  if (audit.unmasked.empty()) return {};
  Html out;
  out << (audit.unmasked.size() == 1 ? Html("One column came through as it was: ")
                                     : Html("Columns that came through as they were: "));
  for (std::size_t i = 0; i < audit.unmasked.size(); ++i) {
    if (i > 0) out << ", ";
    out << value(audit.unmasked[i]);
  }
  out << ". Whoever knows such a value of somebody can look for it.";
  return out;
}

Html hash_line(Markup what, const NamedHash& file) {
  Html out;
  out << "<dt>" << what << "</dt><dd>" << (file.name.empty() ? Html("–") : value(file.name))
      << "<br>SHA-256 "
      << (file.sha256.empty() ? Html("<span class=\"soft\">not known</span>") : Html());
  if (!file.sha256.empty()) out << "<span class=\"hash\">" << text(file.sha256) << "</span>";
  out << "</dd>";
  return out;
}

}  // namespace

Html findings(Context& context) {
  const Audit& audit = context.audit;
  const std::vector<Finding> all = folded(audit.findings);
  const MaskedBy by = masked_by(audit.method, audit.parameters, audit.findings);
  const auto of = [&](Severity severity) {
    return chosen(all, [&](const Finding& each) { return each.severity == severity; });
  };
  const Findings against = of(Severity::kDanger), to_weigh = of(Severity::kWarning);
  const Findings limits = chosen(
      all, [](const Finding& each) { return each.severity == Severity::kNote && is_limit(each); });
  const Findings notes = chosen(
      all, [](const Finding& each) { return each.severity == Severity::kNote && !is_limit(each); });
  Glossary& words = context.words;
  Html out;
  out << "<div class=\"verdict "
      << (!against.empty()    ? Html("is-against")
          : !to_weigh.empty() ? Html("is-to-weigh")
                              : Html("is-open"))
      << "\"><h2>Verdict</h2>\n"
      << headline(against.size(), to_weigh.size(), chosen(all, leaves_open).size())
      << group("Against signing", "danger", against, by, words)
      << group("To be weighed", "warning", to_weigh, by, words)
      << group("Verified on the release", "promise", of(Severity::kPromise), by, words)
      << group("Not promised, or not looked at", "limit", limits, by, words, came_through(audit))
      << group("How to read it", "note", notes, by, words) << "</div>\n";
  return out;
}

Html to_sign(Context& context) {
  Html out;
  out << "<div class=\"sign\"><h2>To be signed by hand</h2>\n"
         "<p>This page tells what was measured. Whoever signs has read the findings and answers "
         "for "
         "the release.</p>\n<dl>"
      << hash_line("Released table", context.facts.masked);
  if (context.is_steward()) out << hash_line("Original table", context.facts.original);
  out << "</dl>\n<div class=\"lines\"><p>Who</p><p>When</p><p>For what purpose, for whom</p>"
         "<p>Signature</p></div></div>\n";
  return out;
}

}  // namespace semveil::report
