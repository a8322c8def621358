// The small pieces every page is made of.

import { Component, Fragment, createRef, h, render } from "./vendor/preact.js";
import htm from "./vendor/htm.js";

export { Component, Fragment, createRef, render };
export const html = htm.bind(h);

// Telling screen readers. One polite and one urgent region, both outside what is redrawn; an equal text is told again by
// alternating a no-break space at its end.

function say(id, text) {
  const region = document.getElementById(id);
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}
export const announce = (text) => text && say("polite", text);
export const alertNow = (text) => text && say("urgent", text);

export function title(text) {
  document.title = text ? `${text} · Parlour` : "Parlour";
}

// Words.

/** The game's own words, as one paragraph. */
export const told = (lines = []) => lines.join(" ");
/** What is wanted of the player to move. */
export const wanted = (table) => (table.legal_count === 1 && table.legal[0] === "pass" ? "Only a pass is possible." : `Select ${table.want}.`);
export const capital = (text) => text[0].toUpperCase() + text.slice(1);
/** A remark as a sentence: with a capital and a full stop. */
export const sentence = (text) => (text ? capital(text) + (/[.!?:]$/.test(text) ? "" : ".") : "");
export const counted = (n, word, many = `${word}s`) => `${n} ${n === 1 ? word : many}`;
/** How a match ended, for whoever looks: "You lost." */
export function verdict({ outcome, you, players }) {
  if (!outcome.winner) return outcome.how === "undecided" ? "Undecided." : "A draw.";
  if (you.length === 1) return you[0] === outcome.winner ? "You won." : "You lost.";
  return `${players[outcome.winner - 1].name} won.`;
}

export const SIGNS = { win: "▲", draw: "●", loss: "▼" };
const TOLD = { win: "wins", draw: "draws", loss: "loses" };
/** "▲ win 5" to look at. */
export const valueShort = (standing) => `${SIGNS[standing.value]} ${valueWords(standing)}`;
export const valueWords = ({ value, plies }) => value + (plies == null ? "" : `\u00a0${plies}`);
/** "wins in 5 plies" to hear. */
export const valueTold = ({ value, plies }) => TOLD[value] + (plies == null ? "" : ` in ${counted(plies, "ply", "plies")}`);

// Where one is.

/** Bring a place into view, unless one sees it already, and the focus with it: there is what was asked for. */
export function bring(id) {
  const place = document.getElementById(id);
  if (!place) return;
  place.focus({ preventScroll: true });
  const { top, bottom } = place.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight / 2) place.scrollIntoView();
}

// Players are told apart by colour and by shape: a full disc, an open diamond.

export function Mark({ player }) {
  return html`<svg class="mark p${player}" viewBox="0 0 16 16" aria-hidden="true">
    ${player === 1 ? html`<circle cx="8" cy="8" r="6.5" />` : html`<path d="M8 1.2 14.8 8 8 14.8 1.2 8Z" />`}
  </svg>`;
}

export const Logo = () => html`<svg class="logo" viewBox="0 0 44 30" aria-hidden="true">
  <circle cx="14" cy="15" r="12" />
  <path d="M29 2.5 41.5 15 29 27.5 16.5 15Z" />
</svg>`;

export const Value = (standing) => html`<span class="value ${standing.value}"><span aria-hidden="true">${SIGNS[standing.value]}</span> ${valueWords(standing)}</span>`;

// Waiting, failing, copying.

export const Loading = ({ what = "One moment…" }) => html`<p class="loading">${what}</p>`;

/** What to say when a page cannot be shown, and where to go from there. */
export function Trouble({ error, again }) {
  const gone = error.status === 404;
  return html`<div class="page narrow">
    <h1 tabindex="-1">${gone ? "Not here" : "That did not work"}</h1>
    <p>${sentence(error.message)}</p>
    ${error.code === "match/unknown" &&
    html`<p>Matches are kept for a while after their last move and then forgotten. If you have its record you can import it.</p>`}
    <p class="row">
      ${again && !gone && html`<button class="button primary" onClick=${again}>Try again</button>`}
      <a class="button" href="/">To the games</a>
      ${error.code === "match/unknown" && html`<a class="button" href="/import">Import a record</a>`}
    </p>
  </div>`;
}

async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // No clipboard without a secure origin: the old way still works there.
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "unseen";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

/** A button that copies `text` (or what the function `text` fetches) and says so in its own place. */
export class Copy extends Component {
  state = { said: "" };
  componentWillUnmount() {
    clearTimeout(this.timer);
  }
  copy = async () => {
    let done = false;
    try {
      const { text } = this.props;
      done = await toClipboard(typeof text === "function" ? await text() : text);
    } catch {
      // said below
    }
    const said = done ? "Copied" : "Could not be copied";
    this.setState({ said });
    announce(said);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.setState({ said: "" }), 2500);
  };
  render({ children, class: kind = "" }, { said }) {
    return html`<button class="button ${kind}" onClick=${this.copy}>${said || children}</button>`;
  }
}

/** A modal. The browser keeps the focus inside and gives it back; Esc closes it. */
export class Dialog extends Component {
  ref = createRef();
  componentDidMount() {
    const dialog = this.ref.current;
    dialog.showModal();
    (dialog.querySelector("input") ?? dialog.querySelector("h2")).focus(); // not the button at the end of a long text
  }
  render({ heading, children, onClose }) {
    return html`<dialog
      ref=${this.ref}
      aria-label=${heading}
      onClose=${onClose}
      onClick=${(event) => event.target === this.ref.current && this.ref.current.close()}
    >
      <div class="dialog">
        <div class="dialog-head"><h2 tabindex="-1">${heading}</h2>
          <form method="dialog"><button class="button small">Close</button></form></div>
        ${children}
      </div>
    </dialog>`;
  }
}

/** One of a few: radio buttons drawn as a row of words. */
export function Choice({ legend, name, value, options, onChange }) {
  return html`<fieldset class="choice">
    <legend>${legend}</legend>
    <div class="segments">
      ${options.map(
        ([key, words]) => html`<label key=${key}>
          <input type="radio" name=${name} value=${key} checked=${key === value} onChange=${() => onChange(key)} />
          <span>${words}</span>
        </label>`,
      )}
    </div>
  </fieldset>`;
}

/** Whether a key press is meant for something else: a text being typed, a dialog, a shortcut of the browser. */
export function foreignKey(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
  if (document.querySelector("dialog[open]")) return true;
  return Boolean(event.target.closest?.("input:not([type=radio]):not([type=checkbox]), textarea, select"));
}
