// Going from page to page without loading anything anew.

const watchers = new Set();

/** Tell `watcher` whenever the address has changed; returns the way to stop. */
export function onMove(watcher) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Go to an address of this site. `state` stays with the entry in the history, and out of the address. */
export function go(url, { replace = false, state = null } = {}) {
  history[replace ? "replaceState" : "pushState"](state, "", url);
  for (const watcher of watchers) watcher();
}

addEventListener("popstate", () => watchers.forEach((watcher) => watcher()));

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
