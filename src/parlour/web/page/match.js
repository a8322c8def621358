// A match: at the table, across the network, or from the gallery. The server says what may be done (`can`), and every state
// it sends is complete; this page shows the newest one.

import { Board, OtherMoves, Steps, Summary } from "./board.js";
import { Component, Copy, Dialog, Loading, Mark, Trouble, alertNow, announce, bring, createRef, foreignKey, html, sentence, title, told, verdict, wanted } from "./parts.js";
import { get, getOnce, getText, post } from "./api.js";
import { inviteOf, keep, kept, leave, seatOf, sit } from "./store.js";
import { Analysis, refusalOf } from "./analysis.js";
import { Invitation } from "./waiting.js";
import { MoveForm } from "./moveform.js";
import { Link } from "./link.js";
import { click } from "./sound.js";
import { go } from "./nav.js";

const ASKS = { undo: "to take back the last move", next: "to go on to the next round", rematch: "for a rematch, seats swapped" };
const secret = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(18)))).replaceAll("+", "-").replaceAll("/", "_");

/** The joining that has no answer yet, if any; with a second argument: keep it, or (null) forget it. */
function joining(id, wish) {
  if (wish !== undefined) keep("joining", wish ? JSON.stringify({ id, ...wish }) : "");
  try {
    const found = JSON.parse(kept("joining") || "null");
    return found?.id === id ? found : null;
  } catch {
    return null;
  }
}

const FULL = "This match can hold no more moves. Resign it or begin another.";
const FITS_NONE = "That link fits no seat of this match.";
const RECONNECTING = "Reconnecting…";
const SAID = () => {}; // aloud already
const PASSING = 8000; // milliseconds that a notice stays which need not be answered

export class Match extends Component {
  // now: the newest state; view: {round, ply, report} when looking back, and whether from the report; table: what the board
  // shows then; values: {study, choices}, for the position with that address; pending: what is being sent, and which move
  // it is; trying: why it takes long; notice: {text, kind, act}; refusal: of a move that was typed
  state = { on: false, refusal: "", notice: null };

  componentDidMount() {
    title("Match");
    addEventListener("keydown", this.onKey);
    this.enter();
  }
  componentDidUpdate(before, _, focused) {
    if (focused && document.activeElement === document.body) document.getElementById("status")?.focus();
    if (before.visit !== this.props.visit && location.hash.includes("=")) this.enter(); // a link to the same match, pasted
  }
  // What had the focus may be gone with a change: then it goes to where the change is told, not to the top of the page.
  getSnapshotBeforeUpdate() {
    return document.getElementById("main").contains(document.activeElement);
  }
  componentWillUnmount() {
    this.gone = true;
    clearTimeout(this.passing);
    this.link?.close();
    removeEventListener("keydown", this.onKey);
  }

  // Arriving.

  /** Take the seat that the address brings, if it brings one; the secret leaves the address bar at once. */
  async enter() {
    const { id } = this.props;
    const brought = new URLSearchParams(location.hash.slice(1));
    if (location.hash) history.replaceState(history.state, "", location.pathname + location.search);
    if (brought.get("seat")) await this.sitDown(brought.get("seat"));
    const invite = brought.get("join") ?? joining(id)?.invite;
    this.invited = invite && seatOf(id);
    if (invite && !this.invited) await this.join(invite);
    if (this.gone) return;
    this.link?.close();
    this.link = new Link(id, {
      state: (state, fresh) => this.take(state, fresh),
      up: () => {
        this.setState({ down: false });
        this.hurry?.();
      },
      down: () => this.setState({ down: true }),
      gone: () => this.setState({ error: { status: 404, code: "match/unknown", message: "There is no such match here, or not any more." } }),
      wrongSeat: () => {
        leave(id);
        this.note("Your seat is not one of this match any more: you are watching.");
        this.link.restart();
      },
    });
  }

