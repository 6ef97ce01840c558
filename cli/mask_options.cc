// The options that stand for keys of [mask]: --method, --columns, --draw-by, and every key that
// some method takes. Options and help are made from the descriptions of the methods.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <cmath>
#include <filesystem>

#include "help.h"
#include "plan_options.h"
#include "semveil/method.h"
#include "text_table.h"

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

// Names may hold colons, numbers do not.
std::string numbers_value(const std::string& option, const std::string& text) {
  ColumnNumbers numbers;
  for (const std::string& part : split(text, ',')) {
    const std::size_t colon = part.rfind(':');
    const std::string said = colon == std::string::npos ? "" : part.substr(colon + 1);
    char* end = nullptr;
    const double number = std::strtod(said.c_str(), &end);
    const bool is_number = !said.empty() && *end == '\0' && std::isfinite(number);
    if (colon == 0 || !is_number) {
      throw CLI::ValidationError(option, "write a number for each column as a:1,b:2");
    }
    numbers[part.substr(0, colon)] = number;
  }
  return setting_text(numbers);
}

// What a key takes, in an option's help.
std::string value_word(const MethodKey& key) {
  switch (key.type) {
    case KeyType::kFlag:
    case KeyType::kRows:
      return "";
    case KeyType::kWhole:
    case KeyType::kNumber:
      return "NUMBER";
    case KeyType::kChoice:
      return "NAME";
    case KeyType::kText:
      return "TEXT";
    case KeyType::kPairs:
      return "A:B,C:D";
    case KeyType::kByColumn:
      return "A:1,B:2";
    case KeyType::kCategories:
      return "FILE";
  }
  return "";
}

std::string opposite_of(const std::string& option) { return "--no-" + option.substr(2); }

std::string default_sentence(const MethodKey& key) {
  if (key.type == KeyType::kFlag) {
    const bool usually = std::get_if<bool>(&key.usually) != nullptr && std::get<bool>(key.usually);
    const std::string opposite = opposite_of(option_of(key));
    return usually ? fmt::format(" This is the default; {} is the opposite.", opposite)
                   : fmt::format(" The opposite, and the default, is {}.", opposite);
  }
  const auto* const word = std::get_if<std::string_view>(&key.usually);
  if (key.type == KeyType::kChoice) {
    return fmt::format(" {} {}.", key.choices.size() > 1 ? "One of" : "It is",
                       one_of(key.choices, word == nullptr ? "" : *word));
  }
  if (key.usually.index() == 0) return "";
  return fmt::format(" Default: {}.", word == nullptr ? default_text(key) : std::string(*word));
}

// "Variance of the errors. A number above 0. Usually 0.1 to 0.5. Needed."
std::string sentence_of(const MethodDescription& method, const MethodKey& key) {
  std::string out(key.help);
  out[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(out[0])));
  out += ".";
  constexpr double kFarAway = 1e6;  // an end that nobody comes to is not told
  if (key.type == KeyType::kNumber) {
    out += fmt::format(" A number {}.", range_text(key));
  } else if (key.type == KeyType::kWhole && key.high < kFarAway) {
    out += fmt::format(" From {} to {}.", key.low, key.high);
  }
  out += default_sentence(key);
  if (!key.usual.empty()) out += fmt::format(" Usually {}.", key.usual);
  if (key.needed.empty()) return out;
  if (key.instead.empty()) return out + " Needed.";
  return out + fmt::format(" Needed, unless {} is given.", option_of(*method.key(key.instead)));
}

