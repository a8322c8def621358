// The atlas: a game under hundreds of options as a map. A square tells what its options make of the game, and begins it.

import { atlas, games } from "./api.js";
import { go } from "./nav.js";
import {
  announce,
  Component,
  capital,
  counted,
  createRef,
  html,
  Loading,
  sentence,
  Trouble,
  title,
  valueTold,
} from "./parts.js";
import { refusalIn } from "./request.js";
import { Begin, Choice, Opponent, start } from "./ways.js";

/** @import { Chart, Games, GameMap, Square } from "./types.js" */
/** @import { ApiError } from "./request.js" */
/** @import { Way } from "./ways.js" */

const USUAL = "contest"; // what is shown at first: it gives nothing away
const TELLING = ["winner", "first"]; // shades that tell who wins

/** @param {number} share */
const percent = (share) => `${Math.round(100 * share)} %`;
/** @param {Square} square */
const query = ({ options }) => String(new URLSearchParams(options));

/**
 * @typedef {object} AtlasProps
 * @property {string} game its key; empty: the first one
 * @property {string} search the options of the square that is looked at
 *
 * @typedef {object} AtlasState
 * @property {Games | null} all
 * @property {GameMap | null} map
 * @property {number} chosen the square that is looked at
 * @property {string} shade what the map shows
 * @property {boolean} busy
 * @property {string} refused why the game could not be begun
 * @property {ApiError | null} error
 */

/** @extends {Component<AtlasProps, AtlasState>} */
export class Atlas extends Component {
  /** @type {AtlasState} */
  state = { all: null, map: null, chosen: 0, shade: USUAL, busy: false, refused: "", error: null };
  facts = createRef();

  componentDidMount() {
    title("Atlas");
    this.load();
  }

  load = async () => {
    this.setState({ error: null });
    try {
      const all = await games();
      const map = await atlas(this.props.game || all.games[0].key);
      const wanted = this.props.search.slice(1);
      const named = wanted ? map.squares.findIndex((square) => query(square) === wanted) : -1;
      title(`${map.title}: atlas`);
      this.setState({ all, map, chosen: named >= 0 ? named : (map.best[0] ?? 0) });
    } catch (error) {
      this.setState({ error: refusalIn(error) });
    }
  };

  /** @param {number} chosen */
  choose = (chosen) => {
    const { map } = this.state;
    if (!map) return;
    history.replaceState(history.state, "", `/atlas/${map.game}?${query(map.squares[chosen])}`);
    announce(`${map.squares[chosen].words}.`);
    this.setState({ chosen, refused: "" });
  };

  /** @param {Way} way */
  play = async (way) => {
    const { map, chosen } = this.state;
    if (!map) return;
    this.setState({ busy: true, refused: "" });
    try {
      go(await start(way, map.game, { options: map.squares[chosen].options }));
    } catch (error) {
      const { message } = refusalIn(error);
      announce(message);
      this.setState({ busy: false, refused: sentence(message) });
    }
  };

  /** @param {AtlasProps} _ @param {AtlasState} state */
  render(_, { all, map, chosen, shade, busy, refused, error }) {
    if (error) return html`<${Trouble} error=${error} again=${this.load} />`;
    if (!all || !map) return html`<div class="page"><h1 tabindex="-1">Atlas</h1><${Loading} /></div>`;
    const about = map.shades.find(({ key }) => key === shade)?.about ?? "";
    const square = map.squares[chosen];
    return html`<div class="page atlas">
      <h1 tabindex="-1">Atlas</h1>
      <p class="lede">Each square is a game with other options, measured exactly. Press one to see what they make of it, and to play it.</p>
      <${Choice} legend="Game" name="game" value=${map.game} options=${all.games.map(({ key, title }) => [key, title])} onChange=${(/** @type {string} */ key) => go(`/atlas/${key}`)} />
      <${Choice} legend="Shown" name="shade" value=${shade} options=${map.shades.map(({ key, title }) => [key, title])} onChange=${(/** @type {string} */ key) => this.setState({ shade: key })} />
      <p class="soft" data-testid="shade">${sentence(about)} The stronger the colour, the more. A question mark: it took more time or memory than we had.</p>
      <div class="atlas-columns">
        <section class="maps" aria-label="Maps">
          ${map.charts.map((chart, index) => html`<${MapChart} key=${index} chart=${chart} squares=${map.squares} shade=${shade} chosen=${chosen} onChoose=${this.choose} />`)}
        </section>
        <section class="facts" aria-labelledby="facts-heading" data-testid="facts">
          <h2 id="facts-heading">${capital(square.words)}</h2>
          <${Facts} square=${square} error=${map.error} open=${TELLING.includes(shade)} />
          <${Opponent} levels=${all.levels} game=${map.game} onChange=${() => this.forceUpdate()} />
          <${Begin} onPlay=${this.play} busy=${busy} />
          ${refused && html`<p class="refusal">${refused}</p>`}
          <p><a href="/study/${map.game}/start?${query(square)}">Study it</a></p>
          ${
            map.best.length > 0 &&
            html`<h3>The best contests</h3>
          <ol class="best" data-testid="best">${map.best.map((number) => html`<li key=${number}><button class="quiet" onClick=${() => this.choose(number)}>${map.squares[number].words}</button></li>`)}</ol>`
          }
        </section>
      </div>
      <p class="soft">Each square had at least ${map.seconds} seconds. Measured by <code>${map.command}</code>.</p>
    </div>`;
  }
}

