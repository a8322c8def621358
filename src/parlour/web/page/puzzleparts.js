// What stands around the board of a puzzle: who plays, what is asked and told, and how one does.

import { counted, html, lookOf, Mark } from "./parts.js";
import { dateTold, progress, statistics } from "./progress.js";

/** @import { Player } from "./types.js" */
/** @import { Solving } from "./solving.js" */

/** "Solved in 2 tries." @param {Solving} solving */
export const endTold = ({ tries }) => `Solved ${tries === 1 ? "at the first try" : `in ${tries} tries`}.`;

/** Why it ends here. @param {Solving} solving */
const pointOf = ({ table, puzzle: { goal } }) =>
  table.result
    ? ""
    : goal === "win"
      ? "From here on more than one move wins."
      : "From here on more than one move holds the draw.";

/** What is known of the moves of this turn. @param {Solving} solving @returns {Map<string, string>} */
export function marksOf({ phase, rung, half, right, refuted }) {
  if (phase !== "asking" || !right.length) return new Map();
  const marks = new Map();
  for (const move of rung === 2 ? half : []) marks.set(move, "maybe");
  for (const move of refuted) marks.set(move, "no");
  if (rung === 3) marks.set(right[0], "this");
  return marks;
}

/**
 * Whoever solves by keyboard goes on from where the change is: to the button that steps, and back to the board.
 * @param {string} before the phase that was drawn last
 * @param {string | undefined} phase
 */
export function focusOn(before, phase) {
  const place =
    phase === "refuting" || phase === "refuted"
      ? "[data-step]"
      : phase === "asking" && before !== "answering"
        ? '.board button.tile[tabindex="0"]'
        : phase === "answering"
          ? ""
          : "#status";
  /** @type {HTMLElement | null} */
  const next = place ? document.querySelector(place) : null;
  next?.focus({ preventScroll: true });
}

/** Who somebody is, and what binds them. @param {{ solving: Solving, player: Player }} props */
export function Plate({ solving: { puzzle: shown, table }, player }) {
  const note = table.view.find(({ owner }) => owner === player)?.note;
  const turn = table.turn === player;
  return html`<div class="plate p${lookOf(player)} ${turn ? "turn" : ""}" data-testid="player-${player}">
    <${Mark} player=${player} />
    <span class="plate-text"><span class="plate-name">${player === shown.side ? "You" : "Opponent"}</span>
      <span class="plate-word">${note && html`<span class="plate-note">${note}</span>`}${turn && html`<strong class="unseen">to move</strong>`}</span></span>
  </div>`;
}

/** How one does, day by day. @param {{ level?: string }} props */
export function Statistics({ level = "h2" }) {
  const { played, solved, streak, longest } = statistics(progress());
  return html`<section aria-labelledby="statistics-heading" data-testid="statistics">
    <${level} id="statistics-heading">Your puzzles of the day</${level}>
    <p>${played ? `${solved} of ${played} solved.${streak ? ` Day ${streak} in a row.` : ""}${longest > streak ? ` Longest streak: ${counted(longest, "day")}.` : ""}` : "None yet. Solve one on its own day, and a streak begins."}</p>
  </section>`;
}

/**
 * What is asked, and what has just happened.
 * @param {{ solving: Solving, refused: string }} props `refused`: why something else cannot be had
 */
export function Status({ solving, refused }) {
  const { phase, puzzle, told, hinted, at, steps } = solving;
  const { streak } = statistics(progress());
  const happened = html`<span class="happened">${told}</span>`;
  const lines = {
    asking: html`${at > 0 && happened} <span class="whose"><${Mark} player=${puzzle.side} /> <strong>${at ? "Go on: again one move is right." : puzzle.question}</strong></span>
      ${hinted && html`<span class="hinted" data-testid="hinted">${hinted}</span>`}`,
    answering: html`${happened} <span class="whose"><strong>Right.</strong></span>`,
    refuting: html`${happened} <span class="whose"><strong>Not that one.</strong> See why.</span>`,
    refuted: html`${happened} <span class="whose"><strong>So it is not that one.</strong></span>`,
    solved: html`<strong class="result">${endTold(solving)}</strong> <span class="said">${told} ${pointOf(solving)} ${puzzle.daily && streak > 1 && `Day ${streak} in a row.`}</span>`,
    shown: html`${happened} <span class="whose"><strong>${steps.length ? "The answer." : "That was the answer."}</strong> ${!steps.length && pointOf(solving)}</span>`,
  };
  return html`<div class="standing"><div class="status-row"><p id="status" tabindex="-1" class="status" data-testid="status">${lines[phase]}
    ${refused && html`<span class="refusal">${refused}</span>`}</p></div></div>`;
}

/** What it is about, and at the end what comes of it. @param {{ solving: Solving, known: string, came: string }} props */
export function Question({ solving, known, came }) {
  const { puzzle } = solving;
  const turns = puzzle.turns.length;
  return html`<section aria-labelledby="question-heading">
    <h2 id="question-heading">${puzzle.question}</h2>
    ${puzzle.date && html`<p class="soft">${dateTold(puzzle.date)}</p>`}
    ${
      solving.isOver
        ? html`<p data-testid="share">${came}</p>
          <p><a class="quiet" href=${puzzle.table.study}>Study the position</a></p>`
        : html`<p>Press a move. A wrong one is played out, so that you see why, and taken back. The right one gets the reply that resists longest${turns > 1 ? `; there are ${turns} turns to find` : ""}.</p>`
    }
    ${known && html`<p class="soft" data-testid="known">${known}</p>`}
  </section>`;
}
