// Setting up a game. The form is made from the kinds of option that the game declares; the server has the last word on them.

import { games } from "./api.js";
import { go } from "./nav.js";
import { alertNow, Component, capital, html, Known, Loading, sentence, Trouble, title } from "./parts.js";
import { ApiError, refusalIn } from "./request.js";
import { keep, kept } from "./store.js";
import { Begin, Choice, chosenWay, Opponent, start } from "./ways.js";

/** @import { Card, First, Level, On, Option } from "./types.js" */
/** @import { Way } from "./ways.js" */

const WHO_BEGINS = [
  ["toss", "Toss for it"],
  ["me", "I begin"],
  ["you", "They begin"],
];
const USUAL = {
  title: "The usual game",
  options: {},
  why: "as in the game's rule book, in a size that the book suggests",
  character: "",
};
/** Who begins, as it was chosen last. @returns {First} */
function first() {
  const found = kept("first");
  return found === "me" || found === "you" ? found : "toss";
}

/**
 * One option as the field its kind asks for.
 * @param {{ option: Option, value: string, onChange: (value: string) => void }} props
 */
function OptionField({ option, value, onChange }) {
  const id = `option-${option.name}`;
  const common = { id, "aria-describedby": `${id}-help` };
  /** @param {On<HTMLInputElement | HTMLSelectElement>} event */
  const typed = (event) => onChange(event.currentTarget.value);
  let field;
  if (option.kind === "word") {
    field = html`<select ...${common} value=${value} onChange=${typed}>
      ${option.words.map((word) => html`<option key=${word} value=${word} selected=${word === value}>${word}</option>`)}
    </select>`;
  } else if (option.kind === "number") {
    const none = value === "none";
    const least = option.default && option.default !== "none" ? option.default : String(option.low);
    field = html`<span class="row">
      <input ...${common} type="number" inputmode="numeric" min=${option.low} max=${option.high} disabled=${none}
        value=${none ? "" : value} placeholder=${none ? "no limit" : ""} onInput=${typed} />
      ${
        option.none &&
        html`<label class="check"><input type="checkbox" checked=${none}
        onChange=${(/** @type {On<HTMLInputElement>} */ event) => onChange(event.currentTarget.checked ? "none" : least)} /> no limit</label>`
      }
    </span>`;
  } else {
    field = html`<input ...${common} type="text" inputmode="text" autocomplete="off" spellcheck=${false} value=${value}
      placeholder=${option.by_chance ? "dealt by chance" : option.default} onInput=${typed} />`;
  }
  return html`<div class="field">
    <label for=${id}>${capital(option.label)}</label>
    ${field}
    <p class="help" id="${id}-help">${sentence(option.help)} ${option.by_chance ? `Leave it empty to have it dealt, or give ${option.allowed}.` : `Allowed: ${option.allowed}.`}</p>
  </div>`;
}

/**
 * @typedef {object} SetUpState
 * @property {Card | null} card
 * @property {Level[]} levels
 * @property {Record<string, string>} options as they were changed
 * @property {string} name
 * @property {string} other the second name on this device
 * @property {boolean} busy
 * @property {string} refused
 * @property {ApiError | null} error
 */

/** @extends {Component<{ game: string }, SetUpState>} */
export class SetUp extends Component {
  /** @type {SetUpState} */
  state = {
    card: null,
    levels: [],
    options: {},
    name: kept("name"),
    other: "",
    busy: false,
    refused: "",
    error: null,
  };

  componentDidMount() {
    this.load();
  }

  load = async () => {
    const { game } = this.props;
    this.setState({ error: null });
    try {
      const all = await games();
      const card = all.games.find(({ key }) => key === game);
      if (!card) throw new ApiError(404, { code: "game/unknown", error: `There is no game called ${game} here.` });
      title(`Play ${card.title}`);
      this.setState({ card, levels: all.levels });
    } catch (error) {
      this.setState({ error: refusalIn(error) });
    }
  };

  /** @param {Option} option */
  value = (option) => this.state.options[option.name] ?? option.default ?? "";

