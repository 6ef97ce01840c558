// What a release was made of, what it cost and what risk is left: the page a data steward signs.
//
// It holds figures, names of columns and of concepts, and no cell of the original table.
#pragma once

#include "description.h"
#include "plan_options.h"

namespace semveil::cli {

struct ReleaseFacts {  // what the result itself does not know
  std::string table, output, trace;
  std::string method;
  std::map<std::string, std::string> parameters;  // as TOML values
  std::vector<std::string> ontologies;            // "disease: doid.obo"; empty: inside a model
  KeyOrigin key = KeyOrigin::kFresh;
  std::string release;
  std::string draw_by;
  bool shuffle = false;
  double seconds = 0;
};

ReleaseFacts facts_of(const Model& model);  // what it knows of them
std::string summary(const MaskResult& result, const ReleaseFacts& facts);
Json to_json(const MaskResult& result, const ReleaseFacts& facts);

// The summary where it belongs (JSON on standard output, text there too or, where the table has
// that, on standard error; nothing for the quiet), then the release gets its name: if nothing can
// be printed, no file appears.
Status publish(PendingRelease& pending, const ReleaseFacts& facts, const Common& common);

}  // namespace semveil::cli
