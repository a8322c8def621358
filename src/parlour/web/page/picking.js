// Which puzzle comes next, and which are fetched before they are asked for.

import { daily, puzzles } from "./api.js";
import { dayHere, progress, tomorrowIfOut } from "./progress.js";

const MOST = 100; // that the server tells at once

/** @typedef {{ game?: string, grade?: string }} Wish of which game and grade; any game, and the player's grade, if left out */

/** @param {string} search @returns {Wish} */
export function wishIn(search) {
  const query = new URLSearchParams(search);
  return { game: query.get("game") || undefined, grade: query.get("grade") || undefined };
}

/** @param {Wish} wish */
const asQuery = ({ game, grade }) => new URLSearchParams({ ...(game && { game }), ...(grade && { grade }) }).toString();

/** Where a puzzle is, and what is wished for after it. @param {string} id @param {Wish} wish */
export const puzzlePath = (id, wish) => `/puzzle/${id}${asQuery(wish) && `?${asQuery(wish)}`}`;

/**
 * The address of a puzzle that is not solved yet, from a place by chance on; null if all of them are.
 * @param {Wish} wish
 */
export async function nextPuzzle(wish) {
  const { puzzles: known, grade } = progress();
  const query = { ...(wish.game && { game: wish.game }), grade: wish.grade ?? grade };
  const { count } = await puzzles({ ...query, most: 1 });
  const pages = Math.ceil(count / MOST);
  const first = Math.floor(Math.random() * pages);
  for (let n = 0; n < pages; n++) {
    const listed = await puzzles({ ...query, begin: ((first + n) % pages) * MOST, most: MOST });
    const fresh = listed.puzzles.filter(({ id }) => !Object.hasOwn(known, id));
    if (fresh.length) return puzzlePath(fresh[Math.floor(Math.random() * fresh.length)].id, wish);
  }
  return null;
}

/** Have today's puzzle and, if it is out, tomorrow's here for when the server cannot be reached. */
export function fetchAhead() {
  for (const day of [dayHere(), tomorrowIfOut()]) if (day) daily(day).catch(() => {}); // then it was not fetched
}
