// SPDX-License-Identifier: Apache-2.0
//
// What a user does with the examples of one target, from the data to rules that were corrected:
//   HRI=build/hri npm test
// With PICTURES=folder the tests leave the pictures of the tour there.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Studio, begun, ended, hostile, learned, openData, picture, root, rulesOfRun, shown, tab } from './support.js';

const studio = new Studio();
before(() => studio.begin());
after(() => studio.end());

test('the data are shown, and names with markup are text', async () => {
  const page = await studio.open();
  await page.getByText('female/1').waitFor();
  await page.getByRole('row', { name: /male\/1/ }).last().getByRole('button', { name: 'Show' }).click();
  await page.getByRole('region', { name: 'Facts' }).getByText(hostile).waitFor();
  await page.locator('svg.graph').waitFor();
  await page.getByRole('region', { name: 'Facts' }).getByRole('button', { name: 'Close' }).click();
  assert.notEqual(await page.title(), '1');
  assert.equal(await page.locator('img[src=x]').count(), 0);
  await openData(page, join(root, 'examples/data/family'));
  await page.getByText('female/1').waitFor({ state: 'detached' });
  await page.locator('svg.graph text', { hasText: 'gina' }).waitFor();
  await picture(page, 'data', 1190);
  await openData(page, studio.path('family'));
  await page.getByText('female/1').waitFor();
  assert.deepEqual(page.errors, []);
});

