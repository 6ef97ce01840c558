// The texts of cells in memory are those of Arrow's own cast, type by type.
#include <arrow/compute/cast.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <random>

#include "arrow_memory.h"

namespace semveil {
namespace {

using test::json;
using test::memory_table;
using test::one_column;

using Texts = std::vector<std::optional<std::string>>;

// Both ways that a table's texts are asked for: the text of every row, and codes.
Texts texts_of(const std::shared_ptr<arrow::Array>& cells, std::int64_t rows = 1 << 20) {
  TableOptions options;
  options.missing_values = {};
  const auto table = memory_table(one_column(cells), rows, options);
  if (!table) {
    ADD_FAILURE() << describe(table.error(), Quote::kShow);
    return {};
  }
  const auto source = table->read({0});
  if (!source) {
    ADD_FAILURE() << describe(source.error(), Quote::kShow);
    return {};
  }
  std::vector<Dictionary> dictionaries(1);
  Texts texts;
  for (;;) {
    const auto batch = (*source)->next(dictionaries);
    if (!batch) {
      ADD_FAILURE() << describe(batch.error(), Quote::kShow);
      return {};
    }
    if (*batch == nullptr) return texts;
    const auto direct = (*batch)->texts(0);
    for (std::size_t i = 0; i < (*batch)->rows; ++i) {
      const Code code = (*batch)->codes[0][i];
      texts.emplace_back();
      if (code != kMissing) texts.back() = std::string(dictionaries[0].text(code));
      EXPECT_EQ(direct[i], texts.back());
    }
  }
}

Texts cast_by_arrow(const std::shared_ptr<arrow::Array>& cells) {
  const auto cast = arrow::compute::Cast(*cells, arrow::large_utf8());
  if (!cast.ok()) {
    ADD_FAILURE() << cast.status().ToString();
    return {};
  }
  const auto& texts = static_cast<const arrow::LargeStringArray&>(**cast);
  Texts out;
  for (std::int64_t i = 0; i < texts.length(); ++i) {
    out.emplace_back();
    if (texts.IsValid(i)) out.back() = texts.GetString(i);
  }
  return out;
}

void expect_as_cast(const std::shared_ptr<arrow::Array>& cells) {
  const Texts expected = cast_by_arrow(cells);
  EXPECT_EQ(texts_of(cells), expected) << cells->type()->ToString();
  // Cut, and as a slice whose arrays have an offset.
  EXPECT_EQ(texts_of(cells, 3), expected) << cells->type()->ToString();
  if (cells->length() < 3) return;
  const auto slice = cells->Slice(2, cells->length() - 3);
  EXPECT_EQ(texts_of(slice), Texts(expected.begin() + 2, expected.end() - 1))
      << cells->type()->ToString();
}

// Cells of a fixed size with any bytes; every seventh is a null.
std::shared_ptr<arrow::Array> with_bytes(const std::shared_ptr<arrow::DataType>& type,
                                         const std::string& bytes) {
  const std::int64_t rows = static_cast<std::int64_t>(bytes.size()) / type->byte_width();
  auto valid = arrow::AllocateEmptyBitmap(rows).ValueOrDie();
  std::int64_t nulls = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    if (i % 7 == 3) {
      ++nulls;
    } else {
      arrow::bit_util::SetBit(valid->mutable_data(), i);
    }
  }
  return arrow::MakeArray(arrow::ArrayData::Make(
      type, rows, {std::move(valid), arrow::Buffer::FromString(bytes)}, nulls));
}

template <class Number>
std::shared_ptr<arrow::Array> with_numbers(const std::shared_ptr<arrow::DataType>& type,
                                           const std::vector<Number>& numbers) {
  std::string bytes(numbers.size() * sizeof(Number), '\0');
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return with_bytes(type, bytes);
}

// Numbers of all sizes, both signs, and those around `turns`.
std::vector<std::int64_t> numbers_around(const std::vector<std::int64_t>& turns) {
  std::mt19937_64 random(21);
  std::vector<std::int64_t> numbers{0, 1, -1};
  for (const std::int64_t turn : turns) {
    for (const std::int64_t more : {-1, 0, 1}) numbers.push_back(turn + more);
  }
  for (unsigned bits = 1; bits < 64; ++bits) {
    for (int i = 0; i < 8; ++i) {
      const auto number = static_cast<std::int64_t>(random() >> (64 - bits));
      numbers.push_back(i % 2 == 0 ? number : -number);
    }
  }
  return numbers;
}

template <class Number>
std::vector<Number> narrowed(const std::vector<std::int64_t>& numbers) {
  std::vector<Number> narrow;
  for (const std::int64_t number : numbers) narrow.push_back(static_cast<Number>(number));
  return narrow;
}

TEST(MemoryTexts, OfIntegersAndBooleansAreThoseOfTheCast) {
  const auto numbers = numbers_around({127, -128, 255, 32767, 65535, 2147483647, 4294967295});
  expect_as_cast(with_numbers(arrow::int8(), narrowed<std::int8_t>(numbers)));
  expect_as_cast(with_numbers(arrow::uint8(), narrowed<std::uint8_t>(numbers)));
  expect_as_cast(with_numbers(arrow::int16(), narrowed<std::int16_t>(numbers)));
  expect_as_cast(with_numbers(arrow::uint16(), narrowed<std::uint16_t>(numbers)));
  expect_as_cast(with_numbers(arrow::int32(), narrowed<std::int32_t>(numbers)));
  expect_as_cast(with_numbers(arrow::uint32(), narrowed<std::uint32_t>(numbers)));
  expect_as_cast(with_numbers(arrow::int64(), numbers));
  expect_as_cast(with_numbers(arrow::uint64(), narrowed<std::uint64_t>(numbers)));
  expect_as_cast(
      json(arrow::boolean(), "[true, false, null, true, true, false, null, true, true]"));
  expect_as_cast(json(arrow::null(), "[null, null, null]"));
}

TEST(MemoryTexts, OfFloatingPointNumbersAreThoseOfTheCast) {
  std::mt19937_64 random(22);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<double> doubles{0.0,
                              -0.0,
                              1.0,
                              12.5,
                              0.1,
                              1.0 / 3,
                              1e14,
                              1e15,
                              1e16,
                              1e-5,
                              1e-6,
                              1e-7,
                              1e20,
                              1e21,
                              123456789012345.0,
                              1234567890123456.0,
                              5e-324,
                              1.7976931348623157e308,
                              kInfinity,
                              -kInfinity,
                              std::numeric_limits<double>::quiet_NaN(),
                              999999999999999.9,
                              9.9999999e-7,
                              100,
                              1e5,
                              -2.5e-6};
  for (int i = 0; i < 2000; ++i) doubles.push_back(std::bit_cast<double>(random()));
  for (int i = 0; i < 2000; ++i) {
    doubles.push_back(static_cast<double>(random() % 2'000'000) / 1000 - 1000);
  }
  std::vector<float> floats;
  for (const double number : doubles) floats.push_back(static_cast<float>(number));
  for (int i = 0; i < 2000; ++i) {
    floats.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(random())));
  }
  std::vector<std::uint16_t> halves;
  for (unsigned bits = 0; bits < 65536; bits += 7) {
    halves.push_back(static_cast<std::uint16_t>(bits));
  }
  expect_as_cast(with_numbers(arrow::float64(), doubles));
  expect_as_cast(with_numbers(arrow::float32(), floats));
  expect_as_cast(with_numbers(arrow::float16(), halves));
}

