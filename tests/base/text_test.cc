#include "base/text.h"

#include <gtest/gtest.h>

namespace semveil {
namespace {

TEST(Normalise, FoldsCaseAndJoinsWordsByOneBlank) {
  EXPECT_EQ(normalise("  Ski-Trips "), "ski trips");
  EXPECT_EQ(normalise("great_dane"), "great dane");
  EXPECT_EQ(normalise("a - _ b"), "a b");
  EXPECT_EQ(normalise(""), "");
  EXPECT_EQ(normalise(" -_ "), "");
}

TEST(Normalise, KnowsUnicode) {
  EXPECT_EQ(normalise("ﬁsh"), "fish");                           // ligature
  EXPECT_EQ(normalise("ＳＫＩ"), "ski");                         // full width
  EXPECT_EQ(normalise("Straße"), "strasse");                     // case folding
  EXPECT_EQ(normalise("ski\u00a0trip"), "ski trip");             // no-break space
  EXPECT_EQ(normalise("ski\u2013trip"), "ski trip");             // en dash
  EXPECT_EQ(normalise("E\u0301COLE"), normalise("\u00e9cole"));  // composed and decomposed
}

TEST(Normalise, OfAsciiTakesTheSameWayAsUnicode) {
  // A trailing letter outside ASCII forces the long way; both must agree on what stands before it.
  for (const std::string text : {"Ski-Trips", " a__b ", "X - y", "TAB\tand\nline", "(a) [b], c."}) {
    std::string longer = normalise(text + "é");
    longer.resize(longer.size() - std::string("é").size());
    std::string shorter = normalise(text + "x");
    shorter.pop_back();
    EXPECT_EQ(longer, shorter) << text;
  }
}

TEST(Squeeze, RemovesWhatSeparatesWords) {
  EXPECT_EQ(squeeze(" Ski-Trips_a b"), "skitripsab");
  EXPECT_EQ(squeeze("Ｓki \u2010 É"), "skié");
  EXPECT_EQ(squeeze(""), "");
}

TEST(SqueezedHash, IsPartOfTheSnapshotFormat) {
  // XXH3's 64-bit hash of the empty text is 2d06800538d394c2: the upper half is ours.
  EXPECT_EQ(squeezed_hash(""), 0x2d068005U);
}

TEST(FindInvalidUtf8, GivesTheFirstBadByte) {
  constexpr std::size_t kNone = std::string_view::npos;
  EXPECT_EQ(find_invalid_utf8(""), kNone);
  EXPECT_EQ(find_invalid_utf8("plain text of more than eight bytes"), kNone);
  EXPECT_EQ(find_invalid_utf8("é€😀"), kNone);
  EXPECT_EQ(find_invalid_utf8("abc\xff"), 3U);
  EXPECT_EQ(find_invalid_utf8("12345678\xc3"), 8U);       // cut
  EXPECT_EQ(find_invalid_utf8("a\xc0\x80"), 1U);          // overlong
  EXPECT_EQ(find_invalid_utf8("a\xed\xa0\x80"), 1U);      // surrogate
  EXPECT_EQ(find_invalid_utf8("a\xf4\x90\x80\x80"), 1U);  // beyond U+10FFFF
}

}  // namespace
}  // namespace semveil
