// SPDX-License-Identifier: Apache-2.0
import { h, replace, table, tiles, clause, bar, pager, get, post, act, percent, grouped } from '/dom.js';

let app;
let view;
let program = 0;

export async function show(main, shared) {
  app = shared;
  program = 0;
  if (app.state && app.state.data && app.state.data.kind !== 'relations') { view = null; await showWorld(main); return; }
  view = { rules: h('section', { 'aria-label': 'Rules' }), examples: h('section', { 'aria-label': 'Examples', hidden: true }), proof: h('section', { 'aria-label': 'Proof', hidden: true }), text: h('section', { 'aria-label': 'Text', hidden: true }), others: h('section', { 'aria-label': 'Other programs', hidden: true }) };
  main.append(h('div', { class: 'sides' },
    h('div', { class: 'stack' }, view.rules, view.text, view.others),
    h('div', { class: 'stack' }, view.proof, view.examples, query())));
  await load();
}

export function scoreLine(score) {
  return `accuracy ${percent(score.accuracy)}, balanced accuracy ${percent(score.balanced)}, precision ${percent(score.precision)}, recall ${percent(score.recall)}; ` +
    `${grouped(score.false_positives)} of ${grouped(score.negatives)} negative examples wrongly true, ${grouped(score.false_negatives)} of ${grouped(score.positives)} positive examples missed`;
}

export const scoreTiles = (score) => tiles([
  ['accuracy: right examples', percent(score.accuracy), 'The share of all examples that the program gets right'],
  ['precision: right among those it says are true', percent(score.precision)],
  ['recall: found among the positive', percent(score.recall)],
  [`of ${grouped(score.positives)} positive examples missed`, score.false_negatives],
  [`of ${grouped(score.negatives)} negative examples wrongly true`, score.false_positives]]);

export async function constrain(change) {
  const now = structuredClone(app.state.constraints);
  change(now);
  await post('/api/constraints', now);
}

const endings = { prolog: 'pl', sql: 'sql', datalog: 'dl', latex: 'tex', json: 'json' };

async function written(format, name) {
  const text = await get('/api/export', { program, format });
  const area = h('textarea', { rows: Math.min(18, text.split('\n').length + 1), readonly: true, 'aria-label': name }, text);
  view.text.hidden = false;
  replace(view.text, h('h2', {}, `As ${name}`), area, h('div', { class: 'row end' },
    h('button', { type: 'button', onclick: act(async () => { area.select(); await navigator.clipboard.writeText(text); }) }, 'Copy'),
    h('a', { href: URL.createObjectURL(new Blob([text], { type: 'text/plain' })), download: `rules.${endings[format]}` }, 'Save as a file'),
    h('button', { type: 'button', class: 'plain', onclick: () => { view.text.hidden = true; } }, 'Close')));
  view.text.scrollIntoView({ block: 'nearest' });
}

