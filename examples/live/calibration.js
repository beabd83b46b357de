// gst-cca: the calibration editor of the live page: points on the picture, and their metres on the ground
// SPDX-License-Identifier: LGPL-2.1-or-later

import { fit, project, residual } from './ground.js';
import { drawHandle, polyline, stroke } from './stage.js';

const RULES = '/api/v1/rules';
const NEAR = 18; // CSS pixels within which a pointer takes a point
const STEP = 0.002; // of the frame, by which arrow keys move a point
const LONG_STEP = 0.02;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const NOMINAL = [1920, 1080]; // of which ccazones takes relative points as pixels
const FEWEST = 4;
const MOST = 256;
const FIRST = [[0.25, 0.85], [0.75, 0.85], [0.62, 0.5], [0.38, 0.5]];
const LINES = 12; // of the grid, in each direction, about
const PIECES = 32; // of a line of the grid
const COLOR = '#ffd54a';

export class Calibration {
  /** form: the panel; on: functions changed (), failed (error) and saved (text). */
  constructor(stage, form, on) {
    this.stage = stage;
    this.form = form;
    this.on = on;
    this.points = null; // while open: { at: parts of the frame, x, y: texts of metres }
    this.chosen = 0; // the point that keys move
    const find = (name) => form.querySelector(`[data-part="${name}"]`);
    [this.sides, this.list, this.verdict, this.save] = ['sides', 'list', 'verdict', 'save'].map(find);
    for (const [name, act] of Object.entries({
      add: () => this.add(),
      close: () => this.close(),
      forget: () => this.store(null),
    }))
      find(name).addEventListener('click', act);
    this.forget = find('forget');
    form.addEventListener('input', () => this.show());
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (this.fitted) this.store(this.ground);
    });
    for (const button of form.querySelectorAll('[data-form]'))
      button.addEventListener('click', () => this.turnTo(button.dataset.form));
    // Before the editor of rules, which must not get this editor's events.
    const acts = { down: this.press, move: this.move, up: this.release, cancel: this.release };
    for (const [type, act] of Object.entries(acts))
      stage.element.addEventListener(`pointer${type}`, (event) => this.points && act.call(this, event), true);
    stage.above = (pen) => this.points && this.draw(pen);
  }

  get isOpen() {
    return this.points !== null;
  }

  /** Opens with the ground of the rules file, if it has one. */
  async open() {
    if (!this.stage.line) return;
    try {
      const { document } = await load();
      this.document = document;
      this.take(document.ground);
    } catch (error) {
      this.on.failed(error);
      return;
    }
    this.form.hidden = false;
    this.stage.element.classList.add('calibrating');
    this.list.replaceChildren();
    this.show();
    this.on.changed();
  }

  close() {
    this.points = null;
    this.form.hidden = true;
    this.stage.element.classList.remove('calibrating');
    this.stage.redraw();
    this.on.changed();
  }

  /** The frame size in whose pixels the file's points are. */
  get size() {
    const { units, width, height } = this.document;
    return units === 'relative' ? NOMINAL : [width ?? this.stage.line.width, height ?? this.stage.line.height];
  }

  take(ground) {
    const [width, height] = this.document.units === 'relative' ? [1, 1] : this.size;
    const point = ([x, y], place) => ({ at: [x / width, y / height], x: `${place[0]}`, y: `${place[1]}` });
    const { rectangle, points, marks } = ground ?? {};
    this.isRectangle = !points && !marks;
    const sides = [rectangle?.width ?? '', rectangle?.length ?? ''];
    [...this.sides.querySelectorAll('input')].forEach((input, i) => (input.value = sides[i]));
    this.points = (rectangle?.points ?? []).map((image) => point(image, ['', '']));
    if (!ground) this.points = FIRST.map((at) => ({ at, x: '', y: '' }));
    for (const { image, place } of points ?? []) this.points.push(point(image, place));
    for (const line of marks?.lines ?? [])
      line.points.forEach((image, i) =>
        this.points.push(point(image, [line.across, (line.along ?? 0) + i * marks.every])),
      );
    this.chosen = 0;
    this.forget.hidden = !ground;
  }

  /** The ground for the file, or null while numbers are missing. */
  get ground() {
    const [width, height] = this.document.units === 'relative' ? [1, 1] : this.size;
    const round = (value, size) => Number(value.toFixed(size === 1 ? 5 : 2));
    const images = this.points.map(({ at: [x, y] }) => [round(x * width, width), round(y * height, height)]);
    if (this.isRectangle) {
      const [across, along] = [...this.sides.querySelectorAll('input')].map((input) => input.valueAsNumber);
      return across > 0 && along > 0 ? { rectangle: { points: images, width: across, length: along } } : null;
    }
    const places = this.points.map(({ x, y }) => [x, y].map((text) => (text === '' ? NaN : Number(text))));
    if (!places.flat().every(Number.isFinite)) return null;
    return { points: images.map((image, i) => ({ image, place: places[i] })) };
  }

  /** The points as ccazones fits them, or null while numbers are missing. */
  get pairs() {
    const { ground } = this;
    if (!ground) return null;
    const [sx, sy] = this.document.units === 'relative' ? NOMINAL : [1, 1];
    const pixels = ([x, y]) => [x * sx, y * sy];
    if (ground.points) return ground.points.map(({ image, place }) => ({ image: pixels(image), place }));
    const { points, width, length } = ground.rectangle;
    const places = [[0, 0], [width, 0], [width, length], [0, length]];
    return points.map((image, i) => ({ image: pixels(image), place: places[i] }));
  }

  turnTo(form) {
    if (form === 'points' && this.isRectangle) {
      const places = this.pairs?.map(({ place }) => place);
      const text = (i, axis) => `${places?.[i][axis] ?? ''}`;
      this.points = this.points.map(({ at }, i) => ({ at, x: text(i, 0), y: text(i, 1) }));
    }
    this.isRectangle = form === 'rectangle';
    if (this.isRectangle) this.points = this.points.slice(0, FEWEST);
    this.chosen = Math.min(this.chosen, this.points.length - 1);
    this.list.replaceChildren();
    this.show();
  }

  add() {
    if (this.points.length === MOST) return;
    // Close to the other points, so that it is visible.
    const at = [0, 1].map((axis) => this.points.reduce((sum, point) => sum + point.at[axis] / this.points.length, 0));
    this.points.push({ at, x: '', y: '' });
    this.chosen = this.points.length - 1;
    this.show();
    this.list.lastElementChild.querySelector('input').focus();
  }

  drop(point) {
    if (this.isRectangle || this.points.length === FEWEST) return;
    this.points = this.points.filter((other) => other !== point);
    this.chosen = Math.min(this.chosen, this.points.length - 1);
    this.list.replaceChildren();
    this.show();
  }

  async store(ground) {
    try {
      const { document, tag } = await load();
      const { ground: _, ...others } = document;
      const answer = await fetch(RULES, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json', 'If-Match': tag },
        body: JSON.stringify(ground ? { ...others, ground } : others),
      });
      if (!answer.ok) throw new Error((await answer.json()).detail);
    } catch (error) {
      this.on.failed(error);
      return;
    }
    this.close();
    this.on.saved(ground ? 'The ground is saved: rules have metres now.' : 'The ground is removed.');
  }

  /** Updates the panel and the picture. */
  show() {
    for (const button of this.form.querySelectorAll('[data-form]'))
      button.setAttribute('aria-pressed', (button.dataset.form === 'rectangle') === this.isRectangle);
    for (const part of this.form.querySelectorAll('[data-for]'))
      part.hidden = (part.dataset.for === 'rectangle') !== this.isRectangle;
    if (!this.isRectangle) while (this.list.children.length < this.points.length) this.list.append(this.row());
    this.judge();
    [...this.list.children].forEach((row, i) => {
      row.classList.toggle('chosen', i === this.chosen);
      row.querySelector('button').disabled = this.points.length === FEWEST;
      row.querySelector('output').textContent = this.misses ? `${this.misses[i].metres.toFixed(2)} m` : '';
    });
    this.stage.redraw();
  }

  row() {
    const point = this.points[this.list.children.length];
    const row = document.createElement('li');
    const input = (axis) => {
      const box = Object.assign(document.createElement('input'), { type: 'number', step: 'any', value: point[axis] });
      box.setAttribute('aria-label', `${axis} of point ${this.points.indexOf(point) + 1}, metres`);
      box.addEventListener('input', () => (point[axis] = box.value));
      box.addEventListener('focus', () => this.choose(this.points.indexOf(point)));
      return box;
    };
    const number = Object.assign(document.createElement('b'), { textContent: this.list.children.length + 1 });
    const bin = Object.assign(document.createElement('button'), { type: 'button', textContent: '×', title: 'Remove' });
    bin.setAttribute('aria-label', `Remove point ${number.textContent}`);
    bin.addEventListener('click', () => this.drop(point));
    row.append(number, input('x'), input('y'), document.createElement('output'), bin);
    return row;
  }

  judge() {
    const { pairs } = this;
    [this.fitted, this.misses, this.blamed] = [null, null, []];
    let text = this.isRectangle ? 'Type the width and the length.' : 'Type the metres of each point.';
    try {
      if (pairs) {
        this.fitted = fit(pairs);
        this.misses = pairs.map((pair) => residual(this.fitted, pair));
        const sumOf = (name) => this.misses.reduce((sum, miss) => sum + miss[name] ** 2, 0);
        const mean = (name) => Math.sqrt(sumOf(name) / pairs.length);
        const perUnit = this.stage.line.width / this.size[0]; // pixels of the video
        this.step = stepOf(pairs);
        text = `Grid: ${this.step} m. `;
        if (pairs.length === FEWEST) text += 'Four points fit exactly; a fifth shows the error.';
        else text += `Error: ${(mean('pixels') * perUnit).toFixed(1)} pixels, ${mean('metres').toFixed(2)} m.`;
      }
    } catch (misfit) {
      [text, this.blamed] = [misfit.message, misfit.at ?? []];
    }
    this.verdict.textContent = text;
    this.verdict.classList.toggle('bad', Boolean(pairs) && !this.fitted);
    this.save.disabled = !this.fitted;
  }

  choose(number) {
    this.chosen = (number + this.points.length) % this.points.length;
    this.show();
  }

  /** Handles a key while the editor is open; returns whether it has a meaning. */
  key({ key, shiftKey }) {
    if (!this.points) return false;
    const point = this.points[this.chosen];
    const step = shiftKey ? LONG_STEP : STEP;
    if (key === 'Escape') this.close();
    else if (key === '[' || key === ']') this.choose(this.chosen + (key === ']' ? 1 : -1));
    else if (key === 'Delete') this.drop(point);
    else if (key === 'Enter') this.form.requestSubmit();
    else if (ARROWS[key]) this.put(ARROWS[key].map((to, axis) => point.at[axis] + to * step));
    else return false;
    return true;
  }

  put(at) {
    this.points[this.chosen].at = at.map((value) => Math.min(Math.max(value, 0), 1));
    this.show();
  }

  press(event) {
    event.stopImmediatePropagation();
    if (event.button !== 0) return;
    event.preventDefault();
    const [x, y] = this.stage.onStage(this.stage.place(event));
    const far = this.points.map(({ at }) => this.stage.onStage(at)).map(([px, py]) => Math.hypot(px - x, py - y));
    const nearest = far.indexOf(Math.min(...far));
    if (far[nearest] > NEAR) return;
    this.stage.element.setPointerCapture(event.pointerId);
    this.stage.element.focus({ preventScroll: true });
    this.isDragging = true;
    this.choose(nearest);
  }

  move(event) {
    event.stopImmediatePropagation();
    if (this.isDragging) this.put(this.stage.place(event));
  }

  release(event) {
    event.stopImmediatePropagation();
    this.isDragging = false;
  }

  draw(pen) {
    const [width, height] = this.size;
    const toStage = ([x, y]) => this.stage.onStage([x / width, y / height]);
    if (this.fitted) this.drawGrid(pen, toStage);
    const places = this.points.map(({ at }) => this.stage.onStage(at));
    if (this.isRectangle) stroke(pen, polyline(places, true), COLOR, 2);
    places.forEach((place, i) => {
      drawHandle(pen, place, this.blamed.includes(i) ? '#ff4d57' : i === this.chosen ? '#0a84ff' : COLOR);
      this.stage.drawLabel(pen, `${i + 1}`, place[0] + 10, place[1] - 22, 'rgb(8 12 17 / .82)', COLOR);
    });
  }

  drawGrid(pen, toStage) {
    pen.strokeStyle = COLOR;
    pen.lineWidth = 1;
    pen.globalAlpha = 0.75;
    pen.beginPath();
    for (const line of gridOf(this.pairs, this.step)) {
      let isDown = false;
      for (const place of line) {
        const at = project(this.fitted.toImage, place);
        if (at) pen[isDown ? 'lineTo' : 'moveTo'](...toStage(at));
        isDown = Boolean(at);
      }
    }
    pen.stroke();
    pen.globalAlpha = 1;
  }
}

