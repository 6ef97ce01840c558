// Tables in memory from anybody: formats, lengths, offsets, counts of nulls and whatever stands in
// the buffers. Buffers are as long as their array says, which nobody but the giver can know; all
// else may be wrong. What can be read is read, masked and written, or refused with a sentence;
// every struct is released once.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/small_clinic.h"

namespace {

using namespace semveil;
using fuzz::Choices;
using fuzz::require;

constexpr std::array<const char*, 46> kFormats{"n",
                                               "b",
                                               "c",
                                               "C",
                                               "s",
                                               "S",
                                               "i",
                                               "I",
                                               "l",
                                               "L",
                                               "e",
                                               "f",
                                               "g",
                                               "z",
                                               "Z",
                                               "vz",
                                               "u",
                                               "U",
                                               "vu",
                                               "d:5,2",
                                               "d:9,-3,32",
                                               "d:40,5,256",
                                               "tdD",
                                               "tdm",
                                               "tts",
                                               "ttm",
                                               "ttu",
                                               "ttn",
                                               "tss:",
                                               "tsn:UTC",
                                               "tsu:Europe/Berlin",
                                               "tDs",
                                               "tDn",
                                               "tiM",
                                               "tin",
                                               "w:3",
                                               "+l",
                                               "+L",
                                               "+vl",
                                               "+vL",
                                               "+w:2",
                                               "+s",
                                               "+r",
                                               "+m",
                                               "+ud:0,1",
                                               "+us:5"};

int g_given = 0, g_released = 0;

template <class Struct>
struct Counted {  // what stands behind a struct that was given away
  Struct inner{};

