#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/stop.h"
#include "release/kept_texts.h"
#include "release/table_counts.h"
#include "semveil/memory_table.h"
#include "semveil/stop.h"

namespace semveil {
namespace {

constexpr ByteForm kSurveyForm{.name = "a part of a survey", .magic = "semvSURV", .version = 2};

std::vector<std::uint32_t> order_by(const std::vector<std::uint64_t>& rows) {
  std::vector<std::uint32_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return rows[i]; });
  return order;
}

// Returns the new code of each old one.
std::vector<Code> sort_texts(CountedTexts& column) {
  const std::vector<std::uint32_t> order = order_by(column.first_rows);
  CountedTexts sorted;
  std::vector<Code> code_of(order.size());
  for (const std::uint32_t old : order) {
    code_of[old] = sorted.texts.add(column.texts.text(old), column.texts.first_line(old));
    sorted.counts.push_back(column.counts[old]);
    sorted.first_rows.push_back(column.first_rows[old]);
  }
  column.texts = std::move(sorted.texts);
  column.counts = std::move(sorted.counts);
  column.first_rows = std::move(sorted.first_rows);
  return code_of;
}

void lessen(std::optional<std::uint64_t>& row, const std::optional<std::uint64_t>& other) {
  if (other && (!row || *other < *row)) row = other;
}

std::vector<Code> merge_texts(const CountedTexts& from, CountedTexts& to) {
  std::vector<Code> code_of;
  for (Code code = 0; code < from.texts.size(); ++code) {
    const Code at = to.texts.add(from.texts.text(code), from.texts.first_line(code));
    if (at == to.counts.size()) {
      to.counts.push_back(0);
      to.first_rows.push_back(from.first_rows[code]);
    }
    to.counts[at] += from.counts[code];
    to.first_rows[at] = std::min(to.first_rows[at], from.first_rows[code]);
    code_of.push_back(at);
  }
  to.missing += from.missing;
  lessen(to.first_missing, from.first_missing);
  if (to.order) to.order->add(*from.order);
  return code_of;
}

// The tuple's codes become those of other dictionaries.
void translate(const std::vector<std::vector<Code>>& code_of, std::span<const Code> from,
               std::vector<Code>& to) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    to[i] = from[i] == kMissing ? kMissing : code_of[i][from[i]];
  }
}

// Pairs of tuple and person, or of a single column's code and person, under other numbers.
PersonPairs translate(const PersonPairs& pairs, const std::vector<Code>& tuple_of,
                      const std::vector<Code>& person_of) {
  PersonPairs out;
  for (const std::uint64_t pair : pairs.all()) {
    const std::uint32_t tuple = PersonPairs::tuple_of(pair);
    const std::uint32_t person = PersonPairs::person_of(pair);
    out.add(tuple == kMissing ? kMissing : tuple_of[tuple],
            person == kMissing ? kMissing : person_of[person]);
  }
  out.settle();
  return out;
}

bool are_alike(const SurveyPart::Impl& a, const SurveyPart::Impl& b) {
  const auto same = [](const CountedTexts& x, const CountedTexts& y) {
    return x.column == y.column && x.order.has_value() == y.order.has_value();
  };
  return a.names == b.names && a.joined == b.joined && a.person == b.person &&
         std::ranges::equal(a.columns, b.columns, same);
}

void write_counted(const CountedTexts& column, ByteWriter& out) {
  out.number(column.column);
  write_texts(column.texts, out);
  out.numbers(std::span(column.counts));
  out.numbers(std::span(column.first_rows));
  out.number(column.missing);
  out.number(column.first_missing ? *column.first_missing + 1 : 0);
  out.text(column.order ? column.order->digest() : "");
}

CountedTexts read_counted(ByteReader& in) {
  CountedTexts column;
  column.column = in.number();
  column.texts = read_texts(in);
  column.counts = in.numbers<std::uint64_t>();
  column.first_rows = in.numbers<std::uint64_t>();
  column.missing = in.number();
  if (const std::uint64_t row = in.number(); row > 0) column.first_missing = row - 1;
  if (const std::string_view digest = in.text(); !digest.empty()) {
    column.order = OrderHash::from_digest(digest);
    if (!column.order) in.refuse();
  }
  const std::size_t size = column.texts.size();
  if (column.counts.size() != size || column.first_rows.size() != size) in.refuse();
  return column;
}

