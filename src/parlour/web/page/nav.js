// Going from page to page without loading anything anew.

const watchers = new Set();

/** Tell `watcher` whenever the address has changed, and whether by going back or forward; returns the way to stop. */
export function onMove(watcher) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Go to an address of this site. `state` stays with the entry in the history, and out of the address. */
export function go(url, { replace = false, state = null } = {}) {
  if (!replace) mark();
  history[replace ? "replaceState" : "pushState"](state, "", url);
  for (const watcher of watchers) watcher(false);
}

addEventListener("popstate", () => watchers.forEach((watcher) => watcher(true)));

// How far a page was scrolled stays with its entry in the history. The browser would come back to it before there is a page
// that long, so it is done here.
history.scrollRestoration = "manual";
const mark = () => history.replaceState({ ...history.state, scroll: scrollY }, "");
addEventListener("pagehide", mark);

/** Scroll to where this page was left, as soon as it is long enough; not if somebody has begun to read meanwhile. */
export function scrollBack() {
  const to = history.state?.scroll ?? 0;
  const until = Date.now() + 3000;
  const reading = new AbortController();
  for (const sign of ["pointerdown", "wheel", "keydown"]) addEventListener(sign, () => reading.abort(), { signal: reading.signal, passive: true });
  const attempt = () => {
    if (reading.signal.aborted) return;
    if (document.documentElement.scrollHeight < to + innerHeight && Date.now() < until) return setTimeout(attempt, 50);
    scrollTo(0, to);
    reading.abort();
  };
  attempt();
}

// Links within the site are followed here; anything unusual (new tab, download, API) is left to the browser.
addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target.closest?.("a[href]");
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
