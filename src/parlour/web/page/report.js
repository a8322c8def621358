// After the game: how exactly it was played, and where it turned. The words and the grades are the server's.

import * as api from "./api.js";
import { Chart } from "./chart.js";
import { Copy } from "./copy.js";
import { anyOf, Moment } from "./moment.js";
import { Component, counted, html, Loading, lastTold, Mark, sentence, Value } from "./parts.js";
import { spokenIn } from "./people.js";
import { Practise } from "./practise.js";
import { isAbort, refusalIn } from "./request.js";

/** @import { Account, Grade, Player, Progress, Report as ReportDocument, RoundReport, Table } from "./types.js" */
/** @import { ApiError } from "./request.js" */

/** @type {Record<Grade, [string, string]>} a sign and the words for each grade */
const GRADES = {
  kept: ["✓", "no move was better"],
  slower: ["✓", "won, but slower"],
  "threw-win": ["✗", "threw away the win"],
  "threw-draw": ["✗", "threw away the draw"],
  forced: ["–", "the only move"],
  lost: ["–", "lost already"],
  settled: ["–", "nobody could win any more"],
  ungraded: ["?", "not graded"],
};
/** Moves that are not counted, and why. @type {Record<string, (count: number) => string>} */
const UNCOUNTED = {
  forced: (count) => counted(count, "forced move"),
  lost: (count) => `${counted(count, "move")} in a lost position`,
  settled: (count) => `${counted(count, "move")} when nobody could win`,
  ungraded: (count) => `${counted(count, "move")} not solved in time`,
};
const FIRST_SHOWN = 3; // turning points

