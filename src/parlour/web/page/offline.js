// The page without the server. A service worker (worker.js) opens it; here is what was seen last, for when it cannot be asked
// for, and whether the server can be reached. Storage may be closed or full: then nothing is kept, and nothing breaks.

const SEEN = "parlour-seen"; // the cache of answers, each by its address; seats are not in addresses
const MOST_SEEN = 300;
const ASK_AFTER = [2, 5, 10, 20]; // seconds, while the server cannot be reached
const WORDS =
  "The server cannot be reached. Your games, the rules, your studies, puzzles and practice are here as you last saw them; playing has to wait.";

// What was seen.

/** Whether an answer can be shown later: about games, positions and puzzles, and the state of a match. @param {string} path */
const isWorthKeeping = (path) => /^\/api\/(games|puzzles|daily|exams$|matches\/\w+$)/.test(path);

/** Keep an answer; whoever has asked need not wait for that. @param {string} path @param {unknown} answer */
export async function keepSeen(path, answer) {
  if (!isWorthKeeping(path)) return;
  try {
    const cache = await caches.open(SEEN);
    await cache.put(path, Response.json(answer)); // what was put last stands last
    const all = await cache.keys();
    await Promise.all(all.slice(0, -MOST_SEEN).map((old) => cache.delete(old)));
  } catch {
    // then it is not kept
  }
}

/** @param {string} path */
export async function forgetSeen(path) {
  try {
    await (await caches.open(SEEN)).delete(path);
  } catch {
    // then nothing was kept
  }
}

/** The answer that was seen last, or that came with the page; undefined if there is none. @param {string} path */
export async function lastSeen(path) {
  if (!isWorthKeeping(path)) return undefined;
  try {
    const names = await caches.keys();
    for (const cacheName of [SEEN, ...names.reverse()]) {
      const found = await caches.match(path, { cacheName, ignoreVary: true });
      if (found) return await found.json();
    }
  } catch {
    // then nothing was kept
  }
  return undefined;
}

/** Spread a delay at random by half either way, so that pages that lost the server together don't all return together. @param {number} delay */
export const jittered = (delay) => delay * (0.5 + Math.random());

// Whether the server can be reached. Pages that want to know listen for "reached" on the window.

let away = 0; // how often it was asked in vain
let timer = 0;

/** The server has answered something. */
export function reached() {
  if (!away) return;
  away = 0;
  clearTimeout(timer);
  notice(false);
  dispatchEvent(new Event("reached"));
}

/** The server has not answered: say so, and ask now and then until it does. */
export function missed() {
  if (away) return;
  away = 1;
  notice(true);
  askLater();
}

function askLater() {
  clearTimeout(timer);
  timer = setTimeout(ask, jittered(1000 * ASK_AFTER[Math.min(away, ASK_AFTER.length) - 1]));
}

async function ask() {
  try {
    const answer = await fetch("/api/health", { cache: "no-store" });
    if (answer.status < 502) return reached();
  } catch {
    // not now
  }
  if (!away) return missed();
  away += 1;
  askLater();
}

addEventListener("online", ask);
addEventListener("offline", ask); // the server may be on this machine

/** @param {boolean} shown */
function notice(shown) {
  const place = document.getElementById("offline");
  if (!place) return;
  place.textContent = shown ? WORDS : "";
  place.hidden = !shown;
}

// The service worker. A new version takes over as soon as it is there; this page goes on with its own files, and the next one
// that is gone to is loaded anew.

let outdated = false;

/** Whether a newer version has come since this page was loaded. */
export const isOutdated = () => outdated;

/** Have the page kept for when the server cannot be reached, once everything else is done. */
export function keepThePage() {
  const workers = navigator.serviceWorker; // not everywhere: only where nobody can listen in
  if (!workers) return;
  let controller = workers.controller;
  workers.addEventListener("controllerchange", () => {
    outdated ||= controller !== null; // the first one is as old as this page
    controller = workers.controller;
  });
  const wanted = !document.querySelector("meta[name='offline'][content='no']"); // parlour serve --no-offline
  const change = () => (wanted ? workers.register("/worker.js") : forget(workers)).catch(() => {}); // private windows refuse
  if (document.readyState === "complete") change();
  else addEventListener("load", change);
}

/** Unregister the service worker and delete the pages that it keeps. @param {ServiceWorkerContainer} workers */
async function forget(workers) {
  const registrations = await workers.getRegistrations();
  await Promise.all(registrations.map((registration) => registration.unregister()));
  const ours = (await caches.keys()).filter((name) => name.startsWith("parlour-"));
  await Promise.all(ours.map((name) => caches.delete(name)));
}
