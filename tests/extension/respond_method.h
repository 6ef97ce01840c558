// A method that the library does not have, made of its public headers alone: randomised response.
// Each cell stays with the chance `truth`, and is otherwise one of the column's values, each alike.
#pragma once

#include "semveil/method.h"

namespace semveil::test {

struct RespondOptions {
  double truth = 0.5;
  bool by_person = false;
};
std::unique_ptr<const Mechanism> make_respond(RespondOptions options);

std::unique_ptr<const Method> respond_method();

}  // namespace semveil::test
