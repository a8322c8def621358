// Drawing a table: groups of tiles by their shape. Nothing here knows a game or a rule; what may be chosen, whose a tile is
// and what it says all come with the table.

import { Component, Mark, counted, createRef, html, sentence, valueShort, valueWords } from "./parts.js";

/** How many columns: as few gaps in the last row as can be, and then as many columns as can be. */
function columns(count, most, least) {
  if (count <= most) return count;
  let best = most;
  for (let n = most; n >= least; n--) {
    const gaps = (n - (count % n)) % n;
    if (gaps < (best - (count % best)) % best) best = n;
  }
  return best;
}

/** The tiles of the last move: the one it chose, and the number its player has put down where nothing can be chosen. */
function lastTiles(table) {
  const found = new Set();
  for (const group of table.view) {
    const tiles = group.rows.flat();
    const chosen = tiles.find((tile) => tile.last);
    if (chosen) found.add(chosen);
    if (!table.last || table.last.passed || tiles.some((tile) => tile.move !== null)) continue;
    const mine = (tile) => tile.owner === table.last.player && tile.text === table.last.move;
    const row = group.rows.find((tiles) => tiles.some(mine));
    if (row) found.add(row.findLast(mine));
  }
  return found;
}

/** What a tile is called: its place, what it shows, whose it is, and what is known about it. */
function nameOf(tile, group, row, place, names, isLast, value) {
  const parts = [];
  if (group.shape === "grid") parts.push(`cell row ${row + 1} column ${place + 1}`);
  if (group.shape === "pyramid") parts.push(`row ${row + 1} place ${place + 1}`);
  parts.push(tile.text ? (group.shape === "grid" ? `number ${tile.text}` : tile.text) : "empty");
  // What stands on the tile comes first and in its order, so that saying what one sees finds it.
  if (tile.note) parts.push(tile.note);
  if (value) parts.push(valueWords(value));
  if (tile.owner && tile.owner !== group.owner) parts.push(`taken by ${names[tile.owner - 1]}`);
  else if (tile.legal) parts.push("free");
  else if (tile.move !== null) parts.push("not possible now");
  if (tile.won) parts.push("won with it");
  if (isLast) parts.push("last move");
  return parts.join(", ");
}

const Face = ({ owner }) =>
  html`<svg class="face" viewBox="0 0 48 48" aria-hidden="true">
    ${owner === 1 ? html`<circle cx="24" cy="24" r="22.5" />` : html`<path d="M24 -1 49 24 24 49 -1 24Z" />`}
  </svg>`;

/** How a long number is drawn: smaller, and from seven digits on (five in a line, where tiles are small) as wide as it is. */
const long = (digits, shape) => digits > 2 && `long-${digits > (shape === "line" ? 4 : 6) ? 7 : digits}`;

/** The second click of a double click chooses nothing: by then the same place may be another's choice. */
const once = (action) => (event) => event.detail < 2 && action();

class Group extends Component {
  ref = createRef();
  state = { at: null }; // the move whose tile the Tab key comes to

  /** The nearest button in a direction, as one sees it: rows wrap, and pyramids are staggered. */
  neighbour(from, key) {
    const all = [...this.ref.current.querySelectorAll("button.tile")];
    if (key === "Home") return all[0];
    if (key === "End") return all.at(-1);
    const middle = (element) => {
      const box = element.getBoundingClientRect();
      return [box.left + box.width / 2, box.top + box.height / 2];
    };
    const [x, y] = middle(from);
    const near = from.getBoundingClientRect().height / 2;
    let best = null;
    let least = Infinity;
    for (const other of all) {
      const [dx, dy] = [middle(other)[0] - x, middle(other)[1] - y];
      const sideways = key === "ArrowLeft" || key === "ArrowRight";
      const ahead = sideways ? (key === "ArrowRight" ? dx : -dx) : key === "ArrowDown" ? dy : -dy;
      const aside = Math.abs(sideways ? dy : dx);
      if (ahead <= 1 || (sideways && aside > near)) continue;
      if (ahead + 3 * aside < least) [best, least] = [other, ahead + 3 * aside];
    }
    if (best || !key.startsWith("Arrow")) return best;
    // At the end of a row the next one goes on.
    if (key === "ArrowRight") return all[all.indexOf(from) + 1];
    if (key === "ArrowLeft") return all[all.indexOf(from) - 1];
    return null;
  }

  onKey = (event) => {
    const tile = event.target.closest("button.tile");
    if (!tile || event.altKey || event.ctrlKey || event.metaKey) return;
    if (!["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"].includes(event.key)) return;
    event.preventDefault(); // the page's own arrow keys leave this one alone
    event.stopPropagation();
    this.neighbour(tile, event.key)?.focus();
  };

