// SPDX-License-Identifier: Apache-2.0
import { h, replace, table, tiles, clause, bar, pager, empty, programText, get, post, act, percent, grouped, counted } from '/dom.js';

let app;
let view;
let program = 0;

export async function show(main, shared) {
  app = shared;
  program = 0;
  view = null;
  if (!app.state.data) {
    main.append(h('section', {}, empty('No rules yet', 'Open data and learn from them first.', h('button', { type: 'button', class: 'main', onclick: () => app.go('data') }, 'Open data'))));
    return;
  }
  view = { news: h('div', { role: 'status' }) };
  main.append(view.news);
  update(app.state);
  if (app.state.data.kind !== 'relations') { await showWorld(main); return; }
  const asking = await query();
  if (!main.isConnected) return;
  view = { ...view, rules: h('section', { 'aria-label': 'Rules' }), examples: h('section', { 'aria-label': 'Examples', hidden: true }), proof: h('section', { 'aria-label': 'Proof', hidden: true }), text: h('section', { 'aria-label': 'Text', hidden: true }), others: h('section', { 'aria-label': 'Alternatives', hidden: true }), query: asking, reload: load };
  main.append(h('div', { class: 'sides' },
    h('div', { class: 'stack' }, view.rules, view.text, view.others),
    h('div', { class: 'stack' }, view.proof, view.examples, view.query)));
  await load();
}

export function scoreLine(score) {
  return `accuracy ${percent(score.accuracy)}, balanced accuracy ${percent(score.balanced)}, precision ${percent(score.precision)}, recall ${percent(score.recall)}; ` +
    `${grouped(score.false_positives)} of ${grouped(score.negatives)} negative examples wrongly true, ${grouped(score.false_negatives)} of ${grouped(score.positives)} positive examples missed`;
}

export const scoreTiles = (score) => tiles([
  ['accuracy: examples that are right', percent(score.accuracy), 'The share of all examples that the program gets right'],
  ['precision: right where it says true', score.positives - score.false_negatives + score.false_positives ? percent(score.precision) : '—', 'Of the examples that it says are true the share that is; none where it says so of none'],
  ['recall: true atoms that it finds', percent(score.recall), 'Of the positive examples the share that it covers'],
  [`missed of ${counted(score.positives, 'positive example')}`, score.false_negatives],
  [`wrongly true of ${counted(score.negatives, 'negative example')}`, score.false_positives]]);

export async function constrain(demand, shared = app) {
  const now = structuredClone(shared.state.constraints);
  demand(now);
  await shared.change('/api/constraints', now);
}

const endings = { prolog: 'pl', sql: 'sql', datalog: 'dl', latex: 'tex', json: 'json' };

async function written(format, name) {
  const text = await get('/api/export', { program, format });
  const area = h('textarea', { rows: Math.min(18, text.split('\n').length + 1), readonly: true, 'aria-label': name }, text);
  const copied = h('span', { class: 'soft', role: 'status' });
  view.text.hidden = false;
  replace(view.text, h('h2', {}, `As ${name}`), area, h('div', { class: 'row end' },
    h('button', { type: 'button', class: 'main', id: 'copy', onclick: act(async () => { area.select(); await navigator.clipboard.writeText(text); copied.textContent = 'Copied'; }) }, 'Copy'),
    h('a', { class: 'button', id: 'save', href: URL.createObjectURL(new Blob([text], { type: 'text/plain' })), download: `rules.${endings[format]}` }, 'Save as a file'),
    h('button', { type: 'button', class: 'plain', onclick: () => { view.text.hidden = true; } }, 'Close'), copied));
  view.text.scrollIntoView({ block: 'nearest' });
}

let asked = 0;  // of two answers that overtake each other the later question counts