async function load() {
  let found;
  try { found = await get('/api/rules', { program }); } catch (error) {
    replace(view.rules, h('h2', {}, 'Rules'), h('p', { class: 'soft' }, `${error.message}. ${error.hint || ''}`));
    return;
  }
  const fits = found.score.false_positives + found.score.false_negatives === 0;
  replace(view.rules,
    h('h2', {}, 'Rules', h('span', { class: 'tag ' + (fits ? 'good' : 'bad') }, fits ? 'Explains all examples shown here.' : 'Does not explain all examples.')),
    scoreTiles(found.score),
    found.evaluation ? h('p', { class: 'soft' }, 'On fresh data: ' + scoreLine(found.evaluation)) : null,
    found.rules.length ? found.rules.map(rule) : h('p', {}, 'The program has no rules: everything is false.'),
    h('p', { class: 'soft', title: 'Bits to write the program and its errors down; fewer are better' }, `Description length ${found.bits.toFixed(0)} bits` + (found.baseline_bits ? `; without any rule ${found.baseline_bits.toFixed(0)} bits.` : '.')),
    found.hints.length ? h('details', {}, h('summary', {}, 'What might help'), h('ul', {}, found.hints.map((hint) => h('li', {}, hint)))) : null,
    h('div', { class: 'row end' }, h('button', { type: 'button', id: 'all-examples', onclick: act(() => examples('all', 0)) }, 'All examples'),
      h('button', { type: 'button', id: 'wrong', onclick: act(() => examples('wrong', 0)) }, 'Wrong examples'),
      found.raw ? h('button', { type: 'button', onclick: () => { view.text.hidden = false; replace(view.text, h('h2', {}, 'Before simplification'), h('pre', {}, found.raw)); } }, 'Before simplification') : null),
    h('div', { class: 'row end' }, h('span', { class: 'soft' }, 'Copy or save as'), [['prolog', 'Prolog'], ['sql', 'SQL'], ['datalog', 'Datalog'], ['latex', 'LaTeX'], ['json', 'JSON']].map(([format, name]) =>
      h('button', { type: 'button', class: 'plain', onclick: act(() => written(format, name)) }, name))));
  view.others.hidden = found.alternatives.length < 2;
  replace(view.others, h('h2', {}, 'Other programs', h('span', { class: 'soft' }, `${found.alternatives.length} of different meaning`)),
    table([{ name: 'Program' }, { name: 'Bits', number: true, title: 'Description length: fewer are better' }, { name: 'Fits', title: 'Explains all examples' }, { name: '' }],
      found.alternatives.map((a, i) => [a.text.trim().split('\n').map((line) => clause(line)), a.bits.toFixed(0), a.fits ? h('span', { class: 'tag good' }, 'yes') : h('span', { class: 'tag bad' }, 'no'),
        h('button', { type: 'button', class: 'plain', disabled: i === program, onclick: act(async () => { program = i; await load(); }) }, i === program ? 'Shown' : 'Show')])));
}

function rule(r) {
  const covered = r.positives !== undefined;
  const toCorrect = (change) => act(() => constrain(change).then(() => app.go('correct')));
  return h('div', { class: 'rule' },
    clause(r.text),
    covered ? h('div', { class: 'row' }, bar(r.positives, r.negatives),
      h('span', { class: 'soft' }, `covers ${grouped(r.positives)} positive (${grouped(r.only)} alone) and ${grouped(r.negatives)} negative examples`),
      h('span', { class: 'tag', title: 'Of the examples that it covers the share that is positive' }, `confidence ${percent(r.confidence)}`)) : h('p', { class: 'soft' }, 'Defines an invented predicate.'),
    h('div', { class: 'row' },
      covered ? h('button', { type: 'button', class: 'plain', onclick: act(() => examples('rule:' + r.number, 0)) }, 'Examples it covers') : null,
      covered ? h('button', { type: 'button', class: 'plain pin', title: 'The program keeps this rule whatever is learned', onclick: toCorrect((c) => { c.pinned = (c.pinned + '\n' + r.text + '.').trim(); }) }, 'Pin') : null,
      h('button', { type: 'button', class: 'plain veto', title: 'No program may have this rule', onclick: toCorrect((c) => { c.vetoed_rules.push(r.text + '.'); }) }, 'Veto this rule'),
      [...new Set(r.predicates)].map((p) =>
        h('button', { type: 'button', class: 'plain veto-predicate drop', title: 'No rule may use this predicate', onclick: toCorrect((c) => { if (!c.vetoed_predicates.includes(p)) c.vetoed_predicates.push(p); }) }, `Veto ${p}`))));
}