  static void count(Struct& given) {
    auto held = std::make_unique<Counted>();
    held->inner = given;
    given.release = [](Struct* again) {
      const std::unique_ptr<Counted> mine(static_cast<Counted*>(again->private_data));
      mine->inner.release(&mine->inner);
      again->release = nullptr;
      ++g_released;
    };
    given.private_data = held.release();
    ++g_given;
  }
};

struct Given {
  ArrowSchema schema{};
  ArrowArray array{};
};

// Numbers that an array may say of itself: mostly what is right.
std::int64_t odd_number(Choices& choices, std::int64_t right) {
  constexpr std::array<std::int64_t, 4> kOdd{-1, 1, INT64_MAX, INT64_MIN};
  const std::size_t choice = choices.byte();
  return choice < kOdd.size() ? kOdd[choice] : right;
}

// Of 64 cells each, whatever the array says: the longest cells have 32 bytes.
std::vector<char> buffer(Choices& choices, std::size_t cells) {
  constexpr std::size_t kWidest = 32;
  std::vector<char> out((cells + 2) * kWidest);
  const std::string_view bytes = choices.text(choices.below(40));
  for (std::size_t i = 0; i < out.size() && !bytes.empty(); ++i) out[i] = bytes[i % bytes.size()];
  return out;
}

// Ends within so many bytes, or cells of the child, in any order.
template <class Number>
std::vector<Number> places(Choices& choices, std::size_t cells, std::size_t limit) {
  std::vector<Number> out{0};
  for (std::size_t i = 0; i <= cells; ++i) {
    const std::size_t step = choices.below(8);
    const auto last = static_cast<std::size_t>(out.back());
    out.push_back(
        static_cast<Number>(step == 7 ? choices.below(limit + 1) : std::min(limit, last + step)));
  }
  return out;
}

Given column(Choices& choices, std::int64_t rows, unsigned depth, std::string name = "x");

void add_children(Choices& choices, std::string_view format, std::int64_t rows, unsigned depth,
                  HeldSchema& type, HeldArray& cells) {
  std::size_t children = 0;
  if (format.starts_with("+")) children = format == "+r" || format.starts_with("+ud") ? 2 : 1;
  if (choices.byte() == 1) ++children;
  for (std::size_t i = 0; i < children && depth < 4; ++i) {
    const Given child =
        column(choices, rows + static_cast<std::int64_t>(choices.below(4)), depth + 1);
    type.children.push_back(child.schema);
    cells.children.push_back(child.array);
  }
}

void add_buffers(Choices& choices, std::string_view format, std::size_t cells, HeldArray& held) {
  constexpr std::size_t kBytes = 64;
  if (format == "n" || format == "+r") return;
  if (format.starts_with("+u")) {
    held.add_buffer(buffer(choices, cells));
    if (format.starts_with("+ud")) held.add_buffer(places<std::int32_t>(choices, cells, cells));
    return;
  }
  if (choices.flag()) {
    held.add_buffer(buffer(choices, cells));
  } else {
    held.add_no_buffer();
  }
  if (format == "+s" || format.starts_with("+w")) return;
  if (format == "z" || format == "u") {
    held.add_buffer(places<std::int32_t>(choices, cells, kBytes));
    held.add_buffer(buffer(choices, cells));
  } else if (format == "Z" || format == "U") {
    held.add_buffer(places<std::int64_t>(choices, cells, kBytes));
    held.add_buffer(buffer(choices, cells));
  } else if (format == "vz" || format == "vu") {
    held.add_buffer(buffer(choices, cells));  // sizes, and places in the buffers behind
    held.add_buffer(std::vector<char>(kBytes, 'v'));
    held.add_buffer(std::vector<std::int64_t>{kBytes});
  } else if (format == "+l" || format == "+m") {
    held.add_buffer(places<std::int32_t>(choices, cells, cells));
  } else if (format == "+L") {
    held.add_buffer(places<std::int64_t>(choices, cells, cells));
  } else if (format == "+vl" || format == "+vL") {
    held.add_buffer(buffer(choices, cells));
    held.add_buffer(buffer(choices, cells));
  } else {
    held.add_buffer(buffer(choices, cells));
  }
}

Given column(Choices& choices, std::int64_t rows, unsigned depth, std::string name) {
  auto type = std::make_unique<HeldSchema>();
  auto cells = std::make_unique<HeldArray>();
  type->format = choices.one_of(kFormats);
  std::string buffers_of = type->format;
  if (choices.below(64) == 1) {
    type->format = choices.text(choices.below(12));
    type->format = type->format.c_str();  // nothing behind a NUL
  }
  type->name = std::move(name);
  if (choices.below(32) == 31) type->name = choices.text(4);
  const std::int64_t offset = static_cast<std::int64_t>(choices.below(4));
  add_buffers(choices, buffers_of, static_cast<std::size_t>(rows + offset), *cells);
  add_children(choices, buffers_of, rows + offset, depth, *type, *cells);
  const bool is_index = std::string_view("cCsSiIlL").find(buffers_of) != std::string_view::npos;
  if (depth < 4 && choices.below(is_index ? 3 : 64) == 1) {
    const Given values = column(choices, static_cast<std::int64_t>(choices.below(6)), depth + 1);
    type->dictionary = values.schema;
    cells->dictionary = values.array;
  }
  Given out;
  const bool is_short = choices.byte() == 1 && !cells->buffers.empty();
  HeldSchema::give(std::move(type), ARROW_FLAG_NULLABLE, &out.schema);
  HeldArray::give(std::move(cells), rows, choices.flag() ? -1 : 0, &out.array);
  out.array.offset = offset;
  out.array.length = std::min(rows, odd_number(choices, rows));
  out.array.null_count = odd_number(choices, out.array.null_count);
  if (is_short) --out.array.n_buffers;
  Counted<ArrowSchema>::count(out.schema);
  Counted<ArrowArray>::count(out.array);
  return out;
}

Given table(Choices& choices) {
  auto types = std::make_unique<HeldSchema>();
  auto arrays = std::make_unique<HeldArray>();
  types->format = "+s";
  arrays->add_no_buffer();
  const auto rows = static_cast<std::int64_t>(choices.below(9));
  constexpr std::array kNames{"id", "a", "age", "day", "ill"};
  for (const char* name : kNames) {
    if (choices.below(16) == 15) continue;
    const Given one = column(choices, rows, 0, name);
    types->children.push_back(one.schema);
    arrays->children.push_back(one.array);
  }
  Given out;
  HeldSchema::give(std::move(types), 0, &out.schema);
  HeldArray::give(std::move(arrays), std::min(rows, odd_number(choices, rows)), 0, &out.array);
  Counted<ArrowSchema>::count(out.schema);
  Counted<ArrowArray>::count(out.array);
  return out;
}

void read_all(const Table& read) {
  for (std::size_t i = 0; i < read.columns().size(); ++i) {
    const auto source = read.read({i});
    if (!source) {
      fuzz::require_sentence(source.error());
      continue;
    }
    std::vector<Dictionary> texts(1);
    for (;;) {
      const auto batch = (*source)->next(texts);
      if (!batch) {
        fuzz::require_sentence(batch.error());
        break;
      }
      if (!*batch) break;
      for (const Code code : (*batch)->codes[0])
        require(code == kMissing || code < texts[0].size());
    }
  }
}

// Columns of any type; k is 1 and all may be suppressed, so that a few odd cells can be masked.
constexpr std::array kPlans{"[mask]\nmethod = 'fuse'\nk = 1\n",
                            "[mask]\nmethod = 'microaggregate'\nk = 1\n",
                            "[mask]\nmethod = 'generalize'\nk = 2\nsuppression = 1\n",
                            "[mask]\nmethod = 'an'\nl = 2\n",
                            "[mask]\nmethod = 'an'\nl = 2\noutput = 'list'\n",
                            "[[mask]]\nmethod = 'generalize'\nlevel = 1\ncolumns = ['a']\n"};

// What comes out is as sound as what went in.
void mask(const Table& read, std::size_t choice) {
  std::string text = choice % 2 == 0 ? "missing = 'drop-record'\n" : "shuffle = true\n";
  text += "[column]\nid = {role = 'identifier'}\nill = {role = 'sensitive'}\n";
  text += "a = {role = 'quasi-identifier', hierarchy = 'prefix'}\n";
  const PlanFile plan = PlanFile::parse(text + kPlans[choice / 2], "p.toml").value();
  const auto surveyed = survey(read, plan, fuzz::quiet_work());
  if (!surveyed) return fuzz::require_sentence(surveyed.error());
  const auto model = Model::fit(*surveyed, plan, fuzz::some_key(), fuzz::quiet_work());
  if (!model) return fuzz::require_sentence(model.error());
  MemoryOutput out;
  ApplyOptions options;
  options.work = fuzz::quiet_work();
  options.memory = &out;
  auto release = apply(*model, read, options);
  if (!release) return fuzz::require_sentence(release.error());
  require(release->commit().has_value());
  ArrowArrayStream stream{};
  require(out.stream(&stream).has_value());
  const auto masked = table_from(&stream);
  require(masked.has_value());
  read_all(*masked);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  g_given = g_released = 0;
  {
    Choices choices(fuzz::text_of(data, size));
    const std::size_t choice = choices.below(2 * kPlans.size());
    Given given = table(choices);
    const auto read = table_from(&given.schema, &given.array);
    require(given.schema.release == nullptr && given.array.release == nullptr);
    if (read) {
      read_all(*read);
      mask(*read, choice);
    } else {
      fuzz::require_sentence(read.error());
    }
  }
  require(g_given == g_released);
  return 0;
}
