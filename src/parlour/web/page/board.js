// Drawing a table: groups of tiles by their shape. Nothing here knows a game or a rule; what may be chosen, whose a tile is
// and what it says all come with the table.

import { Later } from "./later.js";
import { Component, capital, createRef, html, lookOf, Mark, sentence, valueTold } from "./parts.js";
import { neighbour, once, STEPS, strokeOf, Tile, withWon } from "./tile.js";

/** @import { ComponentChildren } from "./vendor/preact.js" */
/** @import { Group as GroupDocument, Player, Table, Tile as TileDocument, Values } from "./types.js" */

const loadDial = () => import("./dial.js").then((module) => module.Dial);

const MOST_BUTTONS = 12; // for moves that no tile makes
const MOST_NUMBERS = 100; // of a range that is shown whole, ten in a row

/**
 * How many columns: as few gaps in the last row as can be, and then as many columns as can be.
 * @param {number} count
 * @param {number} most
 * @param {number} least
 */
function columns(count, most, least) {
  if (count <= most) return count;
  let best = most;
  for (let n = most; n >= least; n--) {
    const gaps = (n - (count % n)) % n;
    if (gaps < (best - (count % best)) % best) best = n;
  }
  return best;
}

/**
 * A range that is small enough is shown whole, so that every number keeps its place: those that are taken, those that can be
 * chosen now and those that cannot.
 * @param {GroupDocument} group
 * @param {Table} table
 * @returns {GroupDocument}
 */
function whole(group, { view, turn, last }) {
  const { range } = group;
  if (!range?.limit || range.limit > MOST_NUMBERS) return group;
  const owners = new Map(
    view.filter((other) => other !== group).flatMap(({ rows }) => rows.flat().map((tile) => [tile.text, tile.owner])),
  );
  const tiles = Array.from({ length: range.limit }, (_, index) => {
    const text = String(index + 1);
    const owner = owners.get(text) ?? null;
    const legal = turn !== null && range.low <= index + 1 && index + 1 <= range.high;
    const used = owners.has(text) && owner === null; // it belongs to nobody, and never will
    return {
      text,
      owner,
      player: owner,
      move: used ? null : text,
      legal,
      note: "",
      last: last?.move === text,
      won: false,
    };
  });
  return { ...group, rows: [tiles] };
}

/**
 * The tiles of the last move: the one it chose, and the number its player has put down where nothing can be chosen.
 * @param {Table} table
 */
function lastTiles({ view, last }) {
  const found = new Set();
  for (const group of view) {
    const tiles = group.rows.flat();
    const chosen = tiles.find((tile) => tile.last);
    if (chosen) found.add(chosen);
    if (!last || last.passed || tiles.some((tile) => tile.move !== null)) continue;
    /** @param {TileDocument} tile */
    const mine = (tile) => tile.owner === last.player && tile.text === last.move;
    const row = group.rows.find((tiles) => tiles.some(mine));
    if (row) found.add(row.findLast(mine));
  }
  return found;
}

/**
 * @typedef {object} Drawing how a table is drawn
 * @property {((move: string) => void) | null} [choose] makes tiles with a move buttons
 * @property {boolean} [playable] a press plays now
 * @property {Values | null} [values] what the moves are worth
 * @property {string | null} [selected] the move that is being played
 * @property {boolean} [spelled] what they are worth is said in words
 * @property {Map<string, string>} [marks] a word for some of the moves: "played", "better"
 * @property {boolean} [mini] small and silent, for a card
 * @property {string} [level] of the groups' headings
 *
 * @typedef {object} Seated how the table of a match is laid out
 * @property {Record<Player, ComponentChildren>} [heads] who the players are: each stands with what is theirs
 * @property {ComponentChildren} [middle] what is said between the players and what they share
 * @property {ComponentChildren} [notes] what lies right above the tiles that can be chosen, without moving them
 * @property {{ move: (board: HTMLElement) => void, win: (board: HTMLElement) => void }} [motion] shows what happened
 *
 * @typedef {Drawing & Seated & { table: Table, testid?: string }} BoardProps
 * @typedef {Drawing & { group: GroupDocument, names: string[], last: Set<TileDocument>, untitled?: boolean, notes?: ComponentChildren }} GroupProps
 */

/**
 * `at`: the move whose tile the Tab key comes to.
 * @extends {Component<GroupProps, { at: string | null }>}
 */
