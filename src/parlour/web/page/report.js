// After the game: how exactly it was played, and where it turned. The words and the grades are the server's.

import { Component, Copy, Mark, Value, announce, counted, html, sentence, valueTold } from "./parts.js";
import { about, get, getText, slowly, tokenOf } from "./api.js";
import { walk } from "./analysis.js";

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
const FIRST_SHOWN = 3;
const OPPOSITE = { win: "loss", draw: "draw", loss: "win" };

export class Report extends Component {
  state = {};
  componentDidMount() {
    this.load();
  }
  componentWillUnmount() {
    this.control?.abort();
  }
  load = async () => {
    const control = (this.control = new AbortController());
    const { id } = this.props;
    this.setState({ error: null, cancelled: false, progress: {} });
    try {
      const onProgress = (progress) => this.setState({ progress });
      const report = await slowly(`/api/matches/${id}/report`, { match: id, signal: control.signal, onProgress });
      this.setState({ report, progress: null });
    } catch (error) {
      if (error.name === "AbortError") this.setState({ progress: null, cancelled: true });
      else this.setState({ error, progress: null });
    }
  };

  render({ id, now, at, onLook }, { report, error, progress, cancelled }) {
    return html`<section class="report" aria-labelledby="report-heading" data-testid="report">
      <h2 id="report-heading" tabindex="-1">How it was played</h2>
      ${progress &&
      html`<p class="row"><span class="working">Grading every move… ${progress.positions ? `${progress.positions.toLocaleString("en-GB")} positions` : ""}</span>
        <button class="button small" onClick=${() => this.control.abort()}>Cancel</button></p>`}
      ${error && html`<p class="row"><span class="refusal">${sentence(error.message)}</span> <button class="button small" onClick=${this.load}>Try again</button></p>`}
      ${cancelled && !report && html`<p class="row">Cancelled. <button class="button small" onClick=${this.load}>Grade it after all</button></p>`}
      ${report && html`<${Graded} report=${report} at=${at} onLook=${onLook} />`}
      <p class="row">
        <a class="button" href="/api/matches/${id}/record" download>Download the record</a>
        <${Copy} text=${() => getText(`/api/matches/${id}/record`)}>Copy the record<//>
        ${report && html`<${Copy} text=${report.text.join("\n")}>Copy the report as text<//>`}
        <${Copy} text=${`${location.origin}/m/${now.id}`}>Copy the link<//>
        <button class="button" onClick=${() => print()}>Print</button>
      </p>
    </section>`;
  }
}

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
      <div class="words">${report.text.map((line) => line.trim() && html`<p>${line}</p>`)}</div>
      <p class="soft">A ply is one player's turn, a pass included.</p>
    </details>
  </div>`;
}

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

/** Where a value was thrown away: the first few, then all. */
class Turning extends Component {
  state = {};
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
              ${" "}${list(point.held_by)} would have kept it.
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

const list = (moves) => {
  const shown = moves.slice(0, 6);
  const words = shown.length > 1 ? `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}` : shown[0];
  return moves.length > 6 ? `${shown.join(", ")} or ${counted(moves.length - 6, "other")}` : words;
};

/** From a turning point to the study board: what refutes the move, and what else there was. */
class TryButtons extends Component {
  go = async (line) => {
    const { report, round, point } = this.props;
    const before = round.decisions.slice(0, point.ply - 1).map(({ move }) => move);
    const query = new URLSearchParams({ ...round.options, ...(round.first === 2 && { first: "2" }) });
    for (const [name, value] of [...query]) if (value === "") query.delete(name);
    // The server spells the address of the moment: it knows which options are the game's own.
    const table = await get(about("position", { game: report.game, token: tokenOf(before), query: query.toString() })).catch((error) => announce(error.message));
    if (table) walk(table, line);
  };
  render({ point }) {
    return html`<button class="button small" onClick=${() => this.go([point.move, ...point.line])}>Walk the line</button>
      ${point.held_by[0] && html`<button class="button small" onClick=${() => this.go([point.held_by[0]])}>Try ${point.held_by[0]}</button>`}`;
  }
}

/** What the game was worth to Player 1, ply by ply: above the middle won, below lost; the further out the nearer the end. */
function Chart({ round, names, here }) {
  const points = round.decisions.map((decision) => {
    if (!decision.before) return null;
    const value = decision.player === 1 ? decision.before.value : OPPOSITE[decision.before.value];
    return { value, plies: decision.before.plies };
  });
  if (round.how === "won" || round.how === "drawn") {
    points.push({ value: round.winner === 1 ? "win" : round.winner === 2 ? "loss" : "draw", plies: round.winner ? 0 : null });
  } else if (round.resignation?.standing) {
    const { player, standing } = round.resignation;
    points.push({ value: player === 1 ? standing.value : OPPOSITE[standing.value], plies: standing.plies });
  }
  const known = points.filter(Boolean);
  if (known.length < 2) return null;
  const furthest = Math.max(1, ...known.map(({ plies }) => plies ?? 0));
  // Drawn at the size it is shown, so that its words stay as large as the others.
  const [width, height, left, top] = [Math.min(720, document.documentElement.clientWidth - 32), 150, 62, 8];
  const middle = top + height / 2;
  const x = (index) => left + 12 + (index * (width - left - 24)) / Math.max(1, points.length - 1);
  const y = ({ value, plies }) => {
    if (value === "draw") return middle;
    const reach = 0.38 + 0.55 * (1 - (plies ?? furthest) / (furthest + 1));
    return middle + (value === "win" ? -1 : 1) * reach * (height / 2);
  };
  const told = points.map((point, ply) => (point ? `${ply ? `after move ${ply}` : "at the start"} ${names[0]} ${valueTold(point)}` : null)).filter(Boolean).join("; ");
  const segments = points.slice(1).map((point, index) => [points[index], point, index]).filter(([a, b]) => a && b);
  return html`<figure class="chart">
    <svg viewBox="0 0 ${width} ${height + 34}" role="img" aria-label="What the game was worth to ${names[0]}, move by move: ${told}.">
      <rect class="band win" x=${left} y=${top} width=${width - left} height=${height / 2 - 16} />
      <rect class="band draw" x=${left} y=${middle - 16} width=${width - left} height="32" />
      <rect class="band loss" x=${left} y=${middle + 16} width=${width - left} height=${height / 2 - 16} />
      <text x="0" y=${top + height / 4}>▲ win</text><text x="0" y=${middle + 5}>● draw</text><text x="0" y=${top + (height * 3) / 4 + 8}>▼ loss</text>
      ${here !== null && here < points.length && html`<line class="here" x1=${x(here)} x2=${x(here)} y1=${top} y2=${top + height} />`}
      ${segments.map(([a, b, index]) => html`<line class="run" x1=${x(index)} y1=${y(a)} x2=${x(index + 1)} y2=${y(b)} />`)}
      ${points.map(
        (point, index) => point && html`<g class="dot ${point.value}">
          ${point.value === "win"
            ? html`<path d="M${x(index)} ${y(point) - 7}l7 12h-14z" />`
            : point.value === "loss"
              ? html`<path d="M${x(index)} ${y(point) + 7}l7 -12h-14z" />`
              : html`<circle cx=${x(index)} cy=${y(point)} r="5.5" />`}
          ${((width - left) / points.length > 18 || index % 5 === 0) && html`<text class="tick" x=${x(index)} y=${top + height + 18}>${index}</text>`}
        </g>`,
      )}
    </svg>
    <figcaption>What it was worth to <${Mark} player=${1} /> ${names[0]} after each move. The further from the middle, the nearer the end.</figcaption>
  </figure>`;
}
