// The line to a match: every change of it arrives here, through whatever the network does. A socket first; where sockets
// do not get through, the same as a stream of lines. Lost lines are taken up again by themselves.

import { lines } from "./api.js";
import { seatOf } from "./store.js";

const SILENCE = 20_000; // the server says something every 7 seconds
const LONGEST = 10_000;

export class Link {
  /** `on`: state(state, fresh), up(), down(), gone(), wrongSeat() */
  constructor(match, on) {
    this.match = match;
    this.on = on;
    this.failures = 0;
    this.socketFailures = 0;
    this.wake = () => document.visibilityState === "visible" && this.hurry();
    addEventListener("online", this.wake);
    addEventListener("pageshow", this.wake);
    document.addEventListener("visibilitychange", this.wake);
    this.connect();
  }

  close() {
    this.closed = true;
    this.drop();
    clearTimeout(this.timer);
    removeEventListener("online", this.wake);
    removeEventListener("pageshow", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
  }

  /** There is no such match, and waiting for it is no use. */
  end() {
    this.close();
    this.on.gone();
  }

  /** Back from sleep or from a dead network: do not wait for the next try. */
  hurry() {
    const silent = Date.now() - (this.heard ?? 0) > SILENCE / 2;
    if (!this.closed && (!this.isUp || silent)) {
      clearTimeout(this.timer);
      this.connect();
    }
  }

  /** With another seat, or none: say anew who one is. */
  restart() {
    this.isUp = false;
    this.hurry();
  }

  drop() {
    clearTimeout(this.watchdog);
    const { socket, control } = this;
    this.socket = this.control = null;
    socket?.close();
    control?.abort();
  }

  connect() {
    this.drop();
    this.fresh = true;
    this.watch();
    if (this.socketFailures < 2) this.openSocket();
    else this.openStream();
  }

  openSocket() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = (this.socket = new WebSocket(`${scheme}://${location.host}/api/matches/${this.match}/socket`));
    const mine = () => this.socket === socket;
    socket.onopen = () => mine() && socket.send(JSON.stringify({ seat: seatOf(this.match) }));
    socket.onmessage = ({ data }) => {
      if (!mine()) return;
      this.socketFailures = 0;
      this.hear(JSON.parse(data));
    };
    socket.onclose = ({ code }) => {
      if (!mine()) return;
      if (code === 4404) return this.end();
      if (code === 4403) return this.on.wrongSeat();
      if (this.fresh) this.socketFailures += 1; // nothing ever came through it
      this.lost();
    };
  }

  async openStream() {
    const control = (this.control = new AbortController());
    let over = false;
    try {
      for await (const line of lines(`/api/matches/${this.match}/stream`, { match: this.match, signal: control.signal })) {
        if (this.control !== control) return;
        over = line?.state?.status === "over";
        this.hear(line ?? {});
      }
    } catch (error) {
      if (this.control !== control) return;
      if (error.status === 404) return this.end();
      if (error.code === "seat/wrong") return this.on.wrongSeat();
      this.socketFailures = 0; // try the socket again next time
    }
    if (this.control === control) this.lost(over);
  }

  hear(message) {
    this.heard = Date.now();
    this.failures = 0;
    const { fresh } = this;
    if (message.state) this.fresh = false;
    this.watch();
    if (!this.isUp) {
      this.isUp = true;
      this.on.up();
    }
    if (message.state) this.on.state(message.state, fresh);
  }

  watch() {
    clearTimeout(this.watchdog);
    this.watchdog = setTimeout(() => this.silent(), this.fresh ? SILENCE / 2 : SILENCE); // the first word comes at once
  }

  /** A way that never brought anything may be shut without a word: then the other one is tried. */
  silent() {
    if (this.fresh) this.socketFailures = this.socket ? this.socketFailures + 1 : 0;
    this.lost();
  }

  lost(quietly = false) {
    this.drop();
    if (this.closed) return;
    if (!quietly) {
      this.isUp = false;
      this.on.down();
    }
    const wait = quietly ? LONGEST : Math.min(1000 * 1.7 ** this.failures, LONGEST);
    this.failures += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connect(), wait);
  }
}
