#include "reports/html/campaign_sections.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "models/outcome/outcome_description.hpp"
#include "reports/campaign_cells.hpp"
#include "reports/confidence_text.hpp"
#include "reports/document_reader.hpp"
#include "reports/figure_table.hpp"
#include "reports/html/bars.hpp"
#include "reports/html/confidence_notice.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/plot.hpp"
#include "reports/humane.hpp"
#include "reports/room_text.hpp"

namespace headrace::reports {

std::string figure_cell_html(const Document& figure, std::string_view unit) { return number(at(figure, "mean"), unit); }

std::string ends_cell_html(const Document& figure, std::string_view unit) {
  return interval(at(figure, "ci95"), at(figure, "mean"), unit);
}

std::string campaign_verdict(const Document& document, const std::string& line) {
  const Document& losses = at(document, "losses");
  std::string meaning =
      fmt::format("{} on {} GPUs, {} replications.", humane(number_at(at(document, "elapsed_s"), "mean"), "s", 3),
                  humane_number(number_at(document, "gpus"), 1), at(document, "replications").dump());
  std::vector<NamedLoss> named;
  for (const Document& loss : losses)
    named.push_back(
        {text_at(loss, "cause"), text_at(loss, "meaning"), percent(number_at(loss, "share"), 2) + " of all GPU hours"});
  if (!named.empty()) meaning += " " + most_lost_sentence(named);
  const Document& confidence = at(document, "confidence");
  if (const std::string sure = steady_confidence_line(confidence); !sure.empty() && !may_change_verdict(confidence))
    meaning += " " + sure;
  return verdict_box("unsure", line, meaning) + confidence_notice(confidence, "the steady answer", "");
}

std::string campaign_tile(std::string_view label, const std::string& value, const std::string& below) {
  return fmt::format("<li><span>{}</span><b>{}</b><span>{}</span></li>", label, value, below);
}

std::string useful_price_tile(const Document& document) {
  std::vector<models::LedgerLine> ledger;
  DocumentReader(document).list("ledger", ledger, {});
  const std::string scope = cost_scope(ledger);
  const Document& price = at(document, "cost_per_useful_gpu_hour_usd");
  return campaign_tile(
      "Cost per useful GPU hour", price.is_object() ? number(at(price, "mean"), "USD") : "none is useful",
      number(at(at(document, "cost_usd"), "mean"), "USD") + (scope.empty() ? " in all" : ", " + scope));
}

std::string losses_section(const Document& document, std::string_view sum) {
  const Document& losses = at(document, "losses");
  if (losses.empty()) return {};
  const double full = number_at(losses.front(), "share");
  std::vector<std::vector<std::string>> rows;
  for (const Document& loss : losses) {
    const Document& hours = at(loss, "gpu_hours");
    rows.push_back({escaped(text_at(loss, "meaning")), bar_drawing(number_at(loss, "share"), full),
                    share(at(loss, "share")), figure_cell_html(hours, ""), ends_cell_html(hours, "")});
  }
  return fmt::format("<p>With the useful hours these sum to {}.</p>", sum) +
         html_table("GPU hours lost, by cause",
                    {{"cause"}, {""}, {"share", true}, {"GPU hours", true}, {"95 % interval", true}}, rows);
}

std::string campaign_cost_section(const Document& document) {
  std::vector<std::vector<std::string>> rows;
  for (const Document& line : at(document, "ledger"))
    rows.push_back(
        {escaped(text_at(line, "item")), number(at(line, "quantity"), text_at(line, "unit")), bill_line_amount(line)});
  if (rows.empty()) return {};
  rows.push_back({"<b>total</b>", "", bill_amount(at(at(document, "cost_usd"), "mean"))});
  const std::string holds = room_sentence(room_in(document));
  return html_table("The whole campaign, mean over replications", {{"item"}, {"quantity", true}, {"cost", true}},
                    rows) +
         (holds.empty() ? holds : "<p>" + escaped(holds) + "</p>");
}

std::string campaign_warnings_section(const Document& document) {
  std::string html;
  for (const Document& warning : at(document, "warnings"))
    html += fmt::format("<li>{}: {}. {}.</li>", escaped(capital(text_at(warning, "seen"))),
                        escaped(text_at(warning, "cause")), escaped(capital(text_at(warning, "fix"))));
  return html.empty() ? html : "<ul>" + html + "</ul>";
}

std::string campaign_repeat_section(const Document& document, const std::string& command) {
  return command_block(command) +
         html_table("The same scenario, seed and models give the same bytes on any machine", {{""}, {""}},
                    {{"scenario, SHA-256", "<code>" + escaped(text_at(document, "scenario_sha256")) + "</code>"},
                     {"seed", count(at(document, "seed"))},
                     {"models", escaped(text_at(document, "model_version"))}});
}

}  // namespace headrace::reports
