// The frame around every page, and which page an address means.

import { Later, sheet } from "./later.js";
import { onMove, scrollBack } from "./nav.js";
import { keepThePage } from "./offline.js";
import { Component, Dialog, foreignKey, html, Logo, render } from "./parts.js";
import { soundOn, toggleSound } from "./sound.js";
import { nextTheme, theme } from "./store.js";

/** @typedef {{ pathname: string, search: string }} Address */

/** A list of puzzles and the like, with the style of such lists. @template T @param {Promise<T>} page */
const listed = (page) => Promise.all([page, sheet("puzzles.css")]).then(([module]) => module);

// Each page comes when it is asked for.
const PAGES = {
  home: () => import("./home.js").then((module) => module.Home),
  play: () => import("./setup.js").then((module) => module.SetUp),
  match: () => Promise.all([import("./match.js"), sheet("match.css")]).then(([module]) => module.Match),
  study: () => import("./study.js").then((module) => module.Study),
  puzzle: () => Promise.all([import("./puzzle.js"), sheet("match.css")]).then(([module]) => module.PuzzlePage),
  mistakes: () => listed(import("./mistakes.js")).then((module) => module.Mistakes),
  master: () => listed(import("./master.js")).then((module) => module.Master),
  exam: () => Promise.all([import("./exam.js"), sheet("match.css")]).then(([module]) => module.ExamPage),
  puzzles: () => listed(import("./puzzles.js")).then((module) => module.Puzzles),
  atlas: () => Promise.all([import("./atlas.js"), sheet("atlas.css")]).then(([module]) => module.Atlas),
  rules: () => import("./rules.js").then((module) => module.Rules),
  import: () => import("./others.js").then((module) => module.Import),
  about: () => import("./others.js").then((module) => module.About),
  nowhere: () => import("./others.js").then((module) => module.Nowhere),
};

/**
 * The page an address means: its kind, a key that changes where a new page begins, and what it is given.
 * @param {Address} address
 * @param {number} visit
 * @returns {{ page: keyof typeof PAGES, key: string, props: object }}
 */
function pageAt({ pathname, search }, visit) {
  const [, kind, name, more, ...rest] = pathname.split("/");
  if (!kind) return { page: "home", key: "home", props: {} };
  if (kind === "play" && name && !more) return { page: "play", key: pathname, props: { game: name } };
  if (kind === "m" && name && !more) return { page: "match", key: pathname, props: { id: name, visit } };
  if (kind === "study" && name && !rest.length) {
    return { page: "study", key: `study ${name}${search}`, props: { place: pathname + search } };
  }
  if (kind === "rules" && name && !more) return { page: "rules", key: pathname, props: { game: name } };
  if (kind === "daily" && !more) return { page: "puzzle", key: pathname, props: { day: name || "" } };
  if (kind === "puzzle" && name && !more) {
    return { page: "puzzle", key: pathname, props: { id: name, search } };
  }
  if (kind === "mistakes" && name && !more) return { page: "puzzle", key: pathname, props: { mistake: name } };
  if (kind === "master" && name && more && !rest.length) {
    return { page: "exam", key: pathname, props: { game: name, number: more } };
  }
  if ((kind === "puzzles" || kind === "mistakes" || kind === "master") && !name) {
    return { page: kind, key: kind, props: {} };
  }
  if (kind === "atlas" && !more) return { page: "atlas", key: pathname, props: { game: name || "", search } };
  if ((kind === "import" || kind === "about") && !name) return { page: kind, key: kind, props: {} };
  return { page: "nowhere", key: pathname, props: {} };
}

const KEYS = [
  ["←, → or k, j", "step back and forward through the moves"],
  ["Home, End", "to the start, to the newest move"],
  ["arrow keys on a tile", "go from tile to tile; Enter or Space plays"],
  ["m or /", "type a move"],
  ["h", "a hint, and a further one"],
  ["s", "show or hide what each move is worth"],
  ["u", "undo, or ask to take back; on the study board: one move back; in a puzzle: take back a wrong move"],
  ["n", "next round or rematch; in a puzzle: the next move, or the next puzzle"],
  ["Esc", "keep playing after all; close"],
  ["?", "this list"],
];

/** @returns {Address} */
const addressNow = () => ({ pathname: location.pathname, search: location.search });

