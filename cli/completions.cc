// Shell completions, generated from the verbs themselves so that they cannot fall behind.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "verb.h"

namespace semveil::cli {
namespace {

struct Verb {
  std::string path;  // "ontology info"
  std::string description;
  std::vector<std::string> words;  // sub-verbs and options
};

void collect(const CLI::App& app, const std::string& path, std::vector<Verb>& verbs) {
  Verb verb{path, app.get_description(), {}};
  for (const CLI::App* sub : app.get_subcommands({})) {
    if (!sub->get_group().empty()) verb.words.push_back(sub->get_name());
  }
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) verb.words.push_back("--" + name);
  }
  verbs.push_back(verb);
  for (const CLI::App* sub : app.get_subcommands({})) {
    if (sub->get_group().empty()) continue;
    collect(*sub, path.empty() ? sub->get_name() : path + " " + sub->get_name(), verbs);
  }
}

std::string bash(const std::vector<Verb>& verbs) {
  std::string cases;
  for (const Verb& v : verbs) {
    cases += fmt::format("    '{}') words='{}' ;;\n", v.path, fmt::join(v.words, " "));
  }
  return fmt::format(
      R"(# bash completion for semveil
_semveil() {{
  local cur="${{COMP_WORDS[COMP_CWORD]}}" verb="" words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "${{COMP_WORDS[i]}}" in -*) break ;; esac
    case " {} " in *" ${{verb:+$verb/}}${{COMP_WORDS[i]}} "*) verb="${{verb:+$verb/}}${{COMP_WORDS[i]}}" ;; *) break ;; esac
  done
  case "${{verb//\// }}" in
{}  esac
  if [[ $cur == -* || -z $verb || $verb == ontology ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  else
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
}}
complete -o filenames -F _semveil semveil
)",
      [&] {
        std::vector<std::string> paths;
        for (const Verb& v : verbs) {
          std::string path = v.path;
          std::replace(path.begin(), path.end(), ' ', '/');
          if (!path.empty()) paths.push_back(path);
        }
        return fmt::format("{}", fmt::join(paths, " "));
      }(),
      cases);
}

std::string zsh(const std::vector<Verb>& verbs) {
  // zsh runs bash completions; one description of the verbs is enough.
  return "#compdef semveil\nautoload -U +X bashcompinit && bashcompinit\n" + bash(verbs);
}

std::string escaped(std::string text) {
  for (std::size_t i = text.find('\''); i != std::string::npos; i = text.find('\'', i + 2)) {
    text.insert(i, "\\");
  }
  return text;
}

std::string fish(const std::vector<Verb>& verbs) {
  std::string out = "# fish completion for semveil\n";
  for (const Verb& v : verbs) {
    std::string condition = "__fish_use_subcommand";
    if (!v.path.empty()) {
      condition =
          fmt::format("__fish_seen_subcommand_from {}", v.path.substr(v.path.rfind(' ') + 1));
    }
    for (const std::string& word : v.words) {
      if (word.starts_with("--")) {
        out += fmt::format("complete -c semveil -n '{}' -l {}\n", condition, word.substr(2));
        continue;
      }
      const std::string path = v.path.empty() ? word : v.path + " " + word;
      const auto sub = std::find_if(verbs.begin(), verbs.end(),
                                    [&](const Verb& other) { return other.path == path; });
      out += fmt::format("complete -c semveil -n '{}' -a {} -d '{}'\n", condition, word,
                         escaped(sub->description));
    }
  }
  return out;
}

}  // namespace

void add_completions(CLI::App& app, Action& chosen) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* verb = add_verb(app, "completions", "Print completions for a shell",
                            "  semveil completions bash > /etc/bash_completion.d/semveil");
  verb->group("");  // not in the list of verbs: packages use it
  verb->add_option("SHELL", *shell, "The shell: bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}).description(""));
  verb->callback([&app, shell, &chosen] {
    chosen = [&app, shell] {
      std::vector<Verb> verbs;
      collect(app, "", verbs);
      if (*shell == "fish") return print(fish(verbs));
      return print(*shell == "zsh" ? zsh(verbs) : bash(verbs));
    };
  });
}

}  // namespace semveil::cli
