// What is exactly known about the position on the table: values, the ladder of hints, and why a move is what it is.

import * as api from "./api.js";
import { alertNow, announce, Component, foreignKey, html, Sign, sentence, Value, valueTold } from "./parts.js";
import { spokenIn } from "./people.js";
import { placeOf, walk } from "./place.js";
import { isAbort, refusalIn } from "./request.js";

/** @import { Choice, Hint, Progress, Reason, Solution, Table, Values } from "./types.js" */
/** @import { ApiError } from "./request.js" */
/** @import { Patience } from "./api.js" */

/** @type {Map<string, Solution>} what was found out, by the address of the position; a few hundred of them are small */
const solutions = new Map();
const ORDER = { win: 0, draw: 1, loss: 2 };
const FIRST_SHOWN = 24; // moves of the same worth
const LAST_RUNG = 4;

/** What each move of a table is worth, if that was found out already. @param {Table} table @returns {Values | null} */
export function valuesOf(table) {
  const solution = solutions.get(table.study);
  return solution ? new Map(solution.choices.map((choice) => [choice.move, choice])) : null;
}

/**
 * Find out what the moves of a table are worth: `valuesOf` has it then.
 * @param {Table} table
 * @param {Patience} patience
 */
export async function findValues({ study }, patience) {
  if (!solutions.has(study)) solutions.set(study, await api.solution(placeOf(study), patience));
}

/** The best first: a win that comes soon, a draw, a loss that holds out. @param {Choice[]} choices */
function sorted(choices) {
  /** @param {Choice} choice */
  const rank = ({ value, plies }) => (value === "loss" ? -(plies ?? 0) : (plies ?? 1e9));
  return [...choices].sort((a, b) => ORDER[a.value] - ORDER[b.value] || rank(a) - rank(b));
}

/** Moves of the same worth stand together. @param {Choice[]} choices sorted @returns {Choice[][]} */
function alike(choices) {
  /** @type {Map<string, Choice[]>} */
  const groups = new Map();
  for (const choice of choices) {
    const worth = valueTold(choice);
    groups.set(worth, [...(groups.get(worth) ?? []), choice]);
  }
  return [...groups.values()];
}

/** How far up the ladder the hints have led: one that says nothing new is left out. @param {Hint[]} rungs */
const lastRung = (rungs) => rungs.at(-1)?.rung ?? 0;

/**
 * @typedef {object} AnalysisProps
 * @property {Table} table
 * @property {boolean} on the values are wanted
 * @property {() => void} onToggle want them, or not
 * @property {() => void} onSolved they are there: `valuesOf` has them
 * @property {(text: string) => void} [onSay] is told hints and refusals, where this panel may be out of view
 * @property {number} [asked] goes up whenever a hint is asked for elsewhere
 * @property {boolean} [bare] the buttons for hints and values are elsewhere
 * @property {(line: string[]) => void} [onWalk] step along a line; the study board does it in place
 * @property {(move: string) => void} [onPlay]
 *
 * @typedef {object} AnalysisState
 * @property {Hint[]} rungs
 * @property {boolean} hinting
 * @property {Pick<Reason, "move"> & Partial<Reason> | null} why
 * @property {boolean} all all moves are shown
 * @property {Progress | null} progress
 * @property {boolean} cancelled
 * @property {ApiError | null} trouble
 */

/**
 * The panel beside a board. `key` must change with the position.
 * @extends {Component<AnalysisProps, AnalysisState>}
 */
export class Analysis extends Component {
  /** @type {AnalysisState} */
  state = { rungs: [], hinting: false, why: null, all: false, progress: null, cancelled: false, trouble: null };
  gone = false;
  /** @type {AbortController | null} */
  control = null;

  componentDidMount() {
    addEventListener("keydown", this.onKey);
    if (this.props.on) this.solve();
  }
  /** @param {AnalysisProps} before */
  componentDidUpdate(before) {
    if (this.props.on && !before.on) this.solve();
    if (!this.props.on && before.on) this.cancel();
    if (this.props.asked !== before.asked) this.hint();
  }
  componentWillUnmount() {
    this.gone = true;
    removeEventListener("keydown", this.onKey);
    this.cancel();
  }

  /** @param {KeyboardEvent} event */
  onKey = (event) => {
    if (foreignKey(event) || (event.key !== "h" && event.key !== "s")) return;
    event.preventDefault();
    if (event.key === "h") this.hint();
    else this.props.onToggle();
  };

  cancel = () => {
    this.control?.abort(); // the server stops working as well
    this.control = null;
    if (!this.gone) this.setState({ progress: null });
  };

  async solve() {
    const { table, onSolved } = this.props;
    this.setState({ trouble: null, cancelled: false });
    if (!table.turn || solutions.has(table.study)) return;
    this.cancel();
    const control = new AbortController();
    this.control = control;
    this.setState({ progress: { positions: 0, seconds: 0 } });
    try {
      await findValues(table, {
        signal: control.signal,
        onProgress: (progress) => this.control === control && this.setState({ progress }),
      });
      if (this.gone) return;
      this.setState({ progress: null });
      onSolved();
    } catch (error) {
      if (this.gone) return;
      if (isAbort(error)) this.setState({ progress: null, cancelled: true });
      else this.fail(error);
    }
  }

  /** @param {unknown} error */
  fail(error) {
    if (this.gone) return;
    const trouble = refusalIn(error);
    this.setState({ progress: null, hinting: false, trouble });
    this.props.onSay?.(sentence(trouble.message));
  }

