// Setting up a game. The form is made from the kinds of option that the game declares; the server has the last word on them.

import { capital, Choice, Component, Loading, Trouble, alertNow, html, sentence, title } from "./parts.js";
import { games, post } from "./api.js";
import { keep, keepInvite, kept, sit } from "./store.js";
import { go } from "./nav.js";

export const level = () => kept("level") || "level:2";

/**
 * Open a match and take one's seat; gives the address to go to. `way`: friend, computer or local. `names`: as they were
 * typed, and remembered once the server has taken them; without them one goes by the name that is remembered.
 */
export async function start(way, game, { options = {}, first = "toss", moves = [], names } = {}) {
  const common = { game, options, ...(moves.length && { moves }) };
  const [name, other] = (names ?? [way === "local" ? "" : kept("name"), ""]).map((each) => each.trim());
  const open = (name) => {
    if (way === "local") {
      const begins = { me: "1", you: "2" }[first] ?? first;
      return post("/api/challenge/local", { ...common, names: [name, other], first: begins });
    }
    if (way === "computer") return post("/api/challenge/computer", { ...common, name, first, level: level() });
    return post("/api/challenge/open", { ...common, name, first });
  };
  const made = await open(name).catch((error) => {
    if (names || !name || error.code !== "name/bad") throw error;
    return open(""); // where no name was asked for, none is in the way
  });
  if (names) keep("name", name);
  if (made.invite) keepInvite(made.id, made.invite);
  sit(made.id, made.seat);
  return `/m/${made.id}`;
}

const WAYS = [
  ["computer", "Play the computer"],
  ["friend", "Play a friend"],
  ["local", "Two on this device"],
];

/** The table is fetched as soon as somebody seems to go there. */
const prepare = () => void import("./match.js").catch(() => {});

/** The three ways to play, as buttons. */
export function Ways({ onPlay, busy, game }) {
  return html`<div class="ways" role="group" onPointerEnter=${prepare} onFocusIn=${prepare} aria-label=${game ? `Play ${game}` : "Ways to play"}>
    ${WAYS.map(
      ([way, words]) =>
        html`<button key=${way} class="button ${way === "local" ? "" : "primary"}" disabled=${busy} data-testid="play-${way}" onClick=${() => onPlay(way)}>
          ${words}
        </button>`,
    )}
  </div>`;
}

/** One option as the field its kind asks for. */
function OptionField({ option, value, onChange }) {
  const id = `option-${option.name}`;
  const common = { id, "aria-describedby": `${id}-help` };
  const typed = (event) => onChange(event.target.value);
  let field;
  if (option.kind === "word") {
    field = html`<select ...${common} value=${value} onChange=${typed}>
      ${option.words.map((word) => html`<option key=${word} value=${word} selected=${word === value}>${word}</option>`)}
    </select>`;
  } else if (option.kind === "number") {
    const none = value === "none";
    field = html`<span class="row">
      <input ...${common} type="number" inputmode="numeric" min=${option.low} max=${option.high} disabled=${none}
        value=${none ? "" : value} placeholder=${none ? "none" : ""} onInput=${typed} />
      ${option.none &&
      html`<label class="check"><input type="checkbox" checked=${none}
        onChange=${(event) => onChange(event.target.checked ? "none" : option.default === "none" ? String(option.low) : option.default)} /> none</label>`}
    </span>`;
  } else {
    field = html`<input ...${common} type="text" inputmode="text" autocomplete="off" spellcheck=${false} value=${value}
      placeholder=${option.by_chance ? "dealt by chance" : option.default} onInput=${typed} />`;
  }
  return html`<div class="field">
    <label for=${id}>${capital(option.label)}</label>
    ${field}
    <p class="help" id="${id}-help">${sentence(option.help)} ${option.by_chance ? `Left empty it is dealt; otherwise ${option.allowed}.` : `Allowed: ${option.allowed}.`}</p>
  </div>`;
}

export class SetUp extends Component {
  state = { options: {}, first: kept("first") || "toss", name: kept("name"), other: "", level: level() };

  componentDidMount() {
    this.load();
  }

