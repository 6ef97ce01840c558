#include "verb.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <filesystem>

#include "help.h"
#include "semveil/stop.h"

namespace semveil::cli {

void add_common(CLI::App& verb, Common& common) {
  verb.add_flag("--json", common.json, "Print one JSON object and nothing else")
      ->group(kRunningGroup);
  verb.add_flag("--quiet", common.quiet, "Print nothing but errors, and hide values in these")
      ->group(kRunningGroup);
  verb.add_flag("--no-cache", common.no_cache, "Neither use nor keep snapshots in the cache folder")
      ->group(kRunningGroup);
  verb.set_help_flag("-h,--help", "Print this help")->group(kRunningGroup);
}

void add_verbose(CLI::App& verb, Common& common) {
  verb.add_flag("--verbose", common.verbose,
                "Print the details of every column, however many there are")
      ->group(kRunningGroup);
}

void add_no_sync(CLI::App& verb, Common& common) {
  verb.add_flag_callback(
          "--no-sync", [&common] { common.sync = Sync::kNo; },
          "Do not wait until what is written is on the disk. After a power cut a file may be empty")
      ->group(kRunningGroup);
}

void add_threads(CLI::App& verb, Work& work) {
  verb.add_option("--threads", work.threads,
                  "Threads that compute. The result is the same whatever their number")
      ->check(CLI::Range(1U, 1024U).description(""))
      ->capture_default_str()
      ->group(kRunningGroup);
  verb.add_flag("--no-progress", work.no_progress, "Show no progress on standard error")
      ->group(kRunningGroup);
}

void add_max_work(CLI::App& verb, Work& work) {
  verb.add_option("--max-work", work.max_work,
                  "Hours of one processor that learning from the table may take, by an estimate: "
                  "what would take more is refused before it begins")
      ->type_name("HOURS")
      ->check(CLI::PositiveNumber.description(""))
      ->capture_default_str()
      ->group(kRunningGroup);
}

void add_work(CLI::App& verb, Work& work) {
  add_threads(verb, work);
  verb.add_option("--batch-rows", work.batch_rows,
                  "Rows that are read at once. The result is the same whatever their number")
      ->check(CLI::NonNegativeNumber.description(""))
      ->group(kRunningGroup);
  verb.add_option("--seed", work.seed,
                  "Text that decides on what is drawn at random: the same seed, the same draws")
      ->type_name("TEXT")
      ->group(kRunningGroup);
}

CLI::App* add_verb(CLI::App& parent, const std::string& name, const std::string& description,
                   const std::string& examples) {
  CLI::App* verb = parent.add_subcommand(name, description);
  verb->footer(examples_text(examples));
  return verb;
}

Status refuse_overwriting(const std::string& output, std::vector<std::string> inputs,
                          const std::string& ontology) {
  if (const auto files = ontology_files(ontology)) {
    inputs.insert(inputs.end(), files->begin(), files->end());
  }
  for (const std::string& input : inputs) {
    std::error_code ignored;
    if (!std::filesystem::equivalent(output, input, ignored)) continue;
    return fail(usage_error("the output would replace the input: choose another name").at(output));
  }
  return {};
}

namespace {
bool reader_left = false;

enum class When : std::uint8_t { kBefore, kAfterwards };  // the work is done

// Whoever reads a pipe may take their time: false where the work was stopped meanwhile.
bool wait_for_reader(When when) {
  constexpr int kMilliseconds = 50;
  pollfd out{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  for (bool asks = when == When::kAfterwards; asks || !stop_requested(); asks = false) {
    if (::poll(&out, 1, kMilliseconds) != 0) return true;
  }
  return false;
}

Error unwritable() {
  return system_error(
      "standard output cannot be written to: look where it goes (a full disk, a pipe that is "
      "closed), or name a file");
}

Status print(std::string_view text, When when) {
  // Flushed at once: a verb that goes on to write a file must know that its words were taken. A
  // pipe that is ready takes so much.
  while (!text.empty() && !reader_left) {
    const std::string_view now = text.substr(0, PIPE_BUF);
    text.remove_prefix(now.size());
    if (!wait_for_reader(when)) return fail(internal::stopped_error());
    if (std::fwrite(now.data(), 1, now.size(), stdout) == now.size() && std::fflush(stdout) == 0) {
      continue;
    }
    reader_left = errno == EPIPE;
    if (!reader_left) return fail(unwritable());
  }
  return {};
}

}  // namespace

Status print(std::string_view text) { return print(text, When::kBefore); }

Status finish_printing() {
  if (reader_left || std::fflush(stdout) == 0) return {};
  return fail(unwritable());
}

Status print_text(std::string_view text) { return print(printable_lines(text)); }

void print_afterwards(std::string_view text) {
  const Status said = print(printable_lines(text), When::kAfterwards);
  if (said || said.error().code == ErrorCode::kCancelled) return;
  reader_left = true;  // nothing more is printed
  print_aside("semveil: the files were written, but standard output cannot be written to\n");
}

void print_aside(std::string_view text) { std::fputs(printable_lines(text).c_str(), stderr); }

Status print_json(const std::string& json) { return print(json + "\n"); }

std::string grouped(std::uint64_t number) {
  std::string digits = fmt::format("{}", number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

namespace {
bool starts_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }
}  // namespace

std::size_t width(std::string_view text) {
  std::size_t characters = 0;
  for (const char byte : text) characters += starts_character(byte) ? 1 : 0;
  return characters;
}

std::string shortened(std::string_view text, std::size_t columns) {
  if (width(text) <= columns) return std::string(text);
  std::size_t characters = 0;
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    if (starts_character(text[end]) && ++characters == columns) break;
  }
  return std::string(text.substr(0, end)) + "…";
}

std::string padded(std::string_view text, std::size_t columns) {
  return std::string(text) + std::string(columns - std::min(columns, width(text)), ' ');
}

}  // namespace semveil::cli
