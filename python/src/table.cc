#include "table.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <vector>

#include "bind.h"
#include "semveil/files.h"
#include "work.h"

namespace semveil::python {
namespace {

constexpr const char* kStreamName = "arrow_array_stream";

void release(ArrowArrayStream& stream) {
  if (stream.release != nullptr) stream.release(&stream);
}

void free_capsule(PyObject* capsule) {
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule, kStreamName));
  if (stream == nullptr) return;
  release(*stream);
  delete stream;
}

// The stream of an object, which is then the caller's.
ArrowArrayStream stream_of(const nb::object& table) {
  const nb::object capsule = table.attr("__arrow_c_stream__")();
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), kStreamName));
  if (stream == nullptr) throw nb::python_error();
  ArrowArrayStream out = *stream;
  stream->release = nullptr;
  return out;
}

// ---- Columns of buffers that Python owns --------------------------------------------------------

// The memory of an object with the buffer protocol, as long as somebody needs it.
std::shared_ptr<const Py_buffer> held_buffer(const nb::handle& object) {
  auto* view = new Py_buffer{};
  if (PyObject_GetBuffer(object.ptr(), view, PyBUF_SIMPLE) != 0) {
    delete view;
    throw nb::python_error();
  }
  return {view, [](Py_buffer* held) {
            const nb::gil_scoped_acquire gil;
            PyBuffer_Release(held);
            delete held;
          }};
}

struct Column {
  std::string name, format;
  std::int64_t rows = 0, nulls = 0;
  std::vector<const void*> buffers;
  std::vector<std::shared_ptr<const void>> owners;
  std::shared_ptr<const Column> dictionary;
};

using Columns = std::vector<std::shared_ptr<const Column>>;

struct ExportedArray {
  std::shared_ptr<const Column> column;
  std::vector<const void*> buffers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> pointers;
  ArrowArray dictionary{};
};

void release_array(ArrowArray* array) {
  auto* held = static_cast<ExportedArray*>(array->private_data);
  for (ArrowArray& child : held->children) {
    if (child.release != nullptr) child.release(&child);
  }
  if (held->dictionary.release != nullptr) held->dictionary.release(&held->dictionary);
  delete held;
  array->release = nullptr;
}

void give_array(std::unique_ptr<ExportedArray> held, std::int64_t rows, std::int64_t nulls,
                ArrowArray* out) {
  for (ArrowArray& child : held->children) held->pointers.push_back(&child);
  *out = ArrowArray{};
  out->length = rows;
  out->null_count = nulls;
  out->n_buffers = static_cast<std::int64_t>(held->buffers.size());
  out->buffers = held->buffers.data();
  out->n_children = static_cast<std::int64_t>(held->children.size());
  out->children = held->pointers.data();
  out->dictionary = held->dictionary.release != nullptr ? &held->dictionary : nullptr;
  out->release = &release_array;
  out->private_data = held.release();
}

void give_column(const std::shared_ptr<const Column>& column, ArrowArray* out) {
  auto held = std::make_unique<ExportedArray>();
  held->column = column;
  held->buffers = column->buffers;
  if (column->dictionary) give_column(column->dictionary, &held->dictionary);
  give_array(std::move(held), column->rows, column->nulls, out);
}

struct ExportedSchema {
  std::string name, format;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> pointers;
  ArrowSchema dictionary{};
};

void release_schema(ArrowSchema* schema) {
  auto* held = static_cast<ExportedSchema*>(schema->private_data);
  for (ArrowSchema& child : held->children) {
    if (child.release != nullptr) child.release(&child);
  }
  if (held->dictionary.release != nullptr) held->dictionary.release(&held->dictionary);
  delete held;
  schema->release = nullptr;
}

void give_schema(std::unique_ptr<ExportedSchema> held, ArrowSchema* out) {
  for (ArrowSchema& child : held->children) held->pointers.push_back(&child);
  *out = ArrowSchema{};
  out->format = held->format.c_str();
  out->name = held->name.c_str();
  out->flags = ARROW_FLAG_NULLABLE;
  out->n_children = static_cast<std::int64_t>(held->children.size());
  out->children = held->pointers.data();
  out->dictionary = held->dictionary.release != nullptr ? &held->dictionary : nullptr;
  out->release = &release_schema;
  out->private_data = held.release();
}

