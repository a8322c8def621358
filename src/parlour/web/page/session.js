// What the page of a match knows and does. All that it shows is in one state, which is read at once and drawn soon. The
// server says what may be done (`can`), and every state it sends is complete: the newest one counts.

import { refusalOf } from "./analysis.js";
import * as api from "./api.js";
import { arrive, loseSeat } from "./arrival.js";
import { Link } from "./link.js";
import { go } from "./nav.js";
import { newsOf } from "./news.js";
import { notify } from "./notify.js";
import { jittered } from "./offline.js";
import { alertNow, announce, title } from "./parts.js";
import { lastWords, spokenIn } from "./people.js";
import { ApiError } from "./request.js";
import { carryOver, countEnd } from "./series.js";
import { sound } from "./sound.js";
import { Stage } from "./stage.js";
import { leave, seatOf, sit } from "./store.js";

/** @import { Actions, Notice, Sending, SessionState, State, Table } from "./types.js" */
const NOTICE_STAYS = 8000; // milliseconds, if it need not be answered
const OFFLINE = "You are offline.";
const LONGEST_WAIT = 10_000; // milliseconds between two attempts, before jitter
export const SAID = () => {}; // aloud already

export const RECONNECTING = "Reconnecting…";

/** @param {State} state */
const isMyTurn = ({ you, table, status }) => you.length === 1 && you[0] === table.turn && status === "playing";

export class MatchSession {
  /** @type {SessionState} */
  state = {
    now: null,
    view: null,
    pending: null,
    trying: "",
    down: false,
    notice: null,
    refusal: "",
    invited: false,
    valued: false,
    resigning: false,
    deleting: false,
    renaming: null,
    ruling: false,
    menu: false,
    more: false,
    typing: false,
    error: null,
  };
  /** The page was left. */
  gone = false;
  /** @type {Link | null} */
  link = null;
  /** Ends the wait for the next attempt. */
  hurry = () => {};
  noticeTimer = 0;
  /** The tables of the round that was looked back at last, and which they are. */
  replay = { key: "", tables: /** @type {Table[]} */ ([]) };

  /** @param {string} id @param {() => void} redraw */
  constructor(id, redraw) {
    this.id = id;
    this.redraw = redraw;
    this.stage = new Stage(
      (state) => this.show(state),
      async (round) => (await api.replay(id, round)).tables,
    );
    addEventListener("online", this.back);
  }

  /** The network is there again: what is kept is sent at once. */
  back = () => this.hurry();

  /** @param {Partial<SessionState>} change */
  set(change) {
    this.state = { ...this.state, ...change };
    if (!this.gone) this.redraw();
  }

  /** The newest state; for what is done only when there is one. */
  get now() {
    const { now } = this.state;
    if (!now) throw new Error("there is no state yet");
    return now;
  }

  async open() {
    await arrive(this);
    if (this.gone) return;
    this.link?.close();
    this.link = new Link(this.id, {
      state: (state, fresh) => this.take(state, fresh),
      up: () => {
        this.set({ down: false });
        this.hurry();
      },
      down: () => this.set({ down: true }),
      gone: () => this.end("There is no such match here, or not any more."),
      refused: (error) => this.set({ error }),
      wrongSeat: () => loseSeat(this),
    });
  }

  /** There is nothing to show any more. @param {string} error */
  end(error) {
    if (this.state.error) return;
    if (this.state.now?.you.length) leave(this.id);
    this.link?.close();
    this.set({ error: new ApiError(404, { code: "match/unknown", error }) });
  }

  close() {
    this.gone = true;
    this.stage.close();
    removeEventListener("online", this.back);
    clearTimeout(this.noticeTimer);
    this.link?.close();
  }

  /**
   * Ask again and again until there is an answer, or the page is left; at once when the line is there again.
   * @template T
   * @param {() => Promise<T>} ask
   */
  async insist(ask) {
    try {
      for (let wait = 1000; ; wait = Math.min(wait * 1.7, LONGEST_WAIT)) {
        try {
          return await ask();
        } catch (error) {
          if (!(error instanceof ApiError) || !error.passing || this.gone) throw error;
          const busy = error.status === 429 && "The server asks us to wait a moment…";
          this.set({ trying: busy || (navigator.onLine ? RECONNECTING : OFFLINE) });
          await new Promise((done) => {
            this.hurry = () => done(null);
            setTimeout(done, jittered(wait));
          });
          if (this.gone) throw error;
        }
      }
    } finally {
      this.set({ trying: "" });
    }
  }

