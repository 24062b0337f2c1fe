#include "reports/html/style_sheet.hpp"

#include <fmt/format.h>

#include <string>

namespace headrace::reports {
namespace {

// The first six colours are those of Okabe and Ito (2008), told apart by all kinds of colour vision; the states of GPU
// time need a brown and a violet more. In the dark theme they are lighter where contrast asks for it. Colour never
// stands alone: words or numbers say the same. Cells of a map are darker the worse they are, in both themes.
constexpr std::string_view kLook = R"css(:root {
  --ground: #ffffff; --sheet: #f5f6f8; --ink: #16191d; --faint: #565d66; --rule: #d5d9de;
  --one: #0072b2; --two: #e69f00; --three: #009e73; --four: #cc79a7; --five: #56b4e9; --six: #d55e00;
  --seven: #7b4f2c; --eight: #5b3a8c;
  --good: #00704f; --bad: #b34700; --unsure: #7a5900; --link: #005c94;
  --heat0: 4%; --heat1: 13%; --heat2: 22%; --heat3: 31%; --heat4: 40%; --heat5: 49%; --heat6: 58%; --heat7: 67%;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171a; --sheet: #1e2327; --ink: #e8eaed; --faint: #a4abb3; --rule: #3a4148;
    --one: #4aa8dc; --two: #f0b429; --three: #2fc295; --four: #dd9cc0; --five: #8accf2; --six: #f0803c;
    --seven: #bd9468; --eight: #ab8ee6;
    --good: #43cf9f; --bad: #f59357; --unsure: #e8bf4a; --link: #7cc3ee;
    --heat0: 67%; --heat1: 58%; --heat2: 49%; --heat3: 40%; --heat4: 31%; --heat5: 22%; --heat6: 13%; --heat7: 4%;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; max-width: 74rem; padding: 1rem 1.25rem 4rem; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.35rem; margin: 0.5rem 0; line-height: 1.25; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 0.6rem; padding-top: 0.6rem; border-top: 1px solid var(--rule); }
h3 { font-size: 0.95rem; margin: 0 0 0.25rem; }
p { max-width: 46rem; margin: 0.4rem 0; }
a { color: var(--link); }
.faint, caption, figcaption { color: var(--faint); }
nav ul { list-style: none; padding: 0; margin: 1rem 0 0; display: flex; flex-wrap: wrap; gap: 0.3rem 1rem; font-size: 0.9rem; }
.verdict { border-left: 0.5rem solid var(--faint); background: var(--sheet); padding: 0.8rem 1rem; margin: 0.6rem 0; }
.verdict strong { display: block; font-size: 1.3rem; line-height: 1.3; }
.verdict.good { border-color: var(--good); } .verdict.good strong { color: var(--good); }
.verdict.bad { border-color: var(--bad); } .verdict.bad strong { color: var(--bad); }
.verdict.unsure { border-color: var(--unsure); } .verdict.unsure strong { color: var(--unsure); }
.next { background: var(--sheet); padding: 0.5rem 1rem; margin: 0.6rem 0; }
.notice { border: 1px solid var(--unsure); padding: 0.5rem 0.8rem; margin: 0.6rem 0; }
.tiles { display: flex; flex-wrap: wrap; gap: 0.6rem; margin: 0.8rem 0; padding: 0; list-style: none; }
.tiles li { flex: 1 1 10.5rem; max-width: min(100%, 18rem); background: var(--sheet); padding: 0.6rem 0.8rem; }
.tiles b { display: block; font-size: 1.3rem; line-height: 1.3; }
.tiles data { white-space: nowrap; }
.tiles span { display: block; font-size: 0.85rem; color: var(--faint); }
.scroll { overflow-x: auto; margin: 0.5rem 0 1rem; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-size: 0.9rem; padding-bottom: 0.3rem; }
th, td { text-align: left; padding: 0.3rem 0.8rem 0.3rem 0; border-bottom: 1px solid var(--rule); vertical-align: top;
  overflow-wrap: break-word; }
th code, td code { overflow-wrap: anywhere; }
th { font-weight: 600; } tbody th { font-weight: 500; }
.number { text-align: right; white-space: nowrap; }
.wide { display: block; min-width: 15rem; }
table.points :is(th, td) { text-align: right; white-space: nowrap; } table.points thead th { white-space: normal; vertical-align: bottom; }
table.points :is(th, td):first-child, table.points :is(th, td):last-child { text-align: left; }
svg.bar { display: block; width: 100%; min-width: 8rem; height: 1.1rem; overflow: visible; }
svg.stack { display: block; width: 100%; height: 2.4rem; }
figure { margin: 0.6rem 0 1rem; }
time { white-space: nowrap; }
figure.plot { max-width: 34rem; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr)); gap: 1rem; }
.plot > svg { display: block; width: 100%; height: auto; }
.plot > svg text { font-size: 10.5px; fill: var(--ink); }
path.one { fill: var(--one); } path.two { fill: var(--two); } path.three { fill: var(--three); }
rect.one, circle.one, .band.one { fill: var(--one); } rect.two, circle.two, .band.two { fill: var(--two); }
rect.three, circle.three, .band.three { fill: var(--three); } rect.four, circle.four, .band.four { fill: var(--four); }
rect.five, circle.five, .band.five { fill: var(--five); } rect.six, circle.six, .band.six { fill: var(--six); }
rect.seven { fill: var(--seven); } rect.eight { fill: var(--eight); }
rect.gray { fill: var(--faint); } rect.shade { fill: var(--rule); opacity: 0.55; }
polyline { fill: none; stroke-width: 1.8; }
polyline.one { stroke: var(--one); } polyline.two { stroke: var(--two); } polyline.three { stroke: var(--three); }
polyline.four { stroke: var(--four); } polyline.five { stroke: var(--five); } polyline.six { stroke: var(--six); }
polyline.dashed { stroke: var(--faint); stroke-dasharray: 5 4; stroke-width: 1.2; } .key.key.dashed { background: repeating-linear-gradient(90deg, var(--faint) 0 4px, transparent 4px 7px); height: 2px; vertical-align: middle; }
.band { opacity: 0.22; } circle.marked, path.marked { stroke: var(--ink); stroke-width: 1.5; }
line { vector-effect: non-scaling-stroke; stroke: var(--ink); stroke-width: 1; }
line.grid { stroke: var(--rule); } line.axis { stroke: var(--faint); }
line.noise { stroke-width: 1.5; } line.thick { stroke: var(--one); stroke-width: 6; }
line.limit { stroke: var(--bad); stroke-width: 3; stroke-dasharray: 3 2; } .key.limit { background: var(--bad); width: 0.25rem; }
line.inputs { stroke: var(--two); stroke-width: 2; } line.mean { stroke-width: 2; }
.key { display: inline-block; width: 0.8rem; height: 0.8rem; margin-right: 0.35rem; }
.key.one { background: var(--one); } .key.two { background: var(--two); } .key.three { background: var(--three); }
.key.four { background: var(--four); } .key.five { background: var(--five); } .key.six { background: var(--six); }
.key.seven { background: var(--seven); } .key.eight { background: var(--eight); }
svg.key { overflow: visible; vertical-align: -0.1rem; }
.key.gray { background: var(--faint); }
.legend { list-style: none; padding: 0; margin: 0.4rem 0 0; display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; font-size: 0.9rem; }
.path { margin: 0.8rem 0; } .path h3 { margin: 0.6rem 0 0.3rem; } .path h3 small { color: var(--faint); font-weight: 400; }
.path ol { list-style: none; padding: 0; margin: 0 0 0.8rem; display: flex; flex-wrap: wrap; gap: 0.6rem 0; }
.path li { display: flex; flex-direction: column; gap: 0.4rem; flex: 0 1 auto; }
.path .hop { display: flex; flex: 1; align-items: stretch; }
.path .edge { flex: none; width: 3.9rem; padding: 0 0.1rem; display: flex; flex-direction: column; justify-content: center; align-items: center; font-size: 0.75rem; color: var(--faint); }
.path .edge data { white-space: nowrap; } .path .edge svg { display: block; width: 3.4rem; height: 1.1rem; }
.path .rail { fill: var(--rule); } .path .head { fill: var(--faint); }
.path .station { flex: none; width: 6.8rem; background: var(--sheet); padding: 0.35rem 0.45rem; border: 1px solid var(--rule); overflow-wrap: break-word; }
.path .station.binding { border: 3px solid var(--bad); padding: calc(0.35rem - 2px) calc(0.45rem - 2px); }
.path b { display: block; font-size: 0.9rem; line-height: 1.25; } .path .station small { display: block; font-size: 0.78rem; color: var(--faint); }
.path .flag { color: var(--bad); font-weight: 700; font-size: 0.9rem; letter-spacing: -0.01em; overflow-wrap: normal; } .path svg.bar { min-width: 0; height: 0.7rem; margin: 0.15rem 0; }
table.heat tbody th { white-space: nowrap; } table.heat td { padding: 0.15rem; border: 0; } table.heat td span { display: block; padding: 0.3rem 0.5rem; text-align: right; white-space: nowrap; }
.heat0 { background: color-mix(in srgb, var(--one) var(--heat0), transparent); } .heat1 { background: color-mix(in srgb, var(--one) var(--heat1), transparent); } .heat2 { background: color-mix(in srgb, var(--one) var(--heat2), transparent); } .heat3 { background: color-mix(in srgb, var(--one) var(--heat3), transparent); } .heat4 { background: color-mix(in srgb, var(--one) var(--heat4), transparent); } .heat5 { background: color-mix(in srgb, var(--one) var(--heat5), transparent); } .heat6 { background: color-mix(in srgb, var(--one) var(--heat6), transparent); } .heat7 { background: color-mix(in srgb, var(--one) var(--heat7), transparent); }
table.heat td span.best { outline: 3px solid var(--bad); outline-offset: -2px; font-weight: 700; }
details { margin: 0.2rem 0; } td > details, th > details { margin: 0; } summary { cursor: pointer; }
details p { font-size: 0.9rem; color: var(--faint); }
code { font: 0.88em/1.4 ui-monospace, "DejaVu Sans Mono", monospace; }
pre { background: var(--sheet); padding: 0.6rem 0.8rem; white-space: pre-wrap; overflow-wrap: anywhere; } .option { white-space: nowrap; }
input[type=search], select { font: inherit; padding: 0.3rem 0.5rem; width: min(100%, 22rem); background: var(--ground); color: var(--ink); border: 1px solid var(--faint); }
select { width: auto; max-width: 100%; }
th button { all: unset; cursor: pointer; } th button:focus-visible { outline: 2px solid var(--link); }
.sliders { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 0.8rem 1.6rem; margin: 0.8rem 0; }
.sliders div { display: grid; grid-template-columns: 1fr auto; gap: 0 0.8rem; align-items: end; } .sliders small { display: block; color: var(--faint); }
.sliders output { font-weight: 600; white-space: nowrap; } .sliders input { grid-column: 1 / -1; width: 100%; accent-color: var(--one); }
.live button { font: inherit; padding: 0.3rem 0.8rem; }
@page { margin: 1.2cm; }
@media print {
  html { font-size: 14px; } body { max-width: none; font-size: 10px; padding: 0; } h2 { margin: 0.9rem 0 0.3rem; padding-top: 0.3rem; }
  .scroll, figure { margin: 0.3rem 0 0.5rem; } th, td { padding: 0.12rem 0.8rem 0.12rem 0; } .plots { grid-template-columns: repeat(3, 1fr); }
  nav, input[type=search], select, #what-if { display: none; }
  figure, tr { break-inside: avoid; } h2, caption { break-after: avoid; } .scroll { overflow: visible; } pre { break-inside: avoid; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
.pass, .better { color: var(--good); font-weight: 600; } .fail, .worse { color: var(--bad); font-weight: 600; } .undecided, .unclear { color: var(--unsure); font-weight: 600; }
@media (max-width: 30rem) { body { padding: 0.5rem 0.75rem 3rem; } .tiles li { max-width: 100%; }
  .path ol { flex-direction: column; gap: 0; } .path li { flex-flow: row wrap; } .path .hop { flex: 1 1 8rem; flex-direction: column; } .path .station { flex: 1; width: auto; }
  .path .edge { width: auto; height: 3.2rem; flex-direction: row; gap: 0.2rem; } .path .edge svg { transform: rotate(90deg); } }
@media screen and (max-width: 40rem) {
  .scroll { overflow: visible; } table, caption, tbody, tbody tr, tbody th, tbody td { display: block; } thead { display: none; }
  tbody tr { border: 1px solid var(--rule); padding: 0.3rem 0.6rem; margin: 0 0 0.5rem; } tbody tr[hidden] { display: none; }
  tbody :is(th, td, .number) { border: 0; padding: 0.15rem 0; white-space: normal; } tbody td { display: flow-root; } tbody td:empty { display: none; }
  tbody td::before { display: block; font-size: 0.85em; color: var(--faint); } tbody th { font-weight: 600; }
  :is(td.number, .points td, .heat td)::before { float: left; padding: 0.1em 0.8rem 0 0; text-align: left; }
  table.points :is(th, td) { white-space: normal; } table.points tbody td { text-align: right; } table.points tbody th::before { content: var(--h1) " "; }
  table.points thead:has(button) { display: block; } table.points thead tr { display: flex; flex-wrap: wrap; gap: 0.3rem; margin: 0 0 0.5rem; }
  table.points thead th { border: 1px solid var(--rule); padding: 0.2rem 0.5rem; }
  table.heat tbody th, table.heat td span { white-space: normal; } table.heat tbody td { padding: 0.1rem 0; } table.heat td span { overflow: hidden; }
  svg.bar, .wide { min-width: 0; }
}
)css";

/// A cell of a card tells the head of its column, which its table names.
std::string labels_of_cells() {
  constexpr int kColumns = 48;
  std::string rules = "@media screen and (max-width: 40rem) {";
  for (int i = 2; i <= kColumns; ++i) rules += fmt::format(" td:nth-child({0})::before {{ content: var(--h{0}); }}", i);
  return rules + " }\n";
}

}  // namespace

std::string_view style_sheet() {
  static const std::string sheet = std::string(kLook) + labels_of_cells();
  return sheet;
}

}  // namespace headrace::reports
