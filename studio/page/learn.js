// SPDX-License-Identifier: Apache-2.0
import { h, replace, tiles, empty, programText, get, act, percent } from '/dom.js';
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

const units = { time_limit: 'seconds', max_work: 'programs', threads: 'threads' };
const title = (name) => { const text = name.replaceAll('_', ' '); return text[0].toUpperCase() + text.slice(1); };
const answer = { true: 'yes', false: 'no' };

function input(field, inputs) {
  const id = 'field-' + field.name;
  const given = app.state && app.state.wishes ? app.state.wishes[field.name] : undefined;
  const value = given !== undefined ? String(given) : '';
  let element;
  if (field.choices.length || field.boolean) {
    const choices = field.boolean ? ['true', 'false'] : field.choices;
    element = h('select', { id }, h('option', { value: '' }, `${answer[field.standard] || field.standard} (default)`), choices.filter((c) => c !== field.standard || c === value).map((c) => h('option', { value: c, selected: c === value }, answer[c] || c)));
  } else {
    element = h('input', { id, value, placeholder: field.standard === '' ? 'none' : field.standard, autocomplete: 'off', spellcheck: 'false' });
  }
  inputs.set(field.name, element);
  return h('label', { for: id }, title(field.name), units[field.name] ? h('span', { class: 'unit' }, `, ${units[field.name]}`) : null, ' ', element,
    h('small', { class: 'soft' }, field.help + (field.strategies ? ` Affects: ${field.strategies}.` : '')));
}

// Which of several targets a run learns: the data are opened for one, and others may join it.
async function targets(together) {
  const data = await get('/api/data').catch(() => null);
  if (!data || data.kind !== 'relations' || data.targets.length < 2) return null;
  const name = `${data.target.name}/${data.target.arity}`;
  const given = (app.state.wishes && app.state.wishes.targets) || [];
  const others = data.targets.filter((t) => t !== name).map((t) => {
    const box = h('input', { type: 'checkbox', value: t, checked: given.includes(t) });
    together.push(box);
    return h('label', { class: 'inline' }, box, ' ', t);
  });
  return [h('label', { for: 'target' }, 'Target ', h('select', { id: 'target', onchange: act((event) => app.change('/api/data', { source: data.source, target: event.target.value, closed_world: data.closed_world })) },
    data.targets.map((t) => h('option', { value: t, selected: t === name }, t))), h('small', { class: 'soft' }, 'What is to be learned. Another one begins anew.')),
  h('details', { id: 'together', open: given.length > 1 }, h('summary', {}, 'Learn other targets in the same run'), h('fieldset', {}, h('legend', {}, `Together with ${name}`), others),
    h('small', { class: 'soft' }, 'The rules of each may use the others. The time limit is one for each target. Such a run learns clauses, without a soft model. Stop keeps what was found, but the run cannot be resumed. It takes no vetoes and no pinned rules, and asks no questions.'))];
}

export async function show(main, shared) {
  app = shared;
  view = null;
  if (!app.state.data) {
    main.append(h('section', {}, empty('No data are open', 'Learning needs facts and examples.', h('button', { type: 'button', class: 'main', onclick: () => app.go('data') }, 'Open data'))));
    return;
  }
  const together = [];
  const [fields, choice] = await Promise.all([get('/api/fields'), targets(together)]);
  if (!main.isConnected) return;
  const inputs = new Map();
  const wishes = () => {
    const chosen = {};
    for (const [name, element] of inputs) if (element.value.trim() !== '') chosen[name] = element.value.trim();
    const others = together.filter((box) => box.checked).map((box) => box.value);
    if (others.length) chosen.targets = [app.state.data.target, ...others];
    return chosen;
  };
  const common = fields.filter((f) => f.common);
  const rare = fields.filter((f) => !f.common);
  view = {
    start: h('button', { class: 'main', type: 'submit', id: 'start' }, 'Start'),
    stop: h('button', { type: 'button', id: 'stop', onclick: act(() => app.change('/api/stop')) }, 'Stop'),
    resume: h('button', { type: 'button', id: 'resume', title: 'Goes on from the last checkpoint', onclick: act(() => app.change('/api/resume', app.state.wishes || {})) }, 'Resume'),
    live: h('section', { 'aria-label': 'The run' }),
    heat: picture('/api/heat-map.svg', 'Heat map of the unification scores: slots against predicates'),
    tree: picture('/api/hierarchy.svg', 'The hierarchy of invented predicates and what they match'),
  };
  view.pictures = h('section', { 'aria-label': 'The model', hidden: true },
    h('h2', {}, 'The soft model'),
    h('p', { class: 'soft' }, 'How well each slot of the hierarchy matches each predicate: a row is a slot, a column a predicate, dark is a score near 1. The rows sharpen while training goes on.'),
    h('div', { class: 'models' }, h('div', { class: 'picture', tabindex: 0, role: 'group', 'aria-label': 'Heat map' }, view.heat.image), h('div', { class: 'picture', tabindex: 0, role: 'group', 'aria-label': 'Hierarchy' }, view.tree.image)));
  main.append(h('div', { class: 'work' },
    h('section', { 'aria-label': 'Settings' },
      h('h2', {}, 'Learn'),
      h('form', { onsubmit: act(() => app.change('/api/start', wishes())) },
        h('div', { class: 'row' }, view.start, view.stop, view.resume),
        h('details', { open: matchMedia('(min-width: 901px)').matches }, h('summary', {}, 'Settings'), choice, common.map((f) => input(f, inputs)),
          rare.length ? h('details', { open: !common.length }, h('summary', {}, `All ${fields.length} settings`), rare.map((f) => input(f, inputs))) : null))),
    h('div', { class: 'stack' }, view.live, view.pictures)));
  update(app.state);
}

