// Solving a puzzle, or a mistake of one's own, without a server and without a rule: every position, answer and refutation comes with the puzzle. What is
// shown changes step by step; `onChange` hears of each, with what has just happened in words.

import { sentence } from "./parts.js";
import { spokenIn } from "./people.js";

/** @import { Asked, Player, PuzzleStep, Table } from "./types.js" */

const MOMENT = 1000; // milliseconds between a move and the reply
const READING = 1900; // between the moves of a refutation, which have to be understood

/** @typedef {"asking" | "answering" | "refuting" | "refuted" | "solved" | "shown"} Phase */

export class Solving {
  /** @type {Phase} */
  phase = "asking";
  at = 0; // which turn
  tries = 1;
  hints = 0;
  rung = 0; // of the hints, at this turn
  /** What happened last, in words. */
  told = "";
  /** @type {Set<string>} moves of this turn that are known to be wrong */
  refuted = new Set();
  /** @type {PuzzleStep[]} that are still to be shown */
  steps = [];
  timer = 0;

  /**
   * @param {Asked} puzzle
   * @param {(told: string) => void} onChange
   * @param {boolean} still nothing goes on by itself, for those who want it so
   */
  constructor(puzzle, onChange, still) {
    this.puzzle = puzzle;
    this.onChange = onChange;
    this.still = still;
    const { side, table } = puzzle;
    /** @type {Player} */
    this.other = side === 1 ? 2 : 1;
    this.names = table.names;
    /** What the players are called in sentences. @type {[string, string]} */
    this.who = side === 1 ? ["You", "They"] : ["They", "You"];
    this.table = this.start = this.renamed(table);
  }

  close() {
    clearTimeout(this.timer);
  }

  /** @returns {Asked["turns"][number] | undefined} */
  get turn() {
    return this.puzzle.turns[this.at];
  }

  get isOver() {
    return this.phase === "solved" || this.phase === "shown";
  }

  /** The moves that are right at this turn: one, in a puzzle. */
  get right() {
    return Object.keys(this.turn?.right ?? {});
  }

  /** The moves that can be chosen at this turn, as they lie on the table. */
  get legal() {
    const { turn } = this;
    if (!turn) return [];
    const all = new Set([...this.right, ...Object.keys(turn.wrong)]);
    const lying = this.start.view.flatMap(({ rows }) => rows.flat()).map(({ move }) => move ?? "");
    return [...new Set([...lying, ...all])].filter((move) => all.has(move));
  }

  /** Those of them that are not known to be wrong. */
  get open() {
    return this.legal.filter((move) => !this.refuted.has(move));
  }

  /** Half of those, a right one included; all, if there are two. */
  get half() {
    const { open, right } = this;
    if (open.length < 3) return open;
    const many = Math.ceil(open.length / 2);
    const first = open.slice(0, many);
    return first.some((move) => right.includes(move)) ? first : open.slice(-many);
  }

  /** A sentence about a player, as the puzzle has it, for whoever solves it. @param {string} text */
  spoken(text) {
    return this.names.reduce((told, name, index) => told.replaceAll(name, this.who[index]), text);
  }

  /** @param {Table} table @returns {Table} */
  renamed(table) {
    const names = this.who.map((who) => (who === "You" ? "you" : "your opponent"));
    const view = table.view.map((group) =>
      group.owner && group.title === this.names[group.owner - 1]
        ? { ...group, title: this.who[group.owner - 1] === "You" ? "You" : "Opponent" }
        : group,
    );
    return { ...table, names, view };
  }

  /** @param {PuzzleStep} step */
  put(step) {
    const { table } = this;
    const { view, by, move, told, why, result } = step;
    const moves = [...table.moves, move];
    this.table = this.renamed({
      ...table,
      view,
      moves,
      token: moves.join("."),
      turn: result ? null : by === 1 ? 2 : 1,
      last: { player: by, move, passed: why !== "", text: [], told, why },
      result: result ? { winner: null, text: [], subject: null, told: result } : null,
    });
    this.told = sentence(`${this.who[by - 1]} ${told}${why ? `: ${why}` : ""}`);
    if (result) this.told += ` ${this.spoken(result)}`;
  }