bool persons_fit(const SurveyPart::Impl& part) {
  if (!part.person) return part.persons.empty();
  if (*part.person >= part.columns.size()) return false;
  const std::size_t persons = part.columns[*part.person].texts.size();
  const bool is_single = part.joined.size() == 1;
  const std::size_t tuples =
      is_single ? part.columns[part.joined.front()].texts.size() : part.tuples.size();
  return std::ranges::all_of(part.persons.all(), [&](std::uint64_t pair) {
    const std::uint32_t tuple = PersonPairs::tuple_of(pair);
    const std::uint32_t person = PersonPairs::person_of(pair);
    return (tuple < tuples || (is_single && tuple == kMissing)) &&
           (person < persons || person == kMissing);
  });
}

// Tuples of codes that the dictionaries have.
bool fit_together(const SurveyPart::Impl& part) {
  const auto has = [&](std::size_t i) { return part.joined[i] < part.columns.size(); };
  for (std::size_t i = 0; i < part.joined.size(); ++i) {
    if (!has(i)) return false;
  }
  for (std::size_t t = 0; t < part.tuples.size(); ++t) {
    const std::span<const Code> tuple = part.tuples.tuple(t);
    for (std::size_t i = 0; i < tuple.size(); ++i) {
      if (tuple[i] != kMissing && tuple[i] >= part.columns[part.joined[i]].texts.size()) {
        return false;
      }
    }
  }
  // Of every record one of these, and no sum that goes round.
  const auto are_all = [&](std::uint64_t others, const auto& counts) {
    if (others > part.records) return false;
    std::uint64_t left = part.records - others;
    for (const std::uint64_t count : counts) {
      if (count > left) return false;
      left -= count;
    }
    return left == 0;
  };
  const auto is_column = [&](const CountedTexts& c) {
    return c.column < part.names.size() && are_all(c.missing, c.counts);
  };
  std::vector<std::uint64_t> of_tuples;
  for (std::size_t t = 0; t < part.tuples.size(); ++t) of_tuples.push_back(part.tuples.count(t));
  if (part.joined.size() > 1 ? !are_all(0, of_tuples) : !of_tuples.empty()) return false;
  if (part.rows.rows() != part.records) return false;
  if (!persons_fit(part)) return false;
  return part.first_rows.size() == part.tuples.size() &&
         std::ranges::all_of(part.columns, is_column);
}

}  // namespace

void SurveyPart::Impl::sort_by_row() {
  std::vector<std::vector<Code>> code_of;
  for (CountedTexts& column : columns) code_of.push_back(sort_texts(column));
  std::vector<std::vector<Code>> of_joined;
  for (const std::size_t j : joined) of_joined.push_back(code_of[j]);
  const TupleCounter before = std::move(tuples);
  tuples = TupleCounter(before.width());
  std::vector<Code> tuple(before.width());
  std::vector<Code> tuple_of(before.size());
  for (const std::uint32_t old : order_by(first_rows)) {
    translate(of_joined, before.tuple(old), tuple);
    tuple_of[old] = static_cast<Code>(tuples.add(tuple, before.count(old)));
  }
  std::ranges::sort(first_rows);
  if (!person) return;
  persons = translate(persons, joined.size() == 1 ? of_joined.front() : tuple_of, code_of[*person]);
}

