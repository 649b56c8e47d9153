// SPDX-License-Identifier: Apache-2.0
// Drawings: graphs of constants and relations, curves.
import { h } from '/dom.js';

const width = 900, height = 430;

// Springs between neighbours, a fixed number of steps from a circle: the same drawing every time.
function placed(graph) {
  const n = graph.nodes.length;
  const at = graph.nodes.map((_, i) => ({ x: width / 2 + 220 * Math.cos(2 * Math.PI * i / n), y: height / 2 + 180 * Math.sin(2 * Math.PI * i / n) }));
  const ideal = Math.sqrt(width * height / Math.max(n, 1)) * 0.5;
  for (let step = 0; step < 300; ++step) {
    const move = at.map((p) => ({ x: (width / 2 - p.x) * 0.03, y: (height / 2 - p.y) * 0.08 }));
    for (let i = 0; i < n; ++i) for (let j = i + 1; j < n; ++j) {
      const dx = at[i].x - at[j].x || 0.01 * (i - j), dy = at[i].y - at[j].y || 0.01, d2 = dx * dx + dy * dy + 0.01;
      const push = ideal * ideal / d2;
      move[i].x += dx * push; move[i].y += dy * push; move[j].x -= dx * push; move[j].y -= dy * push;
    }
    for (const { from, to } of graph.edges) {
      const dx = at[from].x - at[to].x, dy = at[from].y - at[to].y, pull = Math.hypot(dx, dy) / ideal * 0.5;
      move[from].x -= dx * pull; move[from].y -= dy * pull; move[to].x += dx * pull; move[to].y += dy * pull;
    }
    const heat = 24 * (1 - step / 300);
    for (let i = 0; i < n; ++i) {
      const size = Math.hypot(move[i].x, move[i].y) || 1, by = Math.min(size, heat) / size;
      at[i].x = Math.min(width - 70, Math.max(70, at[i].x + move[i].x * by));
      at[i].y = Math.min(height - 40, Math.max(40, at[i].y + move[i].y * by));
    }
  }
  return at;
}

const short = (text) => text.length > 18 ? text.slice(0, 17) + '…' : text;

const sidesOfNode = [
  { x: 0, y: -1, cost: 0, name: -14, anchor: 'middle' }, { x: 0, y: 1, cost: 0.05, name: 22, anchor: 'middle' },
  { x: 1, y: 0, cost: 0.3, name: 4, anchor: 'start' }, { x: -1, y: 0, cost: 0.3, name: 4, anchor: 'end' }];

