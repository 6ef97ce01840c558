// The figures that the rank swapping paper prints, Tables 2-6.
#include "reproduce/swap_measured.h"

namespace semveil::reproduction {

const PrintedSwaps& dataset_1() {
  static const PrintedSwaps kPrinted{
      "Dataset1, 1,172 patients, 783 and 430 categories (Tables 2-4)",
      {0.4595},
      {{kFixedPlace,
        {{0.4558, 0.5423, 0.5560, 0.5823, 0.6018, 0.6083},
         {0.3562, 0.3712, 0.4118, 0.4166, 0.4650, 0.5016}},
        {{0.2705, 0.2689, 0.2649, 0.2647, 0.2628, 0.2520}}},
       {kDynamicPlace,
        {{0.1439, 0.1887, 0.2300, 0.2782, 0.3513, 0.4062},
         {0.0544, 0.0776, 0.1014, 0.1413, 0.2153, 0.2941}},
        {{0.4191, 0.4092, 0.4039, 0.3648, 0.3235, 0.2800}}},
       {kMultivariatePlace,
        {{0.1966, 0.2707, 0.3130, 0.3659, 0.4145, 0.4656},
         {0.0920, 0.1433, 0.1613, 0.2083, 0.2697, 0.3745}},
        {{0.4567, 0.4410, 0.4363, 0.4160, 0.3826, 0.3145}}}}};
  return kPrinted;
}

const PrintedSwaps& dataset_2() {
  static const PrintedSwaps kPrinted{
      "Dataset2, 1,012 patients, 55 and 94 categories (Table 5)",
      {0.6392},
      {{kMultivariatePlace,
        {{0, 0.0129, 0.0336, 0.0749, 0.1965, 0.3750}, {0, 0.0288, 0.0810, 0.1486, 0.2300, 0.3218}},
        {{0.6392, 0.6383, 0.6371, 0.6238, 0.5765, 0.4658}}}}};
  return kPrinted;
}

const PrintedSwaps& dataset_3() {
  static const PrintedSwaps kPrinted{"Dataset3, which is Dataset2 with a third column (Table 6)",
                                     {0.6392, 0.4229, 0.3703},
                                     {{kMultivariatePlace,
                                       {{0, 0.0106, 0.0322, 0.0866, 0.2412, 0.3951},
                                        {0, 0.0309, 0.0890, 0.1653, 0.2409, 0.3640},
                                        {0.0011, 0.0579, 0.1649, 0.2948, 0.4174, 0.5035}},
                                       {{0.6392, 0.6373, 0.6319, 0.6185, 0.5276, 0.3753},
                                        {0.4229, 0.4220, 0.4191, 0.4031, 0.3090, 0.2291},
                                        {0.3703, 0.3644, 0.3577, 0.3432, 0.2828, 0.2118}}}}};
  return kPrinted;
}

}  // namespace semveil::reproduction
