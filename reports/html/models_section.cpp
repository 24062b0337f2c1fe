// The assumptions that the outcome stands on: of each model in use what it takes for granted, what it leaves out, and
// whose law it is, from the pages about models.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "reports/html/markup.hpp"
#include "reports/html/outcome_sections.hpp"
#include "scenarios/document/embedded_texts.hpp"

namespace headrace::reports {
namespace {

/// A page and where a scenario says that its model is in use; an empty place: always. `*` stands for any element.
struct ModelPlace {
  std::string_view page;
  std::string_view place;
};

constexpr std::array kModelPlaces = {ModelPlace{"dataset", ""},
                                     ModelPlace{"store", ""},
                                     ModelPlace{"object-store", "/stores/*/limit"},
                                     ModelPlace{"metadata", "/stores/*/metadata"},
                                     ModelPlace{"changing-capacity", "/stores/*/schedule"},
                                     ModelPlace{"cache-tiers", "/stores/*/cache"},
                                     ModelPlace{"streaming", "/datasets/*/stream"},
                                     ModelPlace{"start-up", "/jobs/*/index"},
                                     ModelPlace{"fabric", ""},
                                     ModelPlace{"host", ""},
                                     ModelPlace{"node-cache", "/cluster/pools/*/cache"},
                                     ModelPlace{"write-cache", "/cluster/pools/*/cache/write_cache"},
                                     ModelPlace{"write-cache", "/stores/*/write_cache"},
                                     ModelPlace{"page-cache", "/cluster/pools/*/host/page_cache"},
                                     ModelPlace{"loader", ""},
                                     ModelPlace{"accelerator", ""},
                                     ModelPlace{"gpu-memory", "/jobs/*/model"},
                                     ModelPlace{"collective", "/jobs/*/collective"},
                                     ModelPlace{"checkpoint", "/jobs/*/checkpoint"},
                                     ModelPlace{"sharing", "/background"},
                                     ModelPlace{"price-ledger", "/prices"},
                                     ModelPlace{"engines-and-blame", ""},
                                     ModelPlace{"statistics", ""}};

bool stands(const Document& value, std::string_view place) {
  if (place.empty()) return !value.is_null() && !(value.is_structured() && value.empty());
  const std::size_t end = std::min(place.find('/', 1), place.size());
  const std::string word(place.substr(1, end - 1));
  const std::string_view rest = place.substr(end);
  if (word != "*") return value.is_object() && value.contains(word) && stands(value[word], rest);
  for (const Document& element : value)
    if (stands(element, rest)) return true;
  return false;
}

/// A cache with the policy "none" is described and does nothing.
bool in_use(const Document& scenario, const ModelPlace& model) {
  if (!stands(scenario, model.place)) return model.place.empty();
  if (model.page == "node-cache" || model.page == "page-cache") {
    for (const Document& pool : at(at(scenario, "cluster"), "pools")) {
      const Document& cache = model.page == "node-cache" ? at(pool, "cache") : at(at(pool, "host"), "page_cache");
      const std::string policy = text_at(cache, "policy");
      if (!policy.empty() && policy != "none") return true;
      if (policy.empty() && !cache.empty()) return true;
    }
    return false;
  }
  return true;
}

/// The paragraph of a page that begins with "**HEAD.**", without that head; empty where there is none.
std::string paragraph(std::string_view page, std::string_view head) {
  const std::string mark = fmt::format("**{}.**", head);
  const std::size_t begin = page.find(mark);
  if (begin == std::string_view::npos) return {};
  const std::size_t end = std::min(page.find("\n\n", begin), page.size());
  std::string text(page.substr(begin + mark.size(), end - begin - mark.size()));
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

/// Words in back quotes as code, links as their text, all else as text.
std::string as_html(const std::string& markdown) {
  std::string plain;
  for (std::size_t i = 0; i < markdown.size(); ++i) {
    if (markdown[i] == ']' && i + 1 < markdown.size() && markdown[i + 1] == '(') {
      const std::size_t close = markdown.find(')', i);
      if (close != std::string::npos) {
        i = close;
        continue;
      }
    }
    if (markdown[i] == '[' && markdown.find("](", i) < markdown.find(']', i) + 1) continue;
    plain += markdown[i];
  }
  std::string html;
  bool code = false;
  for (const char c : plain) {
    if (c != '`') {
      html += escaped(std::string_view(&c, 1));
      continue;
    }
    html += code ? "</code>" : "<code>";
    code = !code;
  }
  return code ? html + "</code>" : html;
}

std::string title_of(std::string_view page) {
  const std::size_t begin = page.starts_with("# ") ? 2 : 0;
  return std::string(page.substr(begin, page.find('\n') - begin));
}

std::string model_html(const scenarios::EmbeddedText& page) {
  std::string body;
  for (const char* head : {"Assumptions", "Validity", "Not modelled", "Sources"})
    if (const std::string text = paragraph(page.text, head); !text.empty())
      body += fmt::format("<p><b>{}.</b> {}</p>", head, as_html(text));
  if (body.empty()) return {};
  return fmt::format("<details><summary>{}</summary>{}</details>", escaped(title_of(page.text)), body);
}

/// Values that no file gave and that nobody measured: they stand on somebody's judgement.
std::string assumed_values(const Document& outcome) {
  std::string rows;
  for (const Document& drawn : at(at(outcome, "inputs"), "drawn"))
    if (text_at(drawn, "evidence") == "assumed")
      rows += "<li><code>" + escaped(text_at(drawn, "parameter")) + "</code></li>";
  return rows.empty() ? rows : "<p>Assumed, not measured:</p><ul>" + rows + "</ul>";
}

}  // namespace

std::string models_section(const Document& outcome) {
  const Document& scenario = at(outcome, "scenario");
  if (!scenario.is_object() || scenario.empty()) return {};
  std::string html;
  std::string_view last;  // a page with several places stands once
  for (const ModelPlace& model : kModelPlaces) {
    if (model.page == last || !in_use(scenario, model)) continue;
    last = model.page;
    for (const scenarios::EmbeddedText& page : scenarios::embedded_model_pages())
      if (page.name == model.page) html += model_html(page);
  }
  return "<p>Assumptions, validity, limits and sources of each model in use.</p>" + html + assumed_values(outcome);
}

}  // namespace headrace::reports
