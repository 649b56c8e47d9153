// SPDX-License-Identifier: Apache-2.0
import { h, replace, clause, get, post, act, grouped } from '/dom.js';
import { scoreLine, scoreTiles } from '/rules.js';

let app;
let view;

export async function show(main, shared) {
  app = shared;
  view = null;
  if (app.state && app.state.data && app.state.data.kind !== 'relations') {
    main.append(h('section', {}, h('h2', {}, 'Correct'), h('p', { class: 'soft' }, 'Rules are vetoed, pinned and proposed where a target has examples. What is open is of another kind: see the page Explore.')));
    return;
  }
  view = { constraints: h('section', {}), questions: h('section', {}), proposal: h('div', { id: 'proposal', 'aria-live': 'polite' }) };
  const rule = h('textarea', { id: 'rule', rows: 3, placeholder: 'grandparent(X,Y) :- parent(X,Z), parent(Z,Y).' });
  main.append(h('div', { class: 'sides' }, h('div', { class: 'stack' },
    h('section', {}, h('h2', {}, 'Propose a rule'),
      h('form', { onsubmit: act(async () => propose(rule.value)) },
        h('label', { for: 'rule' }, 'In Prolog, or as p(X) <- q(X) & r(X). Several lines may define predicates of your own.', rule),
        h('button', { class: 'main', type: 'submit', id: 'score' }, 'Score it')), view.proposal),
    view.questions), h('div', { class: 'stack' }, view.constraints)));
  if (app.state) update(app.state, null);
  await ask();
}

async function constrain(change) {
  const now = structuredClone(app.state.constraints);
  change(now);
  await post('/api/constraints', now);
}

async function propose(text) {
  const found = await post('/api/propose', { rule: text });
  replace(view.proposal,
    h('h3', {}, 'Your rule'), found.prolog.trim().split('\n').map((line) => clause(line)),
    found.unknown.map((u) => h('p', { class: 'bad' }, `The data have no ${u.name}` + (u.nearest ? `; the nearest name is ${u.nearest}.` : '.'))),
    scoreTiles(found.score), h('p', { id: 'proposal-score', class: 'soft' }, scoreLine(found.score)),
    found.verdict ? h('p', { id: 'verdict', class: 'note' }, found.verdict) : null,
    found.missed.length ? h('details', {}, h('summary', {}, `Misses ${grouped(found.score.false_negatives)} positive examples`), h('ul', {}, found.missed.map((a) => h('li', {}, a)))) : null,
    found.wrong.length ? h('details', {}, h('summary', {}, `Covers ${grouped(found.score.false_positives)} negative examples`), h('ul', {}, found.wrong.map((a) => h('li', {}, a)))) : null,
    h('div', { class: 'row' },
      h('button', { type: 'button', id: 'pin', onclick: act(() => constrain((c) => { c.pinned = (c.pinned + '\n' + found.prolog).trim(); })) }, 'Pin it'),
      h('button', { type: 'button', id: 'veto', onclick: act(() => constrain((c) => { c.vetoed_rules.push(found.prolog); })) }, 'Veto it')));
}

async function ask() {
  let found;
  try { found = await get('/api/questions', { count: 5 }); } catch { replace(view.questions, h('h2', {}, 'Questions'), h('p', { class: 'soft' }, 'Learn first. Then the studio asks about examples on which programs disagree.')); return; }
  replace(view.questions, h('h2', {}, 'Questions'),
    found.questions.length ? h('p', { class: 'soft' }, 'Programs that fit disagree about these atoms. An answer is a new example.') : h('p', { class: 'soft' }, 'No unlabelled atom tells the programs apart that fit.'),
    found.questions.map((q) => h('div', { class: 'row question rule' }, h('code', {}, q.atom + '?'), h('span', { class: 'soft' }, `${q.yes} programs say yes, ${q.no} say no`),
      ['Yes', 'No'].map((answer) => h('button', { type: 'button', class: answer.toLowerCase(), 'aria-label': `${q.atom}: ${answer}`, onclick: act(async () => { await post('/api/label', { atom: q.atom, positive: answer === 'Yes' }); await ask(); }) }, answer)))));
}

export function update(state, before) {
  if (!view) return;
  const c = state.constraints;
  const drop = (list, i) => h('button', { type: 'button', class: 'plain', onclick: act(() => constrain((now) => { now[list].splice(i, 1); })) }, 'Take back');
  const none = !c.vetoed_rules.length && !c.vetoed_predicates.length && !c.pinned && !state.labels.length;
  const running = ['running', 'stopping'].includes(state.run.phase);
  const key = JSON.stringify([c, state.labels, running, state.run.phase]);
  if (view.key === key) return;
  view.key = key;
  replace(view.constraints, h('h2', {}, 'What you demand'),
    none ? h('p', { class: 'soft' }, 'Nothing yet. Veto or pin rules, or answer questions; then learn again.') : null,
    c.vetoed_rules.map((r, i) => h('div', { class: 'row' }, h('span', { class: 'tag bad' }, 'vetoed rule'), h('code', {}, r), drop('vetoed_rules', i))),
    c.vetoed_predicates.map((p, i) => h('div', { class: 'row' }, h('span', { class: 'tag bad' }, 'vetoed predicate'), h('code', {}, p), drop('vetoed_predicates', i))),
    c.pinned ? h('div', { class: 'row' }, h('span', { class: 'tag good' }, 'pinned'), h('code', {}, c.pinned), h('button', { type: 'button', class: 'plain', onclick: act(() => constrain((now) => { now.pinned = ''; })) }, 'Take back')) : null,
    state.labels.map((l) => h('div', { class: 'row' }, h('span', { class: 'tag' }, l.positive ? 'you said yes' : 'you said no'), h('code', {}, l.atom))),
    h('div', { class: 'row end' }, h('button', { type: 'button', class: 'main', id: 'again', disabled: running, onclick: act(async () => { await post('/api/start', state.wishes || {}); app.go('learn'); }) }, 'Learn under these constraints')));
  if (before && before.run.phase !== state.run.phase && !running) ask();
}