class Group extends Component {
  /** @type {{ at: string | null }} */
  state = { at: null };
  /** @type {{ current: HTMLElement | null }} */
  ref = createRef();

  /** @param {KeyboardEvent} event */
  onKey = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof Element)) return;
    /** @type {HTMLElement | null} */
    const tile = event.target.closest("button.tile");
    if (!tile || !this.ref.current || !STEPS.includes(event.key)) return;
    event.preventDefault(); // the page's own arrow keys leave this one alone
    event.stopPropagation();
    /** @type {NodeListOf<HTMLElement>} */
    const all = this.ref.current.querySelectorAll("button.tile");
    neighbour([...all], tile, event.key)?.focus();
  };

  /** @param {GroupProps} props @param {{ at: string | null }} state */
  render(
    { group, names, last, values, spelled, marks, choose = null, playable, mini, selected, level = "h3", untitled },
    { at },
  ) {
    const { range } = group;
    const tiles = group.rows.flat();
    const moves = tiles.filter((tile) => tile.move !== null);
    const stop = moves.some((tile) => tile.move === at) ? at : (moves.find((tile) => tile.legal) ?? moves[0])?.move;
    const widest = Math.max(...group.rows.map((row) => row.length));
    const flat = group.shape === "pool" || group.shape === "line";
    const isWhole = range !== null && tiles.length === range.limit;
    const wide = isWhole ? Math.min(10, tiles.length) : flat ? columns(tiles.length, 10, 6) : widest;
    const narrow = flat && !isWhole ? columns(tiles.length, tiles.length > 36 ? 8 : 6, 4) : wide;
    const style = {
      "--n": widest,
      "--line": widest > 20 ? "2.1rem" : widest > 10 ? "2.6rem" : "3.1rem",
      "--cols": wide,
      "--rows": flat ? Math.ceil(tiles.length / wide) : group.rows.length,
      "--cols-small": narrow,
      "--rows-small": flat ? Math.ceil(tiles.length / narrow) : group.rows.length,
    };
    const telling = values && [...values.values()].some(({ best }) => !best); // where all are best, none is marked

    /** @param {TileDocument} tile @param {number} row @param {number} column */
    const draw = (tile, row, column) =>
      html`<${Tile}
        ...${{ tile, group, row, column, names, telling, choose, playable, mini }}
        isLast=${last.has(tile)}
        value=${tile.move === null ? undefined : values?.get(tile.move)}
        mark=${tile.move === null ? undefined : marks?.get(tile.move)}
        spelled=${spelled && !isWhole}
        selected=${tile.move !== null && tile.move === selected}
        isStop=${tile.move === stop}
        onFocus=${(/** @type {string} */ at) => this.setState({ at })}
      />`;

    const tooMany = range !== null && range.high > range.low && !moves.length;
    const content = tooMany
      ? choose
        ? html`<${Later} key=${range.low} load=${loadDial} props=${{ range, choose, playable, selected, values }} quiet />`
        : html`<p class="range">${tiles[0]?.text}</p>`
      : group.rows.map((row, y) => html`<div class="tiles">${row.map((tile, x) => draw(tile, y, x))}</div>`);
    const size = isWhole ? " whole" : group.shape === "line" && widest > 5 ? " many" : "";
    const kind = `group ${group.shape}${size}${strokeOf(group)}${group.owner ? ` owned p${lookOf(group.owner)}` : ""}`;
    if (mini) return html`<div class=${kind} style=${style}>${content}</div>`;
    return html`<div class=${kind} style=${style} role="group" aria-label=${group.title} ref=${this.ref} onKeyDown=${this.onKey}>
      <${level} class=${untitled ? "unseen" : "group-title"}>${group.owner && html`<${Mark} player=${group.owner} />`} ${group.title}</${level}>
      ${this.props.notes}${content}
    </div>`;
  }
}

/** The place of the group that players choose from, among all of a table; -1 if there is none. @param {Table} table */
export const choicesOf = ({ view }) =>
  view.findLastIndex(({ owner, shape, rows }) => !owner && shape !== "line" && rows.some((row) => row.length));

/** A sequence that is longer than the table is wide shows its end. @param {HTMLElement} board */
function toTheEnd(board) {
  for (const line of board.querySelectorAll(".seated .shared .line .tiles")) line.scrollLeft = line.scrollWidth;
}