  render({ group, names, last, values, choose, playable, mini, selected, level }, { at }) {
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

    const draw = (tile, row, place) => {
      const value = values?.get(tile.move);
      const kind = [
        "tile",
        tile.owner && `p${tile.owner}`,
        !tile.owner && group.owner && `p${group.owner} hollow`,
        tile.legal && "legal",
        tile.move !== null && !tile.legal && !tile.owner && "barred",
        !tile.text && "empty",
        last.has(tile) && "last",
        tile.won && "won",
        tile.move !== null && tile.move === selected && "selected",
        value && `valued ${value.value}${value.best && telling ? " best" : ""}`,
        long(tile.text.length, group.shape),
      ];
      const inside = html`
        ${(tile.owner || (group.owner && !tile.text)) && html`<${Face} owner=${tile.owner ?? group.owner} />`}
        <span class="number">${tile.text}</span>
        ${tile.note && group.shape !== "line" && html`${" "}<span class="note">${tile.note}</span>`}
        ${value && html`${" "}<span class="worth">${valueShort(value)}</span>`}
      `;
      const step = group.shape === "line" && tile.note && html`<span class="step" aria-hidden="true">${tile.note}</span>`;
      const classes = kind.filter(Boolean).join(" ");
      if (mini) return html`<span class="place">${step}<span class=${classes}>${inside}</span></span>`;
      const name = nameOf(tile, group, row, place, names, last.has(tile), value);
      if (tile.move === null || !choose) {
        return html`<span class="place">${step}<span class=${classes} role="img" aria-label=${name}>${inside}</span></span>`;
      }
      return html`<span class="place">${step}<button
        class=${classes}
        aria-label=${name}
        aria-disabled=${tile.legal && playable ? null : "true"}
        data-move=${tile.move}
        data-testid="tile"
        tabindex=${tile.move === stop ? 0 : -1}
        onFocus=${() => this.setState({ at: tile.move })}
        onClick=${once(() => choose(tile.move))}
      >${inside}</button></span>`;
    };

    // Cells are named by row and column, so these stand beside a grid.
    const labelled = group.shape === "grid" && !mini;
    const axis = (text) => labelled && html`<span class="axis" aria-hidden="true">${text}</span>`;
    const content = [
      labelled && html`<div class="tiles">${axis("")}${group.rows[0].map((_, x) => axis(x + 1))}</div>`,
      ...group.rows.map((row, y) => html`<div class="tiles">${axis(y + 1)}${row.map((tile, x) => draw(tile, y, x))}</div>`),
    ];
    const kind = `group ${group.shape}${group.owner ? ` owned p${group.owner}` : ""}`;
    if (mini) return html`<div class=${kind} style=${style}>${content}</div>`;
    const H = level;
    return html`<div class=${kind} style=${style} role="group" aria-label=${group.title} ref=${this.ref} onKeyDown=${this.onKey}>
      <${H} class="group-title">${group.owner && html`<${Mark} player=${group.owner} />`} ${group.title}</${H}>
      ${content}
    </div>`;
  }
}

/**
 * A table. `choose(move)` makes tiles with a move buttons; `playable` says whether a press plays now; `values` is a map
 * from moves to what they are worth; `mini` draws it small and silent, for a card.
 */
export class Board extends Component {
  ref = createRef();

  // A tile that is played may be gone afterwards; whoever plays by keyboard must not be thrown back to the top of the page.
  getSnapshotBeforeUpdate() {
    return this.ref.current?.contains(document.activeElement);
  }
  componentDidUpdate(_, __, focused) {
    if (!focused || this.ref.current.contains(document.activeElement)) return;
    (this.ref.current.querySelector('button.tile[tabindex="0"]') ?? document.getElementById("status"))?.focus();
  }

  render({ table, choose, playable, values, mini, selected, level = "h3" }) {
    const last = lastTiles(table);
    const kind = `board${mini ? " mini" : ""}${playable ? " playable" : ""}${values?.size ? " with-values" : ""}`;
    return html`<div class=${kind} ref=${this.ref} aria-hidden=${mini ? "true" : null} data-testid=${mini ? null : "board"}>
      ${table.view.map(
        (group, index) =>
          group.rows.some((row) => row.length) &&
          html`<${Group}
            key=${index}
            ...${{ group, last, mini, selected, playable, level }}
            names=${table.names}
            values=${values?.size ? values : null}
            choose=${mini ? null : choose}
          />`,
      )}
    </div>`;
  }
}

/** The game in a sentence, and what is not as usual about this one. */
export function Summary({ table, round }) {
  const terms = [...table.terms, ...(round ? [`round ${round}`] : [])].join(", ");
  return html`<p class="soft">${table.summary} ${terms && html`<strong>${sentence(terms)}</strong>`}</p>`;
}

/** Moves that no tile makes, passing for one, as buttons of their own. */
export function OtherMoves({ table, choose, values }) {
  const onTiles = new Set(table.view.flatMap((group) => group.rows.flat().map((tile) => tile.move)));
  const others = table.legal.filter((move) => !onTiles.has(move));
  if (!others.length || others.length > 12) return null;
  return html`<p class="row others">
    ${others.map(
      (move) => html`<button class="button" data-move=${move} onClick=${once(() => choose(move))}>
        ${move[0].toUpperCase() + move.slice(1)} ${values?.get(move) && html`<span class="worth">${valueShort(values.get(move))}</span>`}
      </button>`,
    )}
  </p>`;
}

/** A round one can leaf through: buttons for back and forward, and where one is. */
export function Steps({ at, last, onStep, label = "Step through the moves" }) {
  // A button that was truly disabled would lose the focus of whoever keeps pressing it.
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

/** The small boards of cards and rules: a series of tables, one after the other. */
export class Demo extends Component {
  state = { at: null };
  componentDidMount() {
    this.timer = setInterval(this.tick, 2600);
  }
  componentWillUnmount() {
    clearInterval(this.timer);
  }
  tick = () => {
    const { tables, still } = this.props;
    if (still || document.hidden || tables.length < 2) return;
    this.setState(({ at }) => ({ at: ((at ?? tables.length - 1) + 1) % tables.length }));
  };
  render({ tables, sample }, { at }) {
    return html`<${Board} mini table=${at === null ? sample : tables[at]} />`;
  }
}
