// What has changed from one state of a match to the next, in words for those who hear it: each thing once.

import { endOfMatch, endOfRound, headline, isYou, lastWords, nameFor, turnOf } from "./people.js";

/** @import { OfferKind, State } from "./types.js" */
/** @import { Sound } from "./sound.js" */

/** @type {Record<OfferKind, string>} what somebody asks, to follow "asks" */
export const ASKS = {
  undo: "to take back the last move",
  next: "to go on to the next round",
  rematch: "for a rematch, seats swapped",
  delete: "to delete this match, for both of you and for good",
};

/**
 * @typedef {object} News
 * @property {Sound | null} heard what it sounds like
 * @property {string} said what is to be said
 * @property {string} urgent and said at once
 * @property {string} declined which wish of one's own was declined or withdrawn
 * @property {string} passed why somebody had to pass
 */

/** @param {State} before @param {State} now @returns {News} */
export function newsOf(before, now) {
  const { offer, table } = now;
  const said = [];
  now.players.forEach(({ name, joined }, index) => {
    const isMine = now.you.some((player) => player === index + 1);
    if (joined && !before.players[index].joined && !isMine) said.push(`${name} has joined.`);
  });
  const sameRound = before.round === now.round;
  const old = sameRound ? before.table.moves : [];
  const { moves, turn, last } = table;
  if (!sameRound) said.push(`Round ${now.round}.`);
  const played = moves.length > old.length && old.every((move, index) => move === moves[index]);
  if (played) said.push(lastWords(now, table));
  else if (sameRound && moves.length < old.length) said.push("Taken back.");
  if (now.status === "playing" && turn && (said.length || before.table.turn !== turn))
    said.push(`${turnOf(now, turn)}.`);
  const isNew = offer && (offer.kind !== before.offer?.kind || offer.by !== before.offer.by);
  if (isNew && !now.you.includes(offer.by)) said.push(`${nameFor(now, offer.by)} asks ${ASKS[offer.kind]}.`);

  let urgent = "";
  if (now.outcome && !before.outcome) urgent = `${headline(now)} ${endOfMatch(now)}`;
  else if (now.status === "between" && before.status !== "between") urgent = endOfRound(now, table);

  let declined = "";
  const gone = offer ? null : before.offer;
  if (gone && now.you.includes(gone.by) && before.ply === now.ply && !now.rematch) {
    declined = `${nameFor(now, gone.by === 1 ? 2 : 1)} declined: you had asked ${ASKS[gone.kind]}.`;
  }
  const passed = played && last?.passed ? lastWords(now, table) : "";
  /** @type {Sound | null} */
  let heard = null;
  if (urgent) heard = "end";
  else if (played && last) heard = passed || (turn && isYou(now, turn)) ? "turn" : "move";
  return { heard, said: said.join(" "), urgent, declined, passed };
}
