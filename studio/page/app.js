// SPDX-License-Identifier: Apache-2.0
import { h, replace, get, post, complain } from '/dom.js';
import * as data from '/data.js';
import * as learn from '/learn.js';
import * as rules from '/rules.js';
import * as correct from '/correct.js';
import * as explore from '/explore.js';

const pages = [
  { id: 'data', name: 'Data', module: data },
  { id: 'learn', name: 'Learn', module: learn },
  { id: 'rules', name: 'Rules', module: rules },
  { id: 'correct', name: 'Correct', module: correct },
  { id: 'explore', name: 'Explore', module: explore },
];
const app = { state: null, page: null, go, change };
const tabs = document.getElementById('tabs');
const panel = document.getElementById('panel');

function go(id) {
  location.hash = id;
}

async function show() {
  const page = pages.find((p) => '#' + p.id === location.hash) || pages[0];
  for (const tab of tabs.children) {
    const selected = tab.id === 'tab-' + page.id;
    tab.setAttribute('aria-selected', selected);
    tab.tabIndex = selected ? 0 : -1;
  }
  panel.setAttribute('aria-labelledby', 'tab-' + page.id);
  panel.setAttribute('aria-busy', true);
  const focused = app.page === page && panel.contains(document.activeElement) ? document.activeElement.id : '';
  app.page = page;
  const box = h('div', { class: 'page' });  // a page that is left while it loads goes on in a box that nobody sees
  replace(panel, box);
  document.title = `${page.name} · hri studio`;
  try { await page.module.show(box, app); } catch (error) { if (box.isConnected) complain(error); }
  if (!box.isConnected) return;
  panel.dataset.page = page.id;
  panel.setAttribute('aria-busy', false);
  if (focused && document.activeElement === document.body) document.getElementById(focused)?.focus();
}

const phases = {
  none: ['', 'No run yet'], running: ['busy', 'Learning'], stopping: ['busy', 'Stopping'], stopped: ['warn', 'Stopped'], done: ['good', 'Done'], failed: ['bad', 'Failed'],
  interrupted: ['warn', 'Interrupted'],
};
const status = document.getElementById('status');

// Answers and events may overtake each other: what is older than what is shown is left out.
let latest = 0;

function take(state) {
  if (state.version < latest) return;
  latest = state.version;
  const before = app.state;
  app.state = state;
  const [kind, phase] = phases[state.run.phase];
  const full = state.data ? state.data.source : 'No data are open';
  const name = full.replace(/\/+$/, '').split('/').pop();
  const source = state.data && state.data.kind === 'relations' ? `${state.data.target} of ${name}` : name;
  const key = full + source + phase;
  if (status.dataset.key !== key) {  // a screen reader says it once, not ten times a second
    status.dataset.key = key;
    replace(status, h('span', { class: 'source', title: full }, source), h('span', { class: 'tag ' + kind }, phase));
  }
  const opened = (s) => s && s.data && s.data.opened;
  if (app.page && before && opened(before) !== opened(state)) show();  // other data, here or in another tab
  else if (app.page && app.page.module.update) app.page.module.update(state, before);
  panel.dataset.version = state.version;
}

// Does what changes the state, and shows the state that it leads to.
async function change(path, body) {
  const answer = await post(path, body);
  take(answer.run ? answer : await get('/api/state'));
}

for (const page of pages) {
  tabs.append(h('button', { type: 'button', role: 'tab', id: 'tab-' + page.id, 'aria-controls': 'panel', onclick: () => go(page.id) }, page.name));
}
tabs.addEventListener('keydown', (event) => {
  const at = [...tabs.children].indexOf(document.activeElement);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: pages.length - 1 }[event.key];
  if (at >= 0 && to !== undefined) {
    event.preventDefault();
    const next = tabs.children[(to + pages.length) % pages.length];
    next.focus();
    next.click();
  }
});
const root = document.documentElement;
const dark = matchMedia('(prefers-color-scheme: dark)').matches;
root.dataset.theme = localStorage.getItem('theme') || (dark ? 'dark' : 'light');
document.getElementById('theme').addEventListener('click', () => {
  root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
  localStorage.setItem('theme', root.dataset.theme);
});
window.addEventListener('hashchange', show);

function listen() {
  const events = new EventSource('/api/events');
  events.onopen = () => { latest = 0; };  // a server that began anew counts anew
  events.onmessage = (event) => take(JSON.parse(event.data));
  events.onerror = () => {
    delete status.dataset.key;
    const refused = events.readyState === EventSource.CLOSED;  // it answers, but not to this token
    replace(status, h('span', { class: 'tag bad' }, refused ? 'The server began anew. Open the address that it printed.' : 'The server does not answer. Trying again.'));
  };
}

try {
  take(await get('/api/state'));
  if (!location.hash && app.state.data)
    history.replaceState(null, '', app.state.has_rules ? (app.state.data.kind === 'relations' ? '#rules' : '#explore') : '#data');
  show();
  listen();
} catch (error) {
  complain(error);
}
