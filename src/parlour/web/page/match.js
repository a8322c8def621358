// A match: at the table, across the network, or from the gallery.

import { Actions, Dock, Links, Owning } from "./actions.js";
import { Analysis, valuesOf } from "./analysis.js";
import { Board, OtherMoves, Steps, Summary } from "./board.js";
import { choose, next, type, undo } from "./commands.js";
import { Rename, RulesDialog } from "./dialogs.js";
import { Later } from "./later.js";
import { lookAt, lookAtNewest, momentOf } from "./lookback.js";
import { MoveForm } from "./moveform.js";
import { Moves } from "./moves.js";
import { inPlace } from "./nav.js";
import { bring, Component, foreignKey, html, Loading, Trouble, title } from "./parts.js";
import { MatchSession, RECONNECTING } from "./session.js";
import { Plates, Status } from "./status.js";
import { inviteOf } from "./store.js";
import { Invitation } from "./waiting.js";

/** @import { Moment, Player, State } from "./types.js" */

const loadReport = () => import("./report.js").then((module) => module.Report);

/** Between two people nobody is told what is known while it lasts. @param {State} now */
const mayStudy = ({ status, kind, you }) =>
  status === "over" || ((kind === "local" || kind === "computer") && you.length > 0);

/** @typedef {{ id: string, visit: number }} MatchProps `visit` goes up whenever somebody follows a link here */

/** @extends {Component<MatchProps, { turned: boolean }>} */
export class Match extends Component {
  state = { turned: false };
  session = new MatchSession(this.props.id, () => this.forceUpdate());

  componentDidMount() {
    title("Match");
    addEventListener("keydown", this.onKey);
    this.session.open();
  }
  // What had the focus may be gone with a change: then it goes to where the change is told, not to the top of the page.
  getSnapshotBeforeUpdate() {
    return document.getElementById("main")?.contains(document.activeElement) ?? false;
  }
  /** @param {MatchProps} before @param {object} _ @param {boolean} focused */
  componentDidUpdate(before, _, focused) {
    if (focused && document.activeElement === document.body) document.getElementById("status")?.focus();
    if (before.visit !== this.props.visit && location.hash.includes("=")) this.session.open(); // a link to the same match, pasted
  }
  componentWillUnmount() {
    this.session.close();
    removeEventListener("keydown", this.onKey);
  }

  next = async () => {
    if (await next(this.session)) bring("status"); // the button is below the board
  };

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
    const startTyping = () => document.getElementById("move-input")?.focus();
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
      Escape: () => session.set({ resigning: false, deleting: false, notice: null }),
    };
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  };

  render() {
    const { session } = this;
    const { now, view, error, down, trying, renaming, ruling, deleting } = session.state;
    if (error) return html`<${Trouble} error=${error} />`;
    if (!now) {
      return html`<div class="page"><h1 tabindex="-1">Match</h1><${Loading} what=${trying || (down ? RECONNECTING : "Coming to the table…")} /></div>`;
    }
    const { game, title } = now.table;
    const watching = !now.you.length;
    const showRules = inPlace(() => session.set({ ruling: true }));
    return html`<div class="page table-page">
      <p class="crumb"><a href="/">Games</a> <a href="/rules/${game}" onClick=${showRules}>Rules</a></p>
      <h1 tabindex="-1">${title}</h1>
      <${Summary} table=${view?.table ?? now.table} round=${now.rounds.length > 1 && now.round} />
      <${Plates} now=${now} onRename=${(/** @type {Player} */ renaming) => session.set({ renaming })} />
      ${watching && now.kind !== "record" && html`<p class="bar" data-testid="watching">You are watching.</p>`}
      <${Dock} session=${session} />
      ${now.status === "waiting" ? this.renderInvitation(now) : this.renderTable(now)}
      <${Owning} session=${session} deleting=${deleting} />
      ${renaming && html`<${Rename} session=${session} player=${renaming} />`}
      ${ruling && html`<${RulesDialog} game=${game} title=${title} onClose=${() => session.set({ ruling: false })} />`}
    </div>`;
  }

  /** @param {State} now */
  renderInvitation({ id, you, players, table }) {
    const [me] = you;
    const nameless = me && players[me - 1].name === `Player ${me}`;
    return html`<${Invitation} id=${id} invite=${me ? inviteOf(id) : null} title=${table.title}
      onName=${nameless && (() => this.session.set({ renaming: me }))} />`;
  }

  /** @param {State} now */
  renderTable(now) {
    const { session } = this;
    const { view, pending, refusal, resigning, valued } = session.state;
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
    const actions = html`<${Actions} session=${session} resigning=${resigning} onNext=${this.next} />`;
    return html`<div class="table-columns">
      <section class="table-board" aria-labelledby="board-heading">
        <h2 id="board-heading" class="unseen">Board</h2>
        <${Status} session=${session} onNext=${canGoOn ? this.next : null} />
        ${
          over &&
          !view &&
          html`<div class="after">${!watching && actions}
          <button class="button" data-testid="to-report" onClick=${() => bring("report-heading")}>${this.state.turned ? "See where it turned" : "See how it was played"}</button></div>`
        }
        <${Board} table=${table} choose=${watching || over ? null : play} playable=${canMove && !pending} values=${values} selected=${pending?.move} />
        ${canMove && html`<${OtherMoves} table=${table} choose=${play} values=${values} />`}
        <${Steps} at=${at.ply} last=${now.rounds[at.round - 1].moves.length} onStep=${(/** @type {number} */ ply) => this.look({ round: at.round, ply })} />
        ${
          !watching &&
          !over &&
          html`<${MoveForm} disabled=${!canMove || pending !== null} onPlay=${(/** @type {string} */ move) => type(session, move)}
          refusal=${refusal} legal=${now.table.legal_text} want=${now.table.want} />`
        }
      </section>
      <div class="table-side">
        ${!watching && !over && actions}
        <section aria-labelledby="moves-heading">
          <h2 id="moves-heading">Moves</h2>
          <${Moves} rounds=${now.rounds} at=${at} onLook=${this.look} />
        </section>
        ${
          (!over || view) &&
          html`<section class="known-section" aria-labelledby="study-heading">
          <h2 id="study-heading">What is known</h2>
          ${
            study
              ? html`<${Analysis} key=${table.study} table=${table} on=${valued}
                  onToggle=${() => session.set({ valued: !valued })} onSolved=${() => this.forceUpdate()} />
                <p><a class="button small" href=${table.study}>${table.turn ? "Try other moves from here" : "See it on the study board"}</a></p>`
              : html`<p class="soft">While two people play there are no hints and no values, for either of them or for those who watch. They come when the game is over.</p>`
          }
        </section>`
        }
        ${!over && html`<${Links} id=${now.id} />`}
      </div>
      ${over && html`<${Later} load=${loadReport} props=${{ id: now.id, you: now.you, onGraded: (/** @type {boolean} */ turned) => this.setState({ turned }) }} part />`}
    </div>`;
  }
}
