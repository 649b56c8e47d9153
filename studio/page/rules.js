// SPDX-License-Identifier: Apache-2.0
import { h, replace, table, get, post, act, percent, grouped } from '/dom.js';

let app;
let view;
let program = 0;

export async function show(main, shared) {
  app = shared;
  program = 0;
  view = { rules: h('section', {}), examples: h('section', { 'aria-label': 'Examples', hidden: true }), proof: h('section', { 'aria-label': 'Proof', hidden: true }), text: h('section', { 'aria-label': 'Text', hidden: true }) };
  main.append(view.rules, view.examples, view.proof, view.text, query());
  await load();
}

export function scoreLine(score) {
  return `accuracy ${percent(score.accuracy)}, balanced accuracy ${percent(score.balanced)}, precision ${percent(score.precision)}, recall ${percent(score.recall)}; ` +
    `${grouped(score.false_positives)} of ${grouped(score.negatives)} negative examples wrongly true, ${grouped(score.false_negatives)} of ${grouped(score.positives)} positive examples missed`;
}

export async function constrain(change) {
  const now = structuredClone(app.state.constraints);
  change(now);
  await post('/api/constraints', now);
}

async function load() {
  let found;
  try { found = await get('/api/rules', { program }); } catch (error) {
    replace(view.rules, h('h2', {}, 'Rules'), h('p', { class: 'soft' }, `${error.message}. ${error.hint || ''}`));
    return;
  }
  const save = (format, name) => h('button', { type: 'button', onclick: act(async () => {
    const text = await get('/api/export', { program, format });
    view.text.hidden = false;
    const area = h('textarea', { rows: 12, readonly: true, 'aria-label': name }, text);
    replace(view.text, h('h2', {}, name), area, h('div', { class: 'row' },
      h('button', { type: 'button', onclick: act(async () => { area.select(); await navigator.clipboard.writeText(text); }) }, 'Copy'),
      h('a', { href: URL.createObjectURL(new Blob([text], { type: 'text/plain' })), download: `rules.${{ prolog: 'pl', sql: 'sql', datalog: 'dl', latex: 'tex', json: 'json' }[format]}` }, 'Save as a file')));
    view.text.scrollIntoView({ block: 'nearest' });
  }) }, name);
  replace(view.rules,
    h('h2', {}, 'Rules'),
    h('p', { class: found.score.false_positives + found.score.false_negatives === 0 ? 'good' : 'bad' }, found.score.false_positives + found.score.false_negatives === 0 ? 'Explains all examples shown here.' : 'Does not explain all examples.'),
    h('p', { class: 'soft' }, scoreLine(found.score)),
    found.evaluation ? h('p', { class: 'soft' }, 'On fresh data: ' + scoreLine(found.evaluation)) : null,
    h('p', { class: 'soft', title: 'Bits to write the program and its errors down; fewer are better' }, `Description length ${found.bits.toFixed(0)} bits` + (found.baseline_bits ? `; without any rule ${found.baseline_bits.toFixed(0)} bits.` : '.')),
    found.rules.length ? found.rules.map(rule) : h('p', {}, 'The program has no rules: everything is false.'),
    found.hints.length ? h('details', {}, h('summary', {}, 'What might help'), h('ul', {}, found.hints.map((hint) => h('li', {}, hint)))) : null,
    h('div', { class: 'row' }, h('button', { type: 'button', id: 'wrong', onclick: act(() => examples('wrong', 0)) }, 'Wrong examples'),
      h('button', { type: 'button', id: 'all-examples', onclick: act(() => examples('all', 0)) }, 'All examples'),
      save('prolog', 'Prolog'), save('sql', 'SQL'), save('datalog', 'Datalog'), save('latex', 'LaTeX'), save('json', 'JSON')),
    found.alternatives.length > 1 ? h('details', {}, h('summary', {}, `${found.alternatives.length} programs of different meaning`),
      table([{ name: 'Program' }, { name: 'Bits', number: true, title: 'Description length' }, { name: 'Fits' }, { name: '' }],
        found.alternatives.map((a, i) => [h('pre', {}, a.text), a.bits.toFixed(0), a.fits ? 'yes' : 'no',
          h('button', { type: 'button', disabled: i === program, onclick: act(async () => { program = i; await load(); }) }, i === program ? 'Shown' : 'Show')]))) : null);
}