  /** Show a note. @param {string} text @param {Omit<Notice, "text">} more */
  note(text, more = {}, aloud = announce) {
    aloud(text);
    clearTimeout(this.noticeTimer);
    this.set({ notice: { text, ...more } });
    if (more.passing || more.timed) this.noticeTimer = setTimeout(() => this.set({ notice: null }), NOTICE_STAYS);
  }

  /** Show why something is not possible, where it is seen whatever part of the page is in view. @param {string} text */
  refuse(text, aloud = alertNow) {
    this.note(text, { refusal: true, passing: true }, aloud);
  }

  // The newest state.

  /**
   * `fresh`: the first of a new connection; `sure`: to be believed even if it is older than what is known.
   * @param {State} state
   */
  take(state, fresh = false, sure = false) {
    const { stage } = this;
    if (this.gone) return;
    if (state.deleted) return this.end("This match is deleted, and nothing of it is kept.");
    if (sure) {
      stage.close();
      stage.put(state);
    } else if (!stage.shown || state.seq >= stage.shown.seq) {
      stage.add(state);
    } else if (fresh) {
      this.check(stage.shown);
    }
  }

  /** Show the newest state at once, for whoever does not wait. */
  catchUp() {
    this.stage.catchUp();
  }

  /** @param {State} state */
  show(state) {
    const { now: before, view, notice, refusal, pending, invited } = this.state;
    const moved = !before || before.ply !== state.ply || before.round !== state.round;
    // Somebody who looks back goes on looking back, if it was not taken back; everybody else sees the new position.
    const lost = view && view.ply > (state.rounds[view.round - 1]?.moves.length ?? -1);
    this.set({
      now: state,
      invited: false,
      ...(lost && { view: null }),
      ...(moved && { refusal: pending ? refusal : "", resigning: false }),
      ...(moved && before && notice?.passing && { notice: null }),
    });
    if (before) this.tell(before, state);
    if (invited && state.status === "waiting") {
      this.note("You already have a seat at this table: the invitation is for somebody else.");
    }
    const mine = isMyTurn(state);
    title(`${mine ? "Your turn: " : ""}${state.table.title}`);
    if (mine && before && !isMyTurn(before))
      notify(state.table.title, `${lastWords(state, state.table)} Your turn.`, this.id);
    countEnd(state);
    if (before && !before.rematch && state.rematch && state.you.length) {
      this.takeAlong(state);
      go(`/m/${state.rematch}`);
    }
  }

  /**
   * A new connection began with an older state: an answer overtook it, or the server was restored. Only asking tells.
   * @param {State} known
   */
  async check(known) {
    try {
      const state = await api.state(this.id);
      this.take(state, false, this.stage.shown === known);
    } catch {
      // then the next state, or the next connection, will tell
    }
  }

  /** @param {State} before @param {State} now */
  tell(before, now) {
    const { heard, said, urgent, declined, passed } = newsOf(before, now);
    if (heard) sound(heard);
    if (passed) this.note(passed, { timed: true }, SAID);
    if (declined && !this.state.pending?.withdraws) this.note(declined);
    announce(said);
    alertNow(urgent);
  }

  /** Take one's seat along to the rematch: it is good there as well. @param {State} state */
  takeAlong(state) {
    const { rematch, you } = state;
    const seat = seatOf(this.id);
    carryOver(state);
    if (rematch && seat && you.length && !seatOf(rematch)) sit(rematch, seat);
  }

  // Doing something.

  /** @param {string} what */
  can = (what) => this.now.can.includes(what);

  /**
   * Ask the server for something; a dead network is retried until there is an answer, which the ply makes safe. `refused`
   * is told why if the answer is no. The state it has led to, or null.
   * @template {keyof Actions} Action
   * @param {Action} action
   * @param {Actions[Action]} body
   * @param {Partial<Sending> & { refused?: (text: string) => void }} how
   */
  async act(action, body, { refused = (text) => this.refuse(text, SAID), ...sending } = {}) {
    if (this.state.pending) return null;
    const pending = { what: "What you asked for", move: null, withdraws: false, ...sending };
    const pressed = sending.move ? spokenIn(this.now.table, sending.move) : "";
    this.set({ pending, refusal: "" });
    try {
      const state = await this.insist(() => api.act(this.id, action, body));
      this.take(state);
      return state;
    } catch (error) {
      if (this.gone) return null;
      const late = error instanceof ApiError ? error.body.state : null;
      if (late) {
        this.take(late);
        this.catchUp();
        const since = lastWords(late, late.table);
        this.note(`The game had gone on. ${since} ${pending.what} came too late.`, {}, alertNow);
      } else {
        refused(refusalOf(error, pressed));
      }
      return null;
    } finally {
      this.set({ pending: null });
    }
  }
}
