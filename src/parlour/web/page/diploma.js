// What was proved in an exam: to be printed, and as a strategy that anybody can check.

import { save } from "./damaged.js";
import * as api from "./examapi.js";
import { Component, counted, html, sentence, title } from "./parts.js";
import { dateTold } from "./progress.js";
import { refusalIn } from "./request.js";
import { keep, kept } from "./store.js";

/** @import { Diploma, On } from "./types.js" */
/** @import { Examining } from "./examining.js" */

/**
 * @typedef {{ game: string, number: string, exam: Examining, options: string, passed: string, again: () => void }} GraduateProps
 * @typedef {{ proved: Diploma | null, said: string, name: string }} GraduateState
 */

/** @extends {Component<GraduateProps, GraduateState>} */
export class Graduate extends Component {
  /** @type {GraduateState} */
  state = { proved: null, said: "", name: kept("name") };

  componentDidMount() {
    title(`Diploma: ${this.props.exam.head.title}`);
    this.prove();
  }

  /** Have the answers checked with the solver. */
  prove = async () => {
    const { game, number, exam, passed } = this.props;
    this.setState({ said: "" });
    try {
      const proved = await api.diploma(game, number, { answers: exam.answers, name: this.state.name, date: passed });
      this.setState({ proved });
      return proved;
    } catch (error) {
      const { message, unknown } = refusalIn(error);
      this.setState({
        said: unknown ? "For the strategy the server is needed, and it cannot be reached just now." : sentence(message),
      });
      return null;
    }
  };

  /** @param {On<HTMLInputElement>} event */
  rename = (event) => {
    const name = event.currentTarget.value.trim().slice(0, 60);
    keep("name", name);
    this.setState({ name });
  };

  take = async () => {
    const proved = await this.prove(); // with the name as it is now
    if (proved) save(proved.strategy, proved.file, "text/plain");
  };

  /** @param {GraduateProps} props @param {GraduateState} state */
  render({ exam, options, passed, again }, { proved, said, name }) {
    const { head } = exam;
    return html`<div class="page narrow diploma-page">
      <h1 tabindex="-1" class="unprinted">You have mastered it</h1>
      <section class="diploma" aria-label="Diploma" data-testid="diploma">
        <p class="diploma-house">Parlour</p>
        <p class="diploma-kind">Diploma</p>
        <p class="diploma-name">${name || "You"}</p>
        <p>${name ? "has" : "have"} proved how to ${head.goal === "win" ? "win" : "hold the draw"}</p>
        <p class="diploma-game">${head.title}</p>
        <p>${options}</p>
        <p>as the player who ${head.side === 1 ? "begins" : "does not begin"}, whatever the other player does.</p>
        <p>${counted(exam.right, "position")} answered, ${counted(exam.mistakes, "mistake")} on the way.</p>
        ${proved && html`<p>${counted(proved.positions, "position")} in the strategy, at most ${counted(proved.turns, "move")} to the end.</p>`}
        <p class="diploma-date">${dateTold(passed, { day: "numeric", month: "long", year: "numeric" })}</p>
      </section>
      <div class="unprinted">
        <p><label for="diploma-name">Your name</label> <input id="diploma-name" class="field" maxlength="60" autocomplete="name" value=${name} onInput=${this.rename} /></p>
        <p class="row"><button class="button primary" onClick=${() => print()}>Print</button>
          <button class="button" data-testid="strategy" onClick=${this.take}>Save the strategy</button>
          <button class="button" data-testid="anew" onClick=${again}>Sit it again</button>
          <a class="button" href="/master">All exams</a></p>
        ${said && html`<p class="refusal" role="status">${said}</p>`}
        ${head.secret && html`<p data-testid="secret">The secret: ${head.secret}</p>`}
        <p class="soft">The strategy is a file. Anybody can check it: <code>parlour master --check FILE</code> plays it against every reply.</p>
      </div>
    </div>`;
  }
}
