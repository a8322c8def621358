// Places on the study board. A table names its own: /study/GAME/TOKEN?options.

import { go } from "./nav.js";

/** @import { Line, Place, Table } from "./types.js" */

/** @param {string} path @returns {Place} */
export function placeOf(path) {
  const url = new URL(path, location.origin);
  const [, , game, token] = url.pathname.split("/");
  return { game, token: decodeURIComponent(token || "start"), query: url.search.slice(1) };
}

/** @param {string} token */
export const movesOf = (token) => (token === "start" || !token ? [] : token.split("."));
/** @param {string[]} moves */
export const tokenOf = (moves) => moves.join(".") || "start";

/** @param {Place} place @param {string[]} moves */
export const studyPath = ({ game, query }, moves) =>
  `/study/${game}/${encodeURI(tokenOf(moves))}${query ? `?${query}` : ""}`;

/**
 * Go to a place. The line that is walked goes along in the history, and stays out of the address.
 * @param {string} path
 * @param {Line | null} line
 */
export const goToPlace = (path, line) => go(path, { state: line && { line } });

/** The line that goes along with this entry of the history. @returns {Line | null} */
export const lineHere = () => history.state?.line ?? null;

/** Walk a line from a table, on the study board. @param {Table} table @param {string[]} moves */
export function walk(table, moves) {
  const place = placeOf(table.study);
  goToPlace(studyPath(place, [...movesOf(place.token), moves[0]]), { from: place.token, moves });
}
