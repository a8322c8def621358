// The small pieces every page is made of.

import htm from "./vendor/htm.js";
import { Component, createRef, h, render } from "./vendor/preact.js";

/** @import { ComponentChildren } from "./vendor/preact.js" */
/** @import { Player, Score, State, Table } from "./types.js" */

export { Component, createRef, render };
export const html = htm.bind(h);

// Telling screen readers. One polite and one urgent region, both outside what is redrawn; an equal text is told again by
// alternating a no-break space at its end.

/** @param {string} id @param {string} text */
function say(id, text) {
  const region = document.getElementById(id);
  if (region && text) region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}
/** @param {string} text */
export const announce = (text) => say("polite", text);
/** @param {string} text */
export const alertNow = (text) => say("urgent", text);

/** What the tab is called. @param {string} text empty on the first page */
export function title(text) {
  document.title = text ? `${text} · Parlour` : "Number games for two · Parlour";
}

// Words.

/** What is wanted of the player to move. @param {Table} table */
export const wanted = (table) =>
  table.legal_count === 1 && table.legal[0] === "pass" ? "Only a pass is possible." : `Select ${table.want}.`;
/** What led to a table, as a sentence: "Ann took 8, 3 more than 5." @param {Table} table @param {string[]} who the players */
export const lastTold = ({ last, names }, who = names) =>
  last ? sentence(`${who[last.player - 1]} ${last.told}`) : "The start.";
/** How the round of a table ended, as a sentence: "Ann completed 5, 8, 12, 2." @param {Table} table @param {string[]} who */
export const endTold = ({ result, names }, who = names) =>
  result ? sentence(result.subject ? `${who[result.subject - 1]} ${result.told}` : result.told) : "";
/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
/** A remark as a sentence: with a capital and a full stop. @param {string} text */
export const sentence = (text) => (text ? capital(text) + (/[.!?:]$/.test(text) ? "" : ".") : "");
/** @param {number} n @param {string} word */
export const counted = (n, word, many = `${word}s`) => `${n} ${n === 1 ? word : many}`;

/** Who makes the move of that number, from 0 on. @param {Player} first @param {number} index @returns {Player} */
export const playerOf = (first, index) => ((first - 1 + index) % 2 ? 2 : 1);

/** How a match ended, for whoever looks: "You lost." @param {State} state */
export function verdict({ outcome, you, players }) {
  if (!outcome) return "";
  if (!outcome.winner) return outcome.how === "undecided" ? "Undecided." : "A draw.";
  if (you.length === 1) return you[0] === outcome.winner ? "You won." : "You lost.";
  return `${players[outcome.winner - 1].name} won.`;
}

const SIGNS = { win: "▲", draw: "●", loss: "▼" };
const VERBS = { win: ["wins", "win"], draw: ["draws", "draw"], loss: ["loses", "lose"] };
/** What somebody does with best play: "wins in 5 moves", of both players; `you`: to follow "you". @param {Score} score */
export const valueTold = ({ value, plies }, you = false) =>
  VERBS[value][Number(you)] + (plies ? ` in\u00a0${plies}\u00a0${plies === 1 ? "move" : "moves"}` : "");
/** The sign of a value, and how soon: "▲", "5". @param {Score} score */
export const valueMark = ({ value, plies }) => [SIGNS[value], plies == null ? "" : String(plies)];

/** When something was, for people: "today at 14:05", "3 May at 14:05", "3 May 2025". @param {string} time */
export function whenTold(time) {
  const [then, now] = [new Date(time), new Date()];
  /** @param {Intl.DateTimeFormatOptions} how */
  const show = (how) => then.toLocaleString("en-GB", how);
  if (then.getFullYear() !== now.getFullYear()) return show({ day: "numeric", month: "long", year: "numeric" });
  const day = then.toDateString() === now.toDateString() ? "today" : show({ day: "numeric", month: "long" });
  return `${day} at ${show({ hour: "2-digit", minute: "2-digit" })}`;
}

// Where one is.

/** Bring a place into view, unless one sees it already, and the focus with it: there is what was asked for. @param {string} id */
export function bring(id) {
  const place = document.getElementById(id);
  if (!place) return;
  place.focus({ preventScroll: true });
  const { top, bottom } = place.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight / 2) place.scrollIntoView();
}

