// The study board: any position of any game, both sides moved by whoever looks. Each position has its own address.

import { Analysis, refusalOf, valuesOf } from "./analysis.js";
import * as api from "./api.js";
import { Board, OtherMoves, Summary } from "./board.js";
import { Copy } from "./copy.js";
import { MoveForm } from "./moveform.js";
import { go } from "./nav.js";
import {
  announce,
  bring,
  Component,
  endTold,
  foreignKey,
  html,
  Loading,
  lastTold,
  Mark,
  playerOf,
  sentence,
  Trouble,
  title,
} from "./parts.js";
import { spokenIn } from "./people.js";
import { goToPlace, lineHere, movesOf, placeOf, studyPath, tokenOf } from "./place.js";
import { refusalIn } from "./request.js";
import { sound } from "./sound.js";
import { Steps } from "./steps.js";
import { Begin, Opponent, startFrom } from "./ways.js";

/** @import { Level, Line, Place, Table } from "./types.js" */
/** @import { ApiError } from "./request.js" */
/** @import { Way } from "./ways.js" */

/** Whether `path` leads through a place. @param {string[]} path @param {string} token */
const leadsThrough = (path, token) => {
  const moves = movesOf(token);
  return moves.length <= path.length && moves.every((move, index) => move === path[index]);
};

/** @param {Line} line */
const movesAlong = (line) => [...movesOf(line.from), ...line.moves];

/**
 * @typedef {{ place: string }} StudyProps the address
 *
 * @typedef {object} StudyState
 * @property {Table | null} table
 * @property {string[]} path the moves one can step along, those ahead included
 * @property {boolean} on the values are shown
 * @property {string} refusal
 * @property {Level[]} levels the computers to choose from, once they are known
 * @property {boolean} busy
 * @property {ApiError | null} error
 */

/** @extends {Component<StudyProps, StudyState>} */
export class Study extends Component {
  /** @type {StudyState} */
  state = { table: null, path: [], on: true, refusal: "", levels: [], busy: false, error: null };
  gone = false;
  /** @type {Map<string, Table>} by their tokens: stepping to and fro asks nobody */
  tables = new Map();

  componentDidMount() {
    addEventListener("keydown", this.onKey);
    this.load();
    api.games().then(
      ({ levels }) => this.setState({ levels }),
      () => {}, // then one plays on against the computer as it was chosen last
    );
  }
  componentWillUnmount() {
    removeEventListener("keydown", this.onKey);
    this.gone = true;
  }
  /** @param {StudyProps} before */
  componentDidUpdate(before) {
    if (before.place !== this.props.place) this.load();
  }

  place() {
    return placeOf(this.props.place);
  }

  /** The line that is being walked: as long as one stays on it, its beginnings included. */
  line() {
    const line = lineHere();
    return line && leadsThrough(movesAlong(line), this.place().token) ? line : null;
  }

  /** @param {Place} place */
  async table(place) {
    const table = this.tables.get(place.token) ?? (await api.position(place));
    this.tables.set(place.token, table);
    return table;
  }

  load = async () => {
    const wanted = this.props.place;
    const place = this.place();
    try {
      const table = await this.table(place);
      if (this.gone || wanted !== this.props.place) return;
      title(`${table.title}: study`);
      const line = this.line();
      const { path, table: before } = this.state;
      if (before && table.last && table.token !== before.token) {
        sound("move");
        announce(`${lastTold(table)} ${table.turn ? `${table.names[table.turn - 1]} to move.` : endTold(table)}`);
      }
      const ahead = line ? movesAlong(line) : leadsThrough(path, place.token) ? path : movesOf(place.token);
      this.setState({ table, path: ahead, error: null, refusal: "" });
    } catch (error) {
      if (!this.gone && wanted === this.props.place) this.setState({ error: refusalIn(error) });
    }
  };

  /** @param {string[]} moves */
  to(moves, line = this.line()) {
    goToPlace(studyPath(this.place(), moves), line);
  }

  /** @param {string} move */
  play = async (move) => {
    if (!this.state.table?.turn) return false;
    try {
      // The server judges the move and says how it is spelled; only then the address changes.
      const place = this.place();
      const next = await this.table({ ...place, token: tokenOf([...movesOf(place.token), move]) });
      this.to(next.moves);
      return true;
    } catch (error) {
      this.setState({ refusal: refusalOf(error) });
      return false;
    }
  };

  /** @param {number} to */
  step = (to) => {
    const { path, table } = this.state;
    if (to >= 0 && to <= path.length && to !== table?.moves.length) this.to(path.slice(0, to));
  };

  /** @param {string[]} moves */
  walk = (moves) => {
    const from = this.place().token;
    this.to([...movesOf(from), moves[0]], { from, moves });
    bring("status");
  };

  /** @param {Table} table @param {Way} way */
  playOn = async (table, way) => {
    this.setState({ busy: true });
    try {
      go(await startFrom(way, table));
    } catch (error) {
      this.setState({ busy: false, refusal: refusalOf(error) });
    }
  };