test('Grandparent is learned, its rules are read and proved', async () => {
  const page = await studio.open();
  await learned(page);
  assert.match(await page.locator('.rule > .clause').first().innerText(), /^grandparent\(/);
  await page.getByText('Explains all examples shown here.').waitFor();
  assert.match(await page.locator('.rule').first().innerText(), /support \d+\s+confidence 100 %\s+\d+ covered by no other rule/);
  await page.locator('#wrong').click();
  await page.getByText('No example is wrong.').waitFor();
  await page.locator('#all-examples').click();
  await page.locator('button.atom', { hasText: 'grandparent(bob,ann)' }).click();
  await page.getByRole('heading', { name: 'What is missing' }).waitFor();
  assert.match(await page.locator('#proof').innerText(), /no such (fact|atom)/);
  await page.locator('button.atom', { hasText: 'grandparent(carl,ann)' }).click();
  await page.getByRole('heading', { name: 'Why it is true' }).waitFor();
  await page.locator('#proof').getByText('father(carl,bob)').waitFor();
  await picture(page, 'rules', 1060);
  await page.locator('#query').fill('grandparent(carl, ?)');
  await page.locator('#ask').click();
  await page.locator('#found').getByText('grandparent(carl,tim)').click();
  await page.locator('#proof').getByText('father(bob,tim)').waitFor();
  assert.deepEqual(page.errors, []);
});

test('rules are written as Prolog, SQL, Datalog and LaTeX, copied and saved', async () => {
  const page = await studio.open();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await tab(page, 'Rules');
  for (const [name, expected] of [['Prolog', /^grandparent\(.* :-/m], ['SQL', /SELECT/], ['Datalog', /\.decl grandparent/], ['LaTeX', /\\mathrm|\\leftarrow|\\text/]]) {
    await page.getByRole('button', { name, exact: true }).click();
    const text = await page.getByRole('textbox', { name, exact: true }).inputValue();
    assert.match(text, expected);
    await page.locator('#copy').click();
    await page.getByText('Copied').waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
  }
  const [saved] = await Promise.all([page.waitForEvent('download'), page.locator('#save').click()]);
  assert.equal(saved.suggestedFilename(), 'rules.tex');
  assert.match(readFileSync(await saved.path(), 'utf8'), /grandparent/);
  assert.deepEqual(page.errors, []);
});

test('a wrong and a right rule are proposed, and a long one is simplified', async () => {
  const page = await studio.open();
  await tab(page, 'Correct');
  await page.locator('#rule').fill('grandparent(X,Y) :- father(X,Y).');
  await page.locator('#score').click();
  await page.locator('#proposal-score').waitFor();
  assert.match(await page.locator('#proposal-score').innerText(), /missed of 6 positive examples/);
  assert.match(await page.locator('#verdict').innerText(), /It makes \d+ errors, the learned program 0/);
  await page.locator('#rule').fill('grandparent(X,Y) <- parent(X,Z) & parent(Z,Y).\nparent(X,Y) :- father(X,Y).\nparent(X,Y) :- mother(X,Y).');
  await page.locator('#score').click();
  await page.waitForFunction(() => (document.getElementById('proposal-score').innerText.match(/100 %/g) || []).length === 3);
  assert.equal(await page.locator('#simplified').count(), 0);  // other names are no simpler
  await page.locator('#rule').fill('grandparent(X,Y) :- fathr(X,Y).');
  await page.locator('#score').click();
  await page.getByText('The data have no fathr/2; the nearest name is father.').waitFor();
  await page.locator('#rule').fill('grandparent(X,Y) :- father(X,Z), father(Z,Y), father(X,Z).\ngrandparent(X,Y) :- father(X,Z), father(Z,Y).');
  await page.locator('#score').click();
  await page.locator('#simplified').getByRole('button', { name: 'Use it' }).click();
  await page.locator('#simplified').waitFor({ state: 'detached' });
  assert.equal((await page.locator('#rule').inputValue()).trim().split('\n').length, 1);
  await page.locator('#rule').fill('grandparent(X,Y :- father(X,Y).');
  await page.locator('#score').click();
  await page.locator('.message').getByText('expected').waitFor();
  assert.deepEqual(page.errors, []);
});

// The rules on the page Rules.
async function shownRules(page) {
  await shown(page);
  const rules = (await page.locator('section[aria-label=Rules] .rule > .clause').allInnerTexts()).map((r) => r.trim());
  assert.notEqual(rules.length, 0);
  return rules;
}

test('a rule is edited, and pinned with the invented predicates that it calls', async () => {
  const page = await studio.open();
  await tab(page, 'Rules');
  await page.locator('.edit').first().click();
  await page.locator('#proposal-score').waitFor();
  assert.match(await page.locator('#rule').inputValue(), /^grandparent\(X,Y\) :- aux1\(X,Z\), aux1\(Z,Y\)\.\naux1\(X,Y\) :- father\(X,Y\)\./);
  await page.locator('#pin').waitFor();
  await tab(page, 'Rules');
  await page.locator('.pin').first().click();
  await page.getByText('pinned', { exact: true }).waitFor();
  await begun(page, '#again');
  await rulesOfRun(page);
  await page.getByText('Explains all examples shown here.').waitFor();
  assert.match((await shownRules(page))[0], /^grandparent\(X, Y\) :- aux1/);
  await tab(page, 'Correct');
  await page.getByRole('button', { name: /^Take back/ }).click();
  await page.locator('.demand').waitFor({ state: 'detached' });
  const unknown = await studio.post('/api/constraints', { pinned: 'grandparent(X,Y) :- nobody(X,Y).' });
  assert.match(unknown.text, /nobody\/2, which neither the data have/);
  assert.deepEqual(page.errors, []);
});

test('a rule is vetoed, another one pinned, and learning goes on under that', async () => {
  const page = await studio.open();
  await tab(page, 'Rules');
  const vetoed = (await shownRules(page))[0];
  await page.locator('.veto-menu > summary').first().click();
  await page.locator('.veto-rule').first().click();
  await page.getByText('vetoed rule').waitFor();
  await page.locator('#rule').fill('grandparent(X,Y) :- mother(X,Z), mother(Z,Y).');
  await page.locator('#score').click();
  await page.locator('#pin').click();
  await page.getByText('pinned', { exact: true }).waitFor();
  await tab(page, 'Rules');
  await page.getByText('have changed since these rules were learned').waitFor();
  await begun(page, '#learn-again');
  await rulesOfRun(page);
  const rules = await shownRules(page);
  assert.ok(!rules.includes(vetoed), `${rules} still has ${vetoed}`);
  assert.ok(rules.some((r) => r.replaceAll(' ', '') === 'grandparent(X,Y):-mother(X,Z),mother(Z,Y)'), `${rules} lacks the pinned rule`);
  await tab(page, 'Correct');
  for (let left = 2; left > 0; --left) {
    await page.getByRole('button', { name: /^Take back/ }).first().click();
    await page.waitForFunction((n) => document.querySelectorAll('.demand').length === n, left - 1);
  }
  assert.deepEqual(page.errors, []);
});

test('a page shows the run that it began before any event tells, and says whose rules it shows', async () => {
  const page = await studio.open();
  await page.route('**/api/events', () => {});  // they never come
  await page.reload();
  await tab(page, 'Learn');
  await page.locator('#to-rules').waitFor();
  await page.locator('#field-strategy').selectOption('gradient');
  await page.getByText(/All \d+ settings/).click();
  await page.locator('#field-iterations').fill('100000000');
  await begun(page, '#start');
  await page.getByRole('heading', { name: 'Learning' }).waitFor();
  assert.equal(await page.locator('#to-rules').count(), 0);
  await page.getByRole('tab', { name: 'Rules' }).click();
  await page.getByText('These are the rules of the run before it.').waitFor();
  await page.locator('section[aria-label=Rules] .rule').first().waitFor();
  await studio.json('/api/stop', {});
  await studio.finished();
  assert.deepEqual(page.errors, []);
});

test('a literal is vetoed, and no rule has it any more', async () => {
  mkdirSync(studio.path('play'));
  writeFileSync(studio.path('play/bk.pl'), Array.from({ length: 16 }, (_, i) => `${i % 2 ? 'sunny' : 'rainy'}(d${i}). ${i % 4 < 2 ? 'warm' : 'cold'}(d${i}). ${i % 4 === 1 ? 'dry' : 'wet'}(d${i}). ${i % 2 ? 'high' : 'low'}(d${i}).`).join('\n'));
  writeFileSync(studio.path('play/exs.pl'), Array.from({ length: 16 }, (_, i) => `${i % 4 === 1 ? 'pos' : 'neg'}(play(d${i})).`).join('\n'));
  const page = await studio.open();
  await openData(page, studio.path('play'));
  await studio.json('/api/constraints', { vetoed_literals: ['play(X) :- dry(X)'] });
  await learned(page);
  await page.getByText('Explains all examples shown here.').waitFor();
  const [before] = await shownRules(page);
  assert.match(before, /^play\(X\) :- .*(sunny|high)\(X\)/);
  const [vetoed, other] = before.includes('sunny') ? ['sunny', 'high'] : ['high', 'sunny'];
  await page.locator('.veto-menu > summary').first().click();
  await page.locator('.veto-literal', { hasText: vetoed + '(X)' }).click();
  await page.locator('.demand', { hasText: 'vetoed literal' }).nth(1).waitFor();
  await begun(page, '#again');
  await rulesOfRun(page);
  const state = await studio.json('/api/state');
  assert.equal(state.constraints.vetoed_literals.length, 2);
  await page.getByText('Explains all examples shown here.').waitFor();
  const after = await shownRules(page);
  assert.ok(!after.some((r) => r.includes('dry') || r.includes(vetoed)) && after.some((r) => r.includes(other)), `${after}`);
  const wrong = await studio.post('/api/constraints', { vetoed_literals: ['play(X'] });
  assert.equal(wrong.status, 400);
  assert.deepEqual(page.errors, []);
});

test('three questions are answered, and learning goes on with the answers', async () => {
  mkdirSync(studio.path('doubt'));
  writeFileSync(studio.path('doubt/bk.pl'), 'rich(ann). rich(bob). rich(cleo). rich(dan). tall(ann). tall(bob). tall(eve). tall(fay).\n' +
    'kind(ann). kind(bob). kind(cleo). kind(fay). kind(gus). friend(ann,bob). friend(hal,ida). friend(cleo,eve).\n');
  writeFileSync(studio.path('doubt/exs.pl'), 'pos(happy(ann)). pos(happy(bob)). neg(happy(hal)). neg(happy(ida)).\n');
  const page = await studio.open();
  await openData(page, studio.path('doubt'));
  await learned(page);
  await page.locator('.differs').getByText(/says otherwise of \d+ atoms?, such as happy\(/).first().waitFor();
  await tab(page, 'Correct');
  await page.locator('#rule').fill('happy(X) :- tall(X), kind(X).');
  await page.locator('#score').click();
  await page.locator('#proposal-score').waitFor();
  await studio.json('/api/constraints', { vetoed_literals: ['happy(X) :- friend(X,Y)'] });
  const answered = new Map();
  while (answered.size < 3) {
    await page.locator('.question').first().waitFor();
    const asked = (await page.locator('.question code').first().innerText()).replace('?', '');
    const yes = ['happy(cleo)', 'happy(dan)'].includes(asked);  // who is rich is happy
    await page.getByRole('button', { name: `${asked}: ${yes ? 'Yes' : 'No'}` }).click();
    answered.set(asked, yes);
    await page.locator('.demand', { hasText: yes ? 'you said yes' : 'you said no' }).filter({ hasText: asked }).waitFor();
    await page.waitForFunction((atom) => ![...document.querySelectorAll('.question code')].some((e) => e.innerText === atom + '?'), asked);
    if (answered.size === 1) await picture(page, 'correct', 1010);
    if (!await page.locator('.question').count()) break;
  }
  assert.ok(answered.size >= 3, `${answered.size} questions were asked`);
  await begun(page, '#again');
  await rulesOfRun(page);
  await page.getByText('Explains all examples shown here.').waitFor();
  assert.equal((await studio.json('/api/state')).labels.length, 3);
  for (const [atom, positive] of answered) assert.equal((await studio.json('/api/explain', { atom })).holds, positive, atom);
  assert.deepEqual(page.errors, []);
});

test('the heat map sharpens; a run is stopped, resumed, seen by two tabs, and survives a reload and a kill', async () => {
  const page = await studio.open();
  const second = await page.context().newPage();
  second.studio = studio;
  await openData(page, 'task:grandparent');
  await tab(page, 'Learn');
  await page.locator('#field-strategy').selectOption('gradient');
  await begun(page, '#start');
  await studio.finished();
  await page.locator('#best').waitFor();
  await page.waitForFunction(() => document.querySelectorAll('svg.curve').length >= 2 && [...document.querySelectorAll('.picture img')].every((i) => i.complete));
  await picture(page, 'learn', 1450);
  await openData(page, 'task:even-odd');
  await second.goto(studio.origin + '#learn');
  await tab(page, 'Learn');
  await page.locator('#field-strategy').selectOption('gradient');
  await page.locator('#field-time_limit').fill('3600');
  await page.getByText(/All \d+ settings/).click();
  await page.locator('#field-iterations').fill('100000000');  // it goes on until it is stopped
  await begun(page, '#start');
  await page.getByRole('heading', { name: 'Learning' }).waitFor();
  await second.getByRole('heading', { name: 'Learning' }).waitFor();
  await page.locator('img[alt^="Heat map"]').waitFor();
  const map = async () => (await studio.raw('/api/heat-map.svg', studio.known)).text;
  const first = await map();
  await page.waitForFunction(() => document.querySelectorAll('svg.curve').length >= 2);
  await studio.until(({ run }) => run.sharpness.at(-1)[1] > run.sharpness[0][1]);
  await studio.until(({ run }) => run.losses.at(-1)[1] < run.losses[0][1]);
  await studio.until(({ run }) => run.rate > 0);
  await page.getByText('training iterations per second').waitFor();
  while (await map() === first) await page.waitForTimeout(200);
  await page.reload();
  await page.getByRole('heading', { name: 'Learning' }).waitFor();
  await page.locator('#stop').click();
  await page.getByRole('heading', { name: 'Stopped' }).waitFor();
  await second.getByRole('heading', { name: 'Stopped' }).waitFor();
  await page.locator('#resume').click();
  await page.getByRole('heading', { name: 'Learning' }).waitFor();
  // A kill of the server: the session is there again, and its run can be resumed.
  await studio.until(({ run }) => run.resumable);
  await ended(studio.child, 'SIGKILL');
  await page.getByText('The server does not answer').waitFor();
  await studio.start();
  const again = await studio.open();
  await tab(again, 'Learn');
  await again.getByRole('heading', { name: 'Interrupted by a restart of the server' }).waitFor();
  await again.locator('#resume').click();
  await again.getByRole('heading', { name: 'Learning' }).waitFor();
  await again.locator('#stop').click();
  await again.getByRole('heading', { name: 'Stopped' }).waitFor();
});

test('a run goes on when the page is closed', async () => {
  const page = await studio.open();
  await openData(page, 'task:even-odd');
  await tab(page, 'Learn');
  await page.locator('#field-strategy').selectOption('gradient');
  await page.locator('#field-time_limit').fill('3600');
  await begun(page, '#start');
  await page.getByRole('heading', { name: 'Learning' }).waitFor();
  await page.context().close();
  const { run } = await studio.json('/api/state');
  await studio.until((state) => state.run.iterations > run.iterations);
  await studio.json('/api/stop', {});
});
