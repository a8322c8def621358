// Runs before anything is painted; a classic script of its own, because the page's policy allows no inline script.

// A chosen theme must not flash the other one first.
try {
  const theme = localStorage.getItem("parlour.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is closed: follow the system.
}

// The modules of the page that was asked for are fetched together, not one import after the other. A test holds the list to
// what they import.
{
  const always = "vendor/preact vendor/htm later nav parts sound store api request";
  const table = "analysis board copy dial motion moveform people place steps tile";
  /** @type {Record<string, string>} */
  const pages = {
    "": "home ways results board dial motion tile",
    play: "setup ways results",
    m: `match ${table} actions arrival commands dialogs link lookback menu moves news notify series session stage status waiting`,
    study: `study ${table} results ways`,
    rules: "rules board dial motion steps tile",
  };
  const files = /** @type {HTMLScriptElement} */ (document.currentScript).src;
  const own = pages[location.pathname.split("/")[1]] ?? "others";
  for (const name of `${always} ${own}`.split(" ")) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = new URL(`${name}.js`, files).href;
    document.head.append(link);
  }
}
