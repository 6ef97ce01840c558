// Structs of the C interfaces that lack something are refused with a sentence, and every struct is
// released once, whatever becomes of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <functional>
#include <limits>

#include "arrow_memory.h"

namespace semveil {
namespace {

using test::json;

// Structs that count their releases: an exported batch, wrapped.
struct CountedRelease {
  ArrowSchema schema{};
  ArrowArray array{};
  int released_schemas = 0, released_arrays = 0;

  explicit CountedRelease(const std::shared_ptr<arrow::RecordBatch>& batch) {
    EXPECT_TRUE(arrow::ExportRecordBatch(*batch, &inner_array_, &inner_schema_).ok());
    schema = inner_schema_;
    schema.private_data = this;
    schema.release = [](ArrowSchema* given) {
      ++static_cast<CountedRelease*>(given->private_data)->released_schemas;
      given->release = nullptr;
    };
    array = inner_array_;
    array.private_data = this;
    array.release = [](ArrowArray* given) {
      ++static_cast<CountedRelease*>(given->private_data)->released_arrays;
      given->release = nullptr;
    };
  }
  CountedRelease(const CountedRelease&) = delete;
  CountedRelease& operator=(const CountedRelease&) = delete;
  ~CountedRelease() {
    inner_schema_.release(&inner_schema_);
    inner_array_.release(&inner_array_);
  }

 private:
  ArrowSchema inner_schema_{};
  ArrowArray inner_array_{};
};

std::shared_ptr<arrow::RecordBatch> batch_of(const arrow::ArrayVector& columns) {
  arrow::FieldVector fields;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    fields.push_back(arrow::field("c" + std::to_string(i), columns[i]->type()));
  }
  return arrow::RecordBatch::Make(arrow::schema(fields), columns[0]->length(), columns);
}

// Reads all cells of a batch that was damaged; the error, or none.
std::optional<Error> error_after(const arrow::ArrayVector& columns,
                                 const std::function<void(ArrowSchema&, ArrowArray&)>& damage) {
  CountedRelease given(batch_of(columns));
  damage(given.schema, given.array);
  const bool schema_there = given.schema.release != nullptr;
  const bool array_there = given.array.release != nullptr;
  std::optional<Error> error;
  {
    const auto table = table_from(&given.schema, &given.array);
    EXPECT_EQ(given.schema.release, nullptr);
    EXPECT_EQ(given.array.release, nullptr);
    if (!table) {
      error = table.error();
    } else {
      std::vector<std::size_t> wanted;
      for (std::size_t i = 0; i < table->columns().size(); ++i) wanted.push_back(i);
      std::vector<Dictionary> dictionaries(wanted.size());
      const auto source = table->read(wanted);
      if (!source) {
        error = source.error();
      } else if (const auto read = (*source)->next(dictionaries); !read) {
        error = read.error();
      }
    }
  }
  EXPECT_EQ(given.released_schemas, schema_there ? 1 : 0);
  EXPECT_EQ(given.released_arrays, array_there ? 1 : 0);
  if (error) {
    EXPECT_EQ(error->code, ErrorCode::kData);
    EXPECT_FALSE(error->message.empty());
  }
  return error;
}

arrow::ArrayVector some_columns() {
  return {json(arrow::utf8(), R"(["a", "b", null])"), json(arrow::int32(), "[1, 2, null]"),
          json(arrow::list(arrow::utf8()), R"([["x"], [], null])"),
          json(arrow::utf8_view(), R"(["a text of more than twelve bytes", "s", null])"),
          arrow::DictionaryArray::FromArrays(arrow::dictionary(arrow::int8(), arrow::utf8()),
                                             json(arrow::int8(), "[0, 1, null]"),
                                             json(arrow::utf8(), R"(["p", "q"])"))
              .ValueOrDie()};
}

TEST(DamagedMemory, IsNotSeenWhereThereIsNone) {
  EXPECT_FALSE(error_after(some_columns(), [](ArrowSchema&, ArrowArray&) {}));
}

TEST(DamagedMemory, OfTheSchemaIsAnError) {
  using Damage = std::function<void(ArrowSchema&)>;
  const std::vector<Damage> damages{
      [](ArrowSchema& s) { s.release = nullptr; },
      [](ArrowSchema& s) { s.format = nullptr; },
      [](ArrowSchema& s) {
        s.format = "u";
        s.n_children = 0;
      },
      [](ArrowSchema& s) { s.n_children = -1; },
      [](ArrowSchema& s) { s.n_children = 4; },  // the array has more
      [](ArrowSchema& s) { s.children = nullptr; },
      [](ArrowSchema& s) { s.children[0]->format = "y"; },
      [](ArrowSchema& s) { s.children[0]->format = ""; },
      [](ArrowSchema& s) { s.children[0]->format = "d:5"; },
      [](ArrowSchema& s) { s.children[0]->format = "d:5,2,77"; },
      [](ArrowSchema& s) { s.children[0]->format = "tsx:"; },
      [](ArrowSchema& s) { s.children[0]->format = "w:-1"; },
      [](ArrowSchema& s) { s.children[0]->format = "+w:"; },
      [](ArrowSchema& s) { s.children[0]->format = "+ud:1,1"; },
      [](ArrowSchema& s) { s.children[0]->format = "+l"; },  // no child
      [](ArrowSchema& s) { s.children[2]->format = "u"; },   // a child
      [](ArrowSchema& s) { s.children[4]->format = "u"; },   // no index of a dictionary
  };
  for (std::size_t i = 0; i < damages.size(); ++i) {
    // What was changed belongs to the exporter, which does not need it to release.
    EXPECT_TRUE(error_after(some_columns(), [&](ArrowSchema& s, ArrowArray&) { damages[i](s); }))
        << i;
  }
}

// Changes something below the top for the time of a test: the exporter needs it as it was.
template <class T>
class Changed {
 public:
  Changed(T& place, T value) : place_(place), old_(place) { place_ = value; }
  Changed(const Changed&) = delete;
  Changed& operator=(const Changed&) = delete;
  ~Changed() { place_ = old_; }