  /** A seat is taken only if the match has it: a bad link must not cost the seat one has. */
  async sitDown(seat) {
    const { id } = this.props;
    try {
      if (!/^[\w-]+$/.test(seat)) throw new Error(FITS_NONE); // it could not even be asked about
      await this.insist(() => get(`/api/matches/${id}`, { seat }));
      sit(id, seat);
    } catch (error) {
      if (!this.gone) this.note(error.code === "seat/wrong" ? FITS_NONE : sentence(error.message));
    }
  }

  async join(invite) {
    const { id } = this.props;
    // The seat is of our own making and kept until there is an answer: so joining can be sent again, even after a reload.
    const seat = joining(id)?.seat ?? secret();
    joining(id, { invite, seat });
    const name = kept("name").trim();
    const ask = (name) => this.insist(() => post(`/api/matches/${id}/join`, { invite, name, seat }));
    try {
      const joined = await ask(name).catch((error) => {
        if (error.code !== "name/bad" || !name) throw error;
        return ask(""); // the host may go by the same one; the seat matters more
      });
      joining(id, null);
      sit(id, joined.seat);
      const [me] = joined.state.you;
      this.note("You have joined the game.", {
        passing: true,
        ...(!name && { act: ["Say your name", () => this.setState({ renaming: me })] }),
      });
    } catch (error) {
      if (error.passing) return; // the page was left before there was an answer
      joining(id, null);
      this.note(error.code === "seat/taken" ? "Somebody else was quicker: the seat is taken, and you are watching." : sentence(error.message));
    }
  }

  /** Ask again and again until there is an answer, or the page is left; at once when the line is there again. */
  async insist(ask) {
    try {
      for (let wait = 1000; ; wait = Math.min(wait * 1.7, 10_000)) {
        try {
          return await ask();
        } catch (error) {
          if (!error.passing) throw error;
          this.setState({ trying: error.status === 429 ? "The server asks us to wait a moment…" : RECONNECTING });
          await new Promise((done) => {
            this.hurry = done;
            setTimeout(done, wait);
          });
          if (this.gone) throw error;
        }
      }
    } finally {
      this.setState({ trying: "" });
    }
  }

  /** Show something at the foot of the window. `passing`: until the next thing happens, and not for long. */
  note(text, { aloud = announce, ...more } = {}) {
    aloud(text);
    clearTimeout(this.passing);
    this.setState({ notice: { text, ...more } });
    if (more.passing) this.passing = setTimeout(() => this.setState({ notice: null }), PASSING);
  }

  /** Show why something is not possible, where it is seen whatever part of the page is in view. */
  refuse = (text, aloud = alertNow) => this.note(text, { aloud, kind: "refused", passing: true });

  // The newest state.

  /** `fresh`: the first of a new connection; `sure`: to be believed even if it is older than what is known. */
  take(state, fresh = false, sure = false) {
    const before = this.now;
    if (this.gone) return;
    if (before && !sure && state.seq < before.seq) {
      if (fresh) this.ask();
      return;
    }
    this.now = state;
    const moved = !before || before.ply !== state.ply || before.round !== state.round;
    const { view, notice, refusal } = this.state;
    // Somebody who looks back goes on looking back, if it was not taken back; everybody else sees the new position.
    const lost = view && view.ply > (state.rounds[view.round - 1]?.moves.length ?? -1);
    this.setState({
      now: state,
      ...(lost && { view: null, table: null }),
      ...(moved && { refusal: this.pending ? refusal : "", resigning: false }),
      ...(moved && before && notice?.passing && { notice: null }),
    });
    if (before) this.tell(before, state);
    if (this.invited && state.status === "waiting") this.note("You already have a seat at this table: the invitation is for somebody else.");
    this.invited = null;
    const mine = state.you.length === 1 && state.you[0] === state.table.turn && state.status === "playing";
    title(`${mine ? "Your turn: " : ""}${state.table.title}`);
    if (before && !before.rematch && state.rematch && state.you.length) this.follow(state.rematch);
  }

  /** A new connection began with an older state: an answer overtook it, or the server was restored. Only asking tells. */
  async ask() {
    const known = this.now;
    try {
      const state = await get(`/api/matches/${known.id}`, { match: known.id });
      this.take(state, false, this.now === known);
    } catch {
      // then the next state, or the next connection, will tell
    }
  }

