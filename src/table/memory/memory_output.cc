#include <cerrno>
#include <new>
#include <utility>

#include "table/memory/memory_sink.h"

namespace semveil {
namespace {

// A stream's own state: it needs nothing else to live.
struct ReleaseStream {
  std::shared_ptr<const ReleasedRecords> records;
  std::size_t next = 0;
  std::string error;
};

ReleaseStream& state_of(ArrowArrayStream* stream) {
  return *static_cast<ReleaseStream*>(stream->private_data);
}

int give_schema(ArrowArrayStream* stream, ArrowSchema* out) noexcept {
  try {
    write_schema(state_of(stream).records->type, out);
    return 0;
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  }
}

int give_next(ArrowArrayStream* stream, ArrowArray* out) noexcept {
  ReleaseStream& state = state_of(stream);
  *out = ArrowArray{};
  if (state.next == state.records->pieces.size()) return 0;
  try {
    const Status status = state.records->give(state.next, out);
    if (!status) {
      state.error = describe(status.error(), Quote::kHide);
      *out = ArrowArray{};
      return EOVERFLOW;
    }
    ++state.next;
    return 0;
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  }
}

const char* last_error(ArrowArrayStream* stream) noexcept {
  const std::string& error = state_of(stream).error;
  return error.empty() ? nullptr : error.c_str();
}

void release_stream(ArrowArrayStream* stream) noexcept {
  delete &state_of(stream);
  stream->release = nullptr;
}

Error not_committed() { return usage_error("there is no release in memory yet: commit it first"); }

}  // namespace

MemoryOutput::MemoryOutput() : impl_(std::make_unique<Impl>()) {}
MemoryOutput::~MemoryOutput() = default;
MemoryOutput::MemoryOutput(MemoryOutput&&) noexcept = default;
MemoryOutput& MemoryOutput::operator=(MemoryOutput&&) noexcept = default;

Status MemoryOutput::stream(ArrowArrayStream* out) const {
  if (impl_->released == nullptr) return fail(not_committed());
  out->get_schema = &give_schema;
  out->get_next = &give_next;
  out->get_last_error = &last_error;
  out->release = &release_stream;
  out->private_data = new ReleaseStream{impl_->released, 0, {}};
  return {};
}

Status MemoryOutput::batch(ArrowSchema* schema, ArrowArray* array) const {
  if (impl_->released == nullptr) return fail(not_committed());
  const ReleasedRecords& records = *impl_->released;
  if (records.pieces.size() > 1) {
    return fail(usage_error("the release has several batches: take it as a stream"));
  }
  if (const Status status = records.give(0, array); !status) return status;
  write_schema(records.type, schema);
  return {};
}

}  // namespace semveil
