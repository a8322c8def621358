// The puzzles there are: the puzzle of the day with all that were, and those of the archive by game and grade.

import { days, games, puzzles } from "./api.js";
import { Damaged, save } from "./damaged.js";
import { go } from "./nav.js";
import { announce, Component, html, Loading, sentence, Trouble, title } from "./parts.js";
import { nextPuzzle, puzzlePath } from "./picking.js";
import { dueMistakes } from "./practising.js";
import {
  addProgress,
  dateTold,
  dayHere,
  GRADES,
  keepGrade,
  onProgress,
  progress,
  readProgress,
  resultTold,
  tomorrowIfOut,
} from "./progress.js";
import { Statistics } from "./puzzleparts.js";
import { refusalIn } from "./request.js";

/** @import { DailyList, Games, On, PuzzleList } from "./types.js" */
/** @import { ApiError } from "./request.js" */

const STEP = 100; // puzzles that are listed at once

/**
 * @typedef {object} PuzzlesState
 * @property {Games | null} all
 * @property {DailyList["days"]} past daily puzzles, today's first
 * @property {string} game only puzzles of this one; empty: of all
 * @property {PuzzleList["puzzles"]} listed
 * @property {number} count how many there are of these
 * @property {string} said what came of an import, or why something cannot be had
 * @property {ApiError | null} error
 */

/** @extends {Component<object, PuzzlesState>} */
export class Puzzles extends Component {
  /** @type {PuzzlesState} */
  state = { all: null, past: [], game: "", listed: [], count: 0, said: "", error: null };
  forgetProgress = () => {};
  grade = 0; // that is listed
  query = {}; // the newest one: an answer to an earlier one comes too late

  componentDidMount() {
    title("Puzzles");
    this.forgetProgress = onProgress(() => (this.grade === progress().grade ? this.forceUpdate() : this.list()));
    this.load();
  }
  componentWillUnmount() {
    this.forgetProgress();
  }

  load = async () => {
    this.setState({ error: null });
    try {
      // Those before tomorrow: it may have begun elsewhere, but not here.
      const [all, past] = await Promise.all([games(), days(tomorrowIfOut())]);
      this.setState({ all, past: past.days });
      await this.list();
    } catch (error) {
      this.setState({ error: refusalIn(error) });
    }
  };

  earlier = async () => {
    const { past } = this.state;
    try {
      const more = await days(String(past.at(-1)?.daily));
      this.setState({ past: [...past, ...more.days] });
    } catch (error) {
      this.setState({ said: sentence(refusalIn(error).message) });
    }
  };

  /** @param {{ game?: string, more?: boolean }} [what] */
  list = async (what = {}) => {
    const { game = this.state.game, more = false } = what;
    this.setState({ game, ...((what.game !== undefined || more) && { said: "" }) }); // what was said before this was pressed is over
    const { grade } = progress();
    this.grade = grade;
    const before = more ? this.state.listed : [];
    const query = { ...(game && { game }), grade, begin: before.length, most: STEP };
    this.query = query;
    try {
      const found = await puzzles(query);
      if (this.query === query) this.setState({ listed: [...before, ...found.puzzles], count: found.count });
    } catch (error) {
      if (this.query === query)
        this.setState({ listed: before, count: before.length, said: sentence(refusalIn(error).message) });
    }
  };

  next = async () => {
    try {
      const path = await nextPuzzle(this.wish());
      if (path) go(path);
      else this.setState({ said: "You have solved all of these. Choose another game or grade." });
    } catch (error) {
      this.setState({ said: sentence(refusalIn(error).message) });
    }
  };

  wish = () => ({ game: this.state.game || undefined });

  /** @param {On<HTMLInputElement>} event */
  bring = async (event) => {
    const input = event.currentTarget;
    const file = input.files?.[0];
    if (!file) return;
    let said = "Added. Nothing was lost on either side.";
    try {
      addProgress(readProgress(await file.text()));
    } catch (error) {
      said = error instanceof Error ? error.message : String(error);
    }
    input.value = "";
    announce(said);
    this.setState({ said });
  };

  take = () => {
    save(`${JSON.stringify(progress())}\n`, `parlour-puzzles-${dayHere()}.json`, "application/json");
  };

