// The score over rematches, and who looks how in them. Kept in this browser as {match: [wins of Player 1 before it, wins of
// Player 2, 1 if Player 1 is the diamond]}, the newest last.

import { countResult, keep, keptJson } from "./store.js";

/** @import { State } from "./types.js" */
/** @typedef {[one: number, two: number, swapped: number]} Series */

const KEPT = 100; // matches

/** @returns {Record<string, Series>} */
const all = () => keptJson("series", {});

/** What was won before and in this match, by seat; null in the first match of all while it goes on. @param {State} now */
export function scoreOf({ id, outcome }) {
  const before = all()[id];
  if (!before && !outcome?.winner) return null;
  const [one, two] = before ?? [0, 0, 0];
  return [one + (outcome?.winner === 1 ? 1 : 0), two + (outcome?.winner === 2 ? 1 : 0)];
}

/** Whoever sits here is the disc; those who share a device stay what they were. @param {State} now */
export const isSwapped = ({ id, you }) => (you.length === 1 ? you[0] === 2 : Boolean(all()[id]?.[2]));

/** The match that follows goes on counting, with the seats swapped. @param {State} now */
export function carryOver(now) {
  if (!now.rematch || all()[now.rematch]) return;
  const [one, two] = scoreOf(now) ?? [0, 0];
  const entries = Object.entries({ ...all(), [now.rematch]: [two, one, isSwapped(now) ? 0 : 1] });
  keep("series", JSON.stringify(Object.fromEntries(entries.slice(-KEPT))));
}

/** What came of a game against a computer. @param {State} now */
export function countEnd({ id, outcome, you, players, table }) {
  const level = players.find(({ computer }) => computer)?.computer;
  if (!outcome || !level || you.length !== 1) return;
  const how = outcome.winner ? (outcome.winner === you[0] ? "won" : "lost") : "drawn";
  countResult(id, table.game, level, how);
}
