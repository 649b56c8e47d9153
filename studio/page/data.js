// SPDX-License-Identifier: Apache-2.0
import { h, replace, table, get, post, send, act, grouped } from '/dom.js';

let app;
let view;

export async function show(main, shared) {
  app = shared;
  view = { schema: h('section', { 'aria-label': 'Schema' }), facts: h('section', { 'aria-label': 'Facts', hidden: true }), graph: h('section', { 'aria-label': 'Graph', hidden: true }) };
  main.append(await opener(), view.schema, view.facts, view.graph);
  await showData();
}

async function open(source, target = '') {
  await post('/api/data', { source, target });
  await showData();
}

async function opener() {
  const sources = await get('/api/sources');
  const path = h('input', { id: 'path', size: 40, placeholder: 'a folder, file or task:name', autocomplete: 'off' });
  const files = h('input', { type: 'file', multiple: true, id: 'files' });
  const known = h('select', { id: 'known' },
    h('option', { value: '' }, 'Choose one'),
    h('optgroup', { label: 'Data on this machine' }, sources.folders.map((f) => h('option', { value: f }, f))),
    h('optgroup', { label: 'Tasks of the paper' }, sources.tasks.map((t) => h('option', { value: 'task:' + t.name, title: t.about }, t.title))));
  known.addEventListener('change', () => { if (known.value) path.value = known.value; });
  return h('section', {},
    h('h2', {}, 'Open data'),
    h('div', { class: 'columns' },
      h('form', { onsubmit: act(() => open(path.value)) },
        h('label', { for: 'known' }, 'Known data ', known),
        h('label', { for: 'path' }, 'Or a path on the server\'s machine ', path),
        h('button', { class: 'main', type: 'submit', id: 'open' }, 'Open')),
      h('form', { onsubmit: act(async () => {
        if (!files.files.length) throw new Error('Choose files first.');
        const { id } = await post('/api/uploads');
        for (const file of files.files) await send('/api/upload', { id, name: file.name }, await file.arrayBuffer());
        await open('upload:' + id);
      }) },
        h('label', { for: 'files' }, 'Or upload files', h('small', {}, 'bk.pl and exs.pl together, a CSV file or a SQLite file; at most 64 MB each.'), files),
        h('button', { type: 'submit', id: 'upload' }, 'Upload and open'))));
}

async function showData() {
  if (!app.state || !app.state.data) {
    try { app.state = await get('/api/state'); } catch { /* the events tell */ }
  }
  let data;
  try { data = await get('/api/data'); } catch { replace(view.schema, h('p', { class: 'soft' }, 'No data are open yet.')); return; }
  const target = h('select', { id: 'target', onchange: act((event) => open(data.source, event.target.value)) },
    data.targets.map((t) => h('option', { value: t, selected: t === `${data.target.name}/${data.target.arity}` }, t)));
  replace(view.schema,
    h('h2', {}, data.name),
    h('p', {}, `Target: `, data.targets.length > 1 ? h('label', { for: 'target' }, 'one of several ', target) : h('code', {}, `${data.target.name}/${data.target.arity}`),
      `. ${grouped(data.positives)} positive and ${grouped(data.negatives)} negative examples in ${grouped(data.instance_count)} ${data.instance_count === 1 ? 'instance' : 'instances'}` +
      (data.generated ? ' that a generator drew; learning draws more.' : '.')),
    data.warnings.length ? h('details', { open: true }, h('summary', { class: 'bad' }, `${data.warnings.length} warnings of the reader`), h('ul', {}, data.warnings.map((w) => h('li', {}, w)))) : null,
    data.notes.length ? h('ul', { class: 'soft' }, data.notes.map((n) => h('li', {}, n))) : null,
    table([{ name: 'Predicate' }, { name: 'Facts', number: true, title: 'Facts over all instances' }, { name: 'Types' }, { name: 'First fact' }, { name: '' }],
      data.predicates.map((p) => [h('code', {}, `${p.name}/${p.arity}`), grouped(p.facts), p.types.join(', ') || '—',
        p.example ? h('code', {}, `${p.name}(${p.example.join(', ')})`) : '—',
        h('button', { type: 'button', onclick: act(() => showFacts(`${p.name}/${p.arity}`, 0, 0)) }, 'Show')])),
    h('div', { class: 'row' }, data.instances.slice(0, 20).map((instance, i) =>
      h('button', { type: 'button', disabled: !instance.drawable, title: instance.drawable ? 'Draw the facts as a graph' : 'Too large to draw', onclick: act(() => showGraph(i)) },
        `Draw instance ${i + 1} (${instance.constants} constants)`))));
}

