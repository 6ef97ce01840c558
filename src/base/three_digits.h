// Figures that are told to three significant digits.
//
// Rounded are decimal texts, so that the answer is the number somebody reads, and the same on every
// machine. Example: 0.12345 becomes 0.123, the double of that text; its unit is 0.001.
#pragma once

namespace semveil {

// What is not finite stays as it is. There is one zero.
double three_digits(double figure);
// What three digits of a figure cannot tell: 0.001 of 0.123; 0 of 0.
double unit_of_three_digits(double figure);

}  // namespace semveil
