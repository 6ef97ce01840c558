#include "reproduce/survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>

#include "ontology/loaders.h"
#include "reproduce/public_data.h"

namespace semveil::reproduction {
namespace {

constexpr std::array kReasons{
    Reason{"nature", "09366762-n", "landscape"},
    Reason{"beach", "09217230-n", "landscape"},
    Reason{"landscape", "08646902-n", "landscape"},
    Reason{"rest", "01064148-n", "rest"},
    Reason{"wildlife", "07993776-n", "animals and plants"},
    Reason{"tranquillity", "13969101-n", "rest"},
    Reason{"bird", "01503061-n", "animals and plants"},
    Reason{"gastronomy", "00936296-n", "eating"},
    Reason{"walk", "00283568-n", "sport"},
    Reason{"bicycling", "00451563-n", "sport"},
    Reason{"family", "07970406-n", "people"},
    Reason{"vacation", "15137890-n", "travel"},
    Reason{"sightseeing", "00879607-n", "travel"},
    Reason{"river", "09411430-n", "landscape"},
    Reason{"sea", "09426788-n", "landscape"},
    Reason{"excursion", "00311809-n", "travel"},
    Reason{"sport", "00523513-n", "sport"},
    Reason{"relaxation", "07515974-n", "rest"},
    Reason{"friend", "10112591-n", "people"},
    Reason{"culture", "05984936-n", "culture"},
    Reason{"fishing", "00453935-n", "sport"},
    Reason{"restaurant", "04081281-n", "eating"},
    Reason{"photography", "00903559-n", "culture"},
    Reason{"weekend", "15170504-n", "travel"},
    Reason{"hiking", "00288970-n", "sport"},
    Reason{"park", "08615149-n", "landscape"},
    Reason{"fauna", "07993279-n", "animals and plants"},
    Reason{"flora", "08436759-n", "animals and plants"},
    Reason{"peace", "07515790-n", "rest"},
    Reason{"delta", "09264803-n", "landscape"},
    Reason{"seafood", "07776866-n", "eating"},
    Reason{"swimming", "00442115-n", "sport"},
    Reason{"sun", "11485367-n", "weather"},
    Reason{"climate", "14519366-n", "weather"},
    Reason{"camping", "01055165-n", "travel"},
    Reason{"work", "00584367-n", "work and study"},
    Reason{"tourism", "00298161-n", "travel"},
    Reason{"lagoon", "09328746-n", "landscape"},
    Reason{"village", "08672738-n", "culture"},
    Reason{"rice", "07804323-n", "eating"},
    Reason{"curiosity", "05682570-n", "work and study"},
    Reason{"water sport", "00441824-n", "sport"},
    Reason{"boating", "00315390-n", "sport"},
    Reason{"paella", "07591961-n", "eating"},
    Reason{"birthplace", "08510350-n", "people"},
    Reason{"home", "08559508-n", "people"},
    Reason{"beauty", "04683814-n", "landscape"},
    Reason{"silence", "04982207-n", "rest"},
    Reason{"flamingo", "02007558-n", "animals and plants"},
    Reason{"sailing", "00313806-n", "sport"},
    Reason{"history", "15121406-n", "culture"},
    Reason{"tradition", "05667404-n", "culture"},
    Reason{"angling", "00454237-n", "sport"},
    Reason{"food", "07555863-n", "eating"},
    Reason{"child", "09918248-n", "people"},
    Reason{"island", "09316454-n", "landscape"},
    Reason{"weather", "11524662-n", "weather"},
    Reason{"hunting", "00452293-n", "sport"},
    Reason{"duck", "01846331-n", "animals and plants"},
    Reason{"education", "00883297-n", "work and study"},
    Reason{"research", "00636921-n", "work and study"},
    Reason{"horseback riding", "00450335-n", "sport"},
    Reason{"health", "14447908-n", "rest"},
    Reason{"museum", "03800563-n", "culture"},
    Reason{"festival", "15162388-n", "culture"},
    Reason{"solitude", "14414980-n", "rest"},
    Reason{"exercise", "00624738-n", "sport"},
    Reason{"cruise", "00312932-n", "travel"},
    Reason{"agriculture", "00916464-n", "work and study"},
    Reason{"ecology", "14513062-n", "landscape"},
    Reason{"proximity", "05085867-n", "travel"},
    Reason{"price", "13303315-n", "travel"},
    Reason{"heron", "02008041-n", "animals and plants"},
    Reason{"surfing", "00445055-n", "sport"},
    Reason{"rowing", "00445351-n", "sport"},
    Reason{"diving", "00442981-n", "sport"},
    Reason{"air", "14841267-n", "weather"},
    Reason{"wine", "07891726-n", "eating"},
    Reason{"eel", "07783967-n", "eating"},
    Reason{"lighthouse", "02814860-n", "culture"},
    Reason{"monument", "03743902-n", "culture"},
    Reason{"church", "03028079-n", "culture"},
    Reason{"castle", "02980441-n", "culture"},
    Reason{"childhood", "15147097-n", "people"},
    Reason{"honeymoon", "15138903-n", "travel"},
    Reason{"study", "05755883-n", "work and study"},
    Reason{"sunset", "07344015-n", "weather"},
    Reason{"painting", "00936620-n", "culture"},
    Reason{"shopping", "00081836-n", "travel"},
    Reason{"adventure", "00796315-n", "travel"},
    Reason{"freedom", "13991823-n", "rest"},
    Reason{"jogging", "00628390-n", "sport"},
};

struct Group {
  std::string_view name, field;
};
constexpr std::array kGroups{
    Group{"landscape", "outdoors"}, Group{"animals and plants", "outdoors"},
    Group{"weather", "outdoors"},   Group{"sport", "activity"},
    Group{"travel", "activity"},    Group{"work and study", "activity"},
    Group{"rest", "well-being"},    Group{"eating", "well-being"},
    Group{"people", "society"},     Group{"culture", "society"}};

// The n-th reason is given about 1 / (n + kHead) times as often as the first few.
constexpr std::uint32_t kScale = 100'000;
constexpr std::uint32_t kHead = 4;
std::uint32_t weight(std::size_t place) {
  return kScale / (static_cast<std::uint32_t>(place) + kHead);
}

// The generator is the standard's own, whose numbers are fixed; its distributions are not.
std::uint32_t draw_reason(std::mt19937& random) {
  std::uint32_t all = 0;
  for (std::size_t i = 0; i < kReasons.size(); ++i) all += weight(i);
  auto left = static_cast<std::uint32_t>(random() % all);
  std::uint32_t place = 0;
  while (left >= weight(place)) left -= weight(place++);
  return place;
}

std::string vgh_text() {
  std::string out;
  for (const Reason& reason : kReasons) {
    const auto* group = std::ranges::find(kGroups, reason.group, &Group::name);
    // A reason may be called like a group: the group then has another name.
    out += fmt::format("{};{} (group);{};*\n", reason.name, group->name, group->field);
  }
  return out;
}

}  // namespace

std::span<const Reason> reasons() { return kReasons; }

Survey draw_survey(unsigned seed) {
  std::size_t wanted = 0;
  for (const Repetition& repetition : kRepetitions) wanted += repetition.answers;
  std::mt19937 random(seed);
  Survey out;
  std::set<std::array<std::uint32_t, 2>> seen;
  while (out.answers.size() < wanted) {
    const std::uint32_t first = draw_reason(random);
    const std::uint32_t second = draw_reason(random);
    if (first == second || !seen.insert({first, second}).second) continue;
    out.answers.push_back({first, second});
  }
  // The likeliest answers are the most frequent ones.
  std::ranges::stable_sort(out.answers, [](const auto& a, const auto& b) {
    const auto likely = [](const auto& answer) {
      return std::uint64_t{weight(answer[0])} * weight(answer[1]);
    };
    return likely(a) > likely(b);
  });
  for (auto repetition = kRepetitions.rbegin(); repetition != kRepetitions.rend(); ++repetition) {
    out.counts.insert(out.counts.end(), repetition->answers, repetition->records);
  }
  return out;
}

Result<SurveySpace> SurveySpace::wordnet(const ReproduceOptions& options) {
  auto coder = Coder::open("first reason", "wordnet", "", "", options);
  if (!coder) return fail(coder.error());
  SurveySpace out;
  out.attributes_ = {coder->attribute(), coder->attribute("second reason")};
  for (const Reason& reason : kReasons) {
    const auto known = coder->code(std::string(reason.sense));
    if (!known) {
      return fail(data_error(fmt::format("WordNet does not have {} ({}): version 3.0 is needed",
                                         reason.sense, reason.name)));
    }
    out.reason_of_.emplace(*known, out.concepts_.size());
    out.concepts_.push_back(*known);
  }
  return out;
}

Result<SurveySpace> SurveySpace::vgh() {
  auto draft = parse_vgh(vgh_text(), "reasons.csv");
  if (!draft) return fail(draft.error());
  const auto ontology = std::move(*draft).finish("reasons.csv");
  if (!ontology) return fail(ontology.error());
  SurveySpace out;
  const auto first = make_attribute("first reason", *ontology, std::nullopt);
  if (!first) return fail(first.error());
  const auto second = make_attribute("second reason", *ontology, std::nullopt);
  if (!second) return fail(second.error());
  out.attributes_ = {*first, *second};
  std::map<std::string_view, ConceptId> by_id;
  for (ConceptId c = 0; c < (*first)->size(); ++c) by_id.emplace((*first)->id(c), c);
  for (const Reason& reason : kReasons) {
    out.reason_of_.emplace(by_id.at(reason.name), out.concepts_.size());
    out.concepts_.push_back(by_id.at(reason.name));
  }
  return out;
}

Result<SurveySpace> SurveySpace::measured_by(const std::string& measure) const {
  SurveySpace out = *this;
  for (auto& attribute : out.attributes_) {
    MeasureOptions how;
    how.name = measure;
    auto made = make_measure(attribute->domain->taxonomy(), how);
    if (!made) return fail(made.error());
    Attribute other = *attribute;
    other.measure = *std::move(made);
    attribute = std::make_shared<const Attribute>(std::move(other));
  }
  return out;
}

FrequencyTable SurveySpace::table(const Survey& survey) const {
  Records records;
  records.attributes = {attributes_[0], attributes_[1]};
  records.columns.resize(2);
  for (std::size_t i = 0; i < survey.answers.size(); ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      records.columns[j].insert(records.columns[j].end(), survey.counts[i],
                                concepts_[survey.answers[i][j]]);
    }
  }
  return count(records);
}

Paired SurveySpace::in(const SurveySpace& other, const Paired& pairs) const {
  Paired out = pairs.with({other.attributes_[0], other.attributes_[1]});
  for (auto* side : {&out.before, &out.after}) {
    for (ConceptId& c : *side) c = other.concepts_[reason_of_.at(c)];
  }
  return out;
}

}  // namespace semveil::reproduction