void give_column_schema(const Column& column, ArrowSchema* out) {
  auto held = std::make_unique<ExportedSchema>();
  held->name = column.name;
  held->format = column.format;
  if (column.dictionary) give_column_schema(*column.dictionary, &held->dictionary);
  give_schema(std::move(held), out);
}

struct ColumnStream {
  Columns columns;
  std::int64_t rows = 0;
  bool given = false;
};

// Columns of equal length as one batch, as often as it is asked for.
class TableOfColumns {
 public:
  explicit TableOfColumns(std::int64_t rows) : rows_(rows) {}

  // `buffers`: the validity bitmap (None: all are there), then those of the format. `values`: the
  // texts of a dictionary, whose indices the buffers hold.
  void add(const std::string& name, const std::string& format, const nb::list& buffers,
           std::int64_t nulls, const std::optional<nb::list>& values) {
    auto column = std::make_shared<Column>();
    column->name = name;
    column->format = format;
    column->rows = rows_;
    column->nulls = nulls;
    for (const nb::handle buffer : buffers) {
      if (buffer.is_none()) {
        column->buffers.push_back(nullptr);
        continue;
      }
      auto held = held_buffer(buffer);
      column->buffers.push_back(held->buf);
      column->owners.push_back(std::move(held));
    }
    if (values) column->dictionary = texts(*values);
    columns_.push_back(std::move(column));
  }

  nb::object stream() const {
    return stream_capsule([this](ArrowArrayStream* out) -> Status {
      out->get_schema = [](ArrowArrayStream* stream, ArrowSchema* schema) {
        const auto& state = *static_cast<ColumnStream*>(stream->private_data);
        auto held = std::make_unique<ExportedSchema>();
        held->format = "+s";
        held->children.resize(state.columns.size());
        for (std::size_t i = 0; i < state.columns.size(); ++i) {
          give_column_schema(*state.columns[i], &held->children[i]);
        }
        give_schema(std::move(held), schema);
        return 0;
      };
      out->get_next = [](ArrowArrayStream* stream, ArrowArray* array) {
        auto& state = *static_cast<ColumnStream*>(stream->private_data);
        *array = ArrowArray{};
        if (state.given) return 0;
        state.given = true;
        auto held = std::make_unique<ExportedArray>();
        held->buffers = {nullptr};
        held->children.resize(state.columns.size());
        for (std::size_t i = 0; i < state.columns.size(); ++i) {
          give_column(state.columns[i], &held->children[i]);
        }
        give_array(std::move(held), state.rows, 0, array);
        return 0;
      };
      out->get_last_error = [](ArrowArrayStream*) -> const char* { return nullptr; };
      out->release = [](ArrowArrayStream* stream) {
        delete static_cast<ColumnStream*>(stream->private_data);
        stream->release = nullptr;
      };
      out->private_data = new ColumnStream{columns_, rows_, false};
      return {};
    });
  }

 private:
  static std::shared_ptr<const Column> texts(const nb::list& values) {
    struct Bytes {
      std::vector<std::int64_t> begins{0};
      std::string text;
    };
    const auto bytes = std::make_shared<Bytes>();
    for (const nb::handle value : values) {
      Py_ssize_t size = 0;
      const char* const text = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
      if (text == nullptr) throw nb::python_error();
      bytes->text.append(text, static_cast<std::size_t>(size));
      bytes->begins.push_back(static_cast<std::int64_t>(bytes->text.size()));
    }
    auto out = std::make_shared<Column>();
    out->format = "U";
    out->rows = static_cast<std::int64_t>(nb::len(values));
    out->buffers = {nullptr, bytes->begins.data(), bytes->text.data()};
    out->owners = {bytes};
    return out;
  }

  Columns columns_;
  std::int64_t rows_;
};

// ---- Batches one after the other ----------------------------------------------------------------

