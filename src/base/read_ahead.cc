#include "base/read_ahead.h"

#include <system_error>
#include <utility>

#include "base/stop.h"

namespace semveil {

Status ReadAhead::fill(Piece& piece) {
  Growing<char>& buffer = piece.buffer;
  buffer.set_size(0);
  buffer.make_room(room_.before + room_.bytes + room_.behind);
  buffer.set_size(room_.before);
  const std::size_t whole = room_.before + room_.bytes;
  while (buffer.size() < whole) {
    const auto got = stream_.read(buffer.data() + buffer.size(), whole - buffer.size());
    if (!got) return fail(got.error());
    if (*got == 0) break;
    buffer.set_size(buffer.size() + *got);
    piece.position = stream_.position();
  }
  return {};
}

void ReadAhead::read_piece(std::unique_lock<std::mutex>& lock) {
  Piece piece;
  if (!free_.empty()) {
    piece.buffer = std::move(free_.back());
    free_.pop_back();
  }
  lock.unlock();
  Status filled;
  std::exception_ptr thrown;
  try {
    filled = fill(piece);
  } catch (...) {
    thrown = std::current_exception();
  }
  lock.lock();
  if (!filled) failure_ = std::move(filled.error());
  thrown_ = thrown;
  at_end_ = !filled || thrown_ || piece.buffer.size() < room_.before + room_.bytes;
  if (!thrown_ && piece.buffer.size() > room_.before) ready_.push_back(std::move(piece));
}

void ReadAhead::read_pieces(const std::stop_token& stop) {
  const auto few_ready = [this] { return ready_.size() <= kFewReady; };
  std::unique_lock lock(mutex_);
  while (!at_end_ && wanted_.wait(lock, stop, few_ready)) {
    while (!at_end_ && ready_.size() < kMostReady && !stop.stop_requested()) {
      read_piece(lock);
      read_.notify_one();
    }
    if (stop.stop_requested()) return;
  }
}

void ReadAhead::start() {
  try {
    reader_ = std::jthread([this](const std::stop_token& stop) { read_pieces(stop); });
  } catch (const std::system_error&) {  // a thread that cannot be had is done without
  }
}

Result<bool> ReadAhead::take(Growing<char>& buffer) {
  check_stop();
  if (!reader_.joinable()) start();
  std::unique_lock lock(mutex_);
  if (!reader_.joinable() && !at_end_) read_piece(lock);
  read_.wait(lock, [this] { return at_end_ || !ready_.empty(); });
  if (ready_.empty()) {
    if (thrown_) std::rethrow_exception(thrown_);
    return failure_ ? Result<bool>(fail(*failure_)) : false;
  }
  std::swap(buffer, ready_.front().buffer);
  position_ = ready_.front().position;
  free_.push_back(std::move(ready_.front().buffer));
  ready_.pop_front();
  const bool few = ready_.size() == kFewReady;  // it sleeps only where more are ready
  lock.unlock();                                // whom we wake would wait for it
  if (few) wanted_.notify_one();
  return true;
}

}  // namespace semveil
