// The table of whoever solves something: the puzzle of a day, one of the archive, or a mistake of their own.

import { sourceOf } from "./asking.js";
import { Board } from "./board.js";
import { Copy } from "./copy.js";
import { Later } from "./later.js";
import { motion, still } from "./motion.js";
import { go, inPlace } from "./nav.js";
import {
  announce,
  Component,
  Dialog,
  dress,
  foreignKey,
  html,
  Loading,
  Logo,
  sentence,
  Trouble,
  title,
} from "./parts.js";
import { dayHere, onProgress } from "./progress.js";
import { endTold, focusOn, marksOf, Plate, Question, Statistics, Status } from "./puzzleparts.js";
import { refusalIn } from "./request.js";
import { Solving } from "./solving.js";
import { sound } from "./sound.js";

/** @import { Asked } from "./types.js" */
/** @import { ApiError } from "./request.js" */

const loadRules = () => import("./rules.js").then((module) => module.RulesText);

/**
 * @typedef {{ day?: string, id?: string, search?: string, mistake?: string }} PuzzleProps `day`: a date or number, empty for
 *   today; `mistake`: the id of one's own
 * @typedef {object} PuzzleState
 * @property {ApiError | null} error
 * @property {boolean} ruling the rules are shown
 * @property {boolean} more the panel beside the board is shown, on a screen that has no room for it
 * @property {string} refused why there is no next puzzle
 * @property {string} known what came of it earlier, in words
 */

/** @extends {Component<PuzzleProps, PuzzleState>} */
export class PuzzlePage extends Component {
  /** @type {PuzzleState} */
  state = { error: null, ruling: false, more: false, refused: "", known: "" };
  source = sourceOf(this.props);
  /** What comes of it, in words, once it is over. */
  came = "";
  /** @type {Solving | null} */
  solving = null;
  /** The date that was today when it was fetched. */
  today = "";
  forgetProgress = () => {};

  componentDidMount() {
    title("Puzzle");
    addEventListener("keydown", this.onKey);
    document.addEventListener("visibilitychange", this.onReturn);
    this.forgetProgress = onProgress(() => this.forceUpdate());
    this.load();
  }
  componentWillUnmount() {
    this.solving?.close();
    dress(false);
    this.forgetProgress();
    removeEventListener("keydown", this.onKey);
    document.removeEventListener("visibilitychange", this.onReturn);
  }
  // Whoever solves by keyboard goes on from where the change is: to the button that steps, and back to the board.
  getSnapshotBeforeUpdate() {
    return document.getElementById("main")?.contains(document.activeElement) ?? false;
  }
  /** @param {object} _props @param {object} _state @param {boolean} focused */
  componentDidUpdate(_props, _state, focused) {
    const phase = this.solving?.phase;
    const changed = phase !== this.phase;
    const before = this.phase;
    this.phase = phase;
    if (!changed || !before || !focused) return;
    focusOn(before, phase);
  }
  /** @type {string | undefined} the phase that was drawn last */
  phase;

  load = async () => {
    this.solving?.close();
    this.solving = null;
    this.setState({ error: null });
    this.today = dayHere();
    this.came = "";
    try {
      this.begin(await this.source.fetch());
    } catch (error) {
      this.setState({ error: refusalIn(error) });
    }
  };

  /** @param {Asked} found */
  begin(found) {
    title(`${found.name}: ${found.title}`);
    this.solving = new Solving(found, this.changed, still());
    this.setState({ known: this.source.known() });
  }

  /** @param {string} told */
  changed = (told) => {
    const { solving } = this;
    if (!solving) return;
    const { phase, tries, hints, steps } = solving;
    if (solving.isOver && !this.came) this.came = this.source.keep({ tries, hints });
    announce(phase === "solved" ? `${told} ${endTold(solving)}` : told);
    sound(phase === "solved" && !steps.length ? "end" : "move");
    this.forceUpdate();
  };

  /** Today may have become another day meanwhile. */
  onReturn = () => {
    const begun = this.solving && !this.solving.isOver && (this.solving.at || this.solving.tries > 1);
    if (!document.hidden && this.source.isToday && this.today !== dayHere() && !begun) this.load();
  };

  next = async () => {
    this.setState({ refused: "" });
    try {
      const path = await this.source.next();
      if (path) go(path);
      else this.setState({ refused: this.source.none });
    } catch (error) {
      const { message, unknown } = refusalIn(error);
      this.setState({
        refused: unknown ? "For another puzzle the server is needed, and it cannot be reached." : sentence(message),
      });
    }
  };

