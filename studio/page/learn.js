// SPDX-License-Identifier: Apache-2.0
import { h, replace, tiles, get, post, act, grouped } from '/dom.js';
import { curve } from '/drawing.js';

let app;
let view;

// A picture that is renewed once it has loaded, at most every second.
function picture(path, alt) {
  const image = h('img', { alt });
  let loading = false;
  let last = 0;
  image.addEventListener('load', () => { loading = false; });
  image.addEventListener('error', () => { loading = false; });
  return { image, renew(stamp, now = false) {
    if (loading || (!now && Date.now() - last < 1000)) return;
    loading = true;
    last = Date.now();
    image.src = `${path}?${stamp}`;
  } };
}

export async function show(main, shared) {
  app = shared;
  const fields = await get('/api/fields');
  const inputs = new Map();
  const make = (field) => {
    const id = 'field-' + field.name;
    const given = app.state && app.state.wishes ? app.state.wishes[field.name] : undefined;
    const value = given !== undefined ? String(given) : '';
    let input;
    if (field.choices.length || field.boolean) {
      const choices = field.boolean ? ['true', 'false'] : field.choices;
      input = h('select', { id }, h('option', { value: '' }, `default (${field.standard})`), choices.map((c) => h('option', { value: c, selected: c === value }, c)));
    } else {
      input = h('input', { id, value, placeholder: field.standard, autocomplete: 'off' });
    }
    inputs.set(field.name, input);
    return h('label', { for: id }, field.name.replaceAll('_', ' '), ' ', input,
      h('small', {}, field.help + (field.strategies ? ` Affects: ${field.strategies}.` : '')));
  };
  const wishes = () => {
    const chosen = {};
    for (const [name, input] of inputs) if (input.value.trim() !== '') chosen[name] = input.value.trim();
    return chosen;
  };
  const common = fields.filter((f) => f.common);
  const rare = fields.filter((f) => !f.common);
  view = {
    start: h('button', { class: 'main', type: 'submit', id: 'start' }, 'Start'),
    stop: h('button', { type: 'button', id: 'stop', onclick: act(() => post('/api/stop')) }, 'Stop'),
    resume: h('button', { type: 'button', id: 'resume', title: 'Goes on from the last checkpoint', onclick: act(() => post('/api/resume', app.state.wishes || {})) }, 'Resume'),
    live: h('section', { 'aria-label': 'The run' }),
    heat: picture('/api/heat-map.svg', 'Heat map of the unification weights'),
    tree: picture('/api/hierarchy.svg', 'The hierarchy of invented predicates and what they match'),
  };
  view.pictures = h('section', { 'aria-label': 'The model', hidden: true },
    h('h2', {}, 'The soft model'),
    h('p', { class: 'soft' }, 'How well each slot of the hierarchy matches each predicate: a row is a slot, a column a predicate, dark is a weight near 1. The rows sharpen while training goes on.'),
    h('div', { class: 'columns' }, h('div', { class: 'picture', tabindex: 0 }, view.heat.image), h('div', { class: 'picture', tabindex: 0 }, view.tree.image)));
  main.append(
    h('section', {},
      h('h2', {}, 'Learn'),
      app.state && app.state.data ? null : h('p', { class: 'note' }, 'No data are open: open some on the page Data.'),
      h('form', { onsubmit: act(() => post('/api/start', wishes())) },
        h('div', { class: 'columns' }, common.map(make)),
        h('details', {}, h('summary', {}, `All ${fields.length} settings`), h('div', { class: 'columns' }, rare.map(make))),
        h('div', { class: 'row' }, view.start, view.stop, view.resume))),
    view.live, view.pictures);
  if (app.state) update(app.state);
}

export function update(state) {
  if (!view) return;
  const run = state.run;
  const running = run.phase === 'running' || run.phase === 'stopping';
  view.start.disabled = running || !state.data;
  view.stop.disabled = run.phase !== 'running';
  view.resume.disabled = running || !run.resumable;
  const world = state.data && state.data.kind !== 'relations';
  const rate = run.seconds > 0 && run.trials > 0 ? Math.round(run.trials / run.seconds) : null;
  replace(view.live,
    h('h2', {}, { none: 'No run yet', running: 'Learning', stopping: 'Stopping', stopped: 'Stopped', done: 'Done', failed: 'The run failed', interrupted: 'Interrupted by a restart of the server' }[run.phase]),
    run.error ? h('p', { class: 'note bad' }, run.error) : null,
    run.phase === 'none' ? h('p', { class: 'soft' }, 'Start one above. It goes on when this page is closed, and every tab sees it.') : null,
    run.phase === 'interrupted' ? h('p', { class: 'note' }, 'Resume goes on from the last checkpoint.') : null,
    running ? h('progress', { max: 1, value: Math.min(run.fraction, 1), 'aria-label': 'Share of the time or work limit' }) : null,
    run.phase !== 'none' && run.phase !== 'interrupted' ? h('div', { id: 'figures' }, tiles([
      ['seconds', run.seconds.toFixed(1)],
      run.restarts > 0 ? ['training runs and searches', run.restarts] : null,
      run.restarts > 0 && !world ? ['of them found a program without errors', run.fits] : null,
      rate ? ['programs tried per second', rate] : null,
      run.loss >= 0 ? ['loss: error of the soft model', run.loss.toFixed(4)] : null,
      run.errors >= 0 ? ['wrong examples of the best program', run.errors] : null])) : null,
    run.program ? [h('h3', {}, world ? 'Now' : 'Best program so far'), h('pre', { id: 'best' }, run.program)] : null,
    h('div', { class: 'columns' }, curve('Loss', run.losses, ''), curve('Sharpness: largest score of a slot, mean', run.sharpness, '', 1), curve('Wrong examples of the best program', run.error_curve, 'errors')),
    state.has_rules && !running ? h('p', {}, h('button', { type: 'button', class: 'main', id: 'to-rules', onclick: () => app.go('rules') }, 'Look at the rules')) : null);
  view.pictures.hidden = !run.model;
  if (run.model) {
    view.heat.renew(state.version, !running);
    view.tree.renew(state.version, !running);
  }
}
