// How a match stands: who plays, whose turn it is, what has just happened, and how it ended.

import { FULL, isFull } from "./commands.js";
import { lookAtNewest } from "./lookback.js";
import { html, lookOf, Mark, wanted } from "./parts.js";
import { endOfMatch, endOfRound, headline, isYou, lastWords, nameFor, spokenIn, turnOf } from "./people.js";
import { scoreOf } from "./series.js";

/** @import { Player, State, Table } from "./types.js" */
/** @import { MatchSession } from "./session.js" */

/** Who a player is, or whether they are here. @param {State} now @param {State["players"][number]} player */
function presenceOf(now, { computer, joined, present }) {
  if (computer) return computer.replace(":", " ");
  if (!joined) return "not here yet";
  return now.kind === "friend" ? (present ? "here" : "away") : "";
}

/**
 * A player: who it is, whose turn it is, what binds them now, and what they have won in this series.
 * @param {{ now: State, table: Table, player: Player, onRename: (player: Player) => void }} props
 */
export function Plate({ now, table, player: number, onRename }) {
  const player = now.players[number - 1];
  const turn = now.status === "playing" && table.turn === number;
  const won = now.outcome?.winner === number;
  const you = isYou(now, number);
  const here = presenceOf(now, player);
  const note = now.status === "playing" && table.view.find(({ owner }) => owner === number)?.note;
  const score = scoreOf(now)?.[number - 1];
  const nameless = you && player.name === `Player ${number}`;
  return html`<div class="plate p${lookOf(number)} ${turn ? "turn" : ""} ${won ? "won" : ""}" data-testid="player-${number}">
    <${Mark} player=${number} />
    <span class="plate-text">
      <span class="plate-name">${nameless ? "You" : player.name}${you && !nameless && html` <span class="soft">(you)</span>`}</span>
      <span class="plate-word">${here && html`<span class="presence ${player.present && player.joined ? "here" : ""}">${here}</span>`}${note && html`<span class="plate-note">${note}</span>`}${turn && html`<strong class="unseen">to move</strong>`}${won && html`<strong class="tag">won</strong>`}</span>
    </span>
    ${now.you.includes(number) && now.can.includes("rename") && html`<button class="quiet" aria-label="Change the name ${player.name}" title="Change the name" onClick=${() => onRename(number)}>✎</button>`}
    ${score !== undefined && html`<span class="plate-score" title="Won in this series" data-testid="score-${number}"><span class="unseen">won in this series: </span>${score}</span>`}
  </div>`;
}

/** What the player to move may do, in a few words. @param {Table} table */
const needsOf = (table) => (table.stuck ? "you can only pass" : table.needs);

/** A note explains a pass when it happens. @param {MatchSession} session */
function sayHow({ now, state: { view, pending, trying, down } }) {
  const { table } = view ?? now;
  const said = html`<span class="happened">${lastWords(now, table, view !== null)}</span>`;
  if (view) {
    if (!table.last)
      return html`<strong>The start.</strong> ${nameFor(now, table.first)} ${isYou(now, table.first) ? "begin" : "begins"}.`;
    return html`<strong>${now.rounds.length > 1 ? `Round ${view.round}, move` : "Move"} ${view.ply}.</strong> ${said}`;
  }
  if (now.outcome)
    return html`<strong class="result">${headline(now)}</strong> <span class="said">${endOfMatch(now)}</span>`;
  if (!table.turn)
    return html`<strong>Round ${now.round} is over.</strong> <span class="said">${endOfRound(now, table)}</span>`;
  if (pending?.move && (trying || down))
    return html`${said} <strong class="working">${spokenIn(table, pending.move)} is kept, and sent as soon as possible.</strong>`;
  const mark = html`<${Mark} player=${table.turn} />`;
  if (now.thinking)
    return html`${said} <span class="whose"><strong class="working">${nameFor(now, table.turn)} is thinking…</strong></span>`;
  const needs = now.you.includes(table.turn) ? needsOf(table) : "";
  const first = !table.last && !needs && now.you.includes(table.turn) ? wanted(table) : "";
  return html`${said} <span class="whose">${mark} <strong>${turnOf(now, table.turn)}${needs ? ":" : "."}</strong> ${needs ? `${needs}.` : first}</span>`;
}

/**
 * What has happened and whose turn it is, in two lines, and what belongs to it.
 * @param {{ session: MatchSession, onNext: (() => void) | null }} props
 */
export function Status({ session, onNext }) {
  const { now } = session;
  const { view } = session.state;
  const { settled, moves } = now.table;
  return html`<div class="standing">
    <div class="status-row">
      <p id="status" tabindex="-1" class="status" data-testid="status">${sayHow(session)}</p>
      ${view && html`<button class="button small" data-testid="to-now" onClick=${() => lookAtNewest(session)}>Back to the newest move</button>`}
    </div>
    ${!view && isFull(now) && html`<p class="soft">${FULL}</p>`}
    ${
      !view &&
      now.status === "playing" &&
      settled &&
      html`<p class="row settled"><span>${moves.length ? "Nobody can win this round any more." : "Nobody can win this round, whatever is played."}</span>
      ${onNext && html`<button class="button small" onClick=${onNext}>${session.can("next") ? "Next round" : "Offer the next round"}</button>`}</p>`
    }
  </div>`;
}
