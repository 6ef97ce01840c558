// The suite runs over the mechanisms of the library here, and over that of a registered method in
// tests/extension.
#include "conformance/every_mechanism.h"

namespace semveil::test {
namespace {

INSTANTIATE_TEST_SUITE_P(All, EveryMechanism, testing::ValuesIn(every_mechanism()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace semveil::test
