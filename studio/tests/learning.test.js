// SPDX-License-Identifier: Apache-2.0
//
// What a user does with the examples of one target, from the data to rules that were corrected:
//   HRI=build/hri npm test
// With PICTURES=folder the tests leave the pictures of the tour there.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Studio, ended, hostile, learned, openData, picture, root, tab } from './support.js';

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
  await learned(page, { time_limit: '10' });
  await page.locator('.clause').first().waitFor();
  assert.match(await page.locator('.clause').first().innerText(), /^grandparent\(/);
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

const shownRules = async (page) => (await page.locator('.rule > .clause').allInnerTexts()).map((r) => r.trim());

test('a rule is vetoed, another one pinned, and learning goes on under that', async () => {
  const page = await studio.open();
  await tab(page, 'Rules');
  await page.locator('.clause').first().waitFor();
  const vetoed = (await shownRules(page))[0];
  await page.locator('.veto-menu > summary').first().click();
  await page.locator('.veto-rule').first().click();
  await page.getByText('vetoed rule').waitFor();
  await page.locator('#rule').fill('grandparent(X,Y) :- mother(X,Z), mother(Z,Y).');
  await page.locator('#score').click();
  await page.locator('#pin').click();
  await page.getByText('pinned', { exact: true }).waitFor();
  await page.locator('#again').click();
  await page.locator('#to-rules').click({ timeout: 90_000 });
  await page.locator('.clause').first().waitFor();
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

test('a literal is vetoed, and no rule has it any more', async () => {
  mkdirSync(studio.path('play'));
  writeFileSync(studio.path('play/bk.pl'), Array.from({ length: 16 }, (_, i) => `${i % 2 ? 'sunny' : 'rainy'}(d${i}). ${i % 4 < 2 ? 'warm' : 'cold'}(d${i}). ${i % 4 === 1 ? 'dry' : 'wet'}(d${i}).`).join('\n'));
  writeFileSync(studio.path('play/exs.pl'), Array.from({ length: 16 }, (_, i) => `${i % 4 === 1 ? 'pos' : 'neg'}(play(d${i})).`).join('\n'));
  const page = await studio.open();
  await openData(page, studio.path('play'));
  await page.getByText('play/1').first().waitFor();
  await studio.json('/api/constraints', { vetoed_literals: ['play(X) :- dry(X)'] });
  await learned(page, { time_limit: '5' });
  await page.getByText('Explains all examples shown here.').waitFor();
  const before = await shownRules(page);
  assert.ok(!before.some((r) => r.includes('dry')), `${before}`);
  await page.locator('.veto-menu > summary').first().click();
  const literal = (await page.locator('.veto-literal').first().innerText()).replace('the literal ', '');
  await page.locator('.veto-literal').first().click();
  await page.locator('.demand', { hasText: 'vetoed literal' }).nth(1).waitFor();
  await page.locator('#again').click();
  await page.locator('#to-rules').click({ timeout: 60_000 });
  await page.locator('section[aria-label=Rules] .tag').first().waitFor();
  const state = await studio.json('/api/state');
  assert.equal(state.constraints.vetoed_literals.length, 2);
  const after = await shownRules(page);
  assert.ok(!after.some((r) => r.includes(literal) || r.includes('dry')), `${after} still has ${literal}`);
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
  await page.getByText('happy/1').first().waitFor();
  await learned(page, { time_limit: '5' });
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
    await page.locator(yes ? '.question .yes' : '.question .no').first().click();
    answered.set(asked, yes);
    await page.locator('.demand', { hasText: yes ? 'you said yes' : 'you said no' }).filter({ hasText: asked }).waitFor();
    await page.waitForFunction((atom) => ![...document.querySelectorAll('.question code')].some((e) => e.innerText === atom + '?'), asked);
    if (answered.size === 1) await picture(page, 'correct', 1010);
    if (!await page.locator('.question').count()) break;
  }
  assert.ok(answered.size >= 3, `${answered.size} questions were asked`);
  await page.locator('#again').click();
  await page.locator('#to-rules').click({ timeout: 60_000 });
  await page.getByText('Explains all examples shown here.').waitFor();
  assert.equal((await studio.json('/api/state')).labels.length, 3);
  for (const [atom, positive] of answered) assert.equal((await studio.json('/api/explain', { atom })).holds, positive, atom);
  assert.deepEqual(page.errors, []);
});

test('the heat map sharpens; a run is stopped, resumed, seen by two tabs, and survives a reload and a kill', async () => {
  const page = await studio.open();
  const second = await page.context().newPage();
  await openData(page, 'task:even-odd');
  await page.getByText('learning draws more').waitFor();
  await second.goto(studio.origin + '#learn');
  await tab(page, 'Learn');
  await page.locator('#field-strategy').selectOption('gradient');
  await page.locator('#field-time_limit').fill('60');
  await page.getByText(/All \d+ settings/).click();
  await page.locator('#field-iterations').fill('100000000');  // it goes on until it is stopped
  await page.locator('#start').click();
  await page.getByRole('heading', { name: 'Learning' }).waitFor();
  await second.getByRole('heading', { name: 'Learning' }).waitFor();
  await page.locator('img[alt^="Heat map"]').waitFor({ timeout: 30_000 });
  const map = async () => (await studio.raw('/api/heat-map.svg', studio.known)).text;
  const first = await map();
  await page.waitForFunction(() => document.querySelectorAll('svg.curve').length >= 2);
  await page.waitForTimeout(3500);
  const { run } = await studio.json('/api/state');
  assert.ok(run.sharpness.at(-1)[1] > run.sharpness[0][1], 'the scores sharpen');
  assert.ok(run.losses.at(-1)[1] < run.losses[0][1], 'the loss falls');
  assert.ok(run.rate > 0, 'candidates per second');
  assert.notEqual(await map(), first);
  await page.locator('summary', { hasText: /All \d+ settings/ }).click();
  await picture(page, 'learn', 1300);
  await page.reload();
  await page.getByRole('heading', { name: 'Learning' }).waitFor();
  await page.locator('#stop').click();
  await page.getByRole('heading', { name: 'Stopped' }).waitFor({ timeout: 30_000 });
  await second.getByRole('heading', { name: 'Stopped' }).waitFor();
  await page.locator('#resume').click();
  await page.getByRole('heading', { name: 'Learning' }).waitFor();
  // A kill of the server: the session is there again, and its run can be resumed.
  await page.waitForTimeout(500);
  await ended(studio.child, 'SIGKILL');
  await page.getByText('The server does not answer').waitFor();
  await studio.start();
  const again = await studio.open();
  await tab(again, 'Learn');
  await again.getByRole('heading', { name: 'Interrupted by a restart of the server' }).waitFor();
  await again.locator('#resume').click();
  await again.getByRole('heading', { name: 'Learning' }).waitFor();
  await again.locator('#stop').click();
  await again.getByRole('heading', { name: 'Stopped' }).waitFor({ timeout: 30_000 });
});

test('a run goes on when the page is closed', async () => {
  const page = await studio.open();
  await openData(page, 'task:even-odd');
  await page.getByText('learning draws more').waitFor();
  await tab(page, 'Learn');
  await page.locator('#field-strategy').selectOption('gradient');
  await page.locator('#field-time_limit').fill('60');
  await page.locator('#start').click();
  await page.getByRole('heading', { name: 'Learning' }).waitFor();
  await page.context().close();
  const seconds = async () => (await studio.json('/api/state')).run.seconds;
  const before = await seconds();
  await new Promise((done) => setTimeout(done, 1500));
  assert.ok(await seconds() > before);
  await studio.json('/api/stop', {});
});