std::string method_help(const MethodDescription& method) {
  std::string out = fmt::format("\nMethod {}:\n", method.name);
  out += wrapped("  ", fmt::format("{} {}", method.promise, method.no_promise));
  std::vector<std::string_view> in_plans;
  for (const MethodKey& key : method.keys) {
    const std::string option = option_of(key);
    if (option.empty()) {
      in_plans.push_back(key.name);
    } else {
      const std::string value = value_word(key);
      out += option_text(value.empty() ? option : option + " " + value, sentence_of(method, key));
    }
  }
  if (!in_plans.empty()) {
    out += wrapped("  ", fmt::format("In plans only: {}.", fmt::join(in_plans, ", ")));
  }
  return method.keys.empty() ? out + "  It takes no options of its own.\n" : out;
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
    add_text("--method", kMethodKey, fmt::format("The method: {}", one_of(names, "")), "NAME");
    for (const Method* const method : methods()) {
      for (const MethodKey& key : method->about().keys) add_key(key);
    }
    add_value<std::string>(
        "--columns", kColumnsKey, "The columns to mask", "A,B",
        [](const std::string& text) { return columns_value("--columns", text); });
    add_text("--draw-by", kDrawByKey,
             fmt::format("A column that tells persons apart: the same person with the same value "
                         "gets the same replacement. For {}",
                         fmt::join(persons, ", ")),
             "COLUMN");
  }

 private:
  template <class T>
  CLI::Option* add_value(const std::string& option, std::string_view key, const std::string& help,
                         const std::string& type, std::function<std::string(const T&)> value) {
    PlanOptions& options = options_;
    return verb_
        .add_option_function<T>(
            option,
            [&options, key = std::string(key), value = std::move(value)](const T& given) {
              options.overrides[key] = value(given);
            },
            help)
        ->type_name(type)
        ->group(kMaskGroup);
  }

  CLI::Option* add_text(const std::string& option, std::string_view key, const std::string& help,
                        const std::string& type) {
    return add_value<std::string>(option, key, help, type,
                                  [](const std::string& text) { return toml_text(text); });
  }

  CLI::Option* add_flag(const std::string& option, std::string_view key, bool value) {
    PlanOptions& options = options_;
    return verb_.add_flag_callback(option, [&options, key = std::string(key), value] {
      options.overrides[key] = value ? "true" : "false";
    });
  }

  // Once, whichever method takes it; methods_help() says what it means to each.
  void add_key(const MethodKey& key) {
    const std::string option = option_of(key);
    if (option.empty() || verb_.get_option_no_throw(option) != nullptr) return;
    if (CLI::Option* const added = add_option(option, key)) added->group(kMethodGroup);
    if (key.type != KeyType::kFlag) return;
    CLI::Option* const no = add_flag(opposite_of(option), key.name, false);
    no->excludes(verb_.get_option(option))->group(kMethodGroup);
  }

  CLI::Option* add_option(const std::string& option, const MethodKey& key) {
    const std::string value = value_word(key);
    switch (key.type) {
      case KeyType::kFlag:
        return add_flag(option, key.name, true);
      case KeyType::kWhole:
        return add_value<std::int64_t>(option, key.name, "", value,
                                       [](std::int64_t n) { return fmt::format("{}", n); });
      case KeyType::kNumber:
        return add_value<double>(option, key.name, "", value, [option](double number) {
          if (!std::isfinite(number)) throw CLI::ValidationError(option, "not a number");
          return fmt::format("{}", number);
        });
      case KeyType::kChoice:
      case KeyType::kText:
        return add_text(option, key.name, "", value);
      case KeyType::kPairs:
        return add_value<std::string>(
            option, key.name, "", value,
            [option](const std::string& text) { return pairs_value(option, text); });
      case KeyType::kByColumn:
        return add_value<std::string>(
            option, key.name, "", value,
            [option](const std::string& text) { return numbers_value(option, text); });
      case KeyType::kCategories:
        // As any path on the command line: where it was typed counts, not the plan's folder.
        return add_value<std::string>(option, key.name, "", value, [](const std::string& path) {
          return toml_text(std::filesystem::absolute(path).lexically_normal().string());
        });
      case KeyType::kRows:
        return nullptr;  // too long for a command line
    }
    return nullptr;
  }

  CLI::App& verb_;
  PlanOptions& options_;
};

}  // namespace

std::string methods_help() {
  std::string out;
  for (const Method* const method : methods()) out += method_help(method->about());
  return out;
}

void add_mask_options(CLI::App& verb, PlanOptions& options) { MaskOptions(verb, options).add(); }

}  // namespace semveil::cli
