#include "semveil/result.h"

#include <gtest/gtest.h>

namespace semveil {
namespace {

TEST(Describe, NamesPlaceValueMessageAndHint) {
  Error error = data_error("is not in the ontology")
                    .at("t.csv", 3)
                    .quoting("girafe")
                    .hinting("did you mean giraffe");
  error.place.column = "animal";
  EXPECT_EQ(describe(error, Quote::kShow),
            "t.csv:3: column 'animal': \"girafe\": is not in the ontology; did you mean giraffe");
}

TEST(Describe, HidesTheValueAndWhatTellsOfIt) {
  const Error error = data_error("is unknown").at("-", 3).quoting("girafe").hinting("giraffe?");
  EXPECT_EQ(describe(error, Quote::kHide), "standard input:3: is unknown");
}

TEST(Printable, LeavesTextsAloneAndDisarmsControlCharacters) {
  EXPECT_EQ(printable("Zürich, 東京 😀"), "Zürich, 東京 😀");
  EXPECT_EQ(printable("a\x1b[31mb\n"), "a\\x1b[31mb\\x0a");
  EXPECT_EQ(printable("a\u202eb"), "a\\xe2\\x80\\xaeb");
  EXPECT_EQ(printable("a\xff"), "a\\xff");
  EXPECT_EQ(printable("\u0085"), "\\xc2\\x85");
}

}  // namespace
}  // namespace semveil
