#include "report/page.h"

#include <algorithm>

#include "report/style.h"

namespace semveil::report {
namespace {

// Names are letters, dots and underscores; as an id of the page without dots.
Html anchor(std::string_view name) {
  std::string id(name);
  std::replace(id.begin(), id.end(), '.', '-');
  return text(id);
}

}  // namespace

HtmlTable::HtmlTable(std::vector<Heading> headings) : headings_(std::move(headings)) {}

void HtmlTable::add(std::vector<Html> cells) {
  cells.resize(headings_.size());
  ++rows_;
  body_ << "<tr>";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    body_ << "<td data-label=\"" << text(headings_[i].label) << "\"";
    if (headings_[i].align == Align::kRight) body_ << " class=\"r\"";
    body_ << "><span>" << cells[i] << "</span></td>";
  }
  body_ << "</tr>\n";
}

Html HtmlTable::html() const {
  Html out;
  if (empty()) return out;
  out << "<table class=\"stack\"><thead><tr>";
  for (const Heading& heading : headings_) {
    out << (heading.align == Align::kRight ? Html("<th scope=\"col\" class=\"r\">")
                                           : Html("<th scope=\"col\">"))
        << (heading.words.empty() ? text(heading.label) : heading.words) << "</th>";
  }
  out << "</tr></thead><tbody>\n" << body_ << "</tbody></table>\n";
  return out;
}

Html figure(std::string_view title, const Html& drawing, const Html& table, const Html& note) {
  Html out;
  if (drawing.empty()) return out;
  out << "<figure><figcaption>" << text(title, 2 * kLongest) << "</figcaption>" << drawing;
  if (!note.empty()) out << "<p class=\"note\">" << note << "</p>";
  if (!table.empty()) {
    out << "<details><summary>The same in figures</summary>" << table << "</details>";
  }
  out << "</figure>\n";
  return out;
}

Html Glossary::term(std::string_view name) {
  const FigureExplanation* words = explain_figure(name);
  return term(name, words == nullptr ? name : words->title);
}

Html Glossary::term(std::string_view name, std::string_view instead) {
  Html out;
  if (explain_figure(name) == nullptr) return text(instead);
  if (std::find(used_.begin(), used_.end(), name) == used_.end()) used_.emplace_back(name);
  out << "<a href=\"#x-" << anchor(name) << "\">" << text(instead) << "</a>";
  return out;
}

HtmlTable::Heading Glossary::heading(std::string_view name, std::string_view instead) {
  return {std::string(instead), Align::kRight, term(name, instead)};
}

Html Glossary::sentence(std::string_view name) const {
  const FigureExplanation* words = explain_figure(name);
  return words == nullptr ? Html() : text(words->plain);
}

Html Glossary::list() const {
  Html out;
  if (used_.empty()) return out;
  out << "<dl class=\"words\">\n";
  for (const FigureExplanation& words : figure_explanations()) {
    if (std::find(used_.begin(), used_.end(), words.name) == used_.end()) continue;
    out << "<div id=\"x-" << anchor(words.name) << "\"><dt>" << text(words.title)
        << " <code class=\"soft\">" << text(words.name) << "</code></dt><dd>" << text(words.plain)
        << "</dd><dd class=\"formula\">" << text(words.formula) << "</dd><dd class=\"more-words\">"
        << text(words.range);
    if (!words.source.empty()) out << " · " << text(words.source);
    out << "</dd></div>\n";
  }
  out << "</dl>\n";
  return out;
}

Html section(const Section& section) {
  Html out;
  if (section.body.empty()) return out;
  out << "<section id=\"" << section.id << "\"><h2>" << section.title << "</h2>\n"
      << section.body << "</section>\n";
  return out;
}

std::string page(std::string_view title, const Html& head, const std::vector<Section>& sections,
                 std::string_view version) {
  Html out;
  out << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
         "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"referrer\" content=\"no-referrer\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n<title>"
      << text(title, kLongest) << "</title>\n<style>" << style_sheet()
      << "</style></head>\n<body><main>\n"
      << head << "<nav aria-label=\"Contents\">";
  for (const Section& each : sections) {
    if (each.body.empty()) continue;
    out << "<a href=\"#" << each.id << "\">" << each.title << "</a>";
  }
  out << "</nav>\n";
  for (const Section& each : sections) out << section(each);
  out << "<footer>Made by semveil";
  if (!version.empty()) out << " " << text(version);
  out << ". This file holds everything it shows; it loads nothing and runs nothing."
         "</footer>\n</main></body></html>\n";
  return out.str();
}

Html paragraph(const Html& words) {
  Html out;
  out << "<p>" << words << "</p>\n";
  return out;
}

Html list_of(const std::vector<Html>& items) {
  Html out;
  if (items.empty()) return out;
  out << "<ul>";
  for (const Html& item : items) out << "<li>" << item << "</li>\n";
  out << "</ul>\n";
  return out;
}

Html change(const BeforeAfter& figures) {
  Html out;
  if (!figures.original && !figures.masked) return text("–");
  out << number(figures.original) << " → " << number(figures.masked);
  return out;
}

}  // namespace semveil::report
