// What a server sends as its service worker that wants none any more (parlour serve --no-offline): it forgets what was kept,
// and is gone.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (event) => event.waitUntil(leave()));
worker.addEventListener("message", (event) => event.waitUntil(leave())); // a page has registered it again

async function leave() {
  const ours = (await caches.keys()).filter((name) => name.startsWith("parlour-"));
  await Promise.all(ours.map((name) => caches.delete(name)));
  await worker.registration.unregister();
}