  /** Say aloud what has changed, each thing once: moves, turn, result, offers. */
  tell(before, now) {
    const names = now.players.map(({ name }) => name);
    const who = (player) => (now.you.length === 1 && now.you[0] === player ? "You" : names[player - 1]);
    const said = [];
    now.players.forEach(({ name, joined }, index) => {
      if (joined && !before.players[index].joined && !now.you.includes(index + 1)) said.push(`${name} has joined.`);
    });
    const old = before.round === now.round ? before.table.moves : [];
    const moves = now.table.moves;
    if (before.round !== now.round) said.push(`Round ${now.round}.`);
    if (moves.length > old.length && old.every((move, index) => move === moves[index])) {
      click();
      moves.slice(old.length).forEach((move, index) => {
        const player = ((now.table.first - 1 + old.length + index) % 2) + 1;
        said.push(`${who(player)}: ${move}.`);
      });
    } else if (before.round === now.round && moves.length < old.length) {
      said.push("Taken back.");
    }
    const over = now.outcome && !before.outcome;
    const changed = said.length || before.table.turn !== now.table.turn;
    if (now.status === "playing" && changed && now.table.turn) {
      said.push(who(now.table.turn) === "You" ? "Your turn." : `${names[now.table.turn - 1]}'s turn.`);
    }
    if (now.offer && JSON.stringify(now.offer) !== JSON.stringify(before.offer)) {
      if (!now.you.includes(now.offer.by)) said.push(`${names[now.offer.by - 1]} asks ${ASKS[now.offer.kind]}.`);
    }
    if (before.offer && !now.offer && now.you.includes(before.offer.by) && before.ply === now.ply && !now.rematch) {
      if (!this.withdrawing) this.note(`${names[2 - before.offer.by]} declined: you had asked ${ASKS[before.offer.kind]}.`);
    }
    announce(said.join(" "));
    if (over) alertNow(`${verdict(now)} ${now.outcome.text}`);
    else if (now.status === "between" && before.status !== "between") alertNow(told(now.table.result?.text) || "The round is over.");
  }

  follow(next) {
    sit(next, seatOf(this.props.id)); // the seat is good there as well
    go(`/m/${next}`);
  }

  // Doing something.

  can = (what) => this.state.now.can.includes(what);

  /**
   * Ask the server for something; a dead network is retried until there is an answer. The ply makes that safe. `refused` is
   * told why if the answer is no.
   */
  async act(path, body = {}, { what = "What you asked for", refused = (text) => this.refuse(text, SAID) } = {}) {
    const { id } = this.props;
    if (this.pending) return null;
    this.pending = true;
    this.setState({ pending: { what, move: body.move }, refusal: "" });
    try {
      const state = await this.insist(() => post(`/api/matches/${id}/${path}`, body, { match: id }));
      this.take(state);
      return state;
    } catch (error) {
      if (this.gone) return null;
      if (error.body?.state) {
        this.take(error.body.state);
        const { last, names } = error.body.state.table;
        const since = last ? ` ${names[last.player - 1]}: ${last.move}.` : "";
        this.note(`The game had gone on:${since} ${what} came too late.`, { aloud: alertNow });
      } else {
        refused(refusalOf(error));
      }
    } finally {
      this.pending = false;
      if (!this.gone) this.setState({ pending: null });
    }
    return null;
  }

  play = async (move, refused) => {
    this.setState({ notice: null, view: null });
    return Boolean(await this.act("move", { move, ply: this.now.ply }, { what: `Your move ${move}`, refused }));
  };

  /** What is typed is refused where it was typed. */
  type = (move) => this.play(move, (refusal) => this.setState({ refusal }));

  choose = (move) => {
    const { now, view } = this.state;
    if (view) return this.refuse("You are looking back. Go to the newest move to play.");
    if (this.can("move")) return this.play(move);
    const { turn } = now.table;
    this.refuse(isFull(now) ? FULL : turn ? `It is ${now.players[turn - 1].name}'s turn.` : "The round is over.");
  };