TEST(MemoryTexts, OfDecimalsAreThoseOfTheCast) {
  std::mt19937_64 random(23);
  const std::vector<std::shared_ptr<arrow::DataType>> types{
      arrow::decimal32(5, 2),    arrow::decimal32(9, 0),    arrow::decimal64(18, 7),
      arrow::decimal128(38, 10), arrow::decimal128(20, -3), arrow::decimal128(38, 0),
      arrow::decimal128(7, 7),   arrow::decimal128(38, 38), arrow::decimal256(70, 3),
      arrow::decimal256(76, 40), arrow::decimal256(60, -9)};
  for (const auto& type : types) {
    const auto width = static_cast<std::size_t>(type->byte_width());
    std::string bytes;
    for (int i = 0; i < 200; ++i) {
      // Small ones, too: the bytes above are all those of the sign. At most the type's digits.
      const std::size_t used = 1 + random() % (width - width / 4);
      const bool negative = random() % 2 == 0;
      std::string cell(width, negative ? '\xFF' : '\0');
      for (std::size_t b = 0; b < used; ++b) cell[b] = static_cast<char>(random());
      if (used < width) bytes += cell;
    }
    bytes += std::string(width, '\0');
    expect_as_cast(with_bytes(type, bytes));
  }
}

TEST(MemoryTexts, OfDaysAndTimesAreThoseOfTheCast) {
  const std::vector<std::int64_t> days{-12687428, 11248737, -719162, -719529,
                                       2932896,   18262,    11016};
  expect_as_cast(with_numbers(arrow::date32(), narrowed<std::int32_t>(numbers_around(days))));
  std::vector<std::int64_t> milliseconds;
  for (const std::int64_t day : days) milliseconds.push_back(day * 86'400'000);
  expect_as_cast(with_numbers(arrow::date64(), numbers_around(milliseconds)));
  for (const auto unit : {arrow::TimeUnit::SECOND, arrow::TimeUnit::MILLI}) {
    const std::int64_t second = unit == arrow::TimeUnit::SECOND ? 1 : 1000;
    expect_as_cast(with_numbers(arrow::time32(unit), narrowed<std::int32_t>(numbers_around(
                                                         {3723 * second, 86400 * second}))));
  }
  for (const auto unit : {arrow::TimeUnit::MICRO, arrow::TimeUnit::NANO}) {
    const std::int64_t second = unit == arrow::TimeUnit::MICRO ? 1'000'000 : 1'000'000'000;
    expect_as_cast(
        with_numbers(arrow::time64(unit), numbers_around({3723 * second, 86400 * second})));
    expect_as_cast(with_numbers(arrow::duration(unit), numbers_around({second})));
  }
}

