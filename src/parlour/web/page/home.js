// The first page: the games, ready to be played, and the matches this browser has a seat in.

import { games } from "./api.js";
import { Board } from "./board.js";
import { Later } from "./later.js";
import { go } from "./nav.js";
import { announce, Component, html, sentence, Trouble, title } from "./parts.js";
import { refusalIn } from "./request.js";
import { kept, seats } from "./store.js";
import { chosenWay, Opponent, PRESS, prepare, start } from "./ways.js";

/** @import { Card, Games, State, Table } from "./types.js" */
/** @import { ApiError } from "./request.js" */

const loadYourGames = () => import("./yourgames.js").then((module) => module.YourGames);
const EACH_TABLE = 1300; // milliseconds that a small board shows a table, while somebody points at it
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * @typedef {object} HomeState
 * @property {Games | null} all
 * @property {State[]} open matches of this browser that can be played on, the most urgent first
 * @property {string | null} busy the game that is being begun
 * @property {{ key: string, text: string } | null} refused
 * @property {ApiError | null} error
 */

/** @extends {Component<object, HomeState>} */
export class Home extends Component {
  /** @type {HomeState} */
  state = { all: null, open: [], busy: null, refused: null, error: null };

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

  /** @param {Card} card @param {Record<string, string>} options */
  play = async (card, options = {}) => {
    this.setState({ busy: card.key, refused: null });
    try {
      go(await start(chosenWay(), card.key, { options }));
    } catch (error) {
      const { message } = refusalIn(error);
      announce(message);
      this.setState({ busy: null, refused: { key: card.key, text: sentence(message) } });
    }
  };

  /** @param {object} _ @param {HomeState} state */
  render(_, { all, open, error, busy, refused }) {
    if (error) return html`<${Trouble} error=${error} again=${this.load} />`;
    const played = Object.keys(seats()).length > 0 || kept("results");
    return html`<div class="page home">
      <div class="hero">
        <div>
          <h1 tabindex="-1">Number games for${"\u00a0"}two</h1>
          ${open.length > 0 ? html`<${GoOn} open=${open} />` : html`<p class="lede">Quick to learn, and solved to the last move.</p>`}
        </div>
        <${DailyCard} />
        <${Ornament} />
      </div>
      <section aria-labelledby="games-heading">
        <h2 id="games-heading" class="unseen">The games</h2>
        <${Opponent} levels=${all?.levels ?? []} onChange=${() => this.forceUpdate()} />
        <div class="cards">
          ${
            all?.games.map(
              (card) =>
                html`<${GameCard} key=${card.key} card=${card} busy=${busy === card.key} refused=${refused?.key === card.key ? refused.text : ""}
                onPlay=${(/** @type {Record<string, string> | undefined} */ options) => this.play(card, options)} />`,
            ) ?? [1, 2, 3, 4, 5].map((n) => html`<div class="card waiting" key=${n} aria-hidden="true"></div>`)
          }
          <article class="card extra" key="import">
            <h3><a href="/puzzles">Puzzles</a></h3>
            <p>One a day and thousands more; <a href="/mistakes">your mistakes</a>; <a href="/master">master a game</a>.</p>
            <h3><a href="/atlas">Atlas</a></h3>
            <p>Hundreds of settings on maps: press one to play it.</p>
            <h3><a href="/import">Have a record?</a></h3>
            <p>Step through it, see where it turned, or play on.</p>
          </article>
        </div>
      </section>
      ${played && html`<${Later} load=${loadYourGames} props=${{ levels: all?.levels ?? [], onOpen: (/** @type {State[]} */ open) => this.setState({ open }) }} quiet />`}
    </div>`;
  }
}

/**
 * The way to the puzzle of the day, and how one stands with it: what tells that comes only to those who have solved one.
 * @extends {Component<object, { stands: string }>}
 */
class DailyCard extends Component {
  state = { stands: "" };
  async componentDidMount() {
    if (!kept("progress")) return;
    const [{ standing }, { fetchAhead }] = await Promise.all([import("./progress.js"), import("./picking.js")]);
    this.setState({ stands: standing() });
    fetchAhead();
  }
  /** @param {object} _ @param {{ stands: string }} state */
  render(_, { stands }) {
    const today = new Date().toLocaleDateString("en-GB", { weekday: "long", day: "numeric", month: "short" });
    return html`<a class="daily-card" href="/daily" data-testid="daily-card"><strong>Puzzle of the day</strong> <span>${stands || today}</span></a>`;
  }
}

