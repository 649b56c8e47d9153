// SPDX-License-Identifier: Apache-2.0
//
// A studio of its own for each file of tests, and a headless Chromium.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, mkdirSync, writeFileSync, rmSync, existsSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const here = dirname(fileURLToPath(import.meta.url));
export const root = resolve(here, '../..');
export const hri = resolve(process.env.HRI || join(root, 'build/hri'));
const pictures = process.env.PICTURES;
const kPatience = 100_000;  // milliseconds: tests wait for states, and a busy machine takes long to reach them
const chrome = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

// A family whose examples leave room for doubt, with a name that tries to be markup.
export const hostile = '<img src=x onerror=document.title=1>';

function writeFamily(folder) {
  mkdirSync(folder);
  writeFileSync(join(folder, 'bk.pl'),
    'father(carl,bob). father(bob,ann). father(bob,tim). father(carl,eva). mother(dora,bob). mother(dora,eva).\n' +
    `mother(eva,ida). father(tim,kim). mother(ida,lea). female(ann). female(eva). female(ida). male('${hostile}'). father('${hostile}',dora).\n`);
  writeFileSync(join(folder, 'exs.pl'),
    'pos(grandparent(carl,ann)). pos(grandparent(dora,ann)). pos(grandparent(dora,ida)). pos(grandparent(carl,ida)). pos(grandparent(bob,kim)). pos(grandparent(eva,lea)).\n' +
    'neg(grandparent(carl,bob)). neg(grandparent(bob,ann)). neg(grandparent(ann,carl)). neg(grandparent(eva,ida)). neg(grandparent(kim,tim)). neg(grandparent(lea,lea)).\n');
}

export const ended = (child, signal) => new Promise((done) => { child.on('exit', done); child.kill(signal); });

export class Studio {
  folder = mkdtempSync(join(tmpdir(), 'hri-studio-'));

  async begin() {
    assert.ok(chrome, 'install chromium');
    writeFamily(join(this.folder, 'family'));
    await this.start(join(this.folder, 'family'));
    this.browser = await chromium.launch({ executablePath: chrome, args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
    return this;
  }

  async end() {
    if (this.browser) await this.browser.close();
    if (this.child) await ended(this.child, 'SIGTERM');
    rmSync(this.folder, { recursive: true, force: true });
  }

  start(...data) {
    return new Promise((done, fail) => {
      this.child = spawn(hri, ['studio', ...data, '--port', '0', '--folder', join(this.folder, 'state'), '--root', `${this.folder},${join(root, 'examples/data')}`, '--no-browser']);
      let text = '';
      let errors = '';
      this.child.stderr.on('data', (chunk) => { errors += chunk; });
      this.child.stdout.on('data', (chunk) => {
        text += chunk;
        const found = /(http:\/\/127\.0\.0\.1:(\d+)\/)\?token=(\w+)/.exec(text);
        if (!found) return;
        [this.address, this.origin, this.port, this.token] = [found[0], found[1], Number(found[2]), found[3]];
        done(this);
      });
      this.child.on('exit', (code) => fail(new Error(`the studio ended with ${code}: ${errors}`)));
    });
  }

  path(...parts) { return join(this.folder, ...parts); }

  async open(options = {}) {
    const context = await this.browser.newContext({ viewport: { width: 1200, height: 860 }, ...options });
    context.setDefaultTimeout(kPatience);
    const page = await context.newPage();
    page.errors = [];
    page.on('pageerror', (error) => page.errors.push(String(error)));
    await page.goto(this.address);
    page.studio = this;
    await shown(page);
    return page;
  }

  get known() { return { Authorization: 'Bearer ' + this.token }; }

  raw(path, headers = {}, method = 'GET', body) {
    return new Promise((done, fail) => {
      const request = http.request({ host: '127.0.0.1', port: this.port, path, method, headers }, (response) => {
        let text = '';
        response.on('data', (chunk) => { text += chunk; });
        response.on('end', () => done({ status: response.statusCode, headers: response.headers, text }));
      });
      request.on('error', fail);
      request.end(body);
    });
  }

  post(path, body) {
    return this.raw(path, { ...this.known, 'Content-Type': 'application/json' }, 'POST', typeof body === 'string' ? body : JSON.stringify(body));
  }

  async json(path, body) {
    const answer = body === undefined ? await this.raw(path, this.known) : await this.post(path, body);
    assert.equal(answer.status, 200, answer.text);
    return JSON.parse(answer.text);
  }

  // Asks for the state until the predicate holds of it.
  async until(predicate) {
    for (const from = Date.now(); ;) {
      const state = await this.json('/api/state');
      if (predicate(state)) return state;
      assert.ok(Date.now() - from < kPatience, JSON.stringify(state.run).slice(0, 500));
      await new Promise((done) => setTimeout(done, 100));
    }
  }

  finished() { return this.until((state) => !['running', 'stopping'].includes(state.run.phase)); }
}

// Waits until the page has loaded and shows what the server knows now.
export async function shown(page) {
  const { version } = await page.studio.json('/api/state');
  await page.waitForFunction((least) => {
    const panel = document.getElementById('panel');
    return panel && panel.getAttribute('aria-busy') === 'false' && Number(panel.dataset.version) >= least;
  }, version);
}

export async function tab(page, name) {
  await page.getByRole('tab', { name }).click();
  await page.waitForFunction((id) => document.getElementById('panel').dataset.page === id && location.hash === '#' + id, name.toLowerCase());
  await shown(page);
}

export async function openData(page, source) {
  await tab(page, 'Data');
  if (!await page.locator('#path').isVisible()) await page.locator('#opener > summary').click();
  await page.locator('#path').fill(source);
  const { data } = await page.studio.json('/api/state');
  await page.locator('#open').click();
  await page.studio.until((state) => state.data && state.data.opened > (data ? data.opened : 0));
  await shown(page);
}

// Learns with the settings and shows the rules.
export async function learned(page, settings = {}) {
  await tab(page, 'Learn');
  for (const [name, value] of Object.entries(settings)) {
    const field = page.locator('#field-' + name);
    if (!await field.isVisible()) await page.locator('summary', { hasText: /All \d+ settings/ }).click();
    if (await field.evaluate((e) => e.tagName) === 'SELECT') await field.selectOption(value); else await field.fill(value);
  }
  await begun(page, '#start');
  await rulesOfRun(page);
}

// Presses what begins a run, and waits until the page shows that run.
export async function begun(page, button) {
  const { number } = (await page.studio.json('/api/state')).run;
  await page.locator(button).click();
  await page.locator(`section[data-run="${number + 1}"]`).waitFor();
}

// Waits for the end of the run that the page Learn shows, and reads its rules.
export async function rulesOfRun(page) {
  await page.studio.finished();
  await page.locator('#to-rules').click();
  await page.waitForFunction(() => document.getElementById('panel').dataset.page === 'rules');
  await shown(page);
}

// A picture of the tour: so high at most.
export async function picture(page, name, height = 860) {
  if (!pictures) return;
  await page.setViewportSize({ width: 1200, height });
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.mouse.move(0, 0);
  await page.waitForTimeout(200);
  await page.screenshot({ path: join(pictures, name + '.png') });
  await page.setViewportSize({ width: 1200, height: 860 });
}