  /** Choose a move; one that cannot be played is told and changes nothing. @param {string} move */
  choose(move) {
    const { turn } = this;
    if (this.phase !== "asking" || !turn) return;
    if (!this.legal.includes(move)) return this.tell(`${spokenIn(this.start, move)} cannot be played now.`);
    if (Object.hasOwn(turn.right, move)) {
      this.phase = "answering";
      this.steps = turn.right[move];
    } else {
      this.phase = "refuting";
      this.steps = turn.wrong[move];
      this.refuted.add(move);
      this.tries += 1;
    }
    this.step();
  }

  /** Show the next step; after the last one comes the next turn, or what there is to say. */
  step() {
    clearTimeout(this.timer);
    const [step, ...rest] = this.steps;
    if (!step) return;
    this.steps = rest;
    this.put(step);
    if (!rest.length) this.finish();
    else this.later();
    this.tell();
  }

  later() {
    if (this.still && this.phase === "refuting") return; // one goes on by hand
    this.timer = setTimeout(() => this.step(), this.phase === "refuting" ? READING : MOMENT);
  }

  finish() {
    if (this.phase === "refuting") {
      this.phase = "refuted";
      return;
    }
    this.at += 1;
    this.rung = 0;
    this.refuted = new Set();
    this.start = this.table;
    if (this.turn) this.phase = this.phase === "shown" ? "shown" : "asking";
    else if (this.phase !== "shown") this.phase = "solved";
    if (this.turn && this.phase === "shown") {
      this.steps = this.turn.right[this.right[0]];
      this.later();
    }
  }

  /** To the position in which a wrong move was made. */
  takeBack() {
    if (this.phase !== "refuting" && this.phase !== "refuted") return;
    clearTimeout(this.timer);
    this.steps = [];
    this.phase = "asking";
    this.table = this.start;
    this.told = "";
    this.tell("Taken back. Try again.");
  }

  /** One hint more: how many moves are right, which half of them it is in, which it is. */
  hint() {
    if (this.phase !== "asking" || this.rung === 3) return;
    this.hints += 1;
    this.rung += this.rung === 1 && this.open.length < 3 ? 2 : 1; // two moves have no half
    this.tell(this.hinted);
  }

  /** What the hints say so far. */
  get hinted() {
    const { right, legal, half, start, rung } = this;
    if (!right.length || !rung) return "";
    const several = right.length > 1;
    if (rung === 3) return `${several ? "One of them is" : "It is"} ${spokenIn(start, right[0])}.`;
    if (several) {
      return rung === 1
        ? `${right.length} of ${legal.length} moves are right.`
        : `One of them is among ${half.map((move) => spokenIn(start, move)).join(", ")}.`;
    }
    const moves = half.map((move) => spokenIn(start, move));
    if (rung === 2 && moves.length > 1) return `It is ${moves.slice(0, -1).join(", ")} or ${moves.at(-1)}.`;
    if (rung === 2) return `It is ${moves[0]}.`; // all others have been tried meanwhile
    const others = legal.length - 1;
    const fails = this.puzzle.goal === "win" ? "throw the win away" : "lose";
    return others === 1
      ? "You have two moves. One is right."
      : `You have ${legal.length} moves. One is right, the other ${others} ${fails}.`;
  }

  /** Give up: the whole answer is played. */
  show() {
    if (this.isOver || !this.turn) return;
    clearTimeout(this.timer);
    this.phase = "shown";
    this.tries = 0;
    this.table = this.start;
    this.steps = this.turn.right[this.right[0]];
    this.step();
  }

  tell(words = this.told) {
    this.onChange(words);
  }
}