  /** @param {KeyboardEvent} event */
  onKey = (event) => {
    const { table, path } = this.state;
    if (!table || foreignKey(event)) return;
    const at = table.moves.length;
    const type = () => document.getElementById("move-input")?.focus();
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => this.step(at - 1),
      k: () => this.step(at - 1),
      ArrowRight: () => this.step(at + 1),
      j: () => this.step(at + 1),
      Home: () => this.step(0),
      End: () => this.step(path.length),
      u: () => this.step(at - 1),
      m: type,
      "/": type,
    };
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  };

  /** @param {StudyProps} _ @param {StudyState} state */
  render(_, { table, error, path, on, refusal, busy, levels }) {
    if (error) return html`<${Trouble} error=${error} again=${this.load} />`;
    if (!table) return html`<div class="page"><h1 tabindex="-1">Study</h1><${Loading} /></div>`;
    const at = table.moves.length;
    const line = this.line();
    const values = on ? valuesOf(table) : null;
    return html`<div class="page table-page study">
      <p class="crumb"><a href="/">Games</a> <a href="/rules/${table.game}">Rules</a></p>
      <h1 tabindex="-1">${table.title}: study</h1>
      <${Summary} table=${table} />
      <div class="table-columns">
        <section class="table-board" aria-labelledby="board-heading">
          <h2 id="board-heading" class="unseen">Board</h2>
          <div class="status-row"><p id="status" tabindex="-1" class="status" data-testid="status">
            ${
              table.turn
                ? html`<${Mark} player=${table.turn} /> <strong>${table.names[table.turn - 1]} to move.</strong> ${sentence(table.stuck ? `only a pass is possible: ${table.stuck}` : table.needs)}`
                : html`<strong>The round is over.</strong> ${endTold(table)}`
            }
          </p></div>
          ${table.settled && html`<p class="soft">Nobody can win this round${at ? " any more" : ", whatever is played"}.</p>`}
          ${table.last && html`<p class="soft"><${Mark} player=${table.last.player} /> ${lastTold(table)} ${sentence(table.last.why)}</p>`}
          <${Board} table=${table} choose=${this.play} playable=${Boolean(table.turn)} values=${values} spelled />
          <${OtherMoves} table=${table} choose=${this.play} values=${values} />
          ${line && html`<${LineBar} table=${table} line=${line} at=${at} onStep=${this.step} onBack=${() => this.to(movesOf(line.from), null)} />`}
          <${Steps} at=${at} last=${path.length} onStep=${this.step} />
          <${MoveForm} disabled=${!table.turn} onPlay=${this.play} refusal=${refusal} legal=${table.legal_text} want=${table.want} />
        </section>
        <div class="table-side">
          <section aria-labelledby="values-heading">
            <h2 id="values-heading">What is known</h2>
            <${Analysis} key=${table.study} table=${table} on=${on} onToggle=${() => this.setState({ on: !on })}
              onSolved=${() => this.forceUpdate()} onWalk=${this.walk} onPlay=${this.play} />
          </section>
          <section aria-labelledby="moves-heading">
            <h2 id="moves-heading">Moves so far</h2>
            ${
              path.length
                ? html`<ol class="moves">
                  ${path.map(
                    (
                      move,
                      index,
                    ) => html`<li key=${index}><button class="chip ${at === index + 1 ? "now" : ""} ${index >= at ? "ahead" : ""}" aria-current=${at === index + 1 ? "step" : null} onClick=${() => this.step(index + 1)}>
                      <${Mark} player=${playerOf(table.first, index)} /> ${spokenIn(table, move)}</button></li>`,
                  )}
                </ol>`
                : html`<p class="soft">No move yet.</p>`
            }
            <p class="row"><${Copy} class="small" text=${() => location.href}>Copy a link to this position<//></p>
          </section>
          ${
            table.turn &&
            html`<section aria-labelledby="on-heading">
            <h2 id="on-heading">Play on from here</h2>
            <p class="soft">You take the side of <${Mark} player=${table.turn} /> ${table.names[table.turn - 1]}.</p>
            <${Opponent} levels=${levels} game=${table.game} onChange=${() => this.forceUpdate()} />
            <${Begin} onPlay=${(/** @type {Way} */ way) => this.playOn(table, way)} busy=${busy} />
          </section>`
          }
        </div>
      </div>
    </div>`;
  }
}

/**
 * The line that is being walked, and the way back to where it began.
 * @param {{ table: Table, line: Line, at: number, onStep: (to: number) => void, onBack: () => void }} props
 */
function LineBar({ table, line, at, onStep, onBack }) {
  const from = movesOf(line.from).length;
  return html`<div class="line-bar">
    <p>
      <strong>Walking a line</strong> ${line.moves.map((move, index) => {
        const to = from + index + 1;
        return html` <button class="chip ${at === to ? "now" : ""}" aria-current=${at === to ? "step" : null} onClick=${() => onStep(to)}>${spokenIn(table, move)}</button>`;
      })}
    </p>
    <button class="button small" onClick=${onBack}>Back to where it began</button>
  </div>`;
}
