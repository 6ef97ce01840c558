// A stream read by a thread of its own, before anybody asks. For files: who waits for a pipe cannot
// be told to stop.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "base/bytes.h"
#include "base/growing.h"
#include "semveil/result.h"

namespace semveil {

// For one caller, who leaves the stream alone meanwhile. Memory: kMostReady pieces, and a buffer
// for each one that was taken.
class ReadAhead {
 public:
  static constexpr std::size_t kMostReady = 4;
  static constexpr std::size_t kFewReady = 2;  // so few wake the thread: one by one costs more
  static_assert(kFewReady < kMostReady);
  struct Room {
    std::size_t before, bytes, behind;  // of a buffer: `bytes` are read at once
  };

  ReadAhead(InputStream& stream, Room room)
      : stream_(stream), room_(room), position_(stream.position()) {}

  // Exchanges `buffer` for one with the next bytes, behind the room before them; its size is that
  // of both. False at the end. Errors come behind the bytes that were read before them, and again
  // to whoever asks again.
  Result<bool> take(Growing<char>& buffer);
  std::uint64_t position() const { return position_; }  // of the stream, behind what was taken

 private:
  struct Piece {
    Growing<char> buffer;
    std::uint64_t position = 0;
  };
  void start();
  void read_pieces(const std::stop_token& stop);
  void read_piece(std::unique_lock<std::mutex>& lock);
  // As much as there is; an error comes behind what was read before it.
  Status fill(Piece& piece);

  InputStream& stream_;
  const Room room_;
  std::uint64_t position_;
  std::mutex mutex_;
  std::condition_variable_any wanted_;
  std::condition_variable read_;
  std::deque<Piece> ready_;
  std::vector<Growing<char>> free_;
  bool at_end_ = false;           // behind what is ready comes nothing, or …
  std::optional<Error> failure_;  // … this, or …
  std::exception_ptr thrown_;     // … this
  std::jthread reader_;           // begun by the first take(); stopped before what it uses goes
};

}  // namespace semveil
