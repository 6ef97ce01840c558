#include "work.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <set>
#include <string>
#include <thread>

namespace semveil::python {
namespace {

using namespace std::chrono_literals;
constexpr auto kBetween = 50ms;  // looks for signals

// What progress was told last, for the caller's thread to pass on.
struct Told {
  std::string what;
  std::uint64_t done = 0, all = 0;
  bool is_new = false;
};

// All work that is under way.
class Register {
 public:
  // False: nothing may begin any more.
  bool enter(std::stop_source* source) {
    const std::lock_guard lock(mutex_);
    if (closed_) return false;
    sources_.insert(source);
    return true;
  }
  void leave(std::stop_source* source) {
    const std::lock_guard lock(mutex_);
    sources_.erase(source);
    changed_.notify_all();
  }
  void close() {
    std::unique_lock lock(mutex_);
    closed_ = true;
    for (std::stop_source* source : sources_) source->request_stop();
    changed_.wait_for(lock, 10s, [&] { return sources_.empty(); });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<std::stop_source*> sources_;
  bool closed_ = false;
};

// Never destroyed: threads may outlive main().
Register*& the_register() {
  static auto* all = new Register;
  return all;
}

class Entered {
 public:
  explicit Entered(std::stop_source& source) : source_(source) {
    if (!the_register()->enter(&source_)) {
      raise(system_error("the interpreter ends: nothing can begin now"));
    }
  }
  ~Entered() { the_register()->leave(&source_); }
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;

 private:
  std::stop_source& source_;
};

}  // namespace

void internal::wait_for(const nb::object& progress,
                        const std::function<void(const Working&)>& work) {
  std::stop_source source;
  const Entered entered(source);
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  Told told;
  std::exception_ptr thrown;

  Working working{source.get_token(), {}};
  if (!progress.is_none()) {
    working.progress = [&](std::string_view what, std::uint64_t so_far, std::uint64_t all) {
      const std::lock_guard lock(mutex);
      told = {std::string(what), so_far, all, true};
    };
  }
  std::thread worker([&] {
    try {
      work(working);
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    done = true;
    changed.notify_all();
  });

  std::optional<nb::python_error> raised;
  for (bool is_done = false; !is_done;) {
    Told now;
    {
      const nb::gil_scoped_release without_gil;
      std::unique_lock lock(mutex);
      is_done = changed.wait_for(lock, kBetween, [&] { return done; });
      std::swap(now, told);
    }
    if (raised) continue;  // it was asked to stop already
    try {
      if (!is_done && PyErr_CheckSignals() != 0) throw nb::python_error();
      if (now.is_new) progress(now.what.c_str(), now.done, now.all);
    } catch (nb::python_error& error) {
      raised.emplace(std::move(error));
      source.request_stop();
    }
  }
  {
    const nb::gil_scoped_release without_gil;
    worker.join();
  }
  if (raised) throw *std::move(raised);
  if (source.stop_requested()) {  // by the end of the interpreter: this thread just ends
    PyErr_SetNone(PyExc_SystemExit);
    throw nb::python_error();
  }
  if (thrown) std::rethrow_exception(thrown);
}

void end_all_work() {
  const nb::gil_scoped_release without_gil;
  the_register()->close();
}

void forget_all_work() { the_register() = new Register; }

}  // namespace semveil::python
