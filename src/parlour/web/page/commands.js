// What a player can do at the table of a match. Whether it may be done now is the server's to say.

import { renew } from "./arrival.js";
import { spokenIn, turnOf } from "./people.js";
import { keep } from "./store.js";

/** @import { OfferKind, Player, State } from "./types.js" */
/** @import { MatchSession } from "./session.js" */

export const FULL = "This match can hold no more moves. Resign it or begin another.";

/** It is one's turn, and yet nothing can be moved. @param {State} now */
export const isFull = ({ status, you, table, thinking, can }) =>
  status === "playing" && table.turn !== null && you.includes(table.turn) && !thinking && !can.includes("move");

/**
 * Play a move; whether it was played.
 * @param {MatchSession} session
 * @param {string} move
 * @param {(text: string) => void} [refused] is told why not
 */
async function play(session, move, refused) {
  session.set({ notice: null, view: null });
  const how = { what: `Your move ${spokenIn(session.now.table, move)}`, move, ...(refused && { refused }) };
  return (await session.act("move", { move, ply: session.now.ply }, how)) !== null;
}

/** Play what was typed: it is refused where it was typed. @param {MatchSession} session @param {string} move */
export const type = (session, move) => play(session, move, (refusal) => session.set({ refusal }));

/** Play what was chosen on the board. @param {MatchSession} session @param {string} move */
export function choose(session, move) {
  const { now } = session;
  const { turn } = now.table;
  if (session.stage.queue.length)
    session.catchUp(); // the answer has not been seen yet: nothing is played blindly
  else if (session.state.view) session.refuse("You are looking back. Go to the newest move to play.");
  else if (session.can("move")) play(session, move);
  else if (isFull(now)) session.refuse(FULL);
  else
    session.refuse(
      turn ? `${spokenIn(now.table, move)} has to wait: it is ${inSentence(turnOf(now, turn))}.` : "The round is over.",
    );
}

/** @param {string} words */
const inSentence = (words) => words.replace(/^Your /, "your ");

/** @param {MatchSession} session @param {OfferKind} kind */
const offer = (session, kind) => session.act("offer", { kind, ply: session.now.ply });

/** Take back a move, or ask for that. @param {MatchSession} session */
export function undo(session) {
  session.catchUp();
  session.set({ notice: null });
  if (session.can("undo")) session.act("undo", { ply: session.now.ply });
  else if (session.can("offer undo")) offer(session, "undo");
}

/** The next round or a rematch, or ask for it; whether a round was dealt. @param {MatchSession} session */
export async function next(session) {
  session.catchUp();
  if (session.can("next")) return (await session.act("next", { ply: session.now.ply })) !== null;
  if (session.can("rematch")) session.act("rematch", {});
  else if (session.can("offer next")) offer(session, "next");
  else if (session.can("offer rematch")) offer(session, "rematch");
  return false;
}

/**
 * Answer the offer that is shown, as things stand where it is shown.
 * @param {MatchSession} session
 * @param {"accept" | "decline" | "withdraw"} word
 */
export function answer(session, word) {
  const { offer, ply } = session.now;
  const how = { what: "Your answer", withdraws: word === "withdraw" };
  if (offer) session.act(`offer/${word}`, { kind: offer.kind, ply }, how);
}

/** Give the match up. Two who share a device say whose resignation it is. @param {MatchSession} session */
export function resign(session) {
  session.catchUp();
  const { you, table } = session.now;
  session.act("resign", you.length > 1 ? { player: table.turn } : {});
}

/** Delete the match, or ask for that. @param {MatchSession} session */
export function remove(session) {
  if (session.can("delete")) session.act("delete", {}, { what: "The wish to delete it" });
  else if (session.can("offer delete")) offer(session, "delete");
}

/** Have a new secret for one's seat. The match that follows has the old one, and keeps it. @param {MatchSession} session */
export async function changeSeat(session) {
  session.takeAlong(session.now);
  await renew(session);
  session.link?.restart();
}

/**
 * Go by another name; whether it was taken. It is remembered if it is the one of whoever sits here.
 * @param {MatchSession} session
 * @param {Player} player
 * @param {string} name
 * @param {(text: string) => void} refused is told why not
 */
export async function rename(session, player, name, refused) {
  if (session.state.pending) {
    refused("Something else is still being sent. Try again in a moment.");
    return false;
  }
  const state = await session.act("name", { name, player }, { what: "The name", refused });
  if (state?.you.length === 1) keep("name", name);
  return state !== null;
}
