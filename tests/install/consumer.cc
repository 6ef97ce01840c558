// The smallest program that uses the library: counts the values of a table's column.
#include <semveil/table.h>

#include <cstdio>

int main(int, char** arguments) {
  const auto counts = semveil::count_column(arguments[1], arguments[2]);
  if (!counts) std::fputs((counts.error().message + "\n").c_str(), stderr);
  if (!counts) return static_cast<int>(counts.error().code);
  std::printf("%zu of %zu\n", counts->values.size(), static_cast<std::size_t>(counts->records));
}