/** The match that waits for its player, where the page says at first what it is about. @param {{ open: State[] }} props */
function GoOn({ open }) {
  const [{ id, status, you, table, players }] = open;
  const mine = status === "playing" && you.length === 1 && you[0] === table.turn;
  const against = you.length === 1 ? ` against ${players[2 - you[0]].name}` : "";
  const others = open.length - 1;
  return html`<p class="row go-on" data-testid="go-on">
    <a class="button primary" href="/m/${id}">${mine ? "Your turn:" : "Go on with"} ${table.title}${against}</a>
    ${others > 0 && html`<a class="quiet" href="#yours">and ${others} more</a>`}
  </p>`;
}

/**
 * A game to be begun with one press: the usual one, or what it deals where one presses once, and its best contest.
 * @typedef {object} CardProps
 * @property {Card} card
 * @property {boolean} busy
 * @property {string} refused why it could not be begun
 * @property {(options?: Record<string, string>) => void} onPlay
 *
 * @extends {Component<CardProps, { lively: boolean }>}
 */
class GameCard extends Component {
  state = { lively: false };
  /** @param {boolean} lively */
  liven = (lively) => () => {
    if (lively) prepare();
    this.setState({ lively });
  };
  /** @param {CardProps} props @param {{ lively: boolean }} state */
  render({ card, busy, refused, onPlay }, { lively }) {
    const { key, quick, variants, title } = card;
    const [contest] = variants;
    return html`<article class="card" data-testid="card" data-game=${key}
      onPointerEnter=${this.liven(true)} onPointerLeave=${this.liven(false)} onFocusIn=${this.liven(true)} onFocusOut=${this.liven(false)}>
      <h3><a href="/play/${key}">${title}</a></h3>
      <div class="card-board"><${Demo} tables=${card.demo} sample=${card.sample} lively=${lively && !calm.matches} /></div>
      <div class="card-text">
        <p>${card.summary}</p>
        <p class="card-links">
          <a href="/rules/${key}" aria-label="Rules of ${title}">Rules</a>
          <a href="/play/${key}" aria-label="Options of ${title}">Options</a>
          <a href="/study/${key}/start" aria-label="Study ${title}">Study</a>
        </p>
      </div>
      <div class="card-play" role="group" aria-label="Play ${title}">
        <button class="button primary" disabled=${busy} data-testid="play-${chosenWay()}" title=${quick && sentence(quick.why)} onClick=${() => onPlay(quick?.options)}>
          <span>${PRESS[chosenWay()]}</span> <small>${quick ? quick.title.toLowerCase() : "the usual game"}</small>
        </button>
        ${
          contest &&
          html`<button class="button" disabled=${busy} data-testid="contest" title=${sentence(contest.why)} onClick=${() => onPlay(contest.options)}>
            <span>${contest.title}</span> <small>${contest.character || "the best contest"}</small>
          </button>`
        }
        ${quick && html`<p><button class="quiet" disabled=${busy} data-testid="book" onClick=${() => onPlay()}>Or as the rule book deals it</button></p>`}
      </div>
      ${refused && html`<p class="refusal">${refused}</p>`}
    </article>`;
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
 * The small board of a card: `sample`, and while somebody points at it the game that the rules tell of.
 * @typedef {{ tables: Table[], sample: Table, lively: boolean }} DemoProps
 * @extends {Component<DemoProps, { at: number }>}
 */
class Demo extends Component {
  state = { at: 0 };
  timer = 0;
  componentWillUnmount() {
    clearInterval(this.timer);
  }
  /** @param {DemoProps} before */
  componentDidUpdate(before) {
    if (before.lively === this.props.lively) return;
    clearInterval(this.timer);
    if (this.props.lively) this.timer = setInterval(this.tick, EACH_TABLE);
    this.setState({ at: 0 });
  }
  tick = () => this.setState(({ at }) => ({ at: (at + 1) % this.props.tables.length }));
  /** @param {DemoProps} props @param {{ at: number }} state */
  render({ tables, sample, lively }, { at }) {
    return html`<${Board} mini table=${lively ? tables[at] : sample} />`;
  }
}
