#include "ontology/mesh/mesh_records.h"

#include <fmt/format.h>

namespace semveil {

Error MeshDraft::error(std::uint64_t line, std::string message, std::string_view value) const {
  return data_error(std::move(message)).at(file_, line).quoting(std::string(value));
}

Status MeshDraft::keep(std::size_t bytes, std::uint64_t line) {
  draft_.keep_beside(bytes + OntologyDraft::kPerItem);
  if (draft_.is_full()) return fail(error(line, OntologyDraft::kFull));
  return {};
}

Status MeshDraft::place(Index concept_index, std::string_view number, std::uint64_t line) {
  if (number.empty()) return fail(error(line, "the tree number is empty: fill it in"));
  const auto [at, is_new] =
      positions_.try_emplace(std::string(number), Position{concept_index, line});
  if (!is_new) {
    return fail(error(line,
                      fmt::format("this tree number was already given on line {}: remove one of "
                                  "the two",
                                  at->second.line),
                      number));
  }
  in_order_.push_back(&*at);
  return keep(number.size(), line);
}

Status MeshDraft::add(const MeshRecord& record) {
  if (record.ui.empty()) return fail(error(record.line, "a descriptor without its UI: add it"));
  if (record.name.empty()) {
    return fail(error(record.line, "a descriptor without a name: add it", record.ui));
  }
  const auto [at, is_new] =
      descriptors_.try_emplace(record.ui, Descriptor{kNowhere, record.line, {}});
  if (!is_new) {
    return fail(error(record.line,
                      fmt::format("this descriptor was already declared on line {}: remove one of "
                                  "the two",
                                  at->second.line),
                      record.ui));
  }
  if (const Status kept = keep(record.ui.size(), record.line); !kept) return kept;
  if (record.positions.empty()) {
    ++nowhere_;
    return {};
  }
  const Index c = draft_.add_concept(record.ui);
  at->second.concept_index = c;
  draft_.add_term(c, TermKind::kLabel, record.name);
  for (const MeshRecord::Term& term : record.terms) {
    if (!term.text.empty() && term.text != record.name) draft_.add_term(c, term.kind, term.text);
  }
  if (!record.note.empty()) draft_.set_definition(c, record.note);
  for (const MeshRecord::Position& position : record.positions) {
    if (const Status done = place(c, position.number, position.line); !done) return done;
  }
  return {};
}

Status MeshDraft::add_position(std::string_view number, std::string_view ui, std::string_view name,
                               std::uint64_t line) {
  if (ui.empty()) return fail(error(line, "a position without its descriptor's UI: add it"));
  if (name.empty()) return fail(error(line, "a position without its descriptor's name: add it"));
  auto known = descriptors_.find(ui);
  if (known == descriptors_.end()) {
    const Index c = draft_.add_concept(ui);
    draft_.add_term(c, TermKind::kLabel, name);
    known = descriptors_.emplace(ui, Descriptor{c, line, std::string(name)}).first;
    if (const Status kept = keep(ui.size() + name.size(), line); !kept) return kept;
  } else if (known->second.name != name) {
    return fail(error(line,
                      fmt::format("a second name for a descriptor that line {} named differently: "
                                  "keep one of them",
                                  known->second.line),
                      name));
  }
  return place(known->second.concept_index, number, line);
}

Status MeshDraft::link() {
  for (const auto* position : in_order_) {
    const std::string_view number = position->first;
    const auto [child, line] = position->second;
    const std::size_t dot = number.rfind('.');
    if (dot == number.npos) continue;
    const auto parent = positions_.find(number.substr(0, dot));
    if (parent == positions_.end()) {
      return fail(error(line,
                        "no descriptor stands at the position above this one: the file is "
                        "incomplete, or the number is wrong",
                        number));
    }
    if (parent->second.concept_index == child) {
      ++below_themselves_;
    } else {
      draft_.add_link(child, parent->second.concept_index);
    }
  }
  return {};
}

Result<OntologyDraft> MeshDraft::finish(std::string_view what) && {
  if (const Status linked = link(); !linked) return fail(linked.error());
  if (draft_.concepts() == 0) {
    return fail(data_error(nowhere_ > 0 ? "none of its descriptors has a tree number: nothing is "
                                          "left"
                                        : fmt::format("{} in it: is this a file of MeSH "
                                                      "descriptors?",
                                                      what))
                    .at(file_));
  }
  draft_.info.contents.push_back({"tree positions", in_order_.size()});
  leave_out(draft_.info, "descriptors without a tree number", nowhere_);
  leave_out(draft_.info, "positions of a descriptor below itself", below_themselves_);
  return std::move(draft_);
}

}  // namespace semveil
