// SPDX-License-Identifier: Apache-2.0
// Graphs, scenes, policies: what rules answer, what they see, what they do.
import { h, replace, tiles, table, clause, get, post, act, percent, grouped } from '/dom.js';
import { drawGraph } from '/drawing.js';
import { worldEvidence } from '/rules.js';

let app;
let shown = null;

export async function show(main, shared) {
  app = shared;
  shown = main;
  const kind = app.state && app.state.data ? app.state.data.kind : '';
  const page = { graph, scenes, policy }[kind];
  if (page) {
    const data = await get('/api/data');
    if (main.isConnected) await page(main, data);
    return;
  }
  main.append(h('section', {}, h('h2', {}, 'Explore'),
    h('p', {}, 'This page shows rules at work: top answers of a knowledge graph with the rules behind them, the objects of a scene with the names that rules give them, and the episode of a policy step by step.'),
    h('p', { class: 'soft' }, 'Open a knowledge graph (a folder with train.txt), a file of scenes, or a policy on the page Data.'),
    h('div', { class: 'row end' }, ['unstack', 'stack', 'boxes'].map((task) => h('button', { type: 'button', onclick: act(() => app.change('/api/data', { source: 'policy:' + task })) }, `Policy: ${task}`)),
      h('button', { type: 'button', onclick: act(() => app.change('/api/data', { source: 'scenes:synthetic' })) }, 'Synthetic scenes'))));
}

const reasons = (rules) => rules.map((r) => h('div', { class: 'rule' }, clause(r.text), worldEvidence(r)));

// ---- knowledge graphs

function graph(main, data) {
  const input = h('input', { id: 'graph-query', placeholder: `${data.rows[0][0]}(name, ?)`, spellcheck: 'false', autocomplete: 'off' });
  const out = h('div', { id: 'answers', 'aria-live': 'polite' });
  const drawn = h('section', { 'aria-label': 'Neighbourhood', hidden: true });
  const around = async (entity) => {
    const found = await post('/api/world/ask', { around: entity });
    drawn.hidden = false;
    replace(drawn, h('h2', {}, `Around ${entity}`, h('span', { class: 'soft' }, found.edges.length < found.all ? `${found.edges.length} of ${grouped(found.all)} triples` : '')), drawGraph(found, 0));
  };
  const ranks = h('div', { 'aria-live': 'polite' });
  const examples = data.rows.slice(0, 4).map((row) => row[2].replace(/, [^,]*\)$/, ', ?)')).filter(Boolean);
  if (!app.state.has_rules) main.append(h('section', { class: 'calm' }, h('p', {}, 'Nothing has been learned from this graph yet. ', h('button', { type: 'button', onclick: () => app.go('learn') }, 'Learn rules'))));
  input.value = examples[0] || '';
  main.append(h('section', {}, h('h2', {}, 'Ask the graph'),
    h('p', { class: 'soft' }, 'Known triples are left out: the answers are what the rules add. Scores only order the answers; the highest comes first.'),
    h('form', { onsubmit: act(async () => {
      const found = await post('/api/world/ask', { query: input.value, top: 10 });
      const inside = /\((.*)\)/.exec(input.value);
      replace(out, found.known.length ? h('p', { class: 'soft' }, `Known already: ${found.known.slice(0, 12).join(', ')}${found.known.length > 12 ? ', …' : ''}`) : null,
        found.answers.length ? found.answers.map((a, i) => h('details', { open: i === 0 }, h('summary', {}, `${i + 1}. ${a.entity} `, h('span', { class: 'tag' }, `score ${a.score.toFixed(3)}`)),
          reasons(a.rules), h('button', { type: 'button', class: 'plain', onclick: act(() => around(a.entity)) }, `Draw what is around ${a.entity}`))) : h('p', {}, 'No rule gives an answer.'));
      const given = inside && inside[1].split(',').map((part) => part.trim().replace(/^'|'$/g, '')).find((part) => part !== '?');
      if (given) await around(given);
    }) }, h('label', { for: 'graph-query' }, 'A triple with ? for what is asked ', input),
      h('div', { class: 'row' }, h('button', { type: 'submit', class: 'main', id: 'ask-graph' }, 'Ask'), h('span', { class: 'soft' }, 'such as'),
        examples.map((e) => h('button', { type: 'button', class: 'plain', onclick: () => { input.value = e; } }, e)))), out),
    drawn,
    h('section', {}, h('h2', {}, 'How good the answers are'),
      h('p', { class: 'soft' }, 'Ranks of the test triples among all entities; other true answers do not count.'),
      h('div', { class: 'row' }, h('button', { type: 'button', id: 'judge', onclick: act(async () => {
        const found = await post('/api/world/ask', { judge: 'test' });
        replace(ranks, tiles([['mean reciprocal rank: 1 is best', found.all.mrr.toFixed(3)], ['answers ranked first', percent(found.all.hits_1)], ['answers among the first ten', percent(found.all.hits_10)], ['queries', found.all.queries]]));
      }) }, 'Rank the test triples')), ranks));
}

