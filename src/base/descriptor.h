// A file descriptor that is closed when it goes out of scope.
#pragma once

#include <unistd.h>

#include <string>
#include <utility>

namespace semveil {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ > STDIN_FILENO) ::close(fd_);  // standard input is not ours to close
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;

  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }
  // Tells of write errors that only show when the file is closed.
  bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

// A path with a NUL byte would silently name another file.
inline bool has_nul(const std::string& path) { return path.find('\0') != std::string::npos; }

}  // namespace semveil
