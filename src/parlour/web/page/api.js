// What the server offers to this page, each thing as a function, and what it answers with.

import { getJson, getLines, getOrRecall, getSlowly, getText, makeOnce, postJson } from "./request.js";
import { seatOf } from "./store.js";

/**
 * @import { Actions, Challenges, DailyList, GameMap, Games, Health, Hint, Joining } from "./types.js"
 * @import { MatchMessage, NewMatch, Place, Progress } from "./types.js"
 * @import { Puzzle, PuzzleList, QrCode, Reason, Replay, Report, Rules, Solution, State, Table } from "./types.js"
 */
/** @typedef {{ signal: AbortSignal, onProgress: (progress: Progress) => void }} Patience for what takes time */

// The games. What does not change while the page is open is fetched once.

/** @type {Map<string, ReturnType<typeof getJson>>} by its address */
const fetched = new Map();

/** @param {string} path */
export function getOnce(path) {
  const known = fetched.get(path);
  if (known) return known;
  const asked = getOrRecall(path);
  fetched.set(path, asked);
  asked.catch(() => fetched.delete(path));
  return asked;
}

/** @returns {Promise<Games>} */
export const games = () => getOnce("/api/games");
/** The map of a game. @param {string} game @returns {Promise<GameMap>} */
export const atlas = (game) => getOnce(`/api/atlas/${encodeURIComponent(game)}`);
/** @param {string} game @returns {Promise<Rules>} */
export const rules = (game) => getOnce(`/api/games/${encodeURIComponent(game)}`);

// Positions.

/** @param {string} what position, solve, hint or why @param {Place} place */
function about(what, { game, token, query }, more = "") {
  return `/api/games/${game}/${what}?moves=${encodeURIComponent(token)}${query ? `&${query}` : ""}${more}`;
}

/** What the players are called, for answers that name them. @param {string[]} names */
const named = (names) => `&p1=${encodeURIComponent(names[0])}&p2=${encodeURIComponent(names[1])}`;

/** @param {Place} place @returns {Promise<Table>} */
export const position = (place) => getOrRecall(about("position", place));
/** @param {Place} place @param {Patience} patience @returns {Promise<Solution>} */
export const solution = async (place, patience) =>
  /** @type {Solution} */ (await getSlowly(about("solve", place), patience));
/** @param {Place} place @param {number} rung @param {string[]} names @returns {Promise<Hint>} */
export const hint = (place, rung, names) => getOrRecall(about("hint", place, `&rung=${rung}${named(names)}`));
/** @param {Place} place @param {string} move @param {string[]} names @returns {Promise<Reason>} */
export const reason = (place, move, names) =>
  getOrRecall(about("why", place, `&move=${encodeURIComponent(move)}${named(names)}`));

// Puzzles: each comes with all that solving it takes.

/** @param {string} id @returns {Promise<Puzzle>} */
export const puzzle = (id) => getOnce(`/api/puzzles/${encodeURIComponent(id)}`);
/** The puzzle of a day. @param {string} day its date or number @returns {Promise<Puzzle>} */
export const daily = (day) => getOnce(`/api/daily/${encodeURIComponent(day)}`);
/** @param {Record<string, string | number>} query which @returns {Promise<PuzzleList>} */
export const puzzles = (query) =>
  getOrRecall(
    `/api/puzzles?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`,
  );
/** The daily puzzles before a day, or so far. @param {string | null} before its date or number @returns {Promise<DailyList>} */
export const days = (before) => getOrRecall(`/api/daily${before ? `?before=${before}` : ""}`);

// Matches. Whoever has a seat in one shows it.

/**
 * Begin a match: with a friend (open), with a computer, or on one device (local).
 * @template {keyof Challenges} Kind
 * @param {Kind} kind
 * @param {Challenges[Kind]} challenge
 * @returns {Promise<NewMatch>}
 */
export const challenge = (kind, challenge) => makeOnce(`/api/challenge/${kind}`, challenge);
/** @param {string} record @returns {Promise<NewMatch>} */
export const importRecord = (record) => makeOnce("/api/import", { record });
/** @param {string} id @param {Joining} joining @returns {Promise<NewMatch>} */
export const join = (id, joining) => postJson(`/api/matches/${id}/join`, joining);
/** Have a new secret for one's seat. @param {string} id @param {string} seat the new one @returns {Promise<NewMatch>} */
export const renewSeat = (id, seat) => postJson(`/api/matches/${id}/seat`, { seat }, { seat: seatOf(id) });
/** @param {string} id */
export const statePath = (id) => `/api/matches/${id}`;
/** @param {string} id @returns {Promise<State>} */
export const state = (id, seat = seatOf(id)) => getJson(statePath(id), { seat });
/** A match as it stands, or as it was seen last if the server cannot be reached. @param {string} id @returns {Promise<State>} */
export const seenState = (id) => getOrRecall(statePath(id), { seat: seatOf(id) });
/**
 * Do something at the table.
 * @template {keyof Actions} Action
 * @param {string} id
 * @param {Action} action
 * @param {Actions[Action]} body
 * @returns {Promise<State>}
 */
export const act = (id, action, body) => postJson(`/api/matches/${id}/${action}`, body, { seat: seatOf(id) });
/** @param {string} id @param {number} round @returns {Promise<Replay>} */
export const replay = (id, round) => getJson(`/api/matches/${id}/replay?round=${round}`, { seat: seatOf(id) });
/** @param {string} id @param {Patience} patience @returns {Promise<Report>} */
export const report = async (id, patience) =>
  /** @type {Report} */ (await getSlowly(`/api/matches/${id}/report`, { ...patience, seat: seatOf(id) }));
/** @param {string} id */
export const recordPath = (id) => `/api/matches/${id}/record`;
/** @param {string} id */
export const record = (id) => getText(recordPath(id));
/**
 * Every state of a match as it comes; null keeps the line open.
 * @param {string} id
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<MatchMessage | null>}
 */
export const messages = (id, signal) => getLines(`/api/matches/${id}/stream`, { seat: seatOf(id), signal });

// Everything else.

/** @returns {Promise<Health>} */
export const health = () => getJson("/api/health");
/** @param {string} text @returns {Promise<QrCode>} */
export const qrCode = (text) => postJson("/api/qr", { text });
