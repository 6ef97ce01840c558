#include "reproduction_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "text_table.h"

namespace semveil::cli {
namespace {

using Align = TextTable::Align;

constexpr int kOurDigits = 3;
std::string cell_text(const ReproducedCell& cell, int digits) {
  if (const auto* number = std::get_if<double>(&cell))
    return fmt::format("{:.{}f}", *number, digits);
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  return "-";
}

std::string verdict(const ReproducedRow& row) {
  std::size_t compared = 0;
  std::size_t good = 0;
  for (const std::optional<bool>& within : row.within()) {
    compared += within.has_value() ? 1 : 0;
    good += within.value_or(false) ? 1 : 0;
  }
  if (compared == 0) return "";
  const std::string head = fmt::format("±{} ", row.tolerance.value_or(0));
  return head + (good == compared ? "yes" : fmt::format("{}/{}", good, compared));
}

bool is_words(const ReproducedRow& row) {
  return std::any_of(row.ours.begin(), row.ours.end(), [](const ReproducedCell& cell) {
    return std::holds_alternative<std::string>(cell);
  });
}

std::string one_line(const std::vector<ReproducedCell>& cells) {
  std::string out;
  for (const ReproducedCell& cell : cells) {
    out += (out.empty() ? "" : ", ") + cell_text(cell, kOurDigits);
  }
  return out;
}

void add_cells(const std::vector<ReproducedCell>& cells, int digits, std::size_t columns,
               std::vector<std::string>& line) {
  for (const ReproducedCell& cell : cells) line.push_back(cell_text(cell, digits));
  if (cells.empty()) line.resize(line.size() + columns);
}

// Paper and ours in lines of their own, one below the other.
std::string stacked(const ReproducedTable& table) {
  std::vector<Align> align(table.columns.size() + 3, Align::kRight);
  align.front() = align[1] = align.back() = Align::kLeft;
  TextTable out(align);
  std::vector<std::string> head{"", ""};
  head.insert(head.end(), table.columns.begin(), table.columns.end());
  out.add(head);
  for (const ReproducedRow& row : table.rows) {
    if (is_words(row)) continue;
    if (!row.theirs.empty()) {
      std::vector<std::string> line{row.name, "paper"};
      add_cells(row.theirs, table.printed_digits, table.columns.size(), line);
      out.add(line);
    }
    std::vector<std::string> line{row.theirs.empty() ? row.name : "", "ours"};
    add_cells(row.ours, kOurDigits, table.columns.size(), line);
    line.push_back(verdict(row));
    out.add(line);
  }
  return out.text();
}

// Paper and ours in one line.
std::string side_by_side(const ReproducedTable& table) {
  const std::size_t columns = table.columns.size();
  std::vector<Align> align(2 * columns + 3, Align::kRight);
  align.front() = align.back() = Align::kLeft;
  TextTable out(align);
  std::vector<std::string> over(2 * columns + 2);
  over[1] = "paper";
  over[columns + 2] = "ours";
  out.add(over);
  std::vector<std::string> head{""};
  head.insert(head.end(), table.columns.begin(), table.columns.end());
  head.emplace_back("");
  head.insert(head.end(), table.columns.begin(), table.columns.end());
  out.add(head);
  for (const ReproducedRow& row : table.rows) {
    if (is_words(row)) continue;
    std::vector<std::string> line{row.name};
    add_cells(row.theirs, table.printed_digits, columns, line);
    line.emplace_back("|");
    add_cells(row.ours, kOurDigits, columns, line);
    line.push_back(verdict(row));
    out.add(line);
  }
  return out.text();
}

bool fits(std::string_view lines) {
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    if (width(lines.substr(0, end)) > kPageWidth) return false;
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return true;
}

// Rows of words would make the columns wider than a page: they come first, as lines.
std::string to_text(const ReproducedTable& table) {
  std::string out = wrapped("", table.title);
  bool printed = false;  // anything to compare with
  for (const ReproducedRow& row : table.rows) {
    printed = printed || !row.theirs.empty();
    if (!is_words(row)) continue;
    if (!row.theirs.empty()) out += wrapped("  " + row.name + ", paper: ", one_line(row.theirs));
    out += wrapped("  " + row.name + ", ours:  ", one_line(row.ours));
  }
  const std::string beside = printed ? side_by_side(table) : "";
  return out + (printed && fits(beside) ? beside : stacked(table)) + "\n";
}

// As many digits after the point as all figures of the paper need.
int digits_of(const ReproducedFigure& figure) {
  constexpr int kMost = 4;
  constexpr int kLeast = 2;
  int digits = kLeast;
  for (const ReproducedFigure::Curve& curve : figure.curves) {
    for (const double y : curve.y) {
      while (curve.theirs && digits < kMost &&
             fmt::format("{:.{}f}", y, digits + 2) != fmt::format("{:.{}f}00", y, digits)) {
        ++digits;
      }
    }
  }
  return digits;
}

// A line for each curve, those of the paper above ours of the same name.
std::string to_text(const ReproducedFigure& figure) {
  std::set<double> places;
  for (const ReproducedFigure::Curve& curve : figure.curves) {
    places.insert(curve.x.begin(), curve.x.end());
  }
  std::vector<Align> align(places.size() + 2, Align::kRight);
  align[0] = align[1] = Align::kLeft;
  TextTable out(align);
  std::vector<std::string> head{"", figure.x};
  for (const double x : places) head.push_back(fmt::format("{}", x));
  out.add(head);
  const int digits = digits_of(figure);
  const auto add = [&](const ReproducedFigure::Curve& curve, std::string name) {
    std::vector<std::string> line{std::move(name), curve.theirs ? "paper" : "ours"};
    for (const double x : places) {
      const auto at = std::ranges::lower_bound(curve.x, x);
      const bool there = at != curve.x.end() && *at == x;
      line.push_back(there ? fmt::format("{:.{}f}", curve.y[at - curve.x.begin()],
                                         curve.theirs ? digits : kOurDigits)
                           : "");
    }
    out.add(std::move(line));
  };
  for (const ReproducedFigure::Curve& curve : figure.curves) {
    const auto of_paper = std::ranges::find_if(
        figure.curves, [&](const auto& other) { return other.theirs && other.name == curve.name; });
    const bool has_both = of_paper != figure.curves.end();
    if (curve.theirs) {
      const bool alone = std::ranges::none_of(figure.curves, [&](const auto& other) {
        return !other.theirs && other.name == curve.name;
      });
      if (alone) add(curve, curve.name);
      continue;
    }
    if (has_both) add(*of_paper, curve.name);
    add(curve, has_both ? "" : curve.name);
  }
  return wrapped("", fmt::format("{} ({})", figure.title, figure.y)) + out.text() + "\n";
}

}  // namespace

std::string to_text(const Reproduction& reproduction) {
  std::string out;
  std::size_t held = 0;
  std::size_t claims = 0;
  for (const ReproducedPart& part : reproduction.parts) {
    out += part.title + "\n\n";
    for (const std::string& note : part.notes) out += wrapped("  ", note);
    out += "\n";
    for (const ReproducedTable& table : part.tables) out += to_text(table);
    for (const ReproducedFigure& figure : part.figures) out += to_text(figure);
    std::string about;
    for (const ReproducedClaim& claim : part.claims) {
      if (claim.about != about) out += wrapped("claims: ", claim.about);
      about = claim.about;
      out += wrapped(claim.holds ? "  yes  " : "  no   ", claim.text);
      out += wrapped("       ", claim.figures);
      if (!claim.why.empty()) out += wrapped("       why: ", claim.why);
      held += claim.holds ? 1 : 0;
      ++claims;
    }
    out += "\n";
  }
  return out + fmt::format("{} of {} claims hold.\n", held, claims);
}

}  // namespace semveil::cli
