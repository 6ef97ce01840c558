#include "release/outcome_counts.h"

#include <algorithm>

#include "release/kept_texts.h"

namespace semveil {
namespace {

void add_up(const std::vector<std::uint64_t>& from, std::vector<std::uint64_t>& to) {
  to.resize(std::max(from.size(), to.size()));
  for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
}

// By tuple of `from`: its place in `to`.
std::vector<Code> add_up(const TupleCounter& from, TupleCounter& to) {
  std::vector<Code> places;
  for (std::size_t t = 0; t < from.size(); ++t) {
    places.push_back(static_cast<Code>(to.add(from.tuple(t), from.count(t))));
  }
  return places;
}

// Tuples under other numbers; none: as they are.
void add_up(const PersonPairs& from, const std::vector<Code>* tuple_of, PersonPairs& to) {
  for (const std::uint64_t pair : from.all()) {
    const std::uint32_t tuple = PersonPairs::tuple_of(pair);
    to.add(tuple_of == nullptr ? tuple : (*tuple_of)[tuple], PersonPairs::person_of(pair));
  }
  to.settle();
}

PersonPairs renamed(const PersonPairs& pairs, const std::vector<Code>& person_of) {
  PersonPairs out;
  for (const std::uint64_t pair : pairs.all()) {
    out.add(PersonPairs::tuple_of(pair), person_of[PersonPairs::person_of(pair)]);
  }
  out.settle();
  return out;
}

// Of a single column, whose codes stand in the place of tuples.
PersonPairs with_codes(const PersonPairs& pairs, const OutcomeCounts::Place& place,
                       const std::vector<Code>& code_of) {
  PersonPairs out;
  for (const std::uint64_t pair : pairs.all()) {
    const Code code = PersonPairs::tuple_of(pair);
    const bool is_text = code != kMissing && code >= place.first_text;
    out.add(is_text ? place.first_text + code_of[code - place.first_text] : code,
            PersonPairs::person_of(pair));
  }
  out.settle();
  return out;
}

void add_up(const OutcomeCounts::Column& from, OutcomeCounts::Column& to) {
  to.tally.add(from.tally);
  to.missing += from.missing;
  for (std::size_t i = 0; i < to.instead.size(); ++i) to.instead[i] += from.instead[i];
  add_up(from.kept_texts, to.kept_texts);
  add_up(from.originals, to.originals);
  to.order.add(from.order);
}

TupleCounter with_codes(const TupleCounter& tuples, const std::vector<OutcomeCounts::Place>& places,
                        const std::string& column, const std::vector<Code>& code_of) {
  TupleCounter out(tuples.width());
  std::vector<Code> tuple(tuples.width());
  for (std::size_t t = 0; t < tuples.size(); ++t) {
    std::ranges::copy(tuples.tuple(t), tuple.begin());
    for (std::size_t i = 0; i < tuple.size(); ++i) {
      const Code first = places[i].first_text;
      if (places[i].column != column || tuple[i] == kMissing || tuple[i] < first) continue;
      tuple[i] = first + code_of[tuple[i] - first];
    }
    out.add(tuple, tuples.count(t));
  }
  return out;
}

// ---- bytes

void write_sum(const ExactSum& sum, ByteWriter& out) {
  for (const std::uint64_t half : sum.bits()) out.number(half);
}

ExactSum read_sum(ByteReader& in) {
  const std::uint64_t low = in.number();
  return ExactSum::of_bits({low, in.number()});
}

void write_tally(const ColumnTally& tally, ByteWriter& out) {
  for (const std::uint64_t n :
       {tally.cells, tally.changed, tally.missing, tally.filled, tally.emptied}) {
    out.number(n);
  }
  for (const std::uint64_t n : tally.rules) out.number(n);
  for (const ExactSum* sum : {&tally.errors, &tally.squared_errors, &tally.distances,
                              &tally.squared_distances, &tally.posteriors, &tally.guesses}) {
    write_sum(*sum, out);
  }
  out.real(tally.worst_posterior);
  out.numbers(std::span(tally.released));
}

ColumnTally read_tally(ByteReader& in) {
  ColumnTally tally;
  for (std::uint64_t* n :
       {&tally.cells, &tally.changed, &tally.missing, &tally.filled, &tally.emptied}) {
    *n = in.number();
  }
  for (std::uint64_t& n : tally.rules) n = in.number();
  for (ExactSum* sum : {&tally.errors, &tally.squared_errors, &tally.distances,
                        &tally.squared_distances, &tally.posteriors, &tally.guesses}) {
    *sum = read_sum(in);
  }
  tally.worst_posterior = in.real();
  tally.released = in.numbers<std::uint64_t>();
  return tally;
}

void write_numbers(const std::vector<std::uint64_t>& numbers, ByteWriter& out) {
  out.numbers(std::span<const std::uint64_t>(numbers));
}

void write_joint(const JointTally& joint, ByteWriter& out) {
  out.number(joint.records);
  write_sum(joint.posteriors, out);
  out.real(joint.worst);
  out.number(joint.columns.size());
  for (const JointTally::Column& column : joint.columns) {
    write_sum(column.posteriors, out);
    out.real(column.worst);
  }
}

JointTally read_joint(ByteReader& in) {
  JointTally joint;
  joint.records = in.number();
  joint.posteriors = read_sum(in);
  joint.worst = in.real();
  joint.columns.resize(in.count());
  for (JointTally::Column& column : joint.columns) {
    column.posteriors = read_sum(in);
    column.worst = in.real();
  }
  return joint;
}

void write_column(const OutcomeCounts::Column& column, ByteWriter& out) {
  write_tally(column.tally, out);
  out.number(column.missing);
  for (const std::uint64_t n : column.instead) out.number(n);
  out.numbers(std::span(column.kept_texts));
  out.numbers(std::span(column.originals));
  out.text(column.order.digest());
}

OutcomeCounts::Column read_column(ByteReader& in) {
  OutcomeCounts::Column column;
  column.tally = read_tally(in);
  column.missing = in.number();
  for (std::uint64_t& n : column.instead) n = in.number();
  column.kept_texts = in.numbers<std::uint64_t>();
  column.originals = in.numbers<std::uint64_t>();
  if (const auto order = OrderHash::from_digest(in.text())) {
    column.order = *order;
  } else {
    in.refuse();
  }
  return column;
}

void write_places(const std::vector<OutcomeCounts::Place>& places, ByteWriter& out) {
  out.number(places.size());
  for (const OutcomeCounts::Place& place : places) {
    out.text(place.column);
    out.number(place.first_text);
  }
}

std::vector<OutcomeCounts::Place> read_places(ByteReader& in) {
  std::vector<OutcomeCounts::Place> places(in.count());
  for (OutcomeCounts::Place& place : places) {
    place.column = in.utf8();
    const std::uint64_t first = in.number();
    if (first >= kMissing) in.refuse();
    place.first_text = static_cast<Code>(first);
  }
  return places;
}

bool have_their_texts(const TupleCounter& tuples, const std::vector<OutcomeCounts::Place>& places,
                      const std::map<std::string, Dictionary>& texts) {
  std::vector<std::size_t> known;
  for (const OutcomeCounts::Place& place : places) {
    const auto found = texts.find(place.column);
    known.push_back(found == texts.end() ? 0 : found->second.size());
  }
  for (std::size_t t = 0; t < tuples.size(); ++t) {
    for (std::size_t i = 0; i < known.size(); ++i) {
      const Code code = tuples.tuple(t)[i];
      if (code == kMissing || code < places[i].first_text) continue;
      if (code - places[i].first_text >= known[i]) return false;
    }
  }
  return true;
}

std::uint64_t records_of(const TupleCounter& tuples) {
  std::uint64_t records = 0;
  for (std::size_t t = 0; t < tuples.size(); ++t) records += tuples.count(t);
  return records;
}

// Whether what was counted apart adds up to the same records.
bool adds_up(const OutcomeCounts& counts) {
  const std::uint64_t released = counts.released_records();
  if (counts.dropped_records > counts.records) return false;
  if (!counts.some_rows_twice && counts.rows.rows() != counts.records) return false;
  const std::uint64_t outside = records_of(counts.outside);
  if (!counts.classed.empty() &&
      (records_of(counts.classes) + outside != released || outside != counts.suppressed_records)) {
    return false;
  }
  const std::uint64_t described = records_of(counts.tuples) + records_of(counts.suppressed);
  return described == 0 || described == released;
}

// Pairs of tuples that are there and persons that have a text, and of every tuple somebody.
bool persons_fit(const OutcomeCounts& counts, const std::map<std::string, Dictionary>& texts) {
  const auto found = texts.find(counts.person);
  const std::size_t persons = found == texts.end() ? 0 : found->second.size();
  if (counts.row_sums.size() > persons) return false;
  const auto fit = [&](const PersonPairs& pairs, const TupleCounter& tuples) {
    std::size_t told = 0;
    std::uint64_t last = ~std::uint64_t{0};
    for (const std::uint64_t pair : pairs.all()) {
      const std::uint32_t tuple = PersonPairs::tuple_of(pair);
      if (tuple >= tuples.size() || PersonPairs::person_of(pair) >= persons) return false;
      told += tuple != last ? 1 : 0;
      last = tuple;
    }
    return counts.person.empty() || told == tuples.size();
  };
  const bool single = counts.has_single_joined();
  const auto has_text = [&](std::uint64_t pair) { return PersonPairs::person_of(pair) < persons; };
  for (const auto& [pairs, tuples] : {std::pair(&counts.tuple_persons, &counts.tuples),
                                      std::pair(&counts.suppressed_persons, &counts.suppressed)}) {
    if (single ? !std::ranges::all_of(pairs->all(), has_text) : !fit(*pairs, *tuples)) return false;
  }
  for (std::size_t i = 0; i < counts.demanded_persons.size(); ++i) {
    if (!fit(counts.demanded_persons[i], counts.demanded[i])) return false;
  }
  return fit(counts.class_persons, counts.classes) && fit(counts.outside_persons, counts.outside);
}

bool is_sound(const OutcomeCounts& counts, const std::map<std::string, Dictionary>& texts) {
  if (!adds_up(counts) || !persons_fit(counts, texts)) return false;
  for (const auto* tuples : {&counts.tuples, &counts.suppressed}) {
    if (!have_their_texts(*tuples, counts.joined, texts)) return false;
  }
  for (const auto* tuples : {&counts.classes, &counts.outside}) {
    if (!have_their_texts(*tuples, counts.classed, texts)) return false;
  }
  for (std::size_t i = 0; i < counts.demanded.size(); ++i) {
    if (!have_their_texts(counts.demanded[i], {counts.place_of_demanded(i)}, texts)) return false;
  }
  for (std::size_t j = 0; j < counts.columns.size(); ++j) {
    const auto found = texts.find(counts.masked[j]);
    const std::size_t known = found == texts.end() ? 0 : found->second.size();
    if (counts.columns[j].kept_texts.size() > known) return false;
  }
  return true;
}

}  // namespace

bool needs_tuples(const OutcomeCounts& counts) {
  if (counts.joined.size() != 1) return counts.joined.size() > 1;
  const std::string& only = counts.joined.front().column;
  return std::ranges::find(counts.masked, only) == counts.masked.end();
}

void OutcomeCounts::settle_persons() {
  for (PersonPairs* pairs :
       {&tuple_persons, &suppressed_persons, &class_persons, &outside_persons, &secret_persons}) {
    pairs->settle();
  }
  for (PersonPairs& pairs : demanded_persons) pairs.settle();
}

void OutcomeCounts::recode(const std::string& column, const std::vector<Code>& code_of) {
  // Tuples are numbered as before: other codes of one column tell them apart as well.
  if (!person.empty() && has_single_joined() && joined.front().column == column) {
    tuple_persons = with_codes(tuple_persons, joined.front(), code_of);
    suppressed_persons = with_codes(suppressed_persons, joined.front(), code_of);
  }
  if (!person.empty() && column == person) {
    for (PersonPairs* pairs :
         {&tuple_persons, &suppressed_persons, &class_persons, &outside_persons}) {
      *pairs = renamed(*pairs, code_of);
    }
    for (PersonPairs& pairs : demanded_persons) pairs = renamed(pairs, code_of);
    std::vector<std::uint64_t> sums;
    for (std::size_t code = 0; code < row_sums.size(); ++code) {
      sums.resize(std::max<std::size_t>(sums.size(), code_of[code] + std::size_t{1}));
      sums[code_of[code]] += row_sums[code];
    }
    row_sums = std::move(sums);
  }
  tuples = with_codes(tuples, joined, column, code_of);
  suppressed = with_codes(suppressed, joined, column, code_of);
  classes = with_codes(classes, classed, column, code_of);
  outside = with_codes(outside, classed, column, code_of);
  for (std::size_t i = 0; i < demanded.size(); ++i) {
    demanded[i] = with_codes(demanded[i], {place_of_demanded(i)}, column, code_of);
  }
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (masked[j] != column) continue;
    std::vector<std::uint64_t> kept;
    for (std::size_t code = 0; code < columns[j].kept_texts.size(); ++code) {
      kept.resize(std::max<std::size_t>(kept.size(), code_of[code] + std::size_t{1}));
      kept[code_of[code]] += columns[j].kept_texts[code];
    }
    columns[j].kept_texts = std::move(kept);
  }
}

