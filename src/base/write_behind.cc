#include "base/write_behind.h"

#include <system_error>
#include <utility>

#include "base/stop.h"

namespace semveil {

WriteBehind::~WriteBehind() {
  std::unique_lock lock(mutex_);
  wait_for_all(lock);
}

void WriteBehind::wait_for_all(std::unique_lock<std::mutex>& lock) {
  settling_ = true;
  posted_.notify_one();
  written_.wait(lock, [this] { return waiting_.empty(); });
  settling_ = false;
}

void WriteBehind::start() {
  try {
    writer_ = std::jthread([this, work = current_stop()](const std::stop_token& stop) {
      const StopScope scope(work);
      write_pieces(stop);
    });
  } catch (const std::system_error&) {  // a thread that cannot be had is done without
  }
}

void WriteBehind::write_pieces(const std::stop_token& stop) {
  bool busy = false;
  const auto worth_waking = [&] {
    return waiting_.size() >= (busy || settling_ ? 1 : kSomeWaiting);
  };
  std::unique_lock lock(mutex_);
  while (posted_.wait(lock, stop, worth_waking)) {
    if (stop.stop_requested()) return;
    const Growing<char>& piece = *waiting_.front();
    lock.unlock();
    Status written;
    std::exception_ptr thrown;
    try {
      check_stop();
      written = file_.append({piece.data(), piece.size()});
    } catch (...) {
      thrown = std::current_exception();
    }
    lock.lock();
    waiting_.pop_front();
    busy = !waiting_.empty();
    if (!written) failure_ = std::move(written.error());
    thrown_ = thrown;
    if (failure_ || thrown_) waiting_.clear();
    written_.notify_all();
    if (failure_ || thrown_) return;
  }
}

Status WriteBehind::trouble() const {
  if (thrown_) std::rethrow_exception(thrown_);
  return failure_ ? fail(*failure_) : Status();
}

Status WriteBehind::append(Piece bytes) {
  if (!writer_.joinable()) start();
  if (!writer_.joinable()) return file_.append({bytes->data(), bytes->size()});
  std::unique_lock lock(mutex_);
  written_.wait(lock, [this] { return waiting_.size() < kMostWaiting; });
  if (const Status met = trouble(); !met) return met;
  waiting_.push_back(std::move(bytes));
  const bool some = waiting_.size() == kSomeWaiting;  // it sleeps only where fewer wait
  lock.unlock();                                      // whom we wake would wait for it
  if (some) posted_.notify_one();
  return {};
}

Status WriteBehind::settle() {
  std::unique_lock lock(mutex_);
  wait_for_all(lock);
  return trouble();
}

Status WriteBehind::append(std::string_view bytes) {
  if (Status settled = settle(); !settled) return settled;
  return file_.append(bytes);
}

Status WriteBehind::flush() {
  if (Status settled = settle(); !settled) return settled;
  return file_.flush();
}

Status WriteBehind::finish() {
  if (Status settled = settle(); !settled) return settled;
  return file_.finish();
}

Result<PendingFile> WriteBehind::take() {
  if (const Status settled = settle(); !settled) return fail(settled.error());
  return std::move(file_).take();
}

}  // namespace semveil
