// SPDX-License-Identifier: Apache-2.0
//
// Every kind of data: the formats, wide facts, several targets, graphs, scenes and policies.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Studio, begun, ended, learned, openData, picture, root, rulesOfRun, tab } from './support.js';

const studio = new Studio();
before(() => studio.begin());
after(() => studio.end());

const example = (name) => join(root, 'examples/data', name);

test('the examples of the repository are opened and learned from', async () => {
  execFileSync('python3', [join(example('shop'), 'make_shop.py'), studio.path('shop.sqlite')]);
  for (const [source, target, rule] of [
    [example('family'), '', /grandparent/],                    // Popper
    [example('relatives'), 'grandmother/2', /grandmother/],    // several targets
    [example('weather'), '', /outlook\(X,overcast\)/],         // one table
    [example('access'), '', /may_open/],                       // several tables
    [studio.path('shop.sqlite'), 'churned/1', /churned/],      // a database
    [example('molecules'), 'toxic/1', /double/]]) {            // tables without examples
    const data = await studio.json('/api/data', { source, target });
    if (target) assert.equal(`${data.target.name}/${data.target.arity}`, target);
    assert.ok(data.predicates.length > 0, source);
    await studio.json('/api/start', { time_limit: '120', stop: 'first-fit' });
    const { run } = await studio.finished();
    assert.equal(run.phase, 'done', `${source}: ${run.error}`);
    const found = await studio.json('/api/rules');
    assert.match(found.prolog, rule, source);
    assert.equal(found.score.false_positives + found.score.false_negatives, 0, `${source}: ${found.prolog}`);
  }
});

// Of `elder` only the rule that calls `grandparent` has two literals.
function writeElders(folder) {
  mkdirSync(folder);
  writeFileSync(join(folder, 'bk.pl'), 'parent(a,b). parent(b,c). parent(c,d). parent(d,e). parent(p,q). parent(q,r). parent(r,s).\n');
  writeFileSync(join(folder, 'exs.pl'),
    'pos(grandparent(a,c)). pos(grandparent(b,d)). pos(grandparent(c,e)). pos(grandparent(p,r)).\n' +
    'neg(grandparent(a,b)). neg(grandparent(a,d)). neg(grandparent(c,a)). neg(grandparent(b,b)).\n' +
    'pos(elder(a,d)). pos(elder(b,e)). pos(elder(p,s)).\n' +
    'neg(elder(a,b)). neg(elder(a,c)). neg(elder(d,a)). neg(elder(a,e)).\n');
}

test('two targets are learned in one run, and each has its rules, its score and its proofs', async () => {
  writeElders(studio.path('elders'));
  const page = await studio.open();
  await openData(page, studio.path('elders'));
  await tab(page, 'Learn');
  assert.equal(await page.locator('#target').inputValue(), 'grandparent/2');
  await page.locator('#together > summary').click();
  await page.getByRole('checkbox', { name: 'elder/2' }).check();
  await page.getByText('the run cannot be resumed').waitFor();
  await begun(page, '#start');
  await rulesOfRun(page);
  const group = (name) => page.getByRole('group', { name, exact: true });
  const rules = async (name) => (await group(name).locator('.rule > .clause').allInnerTexts()).map((r) => r.replace(/\s/g, ''));
  assert.deepEqual(await rules('grandparent/2'), ['grandparent(X,Y):-parent(X,Z),parent(Z,Y)']);
  assert.deepEqual(await rules('elder/2'), ['elder(X,Y):-parent(X,Z),grandparent(Z,Y)']);
  assert.match(await group('grandparent/2').innerText(), /missed of 4 positive examples[^]*support 4/);
  assert.match(await group('elder/2').innerText(), /missed of 3 positive examples[^]*support 3/);
  await group('elder/2').getByRole('button', { name: 'Examples it covers' }).click();
  await page.locator('button.atom', { hasText: 'elder(p,s)' }).click();
  await page.locator('#proof').getByText('grandparent(q,s)').waitFor();
  await page.locator('#proof').getByText('parent(r,s)').waitFor();
  await group('grandparent/2').getByRole('button', { name: 'Examples it covers' }).click();
  await page.locator('button.atom', { hasText: 'grandparent(b,d)' }).click();
  await page.locator('#proof').getByText('parent(c,d)').waitFor();
  await page.locator('#part').selectOption('elder/2');
  await page.locator('#query').fill('elder(a, ?)');
  await page.locator('#ask').click();
  await page.locator('#found').getByText('elder(a,d)').waitFor();
  assert.deepEqual(page.errors, []);

  // What such a run lacks is said, and the rules outlive the server.
  const wishes = { targets: ['grandparent/2', 'elder/2'] };
  const { run } = await studio.json('/api/state');
  assert.equal(run.resumable, false);
  const refused = async (path, body, why) => {
    const answer = await studio.post(path, body);
    assert.equal(answer.status, 400);
    assert.match(JSON.parse(answer.text).error, why);
  };
  await refused('/api/resume', wishes, /no run to go on with/);
  await refused('/api/start', { targets: ['grandparent/2', 'uncle/2'] }, /no target uncle/);
  await refused('/api/start', { targets: ['elder/2'] }, /open for the target grandparent/);
  await refused('/api/start', { ...wishes, strategy: 'gradient' }, /clauses, no models/);
  await ended(studio.child, 'SIGKILL');
  await studio.start();
  const elder = await studio.json('/api/rules?program=1');
  assert.deepEqual(elder.targets, wishes.targets);
  assert.deepEqual(elder.rules.map((r) => [r.text, r.positives]), [['elder(X,Y) :- parent(X,Z), grandparent(Z,Y)', 3]]);
  await studio.json('/api/constraints', { pinned: 'grandparent(X,Y) :- parent(X,Z), parent(Z,Y).' });
  await refused('/api/start', wishes, /no vetoes and no pinned rules/);
});