// What two schemas must have in common to be of one table.
std::string signature(const ArrowSchema& schema) {
  std::string out = std::string(schema.name == nullptr ? "" : schema.name) + ":" + schema.format;
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    out += (i == 0 ? "(" : ",") + signature(*schema.children[i]);
  }
  if (schema.n_children > 0) out += ")";
  return schema.dictionary == nullptr ? out : out + "[" + signature(*schema.dictionary) + "]";
}

std::string signature(ArrowArrayStream& stream) {
  ArrowSchema schema{};
  if (stream.get_schema(&stream, &schema) != 0) {
    raise(system_error("the stream of a batch failed: see what its producer says"));
  }
  std::string out = signature(schema);
  schema.release(&schema);
  return out;
}

// Streams of one schema; the first tells it.
struct JoinedStreams {
  std::vector<ArrowArrayStream> parts;
  std::size_t at = 0;

  JoinedStreams() = default;
  JoinedStreams(const JoinedStreams&) = delete;
  JoinedStreams& operator=(const JoinedStreams&) = delete;
  ~JoinedStreams() {
    for (ArrowArrayStream& part : parts) release(part);
  }
};

// Batches of a table as one stream, which can be read once.
nb::object joined_stream(const nb::list& batches) {
  if (nb::len(batches) == 0) raise(data_error("the iterator has no batches: give one at least"));
  auto joined = std::make_unique<JoinedStreams>();
  std::string first;
  for (const nb::handle batch : batches) {
    joined->parts.push_back(stream_of(nb::borrow(batch)));
    const std::string own = signature(joined->parts.back());
    if (joined->parts.size() == 1) first = own;
    if (own == first) continue;
    raise(data_error("batch " + std::to_string(joined->parts.size() - 1) +
                     " (from 0) has other columns or types than the first: give all the same"));
  }
  return stream_capsule([&](ArrowArrayStream* out) -> Status {
    out->get_schema = [](ArrowArrayStream* stream, ArrowSchema* schema) {
      ArrowArrayStream& part = static_cast<JoinedStreams*>(stream->private_data)->parts.front();
      return part.get_schema(&part, schema);
    };
    out->get_next = [](ArrowArrayStream* stream, ArrowArray* array) {
      auto& state = *static_cast<JoinedStreams*>(stream->private_data);
      *array = ArrowArray{};
      for (; state.at < state.parts.size(); ++state.at) {
        ArrowArrayStream& part = state.parts[state.at];
        if (const int code = part.get_next(&part, array); code != 0) return code;
        if (array->release != nullptr) return 0;
      }
      return 0;
    };
    out->get_last_error = [](ArrowArrayStream* stream) -> const char* {
      auto& state = *static_cast<JoinedStreams*>(stream->private_data);
      if (state.at == state.parts.size()) return nullptr;
      ArrowArrayStream& part = state.parts[state.at];
      return part.get_last_error(&part);
    };
    out->release = [](ArrowArrayStream* stream) {
      delete static_cast<JoinedStreams*>(stream->private_data);
      stream->release = nullptr;
    };
    out->private_data = joined.release();
    return {};
  });
}

// ---- Columns that come out ----------------------------------------------------------------------

bool is_there(const ArrowArray& array, std::int64_t row) {
  if (array.null_count == 0 || array.n_buffers == 0 || array.buffers[0] == nullptr) return true;
  const auto at = static_cast<std::uint64_t>(array.offset + row);
  return ((static_cast<const unsigned char*>(array.buffers[0])[at / 8] >> (at % 8)) & 1U) != 0;
}

template <class Number>
Number number_at(const ArrowArray& array, std::size_t buffer, std::int64_t row) {
  Number out{};
  std::memcpy(&out,
              static_cast<const char*>(array.buffers[buffer]) +
                  static_cast<std::size_t>(array.offset + row) * sizeof(Number),
              sizeof out);
  return out;
}

std::int64_t index_at(const std::string& format, const ArrowArray& array, std::int64_t row) {
  switch (format.front()) {
    case 'c':
      return number_at<std::int8_t>(array, 1, row);
    case 'C':
      return number_at<std::uint8_t>(array, 1, row);
    case 's':
      return number_at<std::int16_t>(array, 1, row);
    case 'S':
      return number_at<std::uint16_t>(array, 1, row);
    case 'i':
      return number_at<std::int32_t>(array, 1, row);
    case 'I':
      return number_at<std::uint32_t>(array, 1, row);
    default:
      return number_at<std::int64_t>(array, 1, row);
  }
}

