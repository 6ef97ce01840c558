#include "semveil/key.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <memory>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

#include "semveil/files.h"
#include "support/temporary_folder.h"

namespace semveil {
namespace {

std::string hexadecimal(const Key& key) {
  std::string text;
  for (const unsigned char byte : key.bytes()) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 15U];
  }
  return text;
}

Key counting_key() {  // 00 01 02 … 1f
  std::array<unsigned char, Key::kSize> bytes{};
  std::iota(bytes.begin(), bytes.end(), static_cast<unsigned char>(0));
  return Key::from_bytes(bytes);
}

Draws counting_draws() {
  return Draws(stream_key(counting_key(), "digest", "2026-Q4"), "diagnosis");
}

std::vector<std::uint64_t> rows(const Draws& draws, std::uint64_t first, std::size_t count,
                                std::uint32_t draw = 0) {
  std::vector<std::uint64_t> out(count);
  draws.of_rows(first, draw, out);
  return out;
}

std::uint64_t at_address(const Draws& draws, std::uint64_t address, std::uint32_t draw = 0) {
  std::uint64_t out = 0;
  draws.of_addresses({&address, 1}, draw, {&out, 1});
  return out;
}

// docs/formats/draws.md, test vector; its program, and not this library, computed the numbers.
TEST(Draws, GiveTheNumbersOfTheFormatsTestVector) {
  const Key stream = stream_key(counting_key(), "digest", "2026-Q4");
  EXPECT_EQ(hexadecimal(stream),
            "a8c9b8ae15bd3adfd1624299b2818d56be84785ecd21133adf27342c03e392ad");
  EXPECT_EQ(hexadecimal(stream.derive("column", std::array<std::string_view, 1>{"diagnosis"})),
            "a7d0e5929bd92130ad790c86fc40e1a592c29547dd9e00f5de2982a6accd4cb2");
  const Draws draws(stream, "diagnosis");
  EXPECT_EQ(rows(draws, 0, 1), std::vector{0x388112278cf660dbU});
  EXPECT_EQ(rows(draws, 1, 1), std::vector{0x4521a4dcc97c7f93U});
  EXPECT_EQ(rows(draws, 8, 1), std::vector{0x482d5388aab01e3bU});
  EXPECT_EQ(rows(draws, 0, 1, 1), std::vector{0x12c966c444919534U});
  EXPECT_EQ(rows(draws, (std::uint64_t{1} << 40U) + 3, 1, 7), std::vector{0x7f20683ea92629c3U});

  const Key persons = person_stream_key(counting_key());
  EXPECT_EQ(hexadecimal(persons),
            "fe1f83021ae363b1db109b4d5db3ea30ac8f67ebc3fea11f19c62e686edf98d6");
  const Draws by_person(persons, "diagnosis");
  const std::uint64_t address = by_person.address("P-17", "gastritis");
  EXPECT_EQ(address, 0xf7516b8e0081b17fU);
  EXPECT_EQ(at_address(by_person, address), 0x9f5d6496a446de4aU);
  EXPECT_EQ(at_address(by_person, address, 1), 0x4e34c5ca11f064f4U);
}

TEST(Draws, AreTheSameHoweverTheRowsAreCut) {
  const Draws draws = counting_draws();
  constexpr std::size_t kRows = 700;
  const auto whole = rows(draws, 0, kRows, 3);
  for (std::size_t first = 0; first < 40; ++first) {
    for (std::size_t count = 0; count < 80; ++count) {
      const auto part = rows(draws, first, count, 3);
      ASSERT_TRUE(
          std::equal(part.begin(), part.end(), whole.begin() + static_cast<std::ptrdiff_t>(first)))
          << first << " " << count;
    }
  }
  for (std::size_t batch = 1; batch < 300; ++batch) {
    std::vector<std::uint64_t> joined;
    for (std::size_t first = 0; first < kRows; first += batch) {
      const auto part = rows(draws, first, std::min(batch, kRows - first), 3);
      joined.insert(joined.end(), part.begin(), part.end());
    }
    ASSERT_EQ(joined, whole) << batch;
  }
}

TEST(Draws, ReachTheLastRowsThereAre) {
  const Draws draws = counting_draws();
  const std::uint64_t last = ~std::uint64_t{0};
  const auto two = rows(draws, last - 1, 2);
  EXPECT_EQ(rows(draws, last, 1)[0], two[1]);
  EXPECT_NE(two[0], two[1]);
}