async function showFacts(predicate, instance, offset) {
  const count = 50;
  const page = await get('/api/facts', { predicate, instance, offset, count });
  view.facts.hidden = false;
  const width = page.rows.length ? page.rows[0].length : 0;
  replace(view.facts,
    h('h2', {}, `Facts of ${predicate}`, h('span', { class: 'soft' }, ` in instance ${instance + 1}: ${grouped(page.count)}`)),
    table(Array.from({ length: Math.max(width, 1) }, (_, i) => ({ name: `Argument ${i + 1}` })), page.rows),
    h('div', { class: 'row' },
      h('button', { type: 'button', disabled: page.offset === 0, onclick: act(() => showFacts(predicate, instance, Math.max(0, page.offset - count))) }, 'Earlier'),
      h('button', { type: 'button', disabled: page.offset + count >= page.count, onclick: act(() => showFacts(predicate, instance, page.offset + count)) }, 'Later')));
  view.facts.scrollIntoView({ block: 'nearest' });
}

async function showGraph(instance) {
  const graph = await get('/api/graph', { instance });
  view.graph.hidden = false;
  replace(view.graph, h('h2', {}, `Instance ${instance + 1} as a graph`), draw(graph));
  view.graph.scrollIntoView({ block: 'nearest' });
}

// Springs between neighbours, a fixed number of steps from a circle: the same drawing every time.
function draw(graph) {
  const width = 900, height = 560, n = graph.nodes.length;
  const at = graph.nodes.map((_, i) => ({ x: width / 2 + 220 * Math.cos(2 * Math.PI * i / n), y: height / 2 + 200 * Math.sin(2 * Math.PI * i / n) }));
  const ideal = Math.sqrt(width * height / Math.max(n, 1)) * 0.7;
  for (let step = 0; step < 200; ++step) {
    const move = at.map(() => ({ x: 0, y: 0 }));
    for (let i = 0; i < n; ++i) for (let j = i + 1; j < n; ++j) {
      const dx = at[i].x - at[j].x || 0.01 * (i - j), dy = at[i].y - at[j].y || 0.01, d2 = dx * dx + dy * dy + 0.01;
      const push = ideal * ideal / d2;
      move[i].x += dx * push; move[i].y += dy * push; move[j].x -= dx * push; move[j].y -= dy * push;
    }
    for (const { from, to } of graph.edges) {
      const dx = at[from].x - at[to].x, dy = at[from].y - at[to].y, pull = Math.hypot(dx, dy) / ideal * 0.5;
      move[from].x -= dx * pull; move[from].y -= dy * pull; move[to].x += dx * pull; move[to].y += dy * pull;
    }
    const heat = 20 * (1 - step / 200);
    for (let i = 0; i < n; ++i) {
      const size = Math.hypot(move[i].x, move[i].y) || 1, by = Math.min(size, heat) / size;
      at[i].x = Math.min(width - 60, Math.max(60, at[i].x + move[i].x * by));
      at[i].y = Math.min(height - 30, Math.max(30, at[i].y + move[i].y * by));
    }
  }
  return h('svg', { class: 'graph', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `${n} constants, ${graph.edges.length} binary facts` },
    h('defs', {}, h('marker', { id: 'arrow', viewBox: '0 0 8 8', refX: 16, refY: 4, markerWidth: 6, markerHeight: 6, orient: 'auto' }, h('path', { d: 'M0 0L8 4L0 8z', class: 'node' }))),
    graph.edges.map(({ from, to, predicate }) => {
      const a = at[from], b = at[to];
      if (from === to) return h('g', {}, h('circle', { cx: a.x, cy: a.y - 14, r: 10, class: 'edge' }, h('title', {}, predicate)));
      return h('g', {}, h('line', { x1: a.x, y1: a.y, x2: b.x, y2: b.y, class: 'edge', 'marker-end': 'url(#arrow)' }, h('title', {}, `${predicate}(${graph.nodes[from].name}, ${graph.nodes[to].name})`)),
        graph.edges.length <= 60 ? h('text', { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, class: 'edge-text', 'text-anchor': 'middle' }, predicate) : null);
    }),
    graph.nodes.map((node, i) => h('g', {}, h('circle', { cx: at[i].x, cy: at[i].y, r: 7, class: 'node' }, h('title', {}, node.labels.join(', ') || node.name)),
      h('text', { x: at[i].x, y: at[i].y - 11, 'text-anchor': 'middle' }, node.labels.length ? `${node.name}: ${node.labels.join(', ')}` : node.name))));
}

export function update(state, before) {
  if (before && state.data && (!before.data || before.data.source !== state.data.source || before.data.target !== state.data.target)) showData();
}
