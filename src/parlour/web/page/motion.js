// Movement that shows what happened: the number comes from where it was chosen to where it now lies. Nothing moves for those
// who want it so; what happened is said in words as well.

const FLIGHT = { duration: 420, easing: "cubic-bezier(0.25, 0.9, 0.3, 1)" };

/** Whether somebody wants nothing to move. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param {Element} tile @param {number} [delay] */
const rise = (tile, delay = 0) =>
  tile.animate([{ scale: 0.6, opacity: 0.4 }, { scale: 1.08 }, { scale: 1 }], {
    duration: 320,
    delay,
    easing: "ease-out",
  });

/** The move that was just played. @param {HTMLElement} board */
function showMove(board) {
  if (still()) return;
  const chosen = board.querySelector(":is(.pool, .grid) .tile.last");
  /** @type {HTMLElement | null} */
  const placed = board.querySelector(":is(.line, .pyramid) .tile.last");
  if (chosen) rise(chosen);
  if (!placed) return;
  const to = placed.getBoundingClientRect();
  const from = chosen?.getBoundingClientRect();
  if (!from?.width || !to.width) return void rise(placed);
  // A copy flies, above everything: the place it comes to may be one that scrolls.
  const copy = /** @type {HTMLElement} */ (placed.cloneNode(true));
  const frame = board.getBoundingClientRect();
  copy.removeAttribute("role");
  copy.removeAttribute("aria-label");
  copy.setAttribute("aria-hidden", "true");
  copy.classList.add("flying");
  Object.assign(copy.style, {
    left: `${to.left - frame.left - board.clientLeft}px`,
    top: `${to.top - frame.top - board.clientTop}px`,
    width: `${to.width}px`,
    height: `${to.height}px`,
  });
  board.append(copy);
  const dx = from.left + from.width / 2 - to.left - to.width / 2;
  const dy = from.top + from.height / 2 - to.top - to.height / 2;
  const size = from.width / to.width;
  placed.animate([{ opacity: 0 }, { opacity: 0 }], FLIGHT);
  copy
    .animate(
      [
        { translate: `${dx}px ${dy}px`, scale: size },
        { translate: "0 0", scale: 1 },
      ],
      FLIGHT,
    )
    .finished.then(
      () => copy.remove(),
      () => copy.remove(),
    );
}

/** Those that won, one after the other. @param {HTMLElement} board */
function showWin(board) {
  if (still()) return;
  board.querySelectorAll(".tile.won").forEach((tile, index) => {
    rise(tile, 250 + 130 * index);
  });
}

/** For the board of a match. */
export const motion = { move: showMove, win: showWin };