  /** Only what differs from the game's own: the server knows the rest. @param {Card} card @returns {Record<string, string>} */
  given(card) {
    const texts = card.options.map((option) => ({ option, text: this.value(option).trim() }));
    const changed = texts.filter(({ option, text }) => text !== option.default && text !== "");
    return Object.fromEntries(changed.map(({ option, text }) => [option.name, text]));
  }

  /** @param {Card} card @param {Way} way */
  play = async (card, way) => {
    const { name, other } = this.state;
    this.setState({ busy: true, refused: "" });
    try {
      go(await start(way, card.key, { options: this.given(card), first: first(), names: [name, other] }));
    } catch (error) {
      const { message } = refusalIn(error);
      alertNow(message);
      this.setState({ busy: false, refused: sentence(message) });
    }
  };

  /** @param {{ game: string }} props @param {SetUpState} state */
  render({ game }, { card, levels, error, options, name, other, busy, refused }) {
    if (error) return html`<${Trouble} error=${error} again=${this.load} />`;
    if (!card) return html`<div class="page"><h1 tabindex="-1">Set up a game</h1><${Loading} /></div>`;
    const given = this.given(card);
    /** @param {Record<string, string>} one */
    const same = (one) => Object.keys({ ...one, ...given }).every((key) => one[key] === given[key]);
    const variants = [USUAL, ...card.variants];
    return html`<div class="page setup">
      <p class="crumb"><a href="/">Games</a> <a href="/rules/${game}">Rules</a> <a href="/study/${game}/start">Study</a> <a href="/atlas/${game}">Atlas</a></p>
      <h1 tabindex="-1">${card.title}</h1>
      <p class="lede">${card.summary}</p>
      <div class="setup-columns">
        <section aria-labelledby="options-heading">
          <h2 id="options-heading">Which game</h2>
          <fieldset class="variants">
            <legend class="unseen">Variants</legend>
            ${variants.map(
              (variant, index) => html`<label key=${index} class="variant">
                <input type="radio" name="variant" checked=${same(variant.options)} onChange=${() => this.setState({ options: { ...variant.options } })} />
                <span><strong>${variant.title}${index === 1 && html` <small>the best of these</small>`}</strong> ${variant.character && html`<em>${sentence(variant.character)}</em> `}${sentence(variant.why)}</span>
              </label>`,
            )}
          </fieldset>
          <details class="more" open=${Object.keys(options).length > 0}>
            <summary>All options</summary>
            ${card.options.map(
              (option) => html`<${OptionField} key=${option.name} option=${option} value=${this.value(option)}
                onChange=${(/** @type {string} */ value) => this.setState({ options: { ...options, [option.name]: value }, refused: "" })} />`,
            )}
          </details>
          <${Known} text=${card.known} />
        </section>
        <section aria-labelledby="who-heading">
          <h2 id="who-heading">Who plays</h2>
          <${Opponent} levels=${levels} game=${game} onChange=${() => this.forceUpdate()} />
          <div class="field">
            <label for="name">Your name <span class="soft">(optional)</span></label>
            <input id="name" type="text" maxlength="30" autocomplete="nickname" value=${name} onInput=${(/** @type {On<HTMLInputElement>} */ event) => this.setState({ name: event.currentTarget.value })} />
          </div>
          ${
            chosenWay() === "local" &&
            html`<div class="field">
            <label for="other">Second name <span class="soft">(optional)</span></label>
            <input id="other" type="text" maxlength="30" autocomplete="off" value=${other} onInput=${(/** @type {On<HTMLInputElement>} */ event) => this.setState({ other: event.currentTarget.value })} />
          </div>`
          }
          <${Choice} legend="Who begins" name="first" value=${first()} options=${WHO_BEGINS}
            onChange=${(/** @type {string} */ key) => {
              keep("first", key);
              this.forceUpdate();
            }} />
          <${Begin} onPlay=${(/** @type {Way} */ way) => this.play(card, way)} busy=${busy} />
          ${refused && html`<p class="refusal" id="refusal">${refused}</p>`}
        </section>
      </div>
    </div>`;
  }
}