test('data that name no target are opened with a guess, and another target is chosen', async () => {
  const page = await studio.open();
  await openData(page, example('molecules'));
  await page.locator('#guessed').getByText('toxic/1 is a guess').waitFor();
  await page.locator('#target').selectOption('kind_single/1');
  await page.locator('#guessed').waitFor({ state: 'detached' });
  assert.equal((await studio.json('/api/state')).data.target, 'kind_single/1');
  await tab(page, 'Learn');
  await page.locator('#target').selectOption('toxic/1');
  await page.getByText('toxic/1 of').waitFor();
  assert.equal((await studio.json('/api/state')).data.target, 'toxic/1');
  assert.deepEqual(page.errors, []);
});

test('warnings of the reader are shown with their places', async () => {
  mkdirSync(studio.path('warned'));
  writeFileSync(studio.path('warned/bk.pl'), 'father(carl,bob). father(bob,ann).\n');
  writeFileSync(studio.path('warned/exs.pl'), 'pos(grandparent(carl,ann)).\nneg(grandparent(carl,bbo)).\n');
  const page = await studio.open();
  await openData(page, studio.path('warned'));
  await page.getByText(/exs\.pl:2:\d+: .*bbo \(did you mean bob\?\)/).waitFor();
  assert.deepEqual(page.errors, []);
});

test('what no example lists is false where the user says so', async () => {
  const unknown = await studio.json('/api/data', { source: example('family') });
  const closed = await studio.json('/api/data', { source: example('family'), closed_world: true });
  assert.equal(closed.positives, unknown.positives);
  assert.ok(closed.negatives > unknown.negatives, `${closed.negatives}`);
});

test('a damaged upload is refused with a place, a good one is opened', async () => {
  const page = await studio.open();
  await tab(page, 'Data');
  await page.locator('#opener > summary').click();
  const upload = async (...files) => {
    await page.locator('#files').setInputFiles(files.map(([name, text]) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })));
    await page.locator('#upload').click();
  };
  await upload(['bk.pl', 'father(a,b)\nfather(b'], ['exs.pl', 'pos(g(a,b)).']);
  const message = page.locator('.message');
  assert.match(await message.innerText(), /^bk\.pl:2:1: expected/);
  await message.getByRole('button', { name: 'Close' }).click();
  await upload(['shop.sqlite', 'SQLite format 3\0 and then nothing']);
  await message.waitFor();
  await message.getByRole('button', { name: 'Close' }).click();
  await upload(['play.csv', 'day,windy,play\nd1,yes,no\nd2,no\n']);
  assert.match(await message.innerText(), /play\.csv:3/);
  await message.getByRole('button', { name: 'Close' }).click();
  await upload(['bk.pl', 'father(a,b). father(b,c).'], ['exs.pl', 'pos(g(a,c)). neg(g(a,b)).']);
  await page.getByText('g/2').first().waitFor();
  await page.locator('#opener > summary').click();
  await upload(['play (1).csv', readFileSync(join(example('weather'), 'play.csv'), 'utf8')]);  // the name is made plain
  await page.locator('section[aria-label=Schema] h2', { hasText: 'play' }).waitFor();
  await page.locator('#opener > summary').click();
  await upload(['train.txt', readFileSync(join(example('graph'), 'train.txt'), 'utf8')], ['test.txt', readFileSync(join(example('graph'), 'test.txt'), 'utf8')]);
  await page.getByText('knowledge graph').waitFor();
  assert.deepEqual(page.errors, []);
});

// A knowledge graph in which an uncle is a parent's brother.
function writeGraph(path) {
  const facts = [], valid = [], judged = [];
  for (let i = 0; i < 40; ++i) {
    facts.push(['p' + i, 'parent', 'c' + i], ['p' + i, 'brother', 'u' + i]);
    (i < 30 ? facts : i < 34 ? valid : judged).push(['c' + i, 'uncle', 'u' + i]);
  }
  mkdirSync(path);
  const text = (triples) => triples.map((t) => t.join('\t') + '\n').join('');
  writeFileSync(join(path, 'train.txt'), text(facts));
  writeFileSync(join(path, 'valid.txt'), text(valid));
  writeFileSync(join(path, 'test.txt'), text(judged));
}

