#include "reports/tender/tender_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace headrace::reports {

std::optional<double> TenderFacts::asked(const char* figure) const {
  for (const Document& one : at(document, "figures"))
    if (text_at(one, "figure") == figure && at(one, "asked").is_number()) return number_at(one, "asked");
  return std::nullopt;
}

std::string TenderFacts::job(const std::string& name) const {
  if (!redaction.names) return name;
  const Document& jobs = at(workload(), "jobs");
  for (std::size_t i = 0; i < jobs.size(); ++i)
    if (text_at(element_at(jobs, i), "job") == name) return fmt::format("job {}", i + 1);
  return name == "all jobs" || name == "the job" ? name : "another job";
}

std::string TenderFacts::dataset(std::size_t index) const {
  if (redaction.names) return fmt::format("dataset {}", index + 1);
  return text_at(at(workload(), "jobs")[index], "dataset");
}

std::string TenderFacts::store() const {
  return redaction.names ? "the store" : fmt::format("the store '{}'", text_at(document, "store"));
}

std::string TenderFacts::title() const {
  const std::string own = text_at(document, "title");
  return redaction.names || own.empty() ? "Storage for training" : "Storage for: " + own;
}

std::string TenderFacts::limit(const Document& limit) const {
  const std::string metric = text_at(limit, "metric");
  if (redaction.prices && metric.find("usd") != std::string::npos)
    return fmt::format("{}: a limit on its cost (not stated here)", job(text_at(limit, "job")));
  std::string text = fmt::format("{}: {} {}", job(text_at(limit, "job")), metric, text_at(limit, "condition"));
  if (at(limit, "event").is_string()) text += " during " + text_at(limit, "event");
  return text;
}

bool TenderFacts::is_object_store() const {
  for (const Document& store : at(at(document, "scenario"), "stores"))
    if (text_at(store, "name") == text_at(document, "store")) return text_at(store, "kind") == "object_store";
  return false;
}

double TenderFacts::clients() const { return std::max(1.0, number_at(workload(), "clients")); }

TenderBlock words_block(std::string text) { return {TenderBlock::Kind::words, std::move(text)}; }

TenderBlock code_block(std::string language, std::string text) {
  return {TenderBlock::Kind::code, std::move(text), std::move(language)};
}

}  // namespace headrace::reports
