// Stepping through a round.

import { counted, html } from "./parts.js";

/**
 * Buttons for back and forward, and where one is.
 * @param {{ at: number, last: number, onStep: (to: number) => void, label?: string }} props
 */
export function Steps({ at, last, onStep, label = "Step through the moves" }) {
  // A button that was truly disabled would lose the focus of whoever keeps pressing it.
  /** @param {number} to @param {string} words @param {string} sign */
  const step = (to, words, sign) => {
    const off = to < 0 || to > last || to === at;
    return html`<button
      class="button step-button"
      aria-label=${words}
      title=${words}
      aria-disabled=${off ? "true" : null}
      onClick=${() => off || onStep(to)}
    >${sign}</button>`;
  };
  return html`<div class="steps" role="group" aria-label=${label}>
    ${step(at > 0 ? 0 : -1, "To the start", "⇤")} ${step(at - 1, "One move back", "←")}
    <span class="steps-at">${at ? `Move ${at} of ${last}` : last ? `Start, ${counted(last, "move")}` : "Start"}</span>
    ${step(at + 1, "One move forward", "→")} ${step(at < last ? last : -1, "To the end", "⇥")}
  </div>`;
}
