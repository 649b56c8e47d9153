// SPDX-License-Identifier: Apache-2.0
// Elements are made here alone. Texts become text nodes, so names with markup stay text.

export function h(name, attributes = {}, ...children) {
  const svg = ['svg', 'g', 'line', 'circle', 'path', 'polyline', 'text', 'title', 'marker', 'defs'];
  const element = svg.includes(name)
    ? document.createElementNS('http://www.w3.org/2000/svg', name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
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
  return h('table', {},
    h('thead', {}, h('tr', {}, columns.map((c) => h('th', { scope: 'col', class: c.number ? 'number' : null, title: c.title }, c.name)))),
    h('tbody', {}, rows.map((row) => h('tr', {}, row.map((cell, i) => h('td', { class: columns[i].number ? 'number' : null }, cell))))));
}

export const percent = (x) => `${(100 * x).toFixed(1)} %`;
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
  const response = await fetch(path, options);
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
    const button = event && event.currentTarget;
    if (button && 'disabled' in button && button.tagName === 'BUTTON') button.disabled = true;
    try { await work(event); } catch (error) { complain(error); } finally {
      if (button && button.tagName === 'BUTTON') button.disabled = false;
    }
  };
}
