// What a round was worth to Player 1, ply by ply: above the middle won, below lost; the further out the nearer the end.

import { html, Mark, valueTold } from "./parts.js";

/** @import { Player, RoundReport, Score } from "./types.js" */

/** @type {Record<Score["value"], Score["value"]>} */
const OPPOSITE = { win: "loss", draw: "draw", loss: "win" };
const HEIGHT = 150; // pixels, as are all of these
const MOST_WIDTH = 720;
const LEFT = 62; // for the words beside it
const TOP = 8;
const MIDDLE = TOP + HEIGHT / 2;

/** To Player 1, whoever it was told of. @param {Score | null} score @param {Player} player @returns {Score | null} */
const toFirst = (score, player) => (score && player === 2 ? { ...score, value: OPPOSITE[score.value] } : score);

/** Before each move, and at the end where that is known. @param {RoundReport} round */
function pointsOf({ decisions, how, winner, resignation }) {
  const points = decisions.map(({ before, player }) => toFirst(before, player));
  if (how === "won" || how === "drawn") {
    points.push({ value: winner === 1 ? "win" : winner === 2 ? "loss" : "draw", plies: winner ? 0 : null });
  } else if (resignation?.standing) {
    points.push(toFirst(resignation.standing, resignation.player));
  }
  return points;
}

/** @param {{ score: Score, x: number, y: number }} props */
function Dot({ score, x, y }) {
  if (score.value === "win") return html`<path d="M${x} ${y - 7}l7 12h-14z" />`;
  if (score.value === "loss") return html`<path d="M${x} ${y + 7}l7 -12h-14z" />`;
  return html`<circle cx=${x} cy=${y} r="5.5" />`;
}

/**
 * `here`: the ply that is looked at, if it is one of this round.
 * @param {{ round: RoundReport, names: string[], here: number | null }} props
 */
export function Chart({ round, names, here }) {
  const points = pointsOf(round);
  const known = points.filter((point) => point !== null);
  if (known.length < 2) return null;
  const furthest = Math.max(1, ...known.map(({ plies }) => plies ?? 0));
  // Drawn at the size it is shown, so that its words stay as large as the others.
  const width = Math.min(MOST_WIDTH, document.documentElement.clientWidth - 32);
  /** @param {number} ply */
  const x = (ply) => LEFT + 12 + (ply * (width - LEFT - 24)) / Math.max(1, points.length - 1);
  /** @param {Score} score */
  const y = ({ value, plies }) => {
    if (value === "draw") return MIDDLE;
    const reach = 0.38 + 0.55 * (1 - (plies ?? furthest) / (furthest + 1));
    return MIDDLE + (value === "win" ? -1 : 1) * reach * (HEIGHT / 2);
  };
  const crowded = (width - LEFT) / points.length <= 18;
  const told = points
    .map((point, ply) => point && `${ply ? `after move ${ply}` : "at the start"} ${names[0]} ${valueTold(point)}`)
    .filter(Boolean)
    .join("; ");
  return html`<figure class="chart">
    <svg viewBox="0 0 ${width} ${HEIGHT + 34}" role="img" aria-label="What the game was worth to ${names[0]}, move by move: ${told}.">
      <rect class="band win" x=${LEFT} y=${TOP} width=${width - LEFT} height=${HEIGHT / 2 - 16} />
      <rect class="band draw" x=${LEFT} y=${MIDDLE - 16} width=${width - LEFT} height="32" />
      <rect class="band loss" x=${LEFT} y=${MIDDLE + 16} width=${width - LEFT} height=${HEIGHT / 2 - 16} />
      <text x="0" y=${TOP + HEIGHT / 4}>▲ win</text><text x="0" y=${MIDDLE + 5}>● draw</text><text x="0" y=${TOP + (HEIGHT * 3) / 4 + 8}>▼ loss</text>
      ${here !== null && here < points.length && html`<line class="here" x1=${x(here)} x2=${x(here)} y1=${TOP} y2=${TOP + HEIGHT} />`}
      ${points.slice(1).map((point, ply) => {
        const before = points[ply];
        return (
          before && point && html`<line class="run" x1=${x(ply)} y1=${y(before)} x2=${x(ply + 1)} y2=${y(point)} />`
        );
      })}
      ${points.map(
        (point, ply) =>
          point &&
          html`<g class="dot ${point.value}">
          <${Dot} score=${point} x=${x(ply)} y=${y(point)} />
          ${(!crowded || ply % 5 === 0) && html`<text class="tick" x=${x(ply)} y=${TOP + HEIGHT + 18}>${ply}</text>`}
        </g>`,
      )}
    </svg>
    <figcaption>What it was worth to <${Mark} player=${1} /> ${names[0]} after each move. The further from the middle, the nearer the end.</figcaption>
  </figure>`;
}
