// Coming to the table of a match: with a seat, with an invitation, or to watch.

import * as api from "./api.js";
import { sentence } from "./parts.js";
import { newSecret, refusalIn } from "./request.js";
import {
  forgetJoining,
  forgetRenewing,
  joiningOf,
  keepJoining,
  keepRenewing,
  kept,
  leave,
  renewingOf,
  returnToSpare,
  seatOf,
  sit,
  switchTo,
} from "./store.js";

/** @import { MatchSession } from "./session.js" */
/** @import { Player } from "./types.js" */

const FITS_NONE = "That link fits no seat of this match.";

/** Take the seat that the address brings, if it brings one; the secret leaves the address bar at once. @param {MatchSession} session */
export async function arrive(session) {
  const brought = new URLSearchParams(location.hash.slice(1));
  if (location.hash) history.replaceState(history.state, "", location.pathname + location.search);
  if (renewingOf(session.id)) await renew(session);
  const seat = brought.get("seat");
  if (seat) await sitDown(session, seat);
  const invite = brought.get("join") ?? joiningOf(session.id)?.invite;
  if (!invite) return;
  if (seatOf(session.id)) session.set({ invited: true });
  else await join(session, invite);
}

/**
 * Take the seat of a link, if it is valid. A valid seat that this browser already has is replaced only on request: a link from
 * the opponent must not cost the player their own.
 * @param {MatchSession} session
 * @param {string} seat
 */
async function sitDown(session, seat) {
  const { id } = session;
  if (!/^[\w-]+$/.test(seat)) return session.note(FITS_NONE); // it could not even be asked about
  try {
    const { you } = await session.insist(() => api.state(id, seat));
    if (await hasOtherSeat(session, you)) offerSeat(session, seat);
    else sit(id, seat);
  } catch (error) {
    const { code, message } = refusalIn(error);
    if (!session.gone) session.note(code === "seat/wrong" ? FITS_NONE : sentence(message));
  }
}

/** Whether this browser has a valid seat that is not `you`. @param {MatchSession} session @param {Player[]} you */
async function hasOtherSeat(session, you) {
  if (!seatOf(session.id)) return false;
  try {
    const mine = await session.insist(() => api.state(session.id));
    return String(mine.you) !== String(you);
  } catch (error) {
    if (refusalIn(error).code !== "seat/wrong") throw error;
    return false;
  }
}

/** @param {MatchSession} session @param {string} seat */
function offerSeat(session, seat) {
  const remedy = { words: "Switch seats", act: () => switchSeats(session, seat) };
  session.note("This link is for the other seat of this match. You still have your own.", {
    remedy,
    dismiss: "Keep my seat",
  });
}

/** Play in another seat of the match; the present one stays in this browser. @param {MatchSession} session @param {string} seat */
export function switchSeats(session, seat) {
  const before = seatOf(session.id);
  switchTo(session.id, seat);
  const remedy = before ? { words: "Switch back", act: () => switchSeats(session, before) } : undefined;
  session.note("You have switched seats.", { remedy, passing: true });
  session.link?.restart();
}

/** The server has refused the seat: use the new secret that it may have, the spare seat, or none. @param {MatchSession} session */
export function loseSeat(session) {
  const { id } = session;
  const renewed = renewingOf(id);
  if (renewed && renewed !== seatOf(id)) {
    sit(id, renewed); // the answer to that has not come yet
  } else if (returnToSpare(id)) {
    session.note("That seat is no longer valid. You are back in your own.");
  } else {
    leave(id);
    session.note("Your seat in this match is no longer valid, so you are watching.");
  }
  session.link?.restart();
}

/**
 * Have a new secret for one's seat; the page that had the old one is sent away. Sent again, it is done once.
 * @param {MatchSession} session
 */
export async function renew(session) {
  const { id } = session;
  const seat = renewingOf(id) ?? newSecret();
  keepRenewing(id, seat);
  try {
    await session.insist(() => api.renewSeat(id, seat));
    sit(id, seat);
    session.note("Your seat has a new secret. Whoever had the old link can only watch.", { passing: true });
  } catch (error) {
    const { passing, unknown, message } = refusalIn(error);
    if (passing || unknown) return; // the page was left before there was an answer
    session.refuse(sentence(message));
  }
  forgetRenewing();
}

/** @param {MatchSession} session @param {string} invite */
async function join(session, invite) {
  const { id } = session;
  // The seat is kept until there is an answer: so joining can be sent again, even after a reload.
  const seat = joiningOf(id)?.seat ?? newSecret();
  keepJoining(id, { invite, seat });
  const name = kept("name").trim();
  /** @param {string} name */
  const ask = (name) => session.insist(() => api.join(id, { invite, name, seat }));
  try {
    const joined = await ask(name).catch((error) => {
      if (refusalIn(error).code !== "name/bad" || !name) throw error;
      return ask(""); // the host may go by the same one; the seat matters more
    });
    forgetJoining();
    sit(id, joined.seat ?? seat);
    const [me] = joined.state.you;
    const sayName = { words: "Add your name", act: () => session.set({ renaming: me }) };
    session.note("You have joined the game.", { passing: true, ...(!name && { remedy: sayName }) });
  } catch (error) {
    const { passing, code, message } = refusalIn(error);
    if (passing) return; // the page was left before there was an answer
    forgetJoining();
    session.note(
      code === "seat/taken" ? "Somebody else was quicker: the seat is taken, and you are watching." : sentence(message),
    );
  }
}
