#include "plan_options.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <filesystem>

namespace semveil::cli {
namespace {

constexpr std::size_t kLongestSeed = 1U << 20U;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  while (true) {
    const std::size_t end = text.find(separator, at);
    parts.push_back(text.substr(at, end - at));
    if (end == std::string::npos) return parts;
    at = end + 1;
  }
}

std::string columns_value(const std::string& text) {
  std::string out;
  for (const std::string& name : split(text, ',')) {
    if (name.empty()) throw CLI::ValidationError("--columns", "write names as a,b");
    out += (out.empty() ? "" : ", ") + toml_text(name);
  }
  return "[" + out + "]";
}

std::string pairs_value(const std::string& text) {
  std::string out;
  for (const std::string& pair : split(text, ',')) {
    const std::vector<std::string> names = split(pair, ':');
    if (names.size() != 2 || names[0].empty() || names[1].empty()) {
      throw CLI::ValidationError("--pairs", "write pairs of columns as a:b,c:d");
    }
    out += fmt::format("{}[{}, {}]", out.empty() ? "" : ", ", toml_text(names[0]),
                       toml_text(names[1]));
  }
  return "[" + out + "]";
}

Status use_ontology(PlanFile& plan, const std::string& source) {
  // What cannot be understood is here the command line's fault, and not the plan's.
  if (const auto known = ontology_files(source);
      !known && known.error().code == ErrorCode::kUsage) {
    return fail(known.error());
  }
  if (plan.ontologies.size() > 1) {
    return fail(usage_error(fmt::format("--ontology replaces the plan's only ontology, and this "
                                        "plan names {}: change their sources in the plan",
                                        plan.ontologies.size()))
                    .at(plan.path));
  }
  if (plan.ontologies.size() == 1) {
    plan.ontologies.begin()->second = source;
    return {};
  }
  const std::string name = "given";
  bool used = false;
  for (ColumnPlan& column : plan.columns) {
    if (column.role != Role::kQuasiIdentifier || column.type != ColumnType::kNominal) continue;
    column.ontology = name;
    used = true;
  }
  if (!used) {
    return fail(usage_error("--ontology: no column of the plan is a nominal quasi-identifier")
                    .at(plan.path));
  }
  plan.ontologies[name] = source;
  return {};
}

Result<std::string> read_seed(const std::string& path) {
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  const std::unique_ptr<std::FILE, Closer> file(std::fopen(path.c_str(), "rb"));
  if (!file)
    return fail(data_error("the file of the seed cannot be read: check the path").at(path));
  std::string text(kLongestSeed + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  if (std::ferror(file.get()) != 0) {
    return fail(data_error("the file of the seed cannot be read").at(path));
  }
  if (text.size() > kLongestSeed) {
    return fail(data_error("a seed is no longer than 1 MiB: name another file").at(path));
  }
  if (text.ends_with('\n')) text.pop_back();
  if (text.ends_with('\r')) text.pop_back();
  if (text.empty())
    return fail(data_error("the seed is empty: write a text into the file").at(path));
  return text;
}

bool same_target(const std::string& a, const std::string& b) {
  std::error_code ignored;
  if (std::filesystem::equivalent(a, b, ignored)) return true;
  const auto full = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, ignored), ignored);
  };
  const std::filesystem::path full_a = full(a), full_b = full(b);
  return !full_a.empty() && full_a == full_b;
}

bool is_device(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

// Where input that cannot be read twice is kept: `asked`, else the output's folder, else (standard
// output, a device) the system's folder for such things.
std::string temp_folder(const std::string& asked, const std::string& output) {
  if (!asked.empty()) return asked;
  std::error_code ignored;
  if (output.empty() || output == "-" || is_device(output)) {
    const std::filesystem::path system = std::filesystem::temp_directory_path(ignored);
    return system.empty() ? "." : system.string();
  }
  const std::filesystem::path folder = std::filesystem::path(output).parent_path();
  return folder.empty() ? "." : folder.string();
}

}  // namespace

void add_plan_options(CLI::App& verb, PlanOptions& options) {
  verb.add_option("--plan", options.plan, "The plan: what each column means (TOML)")
      ->type_name("FILE")
      ->required();
  verb.add_option("--ontology", options.ontology,
                  "Instead of the source of the plan's only ontology: wordnet, obo:FILE, …")
      ->type_name("SRC");
}

