#include "table/memory/field_type.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include "table/memory/held.h"

namespace semveil {
namespace {

struct PlainFormat {  // formats without parameters
  std::string_view format;
  ArrayLayout layout;
  std::size_t width;
  CellMeaning meaning;
  std::int64_t per_second = 1;
};

constexpr std::int64_t kMilli = 1'000, kMicro = 1'000'000, kNano = 1'000'000'000;
constexpr std::array kPlainFormats{
    PlainFormat{"n", ArrayLayout::kNull, 0, CellMeaning::kNull},
    PlainFormat{"b", ArrayLayout::kBits, 0, CellMeaning::kBoolean},
    PlainFormat{"c", ArrayLayout::kFixed, 1, CellMeaning::kSigned},
    PlainFormat{"C", ArrayLayout::kFixed, 1, CellMeaning::kUnsigned},
    PlainFormat{"s", ArrayLayout::kFixed, 2, CellMeaning::kSigned},
    PlainFormat{"S", ArrayLayout::kFixed, 2, CellMeaning::kUnsigned},
    PlainFormat{"i", ArrayLayout::kFixed, 4, CellMeaning::kSigned},
    PlainFormat{"I", ArrayLayout::kFixed, 4, CellMeaning::kUnsigned},
    PlainFormat{"l", ArrayLayout::kFixed, 8, CellMeaning::kSigned},
    PlainFormat{"L", ArrayLayout::kFixed, 8, CellMeaning::kUnsigned},
    PlainFormat{"e", ArrayLayout::kFixed, 2, CellMeaning::kFloat},
    PlainFormat{"f", ArrayLayout::kFixed, 4, CellMeaning::kFloat},
    PlainFormat{"g", ArrayLayout::kFixed, 8, CellMeaning::kFloat},
    PlainFormat{"z", ArrayLayout::kBytes32, 0, CellMeaning::kBytes},
    PlainFormat{"Z", ArrayLayout::kBytes64, 0, CellMeaning::kBytes},
    PlainFormat{"vz", ArrayLayout::kViews, 0, CellMeaning::kBytes},
    PlainFormat{"u", ArrayLayout::kBytes32, 0, CellMeaning::kText},
    PlainFormat{"U", ArrayLayout::kBytes64, 0, CellMeaning::kText},
    PlainFormat{"vu", ArrayLayout::kViews, 0, CellMeaning::kText},
    PlainFormat{"tdD", ArrayLayout::kFixed, 4, CellMeaning::kDate},
    PlainFormat{"tdm", ArrayLayout::kFixed, 8, CellMeaning::kDate, kMilli},
    PlainFormat{"tts", ArrayLayout::kFixed, 4, CellMeaning::kTime, 1},
    PlainFormat{"ttm", ArrayLayout::kFixed, 4, CellMeaning::kTime, kMilli},
    PlainFormat{"ttu", ArrayLayout::kFixed, 8, CellMeaning::kTime, kMicro},
    PlainFormat{"ttn", ArrayLayout::kFixed, 8, CellMeaning::kTime, kNano},
    PlainFormat{"tDs", ArrayLayout::kFixed, 8, CellMeaning::kDuration},
    PlainFormat{"tDm", ArrayLayout::kFixed, 8, CellMeaning::kDuration},
    PlainFormat{"tDu", ArrayLayout::kFixed, 8, CellMeaning::kDuration},
    PlainFormat{"tDn", ArrayLayout::kFixed, 8, CellMeaning::kDuration},
    PlainFormat{"tiM", ArrayLayout::kFixed, 4, CellMeaning::kOther},
    PlainFormat{"tiD", ArrayLayout::kFixed, 8, CellMeaning::kOther},
    PlainFormat{"tin", ArrayLayout::kFixed, 16, CellMeaning::kOther},
    PlainFormat{"+l", ArrayLayout::kList32, 0, CellMeaning::kOther},
    PlainFormat{"+L", ArrayLayout::kList64, 0, CellMeaning::kOther},
    PlainFormat{"+m", ArrayLayout::kList32, 0, CellMeaning::kOther},
    PlainFormat{"+vl", ArrayLayout::kListView32, 0, CellMeaning::kOther},
    PlainFormat{"+vL", ArrayLayout::kListView64, 0, CellMeaning::kOther},
    PlainFormat{"+s", ArrayLayout::kStruct, 0, CellMeaning::kOther},
    PlainFormat{"+r", ArrayLayout::kRunEnds, 0, CellMeaning::kOther},
};

Error damaged_schema(const FieldType& type, std::string_view what) {
  return data_error(fmt::format("the schema is damaged: the type '{}' {}", type.format, what))
      .at({.file = {}, .line = 0, .column = type.name});
}

// Whole numbers with commas between them.
std::optional<std::vector<int>> numbers_in(std::string_view text) {
  std::vector<int> numbers;
  while (!text.empty()) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return std::nullopt;
    numbers.push_back(number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty()) break;
    if (text.front() != ',' || text.size() == 1) return std::nullopt;
    text.remove_prefix(1);
  }
  return numbers;
}

bool read_timestamp(std::string_view format, FieldType& type) {
  if (format.size() < 4 || format[3] != ':') return false;
  switch (format[2]) {
    case 's':
      type.per_second = 1;
      break;
    case 'm':
      type.per_second = kMilli;
      break;
    case 'u':
      type.per_second = kMicro;
      break;
    case 'n':
      type.per_second = kNano;
      break;
    default:
      return false;
  }
  type.layout = ArrayLayout::kFixed;
  type.width = 8;
  type.meaning = CellMeaning::kTimestamp;
  type.zone_name = format.substr(4);
  if (!type.zone_name.empty()) type.zone = TimeZone::find(type.zone_name);
  return true;
}

bool read_decimal(std::string_view text, FieldType& type) {
  const auto numbers = numbers_in(text);
  if (!numbers || numbers->size() < 2 || numbers->size() > 3) return false;
  const int bits = numbers->size() == 3 ? (*numbers)[2] : 128;
  if (bits != 32 && bits != 64 && bits != 128 && bits != 256) return false;
  type.layout = ArrayLayout::kFixed;
  type.meaning = CellMeaning::kDecimal;
  type.width = static_cast<std::size_t>(bits) / 8;
  type.scale = (*numbers)[1];
  constexpr int kMostDigits = 1 << 20;  // far beyond what any decimal has
  return type.scale > -kMostDigits && type.scale < kMostDigits;
}

bool read_union(std::string_view text, FieldType& type) {
  const auto ids = numbers_in(text);
  if (!ids) return false;
  type.union_places.assign(128, -1);
  std::int8_t place = 0;
  for (const int id : *ids) {
    if (id < 0 || id > 127 || type.union_places[static_cast<std::size_t>(id)] >= 0) return false;
    type.union_places[static_cast<std::size_t>(id)] = place++;
  }
  return true;
}

bool read_width(std::string_view text, ArrayLayout layout, FieldType& type) {
  const auto numbers = numbers_in(text);
  if (!numbers || numbers->size() != 1 || numbers->front() < 0) return false;
  type.layout = layout;
  type.width = static_cast<std::size_t>(numbers->front());
  return true;
}

bool read_format(FieldType& type) {
  const std::string_view format = type.format;
  for (const PlainFormat& known : kPlainFormats) {
    if (known.format != format) continue;
    type.layout = known.layout;
    type.width = known.width;
    type.meaning = known.meaning;
    type.per_second = known.per_second;
    return true;
  }
  if (format.starts_with("ts")) return read_timestamp(format, type);
  if (format.starts_with("d:")) return read_decimal(format.substr(2), type);
  if (format.starts_with("w:")) return read_width(format.substr(2), ArrayLayout::kFixed, type);
  if (format.starts_with("+w:")) return read_width(format.substr(3), ArrayLayout::kFixedList, type);
  if (format.starts_with("+us:") || format.starts_with("+ud:")) {
    type.layout = format[2] == 's' ? ArrayLayout::kSparseUnion : ArrayLayout::kDenseUnion;
    return read_union(format.substr(4), type);
  }
  return false;
}

// How many children a type has; nothing: as many as there are.
std::optional<std::int64_t> children_of(const FieldType& type) {
  switch (type.layout) {
    case ArrayLayout::kStruct:
      return std::nullopt;
    case ArrayLayout::kList32:
    case ArrayLayout::kList64:
    case ArrayLayout::kListView32:
    case ArrayLayout::kListView64:
    case ArrayLayout::kFixedList:
      return 1;
    case ArrayLayout::kRunEnds:
      return 2;
    case ArrayLayout::kSparseUnion:
    case ArrayLayout::kDenseUnion: {
      std::int64_t count = 0;
      for (const std::int8_t place : type.union_places) count += place >= 0 ? 1 : 0;
      return count;
    }
    default:
      return 0;
  }
}

bool is_text_like(const FieldType& type) { return type.values().meaning == CellMeaning::kText; }

bool is_plain_list(const FieldType& type) {
  return type.format != "+m" &&
         (type.layout == ArrayLayout::kList32 || type.layout == ArrayLayout::kList64 ||
          type.layout == ArrayLayout::kFixedList);
}

bool is_index(const FieldType& type) {
  return type.layout == ArrayLayout::kFixed &&
         (type.meaning == CellMeaning::kSigned || type.meaning == CellMeaning::kUnsigned);
}

// Pairs, each text with its size before it.
std::string metadata_bytes(const char* metadata) {
  if (metadata == nullptr) return {};
  const auto number_at = [&](std::size_t at) {
    std::int32_t number = 0;
    std::memcpy(&number, metadata + at, sizeof number);
    return number;
  };
  std::size_t size = sizeof(std::int32_t);
  for (std::int64_t texts = std::int64_t{2} * number_at(0); texts > 0; --texts) {
    const std::int32_t length = number_at(size);
    if (length < 0) return {};  // damaged, and of no use to anybody
    size += sizeof(std::int32_t) + static_cast<std::size_t>(length);
  }
  return {metadata, size};
}

Result<FieldType> read_field_type(const ArrowSchema& schema, int depth) {
  constexpr int kDeepest = 64;
  FieldType type;
  if (schema.name != nullptr) type.name = schema.name;
  if (schema.release == nullptr || schema.format == nullptr) {
    return fail(damaged_schema(type, "is not there, or was released already"));
  }
  type.format = schema.format;
  type.flags = schema.flags;
  type.metadata = metadata_bytes(schema.metadata);
  if (depth > kDeepest) return fail(damaged_schema(type, "is nested too deeply"));
  if (!read_format(type)) {
    return fail(data_error(fmt::format("the format '{}' is none of the Arrow C data interface that "
                                       "semveil knows: leave the column out, or cast it",
                                       type.format))
                    .at({.file = {}, .line = 0, .column = type.name}));
  }
  const auto wanted = children_of(type);
  if (schema.n_children < 0 || (wanted && schema.n_children != *wanted)) {
    return fail(damaged_schema(type, fmt::format("has {} children", schema.n_children)));
  }
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    if (schema.children == nullptr || schema.children[i] == nullptr) {
      return fail(damaged_schema(type, "lacks a child"));
    }
    Result<FieldType> child = read_field_type(*schema.children[i], depth + 1);
    if (!child) return child;
    type.children.push_back(*std::move(child));
  }
  if (type.layout == ArrayLayout::kRunEnds && !is_index(type.children[0])) {
    return fail(damaged_schema(type, "has runs whose ends are no numbers"));
  }
  if (schema.dictionary != nullptr) {
    if (!is_index(type)) return fail(damaged_schema(type, "cannot be the index of a dictionary"));
    Result<FieldType> values = read_field_type(*schema.dictionary, depth + 1);
    if (!values) return values;
    type.dictionary.push_back(*std::move(values));
  }
  if (is_plain_list(type) && is_text_like(type.children[0]))
    type.meaning = CellMeaning::kListOfTexts;
  return type;
}

}  // namespace

