#include "semveil/plan_table.h"

#include <algorithm>

#include "release/model.h"

namespace semveil {

TableOptions table_options(const PlanFile& plan) {
  TableOptions options;
  options.separator = plan.separator;
  options.quote = plan.quote;
  options.missing_values = plan.missing_values;
  return options;
}

std::vector<std::string> named_columns(const PlanFile& plan) {
  std::vector<std::string> out;
  const auto add = [&](const std::string& name) {
    if (!name.empty() && std::ranges::find(out, name) == out.end()) out.push_back(name);
  };
  for (const ColumnSettings& column : plan.columns) add(column.name);
  add(plan.person);
  for (const std::vector<MaskStep>* const steps : {&plan.recodings, &plan.steps}) {
    for (const MaskStep& step : *steps) {
      for (const std::string& column : step.columns) add(column);
      add(step.draw_by);
    }
  }
  return out;
}

std::vector<std::string> named_columns(const Model& model) {
  const Model::Impl& impl = model.impl();
  std::vector<std::string> out;
  const auto add = [&](const std::string& name) {
    if (!name.empty() && std::ranges::find(out, name) == out.end()) out.push_back(name);
  };
  for (const std::vector<std::string>& names :
       {impl.declared, impl.identifiers, impl.drop_if_missing, impl.quasi_identifiers,
        impl.sensitive, impl.masked_names()}) {
    for (const std::string& name : names) add(name);
  }
  for (const RecodedModelColumn& column : impl.recoded) add(column.name);
  add(impl.person);
  add(impl.draw_by());
  return out;
}

bool drops_records(const PlanFile& plan) { return plan.missing == MissingRule::kDropRecord; }
bool drops_records(const Model& model) { return model.impl().missing == MissingRule::kDropRecord; }

PlanFile without_absent_identifiers(PlanFile plan, std::initializer_list<const Table*> tables) {
  std::erase_if(plan.columns, [&](const ColumnSettings& column) {
    return column.role == Role::kIdentifier &&
           std::ranges::none_of(tables, [&](const Table* table) {
             return std::ranges::find(table->columns(), column.name) != table->columns().end();
           });
  });
  return plan;
}

}  // namespace semveil
