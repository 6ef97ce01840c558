// The least cost of turning one distribution into another: the transport problem.
//
//   least Σ f_ij c_ij,  Σ_j f_ij = p_i,  Σ_i f_ij = q_j,  f ≥ 0
//
// Costs are any numbers from 0 to 1. Nothing is assumed of them: semantic distances are not metrics
// in general, and then equal mass of both sides may not be cancelled.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace semveil {

// A cost of 1. Costs are whole numbers of 2^-48, so that sums are exact: the least cost is one
// number, whatever way leads to it, off by at most 2^-49.
constexpr std::int64_t kUnitCost = std::int64_t{1} << 48U;
inline std::int64_t whole_cost(double cost) {
  return static_cast<std::int64_t>(cost * static_cast<double>(kUnitCost) + 0.5);
}

// Amounts moved times costs. Holds for two sides of less than 2^39 records each.
__extension__ using WideCost = __int128;

constexpr std::uint64_t kAnySteps = ~std::uint64_t{0};

// From `from` to `to`, two distributions given as records; rows[i][j] is the cost from i to j.
// Returns the cost times the records of `from`, the records of `to`, and kUnitCost. Best with the
// fewer values in `from`. `steps`, of about a nanosecond, may be taken and are counted down;
// nothing where they do not do.
std::optional<WideCost> least_transport(std::span<const std::uint64_t> from,
                                        std::span<const std::uint64_t> to,
                                        std::span<const std::int64_t* const> rows,
                                        std::uint64_t& steps);

// The same as a share of all records; costs by place of `from`, then of `to`. 0 where one side has
// no records.
double transport_cost(std::span<const std::uint64_t> from, std::span<const std::uint64_t> to,
                      std::span<const double> costs);

}  // namespace semveil
