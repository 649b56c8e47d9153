// SPDX-License-Identifier: Apache-2.0
//
// What attackers try: tokens, hosts, paths, sizes, damaged requests, hostile names.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import net from 'node:net';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Studio, hri, openData, tab } from './support.js';

const studio = new Studio();
before(() => studio.begin());
after(() => studio.end());

test('a request without the right token, host or origin is refused', async () => {
  assert.equal((await studio.raw('/api/state')).status, 401);
  assert.equal((await studio.raw('/')).status, 401);
  assert.equal((await studio.raw('/?token=wrong')).status, 401);
  assert.equal((await studio.raw('/?token=')).status, 401);
  assert.equal((await studio.raw('/api/state', { Cookie: `hri_studio_${studio.port}=` })).status, 401);
  assert.equal((await studio.raw('/api/state', { Authorization: 'Bearer ' + studio.token.slice(1) })).status, 401);
  assert.equal((await studio.raw('/api/state', { ...studio.known, Host: 'example.org' })).status, 403);
  assert.equal((await studio.raw('/api/state', { ...studio.known, Host: `example.org:${studio.port}` })).status, 403);
  assert.equal((await studio.raw('/?token=' + studio.token, { Host: 'example.org' })).status, 403);
  assert.equal((await studio.raw('/api/state', { ...studio.known, Origin: 'http://example.org' })).status, 403);
  assert.equal((await studio.raw('/api/state', { ...studio.known, Origin: 'null' })).status, 403);
  const right = await studio.raw('/api/state', studio.known);
  assert.equal(right.status, 200);
  assert.match(right.headers['content-security-policy'], /default-src 'none'/);
  const cookie = (await studio.raw('/?token=' + studio.token)).headers['set-cookie'][0];
  assert.match(cookie, /HttpOnly; SameSite=Strict/);
});

test('a page with a wrong token shows nothing of the data', async () => {
  const page = await (await studio.browser.newContext()).newPage();
  const answer = await page.goto(studio.origin + '?token=0123');
  assert.equal(answer.status(), 401);
  assert.match(await page.locator('body').innerText(), /token is missing or wrong/);
  assert.doesNotMatch(await page.content(), /grandparent/);
});

test('another host than loopback needs a flag, and the message says what it means', () => {
  const found = spawnSync(hri, ['studio', '--host', '0.0.0.0', '--port', '0', '--folder', studio.path('other'), '--no-browser'], { encoding: 'utf8', timeout: 120_000 });
  assert.notEqual(found.status, 0);
  assert.match(found.stderr, /can be reached from other machines/);
  assert.match(found.stderr, /--remote.*everybody who has the token may read your data/s);
});

test('paths outside the given folders are refused', async () => {
  symlinkSync('/etc', studio.path('link'));
  mkdirSync(studio.path('linked'));
  symlinkSync('/etc/passwd', studio.path('linked/bk.pl'));
  writeFileSync(studio.path('linked/exs.pl'), 'pos(g(a,c)). neg(g(a,b)).\n');
  for (const source of ['/etc', '/etc/passwd', studio.path('..'), 'postgresql://localhost/x', studio.path('family/../../..'), studio.path('link'), studio.path('linked'), 'upload:../../family', 'upload:/etc', 'file:///etc', '', '\0', 'x'.repeat(5000)]) {
    const answer = await studio.post('/api/data', { source });
    assert.equal(answer.status, 400, source.slice(0, 80));
    assert.doesNotMatch(answer.text, /root:/);
  }
  for (const rules of ['/etc/passwd', '/nowhere', '../secret', studio.path('link/passwd')]) {
    const answer = await studio.post('/api/start', { rules });
    assert.equal(answer.status, 400, rules);
    assert.match(answer.text, /outside the folders/);
  }
  assert.equal((await studio.raw('/../../etc/passwd', studio.known)).status, 404);
  assert.equal((await studio.raw('/..%2f..%2fetc/passwd', studio.known)).status, 404);
});

test('uploads have plain names and a limited size', async () => {
  const { id } = await studio.json('/api/uploads', {});
  const send = (query, body) => studio.raw('/api/upload?' + new URLSearchParams(query), { ...studio.known, 'Content-Type': 'application/octet-stream' }, 'POST', body);
  for (const name of ['../escaped', '..', '.hidden', 'a/b', 'a\\b', 'a\0b', '', '<b>.pl', 'x'.repeat(300)])
    assert.equal((await send({ id, name }, 'p(a).')).status, 400, name);
  for (const wrong of ['../' + id, 'nothing', '', '.']) assert.equal((await send({ id: wrong, name: 'bk.pl' }, 'p(a).')).status, 400, wrong);
  assert.ok(!existsSync(studio.path('state/uploads/escaped')) && !existsSync(studio.path('state/escaped')));
  const huge = await send({ id, name: 'bk.pl' }, Buffer.alloc(65 * 1024 * 1024)).catch((error) => ({ status: error.code }));
  assert.ok([413, 'EPIPE', 'ECONNRESET'].includes(huge.status), `${huge.status}`);
  assert.ok(!existsSync(studio.path('state/uploads', id, 'bk.pl')));
  assert.equal((await send({ id, name: 'bk.pl' }, 'p(a).')).status, 200);
});

