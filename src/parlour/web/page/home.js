// The first page: the games, ready to be played, and the matches this browser has a seat in.

import { Component, Mark, Trouble, announce, html, sentence, title, verdict } from "./parts.js";
import { Demo } from "./board.js";
import { games, get } from "./api.js";
import { leave, seats } from "./store.js";
import { go } from "./nav.js";
import { Ways, start } from "./setup.js";

const ASKED_AT_ONCE = 8;
const FIRST_SHOWN = 4;
const CANNOT_PLAY_ON = "Remove it? You cannot play on then.";
const calm = matchMedia("(prefers-reduced-motion: reduce)");

export class Home extends Component {
  state = { still: calm.matches };

  componentDidMount() {
    title("");
    this.load();
  }

  load = () => {
    this.setState({ error: null });
    games().then(
      (all) => this.setState({ all }),
      (error) => this.setState({ error }),
    );
  };

  play = async (card, way) => {
    this.setState({ busy: card.key, refused: null });
    try {
      go(await start(way, card.key));
    } catch (error) {
      announce(error.message);
      this.setState({ busy: null, refused: { key: card.key, text: sentence(error.message) } });
    }
  };

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
      <${YourGames} />
      <section aria-labelledby="games-heading">
        <div class="spread">
          <h2 id="games-heading">The games</h2>
          ${!calm.matches &&
          html`<button class="quiet" onClick=${() => this.setState({ still: !still })}>
            ${still ? "Let the boards play" : "Hold the boards still"}
          </button>`}
        </div>
        <div class="cards">
          ${all?.games.map(
            (card) => html`<article class="card" key=${card.key} data-testid="card" data-game=${card.key}>
              <div class="card-board"><${Demo} tables=${card.demo} sample=${card.sample} still=${still} /></div>
              <div class="card-text">
                <h3><a href="/play/${card.key}">${card.title}</a></h3>
                <p>${card.summary}</p>
                <p class="known"><span class="label">Known</span> ${card.known}</p>
                <${Ways} busy=${busy === card.key} onPlay=${(way) => this.play(card, way)} game=${card.title} />
                ${refused?.key === card.key && html`<p class="refusal">${refused.text}</p>`}
                <p class="card-links">
                  <a href="/play/${card.key}" aria-label="Options of ${card.title}">Options</a>
                  <a href="/rules/${card.key}" aria-label="Rules of ${card.title}">Rules</a>
                  <a href="/study/${card.key}/start" aria-label="Study ${card.title}">Study</a>
                </p>
              </div>
            </article>`,
          ) ?? [1, 2, 3].map((n) => html`<div class="card waiting" key=${n} aria-hidden="true"></div>`)}
          ${all &&
          html`<article class="card extra" key="import">
            <div class="card-text">
              <h3><a href="/import">Have a record?</a></h3>
              <p>A game that was saved at the terminal or downloaded here can be leafed through, graded, or gone on with.</p>
              <p><a class="button" href="/import">Import a record</a></p>
            </div>
          </article>`}
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

/** Where a match stands, in a few words. */
function standing(state) {
  if (state.status === "waiting") return "Waiting for somebody to join";
  if (state.status === "over") return verdict(state);
  if (state.status === "between") return "The next round is to be dealt";
  const turn = state.table.turn;
  if (state.you.length === 1) return state.you.includes(turn) ? "Your turn" : `${state.players[turn - 1]?.name}'s turn`;
  return `${state.players[turn - 1]?.name}'s turn`;
}

class YourGames extends Component {
  state = { found: [] };
  componentDidMount() {
    this.load();
  }
  // Whoever removes by keyboard is led to the harmless answer, and back to where it began.
  componentDidUpdate(_, before) {
    if (before.asking === this.state.asking || document.activeElement !== document.body) return;
    document.querySelector(`[data-match="${this.state.asking ?? before.asking}"] button`)?.focus();
  }
  componentWillUnmount() {
    this.gone = true;
  }

  /** All of them, the newest first, but those that can be played on before those that are over. */
  async load() {
    const ids = Object.keys(seats()).reverse();
    const found = [];
    let reachable = true;
    while (ids.length && reachable && !this.gone) {
      const some = ids.splice(0, ASKED_AT_ONCE);
      const asked = await Promise.allSettled(some.map((id) => get(`/api/matches/${id}`, { match: id })));
      asked.forEach(({ value, reason }, index) => {
        if (value) found.push(value);
        else if (["match/unknown", "seat/wrong"].includes(reason.code)) leave(some[index]); // it is gone
        else if (reason.passing) reachable = false;
      });
    }
    const over = ({ status }) => Number(status === "over");
    this.setState({ found: found.sort((one, two) => over(one) - over(two)) });
  }

  render(_, { found, all, asking }) {
    if (!found.length) return null;
    const shown = all ? found : found.slice(0, FIRST_SHOWN);
    const ask = (asking) => {
      announce(CANNOT_PLAY_ON);
      this.setState({ asking });
    };
    const forget = (id) => {
      leave(id);
      announce("Removed from your games.");
      this.setState({ found: found.filter((state) => state.id !== id) });
    };
    return html`<section aria-labelledby="yours-heading" data-testid="your-games">
      <h2 id="yours-heading">Your games</h2>
      <ul class="yours">
        ${shown.map((state) => {
          const yours = state.status === "playing" && state.you.length === 1 && state.you[0] === state.table.turn;
          return html`<li key=${state.id} data-match=${state.id} class=${yours ? "yours-turn" : ""}>
            <a href="/m/${state.id}">
              <strong>${state.table.title}</strong>
              <span class="pair">${state.players.map(({ name }, seat) => html`<span><${Mark} player=${seat + 1} /> ${name}</span> `)}</span>
              <span class="standing">${standing(state)}</span>
            </a>
            ${asking === state.id
              ? html`<p key="asking" class="row"><span>${CANNOT_PLAY_ON}</span>
                  <button class="button small" onClick=${() => this.setState({ asking: null })}>Keep it</button>
                  <button class="button small danger" onClick=${() => forget(state.id)}>Confirm</button></p>`
              : html`<button key="remove" class="quiet" aria-label="Remove ${state.table.title}, ${state.players[0].name} and ${state.players[1].name}, from this list"
                  onClick=${() => (state.status === "over" ? forget(state.id) : ask(state.id))}>Remove</button>`}
          </li>`;
        })}
      </ul>
      ${found.length > shown.length && html`<button class="quiet" onClick=${() => this.setState({ all: true })}>Show all ${found.length}</button>`}
    </section>`;
  }
}