TEST(Draws, AreTheSameInEveryThread) {
  const Draws draws = counting_draws();
  const auto alone = rows(draws, 0, 4096);
  std::vector<std::vector<std::uint64_t>> together(4);
  {
    std::vector<std::jthread> threads;
    for (auto& out : together) {
      threads.emplace_back([&] { out = rows(draws, 0, 4096); });
    }
  }
  EXPECT_THAT(together, testing::Each(alone));
}

// Two of n random draws are equal with probability n² / 2^65: here below 1e-8, and the keys are
// fixed, so that the test never changes its mind.
TEST(Draws, OfOtherRowsColumnsDrawNumbersReleasesTablesAndKeysDiffer) {
  const Key key = counting_key();
  const Key other = key.derive("test", {});
  constexpr std::size_t kRows = 20000;
  std::vector<std::uint64_t> all;
  const auto add = [&all](const std::vector<std::uint64_t>& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  for (const std::uint32_t draw : {0U, 1U, 0x80000000U, 0xffffffffU}) {
    add(rows(Draws(stream_key(key, "d", "r"), "a"), 0, kRows, draw));
    add(rows(Draws(stream_key(key, "d", "r"), "b"), 0, kRows, draw));
    add(rows(Draws(stream_key(key, "d", "s"), "a"), 0, kRows, draw));
    add(rows(Draws(stream_key(key, "e", "r"), "a"), 0, kRows, draw));
    add(rows(Draws(stream_key(other, "d", "r"), "a"), 0, kRows, draw));
    add(rows(Draws(person_stream_key(key), "a"), 0, kRows, draw));
    std::vector<std::uint64_t> addresses(kRows);
    std::iota(addresses.begin(), addresses.end(), 0U);
    std::vector<std::uint64_t> out(kRows);
    Draws(stream_key(key, "d", "r"), "a").of_addresses(addresses, draw, out);
    add(out);
  }
  const std::size_t count = all.size();
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  EXPECT_EQ(all.size(), count);
}

TEST(Draws, OfAddressesBelongToThemInAnyOrder) {
  const Draws draws = counting_draws();
  const std::vector<std::uint64_t> addresses{5, 0, ~std::uint64_t{0}, 5, 1};
  std::vector<std::uint64_t> out(addresses.size());
  draws.of_addresses(addresses, 2, out);
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    EXPECT_EQ(out[i], at_address(draws, addresses[i], 2)) << i;
  }
  EXPECT_EQ(out[0], out[3]);
}

TEST(Draws, AddressDependsOnPersonAndValueAndNotOnTheirConcatenation) {
  const Draws draws = counting_draws();
  const std::string long_text(2000, 'x');
  const std::set<std::uint64_t> addresses{
      draws.address("ab", "c"),           draws.address("a", "bc"),
      draws.address("abc", ""),           draws.address("", "abc"),
      draws.address("c", "ab"),           draws.address("ab", "d"),
      draws.address("ac", "c"),           draws.address("", ""),
      draws.address(long_text, "c"),      draws.address("c", long_text),
      draws.address(long_text + "c", ""),
  };
  EXPECT_EQ(addresses.size(), 11U);
  EXPECT_EQ(draws.address("ab", "c"), draws.address("ab", "c"));
}

TEST(Draws, AddressTakesTextsOfAnyLength) {
  const Draws draws = counting_draws();
  std::set<std::uint64_t> addresses;
  for (std::size_t size = 480; size < 520; ++size) {  // around the size kept on the stack
    addresses.insert(draws.address(std::string(size, 'x'), ""));
  }
  EXPECT_EQ(addresses.size(), 40U);
}

TEST(Draws, AddressIsKeyedByColumnAndStream) {
  const Key key = counting_key();
  const std::set<std::uint64_t> addresses{
      Draws(person_stream_key(key), "a").address("p", "v"),
      Draws(person_stream_key(key), "b").address("p", "v"),
      Draws(person_stream_key(key.derive("test", {})), "a").address("p", "v"),
  };
  EXPECT_EQ(addresses.size(), 3U);
}

