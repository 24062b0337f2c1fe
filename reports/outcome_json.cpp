#include "reports/outcome_json.hpp"

#include "models/base/model_version.hpp"
#include "reports/outcome_document.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::reports {
namespace {

using Json = nlohmann::ordered_json;
using models::Missing;

/// Writes a described record into a JSON value. Key order is that of the description.
class OutcomeWriter {
 public:
  static constexpr bool kReads = false;

  explicit OutcomeWriter(Json& json) : json_(json) {}

  template <class T>
  void number(const char* key, const T& value, std::string_view) {
    put(key, value);
  }
  template <class T>
  void count(const char* key, const T& value, std::string_view) {
    put(key, value);
  }
  void flag(const char* key, bool value, std::string_view) { json_[key] = value; }
  void constant(const char* key, std::string_view value) { json_[key] = value; }
  void json(const char* key, const Json& value, std::string_view) { json_[key] = value; }
  void text(const char* key, const std::string& value, std::string_view, Missing missing = Missing::null) {
    if (missing == Missing::null || !value.empty()) json_[key] = value;
  }
  void texts(const char* key, const std::vector<std::string>& values, std::string_view) { json_[key] = values; }
  template <class E, std::size_t N>
  void choices(const char* key, const std::vector<E>& values, const std::array<std::string_view, N>& names,
               std::string_view) {
    Json& list = json_[key] = Json::array();
    for (const E value : values) list.push_back(names[static_cast<std::size_t>(value)]);
  }
  template <class E, std::size_t N>
  void choice(const char* key, E value, const std::array<std::string_view, N>& names, std::string_view) {
    json_[key] = names[static_cast<std::size_t>(value)];
  }
  template <class E, std::size_t N>
  void choice(const char* key, const std::optional<E>& value, const std::array<std::string_view, N>& names,
              std::string_view) {
    json_[key] = value ? Json(names[static_cast<std::size_t>(*value)]) : Json();
  }
  void interval(const char* key, const std::optional<models::Interval>& value, Missing missing = Missing::null) {
    if (value)
      json_[key] = {value->low, value->high};
    else if (missing == Missing::null)
      json_[key] = nullptr;
  }
  void pair(const char* key, double low, double high, std::string_view) { json_[key] = {low, high}; }
  void unit(const char* key, models::Unit unit, std::string_view) {
    const bool plain = unit == models::Unit::one || unit == models::Unit::fraction;
    json_[key] = plain ? std::string_view("1") : scenarios::unit_symbol(unit);
  }
  void figure(const char* key, const models::SizingDescription* figure, std::string_view) { json_[key] = figure->name; }
  void sizing_room(const char* key, std::string_view room, std::string_view) { json_[key] = room; }
  template <class F>
  void derived(const char* key, std::string_view, const F& value) {
    json_[key] = value();
  }

  template <class T>
  void record(const char* key, T& value, std::string_view) {
    write(value, json_[key] = Json::object());
  }
  template <class T>
  void optional(const char* key, std::optional<T>& value, std::string_view meaning, Missing missing = Missing::null) {
    if (value)
      record(key, *value, meaning);
    else if (missing == Missing::null)
      json_[key] = nullptr;
  }
  template <class T>
  void part(std::optional<T>& value) {
    if (value) describe(*value, *this);
  }
  template <class F>
  void when(bool condition, const F& visit) {
    if (condition) visit();
  }
  template <class F>
  void group(const char* key, const F& visit) {
    OutcomeWriter inner(json_[key] = Json::object());
    visit(inner);
  }
  template <class T>
  void list(const char* key, std::vector<T>& values, std::string_view meaning, Missing missing = Missing::null) {
    if (missing == Missing::left_out && values.empty()) return;
    OutcomeWriter(json_[key]).items(values, meaning);
  }
  template <class T, class F>
  void map(const char* key, std::vector<T>& values, const models::MapFacts&, const F& visit) {
    Json& map = json_[key] = Json::object();
    for (T& value : values) {
      OutcomeWriter entry(map[std::string(models::Keys<T>::of(value))]);
      visit(value, entry);
    }
  }
  void value(double value, std::string_view) { json_ = value; }
  template <class T>
  void items(std::vector<T>& values, std::string_view) {
    json_ = Json::array();
    for (T& value : values) write(value, json_.emplace_back(Json::object()));
  }
  void about(std::initializer_list<std::string_view>) {}

 private:
  template <class T>
  static void write(T& value, Json& json) {
    OutcomeWriter writer(json);
    describe(value, writer);
  }
  template <class T>
  void put(const char* key, const T& value) {
    json_[key] = value;
  }
  template <class T>
  void put(const char* key, const std::optional<T>& value) {
    json_[key] = value ? Json(*value) : Json();
  }

  Json& json_;
};

/// Descriptions are those of records that may be written to; the writer only reads them.
template <class T>
T& described(const T& record) {
  return const_cast<T&>(record);
}

}  // namespace

Json evidence_json(const models::EvidenceReport& evidence) {
  Json json = Json::object();
  OutcomeWriter writer(json);
  describe(described(evidence), writer);
  return json;
}

Json confidence_json(const models::Confidence& confidence) {
  Json json = Json::object();
  OutcomeWriter writer(json);
  describe(described(confidence), writer);
  return json;
}

Json outcome_json(const models::Outcome& outcome, const Provenance& provenance) {
  Json json;
  OutcomeWriter writer(json);
  std::string model_version(models::kModelVersion);
  describe_document(described(outcome), model_version, described(provenance.catalogue_version),
                    described(provenance.scenario), writer);
  if (provenance.confidence) json["confidence"] = confidence_json(*provenance.confidence);
  return json;
}

std::string json_text(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace headrace::reports
