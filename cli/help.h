// The text of --help: who it is for reads sentences, in lines no wider than a page. Options stand
// by what they are about: the verb's own, its report, how it runs, then masking, method by method.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <string_view>

namespace semveil::cli {

// Groups of options, in the order of the page; those of a verb alone have CLI11's own "Options".
inline constexpr const char* kReportGroup = "Report";
inline constexpr const char* kRunningGroup = "How it runs and what it prints";
inline constexpr const char* kMaskGroup = "Masking, in place of what the plan says in [mask]";
inline constexpr const char* kMethodGroup = "Methods";  // shown by method, once for each

// Of a verb, or of the program. `path`: how it is called, "semveil ontology info".
std::string help_text(const CLI::App& app, const std::string& path);

// An option and its sentence: "  --show N      Most …".
std::string option_text(std::string_view option, std::string_view sentence);

// "closest (the default) or first", of two or more words.
std::string one_of(std::span<const std::string_view> words, std::string_view usually);

// An option that takes one of some words. The help ends by naming them, and the default: `value`,
// or what is meant where that is empty.
CLI::Option* add_choice(CLI::App& verb, const std::string& option, std::string& value,
                        std::string_view help, std::span<const std::string_view> words,
                        std::string_view if_empty = {});

// Examples, each line indented, and behind them what else is to be known, told in paragraphs.
std::string examples_text(std::string_view examples);

}  // namespace semveil::cli
