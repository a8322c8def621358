// After the game: how exactly it was played, and where it turned. The words and the grades are the server's.

import * as api from "./api.js";
import { Chart } from "./chart.js";
import { Copy } from "./copy.js";
import { announce, Component, counted, html, Mark, sentence, Value } from "./parts.js";
import { tokenOf, walk } from "./place.js";
import { isAbort, refusalIn } from "./request.js";

/** @import { Grade, Moment, Progress, Report as ReportDocument, RoundReport, TurningPoint } from "./types.js" */
/** @import { ApiError } from "./request.js" */

/** @type {Record<Grade, [string, string]>} a sign and the words for each grade */
const GRADES = {
  kept: ["✓", "kept"],
  slower: ["✓", "kept, but slower"],
  "threw-win": ["✗", "threw away the win"],
  "threw-draw": ["✗", "threw away the draw"],
  forced: ["–", "the only move"],
  lost: ["–", "lost already"],
  settled: ["–", "nobody could win any more"],
  ungraded: ["?", "not graded"],
};
const FIRST_SHOWN = 3; // turning points
const MOST_NAMED = 6; // moves

/** @typedef {(round: number, ply: number) => void} Look */
/** @typedef {{ id: string, at: Moment, onLook: Look }} ReportProps `at`: what the board shows */
/**
 * @typedef {object} ReportState
 * @property {ReportDocument | null} report
 * @property {Partial<Progress> | null} progress
 * @property {boolean} cancelled
 * @property {ApiError | null} error
 */

/** @extends {Component<ReportProps, ReportState>} */
export class Report extends Component {
  /** @type {ReportState} */
  state = { report: null, progress: null, cancelled: false, error: null };
  control = new AbortController();

  componentDidMount() {
    this.load();
  }
  componentWillUnmount() {
    this.control.abort();
  }
  load = async () => {
    this.control = new AbortController();
    this.setState({ error: null, cancelled: false, progress: {} });
    try {
      const report = await api.report(this.props.id, {
        signal: this.control.signal,
        onProgress: (progress) => this.setState({ progress }),
      });
      this.setState({ report, progress: null });
    } catch (error) {
      if (isAbort(error)) this.setState({ progress: null, cancelled: true });
      else this.setState({ progress: null, error: refusalIn(error) });
    }
  };