async function load() {
  const mine = ++asked;
  let found;
  try { found = await get('/api/rules', { program }); } catch (error) {
    if (mine === asked) replace(view.rules, empty('No rules yet', `${error.message}. ${error.hint || ''}`, h('button', { type: 'button', class: 'main', onclick: () => app.go('learn') }, 'Learn rules')));
    return;
  }
  const all = found.targets.length ? await Promise.all(found.targets.map((_, i) => get('/api/rules', { program: i }))) : [];
  if (mine !== asked) return;
  view.query.hidden = false;
  const wrong = found.score.false_positives + found.score.false_negatives;
  const verdict = (score) => { const errors = score.false_positives + score.false_negatives; return h('span', { class: 'tag ' + (errors ? 'bad' : 'good') }, errors ? `Wrong on ${counted(errors, 'example')}.` : 'Explains all examples shown here.'); };
  const evidence = (one, i) => [scoreTiles(one.score),
    one.evaluation ? h('p', { class: 'note' }, 'On fresh data: ' + scoreLine(one.evaluation)) : null,
    one.rules.length ? one.rules.map((r) => rule(r, all.length ? i : -1)) : h('p', {}, 'The program has no rules: everything is false.')];
  // The rules of each target below its name; what is below them is of the target that is chosen.
  const groups = () => [h('h2', {}, 'Rules', h('span', { class: 'tag' }, `${counted(all.length, 'target')}, learned together`)),
    all.map((one, i) => h('div', { role: 'group', 'aria-label': found.targets[i], class: 'stack' }, h('h3', {}, found.targets[i] + ' ', verdict(one.score)), evidence(one, i))),
    h('p', { class: 'soft' }, 'Scores are of all rules together over the known facts. Vetoes, pins and questions are for runs of one target.'),
    h('label', { for: 'part' }, 'The rest of this page is about ', h('select', { id: 'part', onchange: act(async (event) => { program = Number(event.target.value); view.query.querySelector('input').value = ''; await load(); }) },
      found.targets.map((t, i) => h('option', { value: i, selected: i === program }, t))))];
  replace(view.rules,
    all.length ? groups() : [h('h2', {}, 'Rules', verdict(found.score)), evidence(found, program)],
    h('p', { class: 'soft' }, `Rules and errors take ${grouped(Math.round(found.bits))} bits to write down` + (found.baseline_bits ? `, the labels without rules ${grouped(Math.round(found.baseline_bits))}` : '') + '. Of programs that fit, the one with the fewest bits is chosen.'),
    found.hints.length ? h('details', { open: wrong > 0 }, h('summary', {}, 'What might help'), h('ul', {}, found.hints.map((hint) => h('li', {}, hint)))) : null,
    h('div', { class: 'row end' }, h('button', { type: 'button', id: 'all-examples', onclick: act(() => examples('all', 0)) }, 'All examples'),
      h('button', { type: 'button', id: 'wrong', onclick: act(() => examples('wrong', 0)) }, 'Wrong examples'),
      found.raw ? h('button', { type: 'button', id: 'raw', onclick: () => { view.text.hidden = false; replace(view.text, h('h2', {}, 'Before simplification'), programText(found.raw), h('div', { class: 'row end' }, h('button', { type: 'button', class: 'plain', onclick: () => { view.text.hidden = true; } }, 'Close'))); view.text.scrollIntoView({ block: 'nearest' }); } }, 'Before simplification') : null),
    h('div', { class: 'row end' }, h('span', { class: 'soft' }, 'Copy or save as'), [['prolog', 'Prolog'], ['sql', 'SQL'], ['datalog', 'Datalog'], ['latex', 'LaTeX'], ['json', 'JSON']].map(([format, name]) =>
      h('button', { type: 'button', class: 'plain', onclick: act(() => written(format, name)) }, name))));
  view.others.hidden = found.alternatives.length < 2;
  replace(view.others, h('h2', {}, 'Alternatives', h('span', { class: 'soft' }, `${counted(found.alternatives.length, 'program')} of different meaning`)),
    found.alternatives.map((a, i) => h('div', { class: 'rule' }, programText(a.text), h('div', { class: 'row end' },
      a.fits ? h('span', { class: 'tag good' }, 'fits all examples') : h('span', { class: 'tag bad' }, 'does not fit'),
      h('span', { class: 'soft', title: 'Description length: fewer are better' }, `${a.bits.toFixed(0)} bits`),
      h('button', { type: 'button', class: 'plain', disabled: i === program, onclick: act(async () => { program = i; await load(); view.rules.scrollIntoView({ block: 'nearest' }); }) }, i === program ? 'Shown above' : 'Show with its evidence')),
      i === program || !a.differs ? null : h('p', { class: 'soft differs', title: a.differs.atoms.join(', ') }, a.differs.count ? `It says otherwise of ${counted(a.differs.count, 'atom')}, such as ${a.differs.atoms[0]}.` : 'It says the same of all atoms here.'))));
}