 private:
  T& place_;
  T old_;
};

TEST(DamagedMemory, OfTheArrayIsAnError) {
  using Damage = std::function<void(ArrowArray&)>;
  const std::vector<Damage> damages{
      [](ArrowArray& a) { a.release = nullptr; },
      [](ArrowArray& a) { a.length = -1; },
      [](ArrowArray& a) { a.offset = -1; },
      [](ArrowArray& a) { a.length = std::numeric_limits<std::int64_t>::max(); },
      [](ArrowArray& a) { a.length = 4; },  // longer than its columns
      [](ArrowArray& a) { a.offset = 1; },
      [](ArrowArray& a) { a.n_children = 4; },
      [](ArrowArray& a) { a.n_children = 6; },
      [](ArrowArray& a) { a.children = nullptr; },
      [](ArrowArray& a) { a.n_buffers = 0; },
      [](ArrowArray& a) { a.buffers = nullptr; },
      [](ArrowArray& a) { a.null_count = 1; },  // does not say which
  };
  for (std::size_t i = 0; i < damages.size(); ++i) {
    EXPECT_TRUE(error_after(some_columns(), [&](ArrowSchema&, ArrowArray& a) { damages[i](a); }))
        << i;
  }
}

TEST(DamagedMemory, OfAColumnIsAnErrorThatNamesIt) {
  const auto error_of = [](std::size_t column, const std::function<void(ArrowArray&)>& damage) {
    ArrowArray* child = nullptr;
    ArrowArray old{};
    const auto columns = some_columns();
    CountedRelease given(batch_of(columns));
    child = given.array.children[column];
    old = *child;
    damage(*child);
    std::optional<Error> error;
    {
      const auto table = table_from(&given.schema, &given.array);
      if (!table) {
        error = table.error();
      } else {
        std::vector<Dictionary> dictionaries(1);
        const auto source = table->read({column});
        const auto read = (*source)->next(dictionaries);
        if (!read) error = read.error();
      }
    }
    EXPECT_EQ(given.released_arrays, 1);
    *child = old;
    if (error) {
      EXPECT_EQ(error->place.column, "c" + std::to_string(column));
    }
    return error.has_value();
  };
  EXPECT_FALSE(error_of(0, [](ArrowArray&) {}));
  for (std::size_t column = 0; column < 5; ++column) {
    EXPECT_TRUE(error_of(column, [](ArrowArray& a) { a.release = nullptr; })) << column;
    EXPECT_TRUE(error_of(column, [](ArrowArray& a) { a.length = 2; })) << column;
    EXPECT_TRUE(error_of(column, [](ArrowArray& a) { a.n_buffers = 1; })) << column;
    EXPECT_TRUE(error_of(column, [](ArrowArray& a) { a.buffers = nullptr; })) << column;
    EXPECT_TRUE(error_of(column, [](ArrowArray& a) { a.null_count = 4; })) << column;
    EXPECT_TRUE(error_of(column, [](ArrowArray& a) { a.n_children += 1; })) << column;
  }
  EXPECT_TRUE(error_of(4, [](ArrowArray& a) { a.dictionary = nullptr; }));
}

TEST(DamagedMemory, OfBuffersIsAnError) {
  const auto error_with = [](std::size_t column, std::size_t buffer, const void* bytes) {
    const auto columns = some_columns();
    CountedRelease given(batch_of(columns));
    const Changed<const void*> changed(given.array.children[column]->buffers[buffer], bytes);
    const auto table = table_from(&given.schema, &given.array);
    if (!table) return true;
    std::vector<Dictionary> dictionaries(1);
    const auto source = table->read({column});
    return !(*source)->next(dictionaries);
  };
  const std::array<std::int32_t, 4> falling{0, 3, 1, 1}, negative{-4, 1, 2, 2}, far{0, 90, 90, 90};
  for (const std::size_t column : {0U, 1U, 2U, 3U, 4U}) {
    EXPECT_TRUE(error_with(column, 1, nullptr)) << column;
  }
  EXPECT_TRUE(error_with(0, 2, nullptr));
  EXPECT_TRUE(error_with(0, 1, falling.data()));
  EXPECT_TRUE(error_with(0, 1, negative.data()));
  EXPECT_TRUE(error_with(2, 1, falling.data()));
  EXPECT_TRUE(error_with(2, 1, far.data()));
  const std::array<std::int8_t, 3> outside{0, 2, 0}, below{-1, 0, 0};
  EXPECT_TRUE(error_with(4, 1, outside.data()));
  EXPECT_TRUE(error_with(4, 1, below.data()));
  // Views: a size below none, a buffer that is not there, bytes behind its end.
  for (const std::array<std::int32_t, 4>& first :
       {std::array<std::int32_t, 4>{-1, 0, 0, 0}, std::array<std::int32_t, 4>{20, 0, 1, 0},
        std::array<std::int32_t, 4>{20, 0, -1, 0}, std::array<std::int32_t, 4>{20, 0, 0, 90},
        std::array<std::int32_t, 4>{20, 0, 0, -1}}) {
    std::array<std::int32_t, 12> views{};
    std::copy(first.begin(), first.end(), views.begin());
    EXPECT_TRUE(error_with(3, 1, views.data()));
  }
}

// ---- Streams ------------------------------------------------------------------------------------

struct CountedStream {
  ArrowArrayStream stream{};
  int released = 0, fails_at = -1, asked = 0;
  std::shared_ptr<arrow::RecordBatch> batch = batch_of({json(arrow::utf8(), R"(["a"])")});

