#include "json/json.h"
#include "report/public_edition.h"
#include "report/public_figures.h"

namespace semveil {
namespace json {
namespace {

using report::public_figures;
using report::Shown;

class PublicPart {
 public:
  // What stands at a path, made public; whether anything of it may be shown.
  bool keep(const std::string& path, Json& json) const {
    const auto declared = public_figures().find(path);
    if (declared != public_figures().end()) return show(declared->second, json);
    if (!is_declared_below(path)) return false;
    if (json.is_array()) {
      for (Json& entry : json) {
        if (!keep(path + "[]", entry)) return false;
      }
    }
    if (json.is_object()) keep_keys(path, json);
    return true;
  }

 private:
  static bool show(Shown how, Json& json) {
    if (how == Shown::kSecret) return false;
    if (how != Shown::kRounded) return true;
    if (json.is_number_unsigned()) {
      auto count = json.get<std::uint64_t>();
      report::round_figure(count);
      json = count;
    } else if (json.is_number()) {
      auto figure = json.get<double>();
      report::round_figure(figure);
      json = figure;
    }
    return true;
  }

  void keep_keys(const std::string& path, Json& json) const {
    std::vector<std::string> secret;
    const bool is_by_name = is_declared_below(path + ".*");
    for (auto& [key, value] : json.items()) {
      if (!keep(path + "." + (is_by_name ? "*" : key), value)) secret.push_back(key);
    }
    for (const std::string& key : secret) json.erase(key);
  }

  // Paths below one begin with it and a point or a bracket, or are it.
  static bool is_declared_below(const std::string& path) {
    const auto& all = public_figures();
    for (const char* const next : {"", ".", "["}) {
      const auto at = all.lower_bound(path + next);
      if (at == all.end()) continue;
      const bool is_below = *next == '\0' ? at->first == path : at->first.starts_with(path + next);
      if (is_below) return true;
    }
    return false;
  }
};

// Their sentences are made again of the figures that are left.
void make_findings_public(Json& findings) {
  for (Json& each : findings) {
    Finding finding;
    each.at("id").get_to(finding.id);
    each.at("columns").get_to(finding.columns);
    each.at("figures").get_to(finding.figures);
    each.at("text").get_to(finding.text);
    report::make_public(finding, false);
    each["figures"] = finding.figures;
    each["text"] = finding.text;
  }
}

}  // namespace

void keep_public(std::string_view verb, Json& json) {
  if (json.contains("findings")) make_findings_public(json["findings"]);
  PublicPart().keep(std::string(verb == "apply" ? "mask" : verb), json);
}

}  // namespace json

std::string public_json(std::string_view verb, std::string_view text) {
  json::Json parsed = json::Json::parse(text, nullptr, false);
  if (parsed.is_discarded()) return "{}";
  json::keep_public(verb, parsed);
  return json::written(parsed);
}

}  // namespace semveil
