// gst-cca: paints a frame of the live page and its results
// SPDX-License-Identifier: LGPL-2.1-or-later

import { ruleColor, trackColor } from './colors.js';

const TRAIL = 4e9; // ns that a trail lasts
const FLASH = 700; // ms that an event is seen
const CASING = 'rgb(0 0 0 / .55)';

export class Stage {
  /** layers: an object of booleans, boxes, names, trails, rules and picture, which may change at any time. */
  constructor(element, layers) {
    this.element = element;
    this.layers = layers;
    this.video = element.querySelector('#video');
    this.marks = element.querySelector('#marks');
    this.line = null; // the line of JSON of the frame that is shown
    this.draft = null; // what is being drawn: kind, points, cursor
    this.selected = null; // a rule's name
    this.above = null; // a function that paints over all of it with a pen
    this.moved = null; // a rule whose points are being moved: name, points
    this.trails = new Map();
    this.flashes = [];
    new ResizeObserver(() => this.layout()).observe(element);
  }

  /** Shows a frame. The bitmap becomes the stage's. */
  show(line, bitmap) {
    this.line = line;
    this.bitmap?.close();
    this.bitmap = bitmap;
    const shape = bitmap.width / bitmap.height;
    if (this.shape !== shape) {
      this.shape = shape;
      document.documentElement.style.setProperty('--shape', shape);
      this.layout();
    }
    this.redraw();
  }

  /** Adds the line of a frame, shown or not. */
  follow(line) {
    if (line.timestamp < this.newest || line['scene-change']) this.trails.clear();
    this.newest = line.timestamp;
    for (const track of line.tracks ?? []) {
      if (!this.trails.has(track['track-id'])) this.trails.set(track['track-id'], []);
      this.trails.get(track['track-id']).push([line.timestamp, track.x + track.width / 2, track.y + track.height]);
    }
    for (const [id, points] of this.trails) {
      while (points.length && points[0][0] < line.timestamp - TRAIL) points.shift();
      if (!points.length) this.trails.delete(id);
    }
    const now = performance.now();
    this.flashes = this.flashes.filter((flash) => now - flash.since < FLASH);
    for (const event of line.events ?? []) this.flashes.push({ since: now, ...event });
  }

  layout() {
    if (!this.shape) return;
    const { clientWidth: width, clientHeight: height } = this.element;
    this.width = Math.min(width, height * this.shape);
    this.height = this.width / this.shape;
    const density = window.devicePixelRatio || 1;
    for (const canvas of [this.video, this.marks]) {
      canvas.style.width = `${this.width}px`;
      canvas.style.height = `${this.height}px`;
      canvas.width = Math.round(this.width * density);
      canvas.height = Math.round(this.height * density);
    }
    this.redraw();
  }

  /** A pointer's place relative to the frame, from 0 to 1. */
  place(event) {
    const box = this.marks.getBoundingClientRect();
    const part = (value) => Math.min(Math.max(value, 0), 1);
    return [part((event.clientX - box.left) / box.width), part((event.clientY - box.top) / box.height)];
  }

  /** The points of a line's rule, relative to the frame. */
  partsOf(rule) {
    if (this.moved?.name === rule.name) return this.moved.points;
    return (rule.points ?? []).map(([x, y]) => [x / this.line.width, y / this.line.height]);
  }

  /** The place on the stage, in CSS pixels, of a place relative to the frame. */
  onStage([x, y]) {
    return [x * this.width, y * this.height];
  }

