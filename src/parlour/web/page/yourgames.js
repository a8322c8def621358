// The matches that this browser has a seat in, and how one has done against each computer.

import * as api from "./api.js";
import { announce, Component, html, Mark, sentence, verdict, whenTold } from "./parts.js";
import { ApiError } from "./request.js";
import { recordAgainst } from "./results.js";
import { isSwapped } from "./series.js";
import { leave, renewingOf, seats } from "./store.js";

/** @import { Level, Player, State } from "./types.js" */

const ASKED_AT_ONCE = 8; // matches
const FIRST_SHOWN = 4;
const CANNOT_PLAY_ON = "Remove it? You cannot play on then.";

/** Where a match stands, in a few words. @param {State} state */
function standing(state) {
  const { status, table, players } = state;
  if (status === "waiting") return "Waiting for somebody to join";
  if (status === "over") return verdict(state);
  if (status === "between" || !table.turn) return "The next round is to be dealt";
  return isMine(state) ? "Your turn" : `${players[table.turn - 1].name}'s turn`;
}

/** It waits for whoever sits here. @param {State} state */
const isMine = ({ status, you, table }) => status === "playing" && you.length === 1 && you[0] === table.turn;

/** What waits for one first, then what goes on, then what is over. @param {State} state */
const rank = (state) => (state.status === "over" ? 2 : isMine(state) ? 0 : 1);

/**
 * Whom a match is against; who plays, where one plays for both.
 * @param {{ state: State, levels: Level[] }} props
 */
function Against({ state, levels }) {
  const { you, players } = state;
  const swapped = isSwapped(state);
  /** @param {Player} player */
  const name = (player) => {
    const { name, computer } = players[player - 1];
    const level = levels.find(({ key }) => key === computer);
    const look = swapped ? 3 - player : player;
    return html`<span><${Mark} player=${player} look=${look} /> ${name}${level ? ` (${level.title})` : ""}</span>`;
  };
  if (you.length === 1) return html`against ${name(you[0] === 1 ? 2 : 1)}`;
  return html`${name(1)} and ${name(2)}`;
}

/**
 * @typedef {object} YourGamesProps
 * @property {Level[]} levels
 * @property {(open: State[]) => void} onOpen is told of those that can be played on, the most urgent first
 *
 * @typedef {object} YourGamesState
 * @property {State[]} found
 * @property {boolean} all all of them are shown
 * @property {string | null} asking which one is about to be removed
 */

/** @extends {Component<YourGamesProps, YourGamesState>} */
export class YourGames extends Component {
  /** @type {YourGamesState} */
  state = { found: [], all: false, asking: null };
  gone = false;

  componentDidMount() {
    this.load();
  }
  // Whoever removes by keyboard is led to the harmless answer, and back to where it began.
  /** @param {YourGamesProps} _ @param {YourGamesState} before */
  componentDidUpdate(_, before) {
    if (before.asking === this.state.asking || document.activeElement !== document.body) return;
    /** @type {HTMLElement | null} */
    const button = document.querySelector(`[data-match="${this.state.asking ?? before.asking}"] button`);
    button?.focus();
  }
  componentWillUnmount() {
    this.gone = true;
  }

  /** All of them, the newest first, but what waits for one before what goes on, and that before what is over. */
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
    if (this.gone) return;
    found.sort((one, two) => rank(one) - rank(two));
    this.setState({ found });
    this.props.onOpen(found.filter(({ status }) => status !== "over"));
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
    const found = this.state.found.filter((state) => state.id !== id);
    this.setState({ found });
    this.props.onOpen(found.filter(({ status }) => status !== "over"));
  };

  /** @param {YourGamesProps} props @param {YourGamesState} state */
  render({ levels }, { found, all, asking }) {
    const records = levels
      .map((level) => ({ ...level, record: recordAgainst(level.key) }))
      .filter(({ record }) => record);
    if (!found.length && !records.length) return null;
    const shown = all ? found : found.slice(0, FIRST_SHOWN);
    return html`<section aria-labelledby="yours" data-testid="your-games">
      <h2 id="yours" tabindex="-1">Your games</h2>
      <ul class="yours">
        ${shown.map((state) => {
          const { id, status, table, players, created } = state;
          return html`<li key=${id} data-match=${id} class=${isMine(state) ? "yours-turn" : ""}>
            <a href="/m/${id}">
              <span class="yours-game"><strong>${table.title}</strong> ${table.terms.length > 0 && html`<span class="soft">${sentence(table.terms.join(", "))}</span>`}</span>
              <span class="pair"><${Against} state=${state} levels=${levels} />, <time datetime=${created}>${whenTold(created)}</time></span>
              <span class="standing">${standing(state)}</span>
            </a>
            ${
              asking === id
                ? html`<p key="asking" class="row"><span>${CANNOT_PLAY_ON}</span>
                  <button class="button small" onClick=${() => this.setState({ asking: null })}>Keep it</button>
                  <button class="button small danger" onClick=${() => this.forget(id)}>Confirm</button></p>`
                : html`<button key="remove" class="quiet" aria-label="Remove ${table.title}, ${players[0].name} and ${players[1].name}, ${whenTold(created)}, from this list"
                  onClick=${() => (status === "over" ? this.forget(id) : this.ask(id))}>Remove</button>`
            }
          </li>`;
        })}
      </ul>
      ${found.length > shown.length && html`<button class="quiet" onClick=${() => this.setState({ all: true })}>Show all ${found.length}</button>`}
      ${
        records.length > 0 &&
        html`<h3>You against the computer</h3>
        <ul class="records" data-testid="records">
          ${records.map(({ key, title, record }) => html`<li key=${key}><strong>${title}</strong> ${record}</li>`)}
        </ul>`
      }
    </section>`;
  }
}
