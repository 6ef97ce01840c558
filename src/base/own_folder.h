// Where semveil itself lies: what it brings along is looked for from there.
#pragma once

#include <filesystem>

namespace semveil {

// Of the file that this code was loaded from: a program that has it in itself, or the library.
// Never one that depends on the current folder, where anybody may have put a file. Empty where it
// cannot be told.
std::filesystem::path own_folder();

}  // namespace semveil
