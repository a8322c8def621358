// Who did what, in words for whoever looks: "You took 8.", "Ben passed: nothing fits above 9 and 9."

import { sentence } from "./parts.js";

/** @import { Player, State, Table } from "./types.js" */

/** Whoever looks has this seat, and no other. @param {Pick<State, "you">} now @param {Player} player */
export const isYou = ({ you }, player) => you.length === 1 && you[0] === player;

/** "You", a name, or what stands for one. @param {State} now @param {Player} player */
export function nameFor(now, player) {
  if (isYou(now, player)) return "You";
  const { name } = now.players[player - 1];
  return now.kind === "friend" && now.you.length === 1 && name === `Player ${player}` ? "Your friend" : name;
}

/** @param {State} now @param {Player} player */
export const turnOf = (now, player) => (isYou(now, player) ? "Your turn" : `${nameFor(now, player)}'s turn`);

/** The last move of a table as a sentence, and of a pass why. @param {State} now @param {Table} table */
export function lastWords(now, { last }, withReason = true) {
  if (!last) return "";
  return sentence(`${nameFor(now, last.player)} ${last.told}${withReason && last.why ? `: ${last.why}` : ""}`);
}

/** Why a round ended as it did. @param {State} now @param {Table} table */
export function endOfRound(now, { result }) {
  if (!result) return "";
  return sentence(result.subject ? `${nameFor(now, result.subject)} ${result.told}` : result.told);
}

/** How a match ended: "You win!" @param {State} now */
export function headline(now) {
  const { outcome } = now;
  if (!outcome) return "";
  if (!outcome.winner) return outcome.how === "undecided" ? "Undecided." : "A draw.";
  if (now.you.length !== 1) return `${nameFor(now, outcome.winner)} wins!`;
  return isYou(now, outcome.winner) ? "You win!" : "You lose.";
}

/** And why. @param {State} now */
export function endOfMatch(now) {
  const { outcome, table } = now;
  if (!outcome) return "";
  if (outcome.winner && (outcome.how === "resigned" || outcome.how === "forfeited")) {
    return `${nameFor(now, outcome.winner === 1 ? 2 : 1)} ${outcome.how === "resigned" ? "resigned" : "forfeited the game"}.`;
  }
  return `${endOfRound(now, table)}${outcome.how === "undecided" ? " The rounds are used up." : ""}`;
}

/** A move as players speak of it: what stands on its tile. @param {Table} table @param {string} move */
export const spokenIn = ({ view }, move) =>
  view.flatMap((group) => group.rows.flat()).find((tile) => tile.move === move)?.text || move;