  redraw() {
    if (!this.bitmap || !this.width) return;
    const picture = this.video.getContext('2d', { alpha: false });
    if (this.layers.picture) {
      picture.imageSmoothingQuality = 'high';
      picture.drawImage(this.bitmap, 0, 0, this.video.width, this.video.height);
    } else {
      picture.fillStyle = '#0b1016';
      picture.fillRect(0, 0, this.video.width, this.video.height);
    }
    const pen = this.marks.getContext('2d', { willReadFrequently: false });
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.marks.width, this.marks.height);
    pen.scale(this.marks.width / this.width, this.marks.height / this.height);
    pen.lineJoin = pen.lineCap = 'round';
    pen.font = '600 12px system-ui, "DejaVu Sans", sans-serif';
    pen.textBaseline = 'middle';
    if (this.layers.rules) for (const rule of this.line.counts ?? []) this.drawRule(pen, rule);
    if (this.layers.trails) this.drawTrails(pen);
    for (const track of this.line.tracks ?? []) this.drawTrack(pen, track);
    if (this.layers.rules) this.drawFlashes(pen);
    if (this.draft) this.drawDraft(pen);
    this.above?.(pen);
  }

  drawTrack(pen, track) {
    const scale = this.width / this.line.width;
    const down = this.height / this.line.height;
    const color = trackColor(track['track-id']);
    const [x, y] = [track.x * scale, track.y * down];
    const [width, height] = [track.width * scale, track.height * down];
    if (this.layers.boxes) {
      pen.globalAlpha = track.state === 'coasting' ? 0.55 : 1;
      pen.setLineDash(track.state === 'confirmed' ? [] : [6, 5]);
      stroke(pen, rectangle(x, y, width, height), color, 2);
      pen.setLineDash([]);
      pen.globalAlpha = 1;
    }
    if (this.layers.names) this.drawLabel(pen, nameOf(track), x - 1, y - 20, color, '#10151b');
  }

  drawLabel(pen, text, x, y, back, front) {
    const width = pen.measureText(text).width + 10;
    const left = Math.min(Math.max(x, 2), this.width - width - 2);
    const top = Math.min(Math.max(y, 2), this.height - 20);
    pen.fillStyle = back;
    pen.beginPath();
    pen.roundRect(left, top, width, 18, 5);
    pen.fill();
    pen.fillStyle = front;
    pen.fillText(text, left + 5, top + 9.5);
  }

  drawTrails(pen) {
    const scale = this.width / this.line.width;
    const down = this.height / this.line.height;
    pen.lineWidth = 2.5;
    for (const [id, points] of this.trails) {
      pen.strokeStyle = trackColor(id);
      for (let i = 1; i < points.length; i++) {
        const age = (this.newest - points[i][0]) / TRAIL;
        pen.globalAlpha = 0.9 * (1 - age);
        pen.beginPath();
        pen.moveTo(points[i - 1][1] * scale, points[i - 1][2] * down);
        pen.lineTo(points[i][1] * scale, points[i][2] * down);
        pen.stroke();
      }
    }
    pen.globalAlpha = 1;
  }

  drawRule(pen, rule) {
    const points = this.partsOf(rule).map((point) => this.onStage(point));
    if (!points.length) return;
    const isZone = rule.type === 'zone';
    const isSelected = this.selected === rule.name;
    const isLit = this.flashes.some((f) => f.rule === rule.name && performance.now() - f.since < FLASH);
    const color = ruleColor(rule.name);
    const path = polyline(points, isZone);
    if (isZone) {
      pen.globalAlpha = isLit ? 0.3 : 0.13;
      pen.fillStyle = color;
      pen.fill(path);
      pen.globalAlpha = 1;
    }
    stroke(pen, path, color, isSelected || isLit ? 4 : 2.5);
    if (!isZone) drawArrow(pen, points, color);
    const [x, y] = isZone ? topOf(points) : points[0];
    this.drawLabel(pen, rule.name, x + 8, y + (isZone ? 6 : -9), 'rgb(8 12 17 / .82)', color);
    if (isSelected) for (const point of points) drawHandle(pen, point, color);
  }

  drawFlashes(pen) {
    const now = performance.now();
    for (const flash of this.flashes) {
      const age = (now - flash.since) / FLASH;
      if (age >= 1 || flash.x === undefined) continue;
      const [x, y] = this.onStage([flash.x / this.line.width, flash.y / this.line.height]);
      pen.globalAlpha = 1 - age;
      const ring = new Path2D();
      ring.arc(x, y, 6 + 22 * age, 0, 2 * Math.PI);
      stroke(pen, ring, ruleColor(flash.rule), 3);
      pen.globalAlpha = 1;
    }
  }

  drawDraft(pen) {
    const { kind, points, cursor } = this.draft;
    const placed = points.map((point) => this.onStage(point));
    const all = cursor ? [...placed, this.onStage(cursor)] : placed;
    const color = '#ffffff';
    if (kind === 'zone' && all.length > 2) {
      pen.fillStyle = 'rgb(255 255 255 / .18)';
      pen.fill(polyline(all, true));
    }
    if (all.length > 1) {
      stroke(pen, polyline(all, kind === 'zone' && all.length > 2), color, 2.5);
      if (kind === 'line') drawArrow(pen, all, color);
    }
    for (const point of placed) drawHandle(pen, point, color);
    if (cursor) {
      const [x, y] = this.onStage(cursor);
      const cross = new Path2D(`M${x - 11} ${y}h8m6 0h8M${x} ${y - 11}v8m0 6v8`);
      stroke(pen, cross, color, 2);
    }
  }
}