  /** @param {KeyboardEvent} event */
  onKey = (event) => {
    const { solving } = this;
    if (!solving || foreignKey(event)) return;
    /** @type {Record<string, () => unknown>} */
    const keys = {
      h: () => solving.hint(),
      u: () => solving.takeBack(),
      n: () => (solving.isOver ? this.next() : solving.step()),
      ArrowRight: () => solving.step(),
      Escape: () => (this.state.more ? this.setState({ more: false }) : solving.takeBack()),
    };
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  };

  /** @param {PuzzleProps} _ @param {PuzzleState} state */
  render(_, { error, ruling, more, refused, known }) {
    if (error) return this.renderTrouble(error);
    const { solving } = this;
    if (!solving) {
      return html`<div class="page match-page"><h1 tabindex="-1">${this.source.heading}</h1><${Loading} /></div>`;
    }
    const { puzzle: shown, table, phase } = solving;
    dress(shown.side === 2);
    const rules = inPlace(() => this.setState({ ruling: true }));
    return html`<div class="page match-page puzzle-page">
      <div class="table-bar">
        <a class="tool home" href="/" aria-label="All games" title="All games"><${Logo} /></a>
        <div class="table-title">
          <h1 tabindex="-1">${shown.name}</h1>
          <p class="soft">${shown.under} ${sentence(table.terms.join(", "))}</p>
        </div>
        <a class="bar-link" href="/rules/${shown.game}" onClick=${rules}>Rules</a>
        <a class="bar-link" href=${this.source.list}>${this.source.listed}</a>
      </div>
      <div class="table-columns">
        <section class="table-board" aria-labelledby="board-heading">
          <h2 id="board-heading" class="unseen">Board</h2>
          <${Board} table=${table} choose=${(/** @type {string} */ move) => solving.choose(move)} playable=${phase === "asking"} marks=${marksOf(solving)}
            heads=${{ 1: html`<${Plate} solving=${solving} player=${1} />`, 2: html`<${Plate} solving=${solving} player=${2} />` }}
            motion=${motion} middle=${html`<${Status} solving=${solving} refused=${refused} />`} />
          <div class="table-foot">${this.renderActions(solving)}</div>
        </section>
        <div class="table-side ${more ? "open" : ""}" id="more">
          <${Question} solving=${solving} known=${known} came=${this.came} />
          ${!this.props.mistake && html`<${Statistics} />`}
          <p class="row"><a class="button small" href="/rules/${shown.game}" onClick=${rules}>Rules of ${shown.title}</a> <a class="button small" href=${this.source.list}>${this.source.listed}</a></p>
        </div>
      </div>
      ${ruling && html`<${Dialog} heading="${shown.title}: the rules" onClose=${() => this.setState({ ruling: false })}><${Later} load=${loadRules} props=${{ game: shown.game }} part /><//>`}
    </div>`;
  }

  /** @param {ApiError} error */
  renderTrouble(error) {
    if (!error.unknown) return html`<${Trouble} error=${error} again=${this.load} />`;
    return html`<div class="page narrow"><h1 tabindex="-1">Not without the server</h1>
      <p>This one was not opened here before, so it has to be fetched first, and the server cannot be reached. What you have opened here works without it.</p>
      <p class="row"><button class="button primary" onClick=${this.load}>Try again</button> <a class="button" href=${this.source.list}>${this.source.listed}</a></p></div>`;
  }

  /** @param {Solving} solving */
  renderActions(solving) {
    const { phase, tries, rung } = solving;
    const more = html`<button class="button more-button" data-testid="more" aria-expanded=${String(this.state.more)} aria-controls="more" onClick=${() => this.setState({ more: !this.state.more })}>More</button>`;
    if (solving.isOver) {
      return html`<div class="action-bar" key="over">
        ${tries > 0 && this.source.isShared && html`<${Copy} text=${this.came}>Copy the result<//>`}
        <button class="button primary" data-testid="next" onClick=${this.next}>${this.source.further}</button> ${more}
      </div>`;
    }
    if (phase === "refuting" || phase === "refuted") {
      const again = phase === "refuted";
      return html`<div class="action-bar" key="wrong">
        <button class="button primary" data-step data-testid="step" onClick=${() => (again ? solving.takeBack() : solving.step())}>${again ? "Take it back" : "Next move"}</button>
        ${!again && html`<button class="button" data-testid="skip" onClick=${() => solving.takeBack()}>Take it back</button>`}
      </div>`;
    }
    const off = phase === "asking" ? null : "true";
    return html`<div class="action-bar" key="asking">
      <button class="button" data-testid="hint" aria-disabled=${rung === 3 ? "true" : off} onClick=${() => solving.hint()}>${rung ? "A further hint" : "Hint"}</button>
      <button class="button" data-testid="show" aria-disabled=${off} onClick=${() => off ?? solving.show()}>Show the answer</button> ${more}
    </div>`;
  }
}
