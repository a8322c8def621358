// How one has done against each computer, as this browser remembers it.

import { kept } from "./store.js";

/** @typedef {{ won: number, lost: number, drawn: number }} Tally */

/** By game and computer, joined by a bar: "double-up|level:3". @returns {Record<string, Partial<Tally>>} */
function results() {
  try {
    const found = JSON.parse(kept("results") || "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}

/**
 * "4 won, 7 lost, 1 drawn" against a computer, in one game or in all of them; empty before the first.
 * @param {string} level the word that names the computer
 * @param {string} [game]
 */
export function recordAgainst(level, game) {
  const sum = { won: 0, lost: 0, drawn: 0 };
  for (const [key, tally] of Object.entries(results())) {
    const [played, against] = key.split("|");
    if (against !== level || (game && played !== game)) continue;
    sum.won += Number(tally.won) || 0;
    sum.lost += Number(tally.lost) || 0;
    sum.drawn += Number(tally.drawn) || 0;
  }
  if (!sum.won && !sum.lost && !sum.drawn) return "";
  return `${sum.won} won, ${sum.lost} lost${sum.drawn ? `, ${sum.drawn} drawn` : ""}`;
}
