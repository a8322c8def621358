// One tile of a table: what it shows, what it is called, which one the arrow keys come to next, and what has won.

import { html, lookOf, valueMark, valueTold } from "./parts.js";

/** @import { Choice, Group, Player, Table, Tile as TileDocument } from "./types.js" */

/** @param {{ owner: Player }} props */
const Face = ({ owner }) =>
  html`<svg class="face" viewBox="0 0 48 48" aria-hidden="true">
    ${lookOf(owner) === 1 ? html`<circle cx="24" cy="24" r="22.5" />` : html`<path d="M24 -1 49 24 24 49 -1 24Z" />`}
  </svg>`;

/**
 * How a long number is drawn: smaller, and from seven digits on (five in a line, where tiles are small) as wide as it is.
 * @param {number} digits
 * @param {Group["shape"]} shape
 */
const long = (digits, shape) => digits > 2 && `long-${digits > (shape === "line" ? 4 : 6) ? 7 : digits}`;

/**
 * The second click of a double click chooses nothing: by then the same place may be another's choice.
 * @param {() => void} action
 */
export const once = (action) => (/** @type {MouseEvent} */ event) => {
  if (event.detail < 2) action();
};

/**
 * @typedef {object} TileProps
 * @property {TileDocument} tile
 * @property {Group} group the one it is in
 * @property {number} row its place there, from 0 on
 * @property {number} column
 * @property {string[]} names of the players
 * @property {boolean} isLast it is one of the last move
 * @property {Choice | undefined} value what its move is worth, where that is shown
 * @property {boolean} spelled that is said in words
 * @property {string | undefined} mark a word for its move: "played", "better"
 * @property {boolean} telling the best moves are marked
 * @property {((move: string) => void) | null} choose makes it a button, if it has a move
 * @property {boolean} playable a press plays now
 * @property {boolean} selected it is being played
 * @property {boolean} mini drawn small and silent
 * @property {boolean} isStop the Tab key comes to it
 * @property {(move: string) => void} onFocus
 */

/** A marker says in a letter whose a cell is; here its face does. @param {TileDocument} tile @param {Group} group */
const isMarker = (tile, group) => group.shape === "grid" && tile.owner !== null;

/** What a tile is called: its place, what it shows, whose it is, and what is known about it. @param {TileProps} props */
function nameOf({ tile, group, row, column, names, isLast, value, mark }) {
  const parts = [];
  // What stands on the tile comes first, so that saying what one sees finds it.
  parts.push(tile.text || "empty");
  if (tile.note && !isMarker(tile, group)) parts.push(tile.note);
  if (group.shape === "grid" || group.shape === "pyramid") parts.push(`row ${row + 1}, place ${column + 1}`);
  if (mark) parts.push(mark);
  if (value) parts.push(valueTold(value));
  if (tile.owner && tile.owner !== group.owner) parts.push(`taken by ${names[tile.owner - 1]}`);
  else if (tile.legal) parts.push("free");
  else if (tile.move !== null) parts.push("not possible now");
  if (tile.won) parts.push("in the winning line");
  if (isLast) parts.push("last move");
  return parts.join(", ");
}

