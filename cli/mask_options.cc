// The options that stand for keys of [mask]: --method, --columns, --draw-by, and every key that
// some method takes, with its help, made from the descriptions of the methods.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "plan_options.h"
#include "semveil/method.h"

namespace semveil::cli {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  while (true) {
    const std::size_t end = text.find(separator, at);
    parts.push_back(text.substr(at, end - at));
    if (end == std::string::npos) return parts;
    at = end + 1;
  }
}

std::string columns_value(const std::string& option, const std::string& text) {
  std::vector<std::string> names;
  for (const std::string& name : split(text, ',')) {
    if (name.empty()) throw CLI::ValidationError(option, "write names as a,b");
    names.push_back(toml_text(name));
  }
  return fmt::format("[{}]", fmt::join(names, ", "));
}

std::string pairs_value(const std::string& option, const std::string& text) {
  ColumnPairs pairs;
  for (const std::string& pair : split(text, ',')) {
    const std::vector<std::string> names = split(pair, ':');
    if (names.size() != 2 || names[0].empty() || names[1].empty()) {
      throw CLI::ValidationError(option, "write pairs of columns as a:b,c:d");
    }
    pairs.emplace_back(names[0], names[1]);
  }
  return setting_text(pairs);
}

// "fuse, recode: what it says; usual 3 to 20".
std::string help_of(const std::vector<std::string_view>& takers, const MethodKey& key) {
  std::string out = fmt::format("{}: {}", fmt::join(takers, ", "), key.help);
  const auto* const usually = std::get_if<std::string_view>(&key.usually);
  std::vector<std::string> words;
  for (const std::string_view word : key.choices) {
    const bool is_default = usually != nullptr && *usually == word;
    words.push_back(is_default ? fmt::format("{} (the default)", word) : std::string(word));
  }
  if (!words.empty()) out += fmt::format("; {}", fmt::join(words, " | "));
  const bool has_default = words.empty() && key.type != KeyType::kFlag && key.usually.index() > 0;
  if (has_default) {
    out += fmt::format("; {} by default",
                       usually != nullptr ? std::string(*usually) : default_text(key));
  }
  if (!key.usual.empty()) out += fmt::format("; usual {}", key.usual);
  return out;
}

// What the methods say of a key, those that say the same together.
std::string help_of(std::string_view name) {
  struct Said {
    const MethodKey* key;
    std::vector<std::string_view> takers;
  };
  std::vector<Said> all;
  for (const Method* const method : methods()) {
    const MethodKey* const key = method->about().key(name);
    if (key == nullptr) continue;
    const auto same = [&](const Said& said) {
      return said.key->help == key->help && said.key->usual == key->usual;
    };
    const auto at = std::ranges::find_if(all, same);
    (at == all.end() ? all.emplace_back(Said{key, {}}) : *at).takers.push_back(method->name());
  }
  std::vector<std::string> parts;
  for (const Said& said : all) parts.push_back(help_of(said.takers, *said.key));
  return fmt::format("{}", fmt::join(parts, ". "));
}

class MaskOptions {
 public:
  MaskOptions(CLI::App& verb, PlanOptions& options) : verb_(verb), options_(options) {}

  void add() {
    std::vector<std::string_view> names, persons;
    for (const Method* const method : methods()) {
      names.push_back(method->name());
      if (method->about().takes(kDrawByKey)) persons.push_back(method->name());
    }
    add_text("--method", kMethodKey, fmt::format("{}", fmt::join(names, " | ")), "NAME");
    for (const Method* const method : methods()) {
      for (const MethodKey& key : method->about().keys) add_key(key);
    }
    add_value<std::string>(
        "--columns", kColumnsKey, "The columns to mask", "A,B",
        [](const std::string& text) { return columns_value("--columns", text); });
    add_text("--draw-by", kDrawByKey,
             fmt::format("{}: column of the person; the same person and value, the same "
                         "replacement",
                         fmt::join(persons, ", ")),
             "COLUMN");
  }

 private:
  static constexpr const char* kGroup = "Instead of what the plan says in [mask]";

  template <class T>
  void add_value(const std::string& option, std::string_view key, const std::string& help,
                 const std::string& type, std::function<std::string(const T&)> value) {
    PlanOptions& options = options_;
    verb_
        .add_option_function<T>(
            option,
            [&options, key = std::string(key), value = std::move(value)](const T& given) {
              options.overrides[key] = value(given);
            },
            help)
        ->type_name(type)
        ->group(kGroup);
  }

  void add_text(const std::string& option, std::string_view key, const std::string& help,
                const std::string& type) {
    add_value<std::string>(option, key, help, type,
                           [](const std::string& text) { return toml_text(text); });
  }

  CLI::Option* add_flag(const std::string& option, std::string_view key, bool value,
                        const std::string& help) {
    PlanOptions& options = options_;
    return verb_
        .add_flag_callback(
            option,
            [&options, key = std::string(key), value] {
              options.overrides[key] = value ? "true" : "false";
            },
            help)
        ->group(kGroup);
  }

  // Once, whichever method takes it.
  void add_key(const MethodKey& key) {
    const std::string option = option_of(key);
    if (option.empty() || verb_.get_option_no_throw(option) != nullptr) return;
    const std::string help = help_of(key.name);
    switch (key.type) {
      case KeyType::kFlag: {
        CLI::Option* const yes = add_flag(option, key.name, true, help);
        add_flag("--no-" + option.substr(2), key.name, false, fmt::format("The opposite of {}", option))
            ->excludes(yes);
        return;
      }
      case KeyType::kWhole:
        return add_value<std::int64_t>(option, key.name, help, "NUMBER",
                                       [](std::int64_t n) { return fmt::format("{}", n); });
      case KeyType::kNumber:
        return add_value<double>(option, key.name, help, "NUMBER", [option](double number) {
          if (!std::isfinite(number)) throw CLI::ValidationError(option, "not a number");
          return fmt::format("{}", number);
        });
      case KeyType::kChoice:
        return add_text(option, key.name, help, "NAME");
      case KeyType::kText:
        return add_text(option, key.name, help, "TEXT");
      case KeyType::kPairs:
        return add_value<std::string>(
            option, key.name, help, "A:B,C:D",
            [option](const std::string& text) { return pairs_value(option, text); });
      case KeyType::kCategories:
        // As any path on the command line: where it was typed counts, not the plan's folder.
        return add_value<std::string>(option, key.name, help, "FILE", [](const std::string& path) {
          return toml_text(std::filesystem::absolute(path).lexically_normal().string());
        });
      case KeyType::kRows:
        return;  // too long for a command line
    }
  }

  CLI::App& verb_;
  PlanOptions& options_;
};

}  // namespace

void add_mask_options(CLI::App& verb, PlanOptions& options) { MaskOptions(verb, options).add(); }

}  // namespace semveil::cli