// Chi-square over byte values, 255 degrees of freedom: above 377 or below 158 once in a million
// keys each. The key is fixed: the test says the same every time.
TEST(Draws, HaveEvenBytes) {
  const Draws draws = counting_draws();
  constexpr std::size_t kDraws = 1U << 17U;
  const auto chi_square = [](const std::vector<std::uint64_t>& sample, unsigned shift) {
    std::vector<double> counts(256);
    for (const std::uint64_t draw : sample) counts[draw >> shift & 255U] += 1;
    const double expected = static_cast<double>(sample.size()) / 256;
    double sum = 0;
    for (const double count : counts) sum += (count - expected) * (count - expected) / expected;
    return sum;
  };
  const auto in_rows = rows(draws, 0, kDraws);
  std::vector<std::uint64_t> addresses(kDraws);
  for (std::size_t i = 0; i < kDraws; ++i) addresses[i] = draws.address(std::to_string(i), "v");
  std::vector<std::uint64_t> at_addresses(kDraws);
  draws.of_addresses(addresses, 0, at_addresses);
  for (unsigned byte = 0; byte < 8; ++byte) {
    for (const auto& sample : {in_rows, addresses, at_addresses}) {
      EXPECT_LT(chi_square(sample, 8 * byte), 377) << byte;
      EXPECT_GT(chi_square(sample, 8 * byte), 158) << byte;
    }
  }
}

TEST(Key, DerivedDependsOnEveryPartAndNotOnTheirConcatenation) {
  const Key key = counting_key();
  using Parts = std::vector<std::string_view>;
  std::set<std::string> keys{hexadecimal(key)};
  const std::vector<std::pair<std::string_view, Parts>> all{
      {"ab", {}},   {"a", {"b"}},     {"", {"ab"}},     {"", {"a", "b"}}, {"", {"", "ab"}},
      {"ab", {""}}, {"a", {"b", ""}}, {"", {"b", "a"}}, {"", {}},         {"", {""}}};
  for (const auto& [purpose, parts] : all) {
    keys.insert(hexadecimal(key.derive(purpose, parts)));
    keys.insert(hexadecimal(key.derive("test", {}).derive(purpose, parts)));
  }
  EXPECT_EQ(keys.size(), 1 + 2 * all.size());
}

// The parts' own layout cannot be made to look like another list of parts.
TEST(Key, DerivedTakesLengthsApartFromTexts) {
  const Key key = counting_key();
  const std::string forged("a\0\0\0\0\0\0\0\1b", 10);
  EXPECT_NE(hexadecimal(key.derive("x", std::array<std::string_view, 2>{"a", "b"})),
            hexadecimal(key.derive("x", std::array<std::string_view, 1>{forged})));
}

TEST(Key, OfASeedIsTheSameForTheSameText) {
  const Result<Key> key = Key::from_seed("correct horse");
  ASSERT_TRUE(key);
  EXPECT_EQ(hexadecimal(*key), "d162ec3ec93c67d384462a625479cdfb19512068b86c7eeaa20626daec294bc1");
  const Result<Key> other = Key::from_seed(std::string_view("correct horse\0", 14));
  ASSERT_TRUE(other);
  EXPECT_NE(hexadecimal(*other), hexadecimal(*key));
}

TEST(Key, OfAnEmptySeedIsRefused) {
  const Result<Key> key = Key::from_seed("");
  ASSERT_FALSE(key);
  EXPECT_EQ(key.error().code, ErrorCode::kData);
}

TEST(Key, FreshOnesDiffer) { EXPECT_NE(hexadecimal(Key::fresh()), hexadecimal(Key::fresh())); }

TEST(Key, IsReadFromBytesOrDigits) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/key";
  const std::string digits = hexadecimal(counting_key());
  std::string capitals = digits;
  std::transform(capitals.begin(), capitals.end(), capitals.begin(), ::toupper);
  std::string raw;
  const Key counting = counting_key();
  for (const unsigned char byte : counting.bytes()) raw += static_cast<char>(byte);
  for (const std::string& text : {raw, digits, digits + "\n", digits + "\r\n", capitals + "\n"}) {
    ASSERT_TRUE(write_file(path, text));
    const Result<Key> key = Key::read(path);
    ASSERT_TRUE(key) << key.error().message;
    EXPECT_EQ(hexadecimal(*key), digits);
  }
}

TEST(Key, ThatBeginsLikeAPackedFileIsReadAsItIs) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/key";
  const std::string raw = "\x1f\x8b" + std::string(30, 'k');
  ASSERT_TRUE(write_file(path, raw));
  const Result<Key> key = Key::read(path);
  ASSERT_TRUE(key);
  EXPECT_TRUE(std::equal(raw.begin(), raw.end(), key->bytes().begin(), [](char a, unsigned char b) {
    return static_cast<unsigned char>(a) == b;
  }));
}

