// The three ways to begin a match: against the computer, with a friend by link, or two on one device.

import * as api from "./api.js";
import { html, sentence } from "./parts.js";
import { ApiError } from "./request.js";
import { recordAgainst } from "./results.js";
import { keep, keepInvite, keepLevel, kept, level, sit } from "./store.js";

/** @import { First, Level, On, Table } from "./types.js" */
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

/**
 * Play on from a position: one takes the side that is to move; on one device nobody takes sides.
 * @param {Way} way
 * @param {Table} table
 */
export function startFrom(way, { game, options, first, moves, turn }) {
  const mine = way === "local" ? 1 : turn;
  return start(way, game, { options, first: first === mine ? "me" : "you", moves });
}

/** @type {[Way, string][]} as they are chosen from */
const WAYS = [
  ["computer", "Computer"],
  ["friend", "Friend by link"],
  ["local", "One device"],
];
/** What the button says that begins. @type {Record<Way, string>} */
export const PRESS = { computer: "Play the computer", friend: "Play a friend", local: "Play on this device" };

/** The way that was chosen last. */
export const chosenWay = () => WAYS.find(([way]) => way === kept("way"))?.[0] ?? "computer";

/** The table is fetched as soon as somebody seems to go there. */
export const prepare = () => void import("./match.js").catch(() => {});

/**
 * One of a few: radio buttons drawn as a row of words.
 * @param {{ legend: string, name: string, value: string, options: [string, string][], onChange: (key: string) => void }} props
 */
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

/**
 * Whom one plays with, and how strong the computer is if it is the computer. Both are remembered.
 * @param {{ levels: Level[], game?: string, onChange: () => void }} props `game`: the one that is to be played
 */
export function Opponent({ levels, game, onChange }) {
  const way = chosenWay();
  const chosen = levels.find(({ key }) => key === level());
  const record = recordAgainst(level(), game);
  return html`<div class="opponent">
    <${Choice} legend="Play with" name="way" value=${way} options=${WAYS} onChange=${(/** @type {Way} */ key) => {
      keep("way", key);
      onChange();
    }} />
    ${
      way === "computer" &&
      levels.length > 0 &&
      html`<div class="field level">
      <label for="level">How strong</label>
      <select id="level" aria-describedby="level-help" onChange=${(/** @type {On<HTMLSelectElement>} */ event) => {
        keepLevel(event.currentTarget.value);
        onChange();
      }}>
        ${levels.map(({ key, title }) => html`<option key=${key} value=${key} selected=${key === level()}>${title}</option>`)}
      </select>
      <p class="help" id="level-help">${chosen && html`<span class="level-about">${sentence(chosen.about)}</span>`}
        ${record && html` <span class="level-record">You against it: ${record}.</span>`}</p>
    </div>`
    }
  </div>`;
}

/** The button that begins, in the way that was chosen. @param {{ onPlay: (way: Way) => void, busy: boolean }} props */
export function Begin({ onPlay, busy }) {
  const way = chosenWay();
  return html`<p><button class="button primary begin" disabled=${busy} data-testid="play-${way}" onPointerEnter=${prepare}
    onFocusIn=${prepare} onClick=${() => onPlay(way)}>${PRESS[way]}</button></p>`;
}
