// SPDX-License-Identifier: Apache-2.0
//
// The page itself: what it costs, keys, names for screen readers, contrast, small windows.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { Studio, begun, learned, openData, picture, shown, tab } from './support.js';

const studio = new Studio();
before(() => studio.begin());
after(() => studio.end());

test('the first view is small and fast', async () => {
  const page = await (await studio.browser.newContext()).newPage();
  const bodies = [];  // of everything but the events, which never end
  page.on('response', (response) => { if (!response.url().endsWith('/api/events')) bodies.push(response.body().catch(() => Buffer.alloc(0))); });
  const from = Date.now();
  await page.goto(studio.address);
  await page.getByText('female/1').waitFor();
  await page.locator('svg.graph').waitFor();
  const elapsed = Date.now() - from;
  const bytes = (await Promise.all(bodies)).reduce((sum, body) => sum + body.length, 0);
  console.log(`first view: ${bytes} bytes, ${elapsed} ms`);
  assert.ok(bytes < 300_000, `${bytes} bytes`);
});

// Processor time by thread of the server, in milliseconds.
function processorTimes() {
  const tasks = `/proc/${studio.child.pid}/task`;
  return new Map(readdirSync(tasks).map((thread) => [thread, Number(readFileSync(`${tasks}/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6]));
}

test('200 requests in a second are answered while a run goes on', async () => {
  await studio.json('/api/data', { source: 'task:even-odd' });
  const before = processorTimes();
  await studio.json('/api/start', { strategy: 'gradient', iterations: '100000000', time_limit: '3600' });
  await studio.until(({ run }) => run.losses.length > 5 && run.sharpness.length > 5);
  const from = Date.now();
  let errors = 0;
  for (let turn = 0; turn < 20; ++turn) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => studio.raw('/api/state', studio.known)));
    errors += answers.filter((a) => a.status !== 200).length;
  }
  const seconds = (Date.now() - from) / 1000;
  let served = 0;
  for (const [thread, now] of processorTimes()) if (before.has(thread)) served += now - before.get(thread);
  console.log(`400 requests in ${seconds.toFixed(2)} s: ${(400 / seconds).toFixed(0)} a second, ${errors} errors, ${(served / 400).toFixed(2)} ms of the server's processor time each`);
  assert.equal(errors, 0);
  assert.ok(served / 400 < 5, 'a processor answers 200 in a second');
  await studio.json('/api/stop', {});
  await studio.finished();
});

test('a page that looks on takes little of the processor', async () => {
  const page = await studio.open();
  await openData(page, 'task:even-odd');
  await tab(page, 'Learn');
  const before = processorTimes();
  await page.locator('#field-strategy').selectOption('gradient');
  await page.locator('#field-time_limit').fill('3600');
  await page.locator('summary', { hasText: /All \d+ settings/ }).click();
  await page.locator('#field-iterations').fill('100000000');
  await begun(page, '#start');
  await page.locator('img[alt^="Heat map"]').waitFor();
  const spent = () => {
    let served = 0, learnt = 0;
    for (const [thread, now] of processorTimes()) {
      if (before.has(thread)) served += now - before.get(thread); else learnt += now;
    }
    return { served, learnt, at: Date.now() };
  };
  const from = spent();
  await page.waitForTimeout(6000);
  const to = spent();
  const served = to.served - from.served, learnt = to.learnt - from.learnt, elapsed = to.at - from.at;
  await page.locator('#stop').click();
  console.log(`in ${elapsed} ms the page takes ${served.toFixed(0)} ms of the server's processor time: ${(100 * served / elapsed).toFixed(2)} % of one processor, ` +
    `${(100 * served / learnt).toFixed(2)} % of what learning has`);
  assert.ok(served < 0.03 * elapsed, `${served} ms of ${elapsed}`);
  await page.getByRole('heading', { name: 'Stopped' }).waitFor();
});

test('keys alone open data, learn, and open a proof', async () => {
  const page = await studio.open();
  await openData(page, studio.path('family'));
  await page.reload();
  await shown(page);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'tab-data');
  await page.keyboard.press('ArrowRight');
  await page.getByRole('heading', { name: 'Learn', exact: true }).waitFor();
  await shown(page);
  const reach = async (selector) => {
    for (let i = 0; i < 60; ++i) {
      if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`Tab does not reach ${selector}`);
  };
  await reach('#field-time_limit');
  await page.keyboard.type('60');
  await page.keyboard.press('Enter');
  await page.locator('#to-rules').waitFor();
  await page.evaluate(() => document.getElementById('tab-learn').focus());
  await reach('#to-rules');
  await page.keyboard.press('Enter');
  await page.locator('#all-examples').waitFor();
  await shown(page);
  await page.evaluate(() => document.getElementById('tab-rules').focus());
  await reach('#all-examples');
  await page.keyboard.press('Enter');
  await page.locator('button.atom').first().waitFor();
  await reach('button.atom');
  await page.keyboard.press('Enter');
  await page.locator('#proof').waitFor();
  await page.evaluate(() => document.getElementById('tab-rules').focus());
  await reach('.veto-menu > summary');
  await page.keyboard.press('Enter');
  await reach('.veto-rule');
  assert.deepEqual(page.errors, []);
});

test('every page has names, roles and contrast, in light and dark, and fits a narrow window', async () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  for (const colorScheme of ['light', 'dark']) {
    const page = await studio.open({ colorScheme, bypassCSP: true, reducedMotion: 'reduce' });
    await page.evaluate(axe);
    for (const [source, names] of [[studio.path('family'), ['Data', 'Learn', 'Rules', 'Correct', 'Explore']], ['policy:stack', ['Data', 'Explore']]]) {
      await openData(page, source);
      if (source.startsWith('/')) await learned(page);
      for (const name of names) {
        await tab(page, name);
        for (const closed of await page.locator('#panel details:not([open]) > summary').all()) if (await closed.isVisible()) await closed.click();
        if (name === 'Rules') {
          await page.locator('#all-examples').click();
          await page.locator('button.atom').first().click();
          await page.locator('#proof').waitFor();
        }
        if (name === 'Explore' && source.startsWith('policy')) { await page.locator('#play').click(); await page.locator('ol.steps').waitFor(); }
        const found = await page.evaluate(() => axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }));
        const problems = found.violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.html).join(' | ')}`);
        assert.deepEqual(problems, [], `${name} of ${source}, ${colorScheme}`);
        await page.setViewportSize({ width: 400, height: 800 });
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.ok(wider <= 1, `${name} of ${source} is ${wider} pixels wider than a narrow window`);
        await page.setViewportSize({ width: 1200, height: 860 });
      }
    }
    assert.deepEqual(page.errors, []);
  }
});

test('colours are switched and kept, and nothing is loaded from elsewhere', async () => {
  const page = await studio.open({ colorScheme: 'light' });
  const others = [];
  page.on('request', (request) => { if (!request.url().startsWith(studio.origin) && !request.url().startsWith('blob:')) others.push(request.url()); });
  await page.locator('#theme').click();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await page.reload();
  await shown(page);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await openData(page, studio.path('family'));
  await page.locator('svg.graph').waitFor();
  await picture(page, 'dark', 1180);
  assert.deepEqual(others, []);
});