void add_mask_options(CLI::App& verb, PlanOptions& options) {
  constexpr const char* kGroup = "Instead of what the plan says in [mask]";
  const auto text = [&](const std::string& option, const std::string& key, const std::string& help,
                        const std::string& type) {
    verb.add_option_function<std::string>(
            option,
            [&options, key](const std::string& v) { options.overrides[key] = toml_text(v); }, help)
        ->type_name(type)
        ->group(kGroup);
  };
  const auto flag = [&](const std::string& option, const std::string& key, bool value,
                        const std::string& help) {
    return verb
        .add_flag_callback(
            option, [&options, key, value] { options.overrides[key] = value ? "true" : "false"; },
            help)
        ->group(kGroup);
  };
  text("--method", "method",
       "noise | swap | fuse | recode | generalize | microaggregate | ean | an | naive | "
       "probabilistic | random-swap | distributional-swap",
       "NAME");
  const auto number = [&](const std::string& option, const std::string& key,
                          const std::string& help) {
    verb.add_option_function<double>(
            option,
            [&options, option, key](double value) {
              if (!std::isfinite(value)) throw CLI::ValidationError(option, "not a number");
              options.overrides[key] = fmt::format("{}", value);
            },
            help)
        ->type_name("NUMBER")
        ->group(kGroup);
  };
  number("--alpha", "alpha",
         "noise: variance of the errors, as a share of the column's; usual 0.1 to 0.5");
  CLI::Option* correlated =
      flag("--correlated", "correlated", true, "noise: errors correlated as the columns are");
  flag("--no-correlated", "correlated", false, "noise: errors independent per column")
      ->excludes(correlated);
  text("--reference", "reference", "noise: mean | pair | root", "NAME");
  text("--distribution", "distribution", "noise: normal | laplace", "NAME");
  text("--ties", "ties", "noise, equally near concepts: random | first", "NAME");
  verb.add_option_function<std::int64_t>(
          "--k", [&options](std::int64_t k) { options.overrides["k"] = fmt::format("{}", k); },
          "fuse, generalize, microaggregate: every combination of quasi-identifiers has k records, "
          "recode: every value; usual 3 to 20. swap, distributional-swap: a value moves to one of "
          "the k records closest to its own; usual 5 to 50")
      ->type_name("NUMBER")
      ->group(kGroup);
  number(
      "--p", "p",
      "swap: k as a percentage of the records, instead of --k; rounded to the nearest, at least 1");
  text("--algorithm", "algorithm",
       "swap: fixed (one ranking) | dynamic (column by column) | multivariate (whole records; the "
       "default). recode: heuristic (the default) | recoding",
       "NAME");
  text("--exhausted", "exhausted", "swap, no partner among the k: keep (the default) | extend",
       "NAME");
  text("--demand", "demand", "swap: probabilistic-k, checked on the result", "NAME");
  text("--guide", "guide", "fuse: semantic (the default) | discernibility | random", "NAME");
  number("--heuristics", "heuristics", "fuse: how many of its three heuristics, 0 to 3");
  text("--target", "target", "recode, recoding: anonymous (values that have k; the default) | any",
       "NAME");
  text("--scope", "scope", "generalize: local (the default) | full-domain", "NAME");
  text("--loss", "loss", "generalize: lm (the default) | lm-geometric | ncp | discernibility",
       "NAME");
  number("--suppression", "suppression",
         "generalize: the share of the records that may be suppressed; 0 by default");
  flag("--partial", "partial", true,
       "fuse, generalize, microaggregate: let --columns leave a quasi-identifier out");
  verb.add_option_function<std::string>(
          "--categories",
          [&options](const std::string& v) {
            // As any path on the command line: where it was typed counts, not the plan's folder.
            options.overrides["categories"] =
                toml_text(std::filesystem::absolute(v).lexically_normal().string());
          },
          "ean, an: the values that are related, one category per line")
      ->type_name("FILE")
      ->group(kGroup);
  number("--l", "l", "ean, an: how many values a set has; by default the number of categories");
  text("--draw", "draw", "ean, values of other categories: uniform (the default) | frequency",
       "NAME");
  text("--sets", "output", "ean, an: joined (one cell; the default) | list | columns", "NAME");
  text("--set-separator", "separator", "ean, an: what stands between joined values; | by default",
       "TEXT");
  verb.add_option_function<std::string>(
          "--columns",
          [&options](const std::string& v) { options.overrides["columns"] = columns_value(v); },
          "The columns to mask")
      ->type_name("A,B")
      ->group(kGroup);
  verb.add_option_function<std::string>(
          "--pairs",
          [&options](const std::string& v) { options.overrides["pairs"] = pairs_value(v); },
          "noise with reference pair: which columns go together")
      ->type_name("A:B,C:D")
      ->group(kGroup);
  text("--draw-by", "draw_by",
       "Column of the person: the same person and value, the same replacement", "COLUMN");
  flag("--allow-unmasked", "allow_unmasked", true, "Go on where a column cannot be masked");
}

