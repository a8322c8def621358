// The service worker: with it the page opens without the server. It keeps the page of one version, whole or not at all, and
// knows nothing of matches or secrets: what was seen of those, the page keeps itself (offline.js). The server writes
// `self.place` before this: where the files of its version are.

/** @typedef {{ path: string, kind: string, text?: string, base64?: string }} Kept */

const worker = /** @type {ServiceWorkerGlobalScope & { place: string }} */ (/** @type {unknown} */ (self));
const VERSIONS = "parlour-page "; // caches that are called so, and then where their files are
const OWN = VERSIONS + worker.place;
const MOST_VERSIONS = 3; // that are kept: pages of older ones may still be open, and look for their files
const PATIENCE = 4000; // milliseconds that the server has to send the page

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data));
});
worker.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== location.origin || pathname.startsWith("/api/")) return;
  if (mode === "navigate") event.respondWith(page(event.request));
  else if (pathname.startsWith("/static/")) event.respondWith(file(event.request));
});

async function install() {
  const answer = await fetch("/offline.json", { cache: "no-store" });
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  const { place, files } = await answer.json();
  if (place !== worker.place) throw new Error("the server has another version by now");
  const cache = await caches.open(OWN);
  try {
    await Promise.all(files.map((/** @type {Kept} */ kept) => cache.put(kept.path, responseOf(kept))));
  } catch (error) {
    await caches.delete(OWN); // half a page is none
    throw error;
  }
  await worker.skipWaiting(); // pages of older versions find their files as before
}

/** @param {Kept} kept */
function responseOf({ kind, text, base64 }) {
  const body = base64 ? Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)) : text;
  return new Response(body, { headers: { "Content-Type": kind } });
}

/** Show the match that a notification was about: where it is open already, or in a new page. @param {string} address */
async function show(address) {
  const pages = await worker.clients.matchAll({ type: "window" });
  const open = pages.find((client) => new URL(client.url).pathname === address);
  await (open ? open.focus() : worker.clients.openWindow(address));
}

async function activate() {
  const older = (await caches.keys()).filter((name) => name.startsWith(VERSIONS) && name !== OWN);
  await Promise.all(older.slice(0, 1 - MOST_VERSIONS).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** The page as the server has it now; where that cannot be had, or not soon, as it is kept. @param {Request} request */
async function page(request) {
  const asked = fetch(request);
  const late = new Promise((done) => setTimeout(done, PATIENCE));
  const answer = await Promise.race([asked, late]).catch(() => null);
  if (answer && answer.status < 502) return answer;
  return (await found("/", OWN)) ?? asked;
}

/** A file of the page, of whichever version: its address says that it never changes. @param {Request} request */
const file = async (request) => (await found(request)) ?? fetch(request);

/** What is kept at an address, if the browser lets us look. @param {RequestInfo} address @param {string} [cacheName] */
async function found(address, cacheName) {
  try {
    return await caches.match(address, { cacheName, ignoreVary: true });
  } catch {
    return undefined;
  }
}
