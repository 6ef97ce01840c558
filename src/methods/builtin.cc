// The one list of built-in methods. Each is described beside its mechanism. Nothing registers
// itself: a linker leaves out of a static library what nobody names.
#include "methods/builtin.h"

#include <array>

#include "mechanisms/cells/pseudonym_method.h"
#include "mechanisms/cells/recoding_method.h"
#include "mechanisms/common/baseline_method.h"
#include "mechanisms/dates/shift_method.h"
#include "mechanisms/fuse/fuse_method.h"
#include "mechanisms/generalize/generalize_method.h"
#include "mechanisms/microaggregate/microaggregate_method.h"
#include "mechanisms/noise/noise_method.h"
#include "mechanisms/sets/set_method.h"
#include "mechanisms/swap/swap_method.h"

namespace semveil {

std::vector<const Method*> builtin_methods() {
  return {&noise_method(),
          &swap_method(),
          &fuse_method(),
          &recode_method(),
          &microaggregate_method(),
          &generalize_method(),
          &ean_method(),
          &naive_method(),
          &probabilistic_method(),
          &random_swap_method(),
          &distributional_swap_method(),
          &an_method(),
          &round_method(),
          &code_method(),
          &level_method(),
          &shift_method()};
}

std::vector<const Method*> role_methods() { return {&pseudonym_method()}; }

std::span<const MethodToCome> methods_to_come() {
  static constexpr std::array<std::string_view, 3> kDpKeys{"draw_by", "allow_unmasked", "epsilon"};
  static constexpr std::array<MethodToCome, 1> kToCome{{{"dp", kDpKeys}}};
  return kToCome;
}

}  // namespace semveil
