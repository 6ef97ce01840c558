#include "mechanisms/fuse/fuse_records.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "base/stop.h"

namespace semveil {
namespace {

std::string_view sorted_by(const Attribute& attribute, ConceptId value) {
  const bool has_label = attribute.is_nominal() && value < attribute.size();
  return has_label ? attribute.names->label(attribute.domain->in_ontology(value))
                   : attribute.id(value);
}

// By tuple: its place in alphabetical order.
std::vector<std::uint32_t> alphabetical_places(const ClassTable& table) {
  std::vector<std::uint32_t> order(table.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    for (std::size_t j = 0; j < table.width(); ++j) {
      const auto text = [&](std::uint32_t t) {
        return sorted_by(*table.attributes[j], table.value(t, j));
      };
      if (const int sign = text(a).compare(text(b)); sign != 0) return sign < 0;
    }
    return false;
  });
  std::vector<std::uint32_t> place(table.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  return place;
}

// How many records stand before a place, while groups grow and vanish (a Fenwick tree).
class RunningRecords {
 public:
  explicit RunningRecords(std::size_t places) : sums_(places + 1, 0) {}

  void add(std::size_t place, std::uint64_t records) {  // modulo 2^64: may take away
    for (std::size_t i = place + 1; i < sums_.size(); i += i & (~i + 1)) sums_[i] += records;
  }
  std::uint64_t before(std::size_t place) const {
    std::uint64_t sum = 0;
    for (std::size_t i = place; i > 0; i -= i & (~i + 1)) sum += sums_[i];
    return sum;
  }
  // The place of the record with `record` others before it.
  std::size_t place_of(std::uint64_t record) const {
    std::size_t at = 0;
    for (std::size_t step = std::bit_floor(sums_.size() - 1); step > 0; step /= 2) {
      if (at + step >= sums_.size() || sums_[at + step] > record) continue;
      at += step;
      record -= sums_[at];
    }
    return at;
  }

 private:
  std::vector<std::uint64_t> sums_;
};

bool is_lacking(const FuseGroups& groups, std::uint32_t tuple) {
  const auto of_size = groups.lacking().find(groups.size_of(tuple));
  if (of_size == groups.lacking().end()) return false;
  const std::size_t at = of_size->second.place(tuple);
  return at < of_size->second.size() && of_size->second[at] == tuple;
}

}  // namespace

void fuse_by_record(const ClassTable& table, FuseGroups& groups, const FuseSearch& search,
                    RandomChoices& random) {
  const std::vector<std::uint32_t> place = alphabetical_places(table);
  std::vector<std::uint32_t> at(place.size());  // by place: the tuple
  RunningRecords records(place.size());
  std::vector<std::uint64_t> sizes = table.counts;  // in records, whatever k counts
  std::set<std::uint32_t> lacking;                  // places
  for (std::uint32_t t = 0; t < place.size(); ++t) {
    at[place[t]] = t;
    records.add(place[t], sizes[t]);
    if (is_lacking(groups, t)) lacking.insert(place[t]);
  }
  const std::uint64_t all = table.records();
  while (!lacking.empty() && search.left() > 1) {
    check_stop();
    const std::uint32_t from = at[*lacking.begin()];
    const std::uint64_t size = sizes[from];
    // A record of another tuple: those of its own, which stand together, are passed over.
    std::uint64_t record = random.one_of(all - size);
    if (record >= records.before(place[from])) record += size;
    const std::uint32_t to = at[records.place_of(record)];
    groups.fuse(from, to);
    records.add(place[from], ~size + 1);
    records.add(place[to], size);
    sizes[to] += std::exchange(sizes[from], 0);
    lacking.erase(place[from]);
    lacking.erase(place[to]);
    if (is_lacking(groups, to)) lacking.insert(place[to]);
  }
}

}  // namespace semveil