bool OutcomeCounts::is_like(const OutcomeCounts& other) const {
  return model == other.model && names == other.names && release == other.release &&
         masked == other.masked && joined == other.joined && classed == other.classed &&
         person == other.person && steps.size() == other.steps.size() &&
         recoded.size() == other.recoded.size();
}

void OutcomeCounts::add(const OutcomeCounts& other) {
  some_rows_twice |= other.some_rows_twice || rows.common_with(other.rows).has_value();
  if (!some_rows_twice) rows.merge(other.rows);
  records += other.records;
  dropped_records += other.dropped_records;
  suppressed_records += other.suppressed_records;
  single_origin += other.single_origin;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    steps[i].dealt += other.steps[i].dealt;
    steps[i].dealt_slots += other.steps[i].dealt_slots;
    steps[i].joint.add(other.steps[i].joint);
  }
  for (std::size_t i = 0; i < recoded.size(); ++i) {
    recoded[i].cells += other.recoded[i].cells;
    add_up(other.recoded[i].changed, recoded[i].changed);
  }
  for (std::size_t j = 0; j < columns.size(); ++j) add_up(other.columns[j], columns[j]);
  const std::vector<Code> tuple_of = add_up(other.tuples, tuples);
  const std::vector<Code> suppressed_of = add_up(other.suppressed, suppressed);
  const bool single = has_single_joined();
  add_up(other.tuple_persons, single ? nullptr : &tuple_of, tuple_persons);
  add_up(other.suppressed_persons, single ? nullptr : &suppressed_of, suppressed_persons);
  const std::vector<Code> class_of = add_up(other.classes, classes);
  add_up(other.class_persons, &class_of, class_persons);
  const std::vector<Code> outside_of = add_up(other.outside, outside);
  add_up(other.outside_persons, &outside_of, outside_persons);
  for (std::size_t i = 0; i < demanded.size(); ++i) {
    const std::vector<Code> value_of = add_up(other.demanded[i], demanded[i]);
    if (!person.empty()) add_up(other.demanded_persons[i], &value_of, demanded_persons[i]);
  }
  persons.add(other.persons);
  links.add(other.links);
  row_links.add(other.row_links);
  add_up(other.row_sums, row_sums);
}

