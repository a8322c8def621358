// The matches that this browser has a seat in.

import * as api from "./api.js";
import { announce, Component, html, Mark, verdict } from "./parts.js";
import { ApiError } from "./request.js";
import { leave, renewingOf, seats } from "./store.js";

/** @import { State } from "./types.js" */

const ASKED_AT_ONCE = 8; // matches
const FIRST_SHOWN = 4;
const CANNOT_PLAY_ON = "Remove it? You cannot play on then.";

/** Where a match stands, in a few words. @param {State} state */
function standing(state) {
  const { status, you, table, players } = state;
  if (status === "waiting") return "Waiting for somebody to join";
  if (status === "over") return verdict(state);
  if (status === "between" || !table.turn) return "The next round is to be dealt";
  return you.length === 1 && you[0] === table.turn ? "Your turn" : `${players[table.turn - 1].name}'s turn`;
}

/**
 * @typedef {object} YourGamesState
 * @property {State[]} found
 * @property {boolean} all all of them are shown
 * @property {string | null} asking which one is about to be removed
 */

/** @extends {Component<object, YourGamesState>} */
export class YourGames extends Component {
  /** @type {YourGamesState} */
  state = { found: [], all: false, asking: null };
  gone = false;

  componentDidMount() {
    this.load();
  }
  // Whoever removes by keyboard is led to the harmless answer, and back to where it began.
  /** @param {object} _ @param {YourGamesState} before */
  componentDidUpdate(_, before) {
    if (before.asking === this.state.asking || document.activeElement !== document.body) return;
    /** @type {HTMLElement | null} */
    const button = document.querySelector(`[data-match="${this.state.asking ?? before.asking}"] button`);
    button?.focus();
  }
  componentWillUnmount() {
    this.gone = true;
  }

  /** All of them, the newest first, but those that can be played on before those that are over. */
  async load() {
    const ids = Object.keys(seats()).reverse();
    /** @type {State[]} */
    const found = [];
    let reachable = true;
    while (ids.length && reachable && !this.gone) {
      const some = ids.splice(0, ASKED_AT_ONCE);
      const asked = await Promise.allSettled(some.map((id) => api.seenState(id)));
      asked.forEach((answer, index) => {
        if (answer.status === "fulfilled") found.push(answer.value);
        else if (!(answer.reason instanceof ApiError)) throw answer.reason;
        else if (["match/unknown", "seat/wrong"].includes(answer.reason.code) && !renewingOf(some[index]))
          leave(some[index]); // it is gone
        else if (answer.reason.passing) reachable = false;
      });
    }
    /** @param {State} state */
    const over = ({ status }) => Number(status === "over");
    this.setState({ found: found.sort((one, two) => over(one) - over(two)) });
  }

  /** @param {string} asking */
  ask = (asking) => {
    announce(CANNOT_PLAY_ON);
    this.setState({ asking });
  };

  /** @param {string} id */
  forget = (id) => {
    leave(id);
    announce("Removed from your games.");
    this.setState(({ found }) => ({ found: found.filter((state) => state.id !== id) }));
  };

  /** @param {object} _ @param {YourGamesState} state */
  render(_, { found, all, asking }) {
    if (!found.length) return null;
    const shown = all ? found : found.slice(0, FIRST_SHOWN);
    return html`<section aria-labelledby="yours-heading" data-testid="your-games">
      <h2 id="yours-heading">Your games</h2>
      <ul class="yours">
        ${shown.map((state) => {
          const { id, status, you, table, players } = state;
          const yours = status === "playing" && you.length === 1 && you[0] === table.turn;
          return html`<li key=${id} data-match=${id} class=${yours ? "yours-turn" : ""}>
            <a href="/m/${id}">
              <strong>${table.title}</strong>
              <span class="pair">${players.map(({ name }, seat) => html`<span><${Mark} player=${seat + 1} /> ${name}</span> `)}</span>
              <span class="standing">${standing(state)}</span>
            </a>
            ${
              asking === id
                ? html`<p key="asking" class="row"><span>${CANNOT_PLAY_ON}</span>
                  <button class="button small" onClick=${() => this.setState({ asking: null })}>Keep it</button>
                  <button class="button small danger" onClick=${() => this.forget(id)}>Confirm</button></p>`
                : html`<button key="remove" class="quiet" aria-label="Remove ${table.title}, ${players[0].name} and ${players[1].name}, from this list"
                  onClick=${() => (status === "over" ? this.forget(id) : this.ask(id))}>Remove</button>`
            }
          </li>`;
        })}
      </ul>
      ${found.length > shown.length && html`<button class="quiet" onClick=${() => this.setState({ all: true })}>Show all ${found.length}</button>`}
    </section>`;
  }
}
