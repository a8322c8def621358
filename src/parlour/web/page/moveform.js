// Typing a move. The input is always there and keeps what was typed when a move is refused.

import { Component, createRef, html } from "./parts.js";

export class MoveForm extends Component {
  state = { text: "" };
  input = createRef();

  submit = async (event) => {
    event.preventDefault();
    const text = this.state.text.trim();
    if (!text || this.props.disabled) return;
    if (await this.props.onPlay(text)) this.setState({ text: "" });
    else this.input.current?.select();
  };

  render({ disabled, refusal, legal, want }, { text }) {
    return html`<form class="move-form" onSubmit=${this.submit}>
      <label for="move-input">Type a move</label>
      <span class="row">
        <input id="move-input" ref=${this.input} type="text" autocomplete="off" autocapitalize="none" spellcheck=${false} enterkeyhint="go"
          value=${text} aria-describedby="move-help" aria-invalid=${refusal ? "true" : null}
          onInput=${(event) => this.setState({ text: event.target.value })} />
        <button class="button" aria-disabled=${disabled ? "true" : null}>Play</button>
      </span>
      <span id="move-help" class="help">
        ${refusal && html`<span class="refusal" id="refusal">${refusal} </span>`}
        ${!disabled && (refusal ? html`<span>Possible now: ${legal || want}.</span>` : html`<span>${want ? `${want[0].toUpperCase()}${want.slice(1)}` : ""}</span>`)}
      </span>
    </form>`;
  }
}
