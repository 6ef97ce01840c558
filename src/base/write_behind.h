// A PackedFile that a thread of its own packs and writes: who computes waits for neither.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "base/growing.h"
#include "base/packed_file.h"
#include "semveil/result.h"

namespace semveil {

// For one caller. An error may belong to bytes that were appended earlier; after one, nothing more
// is written. Memory: kMostWaiting pieces.
class WriteBehind {
 public:
  using Piece = std::shared_ptr<const Growing<char>>;
  static constexpr std::size_t kMostWaiting = 4;
  static constexpr std::size_t kSomeWaiting = 2;  // so many wake the thread: one by one costs more
  static_assert(0 < kSomeWaiting && kSomeWaiting <= kMostWaiting);

  explicit WriteBehind(PackedFile file) : file_(std::move(file)) {}
  WriteBehind(const WriteBehind&) = delete;
  WriteBehind& operator=(const WriteBehind&) = delete;
  ~WriteBehind();  // waits, too: what went straight to a pipe does not depend on who is faster

  Status append(Piece bytes);  // one alone may wait for the next
  // These wait until everything before was written.
  Status append(std::string_view bytes);
  Status flush();
  Status finish();
  Result<PendingFile> take();  // once, after finish()

  std::optional<std::string> readable_path() const { return file_.readable_path(); }
  bool in_place() const { return file_.in_place(); }

 private:
  void start();
  void write_pieces(const std::stop_token& stop);
  void wait_for_all(std::unique_lock<std::mutex>& lock);
  Status settle();
  Status trouble() const;  // what the thread met; rethrows what it caught

  PackedFile file_;  // the thread's while pieces wait, but for its path
  std::mutex mutex_;
  std::condition_variable_any posted_;
  std::condition_variable written_;
  std::deque<Piece> waiting_;  // the first is being written
  bool settling_ = false;      // somebody waits for the last of them
  std::optional<Error> failure_;
  std::exception_ptr thrown_;
  std::jthread writer_;  // begun with the first piece; stopped before what it uses goes
};

}  // namespace semveil
