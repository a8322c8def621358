// How one has done against each computer, as this browser remembers it.

import { results } from "./store.js";

/**
 * "4 won, 7 lost, 1 drawn" against a computer, in one game or in all of them; empty before the first.
 * @param {string} level the word that names the computer
 * @param {string} [game]
 */
export function recordAgainst(level, game) {
  let [won, lost, drawn] = [0, 0, 0];
  for (const [played, levels] of Object.entries(results())) {
    if (game && played !== game) continue;
    const [w = 0, l = 0, d = 0] = levels[level] ?? [];
    won += w;
    lost += l;
    drawn += d;
  }
  if (!won && !lost && !drawn) return "";
  return `${won} won, ${lost} lost${drawn ? `, ${drawn} drawn` : ""}`;
}