class TextsOfTimestamps : public testing::TestWithParam<std::string> {};

TEST_P(TextsOfTimestamps, AreThoseOfTheCast) {
  std::mt19937_64 random(24);
  for (const auto& [unit, second] :
       {std::pair(arrow::TimeUnit::SECOND, std::int64_t{1}),
        std::pair(arrow::TimeUnit::MILLI, std::int64_t{1'000}),
        std::pair(arrow::TimeUnit::MICRO, std::int64_t{1'000'000}),
        std::pair(arrow::TimeUnit::NANO, std::int64_t{1'000'000'000})}) {
    std::vector<std::int64_t> numbers{0, 1, -1, second, -second};
    // From 1850 to 2120, and a wider range where the unit has it.
    for (int i = 0; i < 400; ++i) {
      const auto seconds = static_cast<std::int64_t>(random() % 8'520'336'000) - 3'786'912'000;
      numbers.push_back(seconds * second + static_cast<std::int64_t>(random() % second));
    }
    if (second < 1'000'000'000 && GetParam().empty()) {
      for (const std::int64_t edge :
           {std::int64_t{971'890'963'200}, std::int64_t{-1'096'193'779'200},
            std::int64_t{253402300800}, std::int64_t{-62135596800}, std::int64_t{-62167219200}}) {
        for (const std::int64_t more : {-1, 0, 1}) numbers.push_back(edge * second + more);
      }
    }
    expect_as_cast(with_numbers(arrow::timestamp(unit, GetParam()), numbers));
  }
}

INSTANTIATE_TEST_SUITE_P(MemoryTexts, TextsOfTimestamps,
                         testing::Values("", "UTC", "+01:00", "-0530", "Etc/UTC", "Europe/Berlin",
                                         "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata",
                                         "Europe/Dublin", "America/Nuuk"));

TEST(MemoryTexts, OfTextsAreTheirBytes) {
  const char* const cells =
      R"(["flu", "", null, "a text that is longer than twelve bytes", "über", "flu", "x", null, "y"])";
  const Texts expected{"flu",  "",    std::nullopt, "a text that is longer than twelve bytes",
                       "über", "flu", "x",          std::nullopt,
                       "y"};
  for (const auto& type : {arrow::utf8(), arrow::large_utf8(), arrow::utf8_view(), arrow::binary(),
                           arrow::large_binary(), arrow::binary_view()}) {
    const auto texts = json(type, cells);
    EXPECT_EQ(texts_of(texts), expected) << type->ToString();
    EXPECT_EQ(texts_of(texts->Slice(3, 5)), Texts(expected.begin() + 3, expected.begin() + 8));
    EXPECT_EQ(texts_of(texts, 2), expected);
  }
}

TEST(MemoryTexts, OfDictionariesAreThoseOfTheirValues) {
  const Texts expected{"b", "a", std::nullopt, std::nullopt, "b", "a"};
  for (const auto& index : {arrow::int8(), arrow::uint8(), arrow::int16(), arrow::uint16(),
                            arrow::int32(), arrow::uint32(), arrow::int64(), arrow::uint64()}) {
    for (const auto& values : {arrow::utf8(), arrow::large_utf8(), arrow::utf8_view()}) {
      // "unused" is no cell's; the fourth cell points to a null.
      const auto cells = arrow::DictionaryArray::FromArrays(
                             arrow::dictionary(index, values), json(index, "[2, 0, null, 3, 2, 0]"),
                             json(values, R"(["a", "unused", "b", null])"))
                             .ValueOrDie();
      EXPECT_EQ(texts_of(cells), expected);
      EXPECT_EQ(texts_of(cells->Slice(1, 4)), Texts(expected.begin() + 1, expected.begin() + 5));
    }
  }
  const auto numbers = arrow::DictionaryArray::FromArrays(
                           arrow::dictionary(arrow::int8(), arrow::float64()),
                           json(arrow::int8(), "[1, 0]"), json(arrow::float64(), "[2.5, 3]"))
                           .ValueOrDie();
  EXPECT_EQ(texts_of(numbers), (Texts{"3", "2.5"}));
}

TEST(MemoryTexts, OfListsAreJson) {
  const char* const cells = R"([["a", "b\"c"], null, [], ["d", null], ["e", "f"]])";
  const Texts expected{R"(["a","b\"c"])", std::nullopt, "[]", R"(["d",null])", R"(["e","f"])"};
  for (const auto& type : {arrow::list(arrow::utf8()), arrow::large_list(arrow::large_utf8()),
                           arrow::list(arrow::utf8_view())}) {
    const auto lists = json(type, cells);
    EXPECT_EQ(texts_of(lists), expected);
    EXPECT_EQ(texts_of(lists->Slice(3, 2)), Texts(expected.begin() + 3, expected.end()));
  }
  const auto fixed =
      json(arrow::fixed_size_list(arrow::utf8(), 2), R"([["a", "b"], null, ["c", "d"]])");
  EXPECT_EQ(texts_of(fixed), (Texts{R"(["a","b"])", std::nullopt, R"(["c","d"])"}));
}

TEST(MemoryTexts, ThatAreNoneAreRefusedWithTheColumn) {
  const auto refusal = [](const std::shared_ptr<arrow::Array>& cells) {
    const auto table = memory_table(one_column(cells, "when"));
    if (!table) return Error(table.error());
    const auto source = table->read({0});
    if (!source) return Error(source.error());
    std::vector<Dictionary> dictionaries(1);
    const auto batch = (*source)->next(dictionaries);
    return batch ? Error{} : Error(batch.error());
  };
  const Error nested = refusal(json(arrow::list(arrow::int32()), "[[1]]"));
  EXPECT_THAT(nested.message, testing::HasSubstr("has no text"));
  EXPECT_EQ(nested.place.column, "when");
  const Error zone = refusal(json(arrow::timestamp(arrow::TimeUnit::SECOND, "Nowhere/X"), "[0]"));
  EXPECT_THAT(zone.message, testing::HasSubstr("time zone 'Nowhere/X'"));
  const Error bytes = refusal(arrow::MakeArray(json(arrow::binary(), R"(["a"])")->data())
                                  ->View(arrow::binary())
                                  .ValueOrDie());
  EXPECT_EQ(bytes.message, "");
  arrow::BinaryBuilder builder;
  ASSERT_TRUE(builder.Append("\xFF").ok());
  const Error not_utf8 = refusal(builder.Finish().ValueOrDie());
  EXPECT_THAT(not_utf8.message, testing::HasSubstr("UTF-8"));
  EXPECT_EQ(not_utf8.place.column, "when");
}

}  // namespace
}  // namespace semveil
