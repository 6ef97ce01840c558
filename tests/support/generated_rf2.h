// A generated SNOMED CT release (RF2): concepts, several parents, descriptions in two English
// dialects and in Swedish, associations of inactive concepts, in every state since the first date.
// The same for the same shape. Ids look like SCTIDs and mean nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace semveil::test {

struct Rf2Shape {
  std::size_t concepts = 200;  // active and inactive; the first is the root
  std::uint64_t seed = 1;
  bool swedish = true;
};

struct Rf2Text {  // one file
  std::string name, text;
};

enum class Rf2Form : bool { kSnapshot, kFull };

// About 3.4 relationships, 3.1 descriptions and 6.3 rows of the language reference sets a concept.
std::vector<Rf2Text> generated_rf2(const Rf2Shape& shape, Rf2Form form = Rf2Form::kSnapshot);

// Writes them below `folder`, which is made.
void write_files(const std::vector<Rf2Text>& files, const std::string& folder);

}  // namespace semveil::test