  ply = () => ({ ply: this.now.ply });
  undo = () => (this.can("undo") ? this.act("undo", this.ply()) : this.can("offer undo") && this.act("offer", { kind: "undo", ...this.ply() }));
  next = async () => {
    if (this.can("next")) {
      if (await this.act("next", this.ply())) bring("status"); // the button is below the board
    } else if (this.can("rematch")) this.act("rematch");
    else if (this.can("offer next")) this.act("offer", { kind: "next", ...this.ply() });
    else if (this.can("offer rematch")) this.act("offer", { kind: "rematch", ...this.ply() });
  };
  /** The answer is to the offer that is shown, as things stand where it is shown. */
  answer = (word) => {
    const { offer, ply } = this.state.now;
    this.withdrawing = word === "withdraw";
    this.act(`offer/${word}`, { kind: offer.kind, ply }, { what: "Your answer" }).finally(() => (this.withdrawing = false));
  };

  /** A name is remembered once the server has taken it, if it is the one of whoever sits here. */
  rename = async (player, name, refused) => {
    if (this.pending) return refused("Something else is still being sent. Try again in a moment.");
    const state = await this.act("name", { name, player }, { what: "The name", refused });
    if (state?.you.length === 1) keep("name", name);
    return Boolean(state);
  };

  // Looking back.

  /** The tables of a round, fetched when first asked for. */
  async tables(round) {
    const { now } = this.state;
    const key = `${round}:${now.rounds[round - 1].moves.join(".")}`;
    if (this.kept?.key !== key) this.kept = { key, tables: (await get(`/api/matches/${now.id}/replay?round=${round}`, { match: now.id })).tables };
    return this.kept.tables;
  }

  look = async (round, ply, report = this.state.view?.report) => {
    const { now } = this.state;
    const last = now.rounds[round - 1]?.moves.length;
    if (last === undefined || ply < 0 || ply > last) return;
    if (round === now.round && ply === last) return this.setState({ view: null, table: null });
    try {
      const table = (await this.tables(round))[ply];
      this.setState({ view: { round, ply, report }, table });
      announce(table.last ? `Move ${ply}: ${table.names[table.last.player - 1]}, ${table.last.move}.` : "The start.");
    } catch (error) {
      this.refuse(refusalOf(error), SAID);
    }
  };

  /** From the report, which is below the board. */
  lookFromReport = async (round, ply) => {
    await this.look(round, ply, true);
    bring("status");
  };

  at() {
    const { now, view } = this.state;
    return view ?? { round: now.round, ply: now.table.moves.length };
  }

  onKey = (event) => {
    const { now } = this.state;
    if (!now || now.status === "waiting" || foreignKey(event)) return;
    const { round, ply } = this.at();
    const keys = {
      ArrowLeft: () => this.look(round, ply - 1),
      k: () => this.look(round, ply - 1),
      ArrowRight: () => this.look(round, ply + 1),
      j: () => this.look(round, ply + 1),
      Home: () => this.look(round, 0),
      End: () => this.look(now.round, now.rounds[now.round - 1].moves.length),
      m: () => document.getElementById("move-input")?.focus(),
      "/": () => document.getElementById("move-input")?.focus(),
      u: this.undo,
      n: this.next,
      Escape: () => this.setState({ resigning: false, notice: null }),
    };
    if (Object.hasOwn(keys, event.key)) {
      event.preventDefault();
      keys[event.key]();
    }
  };

  /** Between two people nobody is told while it lasts. */
  mayStudy() {
    const { now } = this.state;
    return now.status === "over" || ((now.kind === "local" || now.kind === "computer") && now.you.length > 0);
  }

  // Showing it.

