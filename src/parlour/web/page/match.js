// A match: at the table, across the network, or from the gallery.

import { ActionBar, Dock, RecordLinks, Resign } from "./actions.js";
import { Analysis, valuesOf } from "./analysis.js";
import { Board, choicesOf, OtherMoves, Summary } from "./board.js";
import { choose, next, type as typeMove, undo } from "./commands.js";
import { Rename, RulesDialog } from "./dialogs.js";
import { Later } from "./later.js";
import { lookAt, lookAtNewest, momentOf } from "./lookback.js";
import { Menu } from "./menu.js";
import { motion } from "./motion.js";
import { MoveForm } from "./moveform.js";
import { Moves } from "./moves.js";
import { inPlace } from "./nav.js";
import { bring, Component, dress, foreignKey, html, Loading, Logo, Trouble, title } from "./parts.js";
import { isSwapped } from "./series.js";
import { MatchSession, RECONNECTING, SAID } from "./session.js";
import { Plate, Status } from "./status.js";
import { Steps } from "./steps.js";
import { inviteOf } from "./store.js";
import { Invitation } from "./waiting.js";

/** @import { Moment, Player, State } from "./types.js" */

const loadReport = () => import("./report.js").then((module) => module.Report);

/** Between two people nobody is told what is known while it lasts. @param {State} now */
const mayStudy = ({ status, kind, you }) =>
  status === "over" || ((kind === "local" || kind === "computer") && you.length > 0);

/** @typedef {{ id: string, visit: number }} MatchProps `visit` goes up whenever somebody follows a link here */

/** @extends {Component<MatchProps, { turned: boolean }>} `turned`: something was thrown away, as far as is known */
export class Match extends Component {
  state = { turned: false };
  session = new MatchSession(this.props.id, () => this.forceUpdate());
  /** How often a hint was asked for. */
  asked = 0;

  componentDidMount() {
    title("Match");
    addEventListener("keydown", this.onKey);
    this.session.open();
  }
  // What had the focus may be gone with a change: then it goes to where the change is told, not to the top of the page.
  getSnapshotBeforeUpdate() {
    const focus = document.activeElement;
    return document.getElementById("main")?.contains(focus) ? (focus?.tagName ?? "") : "";
  }
  /** @param {MatchProps} before @param {object} _ @param {string} focused the kind of element that had it */
  componentDidUpdate(before, _, focused) {
    if (focused && document.activeElement === document.body) {
      /** @type {HTMLElement | null} */
      const next = document.querySelector(focused === "H1" ? "main h1" : "#status");
      next?.focus({ preventScroll: true });
    }
    if (before.visit !== this.props.visit && location.hash.includes("=")) this.session.open(); // a link to the same match, pasted
  }
  componentWillUnmount() {
    dress(false);
    this.session.close();
    removeEventListener("keydown", this.onKey);
  }

  next = async () => {
    if (await next(this.session)) bring("status"); // the button is below the board
  };

  hint = () => {
    this.asked += 1;
    this.forceUpdate();
  };

  /** What the panel says, where the panel may be out of view. @param {string} text */
  say = (text) => this.session.note(text, { hint: true }, SAID);

  /** @param {Moment} moment */
  look = (moment) => lookAt(this.session, moment);

