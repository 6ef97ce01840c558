#include "table/heading_table.h"

#include <utility>

#include "table/table_impl.h"

namespace semveil {
namespace {

class HeadingTable final : public Table::Impl {
 public:
  HeadingTable(std::string name, std::vector<std::string> columns)
      : name_(std::move(name)), columns_(std::move(columns)) {}

  const std::string& name() const override { return name_; }
  const std::vector<std::string>& columns() const override { return columns_; }
  std::uint64_t bytes() const override { return 0; }
  Result<std::unique_ptr<TableSource>> read(std::vector<std::size_t>, Cells) const override {
    return fail(refusal());
  }
  Result<std::unique_ptr<TableSink>> write(const std::string&, Edits) const override {
    return fail(refusal());
  }

 private:
  Error refusal() const {
    return data_error("only the columns of the table are known, not its records").at(name_);
  }

  std::string name_;
  std::vector<std::string> columns_;
};

}  // namespace

Table heading_table(std::string name, std::vector<std::string> columns) {
  return Table::Impl::table(std::make_unique<HeadingTable>(std::move(name), std::move(columns)));
}

}  // namespace semveil