// Of a cell of 16 bytes: size, then the text itself or where in which buffer it begins.
std::string_view viewed_text(const ArrowArray& array, std::int64_t row) {
  constexpr std::int32_t kInside = 12;
  const char* const cell = static_cast<const char*>(array.buffers[1]) +
                           static_cast<std::size_t>(array.offset + row) * 16;
  std::int32_t size = 0, buffer = 0, begin = 0;
  std::memcpy(&size, cell, sizeof size);
  if (size <= kInside) return {cell + 4, static_cast<std::size_t>(size)};
  std::memcpy(&buffer, cell + 8, sizeof buffer);
  std::memcpy(&begin, cell + 12, sizeof begin);
  return {static_cast<const char*>(array.buffers[2 + buffer]) + begin,
          static_cast<std::size_t>(size)};
}

std::string_view text_at(const std::string& format, const ArrowArray& array, std::int64_t row) {
  if (format == "vu") return viewed_text(array, row);
  std::int64_t begin = 0, end = 0;
  if (format == "U") {
    begin = number_at<std::int64_t>(array, 1, row);
    end = number_at<std::int64_t>(array, 1, row + 1);
  } else {
    begin = number_at<std::int32_t>(array, 1, row);
    end = number_at<std::int32_t>(array, 1, row + 1);
  }
  if (begin == end) return {};
  return {static_cast<const char*>(array.buffers[2]) + begin,
          static_cast<std::size_t>(end - begin)};
}

nb::object python_text(std::string_view bytes) {
  nb::object out = nb::steal(
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "surrogateescape"));
  if (!out.is_valid()) throw nb::python_error();
  return out;
}

// Distinct texts as codes, in the order they came.
class TextCodes {
 public:
  std::int32_t code(std::string_view text) {
    const auto [at, is_new] =
        codes_.try_emplace(std::string(text), static_cast<std::int32_t>(codes_.size()));
    if (is_new) texts_.append(python_text(text));
    return at->second;
  }
  const nb::list& texts() const { return texts_; }

 private:
  std::unordered_map<std::string, std::int32_t> codes_;
  nb::list texts_;
};

nb::object bytearray(const void* data, std::size_t size) {
  return nb::steal(
      PyByteArray_FromStringAndSize(static_cast<const char*>(data), static_cast<Py_ssize_t>(size)));
}

std::size_t width_of(const std::string& format) {
  switch (format.front()) {
    case 'c':
    case 'C':
      return 1;
    case 's':
    case 'S':
    case 'e':
      return 2;
    case 'i':
    case 'I':
    case 'f':
      return 4;
    case 't':
      return format == "tdD" || format == "tts" || format == "ttm" ? 4 : 8;
    default:
      return 8;
  }
}

// One column of a release, batch by batch.
class ReadColumn {
 public:
  explicit ReadColumn(const ArrowSchema& schema)
      : format_(schema.format),
        text_format_(format_),
        is_dictionary_(schema.dictionary != nullptr) {
    if (is_dictionary_) text_format_ = schema.dictionary->format;
    if (format_ == "+l" || format_ == "+L") text_format_ = schema.children[0]->format;
    if (!is_known()) {
      raise(data_error("a column of this type (Arrow's '" + format_ +
                       "') cannot be read here: take the table by its __arrow_c_stream__")
                .at({"", 0, schema.name == nullptr ? "" : schema.name}));
    }
  }

  void add(const ArrowArray& array) {
    for (std::int64_t row = 0; row < array.length; ++row) {
      const bool there = is_there(array, row);
      if (is_dictionary_) {
        codes_.push_back(there ? own_code(*array.dictionary, index_at(format_, array, row)) : -1);
      } else if (is_text()) {
        codes_.push_back(there ? texts_.code(text_at(text_format_, array, row)) : -1);
      } else if (is_list()) {
        lists_.append(there ? list_at(array, row) : nb::none());
      } else {
        add_fixed(array, row, there);
      }
    }
    own_codes_.clear();  // the next batch may have another dictionary
  }

