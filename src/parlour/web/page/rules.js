// The rules of a game, its options, and its worked example to leaf through.

import { Board, Steps } from "./board.js";
import { Component, Loading, Mark, Trouble, announce, capital, foreignKey, html, sentence, title, told } from "./parts.js";
import { getOnce } from "./api.js";

/** The rules themselves. */
export function Prose({ card, level: H = "h3" }) {
  return card.rules.map((block, index) =>
    block.kind === "h" ? html`<${H} key=${index}>${block.text}</${H}>`
      : block.kind === "ul" ? html`<ul key=${index}>${block.items.map((item) => html`<li>${item}</li>`)}</ul>`
        : html`<p key=${index} class=${index ? "" : "lede"}>${block.text}</p>`,
  );
}

export class Rules extends Component {
  state = { at: 0 };
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
      const card = await getOnce(`/api/games/${encodeURIComponent(this.props.game)}`);
      title(`Rules of ${card.title}`);
      this.setState({ card });
    } catch (error) {
      this.setState({ error });
    }
  };
  tables() {
    return this.state.card.example?.tables ?? this.state.card.demo;
  }
  step = (at) => {
    const table = this.tables()[at];
    if (!table) return;
    this.setState({ at });
    announce(table.last ? `Move ${at}: ${table.names[table.last.player - 1]}, ${table.last.move}.` : "The start.");
  };
  onKey = (event) => {
    const { card, at } = this.state;
    if (!card || foreignKey(event)) return;
    const to = { ArrowLeft: at - 1, k: at - 1, ArrowRight: at + 1, j: at + 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.step(to);
  };

  render({ game }, { card, error, at }) {
    if (error) return html`<${Trouble} error=${error} again=${this.load} />`;
    if (!card) return html`<div class="page"><h1 tabindex="-1">Rules</h1><${Loading} /></div>`;
    const tables = this.tables();
    const table = tables[at];
    return html`<div class="page rules">
      <p class="crumb"><a href="/">Games</a></p>
      <h1 tabindex="-1">${card.title}: the rules</h1>
      <div class="table-columns">
        <section class="prose" aria-label="Rules">
          <${Prose} card=${card} level="h2" />
          <h2>What is known</h2>
          <p>${card.known}</p>
          <h2>Options</h2>
          <dl class="options">
            ${card.options.map(
              (option) => html`<div key=${option.name}><dt>${capital(option.label)}</dt>
                <dd>${sentence(option.help)} <span class="soft">${option.default ? `Usually ${option.default}; ` : "Usually dealt; "}allowed: ${option.allowed}.</span></dd></div>`,
            )}
          </dl>
          <p class="row"><a class="button primary" href="/play/${game}">Play</a> <a class="button" href="/study/${game}/start">Study</a></p>
        </section>
        <section class="example" aria-labelledby="example-heading">
          <h2 id="example-heading">An example</h2>
          <p class="status">
            ${table.last
              ? html`<${Mark} player=${table.last.player} /> <strong>${table.names[table.last.player - 1]} ${table.last.passed ? "has to pass" : `plays ${table.last.move}`}.</strong>`
              : html`<strong>The start.</strong> ${table.names[table.first - 1]} begins.`}
            ${" "}${told(table.result?.text)}
          </p>
          <${Board} table=${table} />
          <${Steps} at=${at} last=${tables.length - 1} onStep=${this.step} label="Step through the example" />
          <p><a class="button small" href=${table.study}>Study this position</a></p>
        </section>
      </div>
    </div>`;
  }
}
