// Batches read one after the other, worked on side by side, written in the order they were read.
//
//   read()        on the calling thread; an empty pointer is the end
//   work(batch)   on `threads` threads
//   write(done)   on the calling thread, in order
//
// At most 2 · threads + 1 batches are under way. The first error in the order of the batches stops
// it: the batches before it are written, those behind it are not, so what is written does not
// depend on the threads. What a stage throws counts as an error and is thrown here. With one thread
// everything happens inline, and no batch waits for a later one: the way for streams. Before a
// batch is read it is asked whether the work was stopped.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "semveil/result.h"

namespace semveil {

// Read: () → Result<unique_ptr<In>>; Work: (unique_ptr<In>) → Result<Out>; Write: (Out) → Status.
template <class Read, class Work, class Write>
class Pipeline {
  using In = typename decltype(std::declval<Read&>()())::value_type;
  using Worked = decltype(std::declval<Work&>()(std::declval<In>()));

 public:
  Pipeline(unsigned threads, Read& read, Work& work, Write& write)
      : threads_(threads), read_(read), work_(work), write_(write) {}

  Status run() { return threads_ <= 1 ? run_inline() : run_on_threads(); }

 private:
  struct Job {
    In in;
    std::optional<Worked> out;
    std::exception_ptr thrown;
    bool done = false;
  };

  Status run_inline() {
    for (;;) {
      check_stop();
      auto batch = read_();
      if (!batch) return fail(std::move(batch.error()));
      if (!*batch) return {};
      Worked worked = work_(std::move(*batch));
      if (!worked) return fail(std::move(worked.error()));
      if (Status written = write_(std::move(*worked)); !written) return written;
    }
  }

  Status run_on_threads() {
    std::vector<std::jthread> workers;  // stopped and joined on every way out
    try {
      for (unsigned i = 0; i < threads_; ++i) {
        workers.emplace_back([this, work = current_stop()](const std::stop_token& stop) {
          const StopScope scope(work);
          take_jobs(stop);
        });
      }
    } catch (const std::system_error&) {  // a thread that cannot be had is done without
      if (workers.empty()) return run_inline();
    }
    std::deque<std::shared_ptr<Job>> under_way;  // in the order they were read
    std::optional<Error> read_error;
    std::exception_ptr read_thrown;
    bool more = true;
    while (more || !under_way.empty()) {
      check_stop();
      if (more && under_way.size() <= 2 * std::size_t{threads_}) {
        try {
          auto batch = read_();
          if (!batch) read_error = std::move(batch.error());
          more = batch && *batch;
          if (more) under_way.push_back(post(std::move(*batch)));
        } catch (...) {
          read_thrown = std::current_exception();
          more = false;
        }
        if (more && !is_done(*under_way.front())) continue;  // room for more before waiting
      }
      if (under_way.empty()) continue;
      const std::shared_ptr<Job> first = std::move(under_way.front());
      under_way.pop_front();
      wait_for(*first);
      if (first->thrown) std::rethrow_exception(first->thrown);
      if (!*first->out) return fail(std::move(first->out->error()));
      if (Status written = write_(std::move(**first->out)); !written) return written;
    }
    if (read_thrown) std::rethrow_exception(read_thrown);
    if (read_error) return fail(std::move(*read_error));
    return {};
  }

  std::shared_ptr<Job> post(In batch) {
    auto job = std::make_shared<Job>();
    job->in = std::move(batch);
    {
      const std::lock_guard lock(mutex_);
      jobs_.push_back(job);
    }
    posted_.notify_one();
    return job;
  }
  bool is_done(const Job& job) {
    const std::lock_guard lock(mutex_);
    return job.done;
  }
  void wait_for(const Job& job) {
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [&] { return job.done; });
  }

  void take_jobs(const std::stop_token& stop) {
    for (;;) {
      std::shared_ptr<Job> job;
      {
        std::unique_lock lock(mutex_);
        if (!posted_.wait(lock, stop, [this] { return !jobs_.empty(); })) return;
        if (stop.stop_requested()) return;
        job = std::move(jobs_.front());
        jobs_.pop_front();
      }
      try {
        job->out.emplace(work_(std::move(job->in)));
      } catch (...) {
        job->thrown = std::current_exception();
      }
      {
        const std::lock_guard lock(mutex_);
        job->done = true;
      }
      finished_.notify_all();
    }
  }

  const unsigned threads_;
  Read& read_;
  Work& work_;
  Write& write_;
  std::mutex mutex_;
  std::condition_variable_any posted_;
  std::condition_variable finished_;
  std::deque<std::shared_ptr<Job>> jobs_;
};

template <class Read, class Work, class Write>
Status run_pipeline(unsigned threads, Read read, Work work, Write write) {
  return Pipeline<Read, Work, Write>(threads, read, work, write).run();
}

}  // namespace semveil
