#include "reports/html/live_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "reports/html/live_program.hpp"
#include "reports/html/markup.hpp"
#include "reports/live_answer.hpp"
#include "reports/slider_scale.hpp"
#include "reports/sliders.hpp"
#include "scenarios/document/parameter_sheet.hpp"

namespace headrace::reports {
namespace {

constexpr int kStops = 41;

struct LiveSlider {
  std::string pointer;
  std::string meaning;
  std::vector<std::string> values;  ///< as --set takes them, from low to high
  std::size_t now = 0;              ///< where the page's scenario stands
};

LiveSlider live_slider(const scenarios::ParameterValue& parameter) {
  LiveSlider slider{parameter.pointer, parameter.facts.meaning, {}, 0};
  const double now = scenarios::number_of(parameter, parameter.value).value_or(0.0);
  for (const double value : SliderScale(parameter, now).spread(kStops)) {
    if (value == now) slider.now = slider.values.size();
    slider.values.push_back(value == now ? parameter.value : scenarios::spelled(parameter, value));
  }
  return slider;
}

std::vector<LiveSlider> live_sliders(const std::string& document) {
  std::vector<LiveSlider> sliders;
  const auto loaded = load_resolved(document);
  if (!loaded) return sliders;
  const std::optional<models::Outcome> bound = bound_of_resolved(document);
  if (!bound) return sliders;
  const std::vector<scenarios::ParameterValue> sheet = scenarios::parameter_sheet(*loaded);
  const auto varied = [&](const std::string& pointer, const std::string& value) {
    return bound_of_resolved(document, {pointer + "=" + value});
  };
  for (const std::string& pointer : sliders_of(loaded->value, sheet, *bound, varied, SliderAnswer::closed_form))
    sliders.push_back(live_slider(*std::find_if(
        sheet.begin(), sheet.end(), [&](const scenarios::ParameterValue& value) { return value.pointer == pointer; })));
  return sliders;
}

std::string slider_row(const LiveSlider& slider, std::size_t index) {
  return fmt::format(
      "<div><label for=\"slider-{0}\">{1} <small><code>{2}</code></small></label><output "
      "for=\"slider-{0}\">{3}</output>"
      "<input type=\"range\" id=\"slider-{0}\" min=\"0\" max=\"{4}\" value=\"{5}\" disabled></div>",
      index, escaped(slider.meaning), escaped(slider.pointer), escaped(slider.values[slider.now]),
      slider.values.size() - 1, slider.now);
}

std::string live_tile(std::string_view metric, std::string_view title) {
  return fmt::format("<li data-metric=\"{}\"><span>{}</span><b>&ndash;</b><span></span></li>", metric, title);
}

}  // namespace

std::string live_section(const Document& outcome) {
  const Document& scenario = at(outcome, "scenario");
  if (!scenario.is_object()) return {};
  Document data{{"document", scenario.dump()}, {"sliders", Document::array()}};
  const std::vector<LiveSlider> sliders = live_sliders(scenario.dump());
  if (sliders.empty()) return {};
  std::string rows;
  for (std::size_t i = 0; i < sliders.size(); ++i) {
    rows += slider_row(sliders[i], i);
    data["sliders"].push_back(
        {{"pointer", sliders[i].pointer}, {"values", sliders[i].values}, {"now", sliders[i].now}});
  }
  // No text of a user's ends the element.
  std::string carried = data.dump(-1, ' ', true, Document::error_handler_t::replace);
  for (std::size_t tag = carried.find("</"); tag != std::string::npos; tag = carried.find("</", tag + 3))
    carried.replace(tag, 2, "<\\/");
  return "<p>Move an input: the page answers by the bound, which ignores queueing and varying batches, so that real "
         "steps are "
         "no faster. The rest of the page stays as it was computed.</p>"
         "<div id=\"live\" class=\"live\"><div class=\"sliders\">" +
         rows +
         "</div><div aria-live=\"polite\"><div class=\"verdict\"><strong>Answers where scripts may run.</strong></div>"
         "<ul class=\"tiles\">" +
         live_tile("gpu_idle_fraction", "GPUs wait for data") + live_tile("step_time_s", "step") +
         live_tile("epoch_time_s", "epoch") + live_tile("samples_per_s", "samples") +
         live_tile("cost_per_epoch_usd", "cost per epoch") +
         "</ul><p class=\"faint\"></p></div><p><button type=\"button\" disabled>Back to the page's "
         "scenario</button></p>"
         "<pre tabindex=\"0\"><code></code></pre></div>"
         "<script type=\"application/json\" id=\"live-data\">" +
         carried + "</script>\n";
}

std::string live_script() {
  return std::string(live_program()) + R"js((async () => {
  const live = document.getElementById('live');
  if (!live) return;
  const data = JSON.parse(document.getElementById('live-data').textContent);
  const inputs = [...live.querySelectorAll('input')], button = live.querySelector('button');
  const line = live.querySelector('strong'), note = live.querySelector('.faint'), command = live.querySelector('pre code');
  const packed = Uint8Array.from(atob(packedProgram), letter => letter.charCodeAt(0));
  let program;
  try {
    const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
    program = await Headrace({wasmBinary: await new Response(unpacked).arrayBuffer()});
  } catch (problem) {
    line.textContent = 'This browser cannot run the program of the page: ' + problem;
    return;
  }
  const answer = changes => JSON.parse(
    program.ccall('headrace_answer', 'string', ['string', 'string'], [data.document, JSON.stringify(changes)]));
  const changes = () => inputs.flatMap((input, i) => Number(input.value) === data.sliders[i].now ? [] :
    [data.sliders[i].pointer + '=' + data.sliders[i].values[input.value]]);
  const base = answer([]);
  const show = () => {
    const made = changes(), now = made.length ? answer(made) : base;
    inputs.forEach((input, i) => {
      const value = data.sliders[i].values[input.value];
      input.previousElementSibling.textContent = value; input.setAttribute('aria-valuetext', value);
    });
    live.dataset.answer = JSON.stringify(now);
    button.disabled = made.length === 0;
    command.textContent = 'headrace simulate SCENARIO' + made.map(change => " --set '" + change + "'").join('');
    line.textContent = now.error ? now.error : now.line;
    line.parentElement.className = 'verdict ' + (now.error ? 'unsure' : now.verdict === 'fed' ? 'good' : 'bad');
    for (const tile of live.querySelectorAll('.tiles li')) {
      const [, shown, change] = tile.children, here = now.metrics && now.metrics[tile.dataset.metric];
      const there = base.metrics && base.metrics[tile.dataset.metric];
      tile.hidden = !there || (tile.dataset.metric.endsWith('_usd') && there.mean === 0);
      shown.textContent = here ? here.text : '\u2013';
      change.textContent = here && there && here.mean !== there.mean ? 'was ' + there.text : '\u00a0';
    }
    const busiest = now.stations ? [...now.stations].sort((a, b) => b.utilization - a.utilization).slice(0, 3) : [];
    note.textContent = now.error ? now.help : busiest.length ?
      'Busiest: ' + busiest.map(station => station.name + ' ' + station.text).join(', ') + '.' : '';
    try { history.replaceState(null, '', made.length ? '#set=' + made.map(encodeURIComponent).join('&') : location.pathname + location.search); } catch { /* a page within a page has no address */ }
  };
  if (location.hash.startsWith('#set='))
    for (const change of location.hash.slice(5).split('&').map(decodeURIComponent)) {
      const slider = data.sliders.findIndex(each => change.startsWith(each.pointer + '='));
      const value = slider < 0 ? -1 : data.sliders[slider].values.indexOf(change.slice(data.sliders[slider].pointer.length + 1));
      if (value >= 0) inputs[slider].value = value;
    }
  let waiting = 0;
  inputs.forEach(input => {
    input.disabled = false;
    input.addEventListener('input', () => { cancelAnimationFrame(waiting); waiting = requestAnimationFrame(show); });
  });
  button.addEventListener('click', () => { inputs.forEach((input, i) => { input.value = data.sliders[i].now; }); show(); });
  show();
})();
)js";
}

}  // namespace headrace::reports