  render({ id }, { now, error, view, table: old, down, trying, pending, notice, refusal, on, values, resigning, renaming, ruling }) {
    if (error) return html`<${Trouble} error=${error} />`;
    if (!now) {
      return html`<div class="page"><h1 tabindex="-1">Match</h1><${Loading} what=${trying || (down ? RECONNECTING : "Coming to the table…")} /></div>`;
    }
    const table = view ? old : now.table;
    const names = now.players.map(({ name }) => name);
    const study = this.mayStudy();
    const { round, ply } = this.at();
    const watching = !now.you.length;
    const shown = study && on && values?.study === table.study ? values.choices : null;
    const over = now.status === "over";
    const actions = html`<${Actions} now=${now} can=${this.can} names=${names} resigning=${resigning} undo=${this.undo} next=${this.next} act=${(path, body) => this.act(path, body)} onResigning=${(resigning) => this.setState({ resigning })} />`;
    return html`<div class="page table-page">
      <p class="crumb"><a href="/">Games</a> <a href="/rules/${table.game}" onClick=${inPlace(() => this.setState({ ruling: true }))}>Rules</a></p>
      <h1 tabindex="-1">${table.title}</h1>
      <${Summary} table=${table} round=${now.rounds.length > 1 && now.round} />
      <${Plates} now=${now} onRename=${(player) => this.setState({ renaming: player })} />
      ${watching && now.kind !== "record" && html`<p class="bar" data-testid="watching">You are watching.</p>`}
      <div class="dock">
      ${(down || trying) &&
      html`<p class="bar warn" data-testid="reconnecting"><span class="working">${trying || RECONNECTING}</span> ${pending && `${pending.what} is kept, and sent as soon as possible.`}</p>`}
      ${notice && html`<${Notice} notice=${notice} onClose=${() => this.setState({ notice: null })} />`}
      ${now.offer && html`<${Offer} key=${`${now.offer.kind}${now.offer.by}${now.ply}`} now=${now} names=${names} can=${this.can} answer=${this.answer} />`}
      ${now.rematch &&
      html`<p class="bar"><span>A rematch has begun.</span> <a class="button small primary" href="/m/${now.rematch}" onClick=${() => now.you.length && sit(now.rematch, seatOf(id))}>Go to it</a></p>`}
      </div>
      ${now.status === "waiting"
        ? html`<${Invitation} id=${id} invite=${watching ? null : inviteOf(id)} title=${table.title}
            onName=${now.players[now.you[0] - 1]?.name === `Player ${now.you[0]}` && (() => this.setState({ renaming: now.you[0] }))} />`
        : html`<div class="table-columns">
            <section class="table-board" aria-labelledby="board-heading">
              <h2 id="board-heading" class="unseen">Board</h2>
              <${Status} now=${now} table=${table} view=${view} next=${!watching && (this.can("next") || this.can("offer next")) && this.next}
                onNow=${() => this.look(now.round, now.rounds[now.round - 1].moves.length)} />
              ${over &&
              !view &&
              html`<div class="after">${!watching && actions}
                <button class="button" data-testid="to-report" onClick=${() => bring("report-heading")}>See where it turned</button></div>`}
              <${Board} table=${table} choose=${watching || over ? null : this.choose} playable=${!view && !pending && this.can("move")} values=${shown} selected=${pending?.move} />
              ${!view && this.can("move") && html`<${OtherMoves} table=${table} choose=${this.choose} values=${shown} />`}
              <${Steps} at=${ply} last=${now.rounds[round - 1].moves.length} onStep=${(to) => this.look(round, to)} />
              ${!watching &&
              !over &&
              html`<${MoveForm} disabled=${Boolean(view) || !this.can("move") || Boolean(pending)} onPlay=${this.type} refusal=${refusal} legal=${now.table.legal_text} want=${now.table.want} />`}
            </section>
            <div class="table-side">
              ${!watching && !over && actions}
              <section aria-labelledby="moves-heading">
                <h2 id="moves-heading">Moves</h2>
                <${Moves} rounds=${now.rounds} at=${{ round, ply }} onLook=${this.look} />
              </section>
              ${!(over && !view) &&
              html`<section class="known-section" aria-labelledby="study-heading">
                <h2 id="study-heading">What is known</h2>
                ${study
                  ? html`<${Analysis} key=${table.study} table=${table} on=${on}
                        onToggle=${() => this.setState({ on: !on })} onValues=${(choices) => this.setState({ values: { study: table.study, choices } })} />
                      <p><a class="button small" href=${table.study}>${table.turn ? "Try other moves from here" : "See it on the study board"}</a></p>`
                  : html`<p class="soft">While two people play there are no hints and no values, for either of them or for those who watch. They come when the game is over.</p>`}
              </section>`}
              ${!over && html`<${Links} id=${id} />`}
            </div>
            ${over && html`<${LateReport} id=${id} now=${now} at=${{ round, ply }} onLook=${this.lookFromReport} />`}
          </div>`}
      ${renaming && html`<${Rename} player=${renaming} name=${names[renaming - 1]} onClose=${() => this.setState({ renaming: null })} onName=${(name, refused) => this.rename(renaming, name, refused)} />`}
      ${ruling && html`<${RulesDialog} game=${table.game} heading="${table.title}: the rules" onClose=${() => this.setState({ ruling: false })} />`}
    </div>`;
  }
}

