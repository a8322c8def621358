// What this browser remembers: seats, name, theme and the like. Storage may be closed (private windows, strict settings);
// then things are remembered until the page is left, and nothing breaks.

const memory = new Map();

export function kept(key) {
  try {
    return localStorage.getItem(`parlour.${key}`) ?? memory.get(key) ?? "";
  } catch {
    return memory.get(key) ?? "";
  }
}

export function keep(key, text) {
  memory.set(key, text);
  try {
    localStorage.setItem(`parlour.${key}`, text);
  } catch {
    // memory has it
  }
}

/** {match: seat}, the newest last. The seats are secrets: they leave this browser in headers only. */
export function seats() {
  try {
    const found = JSON.parse(kept("seats") || "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}

export const seatOf = (match) => seats()[match] ?? null;

export function sit(match, seat) {
  const all = seats();
  delete all[match]; // so that it becomes the newest
  keep("seats", JSON.stringify({ ...all, [match]: seat }));
}

export function leave(match) {
  const all = seats();
  delete all[match];
  keep("seats", JSON.stringify(all));
}

// The invitation of a match that this browser opened; shown until somebody has come.
const invites = () => {
  try {
    return JSON.parse(kept("invites") || "{}");
  } catch {
    return {};
  }
};
export const inviteOf = (match) => invites()[match] ?? null;
export function keepInvite(match, invite) {
  keep("invites", JSON.stringify(Object.fromEntries([...Object.entries(invites()), [match, invite]].slice(-30))));
}

const THEMES = ["auto", "light", "dark"];
export const theme = () => (THEMES.includes(kept("theme")) ? kept("theme") : "auto");
export function nextTheme() {
  const next = THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length];
  keep("theme", next);
  if (next === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
}
