// SPDX-License-Identifier: Apache-2.0
import { h, replace, table, longTable, tiles, pager, empty, get, post, send, act, grouped, counted } from '/dom.js';
import { drawGraph } from '/drawing.js';

let app;
let view;

export async function show(main, shared) {
  app = shared;
  view = { opener: h('section', { 'aria-label': 'Open data' }), schema: h('section', { 'aria-label': 'Schema' }), facts: h('section', { 'aria-label': 'Facts', hidden: true }), graph: h('section', { 'aria-label': 'Graph', hidden: true }) };
  main.append(view.opener, view.schema, view.facts, view.graph);
  await Promise.all([opener(), showData()]);
}

async function open(source, target = '', closed = false) {
  await app.change('/api/data', { source, target, closed_world: closed });
}

const kMaxUpload = 64_000_000;  // bytes of a file, as the server takes them

// Names of uploaded files lead nowhere else: the server takes these characters only.
const plainName = (name) => name.replace(/[^A-Za-z0-9._-]+/g, '_').replace(/^\.+/, '').slice(-100) || 'file';

const closedWorld = (id) => {
  const box = h('input', { type: 'checkbox', id });
  return [box, h('label', { class: 'check', for: id }, box, h('span', {}, 'What no example lists is false', h('small', { class: 'soft' }, 'Otherwise such atoms are unknown, and the learner does not look at them.')))];
};

async function opener() {
  const mine = view;
  const sources = await get('/api/sources');
  const path = h('input', { id: 'path', placeholder: 'a folder, a file, or task:grandparent', autocomplete: 'off', spellcheck: 'false' });
  const files = h('input', { type: 'file', multiple: true, id: 'files' });
  const known = h('select', { id: 'known' },
    h('option', { value: '' }, 'Choose one'),
    h('optgroup', { label: 'Data on this machine' }, sources.folders.map((f) => h('option', { value: f.path, title: f.path }, f.name))),
    h('optgroup', { label: 'Tasks of the paper' }, sources.tasks.map((t) => h('option', { value: 'task:' + t.name, title: t.about }, t.title))),
    h('optgroup', { label: 'Policies and scenes' }, sources.worlds.map((t) => h('option', { value: t.name, title: t.about }, t.title))));
  known.addEventListener('change', () => { if (known.value) path.value = known.value; });
  const [closedPath, closedPathLabel] = closedWorld('closed-path');
  const [closedFiles, closedFilesLabel] = closedWorld('closed-files');
  const isOpen = !app.state.data;
  if (mine !== view) return;  // the page was left
  view.opener.className = isOpen ? '' : 'calm';
  replace(view.opener, h('details', { open: isOpen, id: 'opener' }, h('summary', {}, isOpen ? 'Open data' : 'Open other data'),
    h('div', { class: 'columns' },
      h('form', { onsubmit: act(() => open(path.value, '', closedPath.checked)) },
        h('label', { for: 'known' }, 'Known data ', known),
        h('label', { for: 'path' }, 'Or a path on the server\'s machine ', path),
        closedPathLabel,
        h('button', { class: 'main', type: 'submit', id: 'open' }, 'Open')),
      h('form', { onsubmit: act(async () => {
        if (!files.files.length) throw new Error('Choose files first.');
        const large = [...files.files].find((file) => file.size > kMaxUpload);
        if (large) throw new Error(`${large.name} has ${grouped(Math.ceil(large.size / 1e6))} MB, and an upload takes files of at most ${kMaxUpload / 1e6} MB. Open it by its path instead.`);
        const { id } = await post('/api/uploads');
        for (const file of files.files) await send('/api/upload', { id, name: plainName(file.name) }, file);
        await open('upload:' + id, '', closedFiles.checked);
      }) },
        h('label', { for: 'files' }, 'Or upload files', h('small', { class: 'soft' }, 'bk.pl and exs.pl together, CSV or SQLite files, triples, or scene graphs. At most 64 MB each.'), files),
        closedFilesLabel,
        h('button', { type: 'submit', id: 'upload' }, 'Upload and open')))));
}

const warned = (warnings) => !warnings.length ? null : h('details', { class: 'note warn', open: warnings.length < 6 },
  h('summary', {}, counted(warnings.length, 'warning') + ' of the reader'), h('ul', {}, warnings.map((w) => h('li', {}, w))));

