// Waiting for pipes, so that whoever waits can be stopped.
//
// A read or write that blocks cannot be woken. Before it, these wait until it will not block, or
// until the work is stopped (base/stop.h). Where nobody can stop the work they return at once.
#pragma once

#include <cstddef>

namespace semveil {

void wait_until_readable(int file);

// Opens a file as ::open does, but of a pipe with a name it can be stopped while nobody has opened
// the other end. The same answers; `flags` are O_RDONLY or O_WRONLY and more.
int open_stoppable(const char* path, int flags);

// ::write, once, also to a pipe that may be full; it need not take everything.
long write_stoppable(int file, const char* bytes, std::size_t size);

}  // namespace semveil
