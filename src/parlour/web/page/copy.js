// A button that copies something.

import { announce, Component, html } from "./parts.js";

/** @import { ComponentChildren } from "./vendor/preact.js" */

const STAYS = 2500; // milliseconds that it says so

/** @param {string} text */
async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // No clipboard without a secure origin: the old way still works there.
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "unseen";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

/**
 * A button that copies `text` (or what the function `text` fetches) and says so in its own place.
 * @typedef {{ text: string | (() => string | Promise<string>), class?: string, children?: ComponentChildren }} CopyProps
 * @extends {Component<CopyProps, { said: string }>}
 */
export class Copy extends Component {
  state = { said: "" };
  timer = 0;
  componentWillUnmount() {
    clearTimeout(this.timer);
  }
  copy = async () => {
    let done = false;
    try {
      const { text } = this.props;
      done = await toClipboard(typeof text === "function" ? await text() : text);
    } catch {
      // said below
    }
    const said = done ? "Copied" : "Could not be copied";
    this.setState({ said });
    announce(said);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.setState({ said: "" }), STAYS);
  };
  /** @param {CopyProps} props @param {{ said: string }} state */
  render({ children, class: kind = "" }, { said }) {
    return html`<button class="button ${kind}" onClick=${this.copy}>${said || children}</button>`;
  }
}