Result<PlanFile> read_plan(const PlanOptions& options) {
  Result<PlanFile> plan = PlanFile::read(options.plan, options.overrides);
  if (!plan || options.ontology.empty()) return plan;
  if (const Status status = use_ontology(*plan, options.ontology); !status) {
    return fail(status.error());
  }
  return plan;
}

Result<PlanFile> read_masking_plan(const PlanOptions& options) {
  Result<PlanFile> plan = read_plan(options);
  if (!plan || plan->mask) return plan;
  return fail(data_error("the plan has no [mask]: write one; `semveil advise` suggests it")
                  .at(options.plan));
}

CLI::Option* add_table_argument(CLI::App& verb, std::string& table) {
  return verb
      .add_option(
          "TABLE", table,
          ".csv, .tsv (also .gz, .zst), .parquet, .arrow, .feather, or - for standard input")
      ->required();
}

void add_temp_option(CLI::App& verb, std::string& folder) {
  verb.add_option("--temp-dir", folder,
                  "Where input that cannot be read twice is kept, encrypted; default: the output's "
                  "folder")
      ->type_name("FOLDER");
}

void add_seed_file_option(CLI::App& verb, std::string& path) {
  verb.add_option("--seed-file", path,
                  "The seed as the text of a file, which other users cannot see as they do --seed")
      ->type_name("FILE");
}

void add_trace_option(CLI::App& verb, std::string& path) {
  verb.add_option("--trace", path,
                  "Write what happened to every cell (CSV). It undoes the release: keep it secret")
      ->type_name("FILE");
}

void add_release_option(CLI::App& verb, std::string& release) {
  verb.add_option("--release", release, "Name of this release: two releases draw different errors")
      ->type_name("TEXT");
}

Result<std::optional<std::string>> given_seed(const Work& work, const std::string& seed_file) {
  if (work.seed && !seed_file.empty()) {
    return fail(usage_error("--seed and --seed-file: give one of them"));
  }
  if (work.seed && work.seed->empty()) {
    return fail(usage_error("--seed is empty: write a text, or leave it out for a secret key"));
  }
  if (seed_file.empty()) return work.seed;
  Result<std::string> seed = read_seed(seed_file);
  if (!seed) return fail(seed.error());
  return std::optional(*std::move(seed));
}

Result<KeyChoice> choose_key(const Work& work, const std::string& seed_file, const PlanFile& plan) {
  const Result<std::optional<std::string>> given = given_seed(work, seed_file);
  if (!given) return fail(given.error());
  return KeyChoice{*given ? *given : plan.seed};
}

Result<Key> KeyChoice::make() const {
  if (!seed) return Key::fresh();
  return Key::from_seed(*seed);
}

PlanFile without_absent_identifiers(PlanFile plan, std::initializer_list<const Table*> tables) {
  std::erase_if(plan.columns, [&](const ColumnPlan& column) {
    return column.role == Role::kIdentifier &&
           std::ranges::none_of(tables, [&](const Table* table) {
             return std::ranges::find(table->columns(), column.name) != table->columns().end();
           });
  });
  return plan;
}

bool is_file(const std::string& output) { return output != "-" && !is_device(output); }

TableOptions table_options(const PlanFile& plan) {
  TableOptions options;
  options.separator = plan.separator;
  options.quote = plan.quote;
  options.missing_values = plan.missing_values;
  return options;
}

TableOptions completed(TableOptions how, const Work& work, const std::string& temp,
                       const std::string& output) {
  how.batch_rows = work.batch_rows;
  how.temp_folder = temp_folder(temp, output);
  return how;
}

Status keep_apart(const std::vector<std::string>& outputs, std::vector<std::string> inputs,
                  const PlanFile* plan) {
  std::vector<std::string> ontologies{""};
  if (plan != nullptr) {
    inputs.push_back(plan->path);
    for (const ColumnPlan& column : plan->columns) {
      inputs.push_back(column.mapping);
      inputs.push_back(column.ic);
      if (column.categories) inputs.push_back(column.categories->file);
      inputs.push_back(column.levels);
    }
    const CategoriesPlan* const categories = plan->mask ? plan->mask->categories() : nullptr;
    if (categories != nullptr) inputs.push_back(categories->file);
    for (const auto& [name, source] : plan->ontologies) ontologies.push_back(source);
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::string& output = outputs[i];
    if (output.empty() || output == "-" || is_device(output)) continue;
    for (const std::string& ontology : ontologies) {
      const Status status = refuse_overwriting(output, inputs, ontology);
      if (!status) return status;
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (outputs[j].empty() || outputs[j] == "-" || !same_target(output, outputs[j])) continue;
      return fail(usage_error("two outputs have the same name: choose another").at(output));
    }
  }
  return {};
}

}  // namespace semveil::cli