TEST(Key, OfAnotherSizeOrFormIsRefusedAndNotQuoted) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/key";
  const std::string digits = hexadecimal(counting_key());
  const std::string almost = digits.substr(0, 63);
  for (const std::string& text :
       {std::string(), std::string(31, 'k'), std::string(33, 'k'), almost, almost + "g",
        digits + "0", digits + "\n\n", " " + digits, digits + " "}) {
    ASSERT_TRUE(write_file(path, text));
    const Result<Key> key = Key::read(path);
    ASSERT_FALSE(key) << text;
    EXPECT_EQ(key.error().code, ErrorCode::kData);
    EXPECT_EQ(key.error().place.file, path);
    EXPECT_EQ(describe(key.error(), Quote::kShow).find(digits.substr(0, 16)), std::string::npos);
  }
  EXPECT_FALSE(Key::read(folder.path() + "/none"));
}

// Reads this process's own memory, and tells whether it is there.
bool can_be_read(const unsigned char* at) {
  unsigned char byte = 0;
  iovec here{&byte, 1};
  iovec there{const_cast<unsigned char*>(at), 1};
  return ::process_vm_readv(::getpid(), &here, 1, &there, 1, 0) == 1;
}

// The flags of the mapping that an address lies in, as /proc/self/smaps tells them: "rd wr lo dd".
std::string mapping_flags(const unsigned char* at) {
  std::ifstream maps("/proc/self/smaps");
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  bool is_here = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t from = 0, to = 0;
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " ", &from, &to) == 2) {
      is_here = from <= address && address < to;
    }
    if (is_here && line.starts_with("VmFlags:")) return line;
  }
  return "";
}

TEST(Key, StandsInOnePlaceThatGoesWithTheLastCopy) {
  auto key = std::make_unique<Key>(counting_key());
  const unsigned char* const place = key->bytes().data();
  ASSERT_TRUE(can_be_read(place));
  auto copy = std::make_unique<Key>(*key);
  EXPECT_EQ(copy->bytes().data(), place);
  key.reset();
  EXPECT_TRUE(can_be_read(place));
  copy.reset();
  EXPECT_FALSE(can_be_read(place)) << "wiped, and given back to the system";
}

TEST(Key, ManyKeysShareAPage) {
  // 65,530 mappings are what Linux gives a process.
  std::vector<Key> keys;
  for (int i = 0; i < 40'000; ++i) keys.push_back(Key::fresh());
  std::set<const unsigned char*> places;
  for (const Key& key : keys) places.insert(key.bytes().data());
  EXPECT_EQ(places.size(), keys.size());
  const unsigned char* const first = keys.front().bytes().data();
  const std::string digits = hexadecimal(keys.front());
  keys.erase(keys.begin() + 1, keys.end());
  const Key another = counting_key();
  EXPECT_EQ(hexadecimal(keys.front()), digits);
  EXPECT_EQ(keys.front().bytes().data(), first);
  EXPECT_EQ(hexadecimal(another), hexadecimal(counting_key()));
}

TEST(Key, IsWipedWhereOthersStay) {
  const Key stays = counting_key();
  auto goes = std::make_unique<Key>(counting_key());
  const unsigned char* const place = goes->bytes().data();
  goes.reset();
  ASSERT_TRUE(can_be_read(place));
  EXPECT_TRUE(std::all_of(place, place + Key::kSize, [](unsigned char byte) { return byte == 0; }));
  EXPECT_EQ(hexadecimal(stays), hexadecimal(counting_key()));
}

TEST(Key, IsLockedAndLeftOutOfCoreDumps) {
  rlimit locked{};
  ::getrlimit(RLIMIT_MEMLOCK, &locked);
  if (locked.rlim_cur < (1U << 16U)) GTEST_SKIP() << "no memory may be locked here (ulimit -l)";
  const Key key = counting_key();
  const std::string flags = mapping_flags(key.bytes().data());
  EXPECT_THAT(flags, testing::HasSubstr(" lo"));
  EXPECT_THAT(flags, testing::HasSubstr(" dd"));
  int elsewhere = 0;
  EXPECT_THAT(mapping_flags(reinterpret_cast<const unsigned char*>(&elsewhere)),
              testing::Not(testing::HasSubstr(" lo")));
}

}  // namespace
}  // namespace semveil
