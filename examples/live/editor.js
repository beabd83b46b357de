// gst-cca: draws, selects, moves and deletes the zones and lines of the live page, by pointer and by keyboard
// SPDX-License-Identifier: LGPL-2.1-or-later

const NEAR = 12; // CSS pixels within which a pointer takes something
const STEP = 0.005; // of the frame, of the cross that arrow keys move
const LONG_STEP = 0.05;
const FEWEST = { line: 2, zone: 3 };
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Editor {
  /** ask (change) is the connection's; on: functions changed (), when the selection or the drawing has changed,
   * failed (error) and removed (rule, restore). */
  constructor(stage, ask, on) {
    this.stage = stage;
    this.ask = ask;
    this.on = on;
    this.dragging = null; // the number of the point that the pointer moves
    const { element } = stage;
    element.addEventListener('pointerdown', (event) => this.press(event));
    element.addEventListener('pointermove', (event) => this.move(event));
    element.addEventListener('pointerup', (event) => this.release(event));
    element.addEventListener('pointercancel', () => this.drop());
    element.addEventListener('pointerleave', () => this.hover(null));
    element.addEventListener('dblclick', () => this.stage.draft?.kind === 'zone' && this.finish());
  }

  get kind() {
    return this.stage.draft?.kind ?? null;
  }

  get rules() {
    return this.stage.line?.counts ?? [];
  }

  get selected() {
    return this.rules.find((rule) => rule.name === this.stage.selected) ?? null;
  }

  get hint() {
    const { draft } = this.stage;
    const isTouch = matchMedia('(pointer: coarse)').matches;
    const click = isTouch ? 'Tap' : 'Click';
    if (!draft) return '';
    if (draft.kind === 'line' && !draft.points.length) return `${click} where the line begins.`;
    if (draft.kind === 'line') return `${click} where it ends. The arrow points forward.`;
    if (draft.points.length < FEWEST.zone) return `${click} the corners of the zone.`;
    return `${click} the first corner${isTouch ? '' : ', or press Enter,'} to finish.`;
  }

  /** Starts to draw; cursor is the place of the cross that keys move. */
  start(kind, cursor = null) {
    if (this.kind === kind || !this.stage.line) {
      this.cancel();
      return;
    }
    this.stage.selected = null;
    this.stage.draft = { kind, points: [], cursor };
    this.stage.element.focus({ preventScroll: true });
    this.changed();
  }

  cancel() {
    this.stage.draft = null;
    this.stage.selected = null;
    this.changed();
  }

  select(name) {
    this.stage.draft = null;
    this.stage.selected = name;
    this.changed();
  }

  selectNext(step) {
    const names = this.rules.map((rule) => rule.name);
    const at = names.indexOf(this.stage.selected);
    const next = at < 0 && step < 0 ? names.length - 1 : (at + step + names.length) % names.length;
    if (names.length) this.select(names[next]);
  }

  async finish() {
    const { kind, points } = this.stage.draft ?? {};
    if (!kind || points.length < FEWEST[kind]) return;
    this.stage.draft = null;
    const taken = new Set(this.rules.map((rule) => rule.name));
    let number = 1;
    while (taken.has(`${kind} ${number}`)) number += 1;
    const name = `${kind} ${number}`;
    this.changed();
    await this.change({ do: 'add', kind, name, points });
    this.select(name);
  }

  async remove() {
    const rule = this.selected;
    if (!rule) return;
    this.select(null);
    const answer = await this.change({ do: 'remove', name: rule.name });
    if (!answer) return;
    const { kind, rule: members } = answer;
    this.on.removed(rule.name, () => this.change({ do: 'add', kind, name: rule.name, members }));
  }

  flip() {
    const rule = this.selected;
    if (rule?.type === 'line') this.change({ do: 'move', name: rule.name, points: this.stage.partsOf(rule).reverse() });
  }

  async rename(newName) {
    const name = this.stage.selected;
    if (!name || name === newName) return;
    if (await this.change({ do: 'rename', name, 'new-name': newName })) this.select(newName);
  }

  async change(change) {
    try {
      return await this.ask(change);
    } catch (error) {
      this.on.failed(error);
      return null;
    }
  }

  /** Handles a key; returns whether it has a meaning here. */
  key(event) {
    const { draft } = this.stage;
    if (event.key === 'Escape') this.cancel();
    else if (event.key === '[' || event.key === ']') this.selectNext(event.key === ']' ? 1 : -1);
    else if (event.key === 'l') this.start('line', [0.5, 0.5]);
    else if (event.key === 'z') this.start('zone', [0.5, 0.5]);
    else if (draft && ARROWS[event.key]) this.moveCross(ARROWS[event.key], event.shiftKey ? LONG_STEP : STEP);
    else if (draft && event.key === ' ') this.setPoint(draft.cursor ?? [0.5, 0.5]);
    else if (draft && event.key === 'Enter') this.finish();
    else if (draft && event.key === 'Backspace') this.takeBack();
    else if (!draft && event.key === 'Delete') this.remove();
    else if (!draft && event.key === 'f') this.flip();
    else return false;
    return true;
  }

  moveCross([dx, dy], step) {
    const { draft } = this.stage;
    const [x, y] = draft.cursor ?? [0.5, 0.5];
    const part = (value) => Math.min(Math.max(value, 0), 1);
    draft.cursor = [part(x + dx * step), part(y + dy * step)];
    this.stage.redraw();
  }

  takeBack() {
    this.stage.draft.points.pop();
    this.changed();
  }

  setPoint(point) {
    const { draft } = this.stage;
    if (draft.points.length && this.isNear(point, draft.points.at(-1), 3)) return;
    if (draft.kind === 'zone' && draft.points.length >= FEWEST.zone && this.isNear(point, draft.points[0], NEAR)) {
      this.finish();
      return;
    }
    draft.points.push(point);
    if (draft.kind === 'line' && draft.points.length === FEWEST.line) this.finish();
    else this.changed();
  }

  press(event) {
    if (event.button !== 0 || !this.stage.line) return;
    const place = this.stage.place(event);
    this.pressed = place;
    if (this.stage.draft) {
      event.preventDefault();
      this.stage.element.focus({ preventScroll: true });
      this.stage.element.setPointerCapture(event.pointerId);
      this.setPoint(place);
      return;
    }
    const handle = this.handleAt(place);
    if (handle >= 0) {
      event.preventDefault();
      this.dragging = handle;
      this.stage.moved = { name: this.stage.selected, points: this.stage.partsOf(this.selected) };
      this.stage.element.setPointerCapture(event.pointerId);
      return;
    }
    const rule = this.ruleAt(place);
    if (rule || this.stage.selected) this.select(rule?.name ?? null);
  }

  move(event) {
    if (this.dragging === null) {
      this.hover(this.stage.place(event), event);
      return;
    }
    this.stage.moved.points = this.stage.moved.points.with(this.dragging, this.stage.place(event));
    this.stage.redraw();
  }

  async release(event) {
    const { draft } = this.stage;
    if (draft?.kind === 'line' && draft.points.length === 1) {
      // Pressed where it begins, released where it ends.
      const place = this.stage.place(event);
      if (!this.isNear(place, this.pressed, NEAR)) this.setPoint(place);
    }
    if (this.dragging === null) return;
    this.dragging = null;
    const { moved } = this.stage;
    await this.change({ do: 'move', ...moved });
    this.drop();
  }

  drop() {
    this.dragging = null;
    this.stage.moved = null;
    this.stage.redraw();
  }

  hover(place, event) {
    const { draft, element } = this.stage;
    if (draft) {
      if (place || event) draft.cursor = place;
      this.stage.redraw();
    }
    element.classList.toggle('drawing', Boolean(draft));
    element.classList.toggle('grab', !draft && Boolean(place) && this.handleAt(place) >= 0);
    element.classList.toggle('point', !draft && Boolean(place) && Boolean(this.ruleAt(place)));
  }

  changed() {
    this.stage.element.classList.toggle('drawing', Boolean(this.stage.draft));
    this.stage.redraw();
    this.on.changed();
  }

  isNear(a, b, distance) {
    const [[ax, ay], [bx, by]] = [this.stage.onStage(a), this.stage.onStage(b)];
    return Math.hypot(ax - bx, ay - by) <= distance;
  }

  handleAt(place) {
    const rule = this.selected;
    return rule ? this.stage.partsOf(rule).findIndex((point) => this.isNear(place, point, NEAR)) : -1;
  }

  /** The rule at a place: the nearest line or border in reach, else the zone around it. */
  ruleAt(place) {
    if (!this.stage.line || !this.stage.layers.rules) return null;
    const at = this.stage.onStage(place);
    let [nearest, inside, least] = [null, null, NEAR];
    for (const rule of this.rules) {
      const points = this.stage.partsOf(rule).map((point) => this.stage.onStage(point));
      const sides = rule.type === 'zone' ? [...points, points[0]] : points;
      for (let i = 1; i < sides.length && points.length; i++) {
        const distance = distanceTo(at, sides[i - 1], sides[i]);
        if (distance <= least) [nearest, least] = [rule, distance];
      }
      if (rule.type === 'zone' && isInside(at, points)) inside = rule;
    }
    return nearest ?? inside;
  }
}

function distanceTo([x, y], [ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const along = Math.min(Math.max(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1), 0), 1);
  return Math.hypot(x - ax - along * dx, y - ay - along * dy);
}

function isInside([x, y], points) {
  let inside = false;
  points.forEach(([ax, ay], i) => {
    const [bx, by] = points.at(i - 1);
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  });
  return inside;
}
