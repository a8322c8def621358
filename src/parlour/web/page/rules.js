// The rules of a game, its options, and its worked example to leaf through.

import { rules } from "./api.js";
import { Board } from "./board.js";
import {
  announce,
  Component,
  capital,
  endTold,
  foreignKey,
  html,
  Known,
  Loading,
  lastTold,
  Mark,
  sentence,
  Trouble,
  title,
} from "./parts.js";
import { refusalIn } from "./request.js";
import { Steps } from "./steps.js";

/** @import { Rules as RulesDocument } from "./types.js" */
/** @import { ApiError } from "./request.js" */

/** @param {{ card: RulesDocument, level?: string }} props */
function Prose({ card, level = "h3" }) {
  return card.rules.map((block, index) => {
    if (block.kind === "h") return html`<${level} key=${index}>${block.text}</${level}>`;
    if (block.kind === "ul") return html`<ul key=${index}>${block.items?.map((item) => html`<li>${item}</li>`)}</ul>`;
    return html`<p key=${index} class=${index ? "" : "lede"}>${block.text}</p>`;
  });
}

/**
 * The rules alone, without their page.
 * @extends {Component<{ game: string }, { card: RulesDocument | null, refusal: string }>}
 */
export class RulesText extends Component {
  /** @type {{ card: RulesDocument | null, refusal: string }} */
  state = { card: null, refusal: "" };
  async componentDidMount() {
    try {
      this.setState({ card: await rules(this.props.game) });
    } catch (error) {
      this.setState({ refusal: sentence(refusalIn(error).message) });
    }
  }
  /** @param {{ game: string }} _ @param {{ card: RulesDocument | null, refusal: string }} state */
  render(_, { card, refusal }) {
    if (refusal) return html`<p class="refusal">${refusal}</p>`;
    return card ? html`<${Prose} card=${card} />` : html`<${Loading} />`;
  }
}

/** @typedef {{ card: RulesDocument | null, at: number, error: ApiError | null }} RulesState `at`: the table of the example */

/** @extends {Component<{ game: string }, RulesState>} */
export class Rules extends Component {
  /** @type {RulesState} */
  state = { card: null, at: 0, error: null };
  componentDidMount() {
    addEventListener("keydown", this.onKey);
    this.load();
  }
  componentWillUnmount() {
    removeEventListener("keydown", this.onKey);
  }
  load = async () => {
    this.setState({ error: null });
    try {
      const card = await rules(this.props.game);
      title(`Rules of ${card.title}`);
      this.setState({ card });
    } catch (error) {
      this.setState({ error: refusalIn(error) });
    }
  };
  /** @param {number} at */
  step = (at) => {
    const table = this.state.card?.demo[at];
    if (!table) return;
    this.setState({ at });
    announce(`${at ? `Move ${at}: ` : ""}${lastTold(table)} ${endTold(table)}`.trim());
  };
  /** @param {KeyboardEvent} event */
  onKey = (event) => {
    const { card, at } = this.state;
    if (!card || foreignKey(event)) return;
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: -1, k: -1, ArrowRight: 1, j: 1 };
    if (!Object.hasOwn(steps, event.key)) return;
    event.preventDefault();
    this.step(at + steps[event.key]);
  };

  /** @param {{ game: string }} props @param {RulesState} state */
  render({ game }, { card, error, at }) {
    if (error) return html`<${Trouble} error=${error} again=${this.load} />`;
    if (!card) return html`<div class="page"><h1 tabindex="-1">Rules</h1><${Loading} /></div>`;
    const table = card.demo[at];
    return html`<div class="page rules">
      <p class="crumb"><a href="/">Games</a></p>
      <h1 tabindex="-1">${card.title}: the rules</h1>
      <div class="table-columns">
        <section class="prose" aria-label="Rules">
          <${Prose} card=${card} level="h2" />
          <${Known} text=${card.known} />
          <h2>Options</h2>
          <dl class="options">
            ${card.options.map(
              (option) => html`<div key=${option.name}><dt>${capital(option.label)}</dt>
                <dd>${sentence(option.help)} <span class="soft">${option.default ? `Usually ${option.default}; ` : "Usually dealt; "}allowed: ${option.allowed}.</span></dd></div>`,
            )}
          </dl>
          <p class="row"><a class="button primary" href="/play/${game}">Play ${card.title}</a> <a class="button" href="/study/${game}/start">Study it</a></p>
        </section>
        <section class="example" aria-labelledby="example-heading">
          <h2 id="example-heading">An example</h2>
          <p class="status">
            ${
              table.last
                ? html`<${Mark} player=${table.last.player} /> <strong>${lastTold(table)}</strong> ${sentence(table.last.why)}`
                : html`<strong>The start.</strong> ${table.names[table.first - 1]} begins.`
            }
            ${" "}${endTold(table)}
          </p>
          <${Board} table=${table} />
          <${Steps} at=${at} last=${card.demo.length - 1} onStep=${this.step} label="Step through the example" />
          <p><a class="button small" href=${table.study}>Study this position</a></p>
        </section>
      </div>
    </div>`;
  }
}
