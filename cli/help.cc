#include "help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "plan_options.h"
#include "text_table.h"
#include "verb.h"

namespace semveil::cli {
namespace {

constexpr std::size_t kSentenceAt = 26;

bool is_flag(const CLI::Option& option) { return option.get_items_expected_max() == 0; }

// What stands for its value: "FILE"; CLI11 calls numbers by their type.
std::string value_word(const CLI::Option& option) {
  if (is_flag(option)) return "";
  const std::string type = option.get_type_name();
  const bool is_number = type == "UINT" || type == "INT" || type == "FLOAT";
  return is_number ? "NUMBER" : type;
}

std::string shown_name(const CLI::Option& option) {
  std::string out;
  for (const std::string& name : option.get_snames()) out += fmt::format("-{}, ", name);
  for (const std::string& name : option.get_lnames()) out += fmt::format("--{}, ", name);
  out.resize(out.size() - 2);
  const std::string value = value_word(option);
  const bool may_stand_alone = option.get_items_expected_min() == 0;
  if (value.empty()) return out;
  return out + (may_stand_alone ? fmt::format(" [{}]", value) : " " + value);
}

std::string argument_name(const CLI::Option& option) {
  std::string name = option.get_name(true);
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
  return name;
}

std::string with_end(std::string sentence) {
  const bool has_end = sentence.empty() || sentence.ends_with('.') || sentence.ends_with("…");
  return has_end ? sentence : sentence + ".";
}

// Which may not be given with it. Sorted: CLI11 keeps them by their address.
std::string others_text(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const CLI::Option* const other : option.get_excludes()) names.push_back(other->get_name());
  std::ranges::sort(names);
  return names.empty() ? "" : fmt::format(" Not together with {}.", fmt::join(names, " or "));
}

std::string sentence_of(const CLI::Option& option) {
  std::string out = with_end(option.get_description());
  if (!option.get_default_str().empty()) {
    out += fmt::format(" Default: {}.", option.get_default_str());
  }
  if (option.get_required() && !option.get_positional()) out += " Required.";
  return out + others_text(option);
}

std::string usage_text(const CLI::App& app, const std::string& path) {
  std::string words;
  for (const CLI::Option* const option : app.get_options()) {
    if (option->get_positional()) {
      const bool several = option->get_items_expected_max() > 1;
      const std::string name = argument_name(*option) + (several ? " …" : "");
      words += option->get_required() ? " " + name : fmt::format(" [{}]", name);
    }
  }
  for (const CLI::Option* const option : app.get_options()) {
    const bool is_needed = option->get_required() && !option->get_positional();
    if (is_needed) words += fmt::format(" {} {}", option->get_name(), value_word(*option));
  }
  if (app.get_require_subcommand_min() > 0) words += " VERB";
  return wrapped(fmt::format("Usage: {} ", path), words + " [options]");
}

std::string arguments_text(const CLI::App& app) {
  std::string out;
  for (const CLI::Option* const option : app.get_options()) {
    if (option->get_positional()) out += option_text(argument_name(*option), sentence_of(*option));
  }
  return out.empty() ? out : "\n" + out;
}

std::string group_text(const CLI::App& app, const std::string& group) {
  std::string out;
  for (const CLI::Option* const option : app.get_options()) {
    if (option->get_positional() || option->get_group() != group) continue;
    if (group == kMethodGroup) return methods_help();
    out += option_text(shown_name(*option), sentence_of(*option));
  }
  return out.empty() ? out : fmt::format("\n{}:\n{}", group, out);
}

std::string verbs_text(const CLI::App& app) {
  std::string out;
  for (const CLI::App* const verb : app.get_subcommands({})) {
    if (verb->get_group().empty()) continue;
    constexpr std::size_t kWidth = 14;
    out += wrapped(padded("  " + verb->get_name(), kWidth), with_end(verb->get_description()));
  }
  return out.empty() ? out : "\nVerbs (each has --help):\n" + out;
}

}  // namespace

std::string option_text(std::string_view option, std::string_view sentence) {
  const std::string head = fmt::format("  {}", option);
  if (width(head) + 2 <= kSentenceAt) return wrapped(padded(head, kSentenceAt), sentence);
  return head + "\n" + wrapped(std::string(kSentenceAt, ' '), sentence);
}

std::string one_of(std::span<const std::string_view> words, std::string_view usually) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " or " : ", ";
    out += words[i];
    if (words[i] == usually) out += " (the default)";
  }
  return out;
}

CLI::Option* add_choice(CLI::App& verb, const std::string& option, std::string& value,
                        std::string_view help, std::span<const std::string_view> words,
                        std::string_view if_empty) {
  const std::vector<std::string> known(words.begin(), words.end());
  const std::string named = one_of(words, value.empty() ? if_empty : value);
  return verb.add_option(option, value, fmt::format("{}: {}", help, named))
      ->check(CLI::IsMember(known).description(""))
      ->type_name("NAME");
}

std::string examples_text(std::string_view examples) {
  std::string shown, prose;
  while (!examples.empty()) {
    const std::size_t end = std::min(examples.find('\n'), examples.size());
    const std::string_view line = examples.substr(0, end);
    examples.remove_prefix(std::min(end + 1, examples.size()));
    if (line.starts_with("  ")) {
      shown += fmt::format("{}\n", line);
    } else {
      prose += fmt::format("{} ", line);
    }
  }
  std::string out = "Examples:\n" + shown;
  const std::size_t memory = std::min(prose.find("Memory: "), prose.size());
  for (const std::string& part : {prose.substr(0, memory), prose.substr(memory)}) {
    if (!part.empty()) out += "\n" + wrapped("", part);
  }
  return out.substr(0, out.size() - 1);
}

std::string help_text(const CLI::App& app, const std::string& path) {
  std::string out = wrapped("", with_end(app.get_description()));
  out += "\n" + usage_text(app, path) + arguments_text(app) + verbs_text(app);
  for (const std::string group :
       {"Options", kReportGroup, kRunningGroup, kMaskGroup, kMethodGroup}) {
    out += group_text(app, group);
  }
  return out + "\n" + app.get_footer() + "\n";
}

}  // namespace semveil::cli
