// What is exactly known about the position on the table: values, the ladder of hints, and why a move is what it is.

import { ApiError, about, get, movesOf, named, placeOf, slowly, studyPath } from "./api.js";
import { Component, Value, alertNow, announce, foreignKey, html, sentence, valueTold } from "./parts.js";
import { go } from "./nav.js";

const solved = new Map(); // by address; a few hundred positions are small
const ORDER = { win: 0, draw: 1, loss: 2 };
const FIRST_SHOWN = 12;

/** The best first: a win that comes soon, a draw, a loss that holds out. */
export function sorted(choices) {
  const rank = ({ value, plies }) => (value === "loss" ? -(plies ?? 0) : (plies ?? 1e9));
  return [...choices].sort((a, b) => ORDER[a.value] - ORDER[b.value] || rank(a) - rank(b));
}

/** Walk a line on the study board: it goes along in the history, and stays out of the address. */
export function walk(table, line) {
  const place = placeOf(table.study);
  go(studyPath(place, [...movesOf(place.token), line[0]]), { state: { line: { from: place.token, moves: line } } });
}

/**
 * The panel beside a board. `on`: values are wanted; `onValues(map)` hands them to the board; `onToggle` switches them;
 * `onWalk(line)` steps along a line (the study board does it in place). `key` must change with the position.
 */
export class Analysis extends Component {
  state = { rungs: [], why: null, all: false };

  componentDidMount() {
    addEventListener("keydown", this.onKey);
    if (this.props.on) this.solve();
  }
  componentDidUpdate(before) {
    if (this.props.on && !before.on) this.solve();
    if (!this.props.on && before.on) {
      this.cancel();
      this.props.onValues(null);
    }
  }
  componentWillUnmount() {
    this.gone = true;
    removeEventListener("keydown", this.onKey);
    this.cancel();
  }

  onKey = (event) => {
    if (foreignKey(event) || (event.key !== "h" && event.key !== "s")) return;
    event.preventDefault();
    if (event.key === "h") this.hint();
    else this.props.onToggle();
  };

  cancel = () => {
    this.control?.abort(); // the server stops working as well
    this.control = null;
    if (!this.gone) this.setState({ progress: null });
  };

  async solve() {
    const { table, onValues } = this.props;
    if (!table.turn) return;
    const path = about("solve", placeOf(table.study));
    this.setState({ trouble: null, cancelled: false });
    try {
      if (!solved.has(path)) {
        this.cancel();
        const control = (this.control = new AbortController());
        this.setState({ progress: { positions: 0, seconds: 0 } });
        const onProgress = (progress) => this.control === control && this.setState({ progress });
        solved.set(path, await slowly(path, { signal: control.signal, onProgress }));
      }
      if (this.gone) return;
      const solution = solved.get(path);
      this.setState({ solution, progress: null });
      onValues(new Map(solution.choices.map((choice) => [choice.move, choice])));
    } catch (error) {
      if (this.gone) return;
      if (error.name === "AbortError") this.setState({ progress: null, cancelled: true });
      else this.setState({ progress: null, trouble: error });
    }
  }

  /** The next rung of the ladder. */
  hint = async () => {
    const { table } = this.props;
    const { rungs, hinting } = this.state;
    if (!table.turn || hinting || rungs.at(-1)?.rung >= 4) return;
    this.setState({ hinting: true, trouble: null });
    try {
      const hint = await get(about("hint", placeOf(table.study), `&rung=${(rungs.at(-1)?.rung ?? 0) + 1}${named(table)}`));
      if (this.gone) return;
      announce(hint.text);
      this.setState({ rungs: [...rungs, hint], hinting: false });
    } catch (error) {
      if (!this.gone) this.setState({ trouble: error, hinting: false });
    }
  };

  explain = async (move) => {
    const { table } = this.props;
    this.setState({ why: { move } });
    try {
      const why = await get(about("why", placeOf(table.study), `&move=${encodeURIComponent(move)}${named(table)}`));
      if (this.gone) return;
      announce(why.text);
      this.setState({ why });
    } catch (error) {
      if (!this.gone) this.setState({ why: null, trouble: error });
    }
  };