  /** @param {KeyboardEvent} event */
  onKey = (event) => {
    const { session } = this;
    const { now } = session.state;
    if (!now || now.status === "waiting" || foreignKey(event)) return;
    const { round, ply } = momentOf(session);
    const back = () => this.look({ round, ply: ply - 1 });
    const forward = () => this.look({ round, ply: ply + 1 });
    const startTyping = () => {
      session.set({ typing: true });
      document.getElementById("move-input")?.focus();
    };
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: back,
      k: back,
      ArrowRight: forward,
      j: forward,
      Home: () => this.look({ round, ply: 0 }),
      End: () => lookAtNewest(session),
      m: startTyping,
      "/": startTyping,
      u: () => undo(session),
      n: this.next,
      Escape: () => session.set({ resigning: false, more: false, typing: false, notice: null }),
    };
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  };

  /** @param {Player} renaming */
  rename = (renaming) => this.session.set({ renaming });

  render() {
    const { session } = this;
    const { now, view, error, down, trying, renaming, ruling, menu } = session.state;
    if (error) return html`<${Trouble} error=${error} />`;
    if (!now) {
      return html`<div class="page match-page"><h1 tabindex="-1">Match</h1><${Loading} what=${trying || (down ? RECONNECTING : "Coming to the table…")} /></div>`;
    }
    dress(isSwapped(now));
    const { game, title } = now.table;
    const watching = !now.you.length && now.kind !== "record";
    return html`<div class="page match-page">
      <div class="table-bar">
        <a class="tool home" href="/" aria-label="All games" title="All games"><${Logo} /></a>
        <div class="table-title">
          <h1 tabindex="-1">${title}</h1>
          <${Summary} table=${view?.table ?? now.table} round=${now.rounds.length > 1 && now.round} />
        </div>
        ${watching && html`<strong class="tag" data-testid="watching">You are watching.</strong>`}
        <a class="bar-link" href="/rules/${game}" onClick=${inPlace(() => session.set({ ruling: true }))}>Rules</a>
        <button class="tool" aria-label="Menu" title="Menu" aria-haspopup="dialog" data-testid="menu" onClick=${() => session.set({ menu: true })}><span aria-hidden="true">⋯</span></button>
      </div>
      ${!this.notesOnBoard() && html`<${Dock} session=${session} />`}
      ${now.status === "waiting" ? this.renderInvitation(now) : this.renderTable(now)}
      ${menu && html`<${Menu} session=${session} />`}
      ${renaming && html`<${Rename} session=${session} player=${renaming} />`}
      ${ruling && html`<${RulesDialog} game=${game} title=${title} onClose=${() => session.set({ ruling: false })} />`}
    </div>`;
  }

  /** While the game goes on, notes and offers have their place above the tiles: at the foot of the window they would cover some. */
  notesOnBoard() {
    const { now, state } = this.session;
    return now.status === "playing" && choicesOf(state.view?.table ?? now.table) >= 0;
  }

  /** @param {State} now */
  renderInvitation(now) {
    const { id, you, players, table } = now;
    const [me] = you;
    const nameless = me && players[me - 1].name === `Player ${me}`;
    return html`<div class="plates">${
      /** @type {Player[]} */ ([1, 2]).map(
        (player) => html`<${Plate} key=${player} ...${{ now, table, player, onRename: this.rename }} />`,
      )
    }</div>
    <${Invitation} id=${id} invite=${me ? inviteOf(id) : null} title=${table.title}
      onName=${nameless && (() => this.session.set({ renaming: me }))} />`;
  }

  /** @param {State} now */
  renderTable(now) {
    const { session } = this;
    const { view, pending, refusal, resigning, valued, more, typing } = session.state;
    const table = view?.table ?? now.table;
    const at = momentOf(session);
    const watching = !now.you.length;
    const over = now.status === "over";
    const study = mayStudy(now);
    const values = study && valued ? valuesOf(table) : null;
    const canMove = !view && session.can("move");
    const canGoOn = !watching && (session.can("next") || session.can("offer next"));
    /** @param {string} move */
    const play = (move) => choose(session, move);
    /** @param {Player} player */
    const head = (player) => html`<${Plate} ...${{ now, table, player, onRename: this.rename }} />`;
    const type = () => session.set({ typing: !typing, more: false });
    return html`<div class="table-columns ${over ? "is-over" : ""}">
      <section class="table-board" aria-labelledby="board-heading">
        <h2 id="board-heading" class="unseen">Board</h2>
        <${Board} table=${table} choose=${watching || over ? null : play} playable=${canMove && !pending} values=${values} selected=${pending?.move}
          notes=${this.notesOnBoard() && html`<${Dock} session=${session} />`}
          heads=${{ 1: head(1), 2: head(2) }} motion=${motion} middle=${html`<${Status} session=${session} onNext=${canGoOn ? this.next : null} />`} />
        ${canMove && html`<${OtherMoves} table=${table} choose=${play} values=${values} />`}
        <div class="table-foot">
          ${
            !watching &&
            !over &&
            html`<${MoveForm} disabled=${!canMove || pending !== null} onPlay=${(/** @type {string} */ move) => typeMove(session, move)}
            refusal=${refusal} legal=${now.table.legal_text} want=${now.table.want} open=${typing} />`
          }
          <${ActionBar} session=${session} onNext=${this.next} onHint=${study && !over ? this.hint : null}
            solving=${valued && !values && table.turn !== null} turned=${this.state.turned} />
        </div>
      </section>
      <div class="table-side ${more ? "open" : ""}" id="more">
        <section aria-labelledby="moves-heading">
          <h2 id="moves-heading" tabindex="-1">Moves</h2>
          <${Steps} at=${at.ply} last=${now.rounds[at.round - 1].moves.length} onStep=${(/** @type {number} */ ply) => this.look({ round: at.round, ply })} />
          <${Moves} rounds=${now.rounds} at=${at} onLook=${this.look} />
        </section>
        ${
          (!over || view) &&
          html`<section class="known-section" aria-labelledby="study-heading">
          <h2 id="study-heading">What is known</h2>
          ${
            study
              ? html`<${Analysis} key=${table.study} asked=${this.asked} table=${table} on=${valued} bare onSay=${this.say}
                  onToggle=${() => session.set({ valued: !valued })} onSolved=${() => this.forceUpdate()} />
                <p><a class="quiet" href=${table.study}>${table.turn ? "Try other moves from here" : "See it on the study board"}</a></p>`
              : html`<p class="soft">While two people play, nobody gets hints or values. They come when the game is over.</p>`
          }
        </section>`
        }
        ${
          !over &&
          html`<section class="quiet-row" aria-label="More">
          <${Resign} session=${session} resigning=${resigning} />
          ${!watching && html`<button class="quiet touch-only" data-testid="type" onClick=${type}>Type a move</button>`}
          <${RecordLinks} id=${now.id} />
        </section>`
        }
      </div>
      ${over && html`<${Later} load=${loadReport} props=${{ id: now.id, you: now.you, onGraded: (/** @type {boolean} */ turned) => this.setState({ turned }) }} part />`}
    </div>`;
  }
}