function rule(r, part) {
  const covered = r.positives !== undefined;
  const toCorrect = (change) => act(() => constrain(change).then(() => app.go('correct')));
  const add = (list, text) => toCorrect((c) => { if (!c[list].includes(text)) c[list].push(text); });
  const veto = (kind, title, list, text, shown) => h('button', { type: 'button', class: `plain veto ${kind}`, title, onclick: add(list, text) }, shown);
  return h('div', { class: 'rule' },
    clause(r.text),
    covered ? h('div', { class: 'row' }, bar(r.positives, r.negatives),
      h('span', { class: 'tag', title: 'Positive examples that it covers' }, `support ${grouped(r.positives)}`),
      h('span', { class: 'tag', title: 'Of the examples that it covers the share that is positive' }, `confidence ${percent(r.confidence)}`),
      h('span', { class: 'soft' }, `${grouped(r.only)} covered by no other rule, ${counted(r.negatives, 'negative example')} covered`)) : h('p', { class: 'soft' }, 'Defines an invented predicate.'),
    h('div', { class: 'row actions' },
      covered ? h('button', { type: 'button', class: 'plain', onclick: act(async () => { if (part >= 0 && program !== part) { program = part; await load(); } await examples('rule:' + r.number, 0); }) }, 'Examples it covers') : null,
      part >= 0 ? null : [      covered ? h('button', { type: 'button', class: 'plain pin', title: 'The program keeps this rule whatever is learned', onclick: toCorrect((c) => { if (!c.pinned.includes(r.whole.trim())) c.pinned = (c.pinned + '\n' + r.whole).trim(); }) }, 'Pin') : null,
      covered ? h('button', { type: 'button', class: 'plain edit', title: 'Change it, and see its score at once', onclick: () => { app.draft = r.whole.trim(); app.go('correct'); } }, 'Edit') : null,
      h('details', { class: 'veto-menu' }, h('summary', {}, 'Veto'), h('div', { class: 'vetoes row' },
        veto('veto-rule', covered ? 'No program may have this rule' : 'No invented predicate may have this rule', 'vetoed_rules', covered ? r.whole.trim() : r.text + '.', 'this rule'),
        r.literals.length > 1 ? r.literals.map((l) => veto('veto-literal', 'No rule of this head may have this literal', 'vetoed_literals', l.veto, `the literal ${l.text}`)) : null,
        [...new Set(r.predicates)].map((p) => veto('veto-predicate', 'No rule may use this predicate', 'vetoed_predicates', p, `the predicate ${p}`))))]));
}

