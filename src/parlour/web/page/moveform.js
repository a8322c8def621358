// Typing a move. What was typed is kept when a move is refused.

import { Component, createRef, html } from "./parts.js";

/** @import { On } from "./types.js" */
/**
 * @typedef {object} MoveFormProps
 * @property {boolean} disabled
 * @property {string} refusal why what was typed will not do
 * @property {string} legal what would do, in words
 * @property {string} want
 * @property {boolean} [open] it is wanted where it is hidden otherwise, on a screen that is touched
 * @property {(text: string) => Promise<boolean>} onPlay whether it was played
 */

/** @extends {Component<MoveFormProps, { text: string }>} */
export class MoveForm extends Component {
  state = { text: "" };
  /** @type {{ current: HTMLInputElement | null }} */
  input = createRef();

  /** @param {MoveFormProps} before */
  componentDidUpdate(before) {
    if (this.props.open && !before.open) this.input.current?.focus();
  }

  /** @param {Event} event */
  submit = async (event) => {
    event.preventDefault();
    const text = this.state.text.trim();
    if (!text || this.props.disabled) return;
    if (await this.props.onPlay(text)) this.setState({ text: "" });
    else this.input.current?.select();
  };

  /** @param {MoveFormProps} props @param {{ text: string }} state */
  render({ disabled, refusal, legal, want, open }, { text }) {
    return html`<form class="move-form ${open ? "open" : ""}" onSubmit=${this.submit}>
      <label for="move-input">Type a move</label>
      <span class="row">
        <input id="move-input" ref=${this.input} type="text" autocomplete="off" autocapitalize="none" spellcheck=${false} enterkeyhint="go"
          value=${text} aria-describedby="move-help" aria-invalid=${refusal ? "true" : null}
          onInput=${(/** @type {On<HTMLInputElement>} */ event) => this.setState({ text: event.currentTarget.value })} />
        <button class="button" aria-disabled=${disabled ? "true" : null}>Play</button>
      </span>
      <span id="move-help" class="help">
        ${refusal && html`<span class="refusal" id="refusal">${refusal} </span>`}
        ${!disabled && refusal && html`<span>Possible now: ${legal || want}.</span>`}
      </span>
    </form>`;
  }
}
