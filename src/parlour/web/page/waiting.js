// Before the second player has come: the invitation, to be copied, shared or scanned.

import { qrCode } from "./api.js";
import { Copy } from "./copy.js";
import { Component, html } from "./parts.js";

/** Whether the page comes from this computer itself, at an address that means another machine everywhere else. */
export const isLoopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);

/** What to do where links to this server work on this computer alone. */
export const OnlyHere = ({ links = "This link works" }) =>
  html`<p data-testid="only-here"><strong>${links} only on this computer.</strong> To play with someone on your network,
    restart the server with <code>parlour serve --host 0.0.0.0</code> (or <code>make serve ARGS="--host 0.0.0.0"</code>), open
    the address it prints, and start the game there.</p>`;

/** @import { On, QrCode } from "./types.js" */
/**
 * @typedef {object} InvitationProps
 * @property {string} id
 * @property {string | null} invite the secret, if this browser has it
 * @property {string} title
 * @property {(() => void) | false} onName give one's name, if one has none
 */

/** @extends {Component<InvitationProps, { code: QrCode | null }>} */
export class Invitation extends Component {
  /** @type {{ code: QrCode | null }} */
  state = { code: null };

  componentDidMount() {
    if (this.props.invite && !isLoopback) {
      qrCode(this.link()).then(
        (code) => this.setState({ code }),
        () => {}, // the link is enough
      );
    }
  }

  link = () => `${location.origin}/m/${this.props.id}#join=${this.props.invite}`;

  share = async () => {
    try {
      await navigator.share({ title: this.props.title, text: `A game of ${this.props.title}?`, url: this.link() });
    } catch {
      // shared with nobody: fine
    }
  };

  /** @param {InvitationProps} props @param {{ code: QrCode | null }} state */
  render({ invite, id, onName }, { code }) {
    const watching = `${location.origin}/m/${id}`;
    if (!invite) {
      return html`<section class="invitation alone"><div><h2>Waiting for the second player</h2>
        <p>The game begins when somebody opens the invitation. It was made in another browser, so this one cannot show it.</p></div></section>`;
    }
    return html`<section class="invitation" aria-labelledby="invite-heading" data-testid="invitation">
      <div>
        <h2 id="invite-heading">Invite somebody</h2>
        <p>Whoever opens this link first plays against you. Leave this page open, or come back to it.</p>
        ${isLoopback && html`<${OnlyHere} />`}
        <div class="field">
          <label for="invite-link">Invitation</label>
          <input id="invite-link" data-testid="invite-link" type="text" readonly value=${this.link()}
            onFocus=${(/** @type {On<HTMLInputElement>} */ event) => event.currentTarget.select()} />
        </div>
        <p class="row">
          <${Copy} class="primary" text=${this.link}>Copy the invitation<//>
          ${!isLoopback && typeof navigator.share === "function" && html`<button class="button" onClick=${this.share}>Share…</button>`}
          ${onName && html`<button class="button" onClick=${onName}>Add your name</button>`}
        </p>
        <p class="row soft"><span>Others may watch: <a href=${watching}>${watching.replace(/^https?:\/\//, "")}</a></span> <${Copy} class="small" text=${watching}>Copy the watching link<//></p>
      </div>
      ${
        code &&
        html`<figure class="qr">
        <svg viewBox="-4 -4 ${code.size + 8} ${code.size + 8}" role="img" aria-label="QR code of the invitation" shape-rendering="crispEdges">
          <rect x="-4" y="-4" width=${code.size + 8} height=${code.size + 8} fill="#fff" />
          <path d=${code.path} fill="#000" />
        </svg>
        <figcaption>Or scan this with a phone.</figcaption>
      </figure>`
      }
    </section>`;
  }
}
