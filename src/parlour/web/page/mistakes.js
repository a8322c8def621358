// Your mistakes: the turning points of one's own games, which come back until they are known.

import { games } from "./api.js";
import { Damaged } from "./damaged.js";
import { Component, counted, html, sentence, title } from "./parts.js";
import { dueMistakes, fetchMistakes, forgetMistake } from "./practising.js";
import { dateTold, onProgress, progress } from "./progress.js";

/** @import { Games } from "./types.js" */

/** @extends {Component<object, { all: Games | null }>} */
export class Mistakes extends Component {
  /** @type {{ all: Games | null }} */
  state = { all: null };
  forgetProgress = () => {};

  async componentDidMount() {
    title("Your mistakes");
    this.forgetProgress = onProgress(() => this.forceUpdate());
    fetchMistakes();
    const all = await games().catch(() => null); // then the games have their short names
    this.setState({ all });
  }
  componentWillUnmount() {
    this.forgetProgress();
  }

  /** @param {object} _ @param {{ all: Games | null }} state */
  render(_, { all }) {
    const kept = progress();
    const due = dueMistakes(kept);
    const every = Object.entries(kept.mistakes);
    const waiting = every.filter(([id, { due: day }]) => day && !due.includes(id));
    const sitting = every.filter(([, { due: day }]) => !day);
    waiting.sort(([, a], [, b]) => (a.due < b.due ? -1 : 1));
    /** @param {Record<string, unknown>} question */
    const named = ({ game, moves }) =>
      `${all?.games.find(({ key }) => key === game)?.title ?? game}, after ${counted(Array.isArray(moves) ? moves.length : 0, "move")}`;
    /** @param {string} id @param {string} words */
    const line = (
      id,
      words,
    ) => html`<li key=${id}><a href="/mistakes/${id}"><strong>${named(kept.mistakes[id].question)}</strong> <span>${words}</span></a>
      <button class="quiet" aria-label="Forget ${named(kept.mistakes[id].question)}" onClick=${() => forgetMistake(id)}>Forget</button></li>`;
    const next = waiting[0]?.[1].due;
    const told = !every.length
      ? "Nothing here yet. After a game, press “Practise this game” in its report."
      : due.length
        ? `${sentence(`${counted(due.length, "mistake")} to practise today`)}`
        : next
          ? `Nothing is due today. The next one comes back on ${dateTold(next)}.`
          : "Nothing is due: you know all of them.";
    return html`<div class="page narrow mistakes">
      <h1 tabindex="-1">Your mistakes</h1>
      <p class="lede">The turning points of your own games. Each comes back after 1, 3, 7, 16 and 35 days as long as you get it right at the first try; then you know it.</p>
      <${Damaged} />
      <p role="status" data-testid="due">${told}</p>
      ${due.length > 0 && html`<p><a class="button primary begin" data-testid="practise-due" href="/mistakes/${due[0]}">Practise</a></p>`}
      <ol class="days" data-testid="mistakes">
        ${due.map((id) => line(id, "due"))}
        ${waiting.map(([id, { due: day }]) => line(id, `comes back on ${dateTold(day)}`))}
        ${sitting.map(([id]) => line(id, "known"))}
      </ol>
      <p class="soft">They are kept in this browser and nowhere else. <a href="/puzzles">Puzzles</a> has the way to take them to another one, or to the terminal.</p>
    </div>`;
  }
}