async function examples(kind, offset) {
  const count = 20;
  const page = await get('/api/examples', { program, kind, offset, count });
  view.examples.hidden = false;
  replace(view.examples,
    h('h2', {}, kind === 'wrong' ? 'Wrong examples' : kind === 'all' ? 'Examples' : `Examples that rule ${Number(kind.slice(5)) + 1} covers`, h('span', { class: 'tag' }, grouped(page.count))),
    page.count ? h('p', { class: 'soft' }, 'Click an atom to see why.') : h('p', { class: 'soft' }, 'There are none.'),
    page.count ? table([{ name: 'Atom' }, { name: 'Label' }, { name: 'Program' }, { name: 'Rules', title: 'Numbers of the rules that cover it' }],
      page.rows.map((row) => [h('button', { type: 'button', class: 'atom', title: 'Why?', onclick: act(() => explain(row.atom)) }, row.atom), row.positive ? 'true' : 'false',
        h('span', { class: row.positive === row.predicted ? 'good' : 'bad' }, (row.positive === row.predicted ? '✓ ' : '✗ ') + row.predicted), row.rules.map((i) => i + 1).join(', ') || '—'])) : null,
    pager(offset, count, page.count, (to) => examples(kind, to)));
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
  const input = h('input', { id: 'query', placeholder: 'uncle(ann, ?)', autocomplete: 'off' });
  const out = h('div', { 'aria-live': 'polite' });
  return h('section', {}, h('h2', {}, 'Ask the program'),
    h('form', { onsubmit: act(async () => {
      const found = await post('/api/answers', { program, query: input.value });
      replace(out, found.answers.length ? h('ul', {}, found.answers.map((a) => h('li', {}, h('button', { type: 'button', class: 'atom', onclick: act(() => explain(a)) }, a)))) : h('p', {}, 'Nothing holds.'));
    }) }, h('label', { for: 'query' }, 'An atom of the target, with ? for what is asked ', input), h('button', { type: 'submit' }, 'Ask')), out);
}

// The rules of a graph, of scenes or of a policy.
async function showWorld(main) {
  const section = h('section', { 'aria-label': 'Rules' });
  main.append(section);
  async function list(group, offset) {
    const count = 25;
    let found;
    try { found = await post('/api/world/rules', { group, offset, count }); } catch (error) {
      replace(section, h('h2', {}, 'Rules'), h('p', { class: 'soft' }, `${error.message}. ${error.hint || ''}`));
      return;
    }
    if (!group && found.groups.length) { await list(found.groups[0].name, 0); return; }
    const choice = found.groups.length ? h('label', { for: 'group' }, 'What they are about ', h('select', { id: 'group', onchange: act((event) => list(event.target.value, 0)) },
      found.groups.map((g) => h('option', { value: g.name, selected: g.name === group }, `${g.name} (${grouped(g.count)})`)))) : null;
    replace(section, h('h2', {}, 'Rules', h('span', { class: 'tag' }, grouped(found.count)),
      found.accepted ? h('span', { class: 'tag good' }, `solves all ${found.starts} starts that it was judged by`) : null), choice,
      found.rows.map((r) => h('div', { class: 'rule' }, clause(r.text), worldEvidence(r))), pager(offset, count, found.count, (to) => list(group, to)),
      found.prolog ? h('details', {}, h('summary', {}, 'As Prolog'), h('pre', {}, found.prolog)) : null,
      h('div', { class: 'row end' }, h('button', { type: 'button', class: 'main', onclick: () => app.go('explore') }, 'See them at work')));
  }
  await list('', 0);
}

export const worldEvidence = (r) => r.confidence === undefined ? null : h('div', { class: 'row' }, bar(r.support, Math.max(r.predictions - r.support, 0)),
  h('span', { class: 'soft' }, `right ${grouped(Math.round(r.support))} of ${grouped(Math.round(r.predictions))} times`),
  h('span', { class: 'tag', title: 'How sure the rule is' }, `confidence ${percent(r.confidence)}`));

export function update(state, before) {
  if (view && before && before.run.phase !== state.run.phase && ['done', 'stopped'].includes(state.run.phase)) { program = 0; load(); }
}