/** A notice at the foot of the window, with something to do about it if there is. */
function Notice({ notice: { text, kind, act }, onClose }) {
  const words = kind === "refused" ? html`<span class="refusal" data-testid="refused">${text}</span>` : html`<span>${text}</span>`;
  const [does, doIt] = act ?? [];
  return html`<p class="bar" data-testid="notice">
    ${words} ${act && html`<button class="button small primary" onClick=${() => (onClose(), doIt())}>${does}</button>`}
    <button class="button small" onClick=${onClose}>All right</button>
  </p>`;
}

/** The report is fetched when a game is over: whoever comes to play can do without. */
class LateReport extends Component {
  state = {};
  componentDidMount() {
    import("./report.js").then(
      ({ Report }) => this.setState({ Report }),
      () => this.setState({ failed: true }),
    );
  }
  render(props, { Report, failed }) {
    if (failed) return html`<p class="refusal">The report could not be fetched. Reload the page to try again.</p>`;
    return Report ? html`<${Report} ...${props} />` : html`<${Loading} />`;
  }
}

/** The two players: who they are, who is here, whose turn it is. */
function Plates({ now, onRename }) {
  return html`<ul class="plates" aria-label="Players">
    ${now.players.map((player, index) => {
      const number = index + 1;
      const turn = now.status === "playing" && now.table.turn === number;
      const won = now.outcome?.winner === number;
      const mine = now.you.includes(number);
      const here = player.computer
        ? player.computer.replace(/^level:/, "computer, level ")
        : !player.joined ? "not here yet" : now.kind === "friend" ? (player.present ? "here" : "away") : "";
      return html`<li key=${number} class="plate p${number} ${turn ? "turn" : ""} ${won ? "won" : ""}" data-testid="player-${number}">
        <${Mark} player=${number} />
        <span class="plate-text"><span class="plate-name">${player.name}${mine && now.you.length === 1 ? html` <span class="soft">(you)</span>` : ""}</span>
        <span class="plate-word">${here && html`<span class="presence ${player.present && player.joined ? "here" : ""}">${here}</span>`}${turn && html`<strong class="tag">${now.thinking ? "thinking…" : "to move"}</strong>`}${won && html`<strong class="tag">won</strong>`}</span></span>
        ${mine && now.can.includes("rename") && html`<button class="quiet" aria-label="Change the name ${player.name}" title="Change the name" onClick=${() => onRename(number)}>✎</button>`}
      </li>`;
    })}
  </ul>`;
}

/** It is one's turn, and yet nothing can be moved. */
const isFull = (now) => now.status === "playing" && now.you.includes(now.table.turn) && !now.thinking && !now.can.includes("move");

