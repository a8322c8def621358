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

/** What is kept as JSON; nothing, if it cannot be read. @param {string} key @returns {Record<string, string>} */
function keptObject(key) {
  try {
    const found = JSON.parse(kept(key) || "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}

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
