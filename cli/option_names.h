// The library speaks of what is asked for ("a release name"), the command line also of the option
// that says it ("a release name (--release)").
#pragma once

#include <string>

namespace semveil::cli {

// A sentence of the library with the options that its words stand for, each once.
std::string naming_options(std::string text);

}  // namespace semveil::cli