test('damaged requests get an error, and the server goes on', async () => {
  for (const [path, body] of [['/api/start', '{"time_limit":'], ['/api/start', '[]'], ['/api/start', '7'], ['/api/start', '"text"'], ['/api/start', '{"time_limt":3}'], ['/api/start', '{"time_limit":"soon"}'], ['/api/start', '{"time_limit":{"a":1}}'],
    ['/api/start', '{"layers":"99999999999999999999"}'], ['/api/data', '{}'], ['/api/data', '{"source":7}'], ['/api/data', 'null'], ['/api/data', '['.repeat(100_000)], ['/api/data', '{"source":"\\ud800"}'],
    ['/api/explain', '{"atom":"grandparent(a"}'], ['/api/explain', '{"atom":[]}'], ['/api/propose', '{"rule":""}'], ['/api/propose', `{"rule":"grandparent(X,Y) :- ${'father(X,Y),'.repeat(9)}"}`], ['/api/propose', '{"rule":"other(X) :- father(X,X)."}'],
    ['/api/constraints', '{"vetoed_rules":"all"}'], ['/api/constraints', '{"vetoed_rules":["p(X"]}'], ['/api/constraints', '{"vetoed_literals":["p(a)."]}'], ['/api/constraints', '{"vetoed_predicates":["nothing/2"]}'], ['/api/constraints', '{"pinned":"father(X,Y) :- mother(X,Y)."}'],
    ['/api/label', '{"atom":"grandparent(nobody,ann)","positive":true}'], ['/api/label', '{"atom":"grandparent(carl,ann)","positive":"yes"}'], ['/api/answers', '{"query":"?"}'], ['/api/world/ask', '{"query":"p(a,?)"}']]) {
    const answer = await studio.post(path, body);
    assert.equal(answer.status, 400, `${path} ${body.slice(0, 80)}: ${answer.text.slice(0, 200)}`);
    assert.ok(JSON.parse(answer.text).error, body.slice(0, 80));
  }
  assert.equal((await studio.raw('/api/start', { ...studio.known, 'Content-Type': 'text/plain' }, 'POST', '{}')).status, 400);
  const large = await studio.post('/api/data', JSON.stringify({ source: 'x'.repeat(2_000_000) })).catch((error) => ({ status: error.code }));
  assert.ok([400, 413, 'EPIPE', 'ECONNRESET'].includes(large.status), `${large.status}`);
  for (const path of ['/api/facts?predicate=father/2&instance=-1', '/api/facts?predicate=father/2&instance=x', '/api/graph?instance=99', '/api/rules?program=7', '/api/export?format=exe', '/api/heat-map.svg'])
    assert.equal((await studio.raw(path, studio.known)).status, 400, path);
  assert.equal((await studio.raw('/api/nothing', studio.known)).status, 404);
  assert.equal((await studio.raw('/api/state', studio.known, 'DELETE')).status, 404);
  const garbage = await new Promise((done) => {
    const socket = net.connect(studio.port, '127.0.0.1', () => socket.end('GARBAGE\0\xff / HTTP/9.9\r\nHost\r\n\r\n'));
    let text = '';
    socket.on('data', (chunk) => { text += chunk; });
    socket.on('close', () => done(text));
    socket.on('error', () => done('closed'));
  });
  assert.doesNotMatch(garbage, / 200 /);
  assert.equal((await studio.json('/api/state')).run.phase, 'none');
});

test('the body of a refused request is never taken for a request', async () => {
  const inner = `POST /api/data HTTP/1.1\r\nHost: 127.0.0.1:${studio.port}\r\nAuthorization: Bearer ${studio.token}\r\nContent-Type: application/json\r\nContent-Length: 30\r\n\r\n{"source":"task:grandparent"} `;
  const text = await new Promise((done) => {
    let all = '';
    const socket = net.connect(studio.port, '127.0.0.1', () => socket.write(`POST /api/start HTTP/1.1\r\nHost: 127.0.0.1:${studio.port}\r\nOrigin: http://example.org\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`));
    socket.on('data', (chunk) => { all += chunk; });
    socket.on('close', () => done(all));  // the server ends the connection
    socket.on('error', () => done(all));
    setTimeout(() => socket.destroy(), 60_000).unref();
  });
  assert.match(text, /^HTTP\/1.1 403/);
  assert.equal(text.match(/HTTP\/1\.1 \d/g).length, 1, text);
  assert.notEqual((await studio.json('/api/state')).data.source, 'task:grandparent');
});

test('names with markup and control characters stay text on every page', async () => {
  const name = "<script>document.title='hacked'</script><img src=x onerror=\"document.title='hacked'\">";
  mkdirSync(studio.path('hostile'));
  writeFileSync(studio.path('hostile/bk.pl'), Array.from({ length: 8 }, (_, i) => `'rel"><svg onload=alert(1)>'('${name.replaceAll("'", "''")}${i}','\\u202Eevil${i}'). kind(c${i},'${i % 2 ? '${1}' : '{{1}}'}').`).join('\n'));
  writeFileSync(studio.path('hostile/exs.pl'), Array.from({ length: 8 }, (_, i) => `${i % 2 ? 'pos' : 'neg'}('is <b>bold</b>'(c${i})).`).join('\n'));
  const page = await studio.open();
  page.on('dialog', () => page.errors.push('a dialog opened'));
  await openData(page, studio.path('hostile'));
  await page.getByText('is <b>bold</b>').first().waitFor();
  await page.getByRole('row', { name: /svg onload/ }).getByRole('button').click();
  await page.getByText(name + '0').first().waitFor();
  await studio.json('/api/start', {});
  await studio.finished();
  for (const tabName of ['Learn', 'Rules', 'Correct', 'Explore', 'Data']) {
    await tab(page, tabName);
    assert.equal(await page.locator('#panel img[src=x], #panel script, #panel b b, svg[onload]').count(), 0, tabName);
  }
  await tab(page, 'Rules');
  await page.locator('#all-examples').click();
  await page.locator('button.atom').first().click();
  await page.locator('#proof').waitFor();
  assert.doesNotMatch(await page.title(), /hacked/);
  assert.deepEqual(page.errors, []);
});
