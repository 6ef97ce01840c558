#include "plan_options.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

namespace semveil::cli {
namespace {

constexpr std::size_t kLongestSeed = 1U << 20U;

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
  for (ColumnSettings& column : plan.columns) {
    if (column.role != Role::kQuasiIdentifier || column.type != ColumnType::kNominal) continue;
    if (column.hierarchy && column.hierarchy->kind != HierarchySettings::Kind::kChosen) continue;
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
    return fail(
        data_error("the file of the seed cannot be read: check its path and mode").at(path));
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

// The file that is written to by this name: links lead there, also where nothing stands yet.
std::filesystem::path written_file(const std::string& path) {
  constexpr int kMaxLinks = 40;  // as the kernel has it
  std::error_code ignored, no_link;
  std::filesystem::path target = std::filesystem::absolute(path, ignored);
  for (int i = 0; i < kMaxLinks; ++i) {
    const std::filesystem::path next = std::filesystem::read_symlink(target, no_link);
    if (no_link) break;
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  // The folder is there, or nothing can be written. Its own links are followed before its "..".
  const std::filesystem::path folder = std::filesystem::canonical(target.parent_path(), ignored);
  return folder.empty() ? target.lexically_normal() : folder / target.filename();
}

bool same_target(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return std::filesystem::equivalent(a, b, ignored) || written_file(a) == written_file(b);
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
  verb.add_option(
          "--ontology", options.ontology,
          "The source of the plan's only ontology, in place of what the plan says: wordnet, "
          "obo:FILE, …")
      ->type_name("SRC");
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
  if (!plan || plan->masks()) return plan;
  return fail(data_error("the plan has no [mask]: write one; `semveil advise` suggests it")
                  .at(options.plan));
}

CLI::Option* add_table_argument(CLI::App& verb, std::string& table) {
  return verb
      .add_option(
          "TABLE", table,
          "The table: .csv, .tsv (also .gz, .zst), .parquet, .arrow, .feather, or - for standard "
          "input")
      ->required();
}

void add_temp_option(CLI::App& verb, std::string& folder) {
  verb.add_option("--temp-dir", folder,
                  "Where input that cannot be read twice is kept, encrypted. Default: the output's "
                  "folder")
      ->type_name("FOLDER");
}

void add_seed_file_option(CLI::App& verb, std::string& path) {
  verb.add_option(
          "--seed-file", path,
          "A file whose text is the seed. Other users can see what is written behind --seed, "
          "and cannot see this")
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

bool is_file(const std::string& output) { return output != "-" && !is_device(output); }

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
    for (const ColumnSettings& column : plan->columns) {
      inputs.push_back(column.mapping);
      inputs.push_back(column.ic);
      if (column.categories) inputs.push_back(column.categories->file);
      inputs.push_back(column.levels);
    }
    for (const MaskStep& step : plan->steps) {
      if (const CategoriesSettings* categories = step.categories()) {
        inputs.push_back(categories->file);
      }
    }
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
