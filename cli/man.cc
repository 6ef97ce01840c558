// The manual page, generated from the verbs' own help.
#include <fmt/format.h>

#include <sstream>

#include "verb.h"

namespace semveil::cli {
namespace {

// Text as troff shows it letter by letter.
std::string plain(const std::string& text) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('.') || line.starts_with('\'')) out += "\\&";
    for (const char c : line) {
      if (c == '\\') {
        out += "\\e";
      } else if (c == '-') {
        out += "\\-";
      } else {
        out += c;
      }
    }
    out += '\n';
  }
  return out;
}

void add_page_part(const CLI::App& app, const std::string& path, std::string& out) {
  for (const CLI::App* sub : app.get_subcommands({})) {
    if (sub->get_group().empty()) continue;
    const std::string name = path + " " + sub->get_name();
    out += fmt::format(".SS {}\n.nf\n{}.fi\n", name, plain(sub->help(path)));
    add_page_part(*sub, name, out);
  }
}

}  // namespace

void add_man(CLI::App& app, Action& chosen) {
  CLI::App* verb = add_verb(app, "man", "Print the manual page", "  semveil man | man -l -");
  verb->group("");  // not in the list of verbs: packages use it
  verb->callback([&app, &chosen] {
    chosen = [&app] {
      std::string out = ".TH SEMVEIL 1\n.SH NAME\nsemveil \\- " + plain(app.get_description());
      out += ".SH SYNOPSIS\n.B semveil\n.I verb\n[options]\n.SH VERBS\n";
      add_page_part(app, "semveil", out);
      out += ".SH ONTOLOGIES, EXIT CODES, EXAMPLES\n.nf\n" + plain(app.get_footer()) + ".fi\n";
      return print(out);
    };
  });
}

}  // namespace semveil::cli
