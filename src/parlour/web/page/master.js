// What can be mastered: the exams of every game, with how many questions each has.

import { Damaged } from "./damaged.js";
import { exams } from "./examapi.js";
import { Component, counted, html, Loading, Trouble, title } from "./parts.js";
import { dateTold, onProgress, progress } from "./progress.js";
import { refusalIn } from "./request.js";

/** @import { ExamList } from "./types.js" */
/** @import { ApiError } from "./request.js" */

/** @typedef {{ all: ExamList | null, error: ApiError | null }} MasterState */

/** @extends {Component<object, MasterState>} */
export class Master extends Component {
  /** @type {MasterState} */
  state = { all: null, error: null };
  forgetProgress = () => {};

  componentDidMount() {
    title("Master a game");
    this.forgetProgress = onProgress(() => this.forceUpdate());
    this.load();
  }
  componentWillUnmount() {
    this.forgetProgress();
  }
  load = async () => {
    try {
      this.setState({ all: await exams(), error: null });
    } catch (error) {
      this.setState({ error: refusalIn(error) });
    }
  };

  /** @param {object} _ @param {MasterState} state */
  render(_, { all, error }) {
    if (error) return html`<${Trouble} error=${error} again=${this.load} />`;
    const { exams: sat } = progress();
    /** @param {string} exam */
    const standing = (exam) =>
      sat[exam]?.passed
        ? `passed on ${dateTold(sat[exam].passed, { day: "numeric", month: "long", year: "numeric" })}`
        : sat[exam]?.answers.length
          ? "begun"
          : "";
    return html`<div class="page narrow">
      <h1 tabindex="-1">Master a game</h1>
      <p class="lede">An exam asks each position that matters once. When no question is left, you have proved that you win, or hold the draw, against everybody.</p>
      <${Damaged} />
      ${
        all
          ? all.games.map(
              ({ game, title: called, exams: ladder }) => html`<section key=${game} aria-labelledby="exams-${game}">
            <h2 id="exams-${game}">${called}</h2>
            <ol class="days" data-testid="exams-${game}">${ladder.map(
              ({ number, exam, side, options, questions }) =>
                html`<li key=${number}><a href="/master/${game}/${number}"><strong>${counted(questions, "question")}</strong>
                <span>${options}; ${side === 1 ? "you begin" : "the other player begins"}</span> <span class="soft">${standing(exam)}</span></a></li>`,
            )}</ol>
          </section>`,
            )
          : html`<${Loading} />`
      }
      <p class="soft">Your answers are kept in this browser, and go to the terminal and back with your <a href="/puzzles">puzzles</a>. There, <code>parlour master</code> takes options of your own as well.</p>
    </div>`;
  }
}