/** One paragraph that says how things stand. */
function Status({ now, table, view, onNow, next }) {
  const name = (player) => now.players[player - 1].name;
  let content;
  if (view) {
    content = table.last
      ? html`<strong>${now.rounds.length > 1 ? `Round ${view.round}, move` : "Move"} ${view.ply}.</strong> ${name(table.last.player)} ${table.last.passed ? "had to pass" : `played ${table.last.move}`}.`
      : html`<strong>The start.</strong> ${name(table.first)} begins.`;
  } else if (now.outcome) {
    content = html`<strong class="result">${verdict(now)}</strong> <span class="said">${now.outcome.text}</span>`;
  } else if (now.status === "between") {
    content = html`<strong>Round ${now.round} is over.</strong> ${told(table.result?.text)}`;
  } else if (now.you.length === 1 && now.you[0] === table.turn) {
    content = html`<${Mark} player=${table.turn} /> <strong>Your turn.</strong> ${wanted(table)}`;
  } else if (now.thinking) {
    content = html`<${Mark} player=${table.turn} /> <strong class="working">${name(table.turn)} is thinking…</strong>`;
  } else {
    content = html`<${Mark} player=${table.turn} /> <strong>${name(table.turn)}'s turn.</strong> ${now.you.includes(table.turn) ? wanted(table) : ""}`;
  }
  return html`<div>
    <div class="status-row">
      <p id="status" tabindex="-1" class="status" data-testid="status">${content}</p>
      ${view && html`<button class="button small" data-testid="to-now" onClick=${onNow}>To the newest move</button>`}
      ${view?.report && html`<button class="button small" onClick=${() => bring("report-heading")}>Back to the report</button>`}
    </div>
    ${!view && table.last?.passed && html`<p class="soft"><${Mark} player=${table.last.player} /> ${name(table.last.player)} had to pass: ${table.last.text.at(-1) ?? "no move was possible"}</p>`}
    ${!view && isFull(now) && html`<p class="soft">${FULL}</p>`}
    ${!view &&
    now.status === "playing" &&
    table.settled &&
    html`<p class="row"><span>${table.moves.length ? "Nobody can win this round any more." : "Nobody can win this round, whatever is played."}</span>
      ${next && html`<button class="button small" onClick=${next}>${now.can.includes("next") ? "Next round" : "Offer the next round"}</button>`}</p>`}
  </div>`;
}

/** What one player asks the other, one thing at a time. */
function Offer({ now, names, can, answer }) {
  const { kind, by } = now.offer;
  const mine = now.you.includes(by);
  return html`<p class="bar offer" data-testid="offer">
    <span><${Mark} player=${by} /> ${mine ? "You ask" : html`<strong>${names[by - 1]}</strong> asks`} ${ASKS[kind]}.</span>
    ${can("accept") && html`<button class="button small primary" onClick=${() => answer("accept")}>Accept</button>`}
    ${can("decline") && html`<button class="button small" onClick=${() => answer("decline")}>Decline</button>`}
    ${can("withdraw") && html`<button class="button small" onClick=${() => answer("withdraw")}>Withdraw</button>`}
  </p>`;
}

/** Everything that may be done besides moving. Resigning takes two steps; the second is not where the first was. */
class Actions extends Component {
  ref = createRef();

  // Whoever resigns by keyboard is led to the harmless answer, and back to where it began.
  componentDidUpdate(before) {
    if (before.resigning === this.props.resigning || document.activeElement !== document.body) return;
    this.ref.current?.querySelector("[data-resign]")?.focus();
  }

  render({ now, can, names, resigning, undo, next, act, onResigning }) {
    const local = now.you.length > 1;
    const button = (what, words, action, kind = "") =>
      can(what) && html`<button key=${what} class="button ${kind}" data-testid=${what.replace(" ", "-")} onClick=${action}>${words}</button>`;
    const any = ["undo", "offer undo", "next", "rematch", "offer rematch", "resign"].some(can);
    if (!any) return null;
    return html`<section class="actions" aria-labelledby="actions-heading" ref=${this.ref}>
      <h2 id="actions-heading" class="unseen">Actions</h2>
      <div class="row">
        ${button("undo", "Undo", undo)} ${button("offer undo", "Ask to take back", undo)}
        ${now.status === "between" && button("next", "Next round", next, "primary")}
        ${button("rematch", "Rematch", next, "primary")} ${button("offer rematch", "Offer a rematch", next, "primary")}
        ${can("resign") &&
        (resigning
          ? html`<button key="keep" data-resign class="button" onClick=${() => onResigning(false)}>Keep playing</button>
              <button key="confirm" class="button danger" data-testid="confirm-resignation" onClick=${() => act("resign", local ? { player: now.table.turn } : {})}>
                Confirm resignation${local ? ` of ${names[now.table.turn - 1]}` : ""}
              </button>`
          : html`<button key="resign" data-resign class="button" data-testid="resign" onClick=${() => onResigning(true)}>Resign</button>`)}
      </div>
    </section>`;
  }
}

