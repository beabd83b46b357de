// gst-cca: plots the last minutes on the live page: objects in view, crossings, entries and exits
// SPDX-License-Identifier: LGPL-2.1-or-later

import { ruleColor } from './colors.js';

const LEFT = 30; // CSS pixels beside the plots
const RIGHT = 8;
const TOP = 20;
const BOTTOM = 22;
const GAP = 26; // between the two plots
const LONGEST = 15 * 60; // seconds
const BARS = 60;

/** A second is [time, most objects in view or null, {rule: [in or forward, out or backward]}]. */
export class Chart {
  constructor(element, reading) {
    this.element = element;
    this.canvas = element.querySelector('canvas');
    this.reading = reading;
    this.seconds = [];
    this.minutes = 5;
    this.pointed = null; // a time
    new ResizeObserver(() => this.draw()).observe(element);
    window.addEventListener('theme', () => this.draw());
    element.addEventListener('pointermove', (event) => this.point(event.offsetX));
    element.addEventListener('pointerleave', () => this.pointAt(null));
    element.addEventListener('blur', () => this.pointAt(null));
    element.addEventListener('keydown', (event) => this.key(event));
  }

  begin(seconds) {
    this.seconds = seconds;
    this.draw();
  }

  add(second) {
    this.seconds.push(second);
    if (this.seconds.length > LONGEST) this.seconds.shift();
    this.draw();
  }

  show(minutes) {
    this.minutes = minutes;
    this.draw();
  }

  get end() {
    return this.seconds.length ? this.seconds.at(-1)[0] : Math.floor(Date.now() / 1000);
  }

  get span() {
    return this.minutes * 60;
  }

  /** The seconds of one bar. */
  get bin() {
    return Math.max(1, this.span / BARS);
  }

  point(x) {
    const part = (x - LEFT) / (this.width - LEFT - RIGHT);
    this.pointAt(part < 0 || part > 1 ? null : Math.round(this.end - this.span * (1 - part)));
  }

  pointAt(time) {
    this.pointed = time;
    this.draw();
  }

