#include "table/memory/held.h"

namespace semveil {
namespace {

template <class Struct>
void release_one(Struct& given) {
  if (given.release != nullptr) given.release(&given);
}

// What is left of the children, the dictionary, and the struct's own memory.
template <class Struct, class Held>
void release_held(Struct* given) {
  const std::unique_ptr<Held> held(static_cast<Held*>(given->private_data));
  for (Struct& child : held->children) release_one(child);
  release_one(held->dictionary);
  given->release = nullptr;
}

template <class Struct>
std::vector<Struct*> places_of(std::vector<Struct>& children) {
  std::vector<Struct*> places;
  places.reserve(children.size());
  for (Struct& child : children) places.push_back(&child);
  return places;
}

void give_node(const ArrowArray& array, const std::shared_ptr<const void>& owner,
               std::int64_t offset, std::int64_t length, ArrowArray* out) {
  auto held = std::make_unique<HeldArray>();
  held->owners.push_back(owner);
  held->buffers.assign(array.buffers, array.buffers + array.n_buffers);
  held->children.resize(static_cast<std::size_t>(array.n_children));
  for (std::size_t i = 0; i < held->children.size(); ++i) {
    const ArrowArray& child = *array.children[i];
    give_node(child, owner, child.offset, child.length, &held->children[i]);
  }
  if (array.dictionary != nullptr) {
    give_node(*array.dictionary, owner, array.dictionary->offset, array.dictionary->length,
              &held->dictionary);
  }
  const bool whole = offset == array.offset && length == array.length;
  const std::int64_t nulls = whole || array.null_count == 0 ? array.null_count : -1;
  HeldArray::give(std::move(held), length, nulls, out);
  out->offset = offset;
}

}  // namespace

SharedArray share(Owned<ArrowArray> array) {
  auto kept = std::make_shared<Owned<ArrowArray>>(std::move(array));
  const ArrowArray* const place = kept->get();
  return {std::move(kept), place};
}

void HeldSchema::give(std::unique_ptr<HeldSchema> held, std::int64_t flags, ArrowSchema* out) {
  held->child_places = places_of(held->children);
  *out = ArrowSchema{};
  out->format = held->format.c_str();
  out->name = held->name.c_str();
  out->metadata = held->metadata.empty() ? nullptr : held->metadata.data();
  out->flags = flags;
  out->n_children = static_cast<std::int64_t>(held->children.size());
  out->children = held->children.empty() ? nullptr : held->child_places.data();
  out->dictionary = held->dictionary.release != nullptr ? &held->dictionary : nullptr;
  out->release = &release_held<ArrowSchema, HeldSchema>;
  out->private_data = held.release();
}

void HeldArray::give(std::unique_ptr<HeldArray> held, std::int64_t length, std::int64_t nulls,
                     ArrowArray* out) {
  held->child_places = places_of(held->children);
  *out = ArrowArray{};
  out->length = length;
  out->null_count = nulls;
  out->n_buffers = static_cast<std::int64_t>(held->buffers.size());
  out->buffers = held->buffers.data();
  out->n_children = static_cast<std::int64_t>(held->children.size());
  out->children = held->children.empty() ? nullptr : held->child_places.data();
  out->dictionary = held->dictionary.release != nullptr ? &held->dictionary : nullptr;
  out->release = &release_held<ArrowArray, HeldArray>;
  out->private_data = held.release();
}

void give_shared(const SharedArray& array, std::int64_t first, std::int64_t length,
                 ArrowArray* out) {
  give_node(*array, array, array->offset + first, length, out);
}

}  // namespace semveil
