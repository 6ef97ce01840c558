// What all reports are made of: the page with its style sheet, tables, figures, and the words on
// each figure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/html.h"
#include "semveil/audit.h"

namespace semveil::report {

enum class Align : std::uint8_t { kLeft, kRight };

// A table that becomes a list of cards where the screen is narrow: every cell has its heading.
class HtmlTable {
 public:
  struct Heading {
    std::string label;
    Align align = Align::kRight;
    Html words = {};  // where the label is also a link
  };
  explicit HtmlTable(std::vector<Heading> headings);
  void add(std::vector<Html> cells);  // as many as headings
  bool empty() const { return rows_ == 0; }
  Html html() const;  // nothing without rows

 private:
  std::vector<Heading> headings_;
  std::size_t rows_ = 0;
  Html body_;
};

// A drawing with its caption and its figures in a table that opens.
Html figure(std::string_view title, const Html& drawing, const Html& table, const Html& note = {});

// Names of figures, as links to what they mean. Remembers which were used.
class Glossary {
 public:
  Html term(std::string_view name);                            // its title
  Html term(std::string_view name, std::string_view instead);  // other words
  HtmlTable::Heading heading(std::string_view name, std::string_view instead);
  Html sentence(std::string_view name) const;  // for who signs
  Html list() const;  // all that were used, in the order of figure_explanations()

 private:
  std::vector<std::string> used_;
};

struct Section {
  Markup id, title;
  Html body;
};
Html section(const Section& section);  // nothing where the body is empty
// The whole file. A contents list leads to the sections that are there.
std::string page(std::string_view title, const Html& head, const std::vector<Section>& sections,
                 std::string_view version);

Html paragraph(const Html& words);
Html list_of(const std::vector<Html>& items);
// "before → after", or "–" for what is undefined
Html change(const BeforeAfter& figures);

}  // namespace semveil::report