  nb::tuple finish() {
    if (is_dictionary_ || is_text()) {
      return nb::make_tuple("texts", bytearray(codes_.data(), codes_.size() * sizeof(std::int32_t)),
                            texts_.texts());
    }
    if (is_list()) return nb::make_tuple("lists", lists_, nb::none());
    return nb::make_tuple(format_, bytearray(bytes_.data(), bytes_.size()),
                          all_there_ ? nb::none() : bytearray(there_.data(), there_.size()));
  }

 private:
  static bool is_text(const std::string& format) {
    return format == "u" || format == "U" || format == "vu";
  }
  bool is_text() const { return is_text(format_); }
  bool is_list() const { return format_ == "+l" || format_ == "+L"; }
  bool is_known() const {
    if (is_dictionary_ || is_list()) return is_text(text_format_);
    return is_text() ||
           (format_.size() == 1 && std::strchr("bcCsSiIlLefg", format_[0]) != nullptr) ||
           format_[0] == 't';
  }

  std::int32_t own_code(const ArrowArray& dictionary, std::int64_t index) {
    const auto at = static_cast<std::size_t>(index);
    if (own_codes_.size() <= at) {
      own_codes_.resize(static_cast<std::size_t>(dictionary.length), kUnknown);
    }
    if (own_codes_[at] == kUnknown) {
      own_codes_[at] = texts_.code(text_at(text_format_, dictionary, index));
    }
    return own_codes_[at];
  }

  nb::object list_at(const ArrowArray& array, std::int64_t row) const {
    const bool is_large = format_ == "+L";
    const std::int64_t begin =
        is_large ? number_at<std::int64_t>(array, 1, row) : number_at<std::int32_t>(array, 1, row);
    const std::int64_t end = is_large ? number_at<std::int64_t>(array, 1, row + 1)
                                      : number_at<std::int32_t>(array, 1, row + 1);
    nb::list out;
    for (std::int64_t i = begin; i < end; ++i) {
      out.append(python_text(text_at(text_format_, *array.children[0], i)));
    }
    return out;
  }

  void add_fixed(const ArrowArray& array, std::int64_t row, bool there) {
    there_.push_back(static_cast<char>(there));
    all_there_ = all_there_ && there;
    if (format_ == "b") {
      const auto at = static_cast<std::uint64_t>(array.offset + row);
      const auto byte = static_cast<const unsigned char*>(array.buffers[1])[at / 8];
      bytes_.push_back(static_cast<char>((byte >> (at % 8)) & 1U));
      return;
    }
    const std::size_t width = width_of(format_);
    const char* const cell = static_cast<const char*>(array.buffers[1]) +
                             static_cast<std::size_t>(array.offset + row) * width;
    bytes_.insert(bytes_.end(), cell, cell + width);
  }

  static constexpr std::int32_t kUnknown = -2;
  std::string format_;
  std::string text_format_;
  bool is_dictionary_, all_there_ = true;
  TextCodes texts_;
  std::vector<std::int32_t> codes_, own_codes_;
  std::vector<char> bytes_, there_;
  nb::list lists_;
};

// name → (kind, data, more) of the columns of a stream.
nb::dict read_columns(const nb::object& table, const std::vector<std::string>& wanted) {
  ArrowArrayStream stream = stream_of(table);
  ArrowSchema schema{};
  if (stream.get_schema(&stream, &schema) != 0) {
    release(stream);
    raise(system_error("the stream of the release failed"));
  }
  std::vector<std::pair<std::int64_t, ReadColumn>> columns;
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    const ArrowSchema& field = *schema.children[i];
    if (std::ranges::find(wanted, std::string_view(field.name)) == wanted.end()) continue;
    columns.emplace_back(i, ReadColumn(field));
  }
  bool failed = false;
  for (;;) {
    ArrowArray batch{};
    failed = stream.get_next(&stream, &batch) != 0;
    if (failed || batch.release == nullptr) break;
    for (auto& [i, column] : columns) column.add(*batch.children[i]);
    batch.release(&batch);
  }
  nb::dict out;
  for (auto& [i, column] : columns) out[schema.children[i]->name] = column.finish();
  schema.release(&schema);
  release(stream);
  if (failed) raise(system_error("the stream of the release failed"));
  return out;
}

