// The three ways to begin a match: against the computer, with a friend, or two on one device.

import * as api from "./api.js";
import { html } from "./parts.js";
import { ApiError } from "./request.js";
import { keep, keepInvite, kept, level, sit } from "./store.js";

/** @import { First } from "./types.js" */
/** @typedef {"computer" | "friend" | "local"} Way */
/**
 * @typedef {object} Wish what is to be played; what is left out is the game's own
 * @property {Record<string, string>} [options]
 * @property {First} [first] who begins; on one device Player 1 is "me"
 * @property {string[]} [moves] already played
 * @property {[string, string]} [names] as they were typed, and remembered once the server has taken them; without them one
 *   goes by the name that is remembered
 */

/**
 * Open a match and take one's seat; gives the address to go to.
 * @param {Way} way
 * @param {string} game
 * @param {Wish} wish
 */
export async function start(way, game, { options = {}, first = "toss", moves = [], names } = {}) {
  const common = { game, options, ...(moves.length && { moves }) };
  const [name, other] = (names ?? [way === "local" ? "" : kept("name"), ""]).map((each) => each.trim());
  /** @param {string} name */
  const open = (name) => {
    if (way === "local") {
      const begins = first === "me" ? "1" : first === "you" ? "2" : first;
      return api.challenge("local", { ...common, names: [name, other], first: begins });
    }
    if (way === "computer") return api.challenge("computer", { ...common, name, first, level: level() });
    return api.challenge("open", { ...common, name, first });
  };
  const made = await open(name).catch((error) => {
    if (names || !name || !(error instanceof ApiError) || error.code !== "name/bad") throw error;
    return open(""); // where no name was asked for, none is in the way
  });
  if (names) keep("name", name);
  if (made.invite) keepInvite(made.id, made.invite);
  if (made.seat) sit(made.id, made.seat);
  return `/m/${made.id}`;
}

/** @type {[Way, string][]} */
const WAYS = [
  ["computer", "Play the computer"],
  ["friend", "Play a friend"],
  ["local", "Two on this device"],
];

/** The table is fetched as soon as somebody seems to go there. */
const prepare = () => void import("./match.js").catch(() => {});

/**
 * The three ways, as buttons.
 * @param {{ onPlay: (way: Way) => void, busy: boolean, game?: string }} props
 */
export function Ways({ onPlay, busy, game }) {
  return html`<div class="ways" role="group" onPointerEnter=${prepare} onFocusIn=${prepare} aria-label=${game ? `Play ${game}` : "Ways to play"}>
    ${WAYS.map(
      ([way, words]) =>
        html`<button key=${way} class="button ${way === "local" ? "" : "primary"}" disabled=${busy} data-testid="play-${way}" onClick=${() => onPlay(way)}>
          ${words}
        </button>`,
    )}
  </div>`;
}