/**
 * One map: arrow keys go from square to square, Enter or Space looks at one.
 * @param {{ chart: Chart, squares: Square[], shade: string, chosen: number, onChoose: (number: number) => void }} props
 */
function MapChart({ chart, squares, shade, chosen, onChoose }) {
  const numbers = chart.places.flat().filter((place) => place !== null);
  const entrance = numbers.includes(chosen) ? chosen : numbers[0];
  /** @param {KeyboardEvent} event @param {number} line @param {number} column */
  const walk = (event, line, column) => {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!step) return;
    event.preventDefault();
    let [y, x] = [line + step[0], column + step[1]];
    while (chart.places[y]?.[x] === null) [y, x] = [y + step[0], x + step[1]];
    const next = chart.places[y]?.[x];
    if (next === undefined || next === null) return;
    document.getElementById(`square-${next}`)?.focus();
  };
  const headed = chart.columns.some(Boolean);
  return html`<div class="map">
    <table>
      <caption>${[sentence(chart.title), chart.across && `Across: ${chart.across}; down: ${chart.down}.`].filter(Boolean).join(" ") || html`<span class="unseen">All squares</span>`}</caption>
      ${headed && html`<thead><tr><td></td>${chart.columns.map((column) => html`<th key=${column} scope="col">${column}</th>`)}</tr></thead>`}
      <tbody>${chart.places.map(
        (line, y) => html`<tr key=${y}>
        ${chart.lines[y] ? html`<th scope="row">${chart.lines[y]}</th>` : html`<td></td>`}
        ${line.map((place, x) => {
          if (place === null) return html`<td key=${x}></td>`;
          const { words, texts, shades, value } = squares[place];
          const text = texts[shade] ?? "?";
          return html`<td key=${x}><button id="square-${place}" class="square ${shade === "winner" && value ? `worth-${value}` : ""}" style=${{ "--shade": shades[shade] ?? 0 }}
            tabindex=${place === entrance ? 0 : -1} aria-pressed=${String(place === chosen)} aria-label="${words}: ${text === "?" ? "not found" : text}"
            onKeyDown=${(/** @type {KeyboardEvent} */ event) => walk(event, y, x)} onClick=${() => onChoose(place)}>${text}</button></td>`;
        })}
      </tr>`,
      )}</tbody>
    </table>
  </div>`;
}

/**
 * What is known of a square; who wins is told only to those who want to know.
 * @param {{ square: Square, error: number, open: boolean }} props
 */
function Facts({ square, error, open }) {
  const { first, drawn, turns, critical_turns, measure, critical_share, holding, positions, alike, unfinished } =
    square;
  const lines = [];
  if (first !== null && drawn !== null && turns !== null && critical_turns !== null && measure !== null) {
    lines.push(`Measure of the contest: ${measure.toFixed(2)}.`);
    lines.push(`About ${Math.round(turns)} turns, and ${Math.round(critical_turns)} of them can decide the game.`);
    const draws = drawn >= 0.005 ? `nobody ${percent(drawn)}, ` : "";
    lines.push(
      `Between equals who err one time in ${Math.round(1 / error)}: whoever begins wins ${percent(first)} of the games, ${draws}the other ${percent(1 - first - drawn)}.`,
    );
  }
  if (critical_share !== null && holding !== null) {
    const where = square.sampled ? "By sampled games: in" : "In";
    lines.push(
      `${where} ${percent(critical_share)} of the decisions some move loses value; ${holding.toFixed(1)} moves hold, on average.`,
    );
  }
  if (positions !== null) lines.push(`${positions.toLocaleString("en-GB")} positions.`);
  if (alike > 1) lines.push(`${alike.toLocaleString("en-GB")} deals are this same game.`);
  return html`<ul class="fact-list">${lines.map((line) => html`<li key=${line}>${line}</li>`)}</ul>
    <details class="more" open=${open}><summary>Show what is known</summary><p>${knownTold(square)}</p>
      ${unfinished && html`<p class="soft">Not found in time: ${unfinished.split("\n").join("; ")}.</p>`}</details>`;
}

/** @param {Square} square */
function knownTold({ value, plies, first_moves, keeping }) {
  if (!value) return "We could not find out who wins.";
  const worth =
    value === "draw" ? "With best play nobody wins." : `With best play, whoever begins ${valueTold({ value, plies })}.`;
  if (!keeping || first_moves === null || value === "loss") return worth;
  const all = keeping.length === first_moves;
  const which = all
    ? "Every first move keeps that"
    : `${counted(keeping.length, "first move")} of ${first_moves} keep that: ${keeping.join(", ")}`;
  return `${worth} ${which.replace(/^1 first move of (\d+) keep /, "1 first move of $1 keeps ")}.`;
}
