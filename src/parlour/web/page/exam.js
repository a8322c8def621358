// Master it: an exam that asks each position that matters once, and ends with a proof.

import { Board } from "./board.js";
import * as api from "./examapi.js";
import { Examining, Unfit } from "./examining.js";
import { Door, ExamStatus, Standing } from "./examparts.js";
import { Later } from "./later.js";
import { motion, still } from "./motion.js";
import { inPlace } from "./nav.js";
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
import { spokenIn } from "./people.js";
import { keepAnswers, sittingOf, storedSheets, storeSheets } from "./practising.js";
import { dayHere, onProgress } from "./progress.js";
import { focusOn, Plate } from "./puzzleparts.js";
import { ApiError, refusalIn } from "./request.js";
import { Solving } from "./solving.js";
import { sound } from "./sound.js";

/** @import { ExamList } from "./types.js" */

const loadRules = () => import("./rules.js").then((module) => module.RulesText);
const loadDiploma = () => import("./diploma.js").then((module) => module.Graduate);
const AWAY = "For what comes next the server is needed, and it cannot be reached. Your answers are kept.";

/**
 * @typedef {{ game: string, number: string }} ExamProps
 * @typedef {object} ExamState
 * @property {ApiError | null} error
 * @property {boolean} inside it was begun; before that one stands at the door
 * @property {boolean} waiting the server has to be asked for what comes next
 * @property {string} said
 * @property {boolean} ruling the rules are shown
 * @property {boolean} told the secret is shown
 * @property {boolean} more the panel beside the board is shown, on a screen that has no room for it
 */

/** @extends {Component<ExamProps, ExamState>} */
export class ExamPage extends Component {
  /** @type {ExamState} */
  state = { error: null, inside: false, waiting: false, said: "", ruling: false, told: false, more: false };
  /** @type {Examining | null} */
  exam = null;
  /** @type {ExamList["games"][number]["exams"][number] | undefined} */
  card;
  /** @type {Solving | null} */
  solving = null;
  /** @type {string[]} the answers that are kept, which need not lead anywhere any more */
  kept = [];
  control = new AbortController();
  forgetProgress = () => {};

  componentDidMount() {
    title("Master it");
    addEventListener("keydown", this.onKey);
    this.forgetProgress = onProgress(this.catchUp);
    this.load();
  }
  componentWillUnmount() {
    this.control.abort();
    this.solving?.close();
    dress(false);
    this.forgetProgress();
    removeEventListener("keydown", this.onKey);
  }

  getSnapshotBeforeUpdate() {
    return document.getElementById("main")?.contains(document.activeElement) ?? false;
  }
  /** @param {object} _props @param {object} _state @param {boolean} focused */
  componentDidUpdate(_props, _state, focused) {
    const [before, phase] = [this.phase, this.solving?.phase];
    this.phase = phase;
    if (before && before !== phase && focused) focusOn(before, phase);
  }
  /** @type {string | undefined} the phase that was drawn last */
  phase;

  load = async () => {
    const { game, number } = this.props;
    this.setState({ error: null });
    try {
      const found = (await api.exams()).games.find((each) => each.game === game);
      this.card = found?.exams.find((each) => String(each.number) === number);
      if (!found || !this.card) throw new ApiError(404, { code: "exam/unknown", error: "there is no such exam" });
      title(`Master ${found.title}`);
      const here = (await storedSheets(this.card.exam)) ?? [];
      const fits = here.length > 0 && here[0].version === this.card.version;
      this.exam = new Examining(fits ? here : [await this.fetchSheet([])]);
      if (!fits) storeSheets(this.exam.sheets);
      await this.resume();
    } catch (error) {
      this.setState({ error: refusalIn(error) });
    }
  };

  /** @param {string[]} answers */
  fetchSheet = (answers) =>
    api.sheet(this.props.game, this.props.number, answers, { signal: this.control.signal, onProgress: () => {} });

  /** Go to where the answers that are kept lead. */
  async resume() {
    const { exam, card } = this;
    if (!exam || !card) return;
    this.kept = sittingOf(card.exam).answers;
    exam.restart();
    try {
      for (const name of this.kept) {
        const move = exam.moveOf(name);
        if (!exam.answer(move)) await this.fetchMore();
      }
      this.setState({ said: "" });
    } catch (error) {
      const refusal = error instanceof ApiError && !error.passing;
      if (!(error instanceof Unfit) && !refusal) throw error;
      exam.restart();
      this.setState({ said: "What was kept of this exam can no longer be used, so it begins again." });
    }
    this.ask();
  }

  /** What follows the last answer, from the server. */
  async fetchMore() {
    const { exam } = this;
    if (!exam) return;
    const sheet = await this.fetchSheet(exam.answers);
    exam.sheets = [...exam.sheets, sheet];
    exam.follow(sheet.begin);
    storeSheets(exam.sheets);
  }

  /** Another tab may have gone on meanwhile. */
  catchUp = () => {
    const { card } = this;
    if (!card || sittingOf(card.exam).answers.join(" ") === this.kept.join(" ")) return;
    this.resume().then(
      () => this.say("The exam has gone on in another window; this is where it stands."),
      (error) => this.say(sentence(refusalIn(error).message)),
    );
  };

  /** Show the question that is asked now. */
  ask() {
    const { exam } = this;
    this.solving?.close();
    this.solving = exam && !exam.isOver ? new Solving(exam.asked(), this.changed, still()) : null;
    this.forceUpdate();
  }

  /** @param {string} told */
  changed = (told) => {
    announce(told);
    sound("move");
    this.forceUpdate();
  };

