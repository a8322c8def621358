// The study board: any position of any game, both sides moved by whoever looks. Each position has its own address.

import { Board, OtherMoves, Steps, Summary } from "./board.js";
import { Component, Copy, Loading, Mark, Trouble, announce, bring, foreignKey, html, title, told, wanted } from "./parts.js";
import { about, games, get, movesOf, placeOf, studyPath, tokenOf } from "./api.js";
import { Analysis, refusalOf } from "./analysis.js";
import { MoveForm } from "./moveform.js";
import { Ways, level, start } from "./setup.js";
import { keep } from "./store.js";
import { click } from "./sound.js";
import { go } from "./nav.js";

const begins = (path, token) => {
  const moves = movesOf(token);
  return moves.length <= path.length && moves.every((move, index) => move === path[index]);
};

export class Study extends Component {
  // path: the moves one can step along; line: the one being walked, and from where
  state = { path: [], line: null, on: true, refusal: "", level: level() };

  componentDidMount() {
    addEventListener("keydown", this.onKey);
    this.load();
  }
  componentWillUnmount() {
    removeEventListener("keydown", this.onKey);
    this.gone = true;
  }
  componentDidUpdate(before) {
    if (before.place !== this.props.place) this.load();
  }

  place() {
    return placeOf(this.props.place);
  }

  tables = new Map(); // by address: stepping to and fro asks nobody

  async table(place) {
    const path = about("position", place);
    if (!this.tables.has(path)) this.tables.set(path, await get(path));
    return this.tables.get(path);
  }

  load = async () => {
    const place = this.place();
    const wanted = this.props.place;
    const line = history.state?.line;
    try {
      const table = await this.table(place);
      if (this.gone || wanted !== this.props.place) return;
      title(`Study ${table.title}`);
      // A line is walked as long as one stays on it, its beginnings included.
      const walked = line && [...movesOf(line.from), ...line.moves];
      const onLine = walked && begins(walked, place.token);
      let { path } = this.state;
      if (onLine) path = walked;
      else if (!begins(path, place.token)) path = movesOf(place.token);
      if (this.state.table && table.last && table.token !== this.state.table.token) {
        click();
        announce(
          `${table.names[table.last.player - 1]}: ${table.last.move}. ` +
            (table.result ? told(table.result.text) : `${table.names[table.turn - 1]} to move.`),
        );
      }
      this.setState({ table, path, line: onLine ? line : null, error: null, refusal: "", values: null });
    } catch (error) {
      if (!this.gone && wanted === this.props.place) this.setState({ error });
    }
  };

  to(moves, line = this.state.line) {
    go(studyPath(this.place(), moves), { state: line && { line } });
  }

  play = async (move) => {
    const { table } = this.state;
    if (!table.turn) return;
    try {
      // The server judges the move and says how it is spelled; only then the address changes.
      const place = this.place();
      const next = await this.table({ ...place, token: tokenOf([...movesOf(place.token), move]) });
      this.to(next.moves);
      return true;
    } catch (error) {
      this.setState({ refusal: refusalOf(error) });
      return false;
    }
  };

  choose = (move) => this.play(move);

  step = (to) => {
    const { path } = this.state;
    if (to >= 0 && to <= path.length && to !== this.state.table.moves.length) this.to(path.slice(0, to));
  };

  walk = (moves) => {
    const line = { from: this.place().token, moves };
    this.setState({ line });
    this.to([...movesOf(line.from), moves[0]], line);
    bring("status");
  };

  playOn = async (way) => {
    const { table } = this.state;
    this.setState({ busy: true });
    try {
      // Whoever plays on takes the side that is to move.
      const first = way === "local" ? String(table.first) : table.turn === table.first ? "me" : "you";
      go(await start(way, table.game, { options: table.options, first, moves: table.moves }));
    } catch (error) {
      this.setState({ busy: false, refusal: refusalOf(error) });
    }
  };

  loadLevels = () => games().then(({ levels }) => this.setState({ levels }), (error) => this.setState({ refusal: refusalOf(error) }));

