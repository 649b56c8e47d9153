// SPDX-License-Identifier: Apache-2.0
//
// What a user does in the studio, in headless Chromium:
//   HRI=build/hri npm test
// With PICTURES=folder the tests leave the pictures of the tour there.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, mkdirSync, writeFileSync, readFileSync, readdirSync, rmSync, existsSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../..');
const hri = resolve(process.env.HRI || join(root, 'build/hri'));
const pictures = process.env.PICTURES;
const chrome = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const folder = mkdtempSync(join(tmpdir(), 'hri-studio-'));
let browser;
let studio;

// A family whose examples leave room for doubt, with a name that tries to be markup.
const hostile = '<img src=x onerror=document.title=1>';
mkdirSync(join(folder, 'family'));
writeFileSync(join(folder, 'family/bk.pl'),
  'father(carl,bob). father(bob,ann). father(bob,tim). father(carl,eva). mother(dora,bob). mother(dora,eva).\n' +
  `mother(eva,ida). father(tim,kim). mother(ida,lea). female(ann). female(eva). female(ida). male('${hostile}'). father('${hostile}',dora).\n`);
writeFileSync(join(folder, 'family/exs.pl'),
  'pos(grandparent(carl,ann)). pos(grandparent(dora,ann)). pos(grandparent(dora,ida)). pos(grandparent(carl,ida)). pos(grandparent(bob,kim)). pos(grandparent(eva,lea)).\n' +
  'neg(grandparent(carl,bob)). neg(grandparent(bob,ann)). neg(grandparent(ann,carl)). neg(grandparent(eva,ida)). neg(grandparent(kim,tim)). neg(grandparent(lea,lea)).\n');

function start(...more) {
  return new Promise((done, fail) => {
    const child = spawn(hri, ['studio', join(folder, 'family'), '--port', '0', '--folder', join(folder, 'state'), '--root', folder, '--no-browser', ...more]);
    let text = '';
    let errors = '';
    child.stderr.on('data', (chunk) => { errors += chunk; });
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const found = /(http:\/\/127\.0\.0\.1:(\d+)\/)\?token=(\w+)/.exec(text);
      if (found) done({ child, address: found[0], origin: found[1], port: Number(found[2]), token: found[3] });
    });
    child.on('exit', (code) => fail(new Error(`the studio ended with ${code}: ${errors}`)));
  });
}

const ended = (child, signal) => new Promise((done) => { child.on('exit', done); child.kill(signal); });

async function open() {
  const context = await browser.newContext({ viewport: { width: 1200, height: 860 } });
  const page = await context.newPage();
  page.errors = [];
  page.on('pageerror', (error) => page.errors.push(String(error)));
  await page.goto(studio.address);
  await page.waitForSelector('[role=tab]');
  return page;
}

async function tab(page, name) {
  await page.getByRole('tab', { name }).click();
}

async function openData(page, source) {
  await tab(page, 'Data');
  await page.locator('#opener').waitFor();
  if (!await page.locator('#path').isVisible()) await page.locator('#opener > summary').click();
  await page.locator('#path').fill(source);
  await page.locator('#open').click();
}

async function picture(page, name, options = {}) {
  if (pictures) await page.screenshot({ path: join(pictures, name + '.png'), ...options });
}

function raw(path, headers = {}, method = 'GET', body) {
  return new Promise((done, fail) => {
    const request = http.request({ host: '127.0.0.1', port: studio.port, path, method, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => { text += chunk; });
      response.on('end', () => done({ status: response.statusCode, headers: response.headers, text }));
    });
    request.on('error', fail);
    request.end(body);
  });
}

const known = () => ({ Authorization: 'Bearer ' + studio.token });