Status OutcomePart::Impl::add(const Impl& other) {
  if (!counts.is_like(other.counts)) {
    return fail(usage_error("the parts are of different tables, models or releases"));
  }
  OutcomeCounts theirs = other.counts;
  for (const auto& [column, from] : other.texts) {
    theirs.recode(column, add_texts(from, texts[column]));
  }
  counts.add(theirs);
  return {};
}

void OutcomePart::Impl::write(ByteWriter& out) const {
  const auto write_names = [&](const std::vector<std::string>& list) {
    out.number(list.size());
    for (const std::string& name : list) out.text(name);
  };
  out.text(counts.model);
  write_names(counts.names);
  write_names(counts.masked);
  out.text(counts.release);
  out.number(counts.some_rows_twice ? 1 : 0);
  write_ranges(counts.rows, out);
  for (const std::uint64_t n :
       {counts.records, counts.dropped_records, counts.suppressed_records, counts.single_origin}) {
    out.number(n);
  }
  out.number(counts.steps.size());
  for (const OutcomeCounts::Step& step : counts.steps) {
    out.number(step.dealt);
    out.number(step.dealt_slots);
    write_joint(step.joint, out);
  }
  out.number(counts.recoded.size());
  for (const OutcomeCounts::Recoded& column : counts.recoded) {
    out.number(column.cells);
    write_numbers(column.changed, out);
  }
  for (const OutcomeCounts::Column& column : counts.columns) write_column(column, out);
  write_places(counts.joined, out);
  write_places(counts.classed, out);
  for (const TupleCounter* tuples :
       {&counts.tuples, &counts.suppressed, &counts.classes, &counts.outside}) {
    write_tuples(*tuples, out);
  }
  out.number(counts.demanded.size());
  for (const TupleCounter& values : counts.demanded) write_tuples(values, out);
  counts.persons.write(out);
  counts.links.write(out);
  out.text(counts.person);
  for (const PersonPairs* pairs : {&counts.tuple_persons, &counts.suppressed_persons,
                                   &counts.class_persons, &counts.outside_persons}) {
    out.numbers(pairs->all());
  }
  for (const PersonPairs& pairs : counts.demanded_persons) out.numbers(pairs.all());
  counts.row_links.write(out);
  out.numbers(std::span<const std::uint64_t>(counts.row_sums));
  out.number(texts.size());
  for (const auto& [column, dictionary] : texts) {
    out.text(column);
    write_texts(dictionary, out);
  }
}