Result<FieldType> FieldType::read(const ArrowSchema& schema) { return read_field_type(schema, 0); }

bool FieldType::has_text() const {
  if (is_dictionary()) return !dictionary.front().is_dictionary() && dictionary.front().has_text();
  if (meaning == CellMeaning::kTimestamp && !zone_name.empty()) return zone != nullptr;
  return meaning != CellMeaning::kOther;
}

bool FieldType::is_number() const {
  const CellMeaning cells = values().meaning;
  return cells == CellMeaning::kSigned || cells == CellMeaning::kUnsigned ||
         cells == CellMeaning::kFloat || cells == CellMeaning::kDecimal;
}

bool FieldType::has_validity() const {
  return layout != ArrayLayout::kNull && layout != ArrayLayout::kSparseUnion &&
         layout != ArrayLayout::kDenseUnion && layout != ArrayLayout::kRunEnds;
}

bool FieldType::equals(const FieldType& other) const {
  if (name != other.name || format != other.format || children.size() != other.children.size() ||
      dictionary.size() != other.dictionary.size()) {
    return false;
  }
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (!children[i].equals(other.children[i])) return false;
  }
  return !is_dictionary() || dictionary.front().equals(other.dictionary.front());
}

void write_schema(const FieldType& type, ArrowSchema* out) {
  auto held = std::make_unique<HeldSchema>();
  held->format = type.format;
  held->name = type.name;
  held->metadata = type.metadata;
  held->children.resize(type.children.size());
  for (std::size_t i = 0; i < type.children.size(); ++i) {
    write_schema(type.children[i], &held->children[i]);
  }
  if (type.is_dictionary()) write_schema(type.dictionary.front(), &held->dictionary);
  HeldSchema::give(std::move(held), type.flags, out);
}

Error no_text_error(const FieldType& type) {
  if (type.values().meaning == CellMeaning::kTimestamp) {
    return data_error(fmt::format("nobody here knows the time zone '{}': give the column in UTC",
                                  type.values().zone_name));
  }
  return data_error(fmt::format(
      "the column has the type '{}' of the Arrow C data interface, which has no text; use a column "
      "of texts, numbers or dates",
      type.values().format));
}

}  // namespace semveil
