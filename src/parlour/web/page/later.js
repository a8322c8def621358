// What is fetched when it is needed: whoever does not come to it can do without.

import { Component, html, Loading } from "./parts.js";

/** @import { ComponentType } from "./vendor/preact.js" */

/** Whether the server was upgraded since this page was loaded: then the files of this page are gone. */
async function isOutdated() {
  try {
    const answer = await fetch("/", { cache: "no-store" });
    return answer.ok && !(await answer.text()).includes(new URL(".", import.meta.url).pathname);
  } catch {
    return false; // it is the network
  }
}

/**
 * A style sheet that only some pages need, once; done when it holds, or cannot be had.
 * @param {string} name
 */
export function sheet(name) {
  const { href } = new URL(name, import.meta.url);
  /** @type {HTMLLinkElement} */
  const link = document.querySelector(`link[href="${href}"]`) ?? document.createElement("link");
  if (link.sheet) return Promise.resolve();
  const done = new Promise((resolve) => {
    link.addEventListener("load", resolve);
    link.addEventListener("error", resolve);
  });
  link.rel = "stylesheet";
  link.href = href;
  if (!link.isConnected) document.head.append(link);
  return done;
}

/**
 * @template Props
 * @typedef {object} LaterProps
 * @property {() => Promise<ComponentType<Props>>} load fetches what is to be drawn
 * @property {Props} props what that is given
 * @property {boolean} [part] it is a part of a page, and not a page
 * @property {boolean} [quiet] nothing is drawn until it is there
 */
/**
 * @template Props
 * @typedef {{ what: ComponentType<Props> | null, failed: boolean }} LaterState
 */

/**
 * @template Props
 * @extends {Component<LaterProps<Props>, LaterState<Props>>}
 */
export class Later extends Component {
  /** @type {LaterState<Props>} */
  state = { what: null, failed: false };
  componentDidMount() {
    this.props.load().then(
      (what) => this.setState({ what }),
      async () => {
        if (await isOutdated()) location.reload();
        else this.setState({ failed: true });
      },
    );
  }
  /** @param {LaterProps<Props>} given @param {LaterState<Props>} state */
  render({ props, part, quiet }, { what, failed }) {
    if (what) return html`<${what} ...${props} />`;
    if (quiet && !failed) return null;
    const again = html`<button class="button" onClick=${() => location.reload()}>Try again</button>`;
    if (part || quiet) {
      const trouble = html`<p class="row"><span class="refusal">That did not load.</span> ${again}</p>`;
      return failed ? trouble : html`<${Loading} />`;
    }
    return failed
      ? html`<div class="page narrow"><h1 tabindex="-1">That did not load</h1><p>${again}</p></div>`
      : html`<div class="page"><${Loading} /></div>`;
  }
}
