// What happens at a table is shown move by move. An answer that is there at once is held back for a moment, so that one sees
// one's own move and then the answer; a pass stays until it can have been read. Only what is shown waits: nothing is sent or
// decided later because of it.

import { playerOf } from "./parts.js";

/** @import { State, Table } from "./types.js" */

const MOMENT = 550; // milliseconds between a move and the next one that somebody else makes
const READING = 2800; // the first pass of a player, which is explained
const MOST_STEPS = 6; // moves that come at once and are shown one by one

/** The moves that a state adds to another one; none if it does not go on from there. @param {State} before @param {State} now */
function added(before, now) {
  const [old, moves] = [before.table.moves, now.table.moves];
  const goesOn = before.round === now.round && old.every((move, index) => move === moves[index]);
  return goesOn ? moves.length - old.length : 0;
}

/** A state as it was some moves ago. @param {State} state @param {Table} table @returns {State} */
function earlier(state, table) {
  const rounds = state.rounds.map((round, index) =>
    index === state.round - 1 ? { ...round, moves: table.moves, winner: null, over: false } : round,
  );
  return { ...state, table, rounds, status: "playing", outcome: null, can: [], offer: null, thinking: false };
}

export class Stage {
  /** @type {State | null} the state that is shown */
  shown = null;
  /** @type {State[]} those that wait to be shown, the newest last */
  queue = [];
  shownAt = 0;
  stays = MOMENT;
  timer = 0;
  /** Whose passes were explained: round and player. @type {Set<string>} */
  explained = new Set();

  /**
   * @param {(state: State) => void} show
   * @param {(round: number) => Promise<Table[]>} tables of a round, for moves that came together
   */
  constructor(show, tables) {
    this.show = show;
    this.tables = tables;
  }

  /** The newest state there is, shown or not. */
  get newest() {
    return this.queue.at(-1) ?? this.shown;
  }

  /** @param {State} state newer than what is shown, or as new */
  add(state) {
    this.queue = [...this.queue.filter(({ seq }) => seq !== state.seq), state].sort((a, b) => a.seq - b.seq);
    this.next();
  }

  /** Show the newest now. */
  catchUp() {
    const newest = this.queue.at(-1);
    this.queue = [];
    if (newest) this.put(newest);
  }

  close() {
    clearTimeout(this.timer);
    this.queue = [];
  }

  /** @param {State} state */
  put(state) {
    clearTimeout(this.timer);
    const moved = this.shown && added(this.shown, state) > 0;
    this.shown = state;
    if (moved) {
      const { last } = state.table;
      const pass = last?.passed && `${state.round} ${last.player}`;
      this.stays = pass && !this.explained.has(pass) ? READING : MOMENT;
      if (pass) this.explained.add(pass);
      this.shownAt = Date.now();
    }
    this.show(state);
  }

  next() {
    clearTimeout(this.timer);
    const [state] = this.queue;
    if (!state) return;
    const steps = this.shown ? added(this.shown, state) : 0;
    if (!this.shown || !steps || document.hidden) return this.shift();
    if (steps > 1 && steps <= MOST_STEPS) {
      this.split(state, this.shown);
      return;
    }
    const { table, you } = state;
    const own = you.includes(playerOf(table.first, table.moves.length - 1)) && !table.last?.passed;
    const wait = own ? 0 : this.shownAt + this.stays - Date.now();
    if (wait <= 0) this.shift();
    else this.timer = setTimeout(() => this.shift(), wait);
  }

  shift() {
    const state = this.queue.shift();
    if (state) this.put(state);
    this.next();
  }

  /** Moves that came together, a pass among them, are shown one after the other. @param {State} state @param {State} from */
  async split(state, from) {
    let steps = [state];
    try {
      const tables = await this.tables(state.round);
      const since = tables.slice(from.table.moves.length + 1, state.table.moves.length);
      steps = [...since.map((table) => earlier(state, table)), state];
    } catch {
      // then all at once
    }
    if (this.queue[0] !== state || this.shown !== from) return this.next();
    this.queue.splice(0, 1, ...steps);
    if (steps.length > 1) this.next();
    else this.shift();
  }
}
