// The page of repeated experiments: claims, tables and figures, the papers' beside ours.
#include <fmt/format.h>

#include <algorithm>

#include "report/page.h"
#include "report/plot.h"
#include "semveil/report.h"

namespace semveil {
namespace report {
namespace {

constexpr int kOurDigits = 3;

Html cell_html(const ReproducedCell& cell, int after_point) {
  if (const auto* number = std::get_if<double>(&cell)) {
    return text(fmt::format("{:.{}f}", *number, after_point));
  }
  if (const auto* words = std::get_if<std::string>(&cell)) return text(*words);
  return text("–");
}

Html table_html(const ReproducedTable& table) {
  std::vector<HtmlTable::Heading> headings{{"", Align::kLeft}, {"Whose", Align::kLeft}};
  for (const std::string& column : table.columns) headings.push_back({column});
  HtmlTable out(std::move(headings));
  const auto add = [&](const ReproducedRow& row, const std::vector<ReproducedCell>& cells,
                       const Html& whose, int after_point, bool judged) {
    const std::vector<std::optional<bool>> within = row.within();
    std::vector<Html> line{text(row.name), whose};
    for (std::size_t i = 0; i < cells.size() && i < table.columns.size(); ++i) {
      Html cell = cell_html(cells[i], after_point);
      if (judged && i < within.size() && within[i]) {
        cell << (*within[i] ? Html(" <span class=\"yes\">✓</span>")
                            : Html(" <span class=\"no\">✗</span>"));
      }
      line.push_back(cell);
    }
    out.add(std::move(line));
  };
  for (const ReproducedRow& row : table.rows) {
    if (!row.theirs.empty()) {
      add(row, row.theirs, Html("<span class=\"soft\">paper</span>"), table.printed_digits, false);
    }
    add(row, row.ours, Html("ours"), kOurDigits, true);
  }
  Html html;
  if (out.empty()) return html;
  html << "<h3>" << text(table.title) << "</h3>\n" << out.html();
  return html;
}

Html figure_html(const ReproducedFigure& drawn) {
  HtmlTable table({{"Curve", Align::kLeft}, {"Whose", Align::kLeft}, {drawn.x}, {drawn.y}});
  for (const ReproducedFigure::Curve& curve : drawn.curves) {
    for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
      table.add({text(curve.name), curve.theirs ? Html("paper") : Html("ours"), number(curve.x[i]),
                 number(curve.y[i])});
    }
  }
  Html note;
  note << "Upwards: " << text(drawn.y) << ".";
  return figure(drawn.title, lines_plot(drawn), table.html(), note);
}

Html claims_html(const std::vector<ReproducedClaim>& claims) {
  HtmlTable table({{"Claim", Align::kLeft},
                   {"About", Align::kLeft},
                   {"Holds", Align::kLeft},
                   {"Decided by", Align::kLeft}});
  for (const ReproducedClaim& claim : claims) {
    Html decided = text(claim.figures);
    if (!claim.why.empty()) {
      decided << "<br><span class=\"soft\">" << text(claim.why) << "</span>";
    }
    table.add({text(claim.text), text(claim.about),
               claim.holds ? Html("<span class=\"yes\">✓ holds</span>")
                           : Html("<span class=\"no\">✗ does not</span>"),
               decided});
  }
  Html out;
  if (!table.empty()) out << "<h3>Claims</h3>\n" << table.html();
  return out;
}

Html part_html(const ReproducedPart& part) {
  Html out;
  out << "<section><h2>" << text(part.title) << "</h2>\n";
  std::vector<Html> notes;
  for (const std::string& note : part.notes) notes.push_back(text(note));
  out << list_of(notes);
  Html plots;
  for (const ReproducedFigure& each : part.figures) plots << figure_html(each);
  if (!plots.empty()) out << "<div class=\"plots\">\n" << plots << "</div>\n";
  for (const ReproducedTable& table : part.tables) out << table_html(table);
  out << claims_html(part.claims) << "</section>\n";
  return out;
}

}  // namespace
}  // namespace report

std::string reproduction_html(const std::vector<Reproduction>& reproductions,
                              std::string_view version) {
  using namespace report;  // NOLINT(google-build-using-namespace): the words of a page
  std::uint64_t claims = 0;
  std::uint64_t held = 0;
  for (const Reproduction& each : reproductions) {
    for (const ReproducedPart& part : each.parts) {
      claims += part.claims.size();
      held += static_cast<std::uint64_t>(
          std::count_if(part.claims.begin(), part.claims.end(),
                        [](const ReproducedClaim& claim) { return claim.holds; }));
    }
  }
  Html head;
  head << "<header><p class=\"edition\">Repeated experiments</p><h1>The papers’ figures beside "
          "ours</h1>\n";
  Html what;
  what << number(held) << " of " << number(claims);
  if (held == 1) {
    what << " claims holds";
  } else {
    what << " claims hold";
  }
  what << " on our figures. A ✓ stands where ours is as close to the printed figure as the "
          "experiment asks.";
  head << paragraph(what) << "</header>\n";
  for (const Reproduction& each : reproductions) {
    head << "<section><h2>" << text(each.experiment.name) << "</h2><p>"
         << text(each.experiment.paper) << "<br><span class=\"soft\">" << text(each.experiment.what)
         << "</span></p></section>\n";
    for (const ReproducedPart& part : each.parts) head << part_html(part);
  }
  return page("Repeated experiments", head, {}, version);
}

}  // namespace semveil
