// gst-cca: the colours of tracks, as ccaoverlay draws them, and of rules
// SPDX-License-Identifier: LGPL-2.1-or-later

// Distinct on any picture, in both themes, and for most colour-blind people.
const RULES = ['#f59e0b', '#22a7f0', '#e8559a', '#2bb673', '#a78bfa', '#ef6c4d', '#14b8a6', '#d4b106'];

const ruleNumbers = new Map();

/** The colour of a rule, the same as long as the page is open. */
export function ruleColor(name) {
  if (!ruleNumbers.has(name)) ruleNumbers.set(name, ruleNumbers.size);
  return RULES[ruleNumbers.get(name) % RULES.length];
}

/** Moves a renamed rule's colour to its new name. */
export function renameColor(name, newName) {
  if (ruleNumbers.has(name)) ruleNumbers.set(newName, ruleNumbers.get(name));
}

/** The colour of a track: hues follow the golden ratio, so that consecutive ones differ most. */
export function trackColor(id) {
  const turn = Math.imul(id, 0x9e3779b1) >>> 16;
  const sector = (turn * 6) >>> 16;
  const ramp = ((turn * 6) & 0xffff) >>> 8;
  const low = id & 1 ? 40 : 110;
  const span = 255 - low;
  const rising = low + Math.trunc((span * ramp) / 255);
  const falling = 255 - Math.trunc((span * ramp) / 255);
  const colors = [
    [255, rising, low],
    [falling, 255, low],
    [low, 255, rising],
    [low, falling, 255],
    [rising, low, 255],
    [255, low, falling],
  ];
  return `rgb(${colors[sector].join(' ')})`;
}
