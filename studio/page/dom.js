// SPDX-License-Identifier: Apache-2.0
// Elements are made here alone. Texts become text nodes, so names with markup stay text.

export function h(name, attributes = {}, ...children) {
  const svg = ['svg', 'g', 'line', 'circle', 'path', 'polyline', 'text', 'title', 'marker', 'defs', 'rect'];
  const element = svg.includes(name)
    ? document.createElementNS('http://www.w3.org/2000/svg', name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'class' && !value) continue;
    else if (key === 'value' || key === 'checked' || key === 'disabled' || key === 'selected') element[key] = value;
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false)
      element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

export function replace(parent, ...children) {
  parent.replaceChildren(...children.flat(Infinity).filter((child) => child));
}

export function table(columns, rows) {
  return h('div', { class: 'scroll' }, h('table', {},
    h('thead', {}, h('tr', {}, columns.map((c) => h('th', { scope: 'col', class: c.number ? 'number' : null, title: c.title }, c.name || h('span', { class: 'hidden' }, 'Actions'))))),
    h('tbody', {}, rows.map((row) => h('tr', {}, row.map((cell, i) => h('td', { class: columns[i].number ? 'number' : null }, cell)))))));
}

// The same, of which the first rows are shown until a button asks for all.
export function longTable(columns, rows, count = 40) {
  if (rows.length <= count) return table(columns, rows);
  const all = h('button', { type: 'button', onclick: () => { box.replaceChildren(table(columns, rows)); box.querySelector('.scroll').tabIndex = -1; box.querySelector('.scroll').focus(); } }, `Show all ${grouped(rows.length)}`);
  const box = h('div', {}, table(columns, rows.slice(0, count)), h('div', { class: 'row end' }, all, h('span', { class: 'soft' }, `${count} of ${grouped(rows.length)} are shown`)));
  return box;
}

// Figures side by side: [name, value, explanation].
export const tiles = (figures) => h('div', { class: 'tiles' }, figures.filter(Boolean).map(([name, value, title]) =>
  h('div', { class: 'tile', title }, h('b', {}, typeof value === 'number' ? grouped(value) : value), h('span', {}, name))));

// What a page shows while there is nothing to show.
export const empty = (title, text, ...buttons) => h('div', { class: 'empty' }, h('h2', {}, title), h('p', {}, text), buttons.length ? h('div', { class: 'row end' }, buttons) : null);

export const counted = (n, one, many = one + 's') => `${grouped(n)} ${n === 1 ? one : many}`;

// A program, a coloured line for each predicate.
export const programText = (text, attributes = {}) => h('div', { class: 'program', ...attributes }, text.trim().split('\n').map((line) => clause(line)));

// Prolog in colours: head, predicates, variables, constants.
const tokens = /('(?:[^'\\]|\\.|'')*')|([A-Z_]\w*)|([a-z]\w*)|(\d[\d.]*)|(:-|<-|\\\+|=<|>=|[<>=])|([\s\S])/g;
export function clause(text, attributes = {}) {
  let first = true;
  const parts = [...text.matchAll(tokens)].map(([all, quoted, variable, word, number, operator], i, found) => {
    const after = text[found[i].index + all.length];
    if (variable) return h('span', { class: 'var' }, all);
    if ((word || quoted) && (after === '(' || first)) { const kind = first ? 'pred head' : 'pred'; first = false; return h('span', { class: kind }, all); }
    if (word || quoted || number) return h('span', { class: 'const' }, all);
    return operator ? h('span', { class: 'op' }, all) : all === ',' && !/\s/.test(after || ' ') ? ', ' : all;
  });
  return h('pre', { class: 'clause', ...attributes }, parts);
}

// A rule's examples as a bar: what it covers rightly and wrongly.
export const bar = (right, wrong) => right + wrong === 0 ? null : h('span', { class: 'bar', 'aria-hidden': 'true' },
  part('', 100 * right / (right + wrong)), part('wrong', 100 * wrong / (right + wrong)));

function part(kind, share) {
  const element = h('i', { class: kind });
  element.style.width = share + '%';  // by script: the policy of the page allows no style attributes
  return element;
}

// Buttons that turn pages of a list.
export const pager = (offset, count, all, show) => all <= count && offset === 0 ? null : h('div', { class: 'row end' },
  h('button', { type: 'button', disabled: offset === 0, onclick: act(() => show(Math.max(0, offset - count))) }, 'Earlier'),
  h('button', { type: 'button', disabled: offset + count >= all, onclick: act(() => show(offset + count)) }, 'Later'),
  h('span', { class: 'soft' }, `${grouped(Math.min(offset + 1, all))} to ${grouped(Math.min(offset + count, all))} of ${grouped(all)}`));

export const percent = (x) => x === 1 || x === 0 ? `${100 * x} %` : `${(100 * x).toFixed(1)} %`;
export const grouped = (n) => Number(n).toLocaleString('en-GB');

export function complain(error) {
  const close = h('button', { type: 'button', onclick: () => box.remove() }, 'Close');
  const box = h('div', { class: 'message' }, h('strong', {}, error.message || String(error)),
    error.hint ? h('div', { class: 'soft' }, error.hint) : null, h('div', { class: 'row' }, close));
  const all = document.getElementById('messages');
  all.append(box);
  while (all.children.length > 4) all.firstChild.remove();
}

async function call(path, options) {
  let response;
  try { response = await fetch(path, options); } catch {
    const error = new Error('The server does not answer.');
    error.hint = 'Look at the terminal in which hri studio was started; it may have ended.';
    throw error;
  }
  const type = response.headers.get('Content-Type') || '';
  const body = type.startsWith('application/json') ? await response.json() : await response.text();
  if (!response.ok) {
    const error = new Error(body.error || `the server answered ${response.status}`);
    error.hint = body.hint;
    throw error;
  }
  return body;
}

export const get = (path, query = {}) => call(path + (Object.keys(query).length ? '?' + new URLSearchParams(query) : ''));
export const post = (path, body = {}) => call(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
export const send = (path, query, bytes) => call(path + '?' + new URLSearchParams(query), { method: 'POST', headers: { 'Content-Type': 'application/octet-stream' }, body: bytes });

// Runs what a button does, and shows what goes wrong.
export function act(work) {
  return async (event) => {
    if (event) event.preventDefault();
    document.getElementById('messages').replaceChildren();  // of what was done before
    const button = event && event.currentTarget;
    if (button && 'disabled' in button && button.tagName === 'BUTTON') button.disabled = true;
    try { await work(event); } catch (error) { complain(error); } finally {
      if (button && button.tagName === 'BUTTON') button.disabled = false;
    }
  };
}
