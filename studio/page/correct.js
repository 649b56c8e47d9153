// SPDX-License-Identifier: Apache-2.0
import { h, replace, clause, empty, get, post, act, grouped, counted } from '/dom.js';
import { constrain as change, scoreTiles } from '/rules.js';

let app;
let view;

export async function show(main, shared) {
  app = shared;
  view = null;
  if (app.state.data && app.state.data.kind !== 'relations') {
    main.append(h('section', {}, empty('Nothing to correct here', 'Rules are vetoed, pinned and proposed where a target has examples. What is open is of another kind.', h('button', { type: 'button', class: 'main', onclick: () => app.go('explore') }, 'Explore it'))));
    return;
  }
  if (!app.state.data) {
    main.append(h('section', {}, empty('Nothing to correct yet', 'Open data first.', h('button', { type: 'button', class: 'main', onclick: () => app.go('data') }, 'Open data'))));
    return;
  }
  const [target, arity] = app.state.data.target.split('/');
  const head = Number(arity) ? `${target}(${'XYZUVW'.slice(0, Number(arity)).split('').join(', ')})` : target;
  const draft = app.draft || '';  // a rule of the page Rules that is to be changed
  app.draft = '';
  const rule = h('textarea', { id: 'rule', value: draft, rows: Math.max(3, draft.split('\n').length), spellcheck: 'false', placeholder: `${head} :- ...` });
  view = { rule, constraints: h('section', {}), questions: h('section', {}), proposal: h('div', { id: 'proposal', 'aria-live': 'polite' }) };
  main.append(h('div', { class: 'sides' }, h('div', { class: 'stack' },
    h('section', {}, h('h2', {}, 'Propose a rule'),
      h('form', { onsubmit: act(async () => propose(rule.value)) },
        h('label', { for: 'rule' }, `Rules for ${app.state.data.target}`, rule,
          h('small', { class: 'soft' }, 'In Prolog, or as p(X) <- q(X) & r(X). Several lines may define predicates of your own.')),
        h('button', { class: 'main', type: 'submit', id: 'score' }, 'Score it')), view.proposal),
    view.questions), h('div', { class: 'stack' }, view.constraints)));
  update(app.state, null);
  if (draft) rule.focus();
  await Promise.all([ask(), draft && propose(draft)]);
}

const constrain = (what) => change(what, app);

async function propose(text) {
  const found = await post('/api/propose', { rule: text });
  replace(view.proposal,
    h('h3', {}, 'Your rule'), found.prolog.trim().split('\n').map((line) => clause(line)),
    found.unknown.map((u) => h('p', { class: 'bad' }, `The data have no ${u.name}` + (u.nearest ? `; the nearest name is ${u.nearest}.` : '.'))),
    found.simplified ? h('div', { class: 'note', id: 'simplified' }, 'Simpler, with the same meaning:', found.simplified.trim().split('\n').map((line) => clause(line)), h('button', { type: 'button', onclick: act(() => { view.rule.value = found.simplified.trim(); return propose(found.simplified); }) }, 'Use it')) : null,
    h('div', { id: 'proposal-score' }, scoreTiles(found.score)),
    found.verdict ? h('p', { id: 'verdict', class: 'note' }, found.verdict) : null,
    found.missed.length ? h('details', {}, h('summary', {}, `Misses ${counted(found.score.false_negatives, 'positive example')}`), h('ul', {}, found.missed.map((a) => h('li', {}, a)))) : null,
    found.wrong.length ? h('details', {}, h('summary', {}, `Covers ${counted(found.score.false_positives, 'negative example')}`), h('ul', {}, found.wrong.map((a) => h('li', {}, a)))) : null,
    h('div', { class: 'row end' },
      h('button', { type: 'button', id: 'pin', title: 'The program keeps it whatever is learned', onclick: act(() => constrain((c) => { c.pinned = (c.pinned + '\n' + found.prolog).trim(); })) }, 'Pin it'),
      h('button', { type: 'button', id: 'veto', title: 'No program may have it', onclick: act(() => constrain((c) => { c.vetoed_rules.push(found.prolog); })) }, 'Veto it')));
}

async function ask() {
  let found;
  try { found = await get('/api/questions', { count: 5 }); } catch { replace(view.questions, h('h2', {}, 'Questions'), h('p', { class: 'soft' }, 'Learn first. Then the studio asks about examples on which programs disagree.')); return; }
  if (found.together) { replace(view.questions, h('h2', {}, 'Questions'), h('p', { class: 'soft' }, 'Targets that are learned together have one program: there are no others that could disagree. Learn one target to be asked.')); return; }
  replace(view.questions, h('h2', {}, 'Questions'),
    found.questions.length ? h('p', { class: 'soft' }, 'Programs that fit disagree about these atoms. An answer is a new example.') : h('p', { class: 'soft' }, 'All programs that fit agree about the atoms without a label: there is nothing to ask.'),
    found.questions.map((q) => h('div', { class: 'row question' }, h('code', {}, q.atom + '?'), h('span', { class: 'soft' }, `${counted(q.yes, 'program says', 'programs say')} yes, ${grouped(q.no)} no`),
      ['Yes', 'No'].map((answer) => h('button', { type: 'button', class: answer.toLowerCase(), 'aria-label': `${q.atom}: ${answer}`, onclick: act(async () => { await app.change('/api/label', { atom: q.atom, positive: answer === 'Yes' }); await ask(); }) }, answer)))));
}

export function update(state, before) {
  if (!view) return;
  const c = state.constraints;
  const demand = (kind, name, text, takeBack) => h('div', { class: 'demand' }, h('span', { class: 'tag ' + kind }, name), h('code', {}, text),
    takeBack ? h('button', { type: 'button', class: 'plain', 'aria-label': `Take back: ${name} ${text}`, onclick: act(() => constrain(takeBack)) }, 'Take back') : null);
  const vetoes = (list, name) => c[list].map((text, i) => demand('bad', name, text, (now) => { now[list].splice(i, 1); }));
  const none = !c.vetoed_rules.length && !c.vetoed_literals.length && !c.vetoed_predicates.length && !c.pinned && !state.labels.length;
  const running = ['running', 'stopping'].includes(state.run.phase);
  const key = JSON.stringify([c, state.labels, running, state.run.phase, state.has_rules]);
  if (view.key === key) return;
  view.key = key;
  replace(view.constraints, h('h2', {}, 'Your constraints'),
    none ? h('p', { class: 'soft' }, 'None yet. Veto or pin rules, or answer questions; then learn again.') : null,
    vetoes('vetoed_rules', 'vetoed rule'), vetoes('vetoed_literals', 'vetoed literal'), vetoes('vetoed_predicates', 'vetoed predicate'),
    c.pinned ? demand('good', 'pinned', c.pinned, (now) => { now.pinned = ''; }) : null,
    state.labels.map((l) => demand('', l.positive ? 'you said yes' : 'you said no', l.atom)),
    h('div', { class: 'row end' }, h('button', { type: 'button', class: 'main', id: 'again', disabled: running, onclick: act(async () => { await app.change('/api/start', state.wishes || {}); app.go('learn'); }) }, running ? 'Learning' : (state.has_rules ? 'Learn again' : 'Learn') + (none ? '' : ' under them'))));
  if (before && before.run.phase !== state.run.phase && !running) ask();
}