/** @extends {Component<BoardProps>} */
export class Board extends Component {
  /** @type {{ current: HTMLElement | null }} */
  ref = createRef();

  // A tile that is played may be gone afterwards; whoever plays by keyboard must not be thrown back to the top of the page.
  getSnapshotBeforeUpdate() {
    return this.ref.current?.contains(document.activeElement) ?? false;
  }
  /** @param {BoardProps} before @param {object} _state @param {boolean} focused */
  componentDidUpdate(before, _state, focused) {
    const board = this.ref.current;
    if (board && !this.props.mini) this.showChange(board, before.table);
    if (!focused || !board || board.contains(document.activeElement)) return;
    /** @type {HTMLElement | null} */
    const stop = board.querySelector('button.tile[tabindex="0"]');
    (stop ?? document.getElementById("status"))?.focus();
  }

  componentDidMount() {
    if (this.ref.current) toTheEnd(this.ref.current);
  }

  /** @param {HTMLElement} board @param {Table} before */
  showChange(board, before) {
    const { table, motion } = this.props;
    if (before === table) return;
    toTheEnd(board);
    const isNext =
      table.moves.length === before.moves.length + 1 && before.token === table.moves.slice(0, -1).join(".");
    if (isNext || (table.moves.length === 1 && !before.moves.length)) motion?.move(board);
    if (table.result && !before.result) motion?.win(board);
  }

  /** @param {BoardProps} props */
  render(props) {
    const { table, choose, playable, values, spelled, marks, mini, selected, level, heads, middle, notes } = props;
    const { testid = "board" } = props;
    const shown = mini ? table : { ...table, view: table.view.map((group) => withWon(whole(group, table), table)) };
    const last = lastTiles(shown);
    const choices = choicesOf(shown);
    const valued = values?.size ? values : null;
    /** @param {GroupDocument} group @param {number} index */
    const draw = (group, index) =>
      group.rows.some((row) => row.length) &&
      html`<${Group}
        key=${index}
        ...${{ group, last, spelled, marks, mini, selected, playable, level }}
        names=${table.names}
        values=${valued}
        choose=${mini ? null : choose}
        untitled=${Boolean(heads)}
        notes=${index === choices && notes}
      />`;
    const state = `${mini ? " mini" : ""}${playable ? " playable" : ""}${valued ? ` with-values${spelled ? " spelled" : ""}` : ""}`;
    const kind = `board${heads ? " seated" : ""}${state}`;
    /** @param {Player | null} owner */
    const of = (owner) => shown.view.map((group, index) => group.owner === owner && draw(group, index));
    const shape = shown.view.find((group) => group.owner)?.shape ?? "none";
    /** @type {Player[]} the disc first */
    const players = lookOf(1) === 1 ? [1, 2] : [2, 1];
    return html`<div class=${kind} ref=${this.ref} aria-hidden=${mini ? "true" : null} data-testid=${mini ? null : testid}>
      ${
        heads
          ? html`<div class="seats ${shape}">${players.map((player) => html`<div key=${player} class="seat">${heads[player]}${of(player)}</div>`)}</div>
          ${middle}
          <div class="shared">${of(null)}</div>`
          : shown.view.map(draw)
      }
    </div>`;
  }
}

/**
 * The game in a sentence, and what is not as usual about this one.
 * @param {{ table: Table, round?: number | false }} props
 */
export function Summary({ table, round }) {
  const terms = [...table.terms, ...(round ? [`round ${round}`] : [])].join(", ");
  return html`<p class="soft">${table.summary} ${terms && html`<strong>${sentence(terms)}</strong>`}</p>`;
}

/**
 * Moves that no tile makes, passing for one, as buttons of their own.
 * @param {{ table: Table, choose: (move: string) => void, values: Values | null }} props
 */
export function OtherMoves({ table, choose, values }) {
  const onTiles = new Set(table.view.flatMap((group) => group.rows.flat().map((tile) => tile.move)));
  const others = table.legal.filter((move) => !onTiles.has(move));
  if (!others.length || others.length > MOST_BUTTONS) return null;
  return html`<p class="row others">
    ${others.map((move) => {
      const value = values?.get(move);
      return html`<button class="button" data-move=${move} onClick=${once(() => choose(move))}>
        ${capital(move)} ${value && html`<span class="worth">${valueTold(value)}</span>`}
      </button>`;
    })}
  </p>`;
}