// The names of a stream's columns.
std::vector<std::string> column_names(const nb::object& table) {
  ArrowArrayStream stream = stream_of(table);
  ArrowSchema schema{};
  const int failed = stream.get_schema(&stream, &schema);
  release(stream);
  if (failed != 0) raise(system_error("the stream of the table failed"));
  std::vector<std::string> out;
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    const char* const name = schema.children[i]->name;
    out.emplace_back(name == nullptr ? "" : name);
  }
  schema.release(&schema);
  return out;
}

// Every cell as it is, to a file whose ending tells the format.
void write_table(const nb::object& table, const std::string& path) {
  GivenTable given(table, "the table");
  run(nb::none(), About::kData, [&](const Working&) -> Status {
    const Result<Table> opened = given.open({});
    if (!opened) return fail(opened.error());
    auto sink = opened->write(path, {});
    if (!sink) return fail(sink.error());
    const auto source = opened->read({});
    if (!source) return fail(source.error());
    for (;;) {
      auto batch = (*source)->next({});
      if (!batch) return fail(batch.error());
      if (*batch == nullptr) break;
      auto rendered = (*sink)->render(**batch, {});
      if (!rendered) return fail(rendered.error());
      if (Status status = (*sink)->write(*std::move(rendered)); !status) return status;
    }
    if (Status status = (*sink)->finish(); !status) return status;
    return (*sink)->commit();
  });
}

}  // namespace

GivenTable::GivenTable(const nb::object& table, std::string name) : name_(std::move(name)) {
  if (nb::isinstance<nb::str>(table)) {
    path_ = nb::cast<std::string>(table);
  } else {
    stream_ = stream_of(table);
  }
}

GivenTable::~GivenTable() { release(stream_); }

Result<Table> GivenTable::open(const TableOptions& options) {
  if (!path_.empty()) return Table::open(path_, options);
  return table_from(&stream_, options, name_);
}

nb::object stream_capsule(const std::function<Status(ArrowArrayStream*)>& fill) {
  auto stream = std::make_unique<ArrowArrayStream>();
  *stream = ArrowArrayStream{};
  if (const Status status = fill(stream.get()); !status) raise(status.error());
  nb::object capsule = nb::steal(PyCapsule_New(stream.get(), kStreamName, &free_capsule));
  if (!capsule.is_valid()) {
    release(*stream);
    throw nb::python_error();
  }
  stream.release();  // NOLINT(bugprone-unused-return-value): the capsule's now
  return capsule;
}

void bind_table(nb::module_& core) {
  nb::class_<TableOfColumns>(core, "TableOfColumns")
      .def(nb::init<std::int64_t>(), nb::arg("rows"))
      .def("add", &TableOfColumns::add, nb::arg("name"), nb::arg("format"), nb::arg("buffers"),
           nb::arg("nulls") = 0, nb::arg("values") = nb::none())
      .def(
          "__arrow_c_stream__",
          [](const TableOfColumns& table, const nb::object&) { return table.stream(); },
          nb::arg("requested_schema") = nb::none());
  core.def("joined_stream", &joined_stream, nb::arg("batches"));
  core.def("read_columns", &read_columns, nb::arg("table"), nb::arg("wanted"));
  core.def("write_table", &write_table, nb::arg("table"), nb::arg("path"));
  core.def(
      "write_file",
      [](const std::string& path, const std::string& text, bool only_owner) {
        constexpr unsigned kOwnerOnly = 0600, kEverybody = 0644;
        run(nb::none(), About::kData, [&](const Working&) {
          return write_file(path, text, only_owner ? kOwnerOnly : kEverybody);
        });
      },
      nb::arg("path"), nb::arg("text"), nb::arg("only_owner"));
  core.def("column_names", &column_names, nb::arg("table"));
}

}  // namespace semveil::python
