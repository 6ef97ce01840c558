// Beside a model stands which rows it has masked under which name, so that no other table gets the
// same errors under it: what draws are of is the release's name and the row, and no table.
//
//   a file      check() when it is complete; commit() records it, then gives the files their names
//   a pipe      record() before the first byte leaves: the table is read once more for its digest
//   a stream    begin_stream(), reserve() before each batch leaves, end_stream()
//
// Choice: a record without its files is harmless, as the same table may have the name again. Files
//         without a record are not: so it is written first, and taken back where the files fail. A
//         kill between the two leaves the record.
// Choice: a stream does not know where it ends. It reserves as many rows ahead as it has had, so
//         that its record has a few lines; its end gives back what it did not need.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "release/model.h"
#include "release/releases.h"
#include "release/table_digest.h"

namespace semveil {

// Which text stands in which row of a column.
struct ColumnOrder {
  std::string column;
  std::size_t place = 0;  // among those that are read
  OrderHash order;
};

class Recording {
 public:
  // Nothing: it is not asked for, or nothing that the model draws is of a release. What is drawn by
  // person is shared on purpose, and what is looked up is drawn by nobody; but shuffled rows come
  // in the same order under the same name.
  static std::unique_ptr<Recording> of(const Model::Impl& model, const ApplyOptions& options,
                                       const std::string& release);
  ~Recording();  // ends a stream that was stopped
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  // What tells the masked table from others, to whoever has the key.
  std::string digest(const std::vector<ColumnOrder>& columns) const;

  // In what follows an error is a refusal or a damaged record. False: nothing can be recorded.
  Result<bool> check(std::uint64_t rows, const std::string& table);
  Result<bool> record(std::uint64_t rows, const std::string& table);
  // After check(): `files` gives the files their names.
  Status commit(Sync sync, const std::function<Status()>& files) const;

  Result<bool> begin_stream();
  Status reserve(std::uint64_t rows);  // so many rows in all will have left
  void end_stream(const std::string& table);

 private:
  Recording(const ApplyOptions& options, const std::string& release, const Key& key,
            const std::string& digest, bool may_go_on);

  bool can_be_written() const;
  // What the lines say; an error where they have such rows of another table.
  Result<Releases> known_if_allowed(const std::vector<std::string>& lines,
                                    const MaskedRows& rows) const;
  Result<LockedLines> locked();
  Error refusal(const RowRange& known) const;
  MaskedRows masked(std::uint64_t rows, const std::string& table) const;

  Key key_;
  std::string path_;  // of the record; empty: the model is no file
  std::string draws_, release_;
  std::uint64_t first_row_ = 0;
  bool again_ = false, may_go_on_ = false;
  std::optional<MaskedRows> checked_;  // what commit() adds
  // Of a stream:
  bool is_open_ = false;
  std::uint64_t reserved_ = 0, left_ = 0;  // rows
  std::uint64_t line_ = 0;                 // the first of its own; 0: none yet
};

}  // namespace semveil
