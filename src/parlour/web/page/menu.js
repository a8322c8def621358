// What else there is about a match: the rules, sharing, sounds and colours, one's seat.

import { switchSeats } from "./arrival.js";
import { changeSeat, remove } from "./commands.js";
import { Copy } from "./copy.js";
import { inPlace } from "./nav.js";
import { canNotify, notifying, toggleNotify } from "./notify.js";
import { announce, Component, createRef, Dialog, html } from "./parts.js";
import { soundOn, toggleSound } from "./sound.js";
import { nextTheme, seatOf, spareOf, theme } from "./store.js";
import { isLoopback, OnlyHere } from "./waiting.js";

/** @import { MatchSession } from "./session.js" */

/**
 * @typedef {{ session: MatchSession }} MenuProps
 * @extends {Component<MenuProps>}
 */
export class Menu extends Component {
  /** @param {() => unknown} action */
  redraw = (action) => async () => {
    await action();
    this.forceUpdate();
  };

  notify = async () => {
    const on = await toggleNotify();
    announce(on ? "You will be told when it is your turn." : "You will not be told when it is your turn.");
  };

  /** @param {MenuProps} props */
  render({ session }) {
    const { now } = session;
    const { game, summary } = now.table;
    const close = () => session.set({ menu: false, deleting: false });
    const showRules = inPlace(() => session.set({ menu: false, ruling: true }));
    const keys = () => {
      close();
      dispatchEvent(new KeyboardEvent("keydown", { key: "?" }));
    };
    return html`<${Dialog} heading=${now.table.title} onClose=${close}>
      <p class="soft">${summary}</p>
      <ul class="menu">
        <li><a href="/rules/${game}" onClick=${showRules}>Rules</a></li>
        <li><button aria-pressed=${String(soundOn())} data-testid="menu-sound" onClick=${this.redraw(toggleSound)}>Sound: ${soundOn() ? "on" : "off"}</button></li>
        <li><button onClick=${this.redraw(nextTheme)}>Colours: ${theme()}</button></li>
        ${
          now.kind === "friend" &&
          now.you.length > 0 &&
          canNotify() &&
          html`<li><button aria-pressed=${String(notifying())} data-testid="notify" onClick=${this.redraw(this.notify)}>Tell me when it is my turn: ${notifying() ? "on" : "off"}</button></li>`
        }
        <li class="keys-tool"><button onClick=${keys}>Keys</button></li>
        <li><a href="/">All games</a></li>
      </ul>
      <${Share} id=${now.id} />
      <${Owning} session=${session} deleting=${session.state.deleting} />
    <//>`;
  }
}

/** Links for those who want to watch, and for one's other device. @param {{ id: string }} props */
function Share({ id }) {
  const seat = seatOf(id);
  return html`<section aria-labelledby="share-heading">
    <h3 id="share-heading">Share</h3>
    <p class="row">
      <${Copy} class="small" text=${`${location.origin}/m/${id}`}>Copy the watching link<//>
      ${seat && html`<${Copy} class="small" text=${`${location.origin}/m/${id}#seat=${seat}`}>Copy my seat<//>`}
    </p>
    ${isLoopback && html`<${OnlyHere} links="These links work" />`}
    ${seat && html`<p class="soft">Whoever has the link to your seat can play for you. Open it on your other device, and send it to nobody.</p>`}
  </section>`;
}

/**
 * What whoever has a seat can do with it and with the match itself. Deleting takes two steps, like resigning.
 * @typedef {{ session: MatchSession, deleting: boolean }} OwningProps
 * @extends {Component<OwningProps>}
 */
class Owning extends Component {
  /** @type {{ current: HTMLElement | null }} */
  ref = createRef();

  /** @param {OwningProps} before */
  componentDidUpdate(before) {
    if (before.deleting === this.props.deleting || document.activeElement !== document.body) return;
    /** @type {HTMLElement | null | undefined} */
    const harmless = this.ref.current?.querySelector("[data-delete]");
    harmless?.focus();
  }

  /** @param {OwningProps} props */
  render({ session, deleting }) {
    const { can, state } = session;
    if (!can("renew")) return null;
    const alone = can("delete");
    const ask = () => session.set({ deleting: !deleting });
    const spare = spareOf(session.id);
    return html`<section aria-labelledby="owning-heading" ref=${this.ref}>
      <h3 id="owning-heading">Your seat</h3>
      <div class="row">
        <button class="button small" data-testid="renew" disabled=${state.pending !== null} onClick=${() => {
          session.set({ menu: false });
          changeSeat(session);
        }}>Change my seat</button>
        ${
          spare &&
          html`<button class="button small" data-testid="switch-seats" onClick=${() => {
            session.set({ menu: false });
            switchSeats(session, spare);
          }}>Switch to my other seat</button>`
        }
        ${
          !deleting &&
          (alone || can("offer delete")) &&
          html`<button key="delete" data-delete class="button small" data-testid="delete" onClick=${ask}>${alone ? "Delete this match" : "Ask to delete this match"}</button>`
        }
      </div>
      <p class="soft">Change your seat if somebody else has its link: the old link can only watch then.</p>
      ${
        deleting &&
        html`<p>${alone ? "Delete it for good? Nobody can see or play it any more, and no record is kept here." : "If your friend agrees, nobody can see or play it any more, and no record is kept here."}</p>
        <div class="row">
          <button key="keep" data-delete class="button small" onClick=${ask}>Keep it</button>
          <button key="confirm" class="button small danger" data-testid="confirm-deletion" onClick=${() => {
            session.set({ deleting: false, menu: false });
            remove(session);
          }}>${alone ? "Confirm: delete it" : "Confirm: ask"}</button>
        </div>`
      }
    </section>`;
  }
}
