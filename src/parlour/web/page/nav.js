// Going from page to page without loading anything anew, as long as this is the newest version.

import { isOutdated } from "./offline.js";

/** @typedef {(back: boolean) => void} Watcher */
/** @type {Set<Watcher>} */
const watchers = new Set();

/** Tell `watcher` whenever the address has changed, and whether by going back or forward. @param {Watcher} watcher */
export function onMove(watcher) {
  watchers.add(watcher);
}

/** @param {boolean} back */
function moved(back) {
  for (const watcher of watchers) watcher(back);
}

/**
 * Go to an address of this site. `state` stays with the entry in the history, and out of the address.
 * @param {string} url
 * @param {{ state?: object | null }} [options]
 */
export function go(url, { state = null } = {}) {
  markScroll();
  if (isOutdated() && !state && new URL(url, location.href).pathname !== location.pathname) {
    location.href = url;
    return;
  }
  history.pushState(state, "", url);
  moved(false);
}

addEventListener("popstate", () => moved(true));

// How far a page was scrolled stays with its entry in the history. The browser would come back to it before there is a page
// that long, so it is done here.
history.scrollRestoration = "manual";
const markScroll = () => history.replaceState({ ...history.state, scroll: scrollY }, "");
addEventListener("pagehide", markScroll);

/** Scroll to where this page was left, as soon as it is long enough; not if somebody has begun to read meanwhile. */
export function scrollBack() {
  const to = history.state?.scroll ?? 0;
  const until = Date.now() + 3000;
  const reading = new AbortController();
  for (const sign of ["pointerdown", "wheel", "keydown"]) {
    addEventListener(sign, () => reading.abort(), { signal: reading.signal, passive: true });
  }
  const attempt = () => {
    if (reading.signal.aborted) return;
    if (document.documentElement.scrollHeight < to + innerHeight && Date.now() < until) {
      setTimeout(attempt, 50);
      return;
    }
    scrollTo(0, to);
    reading.abort();
  };
  attempt();
}

/** Whether a click on a link asks for something unusual, such as a new tab. @param {MouseEvent} event */
const isUnusual = (event) => Boolean(event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);

/** A link that does something here; with a modifier it opens elsewhere, as links do. @param {() => void} action */
export const inPlace = (action) => (/** @type {MouseEvent} */ event) => {
  if (isUnusual(event)) return;
  event.preventDefault();
  action();
};

// Links within the site are followed here; anything unusual (new tab, download, API) is left to the browser.
addEventListener("click", (event) => {
  if (event.defaultPrevented || isUnusual(event) || !(event.target instanceof Element)) return;
  /** @type {HTMLAnchorElement | null} */
  const link = event.target.closest("a[href]");
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.pathname.startsWith("/api/") || link.pathname.startsWith("/static/")) return;
  event.preventDefault();
  const own = link.pathname === location.pathname && link.search === location.search;
  if (own && link.hash && !link.hash.includes("=")) {
    // A jump within the page. The address stays as it is: fragments carry seats here.
    const target = document.getElementById(link.hash.slice(1));
    target?.focus();
    target?.scrollIntoView();
    return;
  }
  go(link.href);
});