const names = { none: 'No run yet', running: 'Learning', stopping: 'Stopping', stopped: 'Stopped', done: 'Done', failed: 'The run failed', interrupted: 'Interrupted by a restart of the server' };

export function update(state) {
  if (!view) return;
  const run = state.run;
  const running = run.phase === 'running' || run.phase === 'stopping';
  const idle = run.phase === 'none' || run.phase === 'interrupted';
  view.start.disabled = running || !state.data;
  view.stop.disabled = run.phase !== 'running';
  view.resume.disabled = running || !run.resumable;
  const world = state.data && state.data.kind !== 'relations';
  const rate = running && run.rate > 0 ? run.rate : !running && run.seconds > 0 && run.trials > 0 ? run.trials / run.seconds : null;
  view.live.dataset.run = run.number;
  replace(view.live,
    h('div', { class: 'row apart' }, h('h2', {}, names[run.phase]),
      state.has_rules && !running ? h('button', { type: 'button', class: 'main', id: 'to-rules', onclick: () => app.go('rules') }, 'Look at the rules') : null),
    run.error ? h('p', { class: 'note bad', role: 'alert' }, run.error) : null,
    run.phase === 'none' ? [h('p', {}, world ? 'Start learns with the settings on this page. Empty fields stand for their defaults.'
      : 'Start looks for the shortest rules that are true of the positive examples and of none of the negative ones. Empty fields stand for their defaults.'),
    h('p', { class: 'soft' }, 'You will see here how far it is and the best program so far; of a soft model its loss and its scores, too. You can stop at any time and keep what was found.'),
    h('p', { class: 'soft' }, 'A run goes on when this page is closed, and every tab sees it.')] : null,
    run.phase === 'interrupted' ? h('p', { class: 'note warn' }, run.resumable ? 'Resume goes on from the last checkpoint.' : 'This run had no checkpoint yet: start it again.') : null,
    running ? h('progress', { max: 1, value: Math.min(run.fraction, 1), 'aria-label': 'Share of the time or work limit' }) : null,
    running && run.fraction > 0 ? h('p', { class: 'soft progress' }, `${percent(Math.min(run.fraction, 1))} of the time or work limit is used; it may be done earlier.`) : null,
    idle ? null : h('div', { id: 'figures' }, tiles([
      [running ? 'learning so far' : 'learning took', [run.seconds.toFixed(1), h('small', {}, 's')], 'Seconds since the run began'],
      rate ? [(run.trials > 0 ? 'candidates' : 'training iterations') + ' per second' + (running ? '' : ', on average'), Math.round(rate), 'Programs or clauses that are tried in a second; of training alone its iterations'] : null,
      run.trials > 0 ? ['candidates tried', run.trials] : null,
      run.restarts > 0 ? ['training runs and searches', run.restarts] : null,
      run.restarts > 0 && !world ? ['of these without errors', run.fits, 'Runs that found a program that explains all examples'] : null,
      run.loss >= 0 ? ['loss of the soft model', run.loss.toFixed(4), 'What training makes small: the error of the soft model on the examples, of late; 0 is best'] : null,
      run.errors >= 0 ? [run.errors === 1 ? 'example is wrong under the best program' : 'examples are wrong under the best program', run.errors] : null])),
    !run.program || (world && !running) ? null : world ? [h('h3', {}, 'Now'), run.program.includes('(') ? programText(run.program, { id: 'best' }) : h('p', { id: 'best' }, run.program)]
      : [h('h3', {}, !running ? 'The program' : state.wishes.targets ? 'Best program so far of the target under way' : 'Best program so far'), programText(run.program, { id: 'best' })],
    h('div', { class: 'columns curves' }, curve('Loss of the soft model', run.losses, ''), curve('Sharpness: mean of the largest score of each slot', run.sharpness, '', 1), curve('Wrong examples of the best program', run.error_curve, '')));
  view.pictures.hidden = !run.model;
  if (run.model) {
    view.heat.renew(state.version, !running);
    view.tree.renew(state.version, !running);
  }
}
