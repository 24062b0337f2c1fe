#include "reports/html/sweep_script.hpp"

namespace headrace::reports {

std::string sweep_script() {
  return R"js(const table = document.getElementById('table'), body = table.tBodies[0], filter = document.getElementById('filter');
const key = cell => { const text = (cell.dataset.v || cell.textContent).trim(), n = Number(text);
  return text === '' || isNaN(n) ? text : n; };
const order = (a, b) => typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === 'number' ? -1 : 1;
const names = [...table.tHead.rows[0].cells].map(head => head.textContent);
[...table.tHead.rows[0].cells].forEach((head, column) => {
  const button = document.createElement('button'); button.type = 'button'; button.textContent = head.textContent;
  head.textContent = ''; head.append(button); let up = true;
  button.addEventListener('click', () => {
    const rows = [...body.rows].map(row => [key(row.cells[column]), row]);
    rows.sort(([a], [b]) => order(a, b) * (up ? 1 : -1));
    up = !up; body.append(...rows.map(([, row]) => row));
    [...table.tHead.rows[0].cells].forEach(other => other.removeAttribute('aria-sort'));
    head.setAttribute('aria-sort', up ? 'descending' : 'ascending');
  });
});
filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean); let shown = 0;
  for (const row of body.rows) {
    const text = row.textContent.toLowerCase(); row.hidden = !words.every(word => text.includes(word)); shown += !row.hidden;
  }
  document.getElementById('filtered').textContent = words.length ? shown + ' of ' + body.rows.length + ' points' : '';
});
const map = document.querySelector('table.heat');
if (map) {
  const axes = Number(table.dataset.axes), sign = table.dataset.better === 'higher' ? -1 : 1, most = Number(map.dataset.most);
  const own = JSON.parse(map.dataset.own), tie = sign * Number(map.dataset.tie) + 1e-5 * Math.abs(map.dataset.tie);  // cells have six digits
  const points = [...body.rows].map(row => [...row.cells].slice(0, axes + 2)).filter(cells => cells[axes + 1].dataset.v);
  const values = axis => [...new Map(points.map(cells => [cells[axis + 1].textContent, key(cells[axis + 1])])).entries()]
    .sort(([, a], [, b]) => order(a, b)).map(([text]) => text);
  const at = (cells, axis) => cells[axis + 1].textContent, first = points[0];
  const thin = axis => {
    const all = values(axis);
    if (all.length <= most) return all;
    const picked = new Set([...Array(most).keys()].map(i => all[Math.round(i * (all.length - 1) / (most - 1))]));
    return all.filter(text => picked.has(text) || text === at(first, axis));
  };
  const varied = [...Array(axes).keys()].filter(axis => values(axis).length > 1);
  const element = (name, text) => { const made = document.createElement(name); made.textContent = text; return made; };
  const choices = ['down', 'across'].map(side => {
    const select = document.createElement('select'), label = element('label', side === 'down' ? 'Down ' : ' across ');
    varied.forEach(axis => { const option = element('option', names[axis + 1]); option.value = axis; select.append(option); });
    select.value = names.indexOf(map.dataset[side], 1) - 1; label.append(select);
    return [select, label];
  });
  const [down, across] = choices.map(([select]) => select);
  const draw = () => {
    const d = Number(down.value), a = Number(across.value), best = new Map();
    let least = Infinity, largest = -Infinity;
    for (const cells of points) {
      const pair = at(cells, d) + '\n' + at(cells, a), v = Number(cells[axes + 1].dataset.v);
      if (!best.has(pair) || sign * v < sign * best.get(pair)[0]) best.set(pair, [v, cells[axes + 1].textContent]);
    }
    for (const [v] of best.values()) { least = Math.min(least, sign * v); largest = Math.max(largest, sign * v); }
    const rows = thin(d), columns = thin(a), head = document.createElement('tr'), lines = [];
    head.append(element('th', names[d + 1]), ...columns.map(text => element('th', names[a + 1] + ' ' + text)));
    for (const row of rows) {
      const line = document.createElement('tr'); line.append(element('th', row));
      for (const column of columns) {
        const cell = document.createElement('td'), found = best.get(row + '\n' + column);
        if (found) {
          const span = element('span', found[1]), part = largest > least ? (sign * found[0] - least) / (largest - least) : 0;
          span.className = 'heat' + Math.max(0, Math.min(7, Math.floor(part * 8))) + (sign * found[0] <= tie ? ' best' : '');
          if (row === own[d] && column === own[a]) span.textContent = '\u25c6 ' + found[1];
          cell.append(span);
        } else cell.textContent = '\u2013';
        line.append(cell);
      }
      lines.push(line);
    }
    [...head.cells].forEach((cell, column) => map.style.setProperty('--h' + (column + 1), JSON.stringify(cell.textContent)));
    map.tHead.replaceChildren(head); map.tBodies[0].replaceChildren(...lines);
    map.caption.textContent = names[d + 1] + ' by ' + names[a + 1];
    const left = [[d, rows], [a, columns]].filter(([axis, shown]) => shown.length < values(axis).length)
      .map(([axis, shown]) => shown.length + ' of ' + values(axis).length + ' values of ' + names[axis + 1]);
    document.getElementById('thinned').textContent = left.length ? 'Shown are ' + left.join(' and ') + '.' : '';
  };
  if (varied.length > 2) {
    const line = document.createElement('p'); line.append(...choices.map(([, label]) => label));
    map.closest('.scroll').before(line);
    choices.forEach(([select], side) => select.addEventListener('change', () => {
      const other = choices[1 - side][0];
      if (other.value === select.value) other.value = varied.find(axis => String(axis) !== select.value);
      draw();
    }));
  }
}
)js";
}

}  // namespace headrace::reports
