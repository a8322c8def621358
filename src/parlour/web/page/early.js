// Runs before anything is painted; a classic script of its own, because the page's policy allows no inline script.

// A chosen theme must not flash the other one first.
try {
  const theme = localStorage.getItem("parlour.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is closed: follow the system.
}

// The modules of the page that was asked for are fetched together, not one import after the other. A module that is
// missing here is only fetched later.
{
  const pages = {
    "": "home setup board",
    play: "setup",
    m: "match board analysis moveform waiting link",
    study: "study board analysis moveform setup",
    rules: "rules board",
    import: "others",
    about: "others",
  };
  const own = pages[location.pathname.split("/")[1]] ?? "others";
  for (const name of `vendor/preact vendor/htm parts api store nav sound ${own}`.split(" ")) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = `/static/${name}.js`;
    document.head.append(link);
  }
}