async function load() {
  const answer = await fetch(RULES, { cache: 'no-store' });
  const document = await answer.json();
  if (!answer.ok) throw new Error(document.detail);
  return { document, tag: answer.headers.get('ETag') };
}

/** The minimum and maximum of the places on an axis. */
function spanOf(pairs, axis) {
  const values = pairs.map(({ place }) => place[axis]);
  return [Math.min(...values), Math.max(...values)];
}

/** The side of the grid's cells, metres: 1, 2 or 5 times a power of 10. */
function stepOf(pairs) {
  const longest = Math.max(...[0, 1].map((axis) => spanOf(pairs, axis)).map(([from, to]) => to - from));
  const unit = 10 ** Math.floor(Math.log10(longest / LINES));
  return Number(([1, 2, 5].find((times) => times * unit * LINES >= longest) ?? 10) * unit.toPrecision(1));
}

/** The grid's lines, each a list of places, over the points plus one cell on each side. */
function gridOf(pairs, step) {
  const spans = [0, 1].map((axis) => spanOf(pairs, axis)).map(([from, to]) => [
    Math.floor(from / step - 1) * step,
    Math.ceil(to / step + 1) * step,
  ]);
  const lines = [];
  for (const axis of [0, 1]) {
    const [[from, to], [begin, end]] = [spans[axis], spans[1 - axis]];
    for (let i = 0; i <= Math.round((to - from) / step); i++)
      lines.push(
        Array.from({ length: PIECES + 1 }, (_, k) => {
          const place = [from + i * step, begin + ((end - begin) * k) / PIECES];
          return axis === 0 ? place : place.reverse();
        }),
      );
  }
  return lines;
}
