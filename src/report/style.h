#pragma once

#include "report/html.h"

namespace semveil::report {

Markup style_sheet();

}  // namespace semveil::report
