// What opens above the table of a match: a name to be changed, and the rules.

import { rename } from "./commands.js";
import { Later } from "./later.js";
import { Component, createRef, Dialog, html } from "./parts.js";
import { isYou } from "./people.js";

/** @import { Player } from "./types.js" */
/** @import { MatchSession } from "./session.js" */

/**
 * A name that is refused can be mended: the dialog stays until one is taken.
 * @typedef {{ session: MatchSession, player: Player }} RenameProps
 * @extends {Component<RenameProps, { refusal: string }>}
 */
export class Rename extends Component {
  state = { refusal: "" };
  /** @type {{ current: HTMLInputElement | null }} */
  input = createRef();

  close = () => this.props.session.set({ renaming: null });

  /** @param {Event} event */
  submit = async (event) => {
    event.preventDefault();
    const { session, player } = this.props;
    const name = this.input.current?.value.trim() ?? "";
    this.setState({ refusal: "" });
    if (await rename(session, player, name, (refusal) => this.setState({ refusal }))) this.close();
  };

  /** @param {RenameProps} props @param {{ refusal: string }} state */
  render({ session, player }, { refusal }) {
    const { name } = session.now.players[player - 1];
    const usual = name === `Player ${player}`;
    return html`<${Dialog} heading="Change a name" onClose=${this.close}>
      <form onSubmit=${this.submit}>
        <div class="field"><label for="new-name">${isYou(session.now, player) ? "Your name" : `Name of Player ${player}`}</label>
          <input id="new-name" type="text" maxlength="30" autocomplete="nickname" defaultValue=${usual ? "" : name} ref=${this.input}
            aria-invalid=${refusal ? "true" : null} aria-describedby="name-refusal" />
          <p id="name-refusal" class="refusal" hidden=${!refusal}>${refusal}</p></div>
        <p><button class="button primary">Use this name</button></p>
      </form>
    <//>`;
  }
}

const loadRules = () => import("./rules.js").then((module) => module.RulesText);

/** The rules without leaving the table. @param {{ game: string, title: string, onClose: () => void }} props */
export function RulesDialog({ game, title, onClose }) {
  return html`<${Dialog} heading="${title}: the rules" onClose=${onClose}>
    <${Later} load=${loadRules} props=${{ game }} part />
  <//>`;
}
