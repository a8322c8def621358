// A moment of a finished round: the position in which a move was chosen, what was chosen, and what would have been better.

import { findValues, valuesOf } from "./analysis.js";
import { Board } from "./board.js";
import { go } from "./nav.js";
import { alertNow, Component, capital, endTold, html, lastTold, Mark, sentence, valueTold } from "./parts.js";
import { spokenIn } from "./people.js";
import { walk } from "./place.js";
import { isAbort, refusalIn } from "./request.js";
import { startFrom } from "./ways.js";

/** @import { Decision, RoundReport, Table } from "./types.js" */

const MOST_NAMED = 6; // moves

/** "5, 6 or 7". @param {string[]} moves */
export function anyOf(moves) {
  if (moves.length > MOST_NAMED)
    return `${moves.slice(0, MOST_NAMED).join(", ")} or one of ${moves.length - MOST_NAMED} others`;
  return moves.length > 1 ? `${moves.slice(0, -1).join(", ")} or ${moves.at(-1)}` : moves[0];
}

/** What a move was, in a few words to follow it. @type {Record<Decision["grade"], string>} */
const GRADED = {
  kept: "No move was better.",
  slower: "It kept the win, but a quicker one was there.",
  "threw-win": "It threw away the win.",
  "threw-draw": "It threw away the draw.",
  forced: "It was the only move.",
  lost: "The position was lost already.",
  settled: "Nobody could win any more.",
  ungraded: "It could not be graded in time.",
};

/**
 * @typedef {object} MomentProps
 * @property {RoundReport} round
 * @property {Table[]} tables of the round, the start first
 * @property {number} ply the move that is looked at; 0 for the start
 * @property {[string, string]} who the players, one of them perhaps "You"
 * @property {(ply: number) => void} onPick
 *
 * @extends {Component<MomentProps, { busy: boolean, refused: string }>}
 */
export class Moment extends Component {
  state = { busy: false, refused: "" };
  control = new AbortController();

  componentDidMount() {
    this.solve();
  }
  /** @param {MomentProps} before */
  componentDidUpdate(before) {
    if (before.ply !== this.props.ply) this.solve();
  }
  componentWillUnmount() {
    this.control.abort();
  }

  /** The position in which the move was chosen. */
  table() {
    const { tables, ply } = this.props;
    return tables[Math.max(0, ply - 1)];
  }

  /** Without values the board still shows what was played: the report says what it was worth. */
  solve = async () => {
    const table = this.table();
    if (!table.turn || valuesOf(table)) return;
    this.control.abort(); // somebody steps on before the last answer is there
    const control = new AbortController();
    this.control = control;
    try {
      await findValues(table, { signal: control.signal, onProgress: () => {} });
      if (!control.signal.aborted) this.forceUpdate();
    } catch (error) {
      if (!isAbort(error)) refusalIn(error);
    }
  };

  practise = async () => {
    this.setState({ busy: true, refused: "" });
    try {
      go(await startFrom("computer", this.table()));
    } catch (error) {
      const refused = sentence(refusalIn(error).message);
      alertNow(refused);
      this.setState({ busy: false, refused });
    }
  };

  /** @param {MomentProps} props @param {{ busy: boolean, refused: string }} state */
  render({ round, tables, ply, who, onPick }, { busy, refused }) {
    const table = this.table();
    const decision = ply > 0 ? round.decisions[ply - 1] : undefined;
    const point = round.turning_points.find((each) => each.ply === ply);
    const values = valuesOf(table);
    const last = round.decisions.length;
    /** @type {Map<string, string>} */
    const marks = new Map();
    if (decision && values && values.get(decision.move)?.best === false) {
      for (const { move, best } of values.values()) if (best) marks.set(move, "better");
    } else {
      for (const move of point?.held_by ?? []) marks.set(move, "better");
    }
    if (decision) marks.set(decision.move, "played");
    return html`<div class="moment-panel" data-testid="moment">
      <div class="moment-head">
        <button class="button step-button" aria-label="The move before" aria-disabled=${ply > 0 ? null : "true"} onClick=${() => ply > 0 && onPick(ply - 1)}>←</button>
        <h3 id="moment-${round.round}" tabindex="-1">${ply ? `Move ${ply} of ${last}` : "The start"}</h3>
        <button class="button step-button" aria-label="The move after" aria-disabled=${ply < last ? null : "true"} onClick=${() => ply < last && onPick(ply + 1)}>→</button>
      </div>
      ${
        decision
          ? html`<p class="moment-told"><${Mark} player=${decision.player} /> <strong>${lastTold(tables[ply], who)}</strong> ${this.graded(decision)}
            ${ply === last && ` ${endTold(tables[ply], who)}`}</p>`
          : html`<p class="moment-told">${who[table.first - 1]} ${who[table.first - 1] === "You" ? "begin" : "begins"}.</p>`
      }
      <${Board} table=${table} values=${table.turn ? values : null} marks=${marks} spelled testid="moment-board" level="h4" />
      ${
        table.turn &&
        html`<p class="row">
        ${point && html`<button class="button small primary" disabled=${busy} onClick=${this.practise}>Practise this moment</button>`}
        ${point && html`<button class="button small" onClick=${() => walk(table, [point.move, ...point.line])}>Walk the line</button>`}
        <a class="button small" href=${table.study}>Study this position</a>
      </p>`
      }
      ${refused && html`<p class="refusal">${refused}</p>`}
    </div>`;
  }

  /** How the move was, and what was better. @param {Decision} decision */
  graded({ grade, after, move, player }) {
    const { round, ply, who } = this.props;
    const table = this.table();
    const point = round.turning_points.find((each) => each.ply === ply);
    const you = who[player - 1] === "You";
    const worth = after?.plies ? ` With it ${you ? "you" : who[player - 1]} ${valueTold(after, you)}.` : "";
    const held = point?.held_by.map((better) => spokenIn(table, better)) ?? [];
    const better = held.length ? ` ${capital(anyOf(held))} would have kept it.` : "";
    return html`<span data-grade=${grade} data-move=${move}>${GRADED[grade]}${point ? worth : ""}${better}</span>`;
  }
}