  CountedStream() {
    stream.private_data = this;
    stream.get_schema = [](ArrowArrayStream* s, ArrowSchema* out) {
      auto& self = *static_cast<CountedStream*>(s->private_data);
      if (self.fails_at == 0) return EIO;
      return arrow::ExportSchema(*self.batch->schema(), out).ok() ? 0 : EINVAL;
    };
    stream.get_next = [](ArrowArrayStream* s, ArrowArray* out) {
      auto& self = *static_cast<CountedStream*>(s->private_data);
      if (++self.asked == self.fails_at) return EIO;
      if (self.asked > 3) {
        out->release = nullptr;
        return 0;
      }
      return arrow::ExportRecordBatch(*self.batch, out).ok() ? 0 : EINVAL;
    };
    stream.get_last_error = [](ArrowArrayStream*) { return "the disk is gone"; };
    stream.release = [](ArrowArrayStream* s) {
      ++static_cast<CountedStream*>(s->private_data)->released;
      s->release = nullptr;
    };
  }
};

TEST(DamagedMemory, OfAStreamIsWhatItsProducerSays) {
  for (const int at : {0, 1, 3}) {
    CountedStream given;
    given.fails_at = at;
    const auto table = table_from(&given.stream);
    ASSERT_FALSE(table);
    EXPECT_EQ(table.error().code, ErrorCode::kSystem);
    EXPECT_EQ(table.error().hint, "the disk is gone");
    EXPECT_EQ(given.released, 1);
    EXPECT_EQ(given.stream.release, nullptr);
  }
  CountedStream sound;
  EXPECT_TRUE(table_from(&sound.stream));
  EXPECT_EQ(sound.released, 1);
  EXPECT_FALSE(table_from(&sound.stream));  // it is gone
  ArrowArrayStream empty{};
  EXPECT_FALSE(table_from(&empty));
}

TEST(DamagedMemory, OfRecordsThatAreNullsAsAWholeIsAnError) {
  const auto child = json(arrow::utf8(), R"(["a", "b"])");
  const auto records = arrow::StructArray::Make({child}, std::vector<std::string>{"c"},
                                                json(arrow::uint8(), "[1]")->data()->buffers[1], 1)
                           .ValueOrDie();
  ArrowSchema schema{};
  ArrowArray array{};
  ASSERT_TRUE(arrow::ExportArray(*records, &array, &schema).ok());
  const auto table = table_from(&schema, &array);
  ASSERT_FALSE(table);
  EXPECT_THAT(table.error().message, testing::HasSubstr("null"));
}

// A consumer may take a column out of a batch and let go of the rest.
TEST(MemoryRelease, LetsColumnsBeTakenOutOfABatch) {
  const auto source = batch_of(some_columns());
  ArrowSchema schema{}, out_schema{};
  ArrowArray array{}, out{};
  ASSERT_TRUE(arrow::ExportRecordBatch(*source, &array, &schema).ok());
  {
    const auto table = table_from(&schema, &array);
    ASSERT_TRUE(table);
    MemoryOutput output;
    const auto sink = table->write(output, {});
    const auto read = table->read({});
    const auto batch = (*read)->next({});
    ASSERT_TRUE((*sink)->write(std::move(*(*sink)->render(**batch, {}))));
    ASSERT_TRUE((*sink)->finish() && (*sink)->commit());
    ASSERT_TRUE(output.batch(&out_schema, &out));
  }
  for (std::size_t i = 0; i < 5; ++i) {
    ArrowArray column = *out.children[i];
    out.children[i]->release = nullptr;
    ArrowSchema type = *out_schema.children[i];
    out_schema.children[i]->release = nullptr;
    if (i == 4) {
      out.release(&out);
      out_schema.release(&out_schema);
    }
    const auto taken = arrow::ImportArray(&column, &type).ValueOrDie();
    EXPECT_TRUE(taken->ValidateFull().ok());
    EXPECT_TRUE(taken->Equals(source->column(static_cast<int>(i)))) << taken->ToString();
  }
}

}  // namespace
}  // namespace semveil
