// The list of moves: every move of every round, to jump to.

import { html, Mark, playerOf } from "./parts.js";

/** @import { Moment, Round } from "./types.js" */

/** @param {{ rounds: Round[], at: Moment, onLook: (moment: Moment) => void }} props */
export function Moves({ rounds, at, onLook }) {
  return html`<div class="moves-all" data-testid="moves">
    ${rounds.map(({ spoken, first }, index) => {
      const round = index + 1;
      return html`<div key=${round}>
        ${rounds.length > 1 && html`<h3 class="round-title">Round ${round}</h3>`}
        ${!spoken.length && html`<p class="soft">None yet.</p>`}
        <ol class="moves">
          ${spoken.map((move, before) => {
            const ply = before + 1;
            const now = at.round === round && at.ply === ply;
            return html`<li key=${before}><button class="chip ${now ? "now" : ""}" aria-current=${now ? "step" : null} onClick=${() => onLook({ round, ply })}>
              <${Mark} player=${playerOf(first, before)} /> ${move}</button></li>`;
          })}
        </ol>
      </div>`;
    })}
  </div>`;
}
