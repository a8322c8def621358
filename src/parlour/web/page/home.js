// The first page: the games, ready to be played, and the matches this browser has a seat in.

import { games } from "./api.js";
import { Board } from "./board.js";
import { Later } from "./later.js";
import { go } from "./nav.js";
import { announce, Component, html, sentence, Trouble, title } from "./parts.js";
import { refusalIn } from "./request.js";
import { seats } from "./store.js";
import { start, Ways } from "./ways.js";

/** @import { Card, Games, Table } from "./types.js" */
/** @import { ApiError } from "./request.js" */
/** @import { Way } from "./ways.js" */

const loadYourGames = () => import("./yourgames.js").then((module) => module.YourGames);
const EACH_TABLE = 2600; // milliseconds that a small board shows a table
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * @typedef {object} HomeState
 * @property {Games | null} all
 * @property {boolean} still the small boards stand still
 * @property {string | null} busy the game that is being begun
 * @property {{ key: string, text: string } | null} refused
 * @property {ApiError | null} error
 */

/** @extends {Component<object, HomeState>} */
export class Home extends Component {
  /** @type {HomeState} */
  state = { all: null, still: calm.matches, busy: null, refused: null, error: null };

  componentDidMount() {
    title("");
    this.load();
  }

  load = async () => {
    this.setState({ error: null });
    try {
      this.setState({ all: await games() });
    } catch (error) {
      this.setState({ error: refusalIn(error) });
    }
  };

  /** @param {Card} card @param {Way} way */
  play = async (card, way) => {
    this.setState({ busy: card.key, refused: null });
    try {
      go(await start(way, card.key));
    } catch (error) {
      const { message } = refusalIn(error);
      announce(message);
      this.setState({ busy: null, refused: { key: card.key, text: sentence(message) } });
    }
  };

  /** @param {object} _ @param {HomeState} state */
  render(_, { all, error, still, busy, refused }) {
    if (error) return html`<${Trouble} error=${error} again=${this.load} />`;
    return html`<div class="page home">
      <div class="hero">
        <div>
        <h1 tabindex="-1">Number games for${"\u00a0"}two</h1>
        <p class="lede">
          Play a friend by link, the computer, or each other across one table. The games are solved to their end, so
          afterwards you can see where the game turned, and nobody has to guess.
        </p>
        </div>
        <${Ornament} />
      </div>
      ${Object.keys(seats()).length > 0 && html`<${Later} load=${loadYourGames} props=${{}} quiet />`}
      <section aria-labelledby="games-heading">
        <div class="spread">
          <h2 id="games-heading">The games</h2>
          ${
            !calm.matches &&
            html`<button class="quiet" onClick=${() => this.setState({ still: !still })}>
            ${still ? "Let the boards play" : "Hold the boards still"}
          </button>`
          }
        </div>
        <div class="cards">
          ${
            all?.games.map(
              (card) => html`<article class="card" key=${card.key} data-testid="card" data-game=${card.key}>
              <div class="card-board"><${Demo} tables=${card.demo} sample=${card.sample} still=${still} /></div>
              <div class="card-text">
                <h3><a href="/play/${card.key}">${card.title}</a></h3>
                <p>${card.summary}</p>
                <p class="known"><span class="label">Known</span> ${card.known}</p>
                <${Ways} busy=${busy === card.key} onPlay=${(/** @type {Way} */ way) => this.play(card, way)} game=${card.title} />
                ${refused?.key === card.key && html`<p class="refusal">${refused.text}</p>`}
                <p class="card-links">
                  <a href="/play/${card.key}" aria-label="Options of ${card.title}">Options</a>
                  <a href="/rules/${card.key}" aria-label="Rules of ${card.title}">Rules</a>
                  <a href="/study/${card.key}/start" aria-label="Study ${card.title}">Study</a>
                </p>
              </div>
            </article>`,
            ) ?? [1, 2, 3].map((n) => html`<div class="card waiting" key=${n} aria-hidden="true"></div>`)
          }
          ${
            all &&
            html`<article class="card extra" key="import">
            <div class="card-text">
              <h3><a href="/import">Have a record?</a></h3>
              <p>A game that was saved at the terminal or downloaded here can be leafed through, graded, or gone on with.</p>
              <p><a class="button" href="/import">Import a record</a></p>
            </div>
          </article>`
          }
        </div>
      </section>
    </div>`;
  }
}

/** Three pieces on the lid of the box. */
const Ornament = () => html`<svg class="ornament" viewBox="0 0 330 130" aria-hidden="true">
  <rect class="piece shade" x="12" y="27" width="88" height="88" rx="18" transform="rotate(-7 56 71)" />
  <rect class="piece" x="12" y="21" width="88" height="88" rx="18" transform="rotate(-7 56 65)" />
  <text class="on-piece" x="56" y="82" transform="rotate(-7 56 65)">13</text>
  <circle class="one" cx="164" cy="65" r="50" />
  <text class="on-one" x="164" y="83">5</text>
  <path class="two" d="M264 5 326 65 264 125 202 65Z" />
  <text class="on-two" x="264" y="82">8</text>
</svg>`;

/**
 * The small board of a card: `sample` at first, and then `tables`, one after the other.
 * @typedef {{ tables: Table[], sample: Table, still: boolean }} DemoProps
 * @extends {Component<DemoProps, { at: number | null }>}
 */
class Demo extends Component {
  /** @type {{ at: number | null }} */
  state = { at: null };
  timer = 0;
  componentDidMount() {
    this.timer = setInterval(this.tick, EACH_TABLE);
  }
  componentWillUnmount() {
    clearInterval(this.timer);
  }
  tick = () => {
    const { tables, still } = this.props;
    if (still || document.hidden || tables.length < 2) return;
    this.setState(({ at }) => ({ at: ((at ?? tables.length - 1) + 1) % tables.length }));
  };
  /** @param {DemoProps} props @param {{ at: number | null }} state */
  render({ tables, sample }, { at }) {
    return html`<${Board} mini table=${at === null ? sample : tables[at]} />`;
  }
}