/** A track's class, by a detector or else by its size, and its number. */
export function nameOf(track) {
  return [track.class ?? track.ground?.['size-class'], track['track-id']].filter((part) => part !== undefined).join(' ');
}

/** Draws a line in a colour, with a dark edge that makes it visible on any picture. */
export function stroke(pen, path, color, width) {
  pen.strokeStyle = CASING;
  pen.lineWidth = width + 2;
  pen.stroke(path);
  pen.strokeStyle = color;
  pen.lineWidth = width;
  pen.stroke(path);
}

function rectangle(x, y, width, height) {
  const path = new Path2D();
  path.roundRect(x, y, width, height, Math.min(3, width / 2, height / 2));
  return path;
}

export function polyline(points, isClosed) {
  const path = new Path2D();
  points.forEach(([x, y], i) => (i ? path.lineTo(x, y) : path.moveTo(x, y)));
  if (isClosed) path.closePath();
  return path;
}

/** Draws the forward direction: from left to right, looking along the line. */
function drawArrow(pen, points, color) {
  const [[ax, ay], [bx, by]] = longestSide(points);
  const length = Math.hypot(bx - ax, by - ay);
  if (length < 1) return;
  const [x, y] = [(ax + bx) / 2, (ay + by) / 2];
  const [dx, dy] = [-(by - ay) / length, (bx - ax) / length];
  const [tx, ty] = [x + 22 * dx, y + 22 * dy];
  const path = new Path2D();
  path.moveTo(x, y);
  path.lineTo(tx, ty);
  path.moveTo(tx - 7 * dx - 6 * dy, ty - 7 * dy + 6 * dx);
  path.lineTo(tx, ty);
  path.lineTo(tx - 7 * dx + 6 * dy, ty - 7 * dy - 6 * dx);
  stroke(pen, path, color, 2.5);
}

function longestSide(points) {
  let best = [points[0], points[1]];
  const length = ([a, b]) => Math.hypot(b[0] - a[0], b[1] - a[1]);
  for (let i = 1; i < points.length; i++)
    if (length([points[i - 1], points[i]]) > length(best)) best = [points[i - 1], points[i]];
  return best;
}

function topOf(points) {
  return points.reduce((top, point) => (point[1] < top[1] ? point : top));
}

export function drawHandle(pen, [x, y], color) {
  pen.beginPath();
  pen.arc(x, y, 6, 0, 2 * Math.PI);
  pen.fillStyle = '#fff';
  pen.fill();
  pen.strokeStyle = CASING;
  pen.lineWidth = 4;
  pen.stroke();
  pen.strokeStyle = color;
  pen.lineWidth = 2.5;
  pen.stroke();
}
