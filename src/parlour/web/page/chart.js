// What a round was worth to one of its players, move by move: above the middle won, below lost; the further out the nearer
// the end. It is pressed, or walked with the arrow keys, to look at a moment.

import { Component, capital, createRef, html, valueTold } from "./parts.js";

/** @import { Player, RoundReport, Score } from "./types.js" */

/** @type {Record<Score["value"], Score["value"]>} */
const OPPOSITE = { win: "loss", draw: "draw", loss: "win" };
const HEIGHT = 156; // pixels, as are all of these
const LEFT = 68; // for the words beside it
const TOP = 8;
const MIDDLE = TOP + HEIGHT / 2;
const BESIDE = 16; // free at both ends of the curve
const CROWDED = 22; // between two moves, below which not every one has its number

/** To one player, whoever it was told of. @param {Score | null} score @param {Player} of @param {Player} to @returns {Score | null} */
const turned = (score, of, to) => (score && of !== to ? { ...score, value: OPPOSITE[score.value] } : score);

/** Before each move, and at the end where that is known. @param {RoundReport} round @param {Player} side */
export function pointsOf({ decisions, how, winner, resignation }, side) {
  const points = decisions.map(({ before, player }) => turned(before, player, side));
  if (how === "won" || how === "drawn") {
    points.push({ value: !winner ? "draw" : winner === side ? "win" : "loss", plies: winner ? 0 : null });
  } else if (resignation?.standing) {
    points.push(turned(resignation.standing, resignation.player, side));
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
 * @typedef {object} ChartProps
 * @property {RoundReport} round
 * @property {Player} side whose view it is
 * @property {[string, string]} who the players, one of them perhaps "You"
 * @property {string[]} told what each move did, in a sentence
 * @property {number | null} at the move that is looked at
 * @property {(ply: number) => void} onPick
 *
 * @extends {Component<ChartProps, { width: number }>}
 */
export class Chart extends Component {
  state = { width: 0 };
  /** @type {{ current: HTMLElement | null }} */
  ref = createRef();
  /** Drawn at the size it is shown, so that its words stay as large as the others. */
  watcher = new ResizeObserver(([{ contentRect }]) => this.setState({ width: Math.round(contentRect.width) }));

  componentDidMount() {
    if (this.ref.current) this.watcher.observe(this.ref.current);
  }
  componentWillUnmount() {
    this.watcher.disconnect();
  }

  /** @param {KeyboardEvent} event */
  onKey = (event) => {
    const { at, round, onPick } = this.props;
    const last = pointsOf(round, 1).length - 1;
    const now = at ?? last;
    /** @type {Record<string, number>} */
    const keys = { ArrowLeft: now - 1, ArrowDown: now - 1, ArrowRight: now + 1, ArrowUp: now + 1, Home: 0, End: last };
    if (event.altKey || event.ctrlKey || event.metaKey || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault(); // the board above has arrow keys of its own
    event.stopPropagation();
    onPick(Math.max(0, Math.min(last, keys[event.key])));
  };

  /** @param {ChartProps} props @param {{ width: number }} state */
  render({ round, side, who, told, at, onPick }, { width }) {
    const points = pointsOf(round, side);
    const known = points.filter((point) => point !== null);
    if (known.length < 2) return null;
    const you = who[side - 1] === "You";
    const threw = new Map(round.turning_points.map((point) => [point.ply, point]));
    const furthest = Math.max(1, ...known.map(({ plies }) => plies ?? 0));
    const last = points.length - 1;
    const apart = (width - LEFT - 2 * BESIDE) / last;
    /** @param {number} ply */
    const x = (ply) => LEFT + BESIDE + ply * apart;
    /** @param {Score} score */
    const y = ({ value, plies }) => {
      if (value === "draw") return MIDDLE;
      const reach = 0.3 + 0.62 * (1 - (plies ?? furthest) / (furthest + 1));
      return MIDDLE + (value === "win" ? -1 : 1) * reach * (HEIGHT / 2);
    };
    /** @param {number} ply */
    const words = (ply) => {
      const point = points[ply];
      const worth = point ? ` ${you ? "You" : who[side - 1]} ${valueTold(point, you)} with best play.` : "";
      const over = ply === last && round.how !== "unfinished" && !round.resignation;
      const thrown = threw.get(ply);
      const away = thrown ? ` It threw away the ${thrown.from}.` : "";
      return `${ply ? `Move ${ply}: ${told[ply]}` : "The start."}${away}${over ? "" : worth}`;
    };
    /** The curve and the middle enclose what was won, and what was lost. */
    const area = points
      .map((point, ply) => {
        const next = points[ply + 1];
        if (!point || !next) return "";
        return `M${x(ply)} ${MIDDLE}L${x(ply)} ${y(point)}L${x(ply + 1)} ${y(next)}L${x(ply + 1)} ${MIDDLE}Z`;
      })
      .join("");
    const id = `round-${round.round}`;
    const now = at ?? last;
    return html`<figure class="chart" ref=${this.ref}>
      ${
        width > 0 &&
        html`<svg viewBox="0 0 ${width} ${HEIGHT + 32}" role="slider" tabindex="0" onKeyDown=${this.onKey}
        aria-label="What the game was worth to ${you ? "you" : who[side - 1]}" aria-valuemin="0" aria-valuemax=${last} aria-valuenow=${now} aria-valuetext=${words(now)}>
        <defs>
          <pattern id="hatch-${id}" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect class="hatch-bed" width="7" height="7" /><path class="hatch-line" d="M0 0V7" />
          </pattern>
          <clipPath id="above-${id}"><rect x="0" y="0" width=${width} height=${MIDDLE} /></clipPath>
          <clipPath id="below-${id}"><rect x="0" y=${MIDDLE} width=${width} height=${MIDDLE} /></clipPath>
        </defs>
        <rect class="frame" x=${LEFT} y=${TOP} width=${width - LEFT} height=${HEIGHT} rx="10" />
        <path class="won" d=${area} clip-path="url(#above-${id})" />
        <path class="lost" d=${area} fill="url(#hatch-${id})" clip-path="url(#below-${id})" />
        <path class="middle" d="M${LEFT} ${MIDDLE}H${width}" />
        <text class="win" x="0" y=${TOP + 22}>▲ ${you ? "win" : "wins"}</text>
        <text class="draw" x="0" y=${MIDDLE + 5}>● ${you ? "draw" : "draws"}</text>
        <text class="loss" x="0" y=${TOP + HEIGHT - 12}>▼ ${you ? "lose" : "loses"}</text>
        ${at !== null && at <= last && html`<path class="here" d="M${x(at)} ${TOP}V${TOP + HEIGHT}" />`}
        <path class="run" d=${points
          .map((point, ply) => point && `${points[ply - 1] ? "L" : "M"}${x(ply)} ${y(point)}`)
          .filter(Boolean)
          .join("")} />
        ${points.map(
          (
            point,
            ply,
          ) => html`<g key=${ply} class="moment ${point?.value ?? ""} ${ply === at ? "now" : ""}" data-ply=${ply} onClick=${() => onPick(ply)}>
            <title>${words(ply)}</title>
            <rect class="hit" x=${x(ply) - apart / 2} y="0" width=${Math.max(apart, 1)} height=${HEIGHT + 32} />
            ${point && threw.has(ply) && html`<circle class="ring" cx=${x(ply)} cy=${y(point)} r="13" />`}
            ${point && html`<${Dot} score=${point} x=${x(ply)} y=${y(point)} />`}
            ${(apart > CROWDED || ply % 5 === 0 || threw.has(ply)) && html`<text class="tick ${threw.has(ply) ? "threw" : ""}" x=${x(ply)} y=${TOP + HEIGHT + 18}>${ply}</text>`}
          </g>`,
        )}
      </svg>`
      }
      <figcaption>${capital(you ? "your" : `${who[side - 1]}'s`)} side of it: the further from the middle, the nearer the end.
        ${threw.size > 0 && " Rings mark moves that threw something away."} Press a move to see it.</figcaption>
    </figure>`;
  }
}