/**
 * @typedef {object} AppState
 * @property {Address} address of the page that is shown
 * @property {number} visit goes up whenever the address is gone to, the same one included
 * @property {boolean} help the list of keys is shown
 */

/** @extends {Component<object, AppState>} */
class App extends Component {
  /** @type {AppState} */
  state = { address: addressNow(), visit: 0, help: false };
  /** A new page begins at its heading, for those who hear it, as soon as it has one. */
  arriving = false;

  componentDidMount() {
    scrollBack();
    onMove((back) => {
      const address = addressNow();
      const isNew = pageAt(address, 0).key !== pageAt(this.state.address, 0).key;
      this.setState(({ visit }) => ({ address, visit: visit + 1 }));
      if (!isNew) return;
      this.arriving = true;
      if (back) scrollBack();
      else scrollTo(0, 0);
    });
    addEventListener("keydown", (event) => {
      if (event.key === "?" && !foreignKey(event)) {
        event.preventDefault();
        this.setState({ help: true });
      }
    });
    new MutationObserver(() => {
      /** @type {HTMLElement | null} */
      const heading = this.arriving ? document.querySelector("main h1") : null;
      if (!heading) return;
      this.arriving = false;
      heading.focus({ preventScroll: true });
    }).observe(root, { childList: true, subtree: true });
  }

  /** @param {object} _ @param {AppState} state */
  render(_, { address, visit, help }) {
    const { page, key, props } = pageAt(address, visit);
    document.documentElement.dataset.page = page; // a match has a bar of its own
    /** @param {() => void} action */
    const redraw = (action) => () => {
      action();
      this.forceUpdate();
    };
    return html`
      <header class="top">
        <a class="brand" href="/" aria-label="Parlour"><${Logo} /><span>Parlour</span></a>
        <nav aria-label="Main">
          <a class="to-games" href="/" aria-current=${page === "home" ? "page" : null}>Games</a>
          <a href="/puzzles" aria-current=${["puzzles", "mistakes", "master"].includes(page) ? "page" : null}>Puzzles</a>
          <a class="to-atlas" href="/atlas" aria-current=${page === "atlas" ? "page" : null}>Atlas</a>
          <a href="/import" aria-current=${page === "import" ? "page" : null}>Import</a>
          <a href="/about" aria-current=${page === "about" ? "page" : null}>About</a>
        </nav>
        <div class="tools">
          <button class="tool" aria-label="Colours: ${theme()}. Change" title="Colours: ${theme()}" data-testid="theme" onClick=${redraw(nextTheme)}>
            <svg viewBox="0 0 24 24" aria-hidden="true">${
              theme() === "dark"
                ? html`<path d="M19 14.5A7.5 7.5 0 0 1 9.5 5a7.5 7.5 0 1 0 9.5 9.5Z" />`
                : theme() === "light"
                  ? html`<circle cx="12" cy="12" r="4.5" /><path d="M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4" />`
                  : html`<circle cx="12" cy="12" r="8" /><path class="full" d="M12 4a8 8 0 0 1 0 16Z" />`
            }</svg>
          </button>
          <button class="tool" aria-label="Sound" aria-pressed=${String(soundOn())} title="Sound ${soundOn() ? "on" : "off"}" data-testid="sound" onClick=${redraw(toggleSound)}>
            <svg viewBox="0 0 24 24" aria-hidden="true"><path class="full" d="M4 9.5h3.5L12 5.5v13l-4.5-4H4Z" />${soundOn() ? html`<path d="M15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11" />` : html`<path d="m15.5 9.5 5 5M20.5 9.5l-5 5" />`}</svg>
          </button>
          <button class="tool keys-tool" aria-label="Keys" title="Keys" data-testid="help" onClick=${() => this.setState({ help: true })}><span aria-hidden="true">?</span></button>
        </div>
      </header>
      <main id="main" tabindex="-1">
        <${Later} key=${key} load=${PAGES[page]} props=${props} />
      </main>
      <footer class="bottom"><p>No account, no cookies. Every value is exact.</p></footer>
      ${
        help &&
        html`<${Dialog} heading="Keys" onClose=${() => this.setState({ help: false })}>
        <dl class="keys">${KEYS.map(([keys, words]) => html`<div key=${keys}><dt>${keys}</dt><dd>${words}</dd></div>`)}</dl>
      <//>`
      }
    `;
  }
}

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
root.textContent = "";
render(html`<${App} />`, root);
keepThePage();