// ---- scenes

function scenes(main) {
  const box = h('section', { 'aria-label': 'Scene' });
  const detail = h('section', { 'aria-label': 'Object', hidden: true });
  main.append(h('div', { class: 'sides' }, h('div', { class: 'stack' }, box), h('div', { class: 'stack' }, detail)));
  const why = (object, i) => {
    detail.hidden = false;
    replace(detail, h('h2', {}, `Object ${i + 1}`, h('span', { class: 'tag' }, object.names.join(', ') || 'no name')),
      object.guesses.length ? [h('p', { class: 'soft' }, 'What rules take it for while its own name is hidden, and why.'),
        object.guesses.map((g, at) => h('details', { open: at === 0 }, h('summary', {}, `${g.name} `, h('span', { class: 'tag ' + (object.names.includes(g.name) ? 'good' : '') }, percent(g.probability))),
          g.rules.length ? reasons(g.rules) : h('p', { class: 'soft' }, 'No rule covers it: this is how frequent the name is.')))]
        : h('p', { class: 'soft' }, 'Nothing has been learned yet: start a run on the page Learn.'));
  };
  async function image(i) {
    const found = await post('/api/world/ask', { image: i });
    const right = (o) => o.guesses.length && o.names.includes(o.guesses[0].name);
    const drawn = { nodes: found.objects.map((o, at) => ({ name: `${at + 1} ${o.names[0] || ''}`, labels: o.guesses.length ? [(right(o) ? '✓ ' : '✗ ') + o.guesses[0].name] : [] })), edges: found.relations };
    const number = h('input', { id: 'image', type: 'number', min: 1, max: found.images, value: i + 1, onchange: act((event) => image(Number(event.target.value) - 1)) });
    replace(box, h('h2', {}, `Image ${found.image}`),
      h('p', { class: 'soft' }, 'An image that was not learned from: objects with their names, and with what rules take them for.'),
      found.recall ? tiles([['of names guessed first, over all unseen images', percent(found.recall.at_1)], ['of names among five guesses', percent(found.recall.at_5)], ['objects judged', found.recall.objects]]) : null,
      drawGraph(drawn),
      table([{ name: 'Object' }, { name: 'Name' }, { name: 'Guess' }, { name: 'Probability', number: true }, { name: '' }], found.objects.map((o, at) => [String(at + 1), o.names.join(', ') || '—',
        o.guesses.length ? h('span', { class: right(o) ? 'good' : 'bad' }, (right(o) ? '✓ ' : '✗ ') + o.guesses[0].name) : '—', o.guesses.length ? percent(o.guesses[0].probability) : '—',
        h('button', { type: 'button', class: 'plain why', 'aria-label': `Why is object ${at + 1} taken for that?`, onclick: () => why(o, at) }, 'Why?')])),
      h('div', { class: 'row end' }, h('button', { type: 'button', disabled: i === 0, onclick: act(() => image(i - 1)) }, 'Earlier'), h('button', { type: 'button', id: 'next-image', disabled: i + 1 >= found.images, onclick: act(() => image(i + 1)) }, 'Next'),
        h('label', { class: 'inline', for: 'image' }, `Image, 1 to ${grouped(found.images)} `, number)));
    const first = found.objects.findIndex((o) => o.guesses.length && o.guesses[0].rules.length);
    if (first >= 0) why(found.objects[first], first); else detail.hidden = true;
  }
  return image(0);
}

