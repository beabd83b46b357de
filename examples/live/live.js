// gst-cca: the live page: puts its parts together
// SPDX-License-Identifier: LGPL-2.1-or-later

import { Calibration } from './calibration.js';
import { Chart } from './chart.js';
import { renameColor } from './colors.js';
import { Connection } from './connection.js';
import { Editor } from './editor.js';
import { Counts, Events } from './lists.js';
import { Stage } from './stage.js';

const find = (id) => document.getElementById(id);
const LAYER_KEYS = { b: 'boxes', n: 'names', t: 'trails', r: 'rules', v: 'picture' };
const STATES = { opening: 'Opening', playing: 'Live', lost: 'Source lost', failed: 'Stopped' };

const layers = {
  ...{ boxes: true, names: true, trails: true, rules: true, picture: true },
  ...JSON.parse(localStorage.getItem('layers') ?? '{}'),
};
const stage = new Stage(find('stage'), layers);
const chart = new Chart(find('chart'), find('reading'));
const events = new Events(find('events'), find('no-events'));
const counts = new Counts(find('rules'), find('no-rules'), (name) =>
  editor.select(name === stage.selected ? null : name),
);
const editor = new Editor(stage, (change) => connection.ask(change), {
  changed: showEditor,
  failed: (error) => toast(`Not changed: ${error.message}`),
  removed: (name, restore) => toast(`Deleted ${name}`, restore),
});
const calibration = new Calibration(stage, find('ground'), {
  changed: showCalibration,
  failed: (error) => toast(`Not changed: ${error.message}`),
  saved: toast,
});
const connection = new Connection({ frame: showFrame, message: hear, lost });
let version = null;
let arrivals = []; // when the last frames came, ms

// For tests and debugging: the line of the frame on show.
window.live = { stage, editor, calibration, chart, get line() { return stage.line; } };

async function showFrame(lines, blob) {
  for (const line of lines) {
    stage.follow(line);
    for (const event of line.events ?? []) events.add({ ...event, utc: line.utc });
  }
  const line = lines.at(-1);
  find('objects').textContent = line['n-tracks'] ?? 0;
  if (!document.hidden) {
    const bitmap = await createImageBitmap(blob).catch(() => null); // one that is broken is left out
    if (bitmap) stage.show(line, bitmap);
    find('curtain').classList.add('open');
    counts.show(line.counts ?? [], stage.selected);
  }
  // A rule that was just drawn can be edited once ccazones knows it.
  if (find('edit').hidden === Boolean(editor.selected)) showEditor();
  const now = performance.now();
  arrivals = [...arrivals.filter((time) => now - time < 3000), now];
  const rate = arrivals.length > 1 ? ((arrivals.length - 1) * 1000) / (now - arrivals[0]) : 0;
  const trouble = line['camera-state'] ?? 'well';
  find('facts').textContent = `${line.width} × ${line.height}  ·  ${rate.toFixed(1)} frames/s`;
  find('trouble').hidden = trouble === 'well';
  find('trouble').textContent = `Camera ${trouble === 'defocused' ? 'out of focus' : trouble}: rules pause`;
}

function hear(message) {
  if (message.type === 'hello') {
    // The server has a newer page than this one.
    if (version !== null && version !== message.version) location.reload();
    version = message.version;
    find('camera').textContent = message.camera;
    find('source').textContent = `${message.source} · ${message.element}`;
    document.title = `${message.camera} – gst-cca live`;
    chart.begin(message.seconds);
    events.begin(message.events);
  } else if (message.type === 'state') {
    showState(message.state, message.text);
  } else if (message.type === 'second') {
    chart.add(message.second);
  }
}

function showState(state, text) {
  find('state').dataset.state = state;
  find('state').title = text;
  find('state').lastElementChild.textContent = STATES[state];
  if (state !== 'playing') closeCurtain(state === 'lost' ? `The source is lost: ${text}` : `Opening ${text}…`);
}

function lost() {
  find('state').dataset.state = 'lost';
  find('state').lastElementChild.textContent = 'Reconnecting';
  arrivals = [];
  closeCurtain('The connection to the server is lost. Trying again…');
}

function closeCurtain(text) {
  find('curtain').firstElementChild.textContent = text;
  find('curtain').classList.remove('open');
}

function showEditor() {
  for (const kind of ['line', 'zone']) find(`draw-${kind}`).setAttribute('aria-pressed', editor.kind === kind);
  find('hint').textContent = editor.hint;
  find('hint').hidden = !editor.hint;
  const rule = editor.selected;
  find('edit').hidden = !rule;
  if (rule && find('name').dataset.of !== rule.name) find('name').value = rule.name;
  find('name').dataset.of = rule?.name ?? '';
  find('flip').hidden = rule?.type !== 'line';
  counts.show(editor.rules, stage.selected);
}

function showCalibration() {
  find('calibrate').setAttribute('aria-pressed', calibration.isOpen);
}

function calibrate() {
  editor.cancel();
  if (calibration.isOpen) calibration.close();
  else calibration.open();
}

function showLayers() {
  for (const button of document.querySelectorAll('[data-layer]'))
    button.setAttribute('aria-pressed', layers[button.dataset.layer]);
  localStorage.setItem('layers', JSON.stringify(layers));
  stage.redraw();
}

function switchLayer(name) {
  layers[name] = !layers[name];
  showLayers();
}

let toastTimer = null;

function toast(text, undo = null) {
  const box = find('toast');
  const [label, button] = box.children;
  label.textContent = text;
  button.hidden = !undo;
  button.onclick = () => {
    box.hidden = true;
    undo();
  };
  box.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (box.hidden = true), 8000);
}

for (const kind of ['line', 'zone'])
  find(`draw-${kind}`).addEventListener('click', () => {
    if (calibration.isOpen) calibration.close();
    editor.start(kind);
  });
find('calibrate').addEventListener('click', calibrate);
find('remove').addEventListener('click', () => editor.remove());
find('flip').addEventListener('click', () => editor.flip());
find('rename').addEventListener('submit', (event) => {
  event.preventDefault();
  const name = find('name').value.trim();
  renameColor(stage.selected, name);
  editor.rename(name);
});
find('theme-button').addEventListener('click', () => window.switchTheme());
find('keys-button').addEventListener('click', () => find('keys').showModal());
for (const button of document.querySelectorAll('[data-layer]'))
  button.addEventListener('click', () => switchLayer(button.dataset.layer));
for (const button of document.querySelectorAll('[data-minutes]')) {
  button.addEventListener('click', () => {
    chart.show(Number(button.dataset.minutes));
    for (const other of document.querySelectorAll('[data-minutes]'))
      other.setAttribute('aria-pressed', other === button);
  });
}
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input, dialog');
  const isPressing = event.target.closest('button') && [' ', 'Enter'].includes(event.key);
  if (isTyping || isPressing || event.ctrlKey || event.metaKey || event.altKey) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (key === '?') find('keys').showModal();
  else if (LAYER_KEYS[key]) switchLayer(LAYER_KEYS[key]);
  else if (key === 'm') calibrate();
  else if (!(calibration.isOpen ? calibration : editor).key({ key, shiftKey: event.shiftKey })) return;
  event.preventDefault();
});
showLayers();
showEditor();
