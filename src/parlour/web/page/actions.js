// Everything that may be done at a match besides moving, and what is asked and said at the foot of the window.

import * as api from "./api.js";
import { answer, changeSeat, remove, resign, undo } from "./commands.js";
import { Copy } from "./copy.js";
import { ASKS } from "./news.js";
import { Component, createRef, html, Mark } from "./parts.js";
import { RECONNECTING } from "./session.js";
import { seatOf } from "./store.js";

/** @import { MatchSession } from "./session.js" */

/** What stays in view, whatever part of the page is looked at. @param {{ session: MatchSession }} props */
export function Dock({ session }) {
  const { down, trying, pending, notice, now } = session.state;
  const close = () => session.set({ notice: null });
  return html`<div class="dock">
    ${
      (down || trying) &&
      html`<p class="bar warn" data-testid="reconnecting"><span class="working">${trying || RECONNECTING}</span> ${pending && `${pending.what} is kept, and sent as soon as possible.`}</p>`
    }
    ${
      notice &&
      html`<p class="bar" data-testid="notice">
      ${notice.refusal ? html`<span class="refusal" data-testid="refused">${notice.text}</span>` : html`<span>${notice.text}</span>`}
      ${" "}${
        notice.remedy &&
        html`<button class="button small primary" onClick=${() => {
          close();
          notice.remedy?.act();
        }}>${notice.remedy.words}</button>`
      }
      <button class="button small" onClick=${close}>All right</button>
    </p>`
    }
    ${now?.offer && html`<${Offer} key=${`${now.offer.kind}${now.offer.by}${now.ply}`} session=${session} />`}
    ${
      now?.rematch &&
      html`<p class="bar"><span>A rematch has begun.</span> <a class="button small primary" href="/m/${now.rematch}" onClick=${() => session.takeAlong(now)}>Go to it</a></p>`
    }
  </div>`;
}

/** What one player asks the other, one thing at a time. @param {{ session: MatchSession }} props */
function Offer({ session }) {
  const { offer, you, players } = session.now;
  if (!offer) return null;
  const { kind, by } = offer;
  /** @param {"accept" | "decline" | "withdraw"} word @param {string} words */
  const button = (word, words, look = "") =>
    session.can(word) &&
    html`<button class="button small ${look}" onClick=${() => answer(session, word)}>${words}</button>`;
  return html`<p class="bar offer" data-testid="offer">
    <span><${Mark} player=${by} /> ${you.includes(by) ? "You ask" : html`<strong>${players[by - 1].name}</strong> asks`} ${ASKS[kind]}.</span>
    ${button("accept", "Accept", "primary")} ${button("decline", "Decline")} ${button("withdraw", "Withdraw")}
  </p>`;
}

/**
 * Undo, the next round, a rematch, resigning. Resigning takes two steps; the second is not where the first was.
 * @typedef {{ session: MatchSession, resigning: boolean, onNext: () => void }} ActionsProps
 * @extends {Component<ActionsProps>}
 */
export class Actions extends Component {
  /** @type {{ current: HTMLElement | null }} */
  ref = createRef();

  // Whoever resigns by keyboard is led to the harmless answer, and back to where it began.
  /** @param {ActionsProps} before */
  componentDidUpdate(before) {
    if (before.resigning === this.props.resigning || document.activeElement !== document.body) return;
    /** @type {HTMLElement | null | undefined} */
    const harmless = this.ref.current?.querySelector("[data-resign]");
    harmless?.focus();
  }

  /** @param {ActionsProps} props */
  render({ session, resigning, onNext }) {
    const { now, can } = session;
    if (!["undo", "offer undo", "next", "rematch", "offer rematch", "resign"].some(can)) return null;
    /** @param {string} what @param {string} words @param {() => void} action */
    const button = (what, words, action, look = "") =>
      can(what) &&
      html`<button key=${what} class="button ${look}" data-testid=${what.replace(" ", "-")} onClick=${action}>${words}</button>`;
    const whose = now.you.length > 1 && now.table.turn ? ` of ${now.players[now.table.turn - 1].name}` : "";
    return html`<section class="actions" aria-labelledby="actions-heading" ref=${this.ref}>
      <h2 id="actions-heading" class="unseen">Actions</h2>
      <div class="row">
        ${button("undo", "Undo", () => undo(session))} ${button("offer undo", "Ask to take back", () => undo(session))}
        ${now.status === "between" && button("next", "Next round", onNext, "primary")}
        ${button("rematch", "Rematch", onNext, "primary")} ${button("offer rematch", "Offer a rematch", onNext, "primary")}
        ${
          can("resign") &&
          (resigning
            ? html`<button key="keep" data-resign class="button" onClick=${() => session.set({ resigning: false })}>Keep playing</button>
              <button key="confirm" class="button danger" data-testid="confirm-resignation" onClick=${() => resign(session)}>
                Confirm resignation${whose}
              </button>`
            : html`<button key="resign" data-resign class="button" data-testid="resign" onClick=${() => session.set({ resigning: true })}>Resign</button>`)
        }
      </div>
    </section>`;
  }
}

/**
 * What whoever has a seat can do with it and with the match itself. Deleting takes two steps, like resigning.
 * @typedef {{ session: MatchSession, deleting: boolean }} OwningProps
 * @extends {Component<OwningProps>}
 */
export class Owning extends Component {
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
    return html`<section aria-labelledby="owning-heading" ref=${this.ref}>
      <h2 id="owning-heading">Your seat and this match</h2>
      <div class="row">
        <button class="button small" data-testid="renew" disabled=${state.pending !== null} onClick=${() => changeSeat(session)}>Change my seat</button>
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
            session.set({ deleting: false });
            remove(session);
          }}>${alone ? "Confirm: delete it" : "Confirm: ask"}</button>
        </div>`
      }
    </section>`;
  }
}

/** Links for those who want to watch, and to keep. @param {{ id: string }} props */
export function Links({ id }) {
  const seat = seatOf(id);
  return html`<section aria-labelledby="links-heading">
    <h2 id="links-heading">Keep or share</h2>
    <p class="row">
      <${Copy} class="small" text=${`${location.origin}/m/${id}`}>Copy the watching link<//>
      <a class="button small" href=${api.recordPath(id)} download>Download the record</a>
      <${Copy} class="small" text=${() => api.record(id)}>Copy the record<//>
      ${seat && html`<${Copy} class="small" text=${`${location.origin}/m/${id}#seat=${seat}`}>Copy my seat<//>`}
    </p>
    ${
      seat &&
      html`<p class="soft">“My seat” is the link with which you, and whoever else has it, play for you: take it to your
      other device, and send it to nobody.</p>`
    }
  </section>`;
}