  load = async () => {
    this.setState({ error: null });
    try {
      const all = await games();
      const card = all.games.find(({ key }) => key === this.props.game);
      if (!card) throw Object.assign(new Error(`There is no game called ${this.props.game} here.`), { status: 404 });
      title(card.title);
      this.setState({ card, levels: all.levels });
    } catch (error) {
      this.setState({ error });
    }
  };

  value = (option) => this.state.options[option.name] ?? option.default;

  /** Only what differs from the game's own: the server knows the rest. */
  given() {
    const entries = this.state.card.options.map((option) => [option.name, this.value(option).trim(), option.default]);
    return Object.fromEntries(entries.filter(([, value, usual]) => value !== usual && value !== "").map(([name, value]) => [name, value]));
  }

  play = async (way) => {
    const { card, first, name, other } = this.state;
    this.setState({ busy: true, refused: "" });
    try {
      go(await start(way, card.key, { options: this.given(), first, names: [name, other] }));
    } catch (error) {
      alertNow(error.message);
      this.setState({ busy: false, refused: sentence(error.message) });
    }
  };

  render({ game }, { card, levels, error, options, first, name, other, level, busy, refused }) {
    if (error) return html`<${Trouble} error=${error} again=${this.load} />`;
    if (!card) return html`<div class="page"><h1 tabindex="-1">Set up a game</h1><${Loading} /></div>`;
    const given = this.given();
    const same = (one) => Object.keys({ ...one, ...given }).every((key) => one[key] === given[key]);
    const variants = [{ title: "As in the book", options: {}, why: card.known }, ...card.variants];
    const remember = (key) => (value) => {
      keep(key, value);
      this.setState({ [key]: value });
    };
    const chosen = levels.find(({ key }) => key === level);
    return html`<div class="page setup">
      <p class="crumb"><a href="/">Games</a></p>
      <h1 tabindex="-1">${card.title}</h1>
      <p class="lede">${card.summary} <a href="/rules/${game}">The rules</a></p>
      <div class="setup-columns">
        <section aria-labelledby="options-heading">
          <h2 id="options-heading">Which game</h2>
          <fieldset class="variants">
            <legend class="unseen">Variants</legend>
            ${variants.map(
              (variant, index) => html`<label key=${index} class="variant">
                <input type="radio" name="variant" checked=${same(variant.options)} onChange=${() => this.setState({ options: { ...variant.options } })} />
                <span><strong>${variant.title}</strong> ${sentence(variant.why)}</span>
              </label>`,
            )}
          </fieldset>
          <details class="more" open=${Object.keys(options).length > 0}>
            <summary>All options</summary>
            ${card.options.map(
              (option) => html`<${OptionField} key=${option.name} option=${option} value=${this.value(option)}
                onChange=${(value) => this.setState({ options: { ...options, [option.name]: value }, refused: "" })} />`,
            )}
          </details>
        </section>
        <section aria-labelledby="who-heading">
          <h2 id="who-heading">Who plays</h2>
          <div class="field">
            <label for="name">Your name <span class="soft">(you need none)</span></label>
            <input id="name" type="text" maxlength="30" autocomplete="nickname" value=${name} onInput=${(event) => this.setState({ name: event.target.value })} />
          </div>
          <${Choice} legend="Who begins" name="first" value=${first} onChange=${remember("first")}
            options=${[["toss", "Toss for it"], ["me", "I begin"], ["you", "The other begins"]]} />
          <div class="field">
            <label for="level">The computer</label>
            <select id="level" onChange=${(event) => remember("level")(event.target.value)} aria-describedby="level-help">
              ${levels.map(({ key, title }) => html`<option key=${key} value=${key} selected=${key === level}>${title}</option>`)}
            </select>
            <p class="help" id="level-help">${chosen ? `${chosen.title} ${chosen.about}.` : ""}</p>
          </div>
          <div class="field">
            <label for="other">Second name on this device <span class="soft">(you need none)</span></label>
            <input id="other" type="text" maxlength="30" autocomplete="off" value=${other} onInput=${(event) => this.setState({ other: event.target.value })} />
          </div>
          <${Ways} onPlay=${this.play} busy=${busy} game=${card.title} />
          ${refused && html`<p class="refusal" id="refusal">${refused}</p>`}
        </section>
      </div>
    </div>`;
  }
}