async function showData() {
  if (!app.state.data) {
    replace(view.schema, empty('No data are open yet', 'Open a folder, a file or a task above. Then learn rules, read them with their evidence, and correct them.'));
    return;
  }
  const mine = view;
  const data = await get('/api/data');
  if (mine !== view) return;  // the page was left
  if (data.kind !== 'relations') { showWorld(data); return; }
  const name = `${data.target.name}/${data.target.arity}`;
  const target = h('select', { id: 'target', onchange: act((event) => open(data.source, event.target.value, data.closed_world)) },
    data.targets.map((t) => h('option', { value: t, selected: t === name }, t)));
  const facts = data.predicates.reduce((sum, p) => sum + p.facts, 0);
  replace(view.schema,
    h('div', { class: 'row apart' }, h('h2', {}, data.name, data.targets.length > 1 ? null : h('span', { class: 'tag' }, 'target ' + name), data.closed_world ? h('span', { class: 'tag' }, 'unlisted atoms are false') : null),
      h('button', { type: 'button', class: 'main', id: 'to-learn', onclick: () => app.go('learn') }, 'Learn rules')),
    data.targets.length > 1 ? h('label', { for: 'target' }, 'Target: what is to be learned ', target) : null,
    data.guessed ? h('p', { class: 'note warn', id: 'guessed' }, `These data name no target: ${name} is a guess. Choose another one above if you want to learn something else.`) : null,
    tiles([[data.positives === 1 ? 'positive example' : 'positive examples', data.positives], [data.negatives === 1 ? 'negative example' : 'negative examples', data.negatives],
      [data.generated ? 'instances shown; learning draws more' : data.instance_count === 1 ? 'instance: all facts in one world' : 'instances: separate worlds', data.instance_count],
      ['predicates', data.predicates.length], ['facts', facts]]),
    warned(data.warnings),
    data.notes.length ? h('ul', { class: 'soft' }, data.notes.map((n) => h('li', {}, n))) : null,
    longTable([{ name: 'Predicate' }, { name: 'Facts', number: true, title: 'Facts over all instances' }, { name: 'Types of the arguments' }, { name: 'First fact' }, { name: '' }],
      data.predicates.map((p) => [h('code', {}, `${p.name}/${p.arity}`), grouped(p.facts), p.types.join(', ') || h('span', { class: 'soft' }, 'not typed'),
        p.example ? h('code', {}, `${p.name}(${p.example.join(', ')})`) : h('span', { class: 'soft' }, 'none'),
        h('button', { type: 'button', class: 'plain', 'aria-label': `Show the facts of ${p.name}/${p.arity}`, onclick: act(() => showFacts(`${p.name}/${p.arity}`, 0, 0, p.wide ? 1 : data.instance_count)) }, 'Show')])));
  const drawable = data.instances.findIndex((instance) => instance.drawable);
  if (drawable >= 0 && data.predicates.some((p) => p.arity === 2 && p.facts)) await showGraph(drawable, data.instances);
}

// A knowledge graph, scenes or an environment.
function showWorld(data) {
  const number = data.rows.length && data.columns.map((_, i) => typeof data.rows[0][i] === 'number');
  replace(view.schema,
    h('div', { class: 'row apart' }, h('h2', {}, data.name, h('span', { class: 'tag' }, { graph: 'knowledge graph', scenes: 'scene graphs', policy: 'environment' }[data.kind])),
      h('div', { class: 'row' }, h('button', { type: 'button', class: 'main', onclick: () => app.go('learn') }, 'Learn rules'), h('button', { type: 'button', onclick: () => app.go('explore') }, 'Explore'))),
    data.explanation ? h('p', {}, data.explanation) : null,
    tiles(data.figures.map((f) => [f.name, f.value])), warned(data.warnings),
    longTable(data.columns.map((name, i) => ({ name, number: number && number[i] })), data.rows.map((row) => row.map((cell) => typeof cell === 'number' ? grouped(cell) : h('code', {}, cell)))));
}

async function showFacts(predicate, instance, offset, instances) {
  const count = 50;
  const page = await get('/api/facts', { predicate, instance, offset, count });
  view.facts.hidden = false;
  const width = page.rows.length ? page.rows[0].length : 0;
  const other = h('select', { id: 'instance', onchange: act((event) => showFacts(predicate, Number(event.target.value), 0, instances)) },
    Array.from({ length: Math.min(instances, 500) }, (_, i) => h('option', { value: i, selected: i === instance }, `instance ${i + 1}`)));
  replace(view.facts,
    h('div', { class: 'row apart' }, h('h2', {}, 'Facts of ', h('code', {}, predicate), h('span', { class: 'tag' }, counted(page.count, 'fact'))),
      h('button', { type: 'button', class: 'plain', onclick: () => { view.facts.hidden = true; } }, 'Close')),
    instances > 1 ? h('label', { for: 'instance' }, 'In ', other) : null,
    page.count ? table(Array.from({ length: Math.max(width, 1) }, (_, i) => ({ name: `Argument ${i + 1}` })), page.rows) : h('p', { class: 'soft' }, 'No fact of it holds here.'),
    pager(page.offset, count, page.count, (to) => showFacts(predicate, instance, to, instances)));
  view.facts.scrollIntoView({ block: 'nearest' });
}

async function showGraph(instance, instances) {
  const graph = await get('/api/graph', { instance });
  view.graph.hidden = false;
  const other = h('select', { id: 'drawn', onchange: act((event) => showGraph(Number(event.target.value), instances)) }, instances.map((one, i) =>
    h('option', { value: i, selected: i === instance, disabled: !one.drawable }, `instance ${i + 1}: ${counted(one.constants, 'constant')}${one.drawable ? '' : ', too many to draw'}`)));
  replace(view.graph, h('div', { class: 'row apart' }, h('h2', {}, 'The facts as a graph', instances.length > 1 ? null : h('span', { class: 'soft' }, counted(graph.nodes.length, 'constant'))),
    instances.length > 1 ? h('label', { class: 'inline', for: 'drawn' }, 'Of ', other) : null), drawGraph(graph));
}