OutcomePart::Impl OutcomePart::Impl::read(ByteReader& in) {
  Impl part;
  OutcomeCounts& counts = part.counts;
  const auto read_names = [&](std::vector<std::string>& list) {
    for (std::size_t left = in.count(); left > 0; --left) list.emplace_back(in.utf8());
  };
  counts.model = in.text();
  read_names(counts.names);
  read_names(counts.masked);
  counts.release = in.text();
  counts.some_rows_twice = in.number() != 0;
  counts.rows = read_ranges(in);
  for (std::uint64_t* n : {&counts.records, &counts.dropped_records, &counts.suppressed_records,
                           &counts.single_origin}) {
    *n = in.number();
  }
  for (std::size_t left = in.count(); left > 0 && in.is_sound(); --left) {
    OutcomeCounts::Step& step = counts.steps.emplace_back();
    step.dealt = in.number();
    step.dealt_slots = in.number();
    step.joint = read_joint(in);
  }
  for (std::size_t left = in.count(); left > 0 && in.is_sound(); --left) {
    OutcomeCounts::Recoded& column = counts.recoded.emplace_back();
    column.cells = in.number();
    column.changed = in.numbers<std::uint64_t>();
  }
  for (std::size_t j = 0; j < counts.masked.size() && in.is_sound(); ++j) {
    counts.columns.push_back(read_column(in));
  }
  counts.joined = read_places(in);
  counts.classed = read_places(in);
  counts.tuples = read_tuples(counts.joined.size(), in);
  counts.suppressed = read_tuples(counts.joined.size(), in);
  counts.classes = read_tuples(counts.classed.size(), in);
  counts.outside = read_tuples(counts.classed.size(), in);
  const std::size_t demanded = in.count();
  if (demanded > counts.classed.size()) in.refuse();
  for (std::size_t i = 0; i < demanded && in.is_sound(); ++i) {
    counts.demanded.push_back(read_tuples(1, in));
  }
  counts.persons = FirstPersons::read(in);
  counts.links = PersonLinks::read(in);
  counts.person = in.utf8();
  const auto read_pairs = [&](PersonPairs& pairs) {
    for (const std::uint64_t pair : in.numbers<std::uint64_t>()) pairs.add(pair);
    pairs.settle();
  };
  for (PersonPairs* pairs : {&counts.tuple_persons, &counts.suppressed_persons,
                             &counts.class_persons, &counts.outside_persons}) {
    read_pairs(*pairs);
  }
  counts.demanded_persons.resize(counts.person.empty() ? 0 : counts.demanded.size());
  for (PersonPairs& pairs : counts.demanded_persons) read_pairs(pairs);
  counts.row_links = RowLinks::read(in);
  counts.row_sums = in.numbers<std::uint64_t>();
  for (std::size_t left = in.count(); left > 0 && in.is_sound(); --left) {
    const std::string column(in.utf8());
    part.texts[column] = read_texts(in);
  }
  if (in.is_sound() && !is_sound(counts, part.texts)) in.refuse();
  return part;
}

}  // namespace semveil