  key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const time = (this.pointed ?? this.end + 1) + step * (event.shiftKey ? 10 : 1);
    this.pointAt(Math.min(Math.max(time, this.end - this.span), this.end));
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width || !height) return;
    const density = window.devicePixelRatio || 1;
    [this.width, this.height] = [width, height];
    [this.canvas.width, this.canvas.height] = [Math.round(width * density), Math.round(height * density)];
    const pen = this.canvas.getContext('2d');
    pen.scale(density, density);
    pen.font = '11px system-ui, "DejaVu Sans", sans-serif';
    const style = getComputedStyle(this.element);
    const color = (name) => style.getPropertyValue(`--${name}`);
    const shown = this.seconds.filter(([time]) => time > this.end - this.span - this.bin);
    const room = height - TOP - GAP - BOTTOM;
    const upper = { top: TOP, bottom: TOP + 0.56 * room };
    const lower = { top: upper.bottom + GAP, bottom: height - BOTTOM };

    this.drawTimes(pen, color, upper, lower);
    this.drawObjects(pen, color, upper, shown);
    this.drawCrossings(pen, color, lower, shown);
    this.read(pen, color, upper, lower);
  }

  x(time) {
    return LEFT + (1 - (this.end - time) / this.span) * (this.width - LEFT - RIGHT);
  }

  drawTimes(pen, color, upper, lower) {
    const step = [15, 30, 60, 120, 300].find((s) => ((this.width - LEFT) * s) / this.span >= 56) ?? 300;
    pen.fillStyle = color('faint');
    pen.strokeStyle = color('edge');
    pen.lineWidth = 1;
    pen.textAlign = 'center';
    for (let time = Math.ceil((this.end - this.span) / step) * step; time <= this.end; time += step) {
      const x = Math.round(this.x(time)) + 0.5;
      for (const { top, bottom } of [upper, lower]) line(pen, x, top, x, bottom);
      const text = clock(time, step % 60 !== 0);
      const half = pen.measureText(text).width / 2;
      pen.fillText(text, Math.min(Math.max(x, LEFT + half), this.width - half), this.height - 6);
    }
    pen.textAlign = 'left';
    pen.fillStyle = color('soft');
    pen.fillText('In view', LEFT, upper.top - 8);
    pen.fillText('▲ in, forward   ▼ out, backward', LEFT, lower.top - 8);
  }

  drawObjects(pen, color, { top, bottom }, shown) {
    const most = niceLimit(Math.max(4, ...shown.map(([, objects]) => objects ?? 0)));
    const y = (value) => bottom - (value / most) * (bottom - top);
    scale(pen, color, this.width, [0, most / 2, most].map((value) => [value, y(value)]));
    pen.save();
    pen.beginPath();
    pen.rect(LEFT, 0, this.width - LEFT - RIGHT, this.height);
    pen.clip();
    for (const run of runs(shown)) {
      const outline = new Path2D();
      run.forEach(([time, objects], i) => {
        const [x, level] = [this.x(time), y(objects)];
        if (i) outline.lineTo(x, level);
        else outline.moveTo(x, level);
      });
      const area = new Path2D(outline);
      area.lineTo(this.x(run.at(-1)[0]), bottom);
      area.lineTo(this.x(run[0][0]), bottom);
      pen.globalAlpha = 0.16;
      pen.fillStyle = color('accent');
      pen.fill(area);
      pen.globalAlpha = 1;
      pen.strokeStyle = color('accent');
      pen.lineWidth = 1.75;
      pen.lineJoin = 'round';
      pen.stroke(outline);
    }
    pen.restore();
  }

  drawCrossings(pen, color, { top, bottom }, shown) {
    const bars = this.bars(shown);
    const sum = (rules, i) => [...rules.values()].reduce((sum, counts) => sum + counts[i], 0);
    const most = Math.max(2, ...[...bars.values()].flatMap((rules) => [sum(rules, 0), sum(rules, 1)]));
    const middle = (top + bottom) / 2;
    const unit = (bottom - top) / 2 / most;
    scale(pen, color, this.width, [[most, top], [0, middle], [most, bottom]]);
    const width = Math.max(2, ((this.width - LEFT - RIGHT) * this.bin) / this.span - 1.5);
    for (const [time, rules] of bars) {
      const x = Math.max(this.x(time), LEFT);
      let [up, down] = [middle - 0.5, middle + 0.5];
      for (const [rule, [inwards, outwards]] of rules) {
        pen.fillStyle = ruleColor(rule);
        pen.fillRect(x, up - inwards * unit, width, inwards * unit);
        pen.fillRect(x, down, width, outwards * unit);
        up -= inwards * unit;
        down += outwards * unit;
      }
    }
  }

  /** Sums of the crossings: the time of a bar → rule → [in, out]. */
  bars(seconds) {
    const bars = new Map();
    for (const [time, , crossings] of seconds) {
      const start = Math.floor(time / this.bin) * this.bin;
      for (const [rule, [inwards, outwards]] of Object.entries(crossings)) {
        if (!bars.has(start)) bars.set(start, new Map());
        const sum = bars.get(start).get(rule) ?? [0, 0];
        bars.get(start).set(rule, [sum[0] + inwards, sum[1] + outwards]);
      }
    }
    return bars;
  }

  read(pen, color, upper, lower) {
    this.reading.hidden = this.pointed === null;
    if (this.pointed === null) return;
    const x = this.x(this.pointed);
    pen.strokeStyle = color('soft');
    pen.lineWidth = 1;
    line(pen, Math.round(x) + 0.5, upper.top, Math.round(x) + 0.5, lower.bottom);
    const second = this.seconds.find(([time]) => time === this.pointed);
    const title = document.createElement('b');
    title.textContent = clock(this.pointed, true);
    const texts = [second?.[1] == null ? 'no frames' : `${second[1]} in view`];
    for (const [rule, [inwards, outwards]] of this.bars(this.barAt(this.pointed)).values().next().value ?? [])
      texts.push(`${rule}: ▲ ${inwards}  ▼ ${outwards}`);
    this.reading.replaceChildren(title, ...texts.flatMap((text) => [text, document.createElement('br')]));
    this.element.setAttribute('aria-label', [title.textContent, ...texts].join(', '));
    const left = x + 12 + this.reading.offsetWidth > this.width ? x - 12 - this.reading.offsetWidth : x + 12;
    this.reading.style.left = `${left}px`;
  }

  barAt(pointed) {
    const start = Math.floor(pointed / this.bin) * this.bin;
    return this.seconds.filter(([time]) => time >= start && time < start + this.bin);
  }
}

/** The runs of seconds with frames. */
function runs(seconds) {
  const found = [];
  let run = [];
  for (const second of seconds) {
    if (second[1] !== null && (!run.length || second[0] - run.at(-1)[0] < 3)) {
      run.push(second);
      continue;
    }
    if (run.length) found.push(run);
    run = second[1] === null ? [] : [second];
  }
  return run.length ? [...found, run] : found;
}

function scale(pen, color, width, marks) {
  pen.textAlign = 'right';
  pen.lineWidth = 1;
  for (const [value, y] of marks) {
    pen.strokeStyle = color('edge');
    line(pen, LEFT, Math.round(y) + 0.5, width - RIGHT, Math.round(y) + 0.5);
    pen.fillStyle = color('faint');
    pen.fillText(value, LEFT - 6, y + 4);
  }
  pen.textAlign = 'left';
}

function line(pen, ax, ay, bx, by) {
  pen.beginPath();
  pen.moveTo(ax, ay);
  pen.lineTo(bx, by);
  pen.stroke();
}

/** The next even number with one significant digit. */
function niceLimit(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [2, 4, 6, 8, 10, 20].map((digit) => digit * power).find((limit) => limit >= value);
}

export function clock(seconds, withSeconds) {
  return new Date(1000 * seconds).toLocaleTimeString(undefined, {
    hour: '2-digit',
    minute: '2-digit',
    ...(withSeconds ? { second: '2-digit' } : {}),
    hour12: false,
  });
}
