// What may be done at a match besides moving, and what is asked and said at the foot of the window.

import * as api from "./api.js";
import { answer, resign, undo } from "./commands.js";
import { Copy } from "./copy.js";
import { ASKS } from "./news.js";
import { bring, Component, createRef, html, Mark } from "./parts.js";
import { nameFor } from "./people.js";
import { refusalIn } from "./request.js";
import { RECONNECTING } from "./session.js";

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
      html`<p class="bar ${notice.hint ? "hint" : ""}" data-testid="notice">
      ${notice.refusal ? html`<span class="refusal" data-testid="refused">${notice.text}</span>` : html`<span>${notice.text}</span>`}
      ${" "}${
        notice.remedy &&
        html`<button class="button small primary" onClick=${() => {
          close();
          notice.remedy?.act();
        }}>${notice.remedy.words}</button>`
      }
      <button class="button small" onClick=${close}>${notice.dismiss ?? "All right"}</button>
    </p>`
    }
    ${now?.offer && html`<${Offer} key=${`${now.offer.kind}${now.offer.by}${now.ply}`} session=${session} />`}
    ${now?.rematch && html`<${Rematch} key=${now.rematch} session=${session} id=${now.rematch} />`}
  </div>`;
}

/**
 * The way to the rematch, as long as it is being played. `open`: it is, and the player has not closed the note.
 * @typedef {{ session: MatchSession, id: string }} RematchProps
 * @extends {Component<RematchProps, { open: boolean }>}
 */
class Rematch extends Component {
  state = { open: false };

  async componentDidMount() {
    try {
      const { status } = await api.state(this.props.id);
      this.setState({ open: status !== "over" });
    } catch (error) {
      refusalIn(error); // it was deleted, or cannot be reached now
    }
  }

  /** @param {RematchProps} props @param {{ open: boolean }} state */
  render({ session, id }, { open }) {
    if (!open) return null;
    return html`<p class="bar" data-testid="rematch-begun"><span>A rematch has begun.</span>
      <span class="row"><a class="button small primary" href="/m/${id}" onClick=${() => session.takeAlong(session.now)}>Go to it</a>
        <button class="button small" onClick=${() => this.setState({ open: false })}>All right</button></span></p>`;
  }
}

/** What one player asks the other, one thing at a time. @param {{ session: MatchSession }} props */
function Offer({ session }) {
  const { now } = session;
  const { offer, you } = now;
  if (!offer) return null;
  const { kind, by } = offer;
  /** @param {"accept" | "decline" | "withdraw"} word @param {string} words */
  const button = (word, words, look = "") =>
    session.can(word) &&
    html`<button class="button small ${look}" onClick=${() => answer(session, word)}>${words}</button>`;
  return html`<p class="bar offer" data-testid="offer">
    <span><${Mark} player=${by} /> ${you.includes(by) ? "You ask" : html`<strong>${nameFor(now, by)}</strong> asks`} ${ASKS[kind]}.</span>
    <span class="row">${button("accept", "Accept", "primary")} ${button("decline", "Decline")} ${button("withdraw", "Withdraw")}</span>
  </p>`;
}

/**
 * What is done most, always in reach: at the foot of the window on a small screen, below the board on a large one.
 * @typedef {object} ActionBarProps
 * @property {MatchSession} session
 * @property {() => void} onNext
 * @property {(() => void) | null} onHint asks for a hint, where there are any
 * @property {boolean} solving the values are wanted and not there yet
 * @property {boolean} turned the report tells where the game turned
 */
/** @param {ActionBarProps} props */
export function ActionBar({ session, onNext, onHint, solving, turned }) {
  const { now, can } = session;
  const { valued, more } = session.state;
  const over = now.status === "over";
  /** @param {string} what @param {string} words @param {() => void} action */
  const button = (what, words, action, look = "") =>
    can(what) &&
    html`<button key=${what} class="button ${look}" data-testid=${what.replace(" ", "-")} onClick=${action}>${words}</button>`;
  // It is there before there is anything to take back, so that the others stay where they are.
  const takesBack = can("undo") || can("offer undo");
  const back = now.kind === "friend" ? "Ask to take back" : "Undo";
  return html`<section class="action-bar" aria-labelledby="actions-heading">
    <h2 id="actions-heading" class="unseen">Actions</h2>
    ${button("rematch", "Rematch", onNext, "primary")} ${button("offer rematch", "Offer a rematch", onNext, "primary")}
    ${now.status === "between" && button("next", "Next round", onNext, "primary")}
    ${
      (takesBack || (!over && now.you.length > 0)) &&
      html`<button class="button" data-testid="undo" aria-disabled=${takesBack ? null : "true"} onClick=${() => undo(session)}>${back}</button>`
    }
    ${over && html`<button class="button to-report" data-testid="to-report" onClick=${() => bring("report-heading")}>${turned ? "See where it turned" : "See the report"}</button>`}
    ${
      onHint &&
      !over &&
      html`<button class="button" data-testid="hint" onClick=${onHint}>Hint</button>
      <button class="button" data-testid="values" aria-pressed=${String(valued)} onClick=${() => session.set({ valued: !valued })}>${solving ? "Solving…" : "Values"}</button>`
    }
    <button class="button more-button" data-testid="more" aria-expanded=${String(more)} aria-controls="more" onClick=${() => session.set({ more: !more })}>${more ? "Less" : "More"}</button>
  </section>`;
}

/**
 * Resigning takes two steps; the second is not where the first was.
 * @typedef {{ session: MatchSession, resigning: boolean }} ResignProps
 * @extends {Component<ResignProps>}
 */
export class Resign extends Component {
  /** @type {{ current: HTMLElement | null }} */
  ref = createRef();

  // Whoever resigns by keyboard is led to the harmless answer, and back to where it began.
  /** @param {ResignProps} before */
  componentDidUpdate(before) {
    if (before.resigning === this.props.resigning || document.activeElement !== document.body) return;
    /** @type {HTMLElement | null | undefined} */
    const harmless = this.ref.current?.querySelector("[data-resign]");
    harmless?.focus();
  }

  /** @param {ResignProps} props */
  render({ session, resigning }) {
    const { now, can } = session;
    if (!can("resign")) return null;
    const whose = now.you.length > 1 && now.table.turn ? ` of ${now.players[now.table.turn - 1].name}` : "";
    return html`<span class="resign" ref=${this.ref}>
      ${
        resigning
          ? html`<button key="keep" data-resign class="button small" onClick=${() => session.set({ resigning: false })}>Keep playing</button>
            <button key="confirm" class="button small danger" data-testid="confirm-resignation" onClick=${() => resign(session)}>
              Confirm resignation${whose}
            </button>`
          : html`<button key="resign" data-resign class="quiet" data-testid="resign" onClick=${() => session.set({ resigning: true })}>Resign</button>`
      }
    </span>`;
  }
}

/** The record of a match, to keep. @param {{ id: string }} props */
export const RecordLinks = ({ id }) =>
  html`<a class="quiet" href=${api.recordPath(id)} download>Download the record</a> <${Copy} class="bare" text=${() => api.record(id)}>Copy the record<//>`;
