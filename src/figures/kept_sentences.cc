#include "figures/kept_sentences.h"

namespace semveil::finding {

// ---- What was to come out as it was, or about so ------------------------------------------------

std::string column_changed(const Facts& f) {
  const std::string of_the_records = f.has_share_of_each() ? " of the records" : "";
  if (!f.is_single_column()) {
    return fmt::format("These columns should have come through as they were, but differ: {}{}.",
                       f.columns_with_shares(), of_the_records);
  }
  std::string out =
      fmt::format("Column {} should have come through as it was, but differs", f.columns());
  if (f.has_share_of_each()) out += " in " + f.share("share." + f.columns()) + of_the_records;
  return out + ".";
}

// From figures alone, rounded or not: which side of its aim the noise is on.
std::string noise_misses_rmse(const Facts& f) {
  std::string out = fmt::format("The noise on {} misses its aim", f.columns());
  if (!f.has("rmse") || !f.has("target_rmse")) return out + ".";
  const bool is_too_far = f.figure("rmse") > f.figure("target_rmse");
  return out +
         fmt::format(
             ": the RMSE is {}, and {} was asked for. The domain has too few concepts as {} as "
             "that.",
             f.number("rmse"), f.number("target_rmse"), is_too_far ? "near" : "far");
}

std::string noise_misses_variance(const Facts& f) {
  std::string out = fmt::format("The noise misses the variance of {}", f.columns());
  if (f.has("variance_masked") && f.has("variance_expected")) {
    out += fmt::format(": it is {} after masking, and (1 + alpha) times the one before is {}",
                       f.number("variance_masked"), f.number("variance_expected"));
  }
  return out + ". Figures of spread computed from the release are wrong.";
}

std::string noise_moves_mean(const Facts& f) {
  std::string out = fmt::format("The noise moves the typical value of {}", f.columns());
  if (!f.has("mean_shift")) return out + ".";
  return out +
         fmt::format(": it is at a distance of {} from the one before.", f.number("mean_shift"));
}

std::string correlation_moved(const Facts& f) {
  const bool is_told = f.has("before") && f.has("after");
  std::string out = fmt::format("The release shows {} correlation of {} than the original",
                                !is_told                                 ? "a different"
                                : f.figure("after") < f.figure("before") ? "a weaker"
                                                                         : "a stronger",
                                f.columns());
  if (is_told) out += fmt::format(": {} instead of {}", f.number("after"), f.number("before"));
  return out + ". What is concluded from it about these columns together is wrong.";
}

// ---- Groups, persons, pairs ---------------------------------------------------------------------

namespace {

std::string class_shares(const Facts& f, std::string_view what) {
  return fmt::format(
      "In some group of records that look alike everybody has a value of {} of the same {}{}: "
      "whoever knows that somebody is among them knows the {}, though not the value.",
      f.columns(), what,
      f.has("people") ? fmt::format(" ({} in all such groups)", f.counted("people", "record")) : "",
      what);
}

}  // namespace

std::string class_shares_category(const Facts& f) { return class_shares(f, "category"); }
std::string class_shares_level(const Facts& f) { return class_shares(f, "level"); }

std::string column_tells_people(const Facts& f) {
  std::string out = fmt::format(
      "Column {} came through as it was, and is not counted among the "
      "quasi-identifiers.",
      f.columns());
  if (f.has("different")) {
    out += fmt::format(" In it {} of the values looked at{} are different.", f.share("different"),
                       f.has("of_persons") ? ", each once of a person," : "");
  }
  return out + fmt::format(" Whoever knows a person's value finds the {}.",
                           f.has("of_persons") ? "person" : "record");
}
std::string one_origin(const Facts& f) {
  std::string out = fmt::format(
      "{} of the released combinations of quasi-identifiers are those of exactly one original "
      "{}",
      f.has("share") ? f.share("share") : "Some", f.has("of_persons") ? "person" : "record");
  if (f.has("shuffled")) {
    out += fmt::format(" ({} with the columns shuffled)", f.share("shuffled"));
  }
  out += ": somebody has exactly these values.";
  if (f.has("of_persons")) {  // who may have several of the records
    if (f.figure("k") > 1) {
      out += fmt::format(" Records of at least {} persons show them", f.count("k"));
      if (f.has("chance")) {
        out += fmt::format(", and each is theirs with a chance of at most {}", f.share("chance"));
      }
      out += ".";
    }
    return out;
  }
  if (f.figure("k") > 1) {
    out += fmt::format(
        " At least {} records show them, and each is theirs with a chance of at most 1/{}.",
        f.count("k"), f.count("k"));
  } else if (f.is_one("k")) {
    out += " Some combination stands in one record alone.";
  }
  return out;
}

std::string draw_by_links_records(const Facts& f) {
  std::string out = fmt::format(
      "Records of one person can be joined: drawn by {}, a person gets the same replacement every "
      "time.",
      f.columns());
  if (!f.has("of_one_person") || !f.has("repeated")) return out;
  return out + fmt::format(" Of {} that {} in several records, {} {} to one person alone.",
                           f.counted("repeated", "released combination"),
                           f.is_one("repeated") ? "stands" : "stand", f.count("of_one_person"),
                           f.is_one("of_one_person") ? "belongs" : "belong");
}

std::string paired_on_trust(const Facts&) {
  return "Which record was which is taken on trust: the plan's method makes values that have "
         "nothing to do with the original, so nothing in the tables shows that they are in the "
         "same order. If the rows were shuffled, every figure about single records is about "
         "strangers.";
}

}  // namespace semveil::finding
