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
  const always = "vendor/preact vendor/htm later nav offline parts sound store api request";
  const table = "analysis board copy moveform people place steps tile";
  const puzzle = "puzzle asking board copy examapi motion people picking practising progress puzzleparts solving tile";
  const [, first, one] = location.pathname.split("/");
  /** @type {Record<string, string>} where one of many has a page of another kind than their list */
  const ones = { mistakes: "mistake", master: "exam" };
  const kind = (one && ones[first]) || first;
  /** @type {Record<string, string>} */
  const pages = {
    "": "home ways results board tile",
    play: "setup ways results",
    m: `match ${table} actions arrival commands dialogs link lookback menu motion moves news notify series session stage status waiting`,
    study: `study ${table} results ways`,
    rules: "rules board steps tile",
    daily: puzzle,
    puzzle,
    atlas: "atlas results ways",
    puzzles: "puzzles damaged examapi picking practising progress puzzleparts",
    mistakes: "mistakes damaged examapi practising progress",
    mistake: puzzle,
    master: "master damaged examapi progress",
    exam: "exam examapi examining examparts board motion people practising progress puzzleparts solving tile",
  };
  const files = /** @type {HTMLScriptElement} */ (document.currentScript).src;
  const own = pages[kind] ?? "others";
  const [match, list] = ["match.css", "puzzles.css"];
  /** @type {Record<string, string>} */
  const sheets = { m: match, daily: match, puzzle: match, mistake: match, exam: match, atlas: "atlas.css" };
  const dress = sheets[kind] ?? (["puzzles", "mistakes", "master"].includes(kind) && list);
  if (dress) {
    const sheet = document.createElement("link");
    sheet.rel = "stylesheet";
    sheet.href = new URL(dress, files).href;
    document.head.append(sheet);
  }
  for (const name of `${always} ${own}`.split(" ")) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = new URL(`${name}.js`, files).href;
    document.head.append(link);
  }
}