SurveyPart::SurveyPart(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SurveyPart::~SurveyPart() = default;
SurveyPart::SurveyPart(SurveyPart&&) noexcept = default;
SurveyPart& SurveyPart::operator=(SurveyPart&&) noexcept = default;
std::uint64_t SurveyPart::records() const { return impl_->records; }

Result<SurveyPart> SurveyPart::count(const Table& table, const PlanFile& plan,
                                     std::uint64_t first_row, const WorkOptions& options) {
  constexpr std::uint64_t kMostRows = std::uint64_t{1} << 60U;  // row numbers must not wrap
  if (first_row > kMostRows) {
    return fail(usage_error("the first row is beyond any table: check the number"));
  }
  return stoppable(options.stop, [&]() -> Result<SurveyPart> {
    const Result<SurveyColumns> columns = SurveyColumns::find(table, plan, options);
    if (!columns) return fail(columns.error());
    auto counted = count_table(table, *columns, Rows::kPart, first_row, options);
    if (!counted) return fail(counted.error());
    return SurveyPart(*std::move(counted));
  });
}

Result<SurveyPart> SurveyPart::count(ArrowSchema* schema, ArrowArray* batch, const PlanFile& plan,
                                     std::uint64_t first_row, const WorkOptions& options) {
  TableOptions how;
  how.missing_values = plan.missing_values;
  const Result<Table> table = table_from(schema, batch, how);
  if (!table) return fail(table.error());
  return count(*table, plan, first_row, options);
}

Status SurveyPart::merge(const SurveyPart& other) {
  const Impl& from = *other.impl_;
  Impl& to = *impl_;
  if (!are_alike(from, to)) {
    return fail(usage_error("the parts are of different tables, or of different plans"));
  }
  if (const auto twice = from.rows.common_with(to.rows)) {
    return fail(
        usage_error(fmt::format("two parts hold row {}: count every row once", twice->first)));
  }
  std::vector<std::vector<Code>> code_of;
  for (std::size_t j = 0; j < to.columns.size(); ++j) {
    code_of.push_back(merge_texts(from.columns[j], to.columns[j]));
  }
  std::vector<std::vector<Code>> of_joined;
  for (const std::size_t j : to.joined) of_joined.push_back(code_of[j]);
  std::vector<Code> tuple(to.joined.size());
  std::vector<Code> tuple_of;
  for (std::size_t t = 0; t < from.tuples.size(); ++t) {
    translate(of_joined, from.tuples.tuple(t), tuple);
    const std::size_t at = to.tuples.add(tuple, from.tuples.count(t));
    tuple_of.push_back(static_cast<Code>(at));
    if (at == to.first_rows.size()) to.first_rows.push_back(from.first_rows[t]);
    to.first_rows[at] = std::min(to.first_rows[at], from.first_rows[t]);
  }
  if (to.person) {
    const std::vector<Code>& things = to.joined.size() == 1 ? of_joined.front() : tuple_of;
    const PersonPairs more = translate(from.persons, things, code_of[*to.person]);
    for (const std::uint64_t pair : more.all()) to.persons.add(pair);
    to.persons.settle();
  }
  to.records += from.records;
  to.rows.merge(from.rows);
  to.first.merge(from.first);
  to.person_like.merge(from.person_like);
  return {};
}

std::string SurveyPart::to_bytes() const {
  ByteWriter out;
  out.text(impl_->table);
  out.number(impl_->names.size());
  for (const std::string& name : impl_->names) out.text(name);
  out.number(impl_->records);
  write_ranges(impl_->rows, out);
  out.number(impl_->columns.size());
  for (const CountedTexts& column : impl_->columns) write_counted(column, out);
  out.numbers(std::span<const std::size_t>(impl_->joined));
  write_tuples(impl_->tuples, out);
  out.numbers(std::span<const std::uint64_t>(impl_->first_rows));
  impl_->first.write(out);
  out.number(impl_->person ? *impl_->person + 1 : 0);
  out.numbers(impl_->persons.all());
  impl_->person_like.write(out);
  return sealed(kSurveyForm, std::move(out).take());
}

Result<SurveyPart> SurveyPart::from_bytes(std::string_view bytes) {
  const Result<std::string_view> body = unsealed(kSurveyForm, bytes);
  if (!body) return fail(body.error());
  ByteReader in(*body);
  auto part = std::make_unique<Impl>();
  part->table = in.utf8();
  for (std::size_t left = in.count(); left > 0; --left) part->names.emplace_back(in.utf8());
  part->records = in.number();
  part->rows = read_ranges(in);
  for (std::size_t left = in.count(); left > 0 && in.is_sound(); --left) {
    part->columns.push_back(read_counted(in));
  }
  part->joined = in.numbers<std::size_t>();
  part->tuples = read_tuples(part->joined.size(), in);
  part->first_rows = in.numbers<std::uint64_t>();
  part->first = FirstRecords::read(in);
  if (const std::uint64_t person = in.number(); person > 0) part->person = person - 1;
  for (const std::uint64_t pair : in.numbers<std::uint64_t>()) part->persons.add(pair);
  part->persons.settle();
  part->person_like = FirstRecords::read(in);
  if (!in.is_done() || !fit_together(*part)) return fail(not_understood(kSurveyForm));
  return SurveyPart(std::move(part));
}

}  // namespace semveil
