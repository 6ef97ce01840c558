// The library raptor2, for those who read and write with it.
//
// Raptor and libxml2 have state of the whole process: there is one world at a time, and whoever
// wants another waits. So a thread must not ask for a second one before it has let go of the first.
#pragma once

#include <raptor2.h>

#include <memory>
#include <mutex>

namespace semveil {

class RaptorWorld {
 public:
  RaptorWorld() : lock_(in_use()), world_(raptor_new_world()) {
    if (world_) raptor_world_set_flag(get(), RAPTOR_WORLD_FLAG_WWW_SKIP_INIT_FINISH, 1);
  }

  raptor_world* get() const { return world_.get(); }  // null where memory is short
  // Behind the settings, before anything else. False where memory is short.
  bool open() { return world_ && raptor_world_open(get()) == 0; }

 private:
  struct Free {
    void operator()(raptor_world* world) const { raptor_free_world(world); }
  };
  static std::mutex& in_use() {
    static std::mutex mutex;
    return mutex;
  }

  std::lock_guard<std::mutex> lock_;  // let go last
  std::unique_ptr<raptor_world, Free> world_;
};

struct FreeParser {
  void operator()(raptor_parser* parser) const { raptor_free_parser(parser); }
};
struct FreeSerializer {
  void operator()(raptor_serializer* serializer) const { raptor_free_serializer(serializer); }
};
struct FreeUri {
  void operator()(raptor_uri* uri) const { raptor_free_uri(uri); }
};

}  // namespace semveil