  render({ table, on, onToggle }, { rungs, hinting, solution, progress, trouble, cancelled, why, all }) {
    if (!table.turn) return html`<p class="soft">The round is over here: there is nothing left to choose.</p>`;
    const mover = table.names[table.turn - 1];
    const choices = solution ? sorted(solution.choices) : [];
    const shown = all ? choices : choices.slice(0, FIRST_SHOWN);
    const telling = choices.some(({ best }) => !best);
    const last = rungs.at(-1)?.rung >= 4;
    return html`<div class="analysis">
      <p class="row">
        <button class="button" onClick=${this.hint} aria-disabled=${hinting || last ? "true" : null} data-testid="hint">
          ${hinting ? "Looking…" : rungs.length ? "Another hint" : "Hint"}
        </button>
        <button class="button ${on ? "primary" : ""}" onClick=${onToggle} data-testid="values">
          ${on ? "Hide the values" : "Show the values"}
        </button>
      </p>
      ${rungs.length > 0 && html`<ol class="rungs" data-testid="hints">${rungs.map((hint) => html`<li key=${hint.rung}>${hint.text}</li>`)}</ol>`}
      ${progress &&
      html`<p class="row" data-testid="solving">
        <span class="working">Solving… ${progress.positions ? `${progress.positions.toLocaleString("en-GB")} positions, ${progress.seconds.toFixed(1)} s` : ""}</span>
        <button class="button small" onClick=${this.cancel}>Cancel</button>
      </p>`}
      ${cancelled && on && html`<p class="row soft">Not solved: cancelled. <button class="button small" onClick=${() => this.solve()}>Solve it after all</button></p>`}
      ${trouble &&
      html`<p class="row soft" data-testid="unsolved"><span>${sentence(trouble.message)}</span>
        ${on && !solution && trouble.code !== "solve/too-big" && html`<button class="button small" onClick=${() => this.solve()}>Try again</button>`}</p>`}
      ${on &&
      solution &&
      html`<div>
        <p class="verdict"><${Value} ...${solution} /> <strong>${mover}</strong>, to move, ${valueTold(solution)} with best play.</p>
        ${solution.about && html`<p class="soft">${solution.about}</p>`}
        <ul class="choices" aria-label="What each move is worth to ${mover}, the best first">
          ${shown.map(
            (choice) => html`<li key=${choice.move} class=${choice.best && telling ? "best" : ""}>
              <button class="choice-move" aria-expanded=${String(why?.move === choice.move)} onClick=${() => this.explain(choice.move)}>
                <span class="choice-name">${choice.move}</span> <${Value} ...${choice} /> <span class="choice-why">Why?</span>
              </button>
            </li>
            ${why?.text && why.move === choice.move && this.reason(why)}`,
          )}
        </ul>
        ${choices.length > shown.length && html`<button class="quiet" onClick=${() => this.setState({ all: true })}>Show all ${choices.length}</button>`}
        ${solution.left_out > 0 && html`<p class="soft">${solution.left_out} more are not listed.</p>`}
      </div>`}
    </div>`;
  }

  /** Why a move is what it is, below that move. */
  reason(why) {
    const { table, onPlay, onWalk } = this.props;
    return html`<li class="why" data-testid="why">
      <p>${why.text}</p>
      <p class="row">
        ${onPlay && html`<button class="button small" onClick=${() => onPlay(why.move)}>Play ${why.move}</button>`}
        <button class="button small" onClick=${() => (onWalk ?? ((line) => walk(table, line)))([why.move, ...why.line])}>
          Walk through this line
        </button>
        <button class="button small" onClick=${() => this.setState({ why: null })}>Close</button>
      </p>
    </li>`;
  }
}

/** Why a move was refused, said once aloud. */
export function refusalOf(error) {
  const text = error instanceof ApiError && error.body.reason ? `Not possible: ${error.body.reason}.` : sentence(error.message);
  alertNow(text);
  return text;
}
