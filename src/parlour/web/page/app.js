// The frame around every page, and which page an address means.

import { Component, Dialog, Loading, Logo, foreignKey, html, render } from "./parts.js";
import { onMove, scrollBack } from "./nav.js";
import { nextTheme, theme } from "./store.js";
import { soundOn, toggleSound } from "./sound.js";

// Each page comes when it is asked for.
const PAGES = {
  home: () => import("./home.js").then((module) => module.Home),
  play: () => import("./setup.js").then((module) => module.SetUp),
  m: () => import("./match.js").then((module) => module.Match),
  study: () => import("./study.js").then((module) => module.Study),
  rules: () => import("./rules.js").then((module) => module.Rules),
  import: () => import("./others.js").then((module) => module.Import),
  about: () => import("./others.js").then((module) => module.About),
  nowhere: () => import("./others.js").then((module) => module.Nowhere),
};

class Later extends Component {
  state = {};
  componentDidMount() {
    PAGES[this.props.page]().then(
      (page) => this.setState({ page }),
      () => this.setState({ failed: true }),
    );
  }
  render({ rest }, { page, failed }) {
    if (failed) return html`<div class="page narrow"><h1>That did not load</h1><p><button class="button" onClick=${() => location.reload()}>Try again</button></p></div>`;
    return page ? html`<${page} ...${rest} />` : html`<div class="page"><${Loading} /></div>`;
  }
}

/** The page an address means: its kind, a key that changes where a new page begins, and what it is given. */
function pageAt({ pathname, search }, visit) {
  const [, kind, name, more, ...rest] = pathname.split("/");
  const to = (page, key, props) => ({ page, key, props });
  if (!kind) return to("home", "home", {});
  if (kind === "play" && name && !more) return to("play", pathname, { game: name });
  if (kind === "m" && name && !more) return to("m", pathname, { id: name, visit });
  if (kind === "study" && name && !rest.length) return to("study", `study ${name}${search}`, { place: pathname + search });
  if (kind === "rules" && name && !more) return to("rules", pathname, { game: name });
  if ((kind === "import" || kind === "about") && !name) return to(kind, kind, {});
  return to("nowhere", pathname, {});
}

const KEYS = [
  ["←, → or k, j", "step back and forward through the moves"],
  ["Home, End", "to the start, to the newest move"],
  ["arrow keys on a tile", "go from tile to tile; Enter or Space plays"],
  ["m or /", "type a move"],
  ["h", "a hint, and a further one"],
  ["s", "show or hide what each move is worth"],
  ["u", "undo, or ask to take back; on the study board: one move back"],
  ["n", "next round or rematch"],
  ["Esc", "keep playing after all; close"],
  ["?", "this list"],
];

class App extends Component {
  state = { visit: 0, help: false };

  componentDidMount() {
    scrollBack();
    onMove((back) => {
      const before = pageAt(this.address, 0).key;
      this.address = { pathname: location.pathname, search: location.search };
      this.setState(({ visit }) => ({ visit: visit + 1 }));
      if (pageAt(this.address, 0).key !== before) {
        this.arriving = true;
        if (back) scrollBack();
        else scrollTo(0, 0);
      }
    });
    addEventListener("keydown", (event) => {
      if (event.key === "?" && !foreignKey(event)) {
        event.preventDefault();
        this.setState({ help: true });
      }
    });
    // A new page begins at its heading, for those who hear it.
    new MutationObserver(() => {
      const heading = this.arriving && document.querySelector("main h1");
      if (!heading) return;
      this.arriving = false;
      heading.focus({ preventScroll: true });
    }).observe(document.getElementById("app"), { childList: true, subtree: true });
  }

  address = { pathname: location.pathname, search: location.search };

  render(_, { visit, help }) {
    const { page, key, props } = pageAt(this.address, visit);
    const redraw = (action) => () => {
      action();
      this.forceUpdate();
    };
    return html`
      <header class="top">
        <a class="brand" href="/" aria-label="Parlour"><${Logo} /><span>Parlour</span></a>
        <nav aria-label="Main">
          <a class="to-games" href="/" aria-current=${page === "home" ? "page" : null}>Games</a>
          <a href="/import" aria-current=${page === "import" ? "page" : null}>Import</a>
          <a href="/about" aria-current=${page === "about" ? "page" : null}>About</a>
        </nav>
        <div class="tools">
          <button class="tool" aria-label="Colours: ${theme()}. Change" title="Colours: ${theme()}" data-testid="theme" onClick=${redraw(nextTheme)}>
            <svg viewBox="0 0 24 24" aria-hidden="true">${
              theme() === "dark" ? html`<path d="M19 14.5A7.5 7.5 0 0 1 9.5 5a7.5 7.5 0 1 0 9.5 9.5Z" />`
                : theme() === "light" ? html`<circle cx="12" cy="12" r="4.5" /><path d="M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4" />`
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
        <${Later} key=${key} page=${page} rest=${props} />
      </main>
      <footer class="bottom"><p>No account, no cookies. Every value is exact.</p></footer>
      ${help &&
      html`<${Dialog} heading="Keys" onClose=${() => this.setState({ help: false })}>
        <dl class="keys">${KEYS.map(([keys, words]) => html`<div key=${keys}><dt>${keys}</dt><dd>${words}</dd></div>`)}</dl>
      <//>`}
    `;
  }
}

const root = document.getElementById("app");
root.textContent = "";
render(html`<${App} />`, root);
