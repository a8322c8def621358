// The smaller pages: importing a record, about, and no page at all.

import { health, importRecord } from "./api.js";
import { go } from "./nav.js";
import { alertNow, Component, html, sentence, title } from "./parts.js";
import { refusalIn } from "./request.js";
import { sit } from "./store.js";

/** @import { On } from "./types.js" */

const LARGEST = 100_000; // bytes of a record, as the server has it

/** @typedef {{ text: string, refusal: string, busy: boolean }} ImportState */

/** @extends {Component<object, ImportState>} */
export class Import extends Component {
  /** @type {ImportState} */
  state = { text: "", refusal: "", busy: false };
  componentDidMount() {
    title("Import a record");
  }
  /** @param {File | undefined} file */
  read = async (file) => {
    if (!file) return;
    if (file.size > LARGEST) this.setState({ refusal: "That file is too large to be a record." });
    else this.setState({ text: await file.text(), refusal: "" });
  };
  /** @param {Event} event */
  submit = async (event) => {
    event.preventDefault();
    this.setState({ busy: true, refusal: "" });
    try {
      const made = await importRecord(this.state.text);
      if (made.seat && made.state.you.length) sit(made.id, made.seat); // a game that is over has no seats
      go(`/m/${made.id}`);
    } catch (error) {
      const { message } = refusalIn(error);
      alertNow(message);
      this.setState({ busy: false, refusal: sentence(message) });
    }
  };
  /** @param {object} _ @param {ImportState} state */
  render(_, { text, refusal, busy }) {
    return html`<div class="page narrow">
      <p class="crumb"><a href="/">Games</a></p>
      <h1 tabindex="-1">Import a record</h1>
      <p>A record is a game as text. The terminal saves it, and every match here can be downloaded as one. A game that is over
        is shown with its report; you can play on where one is not.</p>
      <form onSubmit=${this.submit} onDragOver=${(/** @type {Event} */ event) => event.preventDefault()}
        onDrop=${(/** @type {DragEvent} */ event) => {
          event.preventDefault();
          this.read(event.dataTransfer?.files[0]);
        }}>
        <div class="field"><label for="record">The record</label>
          <textarea id="record" rows="14" spellcheck=${false} value=${text} aria-describedby="record-help" aria-invalid=${refusal ? "true" : null}
            onInput=${(/** @type {On<HTMLTextAreaElement>} */ event) => this.setState({ text: event.currentTarget.value, refusal: "" })}></textarea>
          <p class="help" id="record-help">${refusal ? html`<span class="refusal" id="refusal">${refusal}</span>` : "Paste it, or drop a file here."}</p></div>
        <div class="field"><label for="record-file">Or choose a file</label>
          <input id="record-file" type="file" accept=".parlour,.txt,text/plain"
            onChange=${(/** @type {On<HTMLInputElement>} */ event) => this.read(event.currentTarget.files?.[0])} /></div>
        <p><button class="button primary" disabled=${busy || !text.trim()}>${busy ? "Reading…" : "Import"}</button></p>
      </form>
    </div>`;
  }
}

/** @typedef {{ version: string, expiry: string }} AboutState */

/** @extends {Component<object, AboutState>} */
export class About extends Component {
  state = { version: "", expiry: "" };
  componentDidMount() {
    title("About");
    health().then(
      ({ version, expiry }) => this.setState({ version, expiry }),
      () => {},
    );
  }
  /** @param {object} _ @param {AboutState} state */
  render(_, { version, expiry }) {
    return html`<div class="page narrow prose">
      <p class="crumb"><a href="/">Games</a></p>
      <h1 tabindex="-1">About Parlour</h1>
      <p class="lede">Five small number games for two, each played by its own rule book, with the exact answer to every position for those who want it.</p>
      <h2>Solved</h2>
      <p>Parlour works out who wins with best play from any position, and in how many moves; yours and the other player's are
        counted together, and a pass is a move. Nothing is an estimate. Where the answer takes too long, Parlour says so.</p>
      <h2>Fair play</h2>
      <p>While two people play, there are no hints and no values, for them or for those who watch. They come when the game is over.</p>
      <h2>Privacy</h2>
      <p>There are no accounts, no cookies and no third parties. You need no name. Your seat in a match is a secret that only this
        browser keeps. Whoever has the link of a match can watch it.</p>
      <h2>How long matches are kept</h2>
      <p>${expiry || "A match is deleted some time after the last thing that happened in it."}${" "}If you want to keep one, download
        its record; you can <a href="/import">import</a> it again, here or at the terminal.</p>
      <h2>For programs</h2>
      <p>Everything on this page goes through an open interface; here is <a href="/api/openapi.json">its description</a>.
        At the terminal, <code>parlour</code> has the same games.</p>
      ${version && html`<p class="soft">Parlour ${version}</p>`}
    </div>`;
  }
}

export class Nowhere extends Component {
  componentDidMount() {
    title("Not found");
  }
  render() {
    return html`<div class="page narrow">
      <h1 tabindex="-1">Nothing here</h1>
      <p>There is no page at this address. Perhaps a part of the link was lost on its way to you.</p>
      <p class="row"><a class="button primary" href="/">All games</a> <a class="button" href="/import">Import a record</a></p>
    </div>`;
  }
}