  /** @param {string} move */
  choose = async (move) => {
    const { exam, solving, card } = this;
    if (!exam || !solving || !card || solving.phase !== "asking" || this.state.waiting) return;
    if (!solving.legal.includes(move)) return solving.choose(move);
    const isRight = solving.right.includes(move);
    const best = spokenIn(solving.start, exam.question.best);
    const complete = exam.answer(move);
    const before = this.kept;
    this.kept = exam.answers; // whoever keeps them is told at once
    if (!keepAnswers(card.exam, before, exam.answers, exam.isOver && complete)) return this.catchUp();
    if (!isRight) {
      this.setState({ said: `Right is ${best}. The question comes back.` });
      return solving.choose(move);
    }
    this.say(`Right: ${spokenIn(solving.start, move)}.`);
    sound("move");
    if (complete) this.ask();
    else this.more();
  };

  /** Ask the server for what comes next, until it answers. */
  more = async () => {
    const { exam, card } = this;
    if (!exam || !card) return;
    this.setState({ waiting: true });
    try {
      await this.fetchMore();
      if (exam.isOver) keepAnswers(card.exam, this.kept, exam.answers, true);
      this.setState({ waiting: false });
      this.ask();
    } catch (error) {
      const { message, unknown } = refusalIn(error);
      this.say(unknown ? AWAY : sentence(message));
    }
  };

  /** @param {string} said */
  say(said) {
    announce(said);
    this.setState({ said });
  }

  begin = () => {
    this.setState({ inside: true, said: "" });
  };
  anew = () => {
    this.exam?.restart();
    this.ask();
    this.begin();
  };
  /** After a refutation: on to the next question. */
  goOn = () => {
    this.setState({ said: "" });
    this.ask();
  };

  /** @param {KeyboardEvent} event */
  onKey = (event) => {
    const { solving } = this;
    if (!solving || foreignKey(event) || !["n", "ArrowRight", "Escape"].includes(event.key)) return;
    if (solving.phase !== "refuting" && solving.phase !== "refuted") return;
    event.preventDefault();
    if (solving.phase === "refuting" && event.key !== "Escape") solving.step();
    else this.goOn();
  };

  /** @param {ExamProps} props @param {ExamState} state */
  render({ game, number }, { error, inside, said, ruling, told }) {
    const { exam, card, solving } = this;
    if (error) return html`<${Trouble} error=${error} again=${this.load} />`;
    if (!exam || !card)
      return html`<div class="page narrow"><h1 tabindex="-1">Master it</h1><${Loading} what="Preparing the exam…" /></div>`;
    if (exam.isOver && !this.state.waiting) {
      const { passed } = sittingOf(card.exam);
      return html`<${Later} load=${loadDiploma} props=${{ game, number, exam, options: card.options, passed: passed || dayHere(), again: this.anew }} />`;
    }
    if (!inside || !solving) return html`<${Door} ...${{ exam, card, said, begin: this.begin, anew: this.anew }} />`;
    dress(exam.head.side === 2);
    const rules = inPlace(() => this.setState({ ruling: true }));
    return html`<div class="page match-page puzzle-page">
      <div class="table-bar">
        <a class="tool home" href="/" aria-label="All games" title="All games"><${Logo} /></a>
        <div class="table-title"><h1 tabindex="-1">Master ${exam.head.title}</h1><p class="soft">${sentence(card.options)}</p></div>
        <a class="bar-link" href="/rules/${game}" onClick=${rules}>Rules</a>
        <a class="bar-link" href="/master">Exams</a>
      </div>
      <div class="table-columns">
        <section class="table-board" aria-labelledby="board-heading">
          <h2 id="board-heading" class="unseen">Board</h2>
          <${Board} table=${solving.table} choose=${this.choose} playable=${solving.phase === "asking" && !this.state.waiting} marks=${new Map()}
            heads=${{ 1: html`<${Plate} solving=${solving} player=${1} />`, 2: html`<${Plate} solving=${solving} player=${2} />` }}
            motion=${motion} middle=${html`<${ExamStatus} exam=${exam} solving=${solving} said=${said} />`} />
          <div class="table-foot">${this.renderActions(solving)}</div>
        </section>
        <div class="table-side ${this.state.more ? "open" : ""}" id="more">
          <${Standing} exam=${exam} told=${told} tell=${() => this.setState({ told: true })} />
        </div>
      </div>
      ${ruling && html`<${Dialog} heading="${exam.head.title}: the rules" onClose=${() => this.setState({ ruling: false })}><${Later} load=${loadRules} props=${{ game }} part /><//>`}
    </div>`;
  }

  /** @param {Solving} solving */
  renderActions({ phase }) {
    if (this.state.waiting) {
      return html`<div class="action-bar" key="waiting"><button class="button primary" data-testid="more-questions" onClick=${this.more}>Try again</button></div>`;
    }
    if (phase === "asking") {
      const { more } = this.state;
      return html`<div class="action-bar" key="asking"><a class="button" href="/master">Leave</a>
        <button class="button more-button" data-testid="more" aria-expanded=${String(more)} aria-controls="more" onClick=${() => this.setState({ more: !more })}>More</button></div>`;
    }
    const over = phase === "refuted";
    return html`<div class="action-bar" key="wrong">
      <button class="button primary" data-step data-testid="step" onClick=${() => (over ? this.goOn() : this.solving?.step())}>${over ? "Go on" : "Next move"}</button>
      ${!over && html`<button class="button" data-testid="skip" onClick=${this.goOn}>Go on</button>`}
    </div>`;
  }
}