/**
 * @typedef {object} ReportProps
 * @property {string} id of the match
 * @property {Player[]} you whose seats are this browser's
 * @property {(turned: boolean) => void} [onGraded] is told, once it is known, whether anything was thrown away
 *
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
      this.props.onGraded?.(report.rounds.some(({ turning_points }) => turning_points.length > 0));
    } catch (error) {
      if (isAbort(error)) this.setState({ progress: null, cancelled: true });
      else this.setState({ progress: null, error: refusalIn(error) });
    }
  };

  /** @param {ReportProps} props @param {ReportState} state */
  render({ id, you }, { report, error, progress, cancelled }) {
    return html`<section class="report" aria-labelledby="report-heading" data-testid="report">
      <h2 id="report-heading" tabindex="-1">How it was played</h2>
      ${
        progress &&
        html`<p class="row"><span class="working">Grading every move… ${progress.positions ? `${progress.positions.toLocaleString("en-GB")} positions` : ""}</span>
        <button class="button small" onClick=${() => this.control.abort()}>Cancel</button></p>`
      }
      ${error && html`<p class="row"><span class="refusal">${sentence(error.message)}</span> <button class="button small" onClick=${this.load}>Try again</button></p>`}
      ${cancelled && !report && html`<p class="row">Cancelled. <button class="button small" onClick=${this.load}>Grade it after all</button></p>`}
      ${report && html`<${Graded} id=${id} report=${report} you=${you} />`}
      <p class="row report-tools">
        <a class="button small" href=${api.recordPath(id)} download>Download the record</a>
        <${Copy} class="small" text=${() => api.record(id)}>Copy the record<//>
        ${report?.text && html`<${Copy} class="small" text=${report.text.join("\n")}>Copy the report as text<//>`}
        <${Copy} class="small" text=${`${location.origin}/m/${id}`}>Copy the link<//>
        <button class="button small" onClick=${() => print()}>Print</button>
      </p>
    </section>`;
  }
}

/** "3 of 4 choices kept the best result. Not counted: 1 forced move, 2 moves in a lost position." @param {Account} account */
function accountTold({ decisions, held, left_out }) {
  const kept = `${held} of ${counted(decisions, "choice")} kept the best result.`;
  const left = Object.entries(left_out).filter(([, count]) => count > 0);
  const uncounted = left.map(([why, count]) => UNCOUNTED[why](count)).join(", ");
  return `${decisions ? kept : "There was no real choice to make."}${uncounted && ` Not counted: ${uncounted}.`}`;
}

/** @param {{ id: string, report: ReportDocument, you: Player[] }} props */
function Graded({ id, report, you }) {
  const mine = you.length === 1 ? you[0] : null;
  /** @type {[string, string]} */
  const who = [mine === 1 ? "You" : report.names[0], mine === 2 ? "You" : report.names[1]];
  return html`<div>
    <ul class="accuracy" aria-label="Accuracy">
      ${report.accuracy.map(
        (account) => html`<li key=${account.player} class="p${account.player}">
          <span class="accuracy-name"><${Mark} player=${account.player} /> ${who[account.player - 1]}</span>
          <span class="accuracy-number">${account.accuracy === null ? "–" : `${Math.round(account.accuracy * 100)}%`}</span>
          <span class="soft">${accountTold(account)}</span>
        </li>`,
      )}
    </ul>
    ${
      report.rounds.some(({ turning_points }) => turning_points.some(({ player }) => you.includes(player))) &&
      html`<${Practise} id=${id} you=${you} />`
    }
    ${report.rounds.map((round) => html`<${Round} key=${round.round} ...${{ id, round, who, side: mine ?? 1, alone: report.rounds.length === 1 }} />`)}
    <details class="more">
      <summary>The report in words</summary>
      <div class="words">${report.text?.map((line) => line.trim() && html`<p>${line}</p>`)}</div>
    </details>
  </div>`;
}

/** Whether a round had no decision that counts: nothing can be learnt from it. @param {RoundReport} round */
const isEmpty = ({ decisions }) => decisions.every(({ grade }) => ["settled", "forced", "lost"].includes(grade));

/** What a round was, in a line. @param {RoundReport} round @param {[string, string]} who */
function roundTold(round, who) {
  const { decisions, winner, resignation } = round;
  if (!decisions.length) return "nothing was played.";
  if (decisions.every(({ grade }) => grade === "settled")) return "nobody could win it, whatever was played.";
  const gaveUp = givenUp(round, who);
  if (gaveUp) return gaveUp;
  const end = winner ? `${who[winner - 1]} won` : resignation ? `${who[resignation.player - 1]} resigned` : "drawn";
  return `${end}. ${isEmpty(round) ? "There was no real choice to make." : "Nothing was thrown away."}`;
}

/** "You resigned a won position."; empty if resigning lost nothing. @param {RoundReport} round @param {[string, string]} who */
function givenUp({ how, resignation }, who) {
  const value = resignation?.standing?.value;
  if (!resignation || !value || value === "loss") return "";
  return `${who[resignation.player - 1]} ${how} a ${value === "win" ? "won" : "drawn"} position.`;
}

/**
 * One round: the curve, the moment that is looked at, where it turned, and every move. Rounds in which nothing happened
 * are one line each, which opens.
 * @typedef {object} RoundProps
 * @property {string} id of the match
 * @property {RoundReport} round
 * @property {[string, string]} who the players, one of them perhaps "You"
 * @property {Player} side whose view the curve has
 * @property {boolean} alone it is the only round
 *
 * @extends {Component<RoundProps, { ply: number | null, tables: Table[] | null, trouble: string }>}
 */
class Round extends Component {
  /** @type {{ ply: number | null, tables: Table[] | null, trouble: string }} */
  state = { ply: this.first(), tables: null, trouble: "" };

  /** The move to look at first: one's own last mistake, or the other's. */
  first() {
    const { round, side } = this.props;
    const points = round.turning_points;
    return (points.findLast(({ player }) => player === side) ?? points.at(-1))?.ply ?? null;
  }

  componentDidMount() {
    if (!this.isQuiet()) this.load();
  }

  /** Nothing was thrown away in it, and there are others. */
  isQuiet() {
    const { round, alone } = this.props;
    return !round.turning_points.length && (!alone || isEmpty(round));
  }

  load = async () => {
    const { id, round } = this.props;
    if (this.state.tables || !round.decisions.length) return;
    try {
      this.setState({ tables: (await api.replay(id, round.round)).tables });
    } catch (error) {
      this.setState({ trouble: sentence(refusalIn(error).message) });
    }
  };

  /** @param {number} ply */
  pick = (ply) => this.setState({ ply });

  /** Show a moment to somebody who is further down. @param {number} ply */
  show = (ply) => {
    this.pick(ply);
    const heading = document.getElementById(`moment-${this.props.round.round}`);
    heading?.focus({ preventScroll: true });
    heading?.closest(".moment-panel")?.scrollIntoView({ block: "nearest" });
  };

  /** @param {RoundProps} props @param {{ ply: number | null, tables: Table[] | null, trouble: string }} state */
  render({ round, who, alone }, { tables, trouble }) {
    const line = roundTold(round, who);
    if (this.isQuiet()) {
      const words = alone ? sentence(line) : `Round ${round.round}: ${line}`;
      if (isEmpty(round)) return html`<p class="round-line" data-testid="quiet-round">${words}</p>`;
      return html`<details class="more round-line" data-testid="quiet-round" onToggle=${this.load}>
        <summary>${words}</summary>
        ${tables ? this.renderWhole(tables) : trouble ? html`<p class="refusal">${trouble}</p>` : html`<${Loading} />`}
      </details>`;
    }
    return html`<div class="round" data-testid="round">
      ${!alone && html`<h3 class="round-heading">Round ${round.round}</h3>`}
      ${trouble && html`<p class="row"><span class="refusal">${trouble}</span> <button class="button small" onClick=${this.load}>Try again</button></p>`}
      ${tables ? this.renderWhole(tables) : !trouble && html`<${Loading} />`}
    </div>`;
  }

  /** @param {Table[]} tables */
  renderWhole(tables) {
    const { round, who, side } = this.props;
    const { ply } = this.state;
    const told = tables.map((table) => lastTold(table, who));
    return html`<div class="round-columns">
      <${Chart} round=${round} side=${side} who=${who} told=${told} at=${ply} onPick=${this.pick} />
      <${Turning} round=${round} who=${who} tables=${tables} onShow=${this.show} />
      ${ply !== null && html`<${Moment} key="moment" round=${round} tables=${tables} ply=${ply} who=${who} onPick=${this.pick} />`}
      <details class="more moves-told">
        <summary>Move by move</summary>
        <ol class="decisions">
          ${round.decisions.map((decision) => {
            const [sign, words] = GRADES[decision.grade] ?? ["", decision.grade];
            const here = ply === decision.ply;
            return html`<li key=${decision.ply} class=${decision.grade.startsWith("threw") ? "threw" : ""}>
              <button class="decision ${here ? "now" : ""}" aria-current=${here ? "step" : null} onClick=${() => this.show(decision.ply)}>
                <span class="ply">${decision.ply}</span><${Mark} player=${decision.player} /><span class="unseen">${who[decision.player - 1]}: </span>
                <span class="decision-move">${spokenIn(tables[0], decision.move)}</span>
                <span class="decision-grade"><span aria-hidden="true">${sign}</span> ${words}</span>
                ${decision.after && html`<${Value} ...${decision.after} />`}
              </button>
            </li>`;
          })}
        </ol>
      </details>
    </div>`;
  }
}

/**
 * Where a value was thrown away: the first few, then all.
 * @typedef {{ round: RoundReport, who: [string, string], tables: Table[], onShow: (ply: number) => void }} TurningProps
 * @extends {Component<TurningProps, { all: boolean }>}
 */
class Turning extends Component {
  state = { all: false };
  /** @param {TurningProps} props @param {{ all: boolean }} state */
  render({ round, who, tables, onShow }, { all }) {
    const points = round.turning_points;
    const gaveUp = givenUp(round, who).replace(/^You /, "you ");
    if (!points.length) {
      const none = gaveUp
        ? `No move threw anything away, but ${gaveUp}`
        : "It never turned: nobody threw anything away.";
      return html`<p class="turning">${none}</p>`;
    }
    const shown = all ? points : points.slice(0, FIRST_SHOWN);
    return html`<div class="turning">
      <h3>Where it turned</h3>
      <ul>
        ${shown.map(
          (point) => html`<li key=${point.ply}>
            <p><${Mark} player=${point.player} /> <strong>Move ${point.ply}: ${lastTold(tables[point.ply], who)}</strong>
              ${" "}It threw away the ${point.from}; ${anyOf(point.held_by.map((move) => spokenIn(tables[0], move)))} would have kept it.</p>
            <button class="button small" onClick=${() => onShow(point.ply)}>Show the moment</button>
          </li>`,
        )}
      </ul>
      ${gaveUp && html`<p>At the end ${gaveUp}</p>`}
      ${points.length > shown.length && html`<button class="quiet" onClick=${() => this.setState({ all: true })}>Show all ${points.length}</button>`}
    </div>`;
  }
}
