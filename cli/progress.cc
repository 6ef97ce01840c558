#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace semveil::cli {
namespace {
constexpr std::chrono::milliseconds kBetween{100};
constexpr double kSettled = 1;  // seconds before a speed means anything
}  // namespace

ProgressLine::ProgressLine(const Common& common, const Work& work, Unit unit)
    : shown_(!work.no_progress && !common.quiet && ::isatty(STDERR_FILENO) != 0), unit_(unit) {}

WorkProgress ProgressLine::callback() {
  if (!shown_) return {};
  return [this](std::string_view what, std::uint64_t done, std::uint64_t all) {
    tell(what, done, all);
  };
}

WorkOptions work_options(const Common& common, const Work& work, ProgressLine& line) {
  WorkOptions options;
  options.threads = work.threads;
  options.most_hours = work.max_work;
  options.use_cache = !common.no_cache;
  options.figures = common.json || !common.quiet;
  options.progress = line.callback();
  return options;
}

void ProgressLine::tell(std::string_view what, std::uint64_t done, std::uint64_t all) {
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  if (what != what_) {
    what_ = what;
    began_ = now;
  } else if (now - told_ < kBetween) {
    return;
  }
  told_ = now;
  const double seconds = std::chrono::duration<double>(now - began_).count();
  const std::string text =
      unit_ == Unit::kBytes ? progress_text(what, done, all, seconds) : runs_text(what, done, all);
  std::fputs(("\r" + text + "\x1b[K").c_str(), stderr);
  std::fflush(stderr);
  on_screen_ = true;
}

void ProgressLine::clear() {
  const std::lock_guard lock(mutex_);
  if (on_screen_) std::fputs("\r\x1b[K", stderr);
  on_screen_ = false;
  what_.clear();
}

std::string runs_text(std::string_view what, std::uint64_t done, std::uint64_t all) {
  return fmt::format("{}  {} of {}", what, done, all);
}

std::string progress_text(std::string_view what, std::uint64_t done, std::uint64_t all,
                          double seconds) {
  constexpr double kMega = 1e6;
  const auto bytes = static_cast<double>(done);
  std::string text(what);
  if (all > 0) text += fmt::format("  {} %", std::min<std::uint64_t>(100, done * 100 / all));
  text += fmt::format("  {:.1f}", bytes / kMega);
  if (all > 0) text += fmt::format(" of {:.1f}", static_cast<double>(all) / kMega);
  text += " MB";
  if (seconds < kSettled || done == 0) return text;
  const double speed = bytes / seconds;
  text += fmt::format("  {:.1f} MB/s", speed / kMega);
  if (all > done) {
    const auto left = static_cast<std::uint64_t>(static_cast<double>(all - done) / speed + 0.5);
    text += left < 120 ? fmt::format("  {} s left", left) : fmt::format("  {} min left", left / 60);
  }
  return text;
}

}  // namespace semveil::cli
