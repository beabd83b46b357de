// gst-cca: the live page's lists: the counts of each rule, and the events
// SPDX-License-Identifier: LGPL-2.1-or-later

import { ruleColor } from './colors.js';

const MAX_EVENTS = 200;
const ARROWS = { forward: 'right', backward: 'left' };
const TEXTS = {
  enter: 'entered',
  leave: 'left',
  left: 'left behind in',
  removed: 'removed from',
  stopped: 'stopped in',
  'wrong-way': 'went the wrong way in',
};

/** The rules with their counters, each a button that selects it. */
export class Counts {
  constructor(list, empty, select) {
    this.list = list;
    this.empty = empty;
    this.select = select;
    this.items = new Map();
    this.shown = '';
  }

  show(rules, selected) {
    const key = JSON.stringify([selected, rules.map((rule) => ({ ...rule, points: undefined }))]);
    if (key === this.shown) return;
    this.shown = key;
    const names = new Set(rules.map((rule) => rule.name));
    for (const [name, item] of this.items) {
      if (names.has(name)) continue;
      item.element.remove();
      this.items.delete(name);
    }
    for (const rule of rules) this.update(this.items.get(rule.name) ?? this.add(rule), rule, selected);
    this.empty.hidden = rules.length > 0;
  }

  add(rule) {
    const isZone = rule.type === 'zone';
    const button = element('button', '', { type: 'button' });
    button.style.setProperty('--rule', ruleColor(rule.name));
    button.addEventListener('click', () => this.select(rule.name));
    const numbers = element('span', 'numbers');
    const item = { element: element('li'), button, values: {} };
    const shown = isZone
      ? { occupancy: 'inside', 'n-in': 'in', 'n-out': 'out' }
      : { 'n-in': 'forward', 'n-out': 'backward' };
    for (const [member, text] of Object.entries(shown)) {
      const number = element('span', 'number');
      item.values[member] = element('b');
      number.append(item.values[member], element('span', '', {}, text));
      numbers.append(number);
    }
    button.append(
      element('span', 'dot'),
      element('span', 'name', { title: rule.name }, rule.name),
      element('span', 'kind', {}, rule.type),
      numbers,
    );
    item.element.append(button);
    this.list.append(item.element);
    this.items.set(rule.name, item);
    return item;
  }

  update(item, rule, selected) {
    item.button.setAttribute('aria-pressed', rule.name === selected);
    for (const [member, value] of Object.entries(item.values)) {
      const text = String(rule[member] ?? 0);
      if (value.textContent === text) continue;
      const isFirst = !value.textContent;
      value.textContent = text;
      if (isFirst) continue;
      value.parentElement.classList.remove('changed');
      void value.offsetWidth; // begins the animation anew
      value.parentElement.classList.add('changed');
    }
  }
}

/** The events, the newest first. */
export class Events {
  constructor(list, empty) {
    this.list = list;
    this.empty = empty;
  }

  begin(events) {
    this.list.replaceChildren();
    events.forEach((event) => this.add(event));
    this.empty.hidden = events.length > 0;
  }

  add(event) {
    const item = element('li');
    item.style.setProperty('--rule', ruleColor(event.rule));
    const what = element('span', 'what');
    what.append(...sentence(event));
    item.append(element('span', 'dot'), what);
    const time = event.utc ? new Date(event.utc) : new Date();
    const attributes = { datetime: time.toISOString(), title: time.toLocaleString() };
    item.append(element('time', '', attributes, time.toLocaleTimeString(undefined, { hour12: false })));
    this.list.prepend(item);
    if (this.list.children.length > MAX_EVENTS) this.list.lastElementChild.remove();
    this.empty.hidden = true;
  }
}

function sentence(event) {
  const rule = element('b', '', {}, event.rule);
  const track = `#${event['track-id']} `;
  switch (event.type) {
    case 'cross':
      return [track, 'crossed ', rule, ' ', icon(ARROWS[event.direction]), ` ${event.direction}`];
    case 'motion-on':
      return ['Motion in ', rule];
    case 'motion-off':
      return ['No more motion in ', rule];
    case 'crowd-on':
      return ['Too many in ', rule, `: ${event.occupancy}`];
    case 'crowd-off':
      return ['No longer too many in ', rule];
    case 'section':
      return [track, 'passed the section to ', rule, ` with ${Math.round(event.speed * 3.6)} km/h`];
    case 'dwell':
      return [track, 'has been in ', rule, ` for ${Math.round(event.dwell / 1e9)} s`];
    default:
      return [track, `${TEXTS[event.type] ?? event.type} `, rule];
  }
}

function icon(name) {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  const use = document.createElementNS(space, 'use');
  use.setAttribute('href', `/icons.svg#${name}`);
  svg.setAttribute('aria-hidden', 'true');
  svg.append(use);
  return svg;
}

function element(tag, name = '', attributes = {}, text = '') {
  const made = document.createElement(tag);
  if (name) made.className = name;
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.textContent = text;
  return made;
}