  /** The next rung of the ladder. */
  hint = async () => {
    const { table } = this.props;
    const { rungs, hinting } = this.state;
    const rung = lastRung(rungs) + 1;
    if (!table.turn || hinting || rung > LAST_RUNG) return;
    this.setState({ hinting: true, trouble: null });
    try {
      const hint = await api.hint(placeOf(table.study), rung, table.names);
      if (this.gone) return;
      announce(hint.text);
      this.setState({ rungs: [...rungs, hint], hinting: false });
      this.props.onSay?.(hint.text);
    } catch (error) {
      this.fail(error);
    }
  };

  /** @param {string} move */
  explain = async (move) => {
    const { table } = this.props;
    this.setState({ why: { move } });
    try {
      const why = await api.reason(placeOf(table.study), move, table.names);
      if (this.gone) return;
      announce(why.text);
      this.setState({ why });
    } catch (error) {
      if (!this.gone) this.setState({ why: null, trouble: refusalIn(error) });
    }
  };

  /** @param {AnalysisProps} props @param {AnalysisState} state */
  render({ table, on, onToggle, bare }, { rungs, hinting, progress, trouble, cancelled, why, all }) {
    if (!table.turn) return html`<p class="soft">The round is over here: there is nothing left to choose.</p>`;
    const solution = solutions.get(table.study);
    const mover = table.names[table.turn - 1];
    const choices = solution ? sorted(solution.choices) : [];
    const groups = alike(choices);
    const telling = choices.some(({ best }) => !best);
    return html`<div class="analysis">
      ${
        !bare &&
        html`<p class="row">
        <button class="button" onClick=${this.hint} aria-disabled=${hinting || lastRung(rungs) >= LAST_RUNG ? "true" : null} data-testid="hint">
          ${hinting ? "Looking…" : rungs.length ? "Another hint" : "Hint"}
        </button>
        <button class="button ${on ? "primary" : ""}" onClick=${onToggle} data-testid="values">
          ${on ? "Hide the values" : "Show the values"}
        </button>
      </p>`
      }
      ${rungs.length > 0 && html`<ol class="rungs" data-testid="hints">${rungs.map((hint) => html`<li key=${hint.rung}>${hint.text}</li>`)}</ol>`}
      ${
        progress &&
        html`<p class="row" data-testid="solving">
        <span class="working">Solving… ${progress.positions ? `${progress.positions.toLocaleString("en-GB")} positions, ${progress.seconds.toFixed(1)} s` : ""}</span>
        <button class="button small" onClick=${this.cancel}>Cancel</button>
      </p>`
      }
      ${cancelled && on && html`<p class="row soft">Not solved: cancelled. <button class="button small" onClick=${() => this.solve()}>Solve it after all</button></p>`}
      ${
        trouble &&
        html`<p class="row soft" data-testid="unsolved"><span>${sentence(trouble.message)}</span>
        ${on && !solution && trouble.code !== "solve/too-big" && html`<button class="button small" onClick=${() => this.solve()}>Try again</button>`}</p>`
      }
      ${
        on &&
        solution &&
        html`<div>
        <p class="verdict"><${Sign} value=${solution.value} /> <strong>${mover}</strong>, to move, ${valueTold(solution)} with best play.</p>
        ${solution.about && html`<p class="soft">${solution.about}</p>`}
        <ul class="choices" aria-label="What each move is worth to ${mover}, the best first">
          ${groups.map(
            (
              group,
            ) => html`<li key=${valueTold(group[0])} class="worth-group ${group[0].best && telling ? "best" : ""}">
              <${Value} ...${group[0]} />
              <ul>
                ${(all ? group : group.slice(0, FIRST_SHOWN)).map(
                  ({
                    move,
                  }) => html`<li key=${move}><button class="choice-move" aria-expanded=${String(why?.move === move)} aria-label="${spokenIn(table, move)}: why?"
                    onClick=${() => this.explain(move)}>${spokenIn(table, move)}</button></li>`,
                )}
              </ul>
              ${why?.text && group.some(({ move }) => move === why.move) && this.reason(why.move, why.text, why.line)}
            </li>`,
          )}
        </ul>
        ${
          !all &&
          groups.some((group) => group.length > FIRST_SHOWN) &&
          html`<button class="quiet" onClick=${() => this.setState({ all: true })}>Show all ${choices.length}</button>`
        }
        <p class="soft">Press a move to see why.</p>
        ${solution.left_out > 0 && html`<p class="soft">${solution.left_out} more are not listed.</p>`}
      </div>`
      }
    </div>`;
  }

  /** Why a move is what it is, below that move. @param {string} move @param {string} text @param {string[]} line */
  reason(move, text, line = []) {
    const { table, onPlay, onWalk = (moves) => walk(table, moves) } = this.props;
    return html`<div class="why" data-testid="why">
      <p>${text}</p>
      <p class="row">
        ${onPlay && html`<button class="button small" onClick=${() => onPlay(move)}>Play ${spokenIn(table, move)}</button>`}
        <button class="button small" onClick=${() => onWalk([move, ...line])}>
          Walk through this line
        </button>
        <button class="button small" onClick=${() => this.setState({ why: null })}>Close</button>
      </p>
    </div>`;
  }
}

/** Why something was refused, said once aloud; it names what was pressed. @param {unknown} error */
export function refusalOf(error, pressed = "") {
  const { body, message } = refusalIn(error);
  const { reason } = body;
  const named = !reason || !pressed || reason.split(/[^\p{L}\d]+/u).includes(pressed);
  const text = sentence(reason ? (named ? reason : `${pressed} is not possible: ${reason}`) : message);
  alertNow(text);
  return text;
}
