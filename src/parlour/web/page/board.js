// Drawing a table: groups of tiles by their shape. Nothing here knows a game or a rule; what may be chosen, whose a tile is
// and what it says all come with the table.

import { Component, capital, counted, createRef, html, Mark, sentence, valueShort } from "./parts.js";
import { neighbour, once, STEPS, Tile } from "./tile.js";

/** @import { Group as GroupDocument, Table, Tile as TileDocument, Values } from "./types.js" */

const MOST_BUTTONS = 12; // for moves that no tile makes

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
 * @property {boolean} [mini] small and silent, for a card
 * @property {Map<string, string>} [marks] a word for some of the moves: "played", "better"
 * @property {string} [level] of the groups' headings
 *
 * @typedef {Drawing & { table: Table, testid?: string }} BoardProps
 * @typedef {Drawing & { group: GroupDocument, names: string[], last: Set<TileDocument> }} GroupProps
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
  render({ group, names, last, values, marks, choose = null, playable, mini, selected, level = "h3" }, { at }) {
    const tiles = group.rows.flat();
    const moves = tiles.filter((tile) => tile.move !== null);
    const stop = moves.some((tile) => tile.move === at) ? at : (moves.find((tile) => tile.legal) ?? moves[0])?.move;
    const widest = Math.max(...group.rows.map((row) => row.length));
    const flat = group.shape === "pool" || group.shape === "line";
    const style = {
      "--n": widest,
      "--line": widest > 20 ? "2.1rem" : widest > 10 ? "2.6rem" : "3.1rem",
      "--cols": flat ? columns(tiles.length, 10, 6) : widest,
      "--cols-small": flat ? columns(tiles.length, values ? 5 : 6, values ? 4 : 5) : widest,
    };
    const telling = values && [...values.values()].some(({ best }) => !best); // where all are best, none is marked

    /** @param {TileDocument} tile @param {number} row @param {number} column */
    const draw = (tile, row, column) =>
      html`<${Tile}
        ...${{ tile, group, row, column, names, telling, choose, playable, mini }}
        isLast=${last.has(tile)}
        value=${tile.move === null ? undefined : values?.get(tile.move)}
        mark=${tile.move === null ? undefined : marks?.get(tile.move)}
        selected=${tile.move !== null && tile.move === selected}
        isStop=${tile.move === stop}
        onFocus=${(/** @type {string} */ at) => this.setState({ at })}
      />`;

    // Cells are named by row and column, so these stand beside a grid.
    const labelled = group.shape === "grid" && !mini;
    /** @param {string} label */
    const axis = (label) => labelled && html`<span class="axis" aria-hidden="true">${label}</span>`;
    const content = [
      labelled && html`<div class="tiles">${axis("")}${group.across.map(axis)}</div>`,
      ...group.rows.map(
        (row, y) => html`<div class="tiles">${axis(group.down[y])}${row.map((tile, x) => draw(tile, y, x))}</div>`,
      ),
    ];
    const kind = `group ${group.shape}${group.owner ? ` owned p${group.owner}` : ""}`;
    if (mini) return html`<div class=${kind} style=${style}>${content}</div>`;
    return html`<div class=${kind} style=${style} role="group" aria-label=${group.title} ref=${this.ref} onKeyDown=${this.onKey}>
      <${level} class="group-title">${group.owner && html`<${Mark} player=${group.owner} />`} ${group.title}</${level}>
      ${content}
    </div>`;
  }
}

/** @extends {Component<BoardProps>} */
export class Board extends Component {
  /** @type {{ current: HTMLElement | null }} */
  ref = createRef();

  // A tile that is played may be gone afterwards; whoever plays by keyboard must not be thrown back to the top of the page.
  getSnapshotBeforeUpdate() {
    return this.ref.current?.contains(document.activeElement) ?? false;
  }
  /** @param {BoardProps} _props @param {object} _state @param {boolean} focused */
  componentDidUpdate(_props, _state, focused) {
    const board = this.ref.current;
    if (!focused || !board || board.contains(document.activeElement)) return;
    /** @type {HTMLElement | null} */
    const stop = board.querySelector('button.tile[tabindex="0"]');
    (stop ?? document.getElementById("status"))?.focus();
  }

  /** @param {BoardProps} props */
  render({ table, choose, playable, values, marks, mini, selected, level, testid = "board" }) {
    const last = lastTiles(table);
    const valued = values?.size ? values : null;
    const kind = `board${mini ? " mini" : ""}${playable ? " playable" : ""}${valued ? " with-values" : ""}`;
    return html`<div class=${kind} ref=${this.ref} aria-hidden=${mini ? "true" : null} data-testid=${mini ? null : testid}>
      ${table.view.map(
        (group, index) =>
          group.rows.some((row) => row.length) &&
          html`<${Group}
            key=${index}
            ...${{ group, last, marks, mini, selected, playable, level }}
            names=${table.names}
            values=${valued}
            choose=${mini ? null : choose}
          />`,
      )}
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
        ${capital(move)} ${value && html`<span class="worth">${valueShort(value)}</span>`}
      </button>`;
    })}
  </p>`;
}

/**
 * A round one can leaf through: buttons for back and forward, and where one is.
 * @param {{ at: number, last: number, onStep: (to: number) => void, label?: string }} props
 */
export function Steps({ at, last, onStep, label = "Step through the moves" }) {
  // A button that was truly disabled would lose the focus of whoever keeps pressing it.
  /** @param {number} to @param {string} words @param {string} sign */
  const step = (to, words, sign) => {
    const off = to < 0 || to > last || to === at;
    return html`<button
      class="button step-button"
      aria-label=${words}
      title=${words}
      aria-disabled=${off ? "true" : null}
      onClick=${() => off || onStep(to)}
    >${sign}</button>`;
  };
  return html`<div class="steps" role="group" aria-label=${label}>
    ${step(at > 0 ? 0 : -1, "To the start", "⇤")} ${step(at - 1, "One move back", "←")}
    <span class="steps-at">${at ? `Move ${at} of ${last}` : last ? `Start, ${counted(last, "move")}` : "Start"}</span>
    ${step(at + 1, "One move forward", "→")} ${step(at < last ? last : -1, "To the end", "⇥")}
  </div>`;
}