async function examples(kind, offset) {
  const count = 20;
  const page = await get('/api/examples', { program, kind, offset, count });
  view.examples.hidden = false;
  replace(view.examples,
    h('h2', {}, kind === 'wrong' ? 'Wrong examples' : kind === 'all' ? 'Examples' : `Examples that rule ${Number(kind.slice(5)) + 1} covers`, h('span', { class: 'tag' }, grouped(page.count))),
    page.count ? h('p', { class: 'soft' }, 'Click an atom to see why.') : h('p', { class: 'soft' }, kind === 'wrong' ? 'No example is wrong.' : 'There are none.'),
    page.count ? table([{ name: 'Atom' }, { name: 'Label', title: 'What the data say' }, { name: 'Program', title: 'What the program says' }, { name: 'Rules', title: 'Numbers of the rules that cover it' }],
      page.rows.map((row) => [h('button', { type: 'button', class: 'atom', title: 'Why?', onclick: act(() => explain(row.atom)) }, row.atom), row.positive ? 'true' : 'false',
        h('span', { class: row.positive === row.predicted ? 'good' : 'bad' }, (row.positive === row.predicted ? '✓ ' : '✗ ') + row.predicted, row.positive === row.predicted ? null : h('span', { class: 'soft' }, ' wrong')), row.rules.map((i) => i + 1).join(', ') || '—'])) : null,
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

async function query() {
  const data = await get('/api/data').catch(() => null);
  const atom = data && data.example || '';
  const open = atom.replace(/(?:'(?:[^'\\]|\\.)*'|[^,()']+)\)$/, '?)');
  const input = h('input', { id: 'query', value: atom.endsWith(')') ? open : '', autocomplete: 'off', spellcheck: 'false' });
  const out = h('div', { 'aria-live': 'polite' });
  return h('section', { hidden: true }, h('h2', {}, 'Ask the program'),
    h('form', { onsubmit: act(async () => {
      if (!input.value.includes('?')) { await explain(input.value); return; }
      const found = await post('/api/answers', { program, query: input.value });
      replace(out, found.answers.length ? h('ul', { id: 'found' }, found.answers.map((a) => h('li', {}, h('button', { type: 'button', class: 'atom', title: 'Why?', onclick: act(() => explain(a)) }, a)))) : h('p', {}, 'Nothing holds.'));
    }) }, h('label', { for: 'query' }, 'An atom of the target, with ? for what is asked ', input), h('button', { type: 'submit', id: 'ask' }, 'Ask')), out);
}

// The rules of a graph, of scenes or of a policy.
async function showWorld(main) {
  const section = h('section', { 'aria-label': 'Rules' });
  main.append(section);
  async function list(group, offset) {
    const count = 25;
    let found;
    try { found = await post('/api/world/rules', { group, offset, count }); } catch (error) {
      replace(section, empty('No rules yet', `${error.message}. ${error.hint || ''}`, h('button', { type: 'button', class: 'main', onclick: () => app.go('learn') }, 'Learn rules')));
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
  view.reload = act(() => list('', 0));
  await list('', 0);
}

export const worldEvidence = (r) => r.confidence === undefined ? null : h('div', { class: 'row' }, bar(r.support, Math.max(r.predictions - r.support, 0)),
  h('span', { class: 'soft' }, `right ${grouped(Math.round(r.support))} of ${grouped(Math.round(r.predictions))} times`),
  h('span', { class: 'tag', title: 'How sure the rule is' }, `confidence ${percent(r.confidence)}`));

// Rules of an earlier run, or of other demands, say so.
export function update(state, before) {
  if (!view) return;
  const running = ['running', 'stopping'].includes(state.run.phase);
  const news = !state.has_rules ? '' : running ? 'A run is going on. These are the rules of the run before it.'
    : state.outdated ? 'Your constraints or answers have changed since these rules were learned.' : '';
  if (view.news.dataset.text !== news) {
    view.news.dataset.text = news;
    const again = h('button', { type: 'button', id: 'learn-again', onclick: act(async () => { await app.change('/api/start', app.state.wishes || {}); app.go('learn'); }) }, 'Learn again');
    replace(view.news, news ? h('div', { class: 'note warn row' }, h('span', {}, news), running ? null : again) : null);
  }
  if (before && before.run.phase !== state.run.phase && ['done', 'stopped'].includes(state.run.phase)) {
    program = 0;
    for (const part of [view.examples, view.proof, view.text]) if (part) part.hidden = true;  // of the rules before
    if (view.reload) view.reload();
  }
}
