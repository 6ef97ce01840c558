#include "ontology/source.h"

#include <gtest/gtest.h>

namespace semveil {
namespace {

TEST(Source, IsToldByItsSchemeOrItsEnding) {
  const auto format = [](std::string_view text) { return parse_source(text)->format; };
  EXPECT_EQ(format("obo:x.txt"), SourceFormat::kObo);
  EXPECT_EQ(format("edges:x.csv"), SourceFormat::kEdges);
  EXPECT_EQ(format("vgh:x.csv"), SourceFormat::kVgh);
  EXPECT_EQ(format("wordnet:some/folder"), SourceFormat::kWordNet);
  EXPECT_EQ(format("x.obo"), SourceFormat::kObo);
  EXPECT_EQ(format("x.obo.gz"), SourceFormat::kObo);
  EXPECT_EQ(format("x.obo.zst"), SourceFormat::kObo);
  EXPECT_EQ(format("some.folder/x.svo"), SourceFormat::kSnapshot);
  EXPECT_EQ(parse_source("obo:a:b.obo")->path, "a:b.obo");
}

TEST(Source, ThatCannotBeToldIsAUsageErrorWithARemedy) {
  const auto error = [](std::string_view text) { return parse_source(text).error(); };
  for (const std::string_view text : {"x.csv", "x", "rdf:x.ttl", "obo:", "", "x.svo.txt"}) {
    ASSERT_FALSE(parse_source(text)) << text;
    EXPECT_EQ(error(text).code, ErrorCode::kUsage) << text;
  }
  EXPECT_NE(error("x.csv").message.find("edges:x.csv"), std::string::npos);
  EXPECT_NE(error("x.csv").message.find("vgh:x.csv"), std::string::npos);
  EXPECT_NE(error("rdf:x.ttl").message.find("rdf"), std::string::npos);
}

TEST(Source, ThatCannotBeToldIsAskedForWithEveryFormatOfItsEnding) {
  for (const auto& [file, schemes] : {std::pair{"x.csv", std::vector{"edges", "vgh", "icd9cm"}},
                                      {"x.tsv", {"edges", "vgh", "mesh"}},
                                      {"x.txt.gz", {"edges", "vgh", "mesh", "icd10cm"}},
                                      {"x.bin", {"mesh"}},
                                      {"x.xml.zip", {"mesh", "claml", "icd10cm", "owl", "skos"}},
                                      {"x.ttl", {"owl", "skos"}}}) {
    const std::string message = parse_source(file).error().message;
    for (const char* scheme : schemes) {
      EXPECT_NE(message.find(std::string(scheme) + ":" + file), std::string::npos) << message;
    }
  }
  const std::string message = parse_source("what").error().message;
  EXPECT_NE(message.find("rf2:DIR or rf2:FILE.zip"), std::string::npos);
}

}  // namespace
}  // namespace semveil