  /** @param {object} _ @param {PuzzlesState} state */
  render(_, { all, past, said, error }) {
    if (error) return html`<${Trouble} error=${error} again=${this.load} />`;
    const due = dueMistakes(progress()).length;
    return html`<div class="page puzzles">
      <h1 tabindex="-1">Puzzles</h1>
      <p class="lede">One position, and exactly one right move: proved to the end of the game.</p>
      <${Damaged} />
      <p class="row"><a class="button small" href="/mistakes" data-testid="to-mistakes">Your mistakes${due ? `: ${due} due` : ""}</a>
        <a class="button small" href="/master" data-testid="to-master">Master a game</a></p>
      <p role="status" class="puzzles-said" data-testid="said">${said}</p>
      <div class="puzzles-columns">
        ${all ? html`${this.renderArchive(all)} ${this.renderDays(all, past)}` : html`<${Loading} />`}
      </div>
    </div>`;
  }

  /** @param {Games} all */
  renderArchive({ games: cards }) {
    const { game, listed, count } = this.state;
    const { grade, puzzles: known } = progress();
    /** @param {string} name @param {string} label @param {[value: string, words: string][]} choices @param {string} chosen @param {(value: string) => void} pick */
    const segments = (
      name,
      label,
      choices,
      chosen,
      pick,
    ) => html`<fieldset class="choice"><legend>${label}</legend><div class="segments">
      ${choices.map(
        ([value, words]) =>
          html`<label key=${value}><input type="radio" name=${name} value=${value} checked=${value === chosen} onChange=${() => pick(value)} /><span>${words}</span></label>`,
      )}</div></fieldset>`;
    return html`<section aria-labelledby="archive-heading">
      <h2 id="archive-heading">By game and grade</h2>
      ${segments("game", "Game", [["", "Any"], ...cards.map(({ key, title }) => /** @type {[string, string]} */ ([key, title]))], game, (key) => this.list({ game: key }))}
      ${segments(
        "grade",
        "Grade",
        GRADES.map((each) => [String(each), String(each)]),
        String(grade),
        (each) => keepGrade(Number(each)),
      )}
      <p class="soft">Your grade follows you: two in a row solved at the first try without a hint take it up by one, two in a row with a wrong move or the answer shown take it down.</p>
      <p><button class="button primary begin" data-testid="solve-one" onClick=${this.next}>Solve one</button></p>
      <ol class="puzzle-list" data-testid="puzzles">${listed.map(({ id, number }) => {
        const result = known[id];
        const sign = result ? (result.tries ? "✓" : "–") : "";
        return html`<li key=${id}><a class="chip" href=${puzzlePath(id, this.wish())} title=${result ? sentence(resultTold(result)) : null}>${number}${sign && html` <span aria-hidden="true">${sign}</span><span class="unseen">, ${resultTold(result)}</span>`}</a></li>`;
      })}</ol>
      ${count > listed.length && html`<p><button class="quiet" onClick=${() => this.list({ more: true })}>${count - listed.length} more</button></p>`}
    </section>`;
  }

  /** @param {Games} all @param {DailyList["days"]} past */
  renderDays({ games: cards }, past) {
    const { daily: known } = progress();
    const today = dayHere();
    /** @param {string} key */
    const named = (key) => cards.find((card) => card.key === key)?.title ?? key;
    return html`<section aria-labelledby="days-heading">
      <h2 id="days-heading">Day by day</h2>
      <p><a class="button primary begin" href="/daily">Puzzle of the day</a></p>
      <${Statistics} level="h3" />
      <ol class="days" data-testid="days">${past.map(
        ({
          daily,
          date,
          game,
          grade,
        }) => html`<li key=${daily}><a href=${date === today ? "/daily" : `/daily/${daily}`}>
          <strong>${date === today ? "Today" : dateTold(date, { weekday: "short", day: "numeric", month: "short", year: "numeric" })}</strong>
          <span>${named(game)}, grade ${grade}</span>
          <span class="soft">${known[daily] ? sentence(resultTold(known[daily])) : ""}</span></a></li>`,
      )}</ol>
      ${(past.at(-1)?.daily ?? 1) > 1 && html`<p><button class="quiet" data-testid="earlier" onClick=${this.earlier}>Earlier days</button></p>`}
      <h3>On another device</h3>
      <p class="soft">What you have solved, your mistakes and your exams are kept in this browser and nowhere else. As a file it can go to another one, or to the terminal; what is there already stays.</p>
      <div class="row"><button class="button small" data-testid="export" onClick=${this.take}>Save as a file</button>
        <label class="button small" for="progress-file">Add from a file</label>
        <input id="progress-file" class="unseen" type="file" accept="application/json,.json" onChange=${this.bring} /></div>
    </section>`;
  }
}
