// What has changed from one state of a match to the next, in words for those who hear it: each thing once.

import { playerOf, told, verdict } from "./parts.js";

/** @import { OfferKind, Player, State } from "./types.js" */

/** @type {Record<OfferKind, string>} what somebody asks, to follow "asks" */
export const ASKS = {
  undo: "to take back the last move",
  next: "to go on to the next round",
  rematch: "for a rematch, seats swapped",
  delete: "to delete this match, for both of you and for good",
};

/**
 * @param {State} before
 * @param {State} now
 * @returns {{ played: boolean, said: string, urgent: string, declined: string }} whether moves were played; what is to be
 *   said, and said at once; and which wish of one's own was declined or withdrawn
 */
export function newsOf(before, now) {
  const names = now.players.map(({ name }) => name);
  /** @param {Player} player */
  const isYou = (player) => now.you.length === 1 && now.you[0] === player;
  const said = [];
  now.players.forEach(({ name, joined }, index) => {
    const isMine = now.you.some((player) => player === index + 1);
    if (joined && !before.players[index].joined && !isMine) said.push(`${name} has joined.`);
  });
  const sameRound = before.round === now.round;
  const old = sameRound ? before.table.moves : [];
  const { moves, first, turn, result } = now.table;
  if (!sameRound) said.push(`Round ${now.round}.`);
  const played = moves.length > old.length && old.every((move, index) => move === moves[index]);
  if (played) {
    moves.slice(old.length).forEach((move, index) => {
      const player = playerOf(first, old.length + index);
      said.push(`${isYou(player) ? "You" : names[player - 1]}: ${move}.`);
    });
  } else if (sameRound && moves.length < old.length) {
    said.push("Taken back.");
  }
  if (now.status === "playing" && turn && (said.length || before.table.turn !== turn)) {
    said.push(isYou(turn) ? "Your turn." : `${names[turn - 1]}'s turn.`);
  }
  const { offer } = now;
  const isNew = offer && (offer.kind !== before.offer?.kind || offer.by !== before.offer.by);
  if (isNew && !now.you.includes(offer.by)) said.push(`${names[offer.by - 1]} asks ${ASKS[offer.kind]}.`);

  let urgent = "";
  if (now.outcome && !before.outcome) urgent = `${verdict(now)} ${now.outcome.text}`;
  else if (now.status === "between" && before.status !== "between") urgent = told(result?.text) || "The round is over.";

  let declined = "";
  const gone = offer ? null : before.offer;
  if (gone && now.you.includes(gone.by) && before.ply === now.ply && !now.rematch) {
    declined = `${names[2 - gone.by]} declined: you had asked ${ASKS[gone.kind]}.`;
  }
  return { played, said: said.join(" "), urgent, declined };
}
