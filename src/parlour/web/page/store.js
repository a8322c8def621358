// What this browser remembers: seats, name, theme and the like. Storage may be closed (private windows, strict settings);
// then things are remembered until the page is left, and nothing breaks.

import { forgetSeen } from "./offline.js";

/** @type {Map<string, string>} */
const memory = new Map();

/** @param {string} key */
export function kept(key) {
  try {
    return localStorage.getItem(`parlour.${key}`) ?? memory.get(key) ?? "";
  } catch {
    return memory.get(key) ?? "";
  }
}

/** @param {string} key @param {string} text */
export function keep(key, text) {
  memory.set(key, text);
  try {
    localStorage.setItem(`parlour.${key}`, text);
  } catch {
    // memory has it
  }
}

/**
 * What is kept as JSON; `otherwise`, if there is nothing of that kind.
 * @template T
 * @param {string} key
 * @param {T} otherwise
 * @returns {T}
 */
export function keptJson(key, otherwise) {
  try {
    const found = JSON.parse(kept(key));
    const fits = found && typeof found === "object" && Array.isArray(found) === Array.isArray(otherwise);
    return fits ? found : otherwise;
  } catch {
    return otherwise;
  }
}
/** @param {string} key @returns {Record<string, string>} */
const keptObject = (key) => keptJson(key, {});

/** {match: seat}, the newest last. The seats are secrets: they leave this browser in headers only. */
export const seats = () => keptObject("seats");

/** @param {string} match */
export const seatOf = (match) => seats()[match] ?? null;

/** @param {string} match @param {string} seat */
export function sit(match, seat) {
  const all = seats();
  delete all[match]; // so that it becomes the newest
  keep("seats", JSON.stringify({ ...all, [match]: seat }));
}

/** @param {string} match */
export function leave(match) {
  forgetSeen(`/api/matches/${match}`);
  const all = seats();
  delete all[match];
  keep("seats", JSON.stringify(all));
  keepSpare(match, null);
}

// A second seat of the same match, {match: seat}: the one that the player switched from.

/** @param {string} match @returns {string | null} */
export const spareOf = (match) => keptObject("spares")[match] ?? null;

/** @param {string} match @param {string | null} seat null to forget it */
function keepSpare(match, seat) {
  const { [match]: old, ...others } = keptObject("spares");
  if (old || seat) keep("spares", JSON.stringify(seat ? { ...others, [match]: seat } : others));
}

/** Sit in another seat of a match and keep the present one as the spare. @param {string} match @param {string} seat */
export function switchTo(match, seat) {
  keepSpare(match, seatOf(match));
  sit(match, seat);
}

/** Return from a seat that is no longer valid to the spare one; null if there is none. @param {string} match */
export function returnToSpare(match) {
  const spare = spareOf(match);
  if (spare) sit(match, spare);
  keepSpare(match, null);
  return spare;
}

// The invitation of a match that this browser opened; shown until somebody has come.
const INVITES = 30; // the newest that are kept

/** @param {string} match */
export const inviteOf = (match) => keptObject("invites")[match] ?? null;

/** @param {string} match @param {string} invite */
export function keepInvite(match, invite) {
  const all = Object.entries({ ...keptObject("invites"), [match]: invite });
  keep("invites", JSON.stringify(Object.fromEntries(all.slice(-INVITES))));
}

// The joining that has no answer yet: it is sent again, even after a reload.

/** @param {string} match @returns {{ invite: string, seat: string } | null} */
export function joiningOf(match) {
  const { id, invite, seat } = keptObject("joining");
  return id === match ? { invite, seat } : null;
}

/** @param {string} match @param {{ invite: string, seat: string }} joining */
export const keepJoining = (match, joining) => keep("joining", JSON.stringify({ id: match, ...joining }));
export const forgetJoining = () => keep("joining", "");

// The new secret of a seat, as long as it has no answer: the server may have it already, and the old one be worth nothing.

/** @param {string} match */
export function renewingOf(match) {
  const { id, seat } = keptObject("renewing");
  return id === match ? seat : null;
}

/** @param {string} match @param {string} seat */
export const keepRenewing = (match, seat) => keep("renewing", JSON.stringify({ id: match, seat }));
export const forgetRenewing = () => keep("renewing", "");

// What came of the games against each computer: {game: {level: [won, lost, drawn]}}, as in
// {"double-up": {"level:2": [3, 5, 0]}}. The first end of a match counts, whatever is taken back afterwards.
const COUNTED = 300; // the newest matches that are known to be in there

/** @returns {Record<string, Record<string, [won: number, lost: number, drawn: number]>>} */
export const results = () => keptJson("results", {});

/** @param {string} match @param {string} game @param {string} level @param {"won" | "lost" | "drawn"} how */
export function countResult(match, game, level, how) {
  /** @type {string[]} */
  const counted = keptJson("counted", []);
  if (counted.includes(match)) return;
  const all = results();
  const levels = { ...all[game] };
  const row = [...(levels[level] ?? [0, 0, 0])];
  row[["won", "lost", "drawn"].indexOf(how)] += 1;
  keep("results", JSON.stringify({ ...all, [game]: { ...levels, [level]: row } }));
  keep("counted", JSON.stringify([...counted, match].slice(-COUNTED)));
}

// The computer that one plays against.

export const level = () => kept("level") || "level:2";
/** @param {string} key */
export const keepLevel = (key) => keep("level", key);

const THEMES = ["auto", "light", "dark"];
export const theme = () => (THEMES.includes(kept("theme")) ? kept("theme") : "auto");
export function nextTheme() {
  const next = THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length];
  keep("theme", next);
  if (next === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
}