function rule(r) {
  const covered = r.positives !== undefined;
  return h('div', { class: 'rule' },
    h('pre', { class: 'clause' }, r.text),
    covered ? h('p', {}, `Covers ${grouped(r.positives)} positive and ${grouped(r.negatives)} negative examples; ${grouped(r.only)} positive ones that no other rule covers. `,
      h('span', { class: 'tag', title: 'Of the examples that it covers the share that is positive' }, `confidence ${percent(r.confidence)}`)) : h('p', { class: 'soft' }, 'Defines an invented predicate.'),
    h('div', { class: 'row' },
      covered ? h('button', { type: 'button', onclick: act(() => examples('rule:' + r.number, 0)) }, 'Examples it covers') : null,
      covered ? h('button', { type: 'button', class: 'pin', onclick: act(() => constrain((c) => { c.pinned = (c.pinned + '\n' + r.text + '.').trim(); }).then(() => app.go('correct'))) }, 'Pin') : null,
      h('button', { type: 'button', class: 'veto', onclick: act(() => constrain((c) => { c.vetoed_rules.push(r.text + '.'); }).then(() => app.go('correct'))) }, 'Veto this rule'),
      [...new Set(r.predicates)].filter((p) => !p.startsWith('aux')).map((p) =>
        h('button', { type: 'button', onclick: act(() => constrain((c) => { if (!c.vetoed_predicates.includes(p)) c.vetoed_predicates.push(p); }).then(() => app.go('correct'))) }, `Veto ${p}`))));
}

async function examples(kind, offset) {
  const count = 25;
  const page = await get('/api/examples', { program, kind, offset, count });
  view.examples.hidden = false;
  replace(view.examples,
    h('h2', {}, kind === 'wrong' ? 'Wrong examples' : kind === 'all' ? 'Examples' : `Examples that rule ${Number(kind.slice(5)) + 1} covers`, h('span', { class: 'soft' }, ` ${grouped(page.count)}`)),
    table([{ name: 'Atom' }, { name: 'Label' }, { name: 'Program' }, { name: 'Rules', title: 'Numbers of the rules that cover it' }],
      page.rows.map((row) => [h('button', { type: 'button', class: 'atom', title: 'Why?', onclick: act(() => explain(row.atom)) }, row.atom), row.positive ? 'true' : 'false',
        h('span', { class: row.positive === row.predicted ? 'good' : 'bad' }, row.predicted ? 'true' : 'false'), row.rules.map((i) => i + 1).join(', ') || '—'])),
    h('div', { class: 'row' },
      h('button', { type: 'button', disabled: offset === 0, onclick: act(() => examples(kind, Math.max(0, offset - count))) }, 'Earlier'),
      h('button', { type: 'button', disabled: offset + count >= page.count, onclick: act(() => examples(kind, offset + count)) }, 'Later')));
  view.examples.scrollIntoView({ block: 'nearest' });
}

export function proof(reason) {
  return h('li', {}, h('code', { class: reason.holds ? 'good' : 'bad' }, (reason.holds ? '✓ ' : '✗ ') + reason.atom), h('span', { class: 'soft' }, ' ' + reason.because),
    reason.body.length ? h('ul', { class: 'proof' }, reason.body.map(proof)) : null);
}

async function explain(atom) {
  const why = await post('/api/explain', { program, atom });
  view.proof.hidden = false;
  replace(view.proof, h('h2', {}, why.holds ? 'Why it is true' : 'What is missing'), h('ul', { class: 'proof', id: 'proof' }, proof(why.reason)));
  view.proof.scrollIntoView({ block: 'nearest' });
}

function query() {
  const input = h('input', { id: 'query', size: 30, placeholder: 'uncle(ann, ?)', autocomplete: 'off' });
  const out = h('div', { 'aria-live': 'polite' });
  return h('section', {}, h('h2', {}, 'Ask the program'),
    h('form', { onsubmit: act(async () => {
      const found = await post('/api/answers', { program, query: input.value });
      replace(out, found.answers.length ? h('ul', {}, found.answers.map((a) => h('li', {}, h('button', { type: 'button', onclick: act(() => explain(a)) }, a)))) : h('p', {}, 'Nothing holds.'));
    }) }, h('label', { for: 'query' }, 'An atom of the target, with ? for what is asked ', input), h('button', { type: 'submit' }, 'Ask')), out);
}

export function update(state, before) {
  if (before && before.run.phase !== state.run.phase && ['done', 'stopped'].includes(state.run.phase)) { program = 0; load(); }
}
