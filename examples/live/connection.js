// gst-cca: the live page's connection: frames and messages in, changes out; reconnects when the server is back
// SPDX-License-Identifier: LGPL-2.1-or-later

const SHORTEST = 400; // ms until the first try
const LONGEST = 4000;

export class Connection {
  /** on: functions frame (lines, blob), which returns a promise, message (object) and lost (). */
  constructor(on) {
    this.on = on;
    this.wait = SHORTEST;
    this.asked = new Map();
    this.number = 0;
    window.addEventListener('online', () => this.retry());
    document.addEventListener('visibilitychange', () => document.hidden || this.retry());
    this.open();
  }

  open() {
    this.timer = null;
    const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/live`);
    let done = Promise.resolve();
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => (this.wait = SHORTEST);
    // In order: one picture may take longer to decode than the next.
    socket.onmessage = ({ data }) => (done = done.then(() => this.receive(socket, data)).catch(console.error));
    socket.onclose = () => this.close();
    this.socket = socket;
  }

  async receive(socket, data) {
    if (typeof data === 'string') {
      const message = JSON.parse(data);
      if (message.type === 'answer') this.answer(message);
      else this.on.message(message);
      return;
    }
    const length = new DataView(data).getUint32(0, true);
    const text = new TextDecoder().decode(new Uint8Array(data, 4, length));
    const lines = text.trimEnd().split('\n').map((line) => JSON.parse(line));
    try {
      await this.on.frame(lines, new Blob([new Uint8Array(data, 4 + length)], { type: 'image/jpeg' }));
    } finally {
      if (socket.readyState === WebSocket.OPEN) socket.send('{"do":"drawn"}');
    }
  }

  /** Asks the server for a change; fails with its reason. */
  ask(change) {
    return new Promise((resolve, reject) => {
      if (this.socket.readyState !== WebSocket.OPEN) {
        reject(new Error('not connected'));
        return;
      }
      this.number += 1;
      this.asked.set(this.number, { resolve, reject });
      this.socket.send(JSON.stringify({ ...change, id: this.number }));
    });
  }

  answer(message) {
    const { resolve, reject } = this.asked.get(message.to) ?? {};
    this.asked.delete(message.to);
    if (message.refused !== undefined) reject?.(new Error(message.refused));
    else resolve?.(message);
  }

  close() {
    for (const { reject } of this.asked.values()) reject(new Error('the connection was lost'));
    this.asked.clear();
    this.on.lost();
    this.timer = setTimeout(() => this.reopen(), this.wait);
    this.wait = Math.min(1.6 * this.wait, LONGEST);
  }

  async reopen() {
    // Sends a request first: a failed WebSocket does not give the reason.
    const answer = await fetch('/', { cache: 'no-store' }).catch(() => null);
    if (answer?.status === 401) location.reload();
    else if (answer?.ok) this.open();
    else this.close();
  }

  retry() {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.reopen();
  }
}