  /** @param {ReportProps} props @param {ReportState} state */
  render({ id, at, onLook }, { report, error, progress, cancelled }) {
    return html`<section class="report" aria-labelledby="report-heading" data-testid="report">
      <h2 id="report-heading" tabindex="-1">How it was played</h2>
      ${
        progress &&
        html`<p class="row"><span class="working">Grading every move… ${progress.positions ? `${progress.positions.toLocaleString("en-GB")} positions` : ""}</span>
        <button class="button small" onClick=${() => this.control.abort()}>Cancel</button></p>`
      }
      ${error && html`<p class="row"><span class="refusal">${sentence(error.message)}</span> <button class="button small" onClick=${this.load}>Try again</button></p>`}
      ${cancelled && !report && html`<p class="row">Cancelled. <button class="button small" onClick=${this.load}>Grade it after all</button></p>`}
      ${report && html`<${Graded} report=${report} at=${at} onLook=${onLook} />`}
      <p class="row">
        <a class="button" href=${api.recordPath(id)} download>Download the record</a>
        <${Copy} text=${() => api.record(id)}>Copy the record<//>
        ${report?.text && html`<${Copy} text=${report.text.join("\n")}>Copy the report as text<//>`}
        <${Copy} text=${`${location.origin}/m/${id}`}>Copy the link<//>
        <button class="button" onClick=${() => print()}>Print</button>
      </p>
    </section>`;
  }
}

/** @param {{ report: ReportDocument, at: Moment, onLook: Look }} props */
function Graded({ report, at, onLook }) {
  return html`<div>
    <ul class="accuracy" aria-label="Accuracy">
      ${report.accuracy.map((account) => {
        const left = Object.values(account.left_out).reduce((sum, n) => sum + n, 0);
        return html`<li key=${account.player} class="p${account.player}">
          <span class="accuracy-name"><${Mark} player=${account.player} /> ${report.names[account.player - 1]}</span>
          <span class="accuracy-number">${account.accuracy === null ? "–" : `${Math.round(account.accuracy * 100)}%`}</span>
          <span class="soft">${account.decisions ? `held ${account.held} of ${counted(account.decisions, "real decision")}` : "had no real decision to make"}${left ? `; ${left} not counted` : ""}</span>
        </li>`;
      })}
    </ul>
    ${report.rounds.map((round) => html`<${Round} key=${round.round} ...${{ report, round, at, onLook }} />`)}
    <details class="more">
      <summary>The report in words</summary>
      <div class="words">${report.text?.map((line) => line.trim() && html`<p>${line}</p>`)}</div>
      <p class="soft">A ply is one player's turn, a pass included.</p>
    </details>
  </div>`;
}

/** @param {{ report: ReportDocument, round: RoundReport, at: Moment, onLook: Look }} props */
function Round({ report, round, at, onLook }) {
  const { names } = report;
  const here = at.round === round.round ? at.ply : null;
  const title = report.rounds.length > 1 && html`<h3>Round ${round.round}</h3>`;
  if (round.decisions.every(({ grade }) => grade === "settled")) {
    return html`<div class="round">${title}<p class="soft">${round.decisions.length ? "Nobody could win it, whatever was played." : "Nothing was played."}</p></div>`;
  }
  return html`<div class="round">
    ${title}
    <${Chart} round=${round} names=${names} here=${here} />
    ${round.turning_points.length > 0 && html`<${Turning} ...${{ report, round, onLook }} />`}
    <h3>Move by move</h3>
    <ol class="decisions">
      ${round.decisions.map((decision) => {
        const [sign, words] = GRADES[decision.grade] ?? ["", decision.grade];
        const threw = decision.grade.startsWith("threw");
        return html`<li key=${decision.ply} class=${threw ? "threw" : ""}>
          <button class="decision ${here === decision.ply ? "now" : ""}" aria-current=${here === decision.ply ? "step" : null} onClick=${() => onLook(round.round, decision.ply)}>
            <span class="ply">${decision.ply}</span><${Mark} player=${decision.player} /><span class="unseen">${names[decision.player - 1]}: </span>
            <span class="decision-move">${decision.move}</span>
            <span class="decision-grade"><span aria-hidden="true">${sign}</span> ${words}</span>
            ${decision.after && html`<${Value} ...${decision.after} />`}
          </button>
        </li>`;
      })}
    </ol>
  </div>`;
}

/**
 * Where a value was thrown away: the first few, then all.
 * @typedef {{ report: ReportDocument, round: RoundReport, onLook: Look }} TurningProps
 * @extends {Component<TurningProps, { all: boolean }>}
 */
class Turning extends Component {
  state = { all: false };
  /** @param {TurningProps} props @param {{ all: boolean }} state */
  render({ report, round, onLook }, { all }) {
    const { names } = report;
    const points = round.turning_points;
    const shown = all ? points : points.slice(0, FIRST_SHOWN);
    return html`<div class="turning">
      <h3>Turning points</h3>
      <ul>
        ${shown.map(
          (point) => html`<li key=${point.ply}>
            <p>
              <${Mark} player=${point.player} /> <strong>Move ${point.ply}: ${names[point.player - 1]} played ${point.move}</strong> and threw away the ${point.from}.
              ${" "}${anyOf(point.held_by)} would have kept it.
              ${point.line.length > 0 && html` After ${point.move}: <span class="line-words">${point.line.join(" ")}</span>.`}
            </p>
            <p class="row">
              <button class="button small" onClick=${() => onLook(round.round, point.ply - 1)}>Show the moment</button>
              <${TryButtons} report=${report} round=${round} point=${point} />
            </p>
          </li>`,
        )}
      </ul>
      ${points.length > shown.length && html`<button class="quiet" onClick=${() => this.setState({ all: true })}>Show all ${points.length}</button>`}
    </div>`;
  }
}

/** "5, 6 or 7". @param {string[]} moves */
function anyOf(moves) {
  const shown = moves.slice(0, MOST_NAMED);
  if (moves.length > MOST_NAMED) return `${shown.join(", ")} or ${counted(moves.length - MOST_NAMED, "other")}`;
  return shown.length > 1 ? `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}` : shown[0];
}

/**
 * From a turning point to the study board: what refutes the move, and what else there was.
 * @param {{ report: ReportDocument, round: RoundReport, point: TurningPoint }} props
 */
function TryButtons({ report, round, point }) {
  /** @param {string[]} line */
  const go = async (line) => {
    const before = round.decisions.slice(0, point.ply - 1).map(({ move }) => move);
    const given = Object.entries(round.options).filter(([, text]) => text !== "");
    if (round.first === 2) given.push(["first", "2"]);
    const query = new URLSearchParams(given).toString();
    try {
      // The server spells the address of the moment: it knows which options are the game's own.
      walk(await api.position({ game: report.game, token: tokenOf(before), query }), line);
    } catch (error) {
      announce(refusalIn(error).message);
    }
  };
  const [held] = point.held_by;
  return html`<button class="button small" onClick=${() => go([point.move, ...point.line])}>Walk the line</button>
    ${held && html`<button class="button small" onClick=${() => go([held])}>Try ${held}</button>`}`;
}
