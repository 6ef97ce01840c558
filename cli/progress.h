// One line on standard error that tells how far the work is, where that is a terminal.
#pragma once

#include <chrono>
#include <mutex>
#include <string>

#include "semveil/release.h"
#include "verb.h"

namespace semveil::cli {

class ProgressLine {
 public:
  enum class Unit : bool { kBytes, kRuns };  // what the progress counts
  ProgressLine(const Common& common, const Work& work, Unit unit = Unit::kBytes);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  WorkProgress callback();  // empty where nobody looks; it must not outlive the line
  void clear();             // before anything else is printed

 private:
  using Clock = std::chrono::steady_clock;
  void tell(std::string_view what, std::uint64_t done, std::uint64_t all);

  bool shown_ = false;  // at all
  Unit unit_;
  std::mutex mutex_;
  bool on_screen_ = false;
  std::string what_;
  Clock::time_point began_, told_;
};

// How to work, as the command line says; the progress goes to the line.
WorkOptions work_options(const Common& common, const Work& work, ProgressLine& line);

// "reading  43 %  12.3 of 28.6 MB  85.1 MB/s  3 s left"; the seconds since this piece began.
std::string progress_text(std::string_view what, std::uint64_t done, std::uint64_t all,
                          double seconds);
// "published counts  3 of 16"
std::string runs_text(std::string_view what, std::uint64_t done, std::uint64_t all);

}  // namespace semveil::cli
