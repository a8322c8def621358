// The line to a match: every change of it arrives here, through whatever the network does. A socket first; where sockets
// do not get through, the same as a stream of lines. Lost lines are taken up again by themselves. As long as nothing has come
// at all, the match is told as it was seen last.

import { messages, statePath } from "./api.js";
import { forgetSeen, jittered, keepSeen, lastSeen, missed } from "./offline.js";
import { ApiError } from "./request.js";
import { seatOf } from "./store.js";

/** @import { MatchMessage, State } from "./types.js" */
/**
 * @typedef {object} Listener who is told what comes
 * @property {(state: State, fresh: boolean) => void} state `fresh`: the first of a new connection
 * @property {() => void} up the line is there, or there again
 * @property {() => void} down it is lost, for now
 * @property {() => void} gone there is no such match, and waiting for it is no use
 * @property {(error: ApiError) => void} refused there is one, but it is not shown, for this reason
 * @property {() => void} wrongSeat the seat that was shown is none of this match
 */

const SILENCE = 20_000; // milliseconds; the server says something every 7 seconds
const LONGEST_WAIT = 10_000; // milliseconds between two attempts, before jitter
const NO_MATCH = 4404; // close codes of the server
const WRONG_SEAT = 4403;
const DAMAGED = 4500;

export class Link {
  /** Nothing came through the present connection yet. */
  fresh = true;
  isUp = false;
  closed = false;
  /** When something came last. */
  heard = 0;
  failures = 0;
  socketFailures = 0;
  /** @type {WebSocket | null} */
  socket = null;
  /** @type {AbortController | null} of the stream */
  control = null;
  retry = 0;
  watchdog = 0;

  /** @param {string} match @param {Listener} on */
  constructor(match, on) {
    this.match = match;
    this.on = on;
    addEventListener("online", this.wake);
    addEventListener("pageshow", this.wake);
    document.addEventListener("visibilitychange", this.wake);
    this.connect();
  }

  wake = () => {
    if (document.visibilityState === "visible") this.hurry();
  };

  close() {
    this.closed = true;
    this.drop();
    clearTimeout(this.retry);
    removeEventListener("online", this.wake);
    removeEventListener("pageshow", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
  }

  end() {
    forgetSeen(statePath(this.match));
    this.close();
    this.on.gone();
  }

  /** There is a match, but it will not be shown. @param {ApiError} error */
  fail(error) {
    this.close();
    this.on.refused(error);
  }

  /** Back from sleep or from a dead network: do not wait for the next try. */
  hurry() {
    const silent = Date.now() - this.heard > SILENCE / 2;
    if (!this.closed && (!this.isUp || silent)) {
      clearTimeout(this.retry);
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
    this.socket = null;
    this.control = null;
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
    const socket = new WebSocket(`${scheme}://${location.host}/api/matches/${this.match}/socket`);
    this.socket = socket;
    const mine = () => this.socket === socket;
    socket.onopen = () => {
      if (mine()) socket.send(JSON.stringify({ seat: seatOf(this.match) }));
    };
    socket.onmessage = ({ data }) => {
      if (!mine()) return;
      this.socketFailures = 0;
      this.hear(JSON.parse(data));
    };
    socket.onclose = ({ code }) => {
      if (!mine()) return;
      if (code === NO_MATCH) return this.end();
      if (code === WRONG_SEAT) return this.on.wrongSeat();
      if (code === DAMAGED) return this.openStream(); // which is refused with the reason
      if (this.fresh) this.socketFailures += 1; // nothing ever came through it
      this.lose();
    };
  }

  async openStream() {
    const control = new AbortController();
    this.control = control;
    let over = false;
    try {
      for await (const message of messages(this.match, control.signal)) {
        if (this.control !== control) return;
        over = message?.state?.status === "over";
        this.hear(message ?? {});
      }
    } catch (error) {
      if (this.control !== control) return;
      if (error instanceof ApiError && error.status === 404) return this.end();
      if (error instanceof ApiError && error.code === "seat/wrong") return this.on.wrongSeat();
      if (error instanceof ApiError && error.code === "match/damaged") return this.fail(error);
      this.socketFailures = 0; // try the socket again next time
    }
    if (this.control === control) this.lose(over);
  }

  /** @param {MatchMessage} message */
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
    if (message.state) {
      if (message.state.deleted) forgetSeen(statePath(this.match));
      else keepSeen(statePath(this.match), message.state);
      this.on.state(message.state, fresh);
    }
  }

  async recall() {
    const seen = await lastSeen(statePath(this.match));
    if (!seen || this.heard || this.closed) return;
    missed();
    this.on.state(seen, false);
  }

  watch() {
    clearTimeout(this.watchdog);
    this.watchdog = setTimeout(() => this.giveUp(), this.fresh ? SILENCE / 2 : SILENCE); // the first word comes at once
  }

  /** A way that never brought anything may be shut without a word: then the other one is tried. */
  giveUp() {
    if (this.fresh) this.socketFailures = this.socket ? this.socketFailures + 1 : 0;
    this.lose();
  }

  lose(quietly = false) {
    this.drop();
    if (this.closed) return;
    if (!quietly) {
      this.isUp = false;
      this.on.down();
      if (!this.heard) this.recall();
    }
    const wait = quietly ? LONGEST_WAIT : Math.min(1000 * 1.7 ** this.failures, LONGEST_WAIT);
    this.failures += 1;
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.connect(), jittered(wait));
  }
}
