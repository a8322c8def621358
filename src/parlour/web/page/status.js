// How a match stands: who plays, whose turn it is, and what has to be said about it.

import { FULL, isFull } from "./commands.js";
import { lookAtNewest } from "./lookback.js";
import { html, Mark, told, verdict, wanted } from "./parts.js";

/** @import { Player, State } from "./types.js" */
/** @import { MatchSession, View } from "./session.js" */

/** Who a player is, or whether he is here. @param {State} now @param {State["players"][number]} player */
function presenceOf(now, { computer, joined, present }) {
  if (computer) return computer.replace(/^level:/, "computer, level ");
  if (!joined) return "not here yet";
  return now.kind === "friend" ? (present ? "here" : "away") : "";
}

/**
 * The two players: who they are, who is here, whose turn it is.
 * @param {{ now: State, onRename: (player: Player) => void }} props
 */
export function Plates({ now, onRename }) {
  return html`<ul class="plates" aria-label="Players">
    ${now.players.map((player, index) => {
      const number = index === 0 ? 1 : 2;
      const turn = now.status === "playing" && now.table.turn === number;
      const won = now.outcome?.winner === number;
      const mine = now.you.includes(number);
      const here = presenceOf(now, player);
      return html`<li key=${number} class="plate p${number} ${turn ? "turn" : ""} ${won ? "won" : ""}" data-testid="player-${number}">
        <${Mark} player=${number} />
        <span class="plate-text"><span class="plate-name">${player.name}${mine && now.you.length === 1 ? html` <span class="soft">(you)</span>` : ""}</span>
        <span class="plate-word">${here && html`<span class="presence ${player.present && player.joined ? "here" : ""}">${here}</span>`}${turn && html`<strong class="tag">${now.thinking ? "thinking…" : "to move"}</strong>`}${won && html`<strong class="tag">won</strong>`}</span></span>
        ${mine && now.can.includes("rename") && html`<button class="quiet" aria-label="Change the name ${player.name}" title="Change the name" onClick=${() => onRename(number)}>✎</button>`}
      </li>`;
    })}
  </ul>`;
}

/** @param {State} now @param {View | null} view */
function sayHow(now, view) {
  /** @param {Player} player */
  const name = (player) => now.players[player - 1].name;
  if (view) {
    const { last, first } = view.table;
    if (!last) return html`<strong>The start.</strong> ${name(first)} begins.`;
    const move = now.rounds.length > 1 ? `Round ${view.round}, move` : "Move";
    return html`<strong>${move} ${view.ply}.</strong> ${name(last.player)} ${last.passed ? "had to pass" : `played ${last.move}`}.`;
  }
  const { table } = now;
  if (now.outcome)
    return html`<strong class="result">${verdict(now)}</strong> <span class="said">${now.outcome.text}</span>`;
  if (!table.turn) return html`<strong>Round ${now.round} is over.</strong> ${told(table.result?.text)}`;
  const mark = html`<${Mark} player=${table.turn} />`;
  if (now.you.length === 1 && now.you[0] === table.turn)
    return html`${mark} <strong>Your turn.</strong> ${wanted(table)}`;
  if (now.thinking) return html`${mark} <strong class="working">${name(table.turn)} is thinking…</strong>`;
  return html`${mark} <strong>${name(table.turn)}'s turn.</strong> ${now.you.includes(table.turn) ? wanted(table) : ""}`;
}

/**
 * One paragraph that says how things stand, and what belongs to it.
 * @param {{ session: MatchSession, onNext: (() => void) | null }} props
 */
export function Status({ session, onNext }) {
  const { now } = session;
  const { view } = session.state;
  const { last, settled, moves } = now.table;
  return html`<div>
    <div class="status-row">
      <p id="status" tabindex="-1" class="status" data-testid="status">${sayHow(now, view)}</p>
      ${view && html`<button class="button small" data-testid="to-now" onClick=${() => lookAtNewest(session)}>To the newest move</button>`}
    </div>
    ${!view && last?.passed && html`<p class="soft"><${Mark} player=${last.player} /> ${now.players[last.player - 1].name} had to pass: ${last.text.at(-1) ?? "no move was possible"}</p>`}
    ${!view && isFull(now) && html`<p class="soft">${FULL}</p>`}
    ${
      !view &&
      now.status === "playing" &&
      settled &&
      html`<p class="row"><span>${moves.length ? "Nobody can win this round any more." : "Nobody can win this round, whatever is played."}</span>
      ${onNext && html`<button class="button small" onClick=${onNext}>${session.can("next") ? "Next round" : "Offer the next round"}</button>`}</p>`
    }
  </div>`;
}