// Edges from one end of a pair to the other lie side by side.
export function drawGraph(graph, centre = -1) {
  const at = placed(graph);
  const names = [...new Set(graph.edges.map((e) => e.predicate))];
  const colour = (name) => names.indexOf(name) % 8;
  const together = new Map();
  const bent = graph.edges.map((e) => {
    const key = Math.min(e.from, e.to) + ' ' + Math.max(e.from, e.to);
    const count = together.get(key) || 0;
    together.set(key, count + 1);
    return (count % 2 ? -1 : 1) * Math.ceil(count / 2) * (e.from < e.to ? 1 : -1);
  });
  // no larger than what is drawn: a few nodes need no empty room around them
  const xs = at.map((p) => p.x), ys = at.map((p) => p.y), seen = (low, high, least, most) => {
    const size = Math.min(most, Math.max(least, high - low)), middle = (low + high) / 2;
    return [Math.max(0, Math.min(most - size, middle - size / 2)), size];
  };
  const [left, wide] = seen(Math.min(...xs) - 80, Math.max(...xs) + 80, 560, width);
  const [top, high] = seen(Math.min(...ys) - 40, Math.max(...ys) + 45, 150, height + 5);
  // A name stands beside its node where edges leave room: above or below, else at its side.
  const beside = at.map((p, i) => {
    const ways = [];
    graph.edges.forEach(({ from, to }) => {
      if (from === to || (from !== i && to !== i)) return;
      const q = at[from === i ? to : from], d = Math.hypot(q.x - p.x, q.y - p.y) || 1;
      ways.push([(q.x - p.x) / d, (q.y - p.y) / d]);
    });
    const crowd = ({ x, y, cost }) => ways.reduce((sum, w) => sum + Math.max(0, w[0] * x + w[1] * y) ** 2, cost);
    return sidesOfNode.reduce((best, side) => crowd(side) < crowd(best) ? side : best);
  });
  const picture = h('svg', { class: 'graph', viewBox: `${left} ${top} ${wide} ${high}`, role: 'img', 'aria-label': `${graph.nodes.length} constants and ${graph.edges.length} facts between them` },
    h('defs', {}, [...Array(8).keys()].map((c) => h('marker', { id: 'arrow' + c, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto' }, h('path', { d: 'M0 0L8 4L0 8z', class: 'f' + c })))),
    graph.edges.map(({ from, to, predicate }, i) => {
      const a = at[from], b = at[to], c = colour(predicate), title = h('title', {}, `${predicate}(${graph.nodes[from].name}, ${graph.nodes[to].name})`);
      if (from === to) return h('circle', { cx: a.x, cy: a.y - 16, r: 11, class: 'edge c' + c }, title);
      const dx = b.x - a.x, dy = b.y - a.y, d = Math.hypot(dx, dy) || 1, bend = bent[i] * 26;
      const mx = (a.x + b.x) / 2 - dy / d * bend, my = (a.y + b.y) / 2 + dx / d * bend;
      const cut = (p) => { const ex = p.x - mx, ey = p.y - my, e = Math.hypot(ex, ey) || 1; return [p.x - ex / e * 11, p.y - ey / e * 11]; };
      const [x1, y1] = cut(a), [x2, y2] = cut(b);
      return h('path', { d: `M${x1} ${y1}Q${mx} ${my} ${x2} ${y2}`, class: 'edge c' + c, 'marker-end': `url(#arrow${c})` }, title);
    }),
    graph.nodes.map((node, i) => h('g', {},
      h('circle', { cx: at[i].x, cy: at[i].y, r: 8, class: i === centre ? 'node centre' : 'node' }, h('title', {}, [node.name, ...node.labels].join(', '))),
      h('text', { x: at[i].x + 13 * beside[i].x, y: at[i].y + beside[i].name, 'text-anchor': beside[i].anchor, class: 'halo' }, short(node.name)),
      node.labels.length ? h('text', { x: at[i].x + 13 * beside[i].x, y: at[i].y + beside[i].name + (beside[i].y < 0 ? -13 : 13), 'text-anchor': beside[i].anchor, class: 'halo small' }, short(node.labels.join(', '))) : null)));
  const legend = h('div', { class: 'legend' }, names.slice(0, 16).map((name) => h('span', {}, h('svg', { viewBox: '0 0 22 10', 'aria-hidden': 'true' }, h('line', { x1: 0, y1: 5, x2: 22, y2: 5, class: 'edge c' + colour(name) })), name)));
  return [h('div', { class: 'drawing', tabindex: 0, role: 'group', 'aria-label': 'Graph' }, picture), legend];
}

export function curve(title, points, unit, top = null) {
  if (!points || points.length < 2 || points.every((p) => p[1] === 0)) return null;
  const w = 520, hgt = 170, left = 46, right = 12, above = 30, below = 26;
  const xs = points.map((p) => p[0]), ys = points.map((p) => p[1]);
  const x1 = Math.max(...xs), x0 = Math.min(...xs), y1 = top === null ? Math.max(...ys, 1e-9) : top, y0 = Math.min(0, ...ys);
  const place = ([x, y]) => [left + (w - left - right) * (x - x0) / (x1 - x0 || 1), hgt - below - (hgt - above - below) * (y - y0) / (y1 - y0 || 1)];
  const line = points.map((p) => place(p).map((v) => v.toFixed(1)).join(',')).join(' ');
  const now = ys[ys.length - 1];
  return h('svg', { class: 'curve', viewBox: `0 0 ${w} ${hgt}`, role: 'img', 'aria-label': `${title}: from ${ys[0].toPrecision(3)} to ${now.toPrecision(3)} ${unit}` },
    h('line', { class: 'axis', x1: left, y1: hgt - below, x2: w - right, y2: hgt - below }), h('line', { class: 'axis', x1: left, y1: above, x2: w - right, y2: above }),
    h('polyline', { class: 'area', points: `${left},${hgt - below} ${line} ${w - right},${hgt - below}` }), h('polyline', { class: 'line', points: line }),
    h('text', { x: 10, y: 18 }, title), h('text', { x: w - right, y: 18, 'text-anchor': 'end', class: 'small' }, `now ${now.toPrecision(3)} ${unit}`),
    h('text', { x: left - 6, y: above + 4, 'text-anchor': 'end', class: 'small' }, Number(y1.toPrecision(3))), h('text', { x: left - 6, y: hgt - below + 4, 'text-anchor': 'end', class: 'small' }, Number(y0.toPrecision(2))),
    h('text', { x: w - right, y: hgt - 8, 'text-anchor': 'end', class: 'small' }, `${x1.toFixed(1)} seconds`));
}
