// SPDX-License-Identifier: Apache-2.0
import { h, replace, table, tiles, pager, get, post, send, act, grouped } from '/dom.js';
import { drawGraph } from '/drawing.js';

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
  const path = h('input', { id: 'path', placeholder: 'a folder, a file, or task:grandparent', autocomplete: 'off' });
  const files = h('input', { type: 'file', multiple: true, id: 'files' });
  const known = h('select', { id: 'known' },
    h('option', { value: '' }, 'Choose one'),
    h('optgroup', { label: 'Data on this machine' }, sources.folders.map((f) => h('option', { value: f }, f))),
    h('optgroup', { label: 'Tasks of the paper' }, sources.tasks.map((t) => h('option', { value: 'task:' + t.name, title: t.about }, t.title))),
    h('optgroup', { label: 'Policies and scenes' }, sources.worlds.map((t) => h('option', { value: t.name, title: t.about }, t.title))));
  known.addEventListener('change', () => { if (known.value) path.value = known.value; });
  const isOpen = !app.state || !app.state.data;
  return h('section', {}, h('details', { open: isOpen, id: 'opener' }, h('summary', {}, 'Open data'),
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
        h('label', { for: 'files' }, 'Or upload files', h('small', {}, 'bk.pl and exs.pl together, a CSV or SQLite file, triples, or scene graphs; at most 64 MB each.'), files),
        h('button', { type: 'submit', id: 'upload' }, 'Upload and open')))));
}

const warned = (warnings) => !warnings.length ? null : h('details', { class: 'note bad', open: warnings.length < 6 },
  h('summary', { class: 'bad' }, `${warnings.length} ${warnings.length === 1 ? 'warning' : 'warnings'} of the reader`), h('ul', {}, warnings.map((w) => h('li', {}, w))));

async function showData() {
  if (!app.state || !app.state.data) {
    try { app.state = await get('/api/state'); } catch { /* the events tell */ }
  }
  let data;
  try { data = await get('/api/data'); } catch { replace(view.schema, h('p', { class: 'soft' }, 'No data are open yet.')); return; }
  view.facts.hidden = view.graph.hidden = true;
  if (data.kind !== 'relations') { showWorld(data); return; }
  const target = h('select', { id: 'target', onchange: act((event) => open(data.source, event.target.value)) },
    data.targets.map((t) => h('option', { value: t, selected: t === `${data.target.name}/${data.target.arity}` }, t)));
  replace(view.schema,
    h('h2', {}, data.name, data.targets.length > 1 ? null : h('span', { class: 'tag' }, `target ${data.target.name}/${data.target.arity}`)),
    data.targets.length > 1 ? h('label', { for: 'target' }, 'Target: what is to be learned ', target) : null,
    tiles([['positive examples', data.positives], ['negative examples', data.negatives],
      [data.generated ? 'instances shown; learning draws more' : 'instances: separate worlds', data.instance_count],
      ['predicates', data.predicates.length], ['facts', data.predicates.reduce((sum, p) => sum + p.facts, 0)]]),
    warned(data.warnings),
    data.notes.length ? h('ul', { class: 'soft' }, data.notes.map((n) => h('li', {}, n))) : null,
    table([{ name: 'Predicate' }, { name: 'Facts', number: true, title: 'Facts over all instances' }, { name: 'Types' }, { name: 'First fact' }, { name: '' }],
      data.predicates.map((p) => [h('code', {}, `${p.name}/${p.arity}`), grouped(p.facts), p.types.join(', ') || '—',
        p.example ? h('code', {}, `${p.name}(${p.example.join(', ')})`) : '—',
        h('button', { type: 'button', class: 'plain', 'aria-label': `Show the facts of ${p.name}/${p.arity}`, onclick: act(() => showFacts(`${p.name}/${p.arity}`, 0, 0, p.wide ? 1 : data.instance_count)) }, 'Show')])),
    h('div', { class: 'row end' }, data.instances.slice(0, 20).map((instance, i) =>
      h('button', { type: 'button', disabled: !instance.drawable, title: instance.drawable ? 'Draw the facts as a graph' : 'Too large to draw', onclick: act(() => showGraph(i)) },
        data.instance_count === 1 ? `Draw the facts (${instance.constants} constants)` : `Draw instance ${i + 1} (${instance.constants} constants)`))));
}

// A knowledge graph, scenes or an environment.
function showWorld(data) {
  const number = data.rows.length && data.columns.map((_, i) => typeof data.rows[0][i] === 'number');
  replace(view.schema,
    h('h2', {}, data.name, h('span', { class: 'tag' }, { graph: 'knowledge graph', scenes: 'scene graphs', policy: 'environment' }[data.kind])),
    data.explanation ? h('p', {}, data.explanation) : null,
    tiles(data.figures.map((f) => [f.name, f.value])), warned(data.warnings),
    table(data.columns.map((name, i) => ({ name, number: number && number[i] })), data.rows.map((row) => row.map((cell) => typeof cell === 'number' ? grouped(cell) : h('code', {}, cell)))),
    h('div', { class: 'row end' }, h('button', { type: 'button', class: 'main', onclick: () => app.go('learn') }, 'Learn rules'), h('button', { type: 'button', onclick: () => app.go('explore') }, 'Explore')));
}

async function showFacts(predicate, instance, offset, instances) {
  const count = 50;
  const page = await get('/api/facts', { predicate, instance, offset, count });
  view.facts.hidden = false;
  const width = page.rows.length ? page.rows[0].length : 0;
  const other = h('select', { id: 'instance', onchange: act((event) => showFacts(predicate, Number(event.target.value), 0, instances)) },
    Array.from({ length: Math.min(instances, 500) }, (_, i) => h('option', { value: i, selected: i === instance }, `instance ${i + 1}`)));
  replace(view.facts,
    h('h2', {}, `Facts of ${predicate}`, h('span', { class: 'tag' }, grouped(page.count))),
    instances > 1 ? h('label', { for: 'instance' }, 'In ', other) : null,
    table(Array.from({ length: Math.max(width, 1) }, (_, i) => ({ name: `Argument ${i + 1}` })), page.rows),
    pager(page.offset, count, page.count, (to) => showFacts(predicate, instance, to, instances)));
  view.facts.scrollIntoView({ block: 'nearest' });
}

async function showGraph(instance) {
  const graph = await get('/api/graph', { instance });
  view.graph.hidden = false;
  replace(view.graph, h('h2', {}, `Instance ${instance + 1} as a graph`), drawGraph(graph));
  view.graph.scrollIntoView({ block: 'start' });
}

export function update(state, before) {
  if (before && state.data && (!before.data || before.data.source !== state.data.source || before.data.target !== state.data.target)) showData();
}