before(async () => {
  assert.ok(chrome, 'install chromium');
  studio = await start();
  browser = await chromium.launch({ executablePath: chrome, args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
});

after(async () => {
  if (browser) await browser.close();
  if (studio) await ended(studio.child, 'SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

test('a request without the right token, host or origin is refused', async () => {
  assert.equal((await raw('/api/state')).status, 401);
  assert.equal((await raw('/?token=wrong')).status, 401);
  assert.equal((await raw('/api/state', { Authorization: 'Bearer ' + studio.token.slice(1) })).status, 401);
  assert.equal((await raw('/api/state', { ...known(), Host: 'example.org' })).status, 403);
  assert.equal((await raw('/api/state', { ...known(), Origin: 'http://example.org' })).status, 403);
  const right = await raw('/api/state', known());
  assert.equal(right.status, 200);
  assert.match(right.headers['content-security-policy'], /default-src 'none'/);
  const cookie = (await raw('/?token=' + studio.token)).headers['set-cookie'][0];
  assert.match(cookie, /HttpOnly; SameSite=Strict/);
});

test('paths outside the given folders are refused', async () => {
  for (const source of ['/etc', join(folder, '../'), 'postgresql://localhost/x', join(folder, 'family/../../..')]) {
    const answer = await raw('/api/data', { ...known(), 'Content-Type': 'application/json' }, 'POST', JSON.stringify({ source }));
    assert.equal(answer.status, 400, source);
  }
  const body = await raw('/api/start', { ...known(), 'Content-Type': 'text/plain' }, 'POST', '{}');
  assert.equal(body.status, 400);
  const broken = await raw('/api/start', { ...known(), 'Content-Type': 'application/json' }, 'POST', '{"time_limit":');
  assert.equal(broken.status, 400);
  const unknown = await raw('/api/start', { ...known(), 'Content-Type': 'application/json' }, 'POST', '{"time_limt":3}');
  assert.match(JSON.parse(unknown.text).error, /time_limit|there is no/);
});

test('the first page is small, and names with markup are text', async () => {
  const page = await (await browser.newContext()).newPage();
  const bodies = [];  // of everything but the events, which never end
  page.on('response', (response) => { if (!response.url().endsWith('/api/events')) bodies.push(response.body().catch(() => Buffer.alloc(0))); });
  const from = Date.now();
  await page.goto(studio.address);
  await tab(page, 'Data');
  await page.getByText('female/1').waitFor();
  const elapsed = Date.now() - from;
  const bytes = (await Promise.all(bodies)).reduce((sum, body) => sum + body.length, 0);
  assert.ok(bytes < 300_000, `${bytes} bytes`);
  console.log(`first view: ${bytes} bytes, ${elapsed} ms`);
  await page.getByRole('row', { name: /male\/1/ }).last().getByRole('button', { name: 'Show' }).click();
  await page.getByText(hostile).first().waitFor();
  await page.getByRole('button', { name: /Draw the facts/ }).click();
  await page.locator('svg.graph').waitFor();
  await page.setViewportSize({ width: 1200, height: 860 });
  await page.evaluate(() => window.scrollTo(0, 0));
  await picture(page, 'data', { fullPage: true });
  assert.notEqual(await page.title(), '1');
  assert.equal(await page.locator('img[src=x]').count(), 0);
});

test('Grandparent is learned, read, proved, questioned and corrected', async () => {
  const page = await open();
  await tab(page, 'Learn');
  await page.locator('#field-time_limit').fill('10');
  await page.locator('#start').click();
  await page.locator('#to-rules').waitFor({ timeout: 60_000 });
  await page.locator('#to-rules').click();
  await page.locator('.clause').first().waitFor();
  assert.match(await page.locator('.clause').first().innerText(), /^grandparent\(/);
  await page.getByText('Explains all examples shown here.').waitFor();
  await page.locator('#all-examples').click();
  await page.locator('button.atom', { hasText: 'grandparent(carl,ann)' }).click();
  await page.locator('#proof').getByText('father(carl,bob)').waitFor();
  await page.evaluate(() => window.scrollTo(0, 0));
  await picture(page, 'rules');

  await tab(page, 'Correct');
  await page.locator('#rule').fill('grandparent(X,Y) :- father(X,Y).');
  await page.locator('#score').click();
  await page.locator('#proposal-score').waitFor();
  assert.match(await page.locator('#proposal-score').innerText(), /positive examples missed/);
  assert.match(await page.locator('#verdict').innerText(), /It makes \d+ errors, the learned program 0/);
  await page.locator('#rule').fill('grandparent(X,Y) <- parent(X,Z) & parent(Z,Y).\nparent(X,Y) :- father(X,Y).\nparent(X,Y) :- mother(X,Y).');
  await page.locator('#score').click();
  await page.getByText(/100.0 %, recall 100.0 %/).waitFor();
  await picture(page, 'correct');
  await page.locator('#rule').fill('grandparent(X,Y) :- fathr(X,Y).');
  await page.locator('#score').click();
  await page.getByText('The data have no fathr/2; the nearest name is father.').waitFor();

  await tab(page, 'Rules');
  await page.locator('.clause').first().waitFor();
  const vetoed = (await page.locator('.rule .clause').first().innerText()).trim();
  await page.locator('.veto').first().click();
  await page.getByText('vetoed rule').waitFor();
  await page.locator('#again').click();
  await page.waitForFunction(() => /Done|Stopped/.test(document.querySelector('main h2 ~ *, main')?.innerText || ''), null, { timeout: 90_000 });
  await page.locator('#to-rules').click({ timeout: 60_000 });
  await page.locator('.clause').first().waitFor();
  const rules = await page.locator('.rule .clause').allInnerTexts();
  assert.ok(!rules.map((r) => r.trim()).includes(vetoed), `${rules} still has ${vetoed}`);
  assert.deepEqual(page.errors, []);
});

test('three questions are answered, and learning goes on with the answers', async () => {
  mkdirSync(join(folder, 'doubt'));
  writeFileSync(join(folder, 'doubt/bk.pl'), 'rich(ann). rich(bob). rich(cleo). rich(dan). tall(ann). tall(bob). tall(eve). tall(fay).\n' +
    'kind(ann). kind(bob). kind(cleo). kind(fay). kind(gus). friend(ann,bob). friend(hal,ida). friend(cleo,eve).\n');
  writeFileSync(join(folder, 'doubt/exs.pl'), 'pos(happy(ann)). pos(happy(bob)). neg(happy(hal)). neg(happy(ida)).\n');
  const page = await open();
  await openData(page, join(folder, 'doubt'));
  await page.getByText('happy/1').first().waitFor();
  await learned(page, '5');
  await tab(page, 'Correct');
  const answered = new Map();
  while (answered.size < 3) {
    await page.locator('.question').first().waitFor();
    const asked = (await page.locator('.question code').first().innerText()).replace('?', '');
    const yes = ['happy(cleo)', 'happy(dan)'].includes(asked);  // who is rich is happy
    await page.locator(yes ? '.question .yes' : '.question .no').first().click();
    answered.set(asked, yes);
    await page.locator('.row', { hasText: yes ? 'you said yes' : 'you said no' }).filter({ hasText: asked }).waitFor();
    await page.waitForFunction((atom) => ![...document.querySelectorAll('.question code')].some((e) => e.innerText === atom + '?'), asked);
    if (!await page.locator('.question').count()) break;
  }
  assert.ok(answered.size >= 3, `${answered.size} questions were asked`);
  await page.locator('#again').click();
  await page.locator('#to-rules').waitFor({ timeout: 60_000 });
  await page.locator('#to-rules').click();
  await page.getByText('Explains all examples shown here.').waitFor();
  const state = JSON.parse((await raw('/api/state', known())).text);
  assert.equal(state.labels.length, 3);
  for (const [atom, positive] of answered) {
    const why = JSON.parse((await raw('/api/explain', { ...known(), 'Content-Type': 'application/json' }, 'POST', JSON.stringify({ atom }))).text);
    assert.equal(why.holds, positive, atom);
  }
  assert.deepEqual(page.errors, []);
});

test('a run is stopped, resumed, seen by two tabs, and survives a reload and a restart', async () => {
  const page = await open();
  const second = await page.context().newPage();
  await second.goto(studio.origin + '#learn');
  await openData(page, 'task:even-odd');
  await page.getByText('learning draws more').waitFor();
  await tab(page, 'Learn');
  await page.locator('#field-strategy').selectOption('gradient');
  await page.locator('#field-time_limit').fill('60');
  await page.getByText(/All \d+ settings/).click();
  await page.locator('#field-iterations').fill('100000000');  // it goes on until it is stopped
  await page.locator('#start').click();
  await page.getByRole('heading', { name: 'Learning' }).waitFor();
  await second.getByRole('heading', { name: 'Learning' }).waitFor();
  await page.locator('img[alt^="Heat map"]').waitFor({ timeout: 30_000 });
  await page.waitForTimeout(2500);  // for the picture: curves with some points
  await page.getByRole('heading', { name: 'Learning' }).evaluate((e) => e.scrollIntoView());
  await picture(page, 'learn');
  await page.reload();
  await page.getByRole('heading', { name: 'Learning' }).waitFor();
  await page.locator('#stop').click();
  await page.getByRole('heading', { name: 'Stopped' }).waitFor({ timeout: 30_000 });
  await page.locator('#resume').click();
  await page.getByRole('heading', { name: 'Learning' }).waitFor();
  // A kill of the server: the session is there again, and its run can be resumed.
  await page.waitForTimeout(500);
  await ended(studio.child, 'SIGKILL');
  studio = await new Promise((done, fail) => {
    const child = spawn(hri, ['studio', '--port', '0', '--folder', join(folder, 'state'), '--root', folder, '--no-browser']);
    child.stdout.on('data', (chunk) => {
      const found = /(http:\/\/127\.0\.0\.1:(\d+)\/)\?token=(\w+)/.exec(String(chunk));
      if (found) done({ child, address: found[0], origin: found[1], port: Number(found[2]), token: found[3] });
    });
    child.on('exit', () => fail(new Error('the studio ended')));
  });
  const again = await open();
  await tab(again, 'Learn');
  await again.getByRole('heading', { name: 'Interrupted by a restart of the server' }).waitFor();
  await again.locator('#resume').click();
  await again.getByRole('heading', { name: 'Learning' }).waitFor();
  await again.locator('#stop').click();
  await again.getByRole('heading', { name: 'Stopped' }).waitFor({ timeout: 30_000 });
});

test('a damaged upload is refused with a place, a good one is opened', async () => {
  const page = await open();
  await tab(page, 'Data');
  await page.locator('#opener > summary').click();
  await page.locator('#files').setInputFiles([
    { name: 'bk.pl', mimeType: 'text/plain', buffer: Buffer.from('father(a,b)\nfather(b') },
    { name: 'exs.pl', mimeType: 'text/plain', buffer: Buffer.from('pos(g(a,b)).') }]);
  await page.locator('#upload').click();
  const message = await page.locator('.message').innerText();
  assert.match(message, /^bk\.pl:2:1: expected/);
  assert.match(message, /expected/);
  await page.locator('#files').setInputFiles([
    { name: 'bk.pl', mimeType: 'text/plain', buffer: Buffer.from('father(a,b). father(b,c).') },
    { name: 'exs.pl', mimeType: 'text/plain', buffer: Buffer.from('pos(g(a,c)). neg(g(a,b)).') }]);
  await page.locator('#upload').click();
  await page.getByText('g/2').first().waitFor();
  assert.deepEqual(page.errors, []);
});

test('200 requests in a second are answered while a run goes on', async () => {
  await raw('/api/data', { ...known(), 'Content-Type': 'application/json' }, 'POST', JSON.stringify({ source: 'task:even-odd' }));
  await raw('/api/start', { ...known(), 'Content-Type': 'application/json' }, 'POST', '{"time_limit": "20"}');
  const from = Date.now();
  let errors = 0;
  for (let turn = 0; turn < 20; ++turn) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => raw('/api/state', known())));
    errors += answers.filter((a) => a.status !== 200).length;
  }
  console.log(`400 requests in ${Date.now() - from} ms`);
  assert.equal(errors, 0);
  await raw('/api/stop', { ...known(), 'Content-Type': 'application/json' }, 'POST', '{}');
});

// A knowledge graph in which an uncle is a parent's brother.
function writeGraph(path) {
  const facts = [], valid = [], test = [];
  for (let i = 0; i < 40; ++i) {
    facts.push(['p' + i, 'parent', 'c' + i], ['p' + i, 'brother', 'u' + i]);
    (i < 30 ? facts : i < 34 ? valid : test).push(['c' + i, 'uncle', 'u' + i]);
  }
  mkdirSync(path);
  const text = (triples) => triples.map((t) => t.join('\t') + '\n').join('');
  writeFileSync(join(path, 'train.txt'), text(facts));
  writeFileSync(join(path, 'valid.txt'), text(valid));
  writeFileSync(join(path, 'test.txt'), text(test));
}

async function learned(page, limit) {
  await tab(page, 'Learn');
  if (limit) await page.locator('#field-time_limit').fill(limit);
  await page.locator('#start').click();
  await page.locator('#to-rules').waitFor({ timeout: 90_000 });
}

test('a knowledge graph gives rules, answers with their rules, and ranks', async () => {
  writeGraph(join(folder, 'kin'));
  const page = await open();
  await openData(page, join(folder, 'kin'));
  await page.getByText('knowledge graph').waitFor();
  await learned(page, '4');
  await page.locator('#to-rules').click();
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
  const page = await open();
  await openData(page, 'policy:stack');
  await page.getByText('the move that a policy chooses').waitFor();
  await tab(page, 'Explore');
  await page.locator('#play').click();
  await page.getByText(/reaches the goal in \d+ moves/).waitFor();
  assert.ok(await page.locator('ol.steps .clause').count() > 0);
  await page.evaluate(() => window.scrollTo(0, 0));
  await picture(page, 'explore');
  await page.locator('#policy').fill('move(X,Y) :- tpo(X), floor(Y)');
  await page.locator('#play').click();
  await page.getByText('No rule fired: all moves are equal.').first().waitFor();
  await page.locator('#policy').fill('move(X) :- top(X)');
  await page.locator('#play').click();
  await page.getByText('a policy of stack defines move/2').waitFor();
  assert.deepEqual(page.errors, []);
});

test('the objects of a scene are named by rules, which say why', async () => {
  const page = await open();
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

test('wide facts are shown, learned from, judged and vetoed', async () => {
  mkdirSync(join(folder, 'wide'));
  writeFileSync(join(folder, 'wide/bk.pl'), Array.from({ length: 12 }, (_, i) => `sold(shop${i % 3},good${i % 4},c${i}).`).join('\n') + '\nred(good0). red(good1).\n');
  writeFileSync(join(folder, 'wide/exs.pl'), Array.from({ length: 12 }, (_, i) => `${i % 4 < 2 ? 'pos' : 'neg'}(likes(c${i})).`).join('\n'));
  const page = await open();
  await openData(page, join(folder, 'wide'));
  await page.getByRole('row', { name: /sold\/3/ }).getByRole('button', { name: 'Show' }).click();
  await page.getByText('Argument 3').waitFor();
  await learned(page, '8');
  await page.locator('#to-rules').click();
  await page.locator('.rule .clause', { hasText: 'sold(' }).first().waitFor();
  await page.getByText('Explains all examples shown here.').waitFor();
  await page.locator('#all-examples').click();
  await page.locator('button.atom', { hasText: 'likes(c0)' }).waitFor();
  assert.deepEqual(page.errors, []);
});

test('a run goes on when the page is closed', async () => {
  const page = await open();
  await openData(page, 'task:even-odd');
  await page.getByText('learning draws more').waitFor();
  await tab(page, 'Learn');
  await page.locator('#field-strategy').selectOption('gradient');
  await page.locator('#field-time_limit').fill('60');
  await page.locator('#start').click();
  await page.getByRole('heading', { name: 'Learning' }).waitFor();
  await page.context().close();
  const seconds = async () => JSON.parse((await raw('/api/state', known())).text).run.seconds;
  const before = await seconds();
  await new Promise((done) => setTimeout(done, 1500));
  assert.ok(await seconds() > before);
  await raw('/api/stop', { ...known(), 'Content-Type': 'application/json' }, 'POST', '{}');
});

// Processor time by thread of the server, in milliseconds.
function processorTimes() {
  const tasks = `/proc/${studio.child.pid}/task`;
  return new Map(readdirSync(tasks).map((thread) => [thread, Number(readFileSync(`${tasks}/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6]));
}

test('a page that looks on takes little of the processor', async () => {
  const page = await open();
  await openData(page, 'task:even-odd');
  await page.getByText('learning draws more').waitFor();
  await tab(page, 'Learn');
  const before = processorTimes();
  await page.locator('#field-strategy').selectOption('gradient');
  await page.locator('#field-time_limit').fill('60');
  await page.locator('summary', { hasText: /All \d+ settings/ }).click();
  await page.locator('#field-iterations').fill('100000000');
  await page.locator('#start').click();
  await page.locator('img[alt^="Heat map"]').waitFor({ timeout: 30_000 });
  await page.waitForTimeout(6000);
  let served = 0, learnt = 0;
  for (const [thread, now] of processorTimes()) {
    if (before.has(thread)) served += now - before.get(thread); else learnt += now;
  }
  await page.locator('#stop').click();
  console.log(`the page takes ${(100 * served / learnt).toFixed(2)} % of the processor time of learning (${served.toFixed(0)} of ${learnt.toFixed(0)} ms)`);
  // The page's share grows where others leave learning little of the processor.
  assert.ok(served < 0.03 * learnt || learnt < 4500, `${served} ms beside ${learnt} of learning`);
  await page.getByRole('heading', { name: 'Stopped' }).waitFor({ timeout: 30_000 });
});

test('keys move between the pages, and every input has a name', async () => {
  const page = await open();
  await page.getByRole('tab', { name: 'Data' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('heading', { name: 'Learn', exact: true }).waitFor();
  for (const name of ['Data', 'Learn', 'Rules', 'Correct', 'Explore']) {
    await tab(page, name);
    await page.waitForTimeout(300);
    const nameless = await page.evaluate(() => [...document.querySelectorAll('input, select, textarea')]
      .filter((e) => !e.labels?.length && !e.getAttribute('aria-label')).map((e) => e.outerHTML));
    assert.deepEqual(nameless, [], name);
  }
  await page.locator('#theme').click();
  await picture(page, 'dark');
});