/** Every move of every round, to jump to. */
function Moves({ rounds, at, onLook }) {
  return html`<div class="moves-all" data-testid="moves">
    ${rounds.map((round, index) => {
      const number = index + 1;
      return html`<div key=${number}>
        ${rounds.length > 1 && html`<h3 class="round-title">Round ${number}</h3>`}
        ${!round.moves.length && html`<p class="soft">None yet.</p>`}
        <ol class="moves">
          ${round.moves.map((move, place) => {
            const now = at.round === number && at.ply === place + 1;
            return html`<li key=${place}><button class="chip ${now ? "now" : ""}" aria-current=${now ? "step" : null} onClick=${() => onLook(number, place + 1)}>
              <${Mark} player=${((round.first - 1 + place) % 2) + 1} /> ${move}</button></li>`;
          })}
        </ol>
      </div>`;
    })}
  </div>`;
}

/** Links for those who want to watch, and to keep. */
function Links({ id }) {
  return html`<section aria-labelledby="links-heading">
    <h2 id="links-heading">Keep or share</h2>
    <p class="row">
      <${Copy} class="small" text=${`${location.origin}/m/${id}`}>Copy the watching link<//>
      <a class="button small" href="/api/matches/${id}/record" download>Download the record</a>
      <${Copy} class="small" text=${() => getText(`/api/matches/${id}/record`)}>Copy the record<//>
      ${seatOf(id) && html`<${Copy} class="small" text=${`${location.origin}/m/${id}#seat=${seatOf(id)}`}>Copy my seat<//>`}
    </p>
    ${seatOf(id) && html`<p class="soft">“My seat” is the link with which you, and whoever else has it, play for you: take it to your
      other device, and send it to nobody.</p>`}
  </section>`;
}

/** A name that is refused can be mended: the dialog stays until one is taken. */
class Rename extends Component {
  state = {};
  input = createRef();
  submit = async (event) => {
    event.preventDefault();
    this.setState({ refusal: "" });
    const done = await this.props.onName(this.input.current.value.trim(), (refusal) => this.setState({ refusal }));
    if (done) this.props.onClose();
  };
  render({ player, name, onClose }, { refusal }) {
    const usual = name === `Player ${player}`;
    return html`<${Dialog} heading="Change a name" onClose=${onClose}>
      <form onSubmit=${this.submit}>
        <div class="field"><label for="new-name">What Player ${player} is called</label>
          <input id="new-name" type="text" maxlength="30" autocomplete="nickname" defaultValue=${usual ? "" : name} ref=${this.input}
            aria-invalid=${refusal ? "true" : null} aria-describedby="name-refusal" />
          <p id="name-refusal" class="refusal" hidden=${!refusal}>${refusal}</p></div>
        <p><button class="button primary">Use this name</button></p>
      </form>
    <//>`;
  }
}

/** A link that does something here; with a modifier it opens elsewhere, as links do. */
const inPlace = (action) => (event) => {
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  action();
};

/** The rules without leaving the table. */
class RulesDialog extends Component {
  state = {};
  async componentDidMount() {
    try {
      const [{ Prose }, card] = await Promise.all([import("./rules.js"), getOnce(`/api/games/${this.props.game}`)]);
      this.setState({ Prose, card });
    } catch (error) {
      this.setState({ failed: sentence(error.message) });
    }
  }
  render({ heading, onClose }, { Prose, card, failed }) {
    return html`<${Dialog} heading=${heading} onClose=${onClose}>
      ${Prose ? html`<${Prose} card=${card} />` : failed ? html`<p class="refusal">${failed}</p>` : html`<${Loading} />`}
    <//>`;
  }
}
