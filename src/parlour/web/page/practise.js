// "Practise this game": the turning points of a match become questions that come back.

import * as api from "./examapi.js";
import { go } from "./nav.js";
import { announce, Component, html, sentence } from "./parts.js";
import { keepMistakes } from "./practising.js";
import { isAbort, refusalIn } from "./request.js";

/** @import { Player } from "./types.js" */

/**
 * @typedef {{ id: string, you: Player[] }} PractiseProps the match, and whose turning points are wanted
 * @extends {Component<PractiseProps, { busy: boolean, said: string }>}
 */
export class Practise extends Component {
  state = { busy: false, said: "" };
  control = new AbortController();

  componentWillUnmount() {
    this.control.abort();
  }

  make = async () => {
    const { id, you } = this.props;
    this.setState({ busy: true, said: "" });
    try {
      const { mistakes } = await api.mistakes(id, { signal: this.control.signal, onProgress: () => {} });
      const mine = mistakes.filter(({ player }) => you.includes(player));
      await keepMistakes(mine);
      if (mine.length) return go(`/mistakes/${mine[0].id}`);
      this.say("There is nothing of yours to practise in this game.");
    } catch (error) {
      if (!isAbort(error)) this.say(sentence(refusalIn(error).message));
    }
  };

  /** @param {string} said */
  say(said) {
    announce(said);
    this.setState({ busy: false, said });
  }

  /** @param {PractiseProps} _ @param {{ busy: boolean, said: string }} state */
  render(_, { busy, said }) {
    return html`<p class="row"><button class="button primary" data-testid="practise" disabled=${busy} onClick=${this.make}>${busy ? "One moment…" : "Practise this game"}</button>
      <span class="soft">${said || "Your turning points become puzzles that come back until you know them."}</span></p>`;
  }
}