test('a knowledge graph gives rules, answers with their rules, and ranks', async () => {
  writeGraph(studio.path('kin'));
  const page = await studio.open();
  await openData(page, studio.path('kin'));
  await page.getByText('knowledge graph').waitFor();
  await learned(page);
  await page.locator('#group').selectOption('uncle');
  await page.locator('.rule .clause', { hasText: 'uncle(X, Y)' }).first().waitFor();
  await tab(page, 'Explore');
  await page.locator('#graph-query').fill('uncle(c38, ?)');
  await page.locator('#ask-graph').click();
  await page.locator('#answers summary', { hasText: 'u38' }).first().waitFor();
  assert.match(await page.locator('#answers .clause').first().innerText(), /uncle\(/);
  await page.locator('svg.graph').waitFor();
  await page.locator('#judge').click();
  await page.getByText('mean reciprocal rank').waitFor();
  await page.locator('#graph-query').fill('uncle(nobody, ?)');
  await page.locator('#ask-graph').click();
  await page.getByText("there is no entity 'nobody' in the graph").waitFor();
  assert.deepEqual(page.errors, []);
});

test('a policy plays an episode step by step, with the rules that fire', async () => {
  const page = await studio.open();
  await openData(page, 'policy:stack');
  await page.getByText('the move that a policy chooses').waitFor();
  await tab(page, 'Explore');
  await page.locator('#play').click();
  await page.getByText(/reaches the goal in \d+ moves/).waitFor();
  assert.ok(await page.locator('ol.steps .clause').count() > 0);
  await picture(page, 'explore', 1060);
  await page.locator('#policy').fill('move(X,Y) :- tpo(X), floor(Y)');
  await page.locator('#play').click();
  await page.getByText('No rule fired: all moves are equal.').first().waitFor();
  await page.locator('#policy').fill('move(X) :- top(X)');
  await page.locator('#play').click();
  await page.getByText('a policy of stack defines move/2').waitFor();
  assert.deepEqual(page.errors, []);
});

test('the objects of a scene are named by rules, which say why', async () => {
  const page = await studio.open();
  await openData(page, 'scenes:synthetic');
  await page.getByText('relations between objects').waitFor();
  await learned(page);
  await tab(page, 'Explore');
  await page.getByText('of names guessed first').waitFor();
  await page.locator('button.why').first().click();
  await page.getByText('while its own name is hidden').waitFor();
  await page.locator('#next-image').click();
  await page.waitForFunction(() => document.getElementById('image').value === '2');
  assert.deepEqual(page.errors, []);
});

test('wide facts are shown, learned from, proved, asked, vetoed and pinned', async () => {
  mkdirSync(studio.path('wide'));
  writeFileSync(studio.path('wide/bk.pl'), Array.from({ length: 12 }, (_, i) => `sold(shop${i % 3},good${i % 4},c${i}). made(shop${i % 3},good${i % 4},c${i}).`).join('\n') + '\nred(good0). red(good1).\n');
  writeFileSync(studio.path('wide/exs.pl'), Array.from({ length: 12 }, (_, i) => `${i % 4 < 2 ? 'pos' : 'neg'}(likes(c${i})).`).join('\n'));
  const page = await studio.open();
  await openData(page, studio.path('wide'));
  await page.getByRole('row', { name: /sold\/3/ }).getByRole('button', { name: 'Show' }).click();
  await page.getByText('Argument 3').waitFor();
  await learned(page);
  await page.getByText('Explains all examples shown here.').waitFor();
  await page.locator('#all-examples').click();
  await page.locator('button.atom', { hasText: /^likes\(c0\)$/ }).click();
  await page.locator('#proof').getByText(/(sold|made)\(shop0,good0,c0\)/).waitFor();
  await page.locator('button.atom', { hasText: /^likes\(c2\)$/ }).click();
  await page.getByRole('heading', { name: 'What is missing' }).waitFor();
  await page.locator('#query').fill('likes(?)');
  await page.locator('#ask').click();
  await page.locator('#found li').nth(5).waitFor();
  assert.equal(await page.locator('#found li').count(), 6);
  const first = (await page.locator('.rule > .clause').first().innerText()).includes('sold') ? 'sold' : 'made';
  await page.locator('.veto-menu > summary').first().click();
  await page.locator('.veto-literal', { hasText: first }).first().click();
  await page.getByText('vetoed literal').waitFor();
  await begun(page, '#again');
  await rulesOfRun(page);
  await page.getByText('Explains all examples shown here.').waitFor();
  assert.doesNotMatch(await page.locator('section[aria-label=Rules]').innerText(), new RegExp(first + '\\(_?\\w*, \\w+, X\\)'));
  await page.locator('.pin').first().click();
  await page.getByText('pinned', { exact: true }).waitFor();
  await begun(page, '#again');
  await rulesOfRun(page);
  await page.getByText('Explains all examples shown here.').waitFor();
  assert.deepEqual(page.errors, []);
});