/** @param {TileProps} props */
export function Tile(props) {
  const { tile, group, isLast, value, spelled, mark, telling, choose, playable, selected, mini, isStop, onFocus } =
    props;
  const { move } = tile;
  const classes = [
    "tile",
    tile.owner && `p${lookOf(tile.owner)}`,
    !tile.owner && group.owner && `p${lookOf(group.owner)} hollow`,
    tile.legal && "legal",
    move !== null && !tile.legal && !tile.owner && "barred",
    !tile.text && "empty",
    isLast && "last",
    tile.won && "won",
    selected && "selected",
    value && `valued ${value.value}${value.best && telling ? " best" : ""}`,
    mark && `marked ${mark}`,
    long(tile.text.length, group.shape),
  ];
  const kind = classes.filter(Boolean).join(" ");
  // The place of a step is kept free before there is one, so that nothing moves when it comes.
  const hasStep = group.shape === "line" && (tile.note || (group.owner && props.column > 0));
  const step = hasStep && html`<span class="step" aria-hidden="true">${tile.note}</span>`;
  const [sign, plies] = value ? valueMark(value) : [];
  const beside = value && spelled ? `\u00a0${valueTold(value)}` : plies;
  const inside = html`
    ${(tile.owner || (group.owner && !tile.text)) && html`<${Face} owner=${tile.owner ?? group.owner} />`}
    <span class="number">${tile.text}</span>
    ${tile.note && group.shape !== "line" && !isMarker(tile, group) && html`${" "}<span class="note">${tile.note}</span>`}
    ${mark && html`<span class="mark-word">${mark}</span>`}
    ${value && html`${" "}<span class="worth" aria-hidden="true">${sign}<span class=${spelled ? "plies spelled" : "plies"} data-plies=${beside}></span></span>`}
  `;
  if (mini) return html`<span class="place">${step}<span class=${kind}>${inside}</span></span>`;
  if (move === null || !choose) {
    return html`<span class="place">${step}<span class=${kind} role="img" aria-label=${nameOf(props)}>${inside}</span></span>`;
  }
  return html`<span class="place">${step}<button
    class=${kind}
    aria-label=${nameOf(props)}
    title=${value ? valueTold(value) : null}
    aria-disabled=${tile.legal && playable ? null : "true"}
    data-move=${move}
    data-testid="tile"
    tabindex=${isStop ? 0 : -1}
    onFocus=${() => onFocus(move)}
    onClick=${once(() => choose(move))}
  >${inside}</button></span>`;
}

/** @param {Element} element */
function middleOf(element) {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

/** The keys that go from tile to tile. */
export const STEPS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];

/**
 * The nearest button in a direction, as one sees it: rows wrap, and pyramids are staggered.
 * @param {HTMLElement[]} all
 * @param {HTMLElement} from
 * @param {string} key one of STEPS
 */
export function neighbour(all, from, key) {
  if (key === "Home") return all[0];
  if (key === "End") return all.at(-1);
  const { x, y } = middleOf(from);
  const near = from.getBoundingClientRect().height / 2;
  const sideways = key === "ArrowLeft" || key === "ArrowRight";
  const sign = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
  let best;
  let least = Infinity;
  for (const other of all) {
    const middle = middleOf(other);
    const [dx, dy] = [middle.x - x, middle.y - y];
    const ahead = sign * (sideways ? dx : dy);
    const aside = Math.abs(sideways ? dy : dx);
    if (ahead <= 1 || (sideways && aside > near)) continue;
    if (ahead + 3 * aside < least) {
      best = other;
      least = ahead + 3 * aside;
    }
  }
  if (best || !sideways) return best;
  return all[all.indexOf(from) + sign]; // at the end of a row the next one goes on
}

// What has won, shown wherever it lies: a stroke through a line of cells, and the numbers of a sequence in the pool as well.

/**
 * The way a stroke goes through the cells of a grid that have won, as a class; empty where none have.
 * @param {Group} group
 */
export function strokeOf({ shape, rows }) {
  const won = rows.flatMap((row, y) => row.flatMap((tile, x) => (tile.won ? [{ x, y }] : [])));
  const [first, second] = won;
  if (shape !== "grid" || !first || !second) return "";
  if (first.y === second.y) return " struck across";
  if (first.x === second.x) return " struck down";
  return second.x > first.x ? " struck falling" : " struck rising";
}

/**
 * A pool in which the numbers that have won elsewhere on the table are marked too: there they can be seen best.
 * @param {Group} group
 * @param {Table} table
 * @returns {Group}
 */
export function withWon(group, { view }) {
  if (group.shape !== "pool") return group;
  const won = new Set(
    view
      .filter(({ shape }) => shape === "line")
      .flatMap(({ rows }) => rows.flat())
      .filter((tile) => tile.won)
      .map((tile) => `${tile.owner} ${tile.text}`),
  );
  if (!won.size) return group;
  const rows = group.rows.map((row) =>
    row.map((tile) => (won.has(`${tile.owner} ${tile.text}`) ? { ...tile, won: true } : tile)),
  );
  return { ...group, rows };
}