// ---- policies

// Stacks of blocks, such as [a b][c d]; each from the floor up.
function blocks(state, move) {
  const stacks = [...state.matchAll(/\[([^\]]*)\]/g)].map((m) => m[1].trim().split(/\s+/).filter(Boolean));
  if (!stacks.length || state.includes(':')) return h('code', {}, state);
  const moved = (/\((\w+)/.exec(move || '') || [])[1];
  const size = 24, high = Math.max(...stacks.map((s) => s.length), 2);
  const w = Math.max(stacks.length * (size + 10) + 10, 60), hgt = high * size + 8;
  return h('svg', { class: 'world', viewBox: `0 0 ${w} ${hgt}`, role: 'img', 'aria-label': state, width: w, height: hgt },
    h('line', { class: 'floor', x1: 2, y1: hgt - 3, x2: w - 2, y2: hgt - 3 }),
    stacks.map((stack, i) => stack.map((name, level) => h('g', {},
      h('rect', { class: name === moved ? 'block moved' : 'block', x: 10 + i * (size + 10), y: hgt - 4 - (level + 1) * size, width: size, height: size - 1, rx: 4 }),
      h('text', { class: name === moved ? 'moved-text' : '', x: 10 + i * (size + 10) + size / 2, y: hgt - 4 - level * size - 8, 'text-anchor': 'middle' }, name)))));
}

function policy(main, data) {
  const start = h('select', { id: 'start' }, data.starts.map((s) => h('option', { value: s }, s)));
  const size = h('input', { id: 'size', type: 'number', min: 0, max: 20, value: 0 });
  const rules = h('textarea', { id: 'policy', rows: 4, placeholder: app.state.has_rules ? 'Empty: the learned policy' : data.solution });
  const out = h('section', { 'aria-label': 'Episode', hidden: true });
  if (!app.state.has_rules) rules.value = data.solution;
  const play = act(async () => {
    const found = await post('/api/world/ask', { start: start.value, size: Number(size.value), policy: rules.value });
    out.hidden = false;
    replace(out, h('h2', {}, 'Episode', h('span', { class: 'tag ' + (found.solved ? 'good' : 'bad') }, found.solved ? `reaches the goal in ${found.moves} ${found.moves === 1 ? 'move' : 'moves'}` : 'does not reach the goal'), h('span', { class: 'soft', title: 'What the environment pays in all: most for the goal, less for every move' }, `reward ${found.reward.toFixed(2)}`)),
      h('ol', { class: 'steps' }, found.steps.map((step, i) => h('li', {}, blocks(step.state, step.move), h('div', {},
        h('div', { class: 'row' }, h('span', { class: 'soft' }, `${i + 1}.`), h('code', {}, step.move || (found.solved ? 'the goal' : 'the time is up')), step.move && !step.changes ? h('span', { class: 'tag warn' }, 'changes nothing') : null),
        step.move ? (step.rules.length ? step.rules.map((r) => clause(r)) : h('span', { class: 'soft' }, 'No rule fired: all moves are equal.')) : null)))));
  });
  main.append(h('section', {}, h('h2', {}, 'Watch a policy', h('span', { class: 'tag' }, data.name)), h('p', {}, data.explanation),
    h('form', { onsubmit: play }, h('div', { class: 'columns' }, h('label', { for: 'start' }, 'Start ', start), h('label', { for: 'size' }, 'Things; 0: as in training ', size)),
      h('details', { open: !app.state.has_rules }, h('summary', {}, 'Rules of your own'), h('label', { for: 'policy' }, app.state.has_rules ? 'In Prolog; empty: what was learned' : 'Nothing has been learned yet: this is a known policy', rules)),
      h('button', { type: 'submit', class: 'main', id: 'play' }, 'Play an episode'))), out);
}

export function update(state, before) {
  const learned = before && before.run.phase !== state.run.phase && ['done', 'stopped'].includes(state.run.phase);
  if (shown && shown.isConnected && learned) { shown.replaceChildren(); show(shown, app); }
}