// Players are told apart by colour and by shape: a full disc, an open diamond. A look belongs to a person and not to a seat:
// whoever sits here is the disc in every match, and two on one device keep theirs over rematches.

let swapped = false;
/** Which look each seat has from now on. @param {boolean} swap Player 1 is the diamond */
export const dress = (swap) => {
  swapped = swap;
};
/** 1: the disc; 2: the diamond. @param {Player} player @returns {Player} */
export const lookOf = (player) => (swapped ? (player === 1 ? 2 : 1) : player);

/** @param {{ player: Player, look?: Player }} props `look`: where it is not that of the board in view */
export function Mark({ player, look = lookOf(player) }) {
  return html`<svg class="mark p${look}" viewBox="0 0 16 16" aria-hidden="true">
    ${look === 1 ? html`<circle cx="8" cy="8" r="6.5" />` : html`<path d="M8 1.2 14.8 8 8 14.8 1.2 8Z" />`}
  </svg>`;
}

export const Logo = () => html`<svg class="logo" viewBox="0 0 44 30" aria-hidden="true">
  <circle cx="14" cy="15" r="12" />
  <path d="M29 2.5 41.5 15 29 27.5 16.5 15Z" />
</svg>`;

/** @param {{ value: Score["value"] }} props */
export const Sign = ({ value }) => html`<span class="value ${value}" aria-hidden="true">${SIGNS[value]}</span>`;
/** @param {Score} score */
export const Value = (score) =>
  html`<span class="value ${score.value}"><span aria-hidden="true">${SIGNS[score.value]}</span> ${valueTold(score)}</span>`;

/** What is proved about a game, for those who want to be told: it spoils the fun of finding it out. @param {{ text: string }} props */
export const Known = ({ text }) =>
  text && html`<details class="more known"><summary>Show what is known</summary><p>${text}</p></details>`;

// Waiting and failing.

export const Loading = ({ what = "One moment…" }) => html`<p class="loading">${what}</p>`;

/**
 * What to say when a page cannot be shown, and where to go from there.
 * @param {{ error: { status: number, code: string, message: string }, again?: () => void }} props
 */
export function Trouble({ error, again }) {
  const gone = error.status === 404;
  return html`<div class="page narrow">
    <h1 tabindex="-1">${gone ? "Not here" : "That did not work"}</h1>
    <p>${sentence(error.message)}</p>
    ${
      error.code === "match/unknown" &&
      html`<p>Matches are deleted some time after their last move. If you have the record of this one, you can import it.</p>`
    }
    <p class="row">
      ${again && !gone && html`<button class="button primary" onClick=${again}>Try again</button>`}
      <a class="button" href="/">All games</a>
      ${error.code === "match/unknown" && html`<a class="button" href="/import">Import a record</a>`}
    </p>
  </div>`;
}

/**
 * A modal. The browser keeps the focus inside and gives it back; Esc closes it.
 * @typedef {{ heading: string, onClose: () => void, children?: ComponentChildren }} DialogProps
 * @extends {Component<DialogProps>}
 */
export class Dialog extends Component {
  /** @type {{ current: HTMLDialogElement | null }} */
  ref = createRef();
  componentDidMount() {
    const dialog = this.ref.current;
    dialog?.showModal();
    (dialog?.querySelector("input") ?? dialog?.querySelector("h2"))?.focus(); // not the button at the end of a long text
  }
  /** @param {DialogProps} props */
  render({ heading, children, onClose }) {
    return html`<dialog
      ref=${this.ref}
      aria-label=${heading}
      onClose=${onClose}
      onClick=${(/** @type {MouseEvent} */ event) => event.target === this.ref.current && this.ref.current?.close()}
    >
      <div class="dialog">
        <div class="dialog-head"><h2 tabindex="-1">${heading}</h2>
          <form method="dialog"><button class="button small">Close</button></form></div>
        ${children}
      </div>
    </dialog>`;
  }
}

/** Whether a key press is meant for something else: a text being typed, a dialog, a shortcut of the browser. @param {KeyboardEvent} event */
export function foreignKey(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
  if (document.querySelector("dialog[open]")) return true;
  const typed = "input:not([type=radio]):not([type=checkbox]), textarea, select";
  return event.target instanceof Element && event.target.closest(typed) !== null;
}