  onKey = (event) => {
    const { table, path } = this.state;
    if (!table || foreignKey(event)) return;
    const at = table.moves.length;
    const keys = {
      ArrowLeft: () => this.step(at - 1),
      k: () => this.step(at - 1),
      ArrowRight: () => this.step(at + 1),
      j: () => this.step(at + 1),
      Home: () => this.step(0),
      End: () => this.step(path.length),
      u: () => this.step(at - 1),
      m: () => document.getElementById("move-input")?.focus(),
      "/": () => document.getElementById("move-input")?.focus(),
    };
    if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    }
  };

  render(_, { table, error, path, line, on, values, refusal, busy, levels, level }) {
    if (error) return html`<${Trouble} error=${error} again=${this.load} />`;
    if (!table) return html`<div class="page"><h1 tabindex="-1">Study</h1><${Loading} /></div>`;
    const at = table.moves.length;
    const from = line ? movesOf(line.from).length : 0;
    return html`<div class="page table-page">
      <p class="crumb"><a href="/">Games</a> <a href="/rules/${table.game}">Rules</a></p>
      <h1 tabindex="-1">Study: ${table.title}</h1>
      <${Summary} table=${table} />
      <div class="table-columns">
        <section class="table-board" aria-labelledby="board-heading">
          <h2 id="board-heading" class="unseen">Board</h2>
          <div class="status-row"><p id="status" tabindex="-1" class="status" data-testid="status">
            ${table.turn
              ? html`<${Mark} player=${table.turn} /> <strong>${table.names[table.turn - 1]} to move.</strong> ${wanted(table)}`
              : html`<strong>The round is over.</strong> ${told(table.result?.text)}`}
          </p></div>
          ${table.settled && html`<p class="soft">Nobody can win this round${table.moves.length ? " any more" : ", whatever is played"}.</p>`}
          ${table.last?.passed && html`<p class="soft"><${Mark} player=${table.last.player} /> ${table.names[table.last.player - 1]} had to pass.</p>`}
          <${Board} table=${table} choose=${this.choose} playable=${Boolean(table.turn)} values=${on ? values : null} />
          <${OtherMoves} table=${table} choose=${this.choose} values=${on ? values : null} />
          ${line &&
          html`<div class="line-bar">
            <p>
              <strong>Walking a line</strong> ${line.moves.map(
                (move, index) => html` <button class="chip ${at === from + index + 1 ? "now" : ""}" aria-current=${at === from + index + 1 ? "step" : null} onClick=${() => this.step(from + index + 1)}>${move}</button>`,
              )}
            </p>
            <button class="button small" onClick=${() => {
              this.setState({ line: null });
              this.to(movesOf(line.from), null);
            }}>Back to where it began</button>
          </div>`}
          <${Steps} at=${at} last=${path.length} onStep=${this.step} />
          <${MoveForm} disabled=${!table.turn} onPlay=${this.play} refusal=${refusal} legal=${table.legal_text} want=${table.want} />
        </section>
        <div class="table-side">
          <section aria-labelledby="values-heading">
            <h2 id="values-heading">What is known</h2>
            <${Analysis} key=${table.study} table=${table} on=${on}
              onToggle=${() => this.setState({ on: !on })} onValues=${(values) => this.setState({ values })} onWalk=${this.walk} onPlay=${this.play} />
          </section>
          <section aria-labelledby="moves-heading">
            <h2 id="moves-heading">Moves so far</h2>
            ${path.length
              ? html`<ol class="moves">
                  ${path.map(
                    (move, index) => html`<li key=${index}><button class="chip ${at === index + 1 ? "now" : ""} ${index >= at ? "ahead" : ""}" aria-current=${at === index + 1 ? "step" : null} onClick=${() => this.step(index + 1)}>
                      <${Mark} player=${((table.first - 1 + index) % 2) + 1} /> ${move}</button></li>`,
                  )}
                </ol>`
              : html`<p class="soft">None: this is the beginning.</p>`}
            <p class="row"><${Copy} class="small" text=${() => location.href}>Copy a link to this position<//></p>
          </section>
          ${table.turn &&
          html`<section aria-labelledby="on-heading">
            <h2 id="on-heading">Play on from here</h2>
            <p class="soft">You take the side of <${Mark} player=${table.turn} /> ${table.names[table.turn - 1]}.</p>
            ${!levels && html`<p class="row soft">The computer: ${level.replace(":", " ")} <button class="quiet" onClick=${this.loadLevels}>Choose another</button></p>`}
            ${levels &&
            html`<div class="field"><label for="on-level">The computer</label>
              <select id="on-level" onChange=${(event) => {
                keep("level", event.target.value);
                this.setState({ level: event.target.value });
              }}>
                ${levels.map(({ key, title }) => html`<option key=${key} value=${key} selected=${key === level}>${title}</option>`)}
              </select></div>`}
            <${Ways} onPlay=${this.playOn} busy=${busy} />
          </section>`}
        </div>
      </div>
    </div>`;
  }
}
