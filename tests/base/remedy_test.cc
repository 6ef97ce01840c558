#include "semveil/remedy.h"

#include <gtest/gtest.h>

namespace semveil {
namespace {

TEST(Remedy, IsTheClauseThatAsksForSomething) {
  EXPECT_EQ(remedy_of(data_error("the root has no frequency in this file; add a line for it")),
            "add a line for it");
  EXPECT_EQ(remedy_of(data_error("two columns are called 'job': rename one")), "rename one");
  EXPECT_EQ(remedy_of(data_error("recode cannot meet a demand. Leave the demand out, or use fuse")),
            "Leave the demand out, or use fuse");
  // All that follows belongs to it.
  EXPECT_EQ(remedy_of(data_error("no value of TOML; write one: true, 1, \"a\"")),
            "write one: true, 1, \"a\"");
}

TEST(Remedy, IsEmptyWhereNothingIsAskedFor) {
  EXPECT_EQ(remedy_of(data_error("the parts are of different tables")), "");
  EXPECT_EQ(remedy_of(data_error("this is none: the column to learn")), "");
  EXPECT_EQ(remedy_of(data_error("")), "");
  EXPECT_EQ(remedy_of(data_error("ends with a colon:")), "");
}

}  // namespace
}  // namespace semveil
