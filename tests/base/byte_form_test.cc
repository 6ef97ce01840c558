#include "base/byte_form.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace semveil {
namespace {

constexpr ByteForm kForm{.name = "a part of a test", .magic = "semvTEST", .version = 3};

std::string Written() {
  ByteWriter out;
  for (unsigned bits = 0; bits < 64; ++bits) out.number(std::uint64_t{1} << bits);
  out.number(std::numeric_limits<std::uint64_t>::max());
  out.number(0);
  out.real(-0.5);
  out.text("");
  out.text("lion");
  out.numbers(std::span<const std::uint32_t>(std::array{7U, 8U, 9U}));
  return std::move(out).take();
}

void Read(ByteReader& in) {
  for (unsigned bits = 0; bits < 64; ++bits) EXPECT_EQ(in.number(), std::uint64_t{1} << bits);
  EXPECT_EQ(in.number(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(in.number(), 0U);
  EXPECT_EQ(in.real(), -0.5);
  EXPECT_EQ(in.text(), "");
  EXPECT_EQ(in.text(), "lion");
  EXPECT_EQ(in.numbers<std::uint32_t>(), (std::vector<std::uint32_t>{7, 8, 9}));
}

TEST(ByteForm, GivesBackWhatWasWritten) {
  const std::string bytes = Written();
  ByteReader in(bytes);
  Read(in);
  EXPECT_TRUE(in.is_done());
}

TEST(ByteForm, IsNotDoneBeforeTheEnd) {
  const std::string bytes = Written() + "x";
  ByteReader in(bytes);
  Read(in);
  EXPECT_TRUE(in.is_sound());
  EXPECT_FALSE(in.is_done());
}

TEST(ByteForm, RefusesTextsThatNoTableHas) {
  ByteWriter out;
  out.text("Löwe");
  out.text("L\xF6we");
  const std::string bytes = std::move(out).take();
  ByteReader in(bytes);
  EXPECT_EQ(in.utf8(), "Löwe");
  EXPECT_TRUE(in.is_sound());
  EXPECT_EQ(in.utf8(), "");
  EXPECT_FALSE(in.is_sound());
  EXPECT_FALSE(in.is_done());
}

TEST(ByteForm, GivesNothingBehindTheEnd) {
  const std::string bytes = Written();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ByteReader in(std::string_view(bytes).substr(0, size));
    for (unsigned i = 0; i < 66; ++i) in.number();
    in.real();
    in.text();
    in.text();
    const auto last = in.numbers<std::uint32_t>();
    EXPECT_FALSE(in.is_sound()) << size;
    EXPECT_TRUE(last.empty()) << size;
    EXPECT_EQ(in.number(), 0U);
    EXPECT_EQ(in.text(), "");
  }
}

TEST(ByteForm, DoesNotBelieveACountThatCannotBe) {
  ByteWriter out;
  out.number(std::uint64_t{1} << 61U);  // times 8 it would be zero
  out.number(1);
  const std::string bytes = std::move(out).take();
  ByteReader in(bytes);
  EXPECT_TRUE(in.numbers<std::uint64_t>().empty());
  EXPECT_FALSE(in.is_sound());
}

TEST(ByteForm, RefusesANumberOfMoreThan64Bits) {
  const std::string bytes = std::string(9, '\xFF') + '\x02';
  ByteReader in(bytes);
  EXPECT_EQ(in.number(), 0U);
  EXPECT_FALSE(in.is_sound());
}

TEST(ByteForm, SealsAndUnseals) {
  const std::string bytes = sealed(kForm, "body");
  const Result<std::string_view> body = unsealed(kForm, bytes);
  ASSERT_TRUE(body);
  EXPECT_EQ(*body, "body");
}

TEST(ByteForm, AnyFlippedBitIsFound) {
  const std::string bytes = sealed(kForm, "body");
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    EXPECT_FALSE(unsealed(kForm, flipped)) << bit;
  }
}

TEST(ByteForm, SaysWhetherBytesAreOfAnotherKindOrVersion) {
  ByteForm other = kForm;
  other.version = 4;
  EXPECT_EQ(unsealed(other, sealed(kForm, "body")).error().message,
            "a part of a test was written by another version of semveil: make it again");
  EXPECT_EQ(unsealed(kForm, "{}").error().message, "these bytes are not a part of a test");
  EXPECT_EQ(unsealed(kForm, sealed(kForm, "body") + "x").error().message,
            "the bytes of a part of a test are damaged: make it again");
}

}  // namespace
}  // namespace semveil
